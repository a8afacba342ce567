"""Ratings over a season."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import svg

from .chart import Chart, Table
from .frame import TONES, End, Plot, called, counted, css_of, end_room, ends, night_axis, side_axis, side_room, tone
from .ink import WIDTH, Point, closed, dot, group, plain, stroke, trace
from .scale import Scale, rounded, thin, ticks, widened

TOP, BOTTOM, HEIGHT = 12, 212, 240
TITLE = "Rating over the season"
FIRST = 3  # so many are named as the highest, and whoever is level with the last of them
MOST_NAMED = 6  # of more, those who are level are counted
MOST_POINTS = 60  # of a line: of more the first, the last, and those of its highs and lows


class Rating(NamedTuple):
    """One player's ratings, one for each of the chart's labels (None while there is none), and how unsure each is."""

    name: str
    values: Sequence[float | None]
    spread: Sequence[float] = ()

    @property
    def known(self) -> list[tuple[int, float]]:
        return [(index, value) for index, value in enumerate(self.values) if value is not None]

    @property
    def last(self) -> float:
        return next(value for value in reversed(self.values) if value is not None)

    def unsure(self, index: int) -> float:
        return self.spread[index] if index < len(self.spread) else 0


def rating_over_time(
    when: Sequence[str],
    players: Sequence[Rating],
    *,
    chosen: str = "",
    tones: Sequence[str] = (),
    title: str = TITLE,
) -> Chart:
    """A line a player over the labels `when` (a date or a game each); a player alone has the margin of error as a band.

    Of a player alone the chart and its table have 60 labels at most, among them the first, the last and the highest.
    Six lines can be told apart: those of `tones`, who have a color and a dash of their own on the page, or else of the
    six highest. They and `chosen` are named, the others drawn faint.
    """
    total = len(when)
    if len(players) == 1:
        when, players = _with_fewer(when, players[0])
    rated = [player for player in players if player.known]
    if not rated:
        return Chart(title, "No rated games yet.", _table(when, players, str))
    drawing = _Drawing(when, rated, chosen, tones)
    table = _table(when, players, drawing.say)
    summary = _summary(when, rated, drawing.say)
    if len(when) < total:
        summary += f" {len(when)} of {total:,} ratings are shown, the highest and the lowest among them."
    return Chart(title, summary, table, HEIGHT, tuple(drawing.elements()), "rating")


def _with_fewer(when: Sequence[str], player: Rating) -> tuple[Sequence[str], Sequence[Rating]]:
    if len(when) <= MOST_POINTS:
        return when, [player]
    kept = [index for index, _ in thin(player.known, MOST_POINTS)]
    values, spread = [player.values[index] for index in kept], [player.unsure(index) for index in kept]
    return [when[index] for index in kept], [Rating(player.name, values, spread)]


class _Drawing:
    def __init__(self, when: Sequence[str], players: Sequence[Rating], chosen: str, tones: Sequence[str]) -> None:
        self.when, self.players, self.alone = when, players, len(players) == 1
        highest = sorted(players, key=lambda player: -player.last)[:TONES]
        usual = [player.name for player in players if any(player is one for one in highest)]
        self.chosen, self.tones = chosen, (tones or usual)[:TONES]
        names = dict.fromkeys([*self.tones, chosen])
        self.named = [player for name in names for player in players if player.name == name]
        low, high = self._span()
        self.decimals = 0 if high - low >= 5 else 1
        low, high = widened(low, high, 0.4)
        self.values = ticks(low, high)
        room = end_room([f"{self.figure(player)} {plain(player.name)}" for player in self.named], most=130)
        self.plot = Plot(side_room([self.say(value) for value in self.values]), WIDTH - room, TOP, BOTTOM)
        self.y = self.plot.up(low, high)
        self.x: Scale = self.plot.across(0, max(0, len(when) - 1))

    def _span(self) -> tuple[float, float]:
        edges = [
            value + sign * (player.unsure(index) if self.alone else 0)
            for player in self.players
            for index, value in player.known
            for sign in (-1, 1)
        ]
        return min(edges), max(edges)

    def say(self, value: float) -> str:
        return f"{rounded(value, self.decimals):.{self.decimals}f}".replace("-", "−")

    def figure(self, player: Rating) -> str:
        """At the end of a line: of several there is no room for the margin, which the summary and the table have."""
        return self.say(player.last) + (_margin(player, self.say) if self.alone else "")

    def points(self, player: Rating, sign: int = 0) -> list[Point]:
        """The line through a player's ratings, or the edge of the band above (1) or below (-1) it."""
        return [(self.x(index), self.y(value + sign * player.unsure(index))) for index, value in player.known]

    def elements(self) -> list[svg.Element]:
        labels = [
            End(self.y(player.last), self.figure(player), player.name, self._css(player)) for player in self.named
        ]
        return [
            *self._band(),
            *side_axis(self.plot, self.y, self.values, self.say),
            *self._others(),
            *reversed([self._line(player, self._css(player)) for player in self.named]),
            *ends(labels, self.plot.right, TOP - 4, BOTTOM),
            *night_axis(self.when, self.x, HEIGHT - 8),
        ]

    def _css(self, player: Rating) -> str:
        return css_of(player.name, self.tones, is_chosen=player.name == self.chosen)

    def _line(self, player: Rating, css: str) -> svg.Element:
        points = thin(self.points(player), MOST_POINTS)
        return group(css, stroke(trace(points), "line"), dot(*points[-1]))

    def _band(self) -> list[svg.Element]:
        if not self.alone or not any(self.players[0].spread):
            return []
        upper, lower = (thin(self.points(self.players[0], sign), MOST_POINTS) for sign in (1, -1))
        return [group(tone(0), stroke(closed([*upper, *reversed(lower)]), "area"))]

    def _others(self) -> list[svg.Element]:
        """Everybody else, as one faint path."""
        others = [player for player in self.players if not any(player is one for one in self.named)]
        paths = [trace(thin(self.points(player), max(8, 1000 // len(others))), decimals=0) for player in others]
        return [group("faint", stroke(paths, "line"))] if paths else []


def _summary(when: Sequence[str], rated: Sequence[Rating], say: Callable[[float], str]) -> str:
    if len(rated) == 1:
        return _one(when, rated[0], say)
    return f"Highest now: {', '.join(_highest(sorted(rated, key=lambda player: -player.last), say))}."


def _highest(ordered: Sequence[Rating], say: Callable[[float], str]) -> list[str]:
    """The first three, and everybody whose rating is said as the third one's is."""
    least = say(ordered[:FIRST][-1].last)
    above = [player for player in ordered[:FIRST] if say(player.last) != least]
    level = [player for player in ordered if say(player.last) == least]
    named = level if len(above) + len(level) <= MOST_NAMED else []
    said = [f"{called(player.name)} {say(player.last)}{_margin(player, say)}" for player in (*above, *named)]
    return said if named else [*said, f"{counted(len(level), 'player')} {least}"]


def _margin(player: Rating, say: Callable[[float], str]) -> str:
    unsure = player.unsure(player.known[-1][0])
    return f" ± {say(unsure)}" if unsure else ""


def _one(when: Sequence[str], player: Rating, say: Callable[[float], str]) -> str:
    _, now = player.known[-1]
    said = f"{called(player.name)}: {say(now)}{_margin(player, say)}."
    if len(player.known) == 1:
        return said
    (begun, first), *_ = player.known
    top, peak = max(player.known, key=lambda known: known[1])
    return f"{said} After {plain(when[begun])}: {say(first)}. Highest: {say(peak)} ({plain(when[top])})."


def _table(when: Sequence[str], players: Sequence[Rating], say: Callable[[float], str]) -> Table:
    rows = [(plain(text), *(_cell(player, index, say) for player in players)) for index, text in enumerate(when)]
    return Table(("When", *(plain(player.name) for player in players)), tuple(rows))


def _cell(player: Rating, index: int, say: Callable[[float], str]) -> str:
    value = player.values[index] if index < len(player.values) else None
    if value is None:
        return ""
    unsure = player.unsure(index)
    return say(value) + (f" ± {say(unsure)}" if unsure else "")
