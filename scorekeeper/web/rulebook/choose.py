"""Help with the first game: what a table says of how it plays, and the rule sets that come nearest to it."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.rules import RuleSet, catalogue
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.rulebook.messages import counted_points, differences

MOST_SHOWN = 5
MOST_TARGET = 999


class Proposal(NamedTuple):
    """A rule set for that many players, and in sentences what is different from what was said."""

    rules: RuleSet
    differences: list[str]


class Choose:
    """What was said so far: `asked` is an address's arguments, of which what makes no sense is left out."""

    def __init__(self, asked: MultiDict[str, str]) -> None:
        players = number_in(asked.get("players", ""))
        self.players = players if players in self.player_counts else None
        self.points = [name for name in self.names if name in asked.getlist("points")]
        target = number_in(asked.get("target", ""))
        self.target = target if target and target <= MOST_TARGET else None

    @property
    def player_counts(self) -> list[int]:
        """How many can play any of the games."""
        return sorted({players for rules in catalogue() for players in rules.table.players})

    @cached_property
    def names(self) -> list[str]:
        """Everything that any of the games counts, the commonest first."""
        counted = [name for rules in catalogue() for name in counted_points(rules)]
        return sorted(dict.fromkeys(counted), key=lambda name: -counted.count(name))

    @property
    def proposals(self) -> list[Proposal]:
        """The games that come nearest, the nearest first; none before the number of players is known."""
        fitting = [rules for rules in catalogue() if self.players in rules.table.players]
        nearest = sorted(fitting, key=self._distance)[:MOST_SHOWN]
        return [Proposal(rules, differences(rules, self.points, self.target)) for rules in nearest]

    def _distance(self, rules: RuleSet) -> tuple[int, int]:
        """First by the points that are counted in one and not in the other, then by the score to play to."""
        other = len({*counted_points(rules)} ^ {*self.points}) if self.points else 0
        return other, abs(rules.win.target - self.target) if self.target else 0
