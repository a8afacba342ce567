"""How a game moves ratings, and what ratings say of a game to come: plain arithmetic, no database.

The model, how its numbers were fitted and what it was compared with are in `docs/ratings.md`. Updates use nothing but
sums, products, quotients and square roots, which every computer rounds alike: the same games give the same ratings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import NamedTuple

from .counts import PlayerId

# In units of 40 points (see numbers.MU_TIMES), so that a rating of 25 is shown as 1000.
START = 25.0  # a newcomer's rating
SPREAD = 1.875  # how far players of a club differ, as a standard deviation: 75 points
NOISE = 7.5  # how much luck is in the result of a game: 300 points
ERRORS = 3.2  # standard deviations in a margin: two are too few where players differ by more than SPREAD
DRIFT = 0.1125  # by how much somebody's play may change from one game to the next: 4.5 points
MARGINS = 1.1  # times the winning score, over the root of the number of sides: how far scores usually lie apart
MOST = 2.0  # times that: a larger margin says no more
WON = 0.5  # how much of a result is who won, not by how much
SHARES = (0.5, 1.0, 2.0)  # of what ratings say: by how much players may differ in truth
PROOF = 10.0  # so many times likelier results have to be, if players differ, before ratings foretell anything
ASSUMED = 20.0  # as so many results with the usual luck, until it is known how much luck a club's games have
SHARPNESS = sqrt(6) / 3.141592653589793  # of a logistic curve that is as wide as a normal one of width 1


class Rating(NamedTuple):
    """The strength that a player is thought to have, and one standard deviation of what is not known of it."""

    mu: float
    sigma: float

    @property
    def margin(self) -> float:
        """By how much the strength may lie above or below."""
        return ERRORS * self.sigma

    @property
    def safe(self) -> float:
        """What the strength is at least likely to be."""
        return self.mu - self.margin


def are_told_apart(one: Rating, other: Rating) -> bool:
    """Whether it is known which is stronger: two differ by two standard deviations of the difference."""
    apart = one.mu - other.mu
    return apart * apart > 4 * (one.sigma * one.sigma + other.sigma * other.sigma)


NEWCOMER = Rating(START, SPREAD)


class Side(NamedTuple):
    """A side of a game: the players credited with each of its seats, its score, and whether it won or shared."""

    seats: tuple[tuple[PlayerId, ...], ...]
    score: int
    won: bool


class Strength(NamedTuple):
    """The average of the seats of a side, and the variance of that."""

    mu: float
    variance: float


def rate_game(sides: Sequence[Side], before: Mapping[PlayerId, Rating]) -> dict[PlayerId, Rating]:
    """The ratings of the players of a game after it, from those before it; who has none is a newcomer."""
    seats = [[_seat([before.get(player, NEWCOMER) for player in seat]) for seat in side.seats] for side in sides]
    strengths = [_strength(side) for side in seats]
    results = results_of(sides)
    after: dict[PlayerId, Rating] = {}
    for number, side in enumerate(sides):
        others = strengths[:number] + strengths[number + 1 :]
        for place, players in enumerate(side.seats):
            for player in players:
                mine = _drifted(before.get(player, NEWCOMER)) if len(players) > 1 else seats[number][place]
                own = strengths[number] if len(players) == 1 else _strength(_with(seats[number], place, mine))
                after[player] = _moved(mine, len(side.seats), own, others, results[number])
    return after


def _drifted(rating: Rating) -> Rating:
    return Rating(rating.mu, sqrt(rating.sigma * rating.sigma + DRIFT * DRIFT))


def _seat(ratings: Sequence[Rating]) -> Rating:
    """How strong a seat is: that of its player, or the average of several."""
    if len(ratings) == 1:
        return _drifted(ratings[0])
    ratings = [_drifted(rating) for rating in ratings]
    return Rating(sum(one.mu for one in ratings) / len(ratings), sum(one.sigma for one in ratings) / len(ratings))


def _with(seats: Sequence[Rating], place: int, rating: Rating) -> list[Rating]:
    return [rating if number == place else seat for number, seat in enumerate(seats)]


def _strength(seats: Sequence[Rating]) -> Strength:
    count = len(seats)
    variance = sum(seat.sigma * seat.sigma for seat in seats) / (count * count)
    return Strength(sum(seat.mu for seat in seats) / count, variance)


def _moved(mine: Rating, seats: int, own: Strength, others: Sequence[Strength], result: float) -> Rating:
    """A rating after a game: moved towards the result, by as much as is not known of it."""
    count = len(others)
    edge = own.mu - sum(other.mu for other in others) / count
    around = own.variance + sum(other.variance for other in others) / (count * count)
    mine_in_it = mine.sigma * mine.sigma / seats
    gain = mine_in_it / (NOISE * NOISE + around)
    return Rating(mine.mu + gain * (NOISE * result - edge), sqrt(mine.sigma * mine.sigma - gain * mine_in_it))


def results_of(sides: Sequence[Side]) -> list[float]:
    """The result of each side, half who won and half by how much; 1 is a usual win of two."""
    count, winners = len(sides), sum(side.won for side in sides)
    unit = MARGINS * max(1, *(side.score for side in sides if side.won), 1) / sqrt(count)
    total = sum(side.score for side in sides)
    results = []
    for side in sides:
        margin = (side.score - (total - side.score) / (count - 1)) / unit
        share = (1 / winners if side.won else 0.0) if winners else 1 / count
        ended = (share - 1 / count) * count / sqrt(count - 1)
        results.append(WON * ended + (1 - WON) * min(MOST, max(-MOST, margin)))
    return results


# --- forecasts ----------------------------------------------------------------------------------------------------


@dataclass
class Trust:
    """How far a club's ratings may be trusted: what came of the edges that they gave, game by game.

    In a club whose players hardly differ, ratings differ by luck alone, and foretell nothing. So they are not trusted
    at all until results are PROOF times likelier if players differ, by one of the SHARES of what they are rated by; and
    no longer when results are no likelier.
    """

    evidence: list[float] = field(default_factory=lambda: [0.0] * len(SHARES))  # by share, if luck were as usual
    squares: float = ASSUMED  # of the results, those that follow from others left out
    free: float = ASSUMED  # how many results that are
    is_proven: bool = False

    def add(self, strengths: Sequence[float], results: Sequence[float]) -> None:
        """One game more: its sides' ratings before it, and their results."""
        own = len(results) - 1  # of so many sides one result follows from the others
        for place, share in enumerate(SHARES):
            foretold = [share * edge / NOISE for edge in edges(strengths)]
            likelier = sum(one * result - one * one / 2 for one, result in zip(foretold, results, strict=True))
            self.evidence[place] += likelier * own / len(results)
        self.squares += sum(result * result for result in results) * own / len(results)
        self.free += own
        likeliest, weights = self._weights()
        proof = likeliest + log(sum(weights) / len(weights))
        self.is_proven = proof >= (0.0 if self.is_proven else log(PROOF))

    def _weights(self) -> tuple[float, list[float]]:
        """The log of how much likelier results are by the likeliest of the SHARES, and each one's part of that.

        Results say more where they show less luck than usual.
        """
        luck = self.squares / self.free
        likeliest = max(self.evidence)
        return likeliest / luck, [exp((one - likeliest) / luck) for one in self.evidence]

    @property
    def share(self) -> float:
        """By how much of their difference ratings foretell: the average of the SHARES by how likely each is, or 0."""
        if not self.is_proven:
            return 0.0
        _, weights = self._weights()
        return sum(share * weight for share, weight in zip(SHARES, weights, strict=True)) / sum(weights)


def edges(strengths: Sequence[float]) -> list[float]:
    """How much stronger each side is than the others on average."""
    count, total = len(strengths), sum(strengths)
    return [own - (total - own) / (count - 1) for own in strengths]


def chances(strengths: Sequence[float], trust: float) -> list[float]:
    """Each side's chance to win, from the sides' average ratings."""
    count = len(strengths)
    width = SHARPNESS * NOISE * sqrt((count - 1) / count)
    highest = max(strengths)
    weights = [exp(trust * (own - highest) / width) for own in strengths]
    return [weight / sum(weights) for weight in weights]
