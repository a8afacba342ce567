"""How scores are shown: counted up from 0, or down to 0. Nothing that scores a hand or a game reads it."""

from __future__ import annotations

from typing import NamedTuple


class Scale(NamedTuple):
    """The scores of a game as its table says them; `down_from` is where they begin if they count down to 0.

    Scores are kept counted up in every game. What is turned round twice is as it was: a score or a change that was
    typed as it is shown is kept by the same functions.

    >>> down = Scale(7)
    >>> down.score(0), down.score(7), down.change(3), down.change(-2)
    (7, 0, -3, 2)
    >>> Scale().score(4), Scale().change(4)
    (4, 4)
    """

    down_from: int | None = None

    def score(self, score: int) -> int:
        return score if self.down_from is None else self.down_from - score

    def change(self, change: int) -> int:
        return change if self.down_from is None else -change
