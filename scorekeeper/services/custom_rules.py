"""A club's own rules: rule sets with a name, kept to be offered at the next game. Games keep the rules they began with.

They are few and are always read together, so a club keeps them in one column, each as data: see `OwnRules.to_dict`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import NAME_LENGTH, UID_LENGTH, Club, Player, tidy_name
from scorekeeper.scoring.problems import Problem, Refused, refusal
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table

from . import club_log

SavedRules = dict[str, Any]  # as `OwnRules.to_dict` gives them and the column has them
MOST = 20
ID = "own-"  # a rule set's id begins with it, its uid follows
LETTERS = 9  # bytes of a uid
_refused = partial(refusal, "own-rules")
UID = re.compile(rf"[A-Za-z0-9_-]{{1,{UID_LENGTH}}}")  # what an address can have in it


@dataclass(frozen=True)
class OwnRules:
    """Rules of a club's own: `version` counts how often they were saved, players and teams are how they are played.

    `seats` are the uids of the players who usually sit there, in the order of play; empty where that is nobody in
    particular.
    """

    uid: str
    name: str
    version: int
    rules: RuleSet
    players: int
    teams: int
    seats: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: SavedRules) -> OwnRules:
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
        own = cls(uid, name, version, rules._replace(id=f"{ID}{uid}", name=name), players, teams, tuple(seats))
        own.table()
        if len(seats) not in (0, players):
            raise _refused("These rules do not have a player for each seat")
        return own

    def table(self) -> Table:
        """The table that they are played at; raises Refused where they are not for so many."""
        return Table(self.rules, self.players, self.teams)

    def to_dict(self) -> SavedRules:
        return {
            "uid": self.uid,
            "name": self.name,
            "version": self.version,
            "players": self.players,
            "teams": self.teams,
            "rules": self.rules.to_dict(),
        } | ({"seats": list(self.seats)} if self.seats else {})


class Unreadable(NamedTuple):
    """Saved rules that cannot be played, and why: the sentence of the first refusal."""

    uid: str
    name: str
    why: Problem


def uid_of(data: SavedRules) -> str:
    """The uid of saved rules, as an address can have it: an older one may have other letters."""
    return as_uid(data.get("uid"))


def as_uid(uid: object) -> str:
    """The same uid where an address can have it, else one made of it, always the same.

    >>> as_uid("Az09_-"), as_uid("a/b")
    ('Az09_-', 'c14cddc033f64b9dea80ea67')
    """
    if isinstance(uid, str) and UID.fullmatch(uid):
        return uid
    return hashlib.sha256(str(uid).encode("utf-8", "replace")).hexdigest()[:24]


def rules_of(club: Club) -> list[OwnRules]:
    """A club's own rules, in the order in which they were first saved; those that cannot be played are `unreadable`."""
    return readable(club.own_rules)


def readable(saved: Iterable[SavedRules] | None) -> list[OwnRules]:
    """Those of the rules that a club has saved, as its column has them, that can be played."""
    return [own for own in map(_read, saved or ()) if isinstance(own, OwnRules)]


def unreadable(club: Club) -> list[Unreadable]:
    """The rules that a club has saved and cannot play: the program may have learned since that they are impossible."""
    return [own for own in map(_read, club.own_rules or ()) if isinstance(own, Unreadable)]


def _read(data: SavedRules) -> OwnRules | Unreadable:
    uid = uid_of(data)
    try:
        return OwnRules.from_dict({**data, "uid": uid})
    except Refused as refused:
        return Unreadable(uid, str(data.get("name") or "?"), refused.problems[0])


def saved_as(club: Club, uid: str) -> SavedRules | None:
    """What a club has saved under that uid, as its column has it."""
    return next((own for own in club.own_rules or () if uid_of(own) == as_uid(uid)), None)


def find(club: Club, uid: str) -> OwnRules | None:
    return next((own for own in rules_of(club) if own.uid == uid), None)


def save(club: Club, name: str, table: Table, seats: Sequence[str] = ()) -> OwnRules:
    """Keep the rules of a table under a name, for as many players as sit there; see `save_rules`."""
    return save_rules(club, name, Table(for_this_table(table), table.players, table.teams), seats)


def save_rules(club: Club, name: str, table: Table, seats: Sequence[str] | None = None) -> OwnRules:
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
        rules = table.rules._replace(id=f"{ID}{uid}", name=name)
        if seats is None:
            seats = before.seats if before and before.players == table.players else ()
        own = OwnRules(uid, name, version, rules, table.players, table.teams, tuple(seats))
        put(club, uid, own.to_dict())
    return own


