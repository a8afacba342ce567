"""Scores in words: every score and every change of a game is said by this, whether they count up or down to 0."""

from __future__ import annotations

from scorekeeper.scoring.parts import WinRules
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.web.common.numbers import figure, signed


class ScoreWords:
    """How the scores of a game are said; `best` is what the score that leads is called."""

    def __init__(self, win: WinRules) -> None:
        self.scale = win.scale
        self.target = win.target
        self.counts_down = self.scale.down_from is not None
        self.best, self._better = ("lowest", "less") if self.counts_down else ("highest", "more")

    def score(self, score: int) -> str:
        """A score, a total: 12, −3."""
        return figure(self.scale.score(score))

    def change(self, change: int) -> str:
        """What a hand or an adjustment changes: +5, −3."""
        return signed(self.scale.change(change))

    @property
    def end(self) -> str:
        """The score that wins: 11; counted down, 0."""
        return self.score(self.target)

    @property
    def goal(self) -> str:
        """What comes behind "first to": 11; counted down, "0 from 7"."""
        return f"{self.end} from {self.target}" if self.counts_down else self.end

    @property
    def end_or_better(self) -> str:
        """11 or more; counted down, 0 or less."""
        return f"{self.end} or {self._better}"


def first_to(rules: RuleSet) -> str:
    """first to 11; counted down, "first to 0 from 7"."""
    return f"first to {ScoreWords(rules.win).goal}"


FILTERS = {"first_to": first_to}
