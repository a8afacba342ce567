"""The chance to win, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import svg

from .chart import Chart, Table
from .frame import (
    DOWN,
    End,
    Plot,
    beside,
    called,
    counted,
    end_room,
    ended,
    ends,
    hand_axis,
    side_axis,
    side_room,
    tone,
)
from .ink import WIDTH, Point, closed, dot, group, label, plain, stroke, trace
from .scale import Scale, percent, thin

TOP, BOTTOM, HEIGHT = 14, 194, 226
POINTS = 110
TITLE = "Chance to win"
EVEN = 0.5
SURE = "100%"


class Chance(NamedTuple):
    """One team's or player's chance to win, from 0 to 1: before the first hand, then after each."""

    name: str
    values: Sequence[float]


def win_chance(units: Sequence[Chance], *, title: str = TITLE) -> Chart:
    """Two units as one line around even, the first's half above; three to six as a line each."""
    if not units or not all(unit.values for unit in units):
        return Chart(title, "No hands yet.", _table(units, 0))
    hands = max(len(unit.values) for unit in units) - 1
    drawn = _around_even(units[0], units[1], hands) if len(units) == 2 else _lines(units, hands)
    return Chart(title, _summary(units, hands), _table(units, hands + 1), HEIGHT, tuple(drawn), "chance")


# --- two units: one line around even --------------------------------------------------------------------------------


def _around_even(first: Chance, second: Chance, hands: int) -> list[svg.Element]:
    figures = [SURE, "even", SURE]
    room = end_room([plain(first.name), plain(second.name), SURE])
    plot = Plot(side_room(figures), WIDTH - room, TOP, BOTTOM)
    x, y = plot.across(0, hands), plot.up(0, 1)
    points = thin([(x(hand), y(value)) for hand, value in enumerate(first.values)], POINTS)
    return [
        *_halves(points, y(EVEN)),
        *side_axis(plot, y, [0, EVEN, 1], lambda value: "even" if value == EVEN else SURE),
        stroke(trace(points), "line"),
        dot(*points[-1]),
        *_whose(plot, first, y(0.75), tone(0)),
        *_whose(plot, second, y(0.25), tone(1)),
        *hand_axis(x, hands, HEIGHT - 8),
    ]


def _halves(points: Sequence[Point], even: float) -> list[svg.Element]:
    """The areas between the line and even: above it the first unit's, below it the second's."""
    crossed = with_crossings(points, even)
    start, end = (points[0][0], even), (points[-1][0], even)
    above = [start, *((x, min(y, even)) for x, y in crossed), end]
    below = [start, *((x, max(y, even)) for x, y in crossed), end]
    return [
        group(tone(index), stroke(closed(area), "area"))
        for index, area in enumerate((above, below))
        if any(y != even for _, y in area)
    ]


def with_crossings(points: Sequence[Point], even: float) -> list[Point]:
    """The points, and between them those where the line crosses `even`."""
    crossed = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        if (y0 - even) * (y1 - even) < 0:
            crossed.append((x0 + (x1 - x0) * (even - y0) / (y1 - y0), even))
        crossed.append((x1, y1))
    return crossed


def _whose(plot: Plot, unit: Chance, middle: float, css: str) -> list[svg.Element]:
    """Whose half it is: the chance at the end, and under it the name."""
    x = plot.right + 9
    name = label(x, middle + DOWN + 8, unit.name, f"end {css}", room=WIDTH - x, bold=True)
    return [label(x, middle + DOWN - 8, _percent(unit.values[-1]), f"end {css} strong"), name]


# --- more of them: a line each --------------------------------------------------------------------------------------


def _lines(units: Sequence[Chance], hands: int) -> list[svg.Element]:
    room = end_room([f"{_percent(unit.values[-1])} {plain(unit.name)}" for unit in units])
    plot = Plot(side_room([SURE]), WIDTH - room, TOP, BOTTOM)
    x, y = plot.across(0, hands), plot.up(0, 1)
    labels = [
        End(y(unit.values[-1]), _percent(unit.values[-1]), unit.name, tone(index)) for index, unit in enumerate(units)
    ]
    return [
        *side_axis(plot, y, [0, EVEN, 1], _percent),
        *reversed([_line(unit, tone(index), x, y) for index, unit in enumerate(units)]),
        *ends(labels, plot.right, TOP - 6, BOTTOM),
        *hand_axis(x, hands, HEIGHT - 8),
    ]


def _line(unit: Chance, css: str, x: Scale, y: Scale) -> svg.Element:
    points = thin([(x(hand), y(value)) for hand, value in enumerate(unit.values)], POINTS * 2 // 3)
    return group(css, stroke(trace(points), "line"), dot(*points[-1]))


# --- in words -------------------------------------------------------------------------------------------------------


def _percent(value: float) -> str:
    """Whole percent, and 0 or 100 only where it is sure."""
    return f"{percent(value)}%"


def _summary(units: Sequence[Chance], hands: int) -> str:
    when = f"After {counted(hands, 'hand')}" if hands else "Before the first hand"
    now = beside(f"{called(unit.name)} {_percent(unit.values[-1])}" for unit in units)
    return f"{when}: {now}.{_turn(units)}"


def _turn(units: Sequence[Chance]) -> str:
    """The hand that changed most, where any did."""
    rises = [
        (round((after - before) * 100), -hand, called(unit.name), percent(after) - percent(before))
        for unit in units
        for hand, (before, after) in enumerate(pairwise(unit.values), 1)
    ]
    most, hand, name, said = max(rises, default=(0, 0, "", 0))
    return ended(f" The biggest turn was hand {-hand}: {counted(said, 'point')} up for {name}") if most > 0 else ""


def _table(units: Sequence[Chance], rows: int) -> Table:
    shown = [("before" if hand == 0 else str(hand), *(_cell(unit, hand) for unit in units)) for hand in range(rows)]
    return Table(("Hand", *(plain(unit.name) for unit in units)), tuple(shown))


def _cell(unit: Chance, hand: int) -> str:
    return _percent(unit.values[hand]) if hand < len(unit.values) else ""
