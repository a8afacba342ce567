"""A club's own rules: named rule sets that are offered for new games. Games keep the rules they began with.

They are few and always read together, so a club stores them as JSON in one column: see `OwnRules.to_dict`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import NAME_LENGTH, UID_LENGTH, Club, Player, tidy_name
from scorekeeper.scoring.problems import Problem, Refused, refusal
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table

from . import club_log

SavedRules = dict[str, Any]  # the JSON of one rule set, as returned by `OwnRules.to_dict`
MOST_SAVED = 20
ID_PREFIX = "own-"  # prefix of the id of an own rule set; its uid follows
LETTERS = 9  # random bytes in a uid
_refused = partial(refusal, "own-rules")
UID = re.compile(rf"[A-Za-z0-9_-]{{1,{UID_LENGTH}}}")  # safe in a URL path


@dataclass(frozen=True)
class OwnRules:
    """One of a club's own rule sets; `version` counts its saves, `players` and `teams` are the usual size of its table.

    `seats` are the uids of the players who usually sit there, in the order of play; empty for no usual players.
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
        """Parse the result of `to_dict`; raises Refused with a sentence for anything else."""
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
            raise _refused("The seats of these rules are not a list of players")
        own = cls(uid, name, version, rules._replace(id=f"{ID_PREFIX}{uid}", name=name), players, teams, tuple(seats))
        own.table()
        if len(seats) not in (0, players):
            raise _refused("These rules do not have a player for each seat")
        return own

    def table(self) -> Table:
        """Return its table; raises Refused if the rules do not allow that number of players or teams."""
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
    """Saved rules that cannot be played, and the first problem with them."""

    uid: str
    name: str
    why: Problem


def uid_of(data: SavedRules) -> str:
    """Return the uid of saved rules, converted if it is not safe in a URL: older versions allowed other characters."""
    return as_uid(data.get("uid"))


def as_uid(uid: object) -> str:
    """Return `uid` if it is safe in a URL, else a hash of it.

    >>> as_uid("Az09_-"), as_uid("a/b")
    ('Az09_-', 'c14cddc033f64b9dea80ea67')
    """
    if isinstance(uid, str) and UID.fullmatch(uid):
        return uid
    return hashlib.sha256(str(uid).encode("utf-8", "replace")).hexdigest()[:24]


def rules_of(club: Club) -> list[OwnRules]:
    """Return a club's playable own rules in the order of their first save; for the others see `unreadable`."""
    return readable(club.own_rules)


def readable(saved: Iterable[SavedRules] | None) -> list[OwnRules]:
    """Return the playable ones among saved rules, given as the JSON of the column."""
    return [own for own in map(_read, saved or ()) if isinstance(own, OwnRules)]


def unreadable(club: Club) -> list[Unreadable]:
    """Return the saved rules that cannot be played: this version may check more than the one that saved them."""
    return [own for own in map(_read, club.own_rules or ()) if isinstance(own, Unreadable)]


def _read(data: SavedRules) -> OwnRules | Unreadable:
    uid = uid_of(data)
    try:
        return OwnRules.from_dict({**data, "uid": uid})
    except Refused as refused:
        return Unreadable(uid, str(data.get("name") or "?"), refused.problems[0])


def saved_json(club: Club, uid: str) -> SavedRules | None:
    """Return the JSON that a club has saved under `uid`; None if there is none."""
    return next((own for own in club.own_rules or () if uid_of(own) == as_uid(uid)), None)


def find(club: Club, uid: str) -> OwnRules | None:
    return next(iter(readable(own for own in club.own_rules or () if uid_of(own) == uid)), None)


def save(club: Club, name: str, table: Table, seats: Sequence[str] = ()) -> OwnRules:
    """Save the rules of `table`, restricted to its number of players and teams; see `save_rules`."""
    return save_rules(club, name, Table(restricted_to_table(table), table.players, table.teams), seats)


def save_rules(club: Club, name: str, table: Table, seats: Sequence[str] | None = None) -> OwnRules:
    """Save the rules of `table` under a name; an existing name, compared case-insensitively, gets a new version.

    `seats` are the uids of the usual players; None keeps the present ones if the number of seats is the same.

    Raises Refused with a sentence: no name, a name too long, or too many rule sets.
    """
    name = tidy_name(name)
    if not 0 < len(name) <= NAME_LENGTH:
        raise _refused(f"Enter a name of at most {NAME_LENGTH} letters")
    with db_write(club):
        before = next((own for own in rules_of(club) if own.name.casefold() == name.casefold()), None)
        if before is None and len(club.own_rules or ()) >= MOST_SAVED:
            raise _refused(f"A club keeps at most {MOST_SAVED} rule sets. Delete one first")
        uid, version = (before.uid, before.version + 1) if before else (secrets.token_urlsafe(LETTERS), 1)
        rules = table.rules._replace(id=f"{ID_PREFIX}{uid}", name=name)
        if seats is None:
            seats = before.seats if before and before.players == table.players else ()
        own = OwnRules(uid, name, version, rules, table.players, table.teams, tuple(seats))
        put(club, uid, own.to_dict())
    return own


