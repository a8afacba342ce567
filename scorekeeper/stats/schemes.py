"""How a season's table is made up: what is counted, and what decides between players who are level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WINS, SHARE, POINTS, RATING = BY = ("wins", "share", "points", "rating")
HEAD_TO_HEAD, MARGIN, SETS = TIES = ("head-to-head", "margin", "sets")


@dataclass(frozen=True, slots=True)
class Scheme:
    """By what a table is ordered.

    `wins`: games won, a shared one half. `share`: the same of the games played, from `least` games on. `points`: so
    many for a game `won`, `shared`, `lost`. `rating`: the rating after the last game. Players who are level are told
    apart by `ties` in their order: head-to-head (games won against the others who are level, less those lost to
    them), margin (the average of their own score less the best of the others'), sets (fewer a game).
    """

    by: str = WINS
    least: int = 5
    won: int = 2
    shared: int = 1
    lost: int = 0
    ties: tuple[str, ...] = TIES

    def __post_init__(self) -> None:
        if self.by not in BY or len(set(self.ties)) < len(self.ties) or not set(self.ties) <= set(TIES):
            raise ValueError(f"not a scheme: {self}")

    def to_dict(self) -> dict[str, Any]:
        names = "by", "least", "won", "shared", "lost"
        return {name: getattr(self, name) for name in names} | {"ties": list(self.ties)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scheme:
        """The scheme as it was kept; what is not said is as usual. Raises ValueError."""
        return cls(**{**data, "ties": tuple(data.get("ties", TIES))})
