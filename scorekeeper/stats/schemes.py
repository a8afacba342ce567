"""How a season's table is made: what a win is worth, who is credited with a game, and what breaks ties."""

from __future__ import annotations

from dataclasses import dataclass, fields

from scorekeeper.models import Json

from .counting import CREDITS, FINISHED

WINS, SHARE, POINTS, RATING, LADDER = BY = ("wins", "share", "points", "rating", "ladder")
HEAD_TO_HEAD, MARGIN, SETS = TIES = ("head-to-head", "margin", "sets")
INSERT, SWAP = CLIMBS = ("insert", "swap")  # what a win moves on a ladder
BY_NIGHTS = WINS, POINTS  # the orders by which a night has a worth of its own
ALWAYS_KEPT = "by", "least", "won", "shared", "lost"


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a season's table is made.

    `by` orders it. `wins`: games won, a tied one half. `share`: win %, after `least` games. `points`: so many for a
    game `won`, `shared`, `lost`. `rating`: the rating after the last game. `ties` break ties, in their order:
    head-to-head (games won against the others who are tied, less those lost to them), margin (the average of their own
    score less the best of the others'), sets (times set a game; fewer is better). `credit` says whom a game counts for
    when a seat had a substitute (see `credited` in stats.counting).

    `needed`: games needed for a place (not by win %). `best`: by wins or points, how many of a player's best nights
    count (0: all). `attended`: points for each night with a game played. With `pairs` the two players of a team of two
    are one entry of the table (see standings). With `own_rating` everybody begins the season as a newcomer, and is
    rated by its games alone.

    `ladder`: a win moves a player up to the rung of the best placed loser, and everybody in between down by one
    (`climb` "insert"), or the two trade rungs ("swap"). With `reach` nobody moves past more rungs than that. See
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
        """The scheme as a season keeps it; what older programs do not know only where it is not as usual."""
        kept = {name: getattr(self, name) for name in ALWAYS_KEPT} | {"ties": list(self.ties)}
        newer = {one.name: one.default for one in fields(self) if one.name not in kept}
        return kept | {name: value for name, usual in newer.items() if (value := getattr(self, name)) != usual}

    @property
    def by_nights(self) -> bool:
        """Whether the table counts what each night of a player's was worth, not the sums alone."""
        return (self.by in BY_NIGHTS and self.best > 0) or (self.by == POINTS and self.attended > 0)

    @property
    def is_of_pairs(self) -> bool:
        """Whether the entries of the table are pairs of players. There are no ratings of pairs."""
        return self.pairs and self.by != RATING

    @property
    def rates_alone(self) -> bool:
        """Whether the table goes by a rating that no other game has a part in."""
        return self.own_rating and self.by == RATING

    @classmethod
    def from_dict(cls, data: Json) -> Scheme:
        """The scheme as it was saved; what is missing has its default. Raises ValueError."""
        return cls(**{**data, "ties": tuple(data.get("ties", TIES))})
