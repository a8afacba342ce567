"""What a player's numbers say, from sums and details added up (see counting): exact, not rounded.

Every value comes with the number of hands, bids or games that it is made of. Few hands name no best and no worst, and
neither do players who cannot be told apart from the others (see leaders).
"""

from __future__ import annotations

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
    """So many games that all ended in the same way, from the game number `first` to `last`."""

    letter: str
    length: int
    first: int
    last: int


class Streaks(NamedTuple):
    """The longest of each kind (the latest of them, where some are as long), and the one that goes on."""

    won: Streak | None = None
    lost: Streak | None = None
    current: Streak | None = None


def streaks(games: Sequence[Game]) -> Streaks:
    """The streaks in a player's games, which are in the order in which they were played."""
    runs = (list(run) for _, run in groupby(games, key=lambda game: game[2]))
    found = [Streak(run[0][2], len(run), run[0][1], run[-1][1]) for run in runs]
    if not found:
        return Streaks()
    current = found[-1] if found[-1].letter in (WON, LOST) else None
    kinds = ([streak for streak in reversed(found) if streak.letter == letter] for letter in (WON, LOST))
    won, lost = (max(mine, key=attrgetter("length"), default=None) for mine in kinds)
    return Streaks(won, lost, current)


# --- averages that can be told apart ----------------------------------------------------------------------------------


LEAST_HANDS = 30  # together, before somebody is named the best or the worst
LEAST_BIDS = 20  # before a trump is named the favorite, or a bid the one that pays best
ERRORS = 2.5  # standard errors: of eight partners who do not differ, none is named in nineteen clubs of twenty
BY_LUCK = 0.05  # how often one of those who do not differ may be named
LEAST_VARIANCE = 1  # of a hand, in squared points: a few hands that came out alike prove little


class Ratio(NamedTuple):
    """So much over so many."""

    total: int
    of: int

    @property
    def value(self) -> Fraction | None:
        """None over none."""
        return Fraction(self.total, self.of) if self.of else None


class Estimate(NamedTuple):
    """An average as it is known: its mean, and the variance of that."""

    mean: float
    variance: float

    @property
    def margin(self) -> float:
        """By how much it may be off."""
        return ERRORS * sqrt(self.variance)

    def is_above(self, other: Estimate, errors: float) -> bool:
        """Whether it is higher by more than luck explains: by so many standard errors."""
        return self.mean - other.mean > errors * sqrt(self.variance + other.variance)


class Average(NamedTuple):
    """An average over some hands: their total, the total of their squares, how many; `least`: the variance of one."""

    total: float
    squares: float
    of: int
    least: float = LEAST_VARIANCE

    @property
    def mean(self) -> float:
        return self.total / self.of

    @property
    def margin(self) -> float:
        """By how much the average may be off."""
        return self.estimate().margin

    def estimate(self, sign: int = 1) -> Estimate:
        """What is known of it; with -1 of its opposite."""
        return Estimate(sign * self.mean, max(self.least, self.squares / self.of - self.mean**2) / self.of)


def errors_of(many: int) -> float:
    """The standard errors by which the best of so many has to stand out: the more they are, the luckier one of them."""
    return max(ERRORS, NormalDist().inv_cdf(1 - BY_LUCK / max(1, many)))


One = TypeVar("One")


def leaders(some: Sequence[One], average: Callable[[One], Average], *, lowest: bool = False) -> tuple[One, ...]:
    """Who is above all others together by more than luck explains, and who cannot be told apart from that one.

    Ordered by the safe end of the average: what it is at least (with `lowest`: at most). Empty where nobody stands out.
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
    """For each of two or more: all others as one."""
    total, squares, of, _ = map(sum, zip(*averages, strict=True))
    least, next_to_it = sorted(one.least for one in averages)[:2]
    return [
        Average(total - one.total, squares - one.squares, int(of) - one.of, next_to_it if one.least == least else least)
        for one in averages
    ]


class BidStats(NamedTuple):
    """The bids of one size, or in one trump; `worth` is what they changed the score by, all together."""

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
        """What one was worth on average."""
        return Fraction(self.total_worth, self.taken)

    @property
    def average(self) -> Average:
        return Average(self.total_worth, self.squares, self.taken)

    @property
    def is_few(self) -> bool:
        return self.taken < LEAST_BIDS


class Role(NamedTuple):
    """A player's hands as bidder, partner or defender: the points that the side took, what the score changed by."""

    name: str
    took: Ratio
    change: Ratio

    @property
    def hands(self) -> int:
        return self.took.of


class Point(NamedTuple):
    """A point of the game: hands in which the player's side got it, of those in which somebody did."""

    key: str
    got: Ratio


