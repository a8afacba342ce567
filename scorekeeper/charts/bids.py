"""Bids made and set, by size of bid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .chart import Chart, Table

TITLE = "Bids made and set"


class BidCount(NamedTuple):
    """How often a bid, as players say it, was made and was set."""

    bid: str
    made: int
    set: int


def made_and_set(bids: Sequence[BidCount], *, title: str = TITLE) -> Chart:
    """A bar a bid, in the order given."""
    return Chart(title, "No bid has been taken yet.", Table(("Bid", "Made", "Set", "Made of taken"), ()))
