"""A player's profile, computed exactly, without rounding, from summed counts and details (see counting).

Every value comes with its number of hands, bids or games. With few hands no best or worst is named, nor if players
cannot be distinguished from the others (see leaders).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from math import sqrt
from operator import attrgetter
from statistics import NormalDist
from typing import NamedTuple, TypeVar

from .counting import BID, DEFENDER, HAND_ROLES, POINT, TRUMP, VS, WITH, Parts, PlayerId, by_kind, of_kind, win_share

# --- streaks ----------------------------------------------------------------------------------------------------------


WON, LOST = "W", "L"
Game = tuple[date, int, str]


class Streak(NamedTuple):
    """Consecutive games with the same result, from game number `first` to `last`."""

    letter: str
    length: int
    first: int
    last: int


class Streaks(NamedTuple):
    """The longest streak of each kind (the latest of equals), and the current one."""

    won: Streak | None = None
    lost: Streak | None = None
    current: Streak | None = None


def streaks(games: Sequence[Game]) -> Streaks:
    """The streaks in a player's games, given in the order in which they were played."""
    runs = (list(run) for _, run in groupby(games, key=lambda game: game[2]))
    found = [Streak(run[0][2], len(run), run[0][1], run[-1][1]) for run in runs]
    if not found:
        return Streaks()
    current = found[-1] if found[-1].letter in (WON, LOST) else None
    kinds = ([streak for streak in reversed(found) if streak.letter == letter] for letter in (WON, LOST))
    won, lost = (max(mine, key=attrgetter("length"), default=None) for mine in kinds)
    return Streaks(won, lost, current)


# --- averages and their significance ----------------------------------------------------------------------------------


LEAST_HANDS = 30  # hands together before a player is named the best or the worst
LEAST_BIDS = 20  # bids before a trump is named the favorite, or a bid the best paying
ERRORS = 2.5  # standard errors: with eight partners who do not differ, none is named in 19 of 20 clubs
BY_LUCK = 0.05  # probability of naming one of several who do not differ
LEAST_VARIANCE = 1  # of a hand, in squared points: a few equal hands are weak evidence


class Ratio(NamedTuple):
    """A sum and its count."""

    total: int
    of: int

    @property
    def value(self) -> Fraction | None:
        """None for a count of 0."""
        return Fraction(self.total, self.of) if self.of else None


class Estimate(NamedTuple):
    """An estimated average: its mean, and the variance of the mean."""

    mean: float
    variance: float

    @property
    def margin(self) -> float:
        """The half-width of its error interval."""
        return ERRORS * sqrt(self.variance)

    def is_above(self, other: Estimate, errors: float) -> bool:
        """True if it is significantly higher, by `errors` standard errors."""
        return self.mean - other.mean > errors * sqrt(self.variance + other.variance)


class Average(NamedTuple):
    """An average over hands: their sum, the sum of squares, the count; `least` is the minimum variance of one."""

    total: float
    squares: float
    of: int
    least: float = LEAST_VARIANCE

    @property
    def mean(self) -> float:
        return self.total / self.of

    @property
    def margin(self) -> float:
        """The half-width of its error interval."""
        return self.estimate().margin

    def estimate(self, sign: int = 1) -> Estimate:
        """The estimate of the average; of its negative with `sign` -1."""
        return Estimate(sign * self.mean, max(self.least, self.squares / self.of - self.mean**2) / self.of)


def errors_of(many: int) -> float:
    """Standard errors by which the best of `many` has to stand out: more candidates need more, as one may be lucky."""
    return max(ERRORS, NormalDist().inv_cdf(1 - BY_LUCK / max(1, many)))


One = TypeVar("One")


def leaders(some: Sequence[One], average: Callable[[One], Average], *, lowest: bool = False) -> tuple[One, ...]:
    """Those who are significantly above all others together, and not significantly below the first of them.

    Ordered by the lower end of the interval (with `lowest`: the upper end). Empty if none stands out.
    """
    if len(some) < 2:
        return ()
    sign, errors = -1 if lowest else 1, errors_of(len(some))
    averages = [average(one) for one in some]
    known, others = ([one.estimate(sign) for one in each] for each in (averages, _others(averages)))
    above = [place for place, (one, other) in enumerate(zip(known, others, strict=True)) if one.is_above(other, errors)]
    above.sort(key=lambda place: known[place].margin - known[place].mean)
    return tuple(some[place] for place in above if not known[above[0]].is_above(known[place], errors))


def _others(averages: Sequence[Average]) -> list[Average]:
    """For each of two or more averages, all others combined."""
    total, squares, of, _ = map(sum, zip(*averages, strict=True))
    least, next_to_it = sorted(one.least for one in averages)[:2]
    return [
        Average(total - one.total, squares - one.squares, int(of) - one.of, next_to_it if one.least == least else least)
        for one in averages
    ]


class BidStats(NamedTuple):
    """Bids of one size, or in one trump; `total_worth` is the sum of their changes of the score."""

    name: str
    taken: int
    made: int
    total_worth: int
    squares: int = 0

    @property
    def set(self) -> int:
        return self.taken - self.made

    @property
    def share(self) -> Fraction:
        return Fraction(self.made, self.taken)

    @property
    def worth(self) -> Fraction:
        """The average worth of a bid."""
        return Fraction(self.total_worth, self.taken)

    @property
    def average(self) -> Average:
        return Average(self.total_worth, self.squares, self.taken)

    @property
    def is_few(self) -> bool:
        return self.taken < LEAST_BIDS


class Role(NamedTuple):
    """A player's hands as bidder, partner or defender: the points the side took, and the change of the score."""

    name: str
    took: Ratio
    change: Ratio

    @property
    def hands(self) -> int:
        return self.took.of