class Company(NamedTuple):
    """Somebody on the same side, or on another one: the hands together, their swing, the games and how they ended."""

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
        """The swing of a hand; where there is one."""
        return Average(self.swing, self.squares, self.hands)

    @property
    def a_hand(self) -> Fraction:
        """What a hand changed the player's own score by, less the best change of another side, on average."""
        return Fraction(self.swing, self.hands) if self.hands else Fraction(0)


class Extremes(NamedTuple):
    """Who stands out among those with hands enough: the `best` and the `worst` (see leaders), often nobody.

    `enough` are those compared, the highest average first; `nearest` is who has most hands, where nobody has enough.
    """

    best: tuple[Company, ...] = ()
    worst: tuple[Company, ...] = ()
    enough: tuple[Company, ...] = ()
    nearest: Company | None = None


class Profile(NamedTuple):
    """What a player's numbers say. Bids from the smallest up, trumps from the commonest down, company by hands."""

    sums: Mapping[str, int]
    bids: tuple[BidStats, ...]
    trumps: tuple[BidStats, ...]
    roles: tuple[Role, ...]
    points: tuple[Point, ...]
    partners: tuple[Company, ...]
    opponents: tuple[Company, ...]

    @property
    def hands(self) -> int:
        return self.sums.get("hands", 0)

    @property
    def had_bids(self) -> bool:
        """Whether somebody bid in any of the hands: there are games without bidding."""
        return any(role.hands for role in self.roles)

    @property
    def made(self) -> Ratio:
        """Bids made, of bids taken."""
        return Ratio(self.sums.get("made", 0), self.sums.get("bids", 0))

    @property
    def win_share(self) -> Fraction | None:
        """Games won, a tied one half, of the games played; None before the first."""
        games = self.sums.get("games", 0)
        return win_share(self.sums.get("won", 0), self.sums.get("shared", 0), games) if games else None

    @property
    def suffered(self) -> Ratio:
        """Hands in which the player's side was set, out of those in which it had the bid."""
        return Ratio(self.sums.get("sets", 0), sum(role.hands for role in self.roles if role.name != DEFENDER))

    @property
    def inflicted(self) -> Ratio:
        """Hands in which the others' bid was set, of those in which they had the bid."""
        return Ratio(self.sums.get("inflicted", 0), sum(role.hands for role in self.roles if role.name == DEFENDER))

    @property
    def favorites(self) -> tuple[BidStats, ...]:
        """The one or two trumps bid more often than the next by more than luck explains; empty before enough bids."""
        if sum(trump.taken for trump in self.trumps) < LEAST_BIDS:
            return ()
        taken = [*(trump.taken for trump in self.trumps), 0]
        for many in range(1, min(2, len(self.trumps)) + 1):
            last, following = taken[many - 1], taken[many]
            if last - following > ERRORS * sqrt(last + following):
                return self.trumps[:many]
        return ()


def profile(sums: Mapping[str, int], detail: Mapping[str, int]) -> Profile:
    """The profile of the player these sums and details belong to."""
    kinds, roles = by_kind(detail), []
    for role in HAND_ROLES:
        hands, took, change = (detail.get(f"{what}:{role}", 0) for what in ("hands", "took", "change"))
        roles.append(Role(role, Ratio(took, hands), Ratio(change, hands)))
    points = (Point(key, Ratio(counts.get("got", 0), counts.get("seen", 0))) for key, counts in kinds[POINT].items())
    return Profile(
        dict(sums),
        bids_of(detail),
        tuple(sorted(taken_by(kinds[TRUMP]), key=lambda trump: (-trump.taken, trump.name))),
        tuple(roles),
        tuple(points),
        _company(kinds[WITH]),
        _company(kinds[VS]),
    )


def bids_of(detail: Mapping[str, int]) -> tuple[BidStats, ...]:
    """How each size of bid has paid, the smallest first."""
    return tuple(sorted(taken_by(of_kind(detail, BID)), key=lambda bid: int(bid.name)))


def best_paying(bids: Iterable[BidStats]) -> tuple[BidStats, ...]:
    """The bids that are worth more than the others, of those that were taken often enough (see leaders)."""
    return leaders([bid for bid in bids if not bid.is_few], lambda bid: bid.average)


def extremes(company: Sequence[Company]) -> Extremes:
    """The best and the worst among those with hands enough."""
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


def _company(parts: Parts) -> tuple[Company, ...]:
    names = Company._fields[1:]
    company = [Company(int(player), *(counts.get(name, 0) for name in names)) for player, counts in parts.items()]
    return tuple(sorted(company, key=lambda one: (-one.hands, -one.games, one.player)))
