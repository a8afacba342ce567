"""The standings over a season, as a bump chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import svg

from .chart import Chart, Table
from .frame import DOWN, End, Plot, called, counted, css_of, end_room, ended, ends, joined, night_axis, side_room
from .ink import WIDTH, Point, dot, group, label, plain, stroke, trace

TOP = 14
ALL = 15  # so many players are named all; of more, the first few
FIRST = 4
TITLE = "Standings over the season"


class Places(NamedTuple):
    """One player's place after each night; None while there is none."""

    name: str
    places: Sequence[int | None]

    @property
    def known(self) -> list[tuple[int, int]]:
        return [(night, place) for night, place in enumerate(self.places) if place is not None]

    @property
    def last(self) -> int:
        return next(place for place in reversed(self.places) if place is not None)


def standings_over_time(
    nights: Sequence[str],
    players: Sequence[Places],
    *,
    chosen: int | None = None,
    tones: Sequence[str] = (),
    title: str = TITLE,
) -> Chart:
    """A line a player; with more than 15 the first four and `chosen` (an index into `players`) are named.

    `tones` are the names of those who have a color and a dash of their own on the page, in the order of these.
    """
    table = _table(nights, players)
    picked = players[chosen] if chosen is not None and players[chosen].known else None
    placed = by_place(players)
    if not placed:
        return Chart(title, "No games yet.", table)
    drawing = _Drawing(nights, placed, picked, tones or [player.name for player in placed])
    return Chart(title, _summary(nights[-1], placed, picked), table, drawing.height, tuple(drawing.elements()), "place")


def by_place(players: Sequence[Places]) -> list[Places]:
    """Who has had a place: first those who have one now, each by the last one."""
    return sorted((player for player in players if player.known), key=lambda player: (_gone(player), player.last))


def _gone(player: Places) -> bool:
    """Whether somebody is no longer in the standings after the last night."""
    return player.places[-1] is None


class _Drawing:
    def __init__(
        self, nights: Sequence[str], placed: Sequence[Places], picked: Places | None, tones: Sequence[str]
    ) -> None:
        self.nights, self.picked, self.tones = nights, picked, tones
        self.named = [player for player in placed if self._is_named(player, placed)]
        self.others = [player for player in placed if not self._is_named(player, placed)]
        self.deepest = max(place for player in placed for _, place in player.known)
        gap = 18 if self.deepest <= ALL else max(7, 270 / self.deepest)
        bottom = TOP + max(self.deepest - 1, len(self.named) * 15 / gap) * gap
        self.height = bottom + 34
        self.scale = Plot(0, 0, bottom, TOP).up(1, max(2, self.deepest, 1 + (bottom - TOP) / gap))
        room = end_room([f"{player.last} {plain(player.name)}" for player in self.named])
        self.plot = Plot(side_room([str(self.deepest)]), WIDTH - room, TOP, bottom)
        self.x = self.plot.across(0, len(nights) - 1)

    def _is_named(self, player: Places, placed: Sequence[Places]) -> bool:
        many = len(placed) > ALL
        return player is self.picked or not many or any(player is first for first in placed[:FIRST])

    def points(self, player: Places, most: int) -> list[Point]:
        """The line through a player's places: with many nights every second or third, and always the last."""
        every = max(1, -(-len(player.known) // most))
        *rest, last = player.known
        return [(self.x(night), self.scale(place)) for night, place in [*rest[::every], last]]

    def elements(self) -> list[svg.Element]:
        css = {id(one): css_of(one.name, self.tones, is_chosen=one is self.picked) for one in self.named}
        labels = [End(self.scale(player.last), str(player.last), player.name, css[id(player)]) for player in self.named]
        over = sorted(self.named, key=lambda player: (player is self.picked, -self.named.index(player)))
        lines = [self._line(player, css[id(player)]) for player in over]
        return [
            *self._others(),
            *self._places(),
            *lines,
            *ends(labels, self.plot.right, TOP, self.plot.bottom),
            *night_axis(self.nights, self.x, self.height - 8),
        ]

    def _line(self, player: Places, css: str) -> svg.G:
        points = self.points(player, max(12, min(60, 640 // len(self.named))))
        return group(css, stroke(trace(points), "line"), dot(*points[0]), dot(*points[-1]))

    def _others(self) -> list[svg.Element]:
        """Everybody else, as one faint path."""
        if not self.others:
            return []
        most = max(8, 1400 // len(self.others))
        return [group("faint", stroke([trace(self.points(one, most), decimals=0) for one in self.others], "line"))]

    def _places(self) -> list[svg.Element]:
        """The places at the left: all, or every fifth where they are close."""
        every = 1 if self.deepest <= ALL else 5 if self.deepest <= 40 else 10
        shown = [1, *(place for place in range(every, self.deepest + 1, every) if place > 1)]
        x = self.plot.left - 8
        return [label(x, self.scale(place) + DOWN, str(place), "tick", anchor="end") for place in shown]


def _summary(night: str, placed: Sequence[Places], picked: Places | None) -> str:
    now = [player for player in placed if not _gone(player)]
    best = min((player.last for player in now), default=0)
    first = [called(player.name) for player in now if player.last == best]
    names = joined(first) if len(first) <= 3 else counted(len(first), "player")
    lead = ended(f"First after {plain(night)}: {names}") if now else "Nobody is ranked now."
    return lead + (_own(picked) if picked else "")


def _own(picked: Places) -> str:
    places = [place for _, place in picked.known]
    now = "no longer ranked" if _gone(picked) else f"place {picked.last}"
    return f" {called(picked.name)}: {now}, best {min(places)}, worst {max(places)}."


def _table(nights: Sequence[str], players: Sequence[Places]) -> Table:
    rows = [
        (plain(player.name), *("" if place is None else str(place) for place in player.places)) for player in players
    ]
    return Table(("Player", *map(plain, nights)), tuple(rows))
