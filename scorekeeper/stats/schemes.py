"""How a season's table is made: what a win is worth, who is credited with a game, and what breaks ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .credit import CREDITS, FINISHED

WINS, SHARE, POINTS, RATING = BY = ("wins", "share", "points", "rating")
HEAD_TO_HEAD, MARGIN, SETS = TIES = ("head-to-head", "margin", "sets")


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a season's table is made.

    `by` orders it. `wins`: games won, a tied one half. `share`: win %, after `least` games. `points`: so many for a
    game `won`, `shared`, `lost`. `rating`: the rating after the last game. `ties` break ties, in their order:
    head-to-head (games won against the others who are tied, less those lost to them), margin (the average of their own
    score less the best of the others'), sets (times set a game; fewer is better). `credit` says whom a game counts for
    when a seat had a substitute (see stats.credit).
    """

    by: str = WINS
    least: int = 5
    won: int = 2
    shared: int = 1
    lost: int = 0
    ties: tuple[str, ...] = TIES
    credit: str = FINISHED

    def __post_init__(self) -> None:
        ties_are_known = len(set(self.ties)) == len(self.ties) and set(self.ties) <= set(TIES)
        if self.by not in BY or not ties_are_known or self.credit not in CREDITS:
            raise ValueError(f"not a scheme: {self}")

    def to_dict(self) -> dict[str, Any]:
        """The scheme as a season keeps it; `credit` only where it is not as usual, as older programs do not know it."""
        names = "by", "least", "won", "shared", "lost"
        kept = {name: getattr(self, name) for name in names} | {"ties": list(self.ties)}
        return kept if self.credit == FINISHED else kept | {"credit": self.credit}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scheme:
        """The scheme as it was saved; what is missing has its default. Raises ValueError."""
        return cls(**{**data, "ties": tuple(data.get("ties", TIES))})
