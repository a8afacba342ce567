"""A season's scheme for its table: the worth of a win, who is credited with a game, and the tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scorekeeper.models import Json

from .counting import CREDITS, FINISHED

WINS, SHARE, TOTAL, POINTS, RATING, LADDER = BY = ("wins", "share", "total", "points", "rating", "ladder")
HEAD_TO_HEAD, MARGIN, SETS = TIES = ("head-to-head", "margin", "sets")
INSERT, SWAP = CLIMBS = ("insert", "swap")  # the effect of a win on a ladder
IN_POINTS = TOTAL, POINTS  # bonus points are added to these
BY_NIGHTS = WINS, *IN_POINTS  # the orders in which each night has a worth
ALWAYS_KEPT = "by", "least", "won", "shared", "lost"


@dataclass(frozen=True, slots=True)
class Scheme:
    """The rules for a season's table.

    `by` orders it. `wins`: games won, a tied one half. `share`: win %, after `least` games. `total`: the sum of the
    scores of all games. `points`: points for each game `won`, `shared`, `lost`. `rating`: the rating after the last
    game. `ties` break ties, in their order: head-to-head (games won against the others who are tied, minus those lost
    to them), margin (average of the own score minus the best of the others), sets (times set per game; fewer is
    better). `credit` says whom a game counts for when a seat had a substitute (see `credited` in stats.counting).

    `needed`: games needed for a place (not by win %). `best`: by wins, total or points, how many of a player's best
    nights count (0: all). `attended`: by points, those for each night with a game played. With `pairs` the two players
    of a team of two are one entry of the table (see standings). With `own_rating` all players begin the season as
    newcomers, and are rated by its games alone.

    `ladder`: a win moves a player up to the rung of the best placed loser, and all in between down by one (`climb`
    "insert"), or the two trade rungs ("swap"). `reach` limits the number of rungs of a move; 0 does not. See
    stats.standings.
    """

    by: str = WINS
    least: int = 5
    won: int = 2
    shared: int = 1
    lost: int = 0
    ties: tuple[str, ...] = TIES
    credit: str = FINISHED
    needed: int = 1
    best: int = 0
    attended: int = 0
    pairs: bool = False
    own_rating: bool = False
    climb: str = INSERT
    reach: int = 0

    def __post_init__(self) -> None:
        ties_are_known = len(set(self.ties)) == len(self.ties) and set(self.ties) <= set(TIES)
        is_known = self.by in BY and self.credit in CREDITS and self.climb in CLIMBS
        if not is_known or not ties_are_known:
            raise ValueError(f"not a scheme: {self}")

    def to_dict(self) -> Json:
        """Serialize for `Season.settings`; settings of later versions are omitted while they have their default."""
        kept = {name: getattr(self, name) for name in ALWAYS_KEPT} | {"ties": list(self.ties)}
        newer = {one.name: one.default for one in fields(self) if one.name not in kept}
        return kept | {name: value for name, usual in newer.items() if (value := getattr(self, name)) != usual}

    @property
    def by_nights(self) -> bool:
        """True if the table counts the worth of each night, not only sums."""
        return (self.by in BY_NIGHTS and self.best > 0) or (self.by == POINTS and self.attended > 0)

    @property
    def is_of_pairs(self) -> bool:
        """True if the entries of the table are pairs of players. Pairs have no ratings."""
        return self.pairs and self.by != RATING

    @property
    def rates_alone(self) -> bool:
        """True if the table is ordered by a rating that depends on no other games."""
        return self.own_rating and self.by == RATING

    def worth(self, sums: Mapping[str, int]) -> float:
        """What games are worth by wins, total or points, from the sums of their results."""
        if self.by == TOTAL:
            return sums["points_for"]
        if self.by == POINTS:
            return sums["won"] * self.won + sums["shared"] * self.shared + sums["lost"] * self.lost
        return sums["won"] + sums["shared"] / 2

    @classmethod
    def from_dict(cls, data: Json) -> Scheme:
        """Parse stored settings; missing ones have their default. Raises ValueError."""
        return cls(**{**data, "ties": tuple(data.get("ties", TIES))})