def seated(club: Club) -> dict[str, list[str]]:
    """Who usually sits where under each of the club's own rules, by their id: names, "" for who is no longer there."""
    own = [one for one in rules_of(club) if one.seats]
    wanted = {uid for one in own for uid in one.seats}
    found = select(Player.uid, Player.name).where(Player.club_id == club.id, Player.uid.in_(wanted))
    names = dict(iter(db.session.execute(found))) if wanted else {}
    return {
        # who was merged into somebody at the same table sits there once
        one.rules.id: ["" if uid in one.seats[:at] else names.get(uid, "") for at, uid in enumerate(one.seats)]
        for one in own
    }


def uids_of(club: Club, names: Sequence[str]) -> list[str]:
    """The uids of players by their names, in the same order; "" for a name that nobody has any longer."""
    found = select(Player.name, Player.uid).where(Player.club_id == club.id, Player.name.in_(names))
    uids = dict(iter(db.session.execute(found)))
    return [uids.get(name, "") for name in names]


def missing(club: Club | None, rules: Iterable[OwnRules]) -> list[OwnRules]:
    """Those that a club does not have, neither by uid nor by name, as far as it has room; all, where there is none."""
    here = rules_of(club) if club else []
    known = {own.uid for own in here} | {own.name.casefold() for own in here}
    found = [own for own in rules if own.uid not in known and own.name.casefold() not in known]
    return found[: max(0, MOST - len(club.own_rules or ()))] if club else found[:MOST]


def add_missing(club: Club, rules: Iterable[OwnRules], uids: Mapping[str, str]) -> None:
    """Keep those too that the club does not have, `uids` being who the players in their seats are here.

    Inside a transaction.
    """
    for own in missing(club, rules):
        put(club, own.uid, _seated_as(own.to_dict(), uids))


def delete(club: Club, uid: str) -> None:
    """Offer them no longer; games keep theirs."""
    with db_write(club):
        put(club, uid, None)


def put(club: Club, uid: str, data: SavedRules | None) -> None:
    """Put one of a club's rule sets in the place of what it was; None deletes it. Inside a transaction."""
    here, uid = club.own_rules or [], as_uid(uid)
    before = saved_as(club, uid)
    if before == data:
        return
    others = [own for own in here if uid_of(own) != uid]
    place = here.index(before) if before else len(others)
    club.own_rules = [*others[:place], *([data] if data else []), *others[place:]] or None
    club_log.add(club, club_log.OWN_RULES, before, data, subject=uid)


# --- the seats, when two players turn out to be one ---------------------------------------------------------------


def seats_of(club: Club, uid: str) -> dict[str, list[int]]:
    """Where a player usually sits: the places in the seats of each of the club's own rules that has any."""
    places = {
        uid_of(own): [index for index, one in enumerate(own.get("seats", ())) if one == uid]
        for own in club.own_rules or ()
    }
    return {rules: at for rules, at in places.items() if at}


def rename_in_seats(club: Club, old: str, new: str) -> None:
    """Let the seats of one player be another's. Inside a transaction."""
    if seats_of(club, old):
        club.own_rules = [_seated_as(own, {old: new}) for own in club.own_rules or ()]


def give_back_seats(club: Club, old: str, new: str, told: Mapping[str, Sequence[int]]) -> None:
    """Let what `seats_of` has told be a player's own again. Inside a transaction."""
    if not told:
        return
    rules = []
    for own in club.own_rules or ():
        at = told.get(uid_of(own), ())
        seats = [new if index in at and one == old else one for index, one in enumerate(own.get("seats", ()))]
        rules.append(own | ({"seats": seats} if seats else {}))
    club.own_rules = rules


def _seated_as(own: SavedRules, uids: Mapping[str, str]) -> SavedRules:
    """The same with other uids in the seats."""
    seats = [uids.get(uid, uid) for uid in own.get("seats", ())]
    return own | ({"seats": seats} if seats else {})


def for_this_table(table: Table) -> RuleSet:
    """Its rules for as many players and teams as there are, so that choosing them asks for neither."""
    teams = {"table.teams": [table.teams]} if table.rules.table.sides == "teams" else {}
    return table.rules.override({"table.players": [table.players], **teams})