def seated(club: Club) -> dict[str, list[str]]:
    """Return the usual players' names by seat for each own rule set, by its id; "" for a player gone or retired."""
    own = [one for one in rules_of(club) if one.seats]
    wanted = {uid for one in own for uid in one.seats}
    found = select(Player.uid, Player.name).where(Player.club_id == club.id, Player.uid.in_(wanted), ~Player.retired)
    names = dict(iter(db.session.execute(found))) if wanted else {}
    return {
        # players who were merged at one table are named once
        one.rules.id: ["" if uid in one.seats[:at] else names.get(uid, "") for at, uid in enumerate(one.seats)]
        for one in own
    }


def uids_of(club: Club, names: Sequence[str]) -> list[str]:
    """Return the uids of players by their names, in the same order; "" for an unknown name."""
    found = select(Player.name, Player.uid).where(Player.club_id == club.id, Player.name.in_(names))
    uids = dict(iter(db.session.execute(found)))
    return [uids.get(name, "") for name in names]


def missing(club: Club | None, rules: Iterable[OwnRules]) -> list[OwnRules]:
    """Return those of `rules` whose uid and name the club does not have, up to its limit; `club` None: a new club."""
    here = rules_of(club) if club else []
    known = {own.uid for own in here} | {own.name.casefold() for own in here}
    found = [own for own in rules if own.uid not in known and own.name.casefold() not in known]
    return found[: max(0, MOST_SAVED - len(club.own_rules or ()))] if club else found[:MOST_SAVED]


def add_missing(club: Club, rules: Iterable[OwnRules], uids: Mapping[str, str]) -> None:
    """Save those of `rules` that the club does not have; `uids` maps their players to the club's.

    Inside the caller's transaction.
    """
    for own in missing(club, rules):
        seats = tuple(uids.get(uid, uid) for uid in own.seats)
        put(club, own.uid, replace(own, seats=seats).to_dict())


def delete(club: Club, uid: str) -> None:
    """Delete a rule set; games keep their copies."""
    with db_write(club):
        put(club, uid, None)


def put(club: Club, uid: str, data: SavedRules | None) -> None:
    """Replace a rule set's JSON; None deletes it. Inside the caller's transaction."""
    here, uid = club.own_rules or [], as_uid(uid)
    before = saved_json(club, uid)
    if before == data:
        return
    others = [own for own in here if uid_of(own) != uid]
    place = here.index(before) if before else len(others)
    club.own_rules = [*others[:place], *([data] if data else []), *others[place:]] or None
    club_log.add(club, club_log.OWN_RULES, before, data, subject=uid)


# --- seats when players are merged --------------------------------------------------------------------------------


def seats_of(club: Club, uid: str) -> dict[str, list[int]]:
    """Return the seat indexes (from 0) of a player in each own rule set that has any, by the rule set's uid."""
    places = {
        uid_of(own): [index for index, one in enumerate(own.get("seats", ())) if one == uid]
        for own in club.own_rules or ()
    }
    return {rules: at for rules, at in places.items() if at}


def rename_in_seats(club: Club, old: str, new: str, indexes: Mapping[str, Collection[int]] | None = None) -> None:
    """Replace one player by another in all seats, or in those returned by `seats_of` before a merge that is undone.

    Inside the caller's transaction.
    """
    here = seats_of(club, old) if indexes is None else indexes
    rules = []
    for own in club.own_rules or ():
        at = here.get(uid_of(own), ())
        seats = [new if index in at and one == old else one for index, one in enumerate(own.get("seats", ()))]
        rules.append(own | ({"seats": seats} if seats else {}))
    club.own_rules = rules or None


def restricted_to_table(table: Table) -> RuleSet:
    """Return the table's rules restricted to its number of players and teams: choosing them asks for neither."""
    teams = {"table.teams": [table.teams]} if table.rules.table.sides == "teams" else {}
    return table.rules.override({"table.players": [table.players], **teams})
