"""The score, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import svg

from .chart import Chart, Table
from .frame import End, Plot, beside, called, counted, end_room, ends, hand_axis, side_axis, side_room, tone
from .ink import WIDTH, Point, dot, group, label, line, plain, short, steps, stroke
from .scale import Scale, thin, ticks, widened

TOP, BOTTOM, HEIGHT = 24, 224, 250
POINTS = 80  # of one line: more could not be told apart, and the picture stays small
TITLE = "Score by hand"


class Score(NamedTuple):
    """One team's or player's way through a game: the total after each hand, and the hands (from 1) it was set in.

    `start` is where it began, if not where the chart does.
    """

    name: str
    totals: Sequence[int]
    sets: Sequence[int] = ()
    start: int | None = None


def score_by_hand(
    units: Sequence[Score], target: int | None = None, *, start: int = 0, title: str = TITLE, may_be_set: bool = True
) -> Chart:
    """Step lines of up to six units, from `start` before the first hand; `target` is the score that wins."""
    hands = max((len(unit.totals) for unit in units), default=0)
    if not hands:
        return Chart(title, "No hands yet.", _table(units, 0))
    drawing = _Drawing(units, target, start, hands)
    summary = _summary(units, hands, may_be_set=may_be_set)
    return Chart(title, summary, _table(units, hands), HEIGHT, tuple(drawing.elements()), "points")


class _Drawing:
    def __init__(self, units: Sequence[Score], target: int | None, start: int, hands: int) -> None:
        self.units, self.target, self.start, self.hands = units, target, start, hands
        scores = [*([] if target is None else [target]), *(total for unit in units for total in self._totals(unit))]
        low, high = min(scores), max(scores)
        self.values = [value for value in ticks(low, high, whole=True) if value != target]
        figures = [_figure(value) for value in [*self.values, *([] if target is None else [target])]]
        room = end_room([f"{_figure(self._last(unit))} {plain(unit.name)}" for unit in units])
        self.plot = Plot(side_room(figures), WIDTH - room, TOP, BOTTOM)
        self.y = self.plot.up(*widened(low, high, 4))
        self.x = self.plot.across(0, hands)

    def _last(self, unit: Score) -> int:
        return self._totals(unit)[-1]

    def _totals(self, unit: Score) -> list[int]:
        """The totals, the one before the first hand too."""
        return [self.start if unit.start is None else unit.start, *unit.totals]

    def points(self, unit: Score) -> list[Point]:
        return [(self.x(hand), self.y(total)) for hand, total in enumerate(self._totals(unit))]

    def elements(self) -> list[svg.Element]:
        lines = [(index, unit, self.points(unit)) for index, unit in enumerate(self.units)]
        labels = [
            End(points[-1][1], _figure(self._last(unit)), unit.name, tone(index)) for index, unit, points in lines
        ]
        return [
            *self._axes(),
            *(group(tone(index), *self._line(unit, points)) for index, unit, points in reversed(lines)),
            *ends(labels, self.plot.right, TOP - 6, BOTTOM),
            *self._key(),
        ]

    def _line(self, unit: Score, points: list[Point]) -> list[svg.Element]:
        half = (self.x(1) - self.x(0)) / 2
        marks = [(points[hand][0] - half, points[hand][1]) for hand in unit.sets if 0 < hand < len(points)]
        downs = "".join(f"M{short(x - 4)} {short(y - 3)}h8l-4 7z" for x, y in marks)
        drawn: list[svg.Element] = [stroke(steps(thin(points, POINTS)), "line")]
        drawn += [stroke(downs, "mark")] if downs else []
        return [*drawn, dot(*points[-1])]

    def _axes(self) -> list[svg.Element]:
        near = [] if self.target is None else [self.y(self.target)]
        values = [value for value in self.values if all(abs(self.y(value) - y) >= 14 for y in near)]
        return [
            *side_axis(self.plot, self.y, values, _figure),
            *_target(self.plot, self.y, self.target),
            *hand_axis(self.x, self.hands, HEIGHT - 8, between=True),
        ]

    def _key(self) -> list[svg.Element]:
        if not any(unit.sets for unit in self.units):
            return []
        x, y = self.plot.left + 2, 9
        return [stroke(f"M{short(x)} {y - 4}h8l-4 7z", "mark"), label(x + 13, y + 3, "set", "tick")]


def _target(plot: Plot, y: Scale, target: int | None) -> list[svg.Element]:
    if target is None:
        return []
    height = y(target)
    return [
        line(plot.left, height, plot.right, height, "goal"),
        label(plot.left - 6, height + 4, _figure(target), "tick strong", anchor="end"),
        label(plot.left + 3, height - 4, "to win", "tick"),
    ]


def _figure(value: float) -> str:
    return f"{value:,.0f}".replace("-", "−")


def _summary(units: Sequence[Score], hands: int, *, may_be_set: bool) -> str:
    totals = beside(f"{called(unit.name)} {_figure(unit.totals[-1])}" for unit in units if unit.totals)
    sets = beside(f"{called(unit.name)} {len(unit.sets)}" for unit in units if unit.sets)
    told = f" Sets: {sets}." if sets else " Nobody was set."
    return f"After {counted(hands, 'hand')}: {totals}." + (told if may_be_set else "")


def _table(units: Sequence[Score], hands: int) -> Table:
    rows = [(str(hand), *(_cell(unit, hand) for unit in units)) for hand in range(1, hands + 1)]
    return Table(("Hand", *(plain(unit.name) for unit in units)), tuple(rows))


def _cell(unit: Score, hand: int) -> str:
    if hand > len(unit.totals):
        return ""
    return _figure(unit.totals[hand - 1]) + (" (set)" if hand in unit.sets else "")
