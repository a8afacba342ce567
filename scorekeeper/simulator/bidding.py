"""The auction: how much a hand is good for, and what is bid on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.auction import Auction
from scorekeeper.scoring.cards import SUITS, Card, Suit
from scorekeeper.scoring.hand import Contract, score_allows
from scorekeeper.scoring.rules.fields import Special
from scorekeeper.scoring.table import Seat, Table, Unit

from .card_values import Ground, ground_of
from .evaluation import Judged, chances, judge
from .player_style import PlayerStyle

SURE_ENOUGH = 0.66  # how likely a bid should be made
BOLD = 0.1  # how much of that a bold player waives
HASTE = 0.1  # and how much anybody does while somebody else is about to win
SPARING = 0.4  # how often a player who dares more bids one less
MISJUDGED = 1.6  # how far, in points, a player without any skill is off


class Prospect(NamedTuple):
    """A hand with its best suit as trump: `reach[n]` is how likely at least `n` points are taken."""

    suit: Suit
    judged: Judged
    reach: tuple[float, ...]


def prospect(table: Table, hand: Sequence[Card], trump: Suit | None = None) -> Prospect:
    """The suit in which a hand takes most, and how much that is likely to be; or in trump, where that is known."""
    if trump is not None:
        return _in_suit(ground_of(table, trump), hand)
    return max((_in_suit(ground_of(table, suit), hand) for suit in _suits(table, hand)), key=lambda p: sum(p.reach))


def _suits(table: Table, hand: Sequence[Card]) -> list[Suit]:
    """The suits that a bidder could make trump: those that could be led, or any where trump is named."""
    if table.rules.trump.by == "named" or any(card[0] == "X" for card in hand):
        return list(SUITS)
    return [suit for suit in SUITS if any(card[1] == suit for card in hand)]


def _in_suit(ground: Ground, hand: Sequence[Card]) -> Prospect:
    judged = judge(ground, hand)
    return Prospect(ground.trump.suit, judged, at_least(chances(judged)))


def at_least(points: Iterable[tuple[int, float]]) -> tuple[float, ...]:
    """From each point's worth and chance to the chance of taking at least 0, 1, 2, ... in all."""
    exactly = [1.0]
    for worth, chance in points:
        grown = [share * (1 - chance) for share in exactly] + [0.0] * worth
        for taken, share in enumerate(exactly):
            grown[taken + worth] += share * chance
        exactly = grown
    reach, total = [], 0.0
    for share in reversed(exactly):
        total += share
        reach.append(total)
    return tuple(reversed(reach))


class Bidder(NamedTuple):
    """A player in the auction.

    `needs`: how likely a bid has to be made to be dared; `off`: by how many points the hand is thought too good;
    `sparing`: whether the player bids one less than dared, where nobody has said anything yet.
    """

    prospect: Prospect
    needs: float
    off: float
    sparing: bool

    def dares(self, table: Table, bid: int) -> bool:
        """Whether the player would take the hand at that bid."""
        special = table.specials.get(bid)
        return (self._special(special) if special else self._reach(bid)) >= self.needs

    def _reach(self, bid: int) -> float:
        """The chance of taking that many points, as the player sees it; between whole numbers by a straight line."""
        reach = self.prospect.reach
        low = max(0.0, bid - self.off)
        below = int(low)
        if below + 1 >= len(reach):
            return reach[below] if below < len(reach) else 0.0
        return reach[below] + (low - below) * (reach[below + 1] - reach[below])

    def _special(self, special: Special) -> float:
        """The chance of taking everything: all points, and where it needs every trick, a hand that loses none."""
        judged, chance = self.prospect.judged, self.prospect.reach[-1]
        if special.needs_every_trick:
            tricks = judged.ground.table.hand
            mates = 0.0 if "every-trick-alone" in special.needs else judged.mates
            chance *= min(1.0, (judged.control + judged.aces) / tricks + mates) ** tricks
        return chance


def make_bidder(
    table: Table, hand: Sequence[Card], style: PlayerStyle, haste: bool, rng: Random, trump: Suit | None = None
) -> Bidder:
    """A player who has looked at the hand, and at trump where that was turned up."""
    off = rng.gauss(0, MISJUDGED) * (1 - style.skill)
    needs = SURE_ENOUGH - BOLD * style.boldness - HASTE * haste
    return Bidder(prospect(table, hand, trump), needs, off, rng.random() < SPARING)


def hold_auction(
    table: Table, bidders: Sequence[Bidder], dealer: Seat, totals: Mapping[Unit, int] | None = None
) -> Auction:
    """The whole auction; `bidders` in the order of the seats, `totals` the scores before the hand (zero)."""
    auction = Auction(table.rules.auction, table.players, dealer)
    while (seat := auction.to_speak) is not None and not auction.is_over:
        auction.call(_call(table, auction, seat, bidders[seat - 1], totals or table.at_zero))
    return auction


def _call(table: Table, auction: Auction, seat: Seat, bidder: Bidder, totals: Mapping[Unit, int]) -> int | None:
    legal = [
        bid for bid in auction.legal_bids(seat) if score_allows(table, auction.dealer, Contract(seat, bid), totals)
    ]
    daring = [bid for bid in legal if bidder.dares(table, bid)]
    if auction.high is not None and _same_side(table, seat, auction.high.seat):
        daring = [bid for bid in daring if auction.high.bid is not None and bid > auction.high.bid + 1]
    if not daring or (max(daring) == 0 and not auction.is_forced(seat)):
        return legal[0] if auction.is_forced(seat) else None
    if seat == auction.dealer or table.rules.auction.rounds != "single":
        return daring[0]
    return daring[-2] if bidder.sparing and len(daring) > 1 else daring[-1]


def _same_side(table: Table, seat: Seat, other: Seat) -> bool:
    return not table.changing_sides and table.unit_of[seat] == table.unit_of[other]
