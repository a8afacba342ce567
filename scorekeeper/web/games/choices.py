"""What there is to choose from when a game starts: the rule sets by family, ways to form teams, seasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.scoring.rules import RuleSet, families
from scorekeeper.web.wording.game_sentences import OUR_RULES, family_line


@dataclass(frozen=True, slots=True)
class Format:
    """One way to split the players into teams."""

    teams: int
    label: str


class Family(NamedTuple):
    """Rule sets that are alike, under one name; `is_open` where they are the club's own, or one of them is chosen."""

    name: str
    members: tuple[RuleSet, ...]
    is_open: bool

    @property
    def says(self) -> str:
        return family_line([rules.name for rules in self.members])


@dataclass(frozen=True, slots=True)
class Offer:
    """A season that the game can belong to."""

    value: str
    label: str


def rule_families(chosen: RuleSet, own: tuple[RuleSet, ...] = ()) -> list[Family]:
    """The club's own rules if it has any, then the catalogue's families, the usual one first."""
    found = {OUR_RULES: own, **families()} if own else families()
    return [Family(name, members, chosen in members or members is own) for name, members in found.items()]
