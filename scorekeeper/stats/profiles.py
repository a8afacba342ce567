"""What a player's numbers say, from sums and details added up (see counts): exact, nothing rounded, nothing fetched.

Every value comes with the number of hands, bids or games that it is made of, and nobody is named from too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from .counts import DEFENDER, ROLES, PlayerId, win_share
from .detail import BID, POINT, TRUMP, VS, WITH, Parts, of_kind

LEAST_HANDS = 30  # together, before somebody is named the best or the worst
LEAST_BIDS = 20  # before a trump is named the favorite, or a bid the one that pays best


class Ratio(NamedTuple):
    """So much over so many."""

    total: int
    of: int

    @property
    def value(self) -> Fraction | None:
        """None over none."""
        return Fraction(self.total, self.of) if self.of else None


@dataclass(frozen=True, slots=True)
class Taken:
    """The bids of one size, or in one trump; `worth` is what they changed the score by, all together."""

    name: str
    taken: int
    made: int
    total_worth: int

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
    def is_few(self) -> bool:
        return self.taken < LEAST_BIDS


@dataclass(frozen=True, slots=True)
class Role:
    """A player's hands as bidder, partner or defender: the points that the side took, what the score changed by."""

    name: str
    took: Ratio
    change: Ratio

    @property
    def hands(self) -> int:
        return self.took.of


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the game: hands in which the player's side got it, of those in which somebody did."""

    key: str
    got: Ratio


@dataclass(frozen=True, slots=True)
class Company:
    """Somebody on the same side, or on another one: the hands together, their swing, the games and how they ended."""

    player: PlayerId
    hands: int
    swing: int
    games: int
    won: int
    shared: int
    lost: int

    @property
    def a_hand(self) -> Fraction:
        """What a hand changed the player's own score by, less the best change of another side, on average."""
        return Fraction(self.swing, self.hands) if self.hands else Fraction(0)


@dataclass(frozen=True)
class Extremes:
    """Who stands out among those with hands enough; several if they are tied, `worst` empty where all are.

    `nearest` is who has the most hands, where nobody has enough.
    """

    best: tuple[Company, ...] = ()
    worst: tuple[Company, ...] = ()
    nearest: Company | None = None


@dataclass(frozen=True)
class Profile:
    """What a player's numbers say. Bids from the smallest up, trumps from the commonest down, company by hands."""

    sums: Mapping[str, int]
    bids: tuple[Taken, ...]
    trumps: tuple[Taken, ...]
    roles: tuple[Role, ...]
    points: tuple[Point, ...]
    partners: tuple[Company, ...]
    opponents: tuple[Company, ...]

    @property
    def hands(self) -> int:
        return self.sums.get("hands", 0)

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
    def favorites(self) -> tuple[Taken, ...]:
        """The trump bid most often, several where they are level; empty before enough bids."""
        if sum(trump.taken for trump in self.trumps) < LEAST_BIDS:
            return ()
        most = max(trump.taken for trump in self.trumps)
        return tuple(trump for trump in self.trumps if trump.taken == most)


def profile(sums: Mapping[str, int], detail: Mapping[str, int]) -> Profile:
    """The profile of the player these sums and details belong to."""
    trumps = sorted(taken_by(of_kind(detail, TRUMP)), key=lambda trump: (-trump.taken, trump.name))
    return Profile(
        sums=dict(sums),
        bids=bids_of(detail),
        trumps=tuple(trumps),
        roles=tuple(_role(role, detail) for role in ROLES),
        points=tuple(_point(key, counts) for key, counts in of_kind(detail, POINT).items()),
        partners=_company(of_kind(detail, WITH)),
        opponents=_company(of_kind(detail, VS)),
    )


def bids_of(detail: Mapping[str, int]) -> tuple[Taken, ...]:
    """How each size of bid has paid, the smallest first."""
    return tuple(sorted(taken_by(of_kind(detail, BID)), key=lambda bid: int(bid.name)))


def best_paying(bids: Iterable[Taken]) -> tuple[Taken, ...]:
    """The bids worth most on average, of those that were taken often enough."""
    enough = [bid for bid in bids if not bid.is_few]
    most = max((bid.worth for bid in enough), default=None)
    return tuple(bid for bid in enough if bid.worth == most)


def extremes(company: Sequence[Company], least: int = LEAST_HANDS) -> Extremes:
    """The best and the worst among those with at least that many hands."""
    enough = [one for one in company if one.hands >= least]
    if not enough:
        nearest = max(company, key=lambda one: one.hands, default=None)
        return Extremes(nearest=nearest if nearest and nearest.hands else None)
    highest, lowest = max(one.a_hand for one in enough), min(one.a_hand for one in enough)
    best = tuple(one for one in enough if one.a_hand == highest)
    return Extremes(best, tuple(one for one in enough if one.a_hand == lowest) if lowest < highest else ())


# --- reading details ----------------------------------------------------------------------------------------------


def taken_by(parts: Parts) -> list[Taken]:
    return [
        Taken(name, counts["taken"], counts.get("made", 0), counts.get("worth", 0))
        for name, counts in parts.items()
        if counts.get("taken")
    ]


def _role(role: str, detail: Mapping[str, int]) -> Role:
    hands, took, change = (detail.get(f"{what}:{role}", 0) for what in ("hands", "took", "change"))
    return Role(role, Ratio(took, hands), Ratio(change, hands))


def _point(key: str, counts: Mapping[str, int]) -> Point:
    return Point(key, Ratio(counts.get("got", 0), counts.get("seen", 0)))


def _company(parts: Parts) -> tuple[Company, ...]:
    names = ("hands", "swing", "games", "won", "shared", "lost")
    company = [Company(int(player), *(counts.get(name, 0) for name in names)) for player, counts in parts.items()]
    return tuple(sorted(company, key=lambda one: (-one.hands, -one.games, one.player)))
