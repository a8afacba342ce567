"""One hand as the JSON of its record. Separate from facts.py, so that `scorekeeper score` starts without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict, cast

from .cards import Card, Suit
from .facts import SideName
from .table import Seat, Unit


class CallFacts(TypedDict):
    """One seat's bid: a number, the name of a special bid, or "pass"."""

    seat: Seat
    bid: int | str


class TrickFacts(TypedDict, total=False):
    """One trick of a record; only `cards` is required."""

    lead: Seat
    cards: list[Card]
    seats: list[Seat]
    won: Seat


class AdjustmentFacts(TypedDict):
    unit: Unit
    points: int
    reason: str


class Facts(TypedDict, total=False):
    """One hand as the JSON of its record, for `read_hand` and `write_hand`. Other keys begin with `x-`.

    >>> Facts(dealer=4, bidder=1, bid=2)
    {'dealer': 4, 'bidder': 1, 'bid': 2}
    """

    dealer: Seat
    bids: list[CallFacts]
    bidder: Seat
    bid: int | str
    trump: Suit
    turned_up: str | list[str]
    gift: bool
    misdeal: bool
    called: Card
    partner: Seat | None
    buried: list[Card]
    tricks: list[TrickFacts]
    piles: dict[str, list[Card]]
    claims: dict[str, SideName | None]
    game_counts: dict[str, int]
    low_by: SideName
    high_by: SideName
    played_by: dict[str, SideName]
    sweep: SideName
    tricks_won: dict[str, SideName]
    names: Mapping[str, str]
    note: str
    adjustments: list[AdjustmentFacts]


NOTED = ("note", "adjustments")  # notes about a hand, not facts of it


def facts_where(facts: Mapping[str, object], test: Callable[[str, object], bool]) -> Facts:
    """The facts whose key and value pass the test."""
    return cast("Facts", {key: value for key, value in facts.items() if test(key, value)})
