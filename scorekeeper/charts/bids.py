"""Bids made and set, by size of bid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import svg

from .chart import Chart, Table
from .frame import DOWN, counted, joined, side_room
from .ink import WIDTH, Anchor, box, group, label, plain, text_width
from .scale import Scale, percent

TOP, ROW, BAR = 24, 28, 18
SHARE = 58  # the width of the last column
WIDEST = 150  # the most room that the names of bids take from the bars
MOST = 24  # rows; of more bids the commonest are drawn
TITLE = "Bids made and set"


class BidCount(NamedTuple):
    """How often a bid, as players say it, was made and was set."""

    bid: str
    made: int
    set: int

    @property
    def taken(self) -> int:
        return self.made + self.set

    @property
    def share(self) -> str:
        return f"{percent(self.made / self.taken)}%" if self.taken else "–"


def made_and_set(bids: Sequence[BidCount], *, title: str = TITLE) -> Chart:
    """A bar a bid, in the order given: made in full, set hollow behind it, and the counts beside them."""
    if not any(bid.taken for bid in bids):
        return Chart(title, "No bids yet.", _table(bids))
    shown = _commonest(bids)
    height = TOP + ROW * len(shown)
    return Chart(title, _summary(bids), _table(bids), height, tuple(_elements(shown)))


def _commonest(bids: Sequence[BidCount]) -> list[BidCount]:
    kept = sorted(range(len(bids)), key=lambda index: (-bids[index].taken, index))[:MOST]
    return [bids[index] for index in sorted(kept)]


def _elements(bids: Sequence[BidCount]) -> list[svg.Element]:
    columns = _columns(bids)
    left = min(WIDEST, side_room(["bid", *(plain(bid.bid) for bid in bids)]))
    length = Scale(0, max(bid.taken for bid in bids), 0, columns[0] - 44 - left)
    rows = [_row(bid, TOP + ROW * index, left, length, columns) for index, bid in enumerate(bids)]
    return [*_heads(columns), *rows]


def _columns(bids: Sequence[BidCount]) -> tuple[float, float, float]:
    """Where the columns of made, set and made % end."""
    figures = max(text_width(f"{max(bid.made, bid.set):,}") for bid in bids)
    width = max(40.0, figures + 10)
    return WIDTH - width - SHARE, WIDTH - SHARE, WIDTH


def _heads(columns: tuple[float, float, float]) -> list[svg.Element]:
    made, lost, share = columns
    right: Anchor = "end"
    return [
        label(0, 16, "bid", "tick"),
        box(made - 46, 7, 9, 9, "made"),
        label(made, 16, "made", "tick", anchor=right),
        box(lost - 32, 7.5, 8, 8, "set"),
        label(lost, 16, "set", "tick", anchor=right),
        label(share, 16, "made %", "tick", anchor=right),
    ]


def _row(bid: BidCount, top: float, left: float, length: Scale, columns: tuple[float, float, float]) -> svg.G:
    made, lost, share = columns
    baseline = top + ROW / 2 + DOWN
    figures = (f"{bid.made:,}", f"{bid.set:,}", bid.share)
    return group(
        "row",
        label(0, baseline, bid.bid, "strong", room=left - 6, bold=True),
        *_bar(bid, left, top + (ROW - BAR) / 2, length),
        *(label(x, baseline, text, anchor="end") for x, text in zip((made, lost, share), figures, strict=True)),
    )


def _bar(bid: BidCount, left: float, top: float, length: Scale) -> list[svg.Element]:
    made, lost = length(bid.made), length(bid.set)
    full = [box(left, top, made, BAR, "made")] if bid.made else []
    hollow = [box(left + made + 0.5, top + 0.5, max(lost - 1, 1), BAR - 1, "set")] if bid.set else []
    return [*full, *hollow]


def _summary(bids: Sequence[BidCount]) -> str:
    made, taken = sum(bid.made for bid in bids), sum(bid.taken for bid in bids)
    overall = BidCount("", made, taken - made).share
    return f"{made:,} of {counted(taken, 'bid')} made ({overall}). Most often bid: {_most_often(bids)}."


def _most_often(bids: Sequence[BidCount]) -> str:
    """2, 40 times, 75% made; 2 and 3, 40 times each."""
    most = max(bid.taken for bid in bids)
    common = [bid for bid in bids if bid.taken == most]
    said = f"{joined([plain(bid.bid) for bid in common])}, {counted(most, 'time')}"
    return f"{said}, {common[0].share} made" if len(common) == 1 else f"{said} each"


def _table(bids: Sequence[BidCount]) -> Table:
    rows = [(plain(bid.bid), f"{bid.made:,}", f"{bid.set:,}", bid.share) for bid in bids]
    return Table(("Bid", "Made", "Set", "Made %"), tuple(rows))
