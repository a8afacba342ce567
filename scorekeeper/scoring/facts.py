"""The facts of one hand, as a game record holds them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from .auction import Call
from .cards import Card, Suit
from .play import Trick
from .table import Seat, Unit

NOT_GIVEN: Any = object()  # a partner that the record does not mention; None means that the bidder plays alone
SideName = str | int  # a side, or a seat number for its side


class Adjustment(NamedTuple):
    """A change of one unit's score that the cards do not explain: points, never zero, and the reason in one line.

    `extra` keeps the `x-` keys of its record.

    >>> Adjustment("A", -2, "late").points
    -2
    """

    unit: Unit
    points: int
    reason: str
    extra: Mapping[str, object] = MappingProxyType({})


class Hand(NamedTuple):
    """The facts of one hand, as a game record holds them; all but the result of the auction are optional.

    At most one of `tricks`, `piles` and `claims` is given. A hand with none of them and no bidder was passed out, or
    not played where there is no bidding. `note` and `adjustments` may go with any hand.

    `turned_up` are the ranks of the cards that the dealer turned up for trump, in order ("x" if unknown); more cards
    were dealt before each but the first. `gift`: the dealer kept the trump and gave the beggar points.

    Cards are two characters, rank and suit ("TH"; the jokers "XR" and "XB"), seats from 1 in the order of play.

    >>> Hand(dealer=4, bidder=1, bid=2, trump="H", claims={"high": "A", "low": "B"}).trump
    'H'
    """

    dealer: Seat | None = None
    bids: tuple[Call, ...] | None = None
    bidder: Seat | None = None
    bid: int | None = None
    trump: Suit | None = None
    turned_up: tuple[str, ...] | None = None
    gift: bool | None = None
    misdeal: bool | None = None
    called: Card | None = None
    partner: Seat | None = NOT_GIVEN
    buried: tuple[Card, ...] | None = None
    tricks: tuple[Trick, ...] | None = None
    piles: Mapping[SideName, tuple[Card, ...]] | None = None
    claims: Mapping[str, SideName | None] | None = None
    game_counts: Mapping[SideName, int] | None = None
    low_by: SideName | None = None
    high_by: SideName | None = None
    played_by: Mapping[str, SideName] | None = None
    sweep: SideName | None = None
    tricks_won: Mapping[str, SideName] | None = None
    names: Mapping[Seat, str] | None = None
    note: str | None = None
    adjustments: tuple[Adjustment, ...] | None = None
    extra: Mapping[str, object] = MappingProxyType({})
