"""The chance to win, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .chart import Chart, Table
from .ink import plain

TITLE = "Chance to win"


class Chance(NamedTuple):
    """One team's or player's chance to win, from 0 to 1: before the first hand, then after each."""

    name: str
    values: Sequence[float]


def win_chance(units: Sequence[Chance], *, title: str = TITLE) -> Chart:
    """Two units as one line around even, up to six as a line each."""
    return Chart(title, "No hand has been played yet.", Table(("Hand", *(plain(unit.name) for unit in units)), ()))