class Point(NamedTuple):
    """A point of the game: hands in which the player's side got it, of those in which any side did."""

    key: str
    got: Ratio


class CoPlayer(NamedTuple):
    """Another player on the same side, or on another: shared hands and their swing, shared games and their results.

    The results are those of the player whose company this is; games include forfeits.
    """

    player: PlayerId
    hands: int
    swing: int
    games: int
    won: int
    shared: int
    lost: int
    squares: int = 0

    @property
    def average(self) -> Average:
        """The swing per hand; requires a hand."""
        return Average(self.swing, self.squares, self.hands)

    @property
    def a_hand(self) -> Fraction:
        """Average over hands of the player's own score change, minus the best change of another side."""
        return Fraction(self.swing, self.hands) if self.hands else Fraction(0)

    @property
    def share(self) -> Fraction:
        return win_share(self.won, self.shared, self.games)


class Extremes(NamedTuple):
    """The `best` and the `worst` among those with enough hands (see leaders), often empty.

    `enough` are those compared, highest average first; `nearest` has the most hands, if none has enough.
    """

    best: tuple[CoPlayer, ...] = ()
    worst: tuple[CoPlayer, ...] = ()
    enough: tuple[CoPlayer, ...] = ()
    nearest: CoPlayer | None = None


class Profile(NamedTuple):
    """A player's profile. Bids in ascending order, trumps by frequency, company by number of hands."""

    sums: Counter[str]
    bids: tuple[BidStats, ...]
    trumps: tuple[BidStats, ...]
    roles: tuple[Role, ...]
    points: tuple[Point, ...]
    partners: tuple[CoPlayer, ...]
    opponents: tuple[CoPlayer, ...]

    @property
    def hands(self) -> int:
        return self.sums["hands"]

    @property
    def had_bids(self) -> bool:
        """True if any of the hands had a bid: there are games without bidding."""
        return any(role.hands for role in self.roles)

    @property
    def made(self) -> Ratio:
        """Bids made, of bids taken."""
        return Ratio(self.sums["made"], self.sums["bids"])

    @property
    def suffered(self) -> Ratio:
        """Hands in which the player's side was set, of those in which it had the bid."""
        return Ratio(self.sums["sets"], sum(role.hands for role in self.roles if role.name != DEFENDER))

    @property
    def inflicted(self) -> Ratio:
        """Hands in which another side's bid was set, of those in which it had the bid."""
        return Ratio(self.sums["inflicted"], sum(role.hands for role in self.roles if role.name == DEFENDER))

    @property
    def favorites(self) -> tuple[BidStats, ...]:
        """The one or two trumps bid significantly more often than the next; empty with few bids."""
        if sum(trump.taken for trump in self.trumps) < LEAST_BIDS:
            return ()
        taken = [*(trump.taken for trump in self.trumps), 0]
        for many in range(1, min(2, len(self.trumps)) + 1):
            last, following = taken[many - 1], taken[many]
            if last - following > ERRORS * sqrt(last + following):
                return self.trumps[:many]
        return ()


def profile(sums: Mapping[str, int], detail: Mapping[str, int]) -> Profile:
    """The profile for the sums and details of a player."""
    kinds, roles = by_kind(detail), []
    for role in HAND_ROLES:
        hands, took, change = (detail.get(f"{what}:{role}", 0) for what in ("hands", "took", "change"))
        roles.append(Role(role, Ratio(took, hands), Ratio(change, hands)))
    points = (Point(key, Ratio(counts.get("got", 0), counts.get("seen", 0))) for key, counts in kinds[POINT].items())
    return Profile(
        Counter(sums),
        bids_of(detail),
        tuple(sorted(taken_by(kinds[TRUMP]), key=lambda trump: (-trump.taken, trump.name))),
        tuple(roles),
        tuple(points),
        company_of(kinds[WITH]),
        company_of(kinds[VS]),
    )


def bids_of(detail: Mapping[str, int]) -> tuple[BidStats, ...]:
    """The results of each size of bid, in ascending order."""
    return tuple(sorted(taken_by(of_kind(detail, BID)), key=lambda bid: int(bid.name)))


def best_paying(bids: Iterable[BidStats]) -> tuple[BidStats, ...]:
    """The bids that are worth significantly more than the others, of those taken often enough (see leaders)."""
    return leaders([bid for bid in bids if not bid.is_few], lambda bid: bid.average)


def extremes(company: Sequence[CoPlayer]) -> Extremes:
    """The best and the worst of those with enough hands."""
    enough = sorted((one for one in company if one.hands >= LEAST_HANDS), key=lambda one: -one.average.mean)
    if not enough:
        nearest = max(company, key=lambda one: one.hands, default=None)
        return Extremes(nearest=nearest if nearest and nearest.hands else None)
    best, worst = (leaders(enough, lambda one: one.average, lowest=lowest) for lowest in (False, True))
    return Extremes(best, worst, tuple(enough))


# --- reading details ----------------------------------------------------------------------------------------------


def taken_by(parts: Parts) -> list[BidStats]:
    return [
        BidStats(name, counts["taken"], *(counts.get(what, 0) for what in ("made", "worth", "squares")))
        for name, counts in parts.items()
        if counts.get("taken")
    ]


def company_of(parts: Parts) -> tuple[CoPlayer, ...]:
    """The partners, or the opponents, in details of the kind WITH or VS, by number of hands."""
    names = CoPlayer._fields[1:]
    company = [CoPlayer(int(player), *(counts.get(name, 0) for name in names)) for player, counts in parts.items()]
    return tuple(sorted(company, key=lambda one: (-one.hands, -one.games, one.player)))
