"""A club's own rules: rule sets with a name, kept to be offered at the next game. Games keep the rules they began with.

They are few and are always read together, so a club keeps them in one column, each as data: see `OwnRules.to_dict`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper import club_log
from scorekeeper.club_log import NOBODY, Cause
from scorekeeper.db import db_write
from scorekeeper.models import NAME_LENGTH, UID_LENGTH, Club, tidy_name
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table

MOST = 20
ID = "own-"  # a rule set's id begins with it, its uid follows
LETTERS = 9  # bytes of a uid


@dataclass(frozen=True)
class OwnRules:
    """Rules of a club's own: `version` counts how often they were saved, players and teams are how they are played."""

    uid: str
    name: str
    version: int
    rules: RuleSet
    players: int
    teams: int

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OwnRules:
        """Reads what `to_dict` gives; raises Refused with the sentence where it is something else."""
        uid, name, version = data.get("uid"), data.get("name"), data.get("version")
        if not (isinstance(uid, str) and 0 < len(uid) <= UID_LENGTH and isinstance(version, int) and version > 0):
            raise _refused("These rules have no uid or no version")
        if not isinstance(name, str) or not 0 < len(name) <= NAME_LENGTH or name != tidy_name(name):
            raise _refused("These rules have no name")
        rules, players, teams = RuleSet.from_dict(data.get("rules")), data.get("players"), data.get("teams")
        if not isinstance(players, int) or not isinstance(teams, int):
            raise _refused("These rules do not say how many play")
        own = cls(uid, name, version, rules, players, teams)
        own.table()
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
        }


def rules_of(club: Club) -> list[OwnRules]:
    """A club's own rules, in the order in which they were first saved."""
    return [OwnRules.from_dict(data) for data in club.own_rules or ()]


def find(club: Club, uid: str) -> OwnRules | None:
    return next((own for own in rules_of(club) if own.uid == uid), None)


def save(club: Club, name: str, table: Table, by: str | None = None) -> OwnRules:
    """Keep the rules of a table under a name, for as many players as sit there; see `save_rules`."""
    return save_rules(club, name, Table(for_this_table(table), table.players, table.teams), by)


def save_rules(club: Club, name: str, table: Table, by: str | None = None) -> OwnRules:
    """Keep rules under a name, the table being how they are usually played; under a name that there is already, as its
    next version.

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
        own = OwnRules(uid, name, version, rules, table.players, table.teams)
        put(club, uid, own.to_dict(), Cause(by))
    return own


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
