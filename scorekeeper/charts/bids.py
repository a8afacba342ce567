"""Chart of bids made and set, by size of bid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from .drawing import (
    DOWN,
    WIDTH,
    Chart,
    Scale,
    Table,
    box,
    count_phrase,
    group,
    join_names,
    label,
    percent,
    plain,
    side_room,
    text_width,
)

TOP, ROW, BAR = 24, 28, 18
SHARE = 58  # the width of the last column
WIDEST = 150  # maximum width of the names of bids
MOST_ROWS = 24  # rows; with more bids, the most frequent are drawn


class BidCount(NamedTuple):
    """The number of times that a bid, in the words of players, was made and was set."""

    bid: str
    made: int
    set: int

    @property
    def taken(self) -> int:
        return self.made + self.set

    @property
    def share(self) -> str:
        return percent(self.made / self.taken) if self.taken else "–"


def made_and_set(bids: Sequence[BidCount]) -> Chart:
    """One bar per bid, in the given order: made filled, set hollow after it, and the counts beside them."""
    rows = [(plain(bid.bid), f"{bid.made:,}", f"{bid.set:,}", bid.share) for bid in bids]
    title, table = "Bids made and set", Table(("Bid", "Made", "Set", "Made %"), tuple(rows))
    if not any(bid.taken for bid in bids):
        return Chart(title, "No bids yet.", table)
    commonest = sorted(bids, key=lambda bid: -bid.taken)[:MOST_ROWS]
    drawn = list(_bids([bid for bid in bids if bid in commonest]))
    made, taken = sum(bid.made for bid in bids), sum(bid.taken for bid in bids)
    overall = BidCount("", made, taken - made).share
    most = max(bid.taken for bid in bids)
    top = [bid for bid in bids if bid.taken == most]
    how_often = {0: "never made", most: "always made"}.get(top[0].made, f"{top[0].share} made")
    each = " each" if len(top) > 1 else f", {how_often}"  # 2 (40 times, 75% made); 2 and 3 (40 times each)
    said = f"{join_names([plain(bid.bid) for bid in top])} ({count_phrase(most, 'time')}{each})"
    summary = f"{made:,} of {count_phrase(taken, 'bid')} made ({overall}). Most often bid: {said}."
    return Chart(title, summary, table, TOP + ROW * len(commonest), drawn)


def _bids(bids: Sequence[BidCount]) -> Iterator[Markup]:
    figures = max(text_width(f"{max(bid.made, bid.set):,}") for bid in bids)
    lost = WIDTH - SHARE  # right edge of the columns `set` and `made`
    made = lost - max(40.0, figures + 10)
    left = min(WIDEST, side_room(["bid", *(plain(bid.bid) for bid in bids)]))
    length = Scale(0, max(bid.taken for bid in bids), 0, made - 44 - left)
    yield label(0, 16, "bid", "tick")
    yield box(made - 46, 7, 9, 9, "made")
    yield label(made, 16, "made", "tick", at_end=True)
    yield box(lost - 32, 7.5, 8, 8, "set")
    yield label(lost, 16, "set", "tick", at_end=True)
    yield label(WIDTH, 16, "made %", "tick", at_end=True)
    for index, bid in enumerate(bids):
        top = TOP + ROW * index
        baseline, bar, full = top + ROW / 2 + DOWN, top + (ROW - BAR) / 2, length(bid.made)
        yield group(
            "row",
            label(0, baseline, bid.bid, "strong", room=left - 6, bold=True),
            *([box(left, bar, full, BAR, "made")] if bid.made else []),
            *([box(left + full + 0.5, bar + 0.5, max(length(bid.set) - 1, 1), BAR - 1, "set")] if bid.set else []),
            label(made, baseline, f"{bid.made:,}", at_end=True),
            label(lost, baseline, f"{bid.set:,}", at_end=True),
            label(WIDTH, baseline, bid.share, at_end=True),
        )
