"""A game in two lines: for a club's list, and to be played again."""

from __future__ import annotations

from functools import cached_property

from scorekeeper.models import ABANDONED, FORFEIT, PAUSED
from scorekeeper.scoring.game import GameScore
from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.common.narrator import Narrator, by_score, why_won
from scorekeeper.web.common.numbers import day


class Summary:
    """What a list says of one game."""

    def __init__(self, game: Snapshot) -> None:
        self.game = game
        self.number = game.number
        outcome = self.score.outcome
        self.names = game.names_at(outcome.hand if outcome else game.length + 1)  # who won it, whoever sat down later

    @cached_property
    def score(self) -> GameScore:
        return self.game.score

    @cached_property
    def _speaker(self) -> Narrator:
        return Narrator(self.game.table, self.names)

    @property
    def is_won(self) -> bool:
        return self.score.outcome is not None

    @property
    def is_forfeit(self) -> bool:
        return bool(self.game.paper and self.game.paper.get(FORFEIT))

    @property
    def rules(self) -> str:
        return self.game.table.rules.name

    @property
    def played(self) -> str:
        return day(self.game.played)

    @property
    def score_line(self) -> str:
        """The score; of a game that is won the winner's first, and why it won if not ahead. A forfeit has none."""
        if self.is_forfeit:
            return ""
        outcome, totals = self.score.outcome, self.score.totals
        if outcome is None:
            return self._speaker.totals(totals).removesuffix(".")
        line, why = self._speaker.totals(by_score(totals, outcome.winners)), why_won(outcome, totals)
        return ", ".join(filter(None, (line.removesuffix("."), why)))

    @property
    def goes_on(self) -> bool:
        """Whether it waits for its next hand."""
        return not self.is_won and self.game.state != ABANDONED

    @property
    def state(self) -> str:
        if self.game.left_out and self.is_won:
            return "does not count"
        usual = "" if self.game.paper is None else "forfeit" if self.is_forfeit else "from paper"
        return {PAUSED: "paused", ABANDONED: "abandoned: does not count"}.get(self.game.state, usual)

    @property
    def headline(self) -> str:
        if self.score.outcome:
            if self.is_forfeit:
                return self._speaker.win(self.score.outcome, self.score.totals)
            return self._speaker.winners(self.score.outcome)
        return f"Hand {len(self.score.hands) + 1} is next" if self.score.hands else "Not started"

    @property
    def next_dealer(self) -> str:
        return self._speaker.seat(self.game.dealer_after(self.game.length))
