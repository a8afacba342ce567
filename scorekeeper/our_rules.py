"""A club's own rules: rule sets with a name, kept to be offered at the next game. Games keep the rules they began with.

They are few and are always read together, so a club keeps them in one column, each as data: see `OwnRules.to_dict`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from scorekeeper import club_log
from scorekeeper.club_log import NOBODY, Cause
from scorekeeper.db import db, db_write
from scorekeeper.models import NAME_LENGTH, UID_LENGTH, Club, Player, tidy_name
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table

MOST = 20
ID = "own-"  # a rule set's id begins with it, its uid follows
LETTERS = 9  # bytes of a uid
UID = re.compile(rf"[A-Za-z0-9_-]{{1,{UID_LENGTH}}}")  # what an address can have in it


@dataclass(frozen=True)
class OwnRules:
    """Rules of a club's own: `version` counts how often they were saved, players and teams are how they are played.

    `seats` are the uids of the players who usually sit there, clockwise; empty where that is nobody in particular.
    """

    uid: str
    name: str
    version: int
    rules: RuleSet
    players: int
    teams: int
    seats: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OwnRules:
        """Reads what `to_dict` gives; raises Refused with the sentence where it is something else."""
        uid, name, version = data.get("uid"), data.get("name"), data.get("version")
        if not (isinstance(uid, str) and UID.fullmatch(uid) and type(version) is int and version > 0):
            raise _refused("These rules have no uid of letters and digits, or no version")
        if not isinstance(name, str) or not 0 < len(name) <= NAME_LENGTH or name != tidy_name(name):
            raise _refused("These rules have no name")
        rules, players, teams = RuleSet.from_dict(data.get("rules")), data.get("players"), data.get("teams")
        if not isinstance(players, int) or not isinstance(teams, int):
            raise _refused("These rules do not say how many play")
        seats = data.get("seats", ())
        if not isinstance(seats, list | tuple) or not all(isinstance(seat, str) for seat in seats):
            raise _refused("The seats of these rules are no list of players")
        own = cls(uid, name, version, replace(rules, id=f"{ID}{uid}", name=name), players, teams, tuple(seats))
        own.table()
        if len(seats) not in (0, players):
            raise _refused("These rules do not have a player for each seat")
        return own

    def table(self) -> Table:
        """The table that they are played at; raises Refused where they are not for so many."""
        return Table(self.rules, self.players, self.teams)

    def to_dict(self) -> dict[str, Any]:
        return {
            "uid": self.uid,
            "name": self.name,
            "version": self.version,
            "players": self.players,
            "teams": self.teams,
            "rules": self.rules.to_dict(),
        } | ({"seats": list(self.seats)} if self.seats else {})


def rules_of(club: Club) -> list[OwnRules]:
    """A club's own rules, in the order in which they were first saved."""
    return [OwnRules.from_dict(data) for data in club.own_rules or ()]


def find(club: Club, uid: str) -> OwnRules | None:
    return next((own for own in rules_of(club) if own.uid == uid), None)


def save(club: Club, name: str, table: Table, by: str | None = None, seats: Sequence[str] = ()) -> OwnRules:
    """Keep the rules of a table under a name, for as many players as sit there; see `save_rules`."""
    return save_rules(club, name, Table(for_this_table(table), table.players, table.teams), by, seats)


def save_rules(
    club: Club, name: str, table: Table, by: str | None = None, seats: Sequence[str] | None = None
) -> OwnRules:
    """Keep rules under a name, the table being how they are usually played; under a name that there is already, as its
    next version. `seats` are the uids of who sits there; left out, as it was, where there are as many seats.

    Raises Refused with a sentence: no name, or too many rules.
    """
    name = tidy_name(name)
    if not 0 < len(name) <= NAME_LENGTH:
        raise _refused(f"Enter a name of at most {NAME_LENGTH} letters")
    with db_write(club):
        before = next((own for own in rules_of(club) if own.name.casefold() == name.casefold()), None)
        if before is None and len(club.own_rules or ()) >= MOST:
            raise _refused(f"A club keeps at most {MOST} rule sets. Delete one first")
        uid, version = (before.uid, before.version + 1) if before else (secrets.token_urlsafe(LETTERS), 1)
        rules = replace(table.rules, id=f"{ID}{uid}", name=name)
        if seats is None:
            seats = before.seats if before and before.players == table.players else ()
        own = OwnRules(uid, name, version, rules, table.players, table.teams, tuple(seats))
        put(club, uid, own.to_dict(), Cause(by))
    return own


def seated(club: Club) -> dict[str, list[str]]:
    """Who usually sits where under each of the club's own rules, by their id: names, "" for who is no longer there."""
    own = [one for one in rules_of(club) if one.seats]
    wanted = {uid for one in own for uid in one.seats}
    found = select(Player.uid, Player.name).where(Player.club_id == club.id, Player.uid.in_(wanted))
    names = dict(iter(db.session.execute(found))) if wanted else {}
    return {one.rules.id: [names.get(uid, "") for uid in one.seats] for one in own}


def uids_of(club: Club, names: Sequence[str]) -> list[str]:
    """The uids of players by their names, in the same order."""
    found = select(Player.name, Player.uid).where(Player.club_id == club.id, Player.name.in_(names))
    uids = dict(iter(db.session.execute(found)))
    return [uids[name] for name in names]


def missing(club: Club | None, rules: Iterable[OwnRules]) -> list[OwnRules]:
    """Those that a club does not have, neither by uid nor by name, as far as it has room; all, where there is none."""
    here = rules_of(club) if club else []
    known = {own.uid for own in here} | {own.name.casefold() for own in here}
    found = [own for own in rules if own.uid not in known and own.name.casefold() not in known]
    return found[: MOST - len(here)]


def add_missing(club: Club, rules: Iterable[OwnRules]) -> None:
    """Keep those too that the club does not have. Inside a transaction."""
    for own in missing(club, rules):
        put(club, own.uid, own.to_dict())


def delete(club: Club, uid: str, by: str | None = None) -> None:
    """Offer them no longer; games keep theirs."""
    with db_write(club):
        put(club, uid, None, Cause(by))


def put(club: Club, uid: str, data: dict[str, Any] | None, cause: Cause = NOBODY) -> None:
    """Put one of a club's rule sets in the place of what it was; None deletes it. Inside a transaction."""
    here = club.own_rules or []
    before = next((own for own in here if own["uid"] == uid), None)
    if before == data:
        return
    others = [own for own in here if own["uid"] != uid]
    place = here.index(before) if before else len(others)
    club.own_rules = [*others[:place], *([data] if data else []), *others[place:]] or None
    club_log.add(club.id, club_log.OWN_RULES, uid, before, data, cause)


def for_this_table(table: Table) -> RuleSet:
    """Its rules for as many players and teams as there are, so that choosing them asks for neither."""
    teams = {"table.teams": [table.teams]} if table.rules.table.sides == "teams" else {}
    return table.rules.override({"table.players": [table.players], **teams})


def _refused(sentence: str) -> Refused:
    return Refused([Problem("own-rules", "", sentence)])
