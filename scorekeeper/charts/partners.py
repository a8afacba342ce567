"""How pairs of partners do, as a heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import svg

from .chart import Chart, Table
from .frame import DOWN, called, counted
from .ink import WIDTH, group, label, plain, short, shorten, stroke, text_width
from .scale import percent

TOP, KEY = 4, 40
NAME = 64  # at least so much room for the name behind the last row
TITLE = "Partners"
Measure = Literal["share", "swing"]
Cell = tuple[int, int]  # row and column: players' indexes, the row's the greater


class Pair(NamedTuple):
    """Two players (indexes into the chart's names, in any order), how they do together, and over how many games.

    `chance` is what the share of games won would be by chance: less than half where there are more than two sides.
    """

    one: int
    other: int
    value: float
    games: int
    chance: float = 0.5


def partner_map(
    names: Sequence[str], pairs: Sequence[Pair], *, measure: Measure = "share", least: int = 1, title: str = TITLE
) -> Chart:
    """Every player with every other: `value` is the share of games won (0 to 1), or the swing in points a hand.

    A pair with fewer than `least` games is left empty. A pair given twice counts as one, averaged by games.
    """
    all_pairs = _merged(pairs)
    known = {cell: pair for cell, pair in all_pairs.items() if pair.games >= max(1, least)}
    table = _table(names, known, measure)
    if not known:
        return Chart(title, _nobody(all_pairs, least), table)
    grid = _Grid(names, known, measure)
    return Chart(title, _summary(names, known, measure, least), table, grid.height, tuple(grid.elements()))


def _merged(pairs: Iterable[Pair]) -> dict[Cell, Pair]:
    merged: dict[Cell, Pair] = {}
    for pair in pairs:
        cell = (max(pair.one, pair.other), min(pair.one, pair.other))
        if pair.games > 0 and cell[0] != cell[1]:
            merged[cell] = _together(merged.get(cell), pair)
    return merged


def _together(seen: Pair | None, pair: Pair) -> Pair:
    if seen is None:
        return pair
    games = seen.games + pair.games
    value, chance = (
        (before * seen.games + now * pair.games) / games
        for before, now in ((seen.value, pair.value), (seen.chance, pair.chance))
    )
    return pair._replace(value=value, games=games, chance=chance)


# --- the picture ----------------------------------------------------------------------------------------------------


def _above(pair: Pair, measure: Measure) -> float:
    """By how much a pair is better than one that is neither good nor bad."""
    return pair.value - pair.chance if measure == "share" else pair.value


def _strongest(measure: Measure, pairs: Iterable[Pair]) -> float:
    """How far from that a pair is shaded as strongly as any."""
    return 0.25 if measure == "share" else max(0.1, *(abs(pair.value) for pair in pairs), 0)


def _shade(above: float, strongest: float) -> str:
    """u2, u1 above even, z about even, d1, d2 below."""
    strength = min(2, int(abs(above) / strongest * 2 + 0.5))
    return f"{'u' if above > 0 else 'd'}{strength}" if strength else "z"


class _Pen:
    """Lines across, each from where the one before it ended: few bytes for many."""

    def __init__(self) -> None:
        self.data = ""
        self._x, self._y = 0.0, 0.0

    def line(self, x: float, y: float, length: float) -> None:
        across, down = short(x - self._x), short(y - self._y)
        self.data += f"{'m' if self.data else 'M'}{across}{'' if down.startswith('-') else ' '}{down}h{short(length)}"
        self._x, self._y = x + length, y


class _Grid:
    """One half of the square, a cell a pair; the names are on the diagonal: behind their row, above their column."""

    def __init__(self, names: Sequence[str], known: dict[Cell, Pair], measure: Measure) -> None:
        self.names, self.known, self.measure = names, known, measure
        self.strongest = _strongest(measure, known.values())
        longest = max(text_width(shorten(name, 96)) for name in names)
        columns = len(names) - 1
        room = WIDTH - max(NAME if columns > 20 else 40, longest if columns <= 20 else NAME) - 6
        self.wide = min(52, int(room / columns))
        self.widest = max(text_width(_figure(pair.value, measure)) for pair in known.values())
        self.in_figures = self.wide >= self.widest + 4
        self.high = max(15, min(34, self.wide)) if self.in_figures else 15
        self.bottom = TOP + self.high * len(names)
        self.height = self.bottom + KEY

    def elements(self) -> list[svg.Element]:
        cells = self._figures() if self.in_figures else self._marks()
        return [*cells, *self._names(), *self._key()]

    def _names(self) -> Iterator[svg.Element]:
        for index, name in enumerate(self.names):
            x = index * self.wide + 4
            yield label(
                x, self._middle(index) + DOWN, name, "name", room=min(96, WIDTH - x), titled=len(self.names) <= 20
            )

    def _middle(self, row: int) -> float:
        return TOP + (row + 0.5) * self.high

    def _figures(self) -> Iterator[svg.Element]:
        """A box with its figure for each pair, and an empty one for those with too few games; a path for each level."""
        boxes: dict[str, str] = {}
        across, down = self.wide - 2, short(self.high - 2)
        for row in range(len(self.names)):
            for column in range(row):
                corner = f"M{column * self.wide + 1} {short(TOP + row * self.high + 1)}"
                level = self._level(row, column) or "none"
                boxes[level] = boxes.get(level, "") + f"{corner}h{across}v{down}h-{across}z"
        for level, data in sorted(boxes.items()):
            yield stroke(data, f"cell {level}")
        figures = group("figures", *(self._text(*cell, pair) for cell, pair in sorted(self.known.items())))
        figures.extra = {"text-anchor": "middle"}
        yield figures

    def _text(self, row: int, column: int, pair: Pair) -> svg.Text:
        return label((column + 0.5) * self.wide, self._middle(row) + DOWN, _figure(pair.value, self.measure))

    def _marks(self) -> Iterator[svg.Element]:
        """Too narrow for figures: a bar for good, a dash for bad, a dot for even; a path for each level."""
        pens: dict[str, _Pen] = {}
        for row in range(len(self.names)):
            for level, first, last in self._runs(row):
                pen = pens.setdefault(level, _Pen())
                pen.line(first * self.wide + 1, self._middle(row), (last - first + 1) * self.wide - 2)
        for level, pen in sorted(pens.items()):
            path = stroke(pen.data, f"mark-{level}")
            path.stroke_dasharray = [self.wide - 2, 2]
            yield path

    def _runs(self, row: int) -> Iterator[tuple[str, int, int]]:
        """Neighbors of one level: a single dashed line draws them all."""
        cells = [(self._level(row, column), column) for column in range(row)]
        for level, run in groupby(cells, key=lambda cell: cell[0]):
            columns = [column for _, column in run]
            if level:
                yield level, columns[0], columns[-1]

    def _level(self, row: int, column: int) -> str:
        pair = self.known.get((row, column))
        return _shade(_above(pair, self.measure), self.strongest) if pair else ""

    def _key(self) -> list[svg.Element]:
        above, below = _sides(self.measure, halves=all(pair.chance == 0.5 for pair in self.known.values()))
        y = self.bottom + 18
        return [
            self._sign(y - 4, "u2"),
            label(20, y, above, "tick"),
            self._sign(y + 13, "d2"),
            label(20, y + 17, below, "tick"),
        ]

    def _sign(self, middle: float, level: str) -> svg.Element:
        if self.in_figures:
            return stroke(f"M1 {short(middle - 6)}h12v12h-12z", f"cell {level}")
        return stroke(f"M1 {short(middle)}h12", f"mark-{level}")


# --- in words -------------------------------------------------------------------------------------------------------


def _sides(measure: Measure, *, halves: bool) -> tuple[str, str]:
    if measure == "share" and halves:
        return "won more than half together", "won less than half together"
    if measure == "share":
        return "won more than by chance", "won less than by chance"
    return "gained together (points per hand)", "lost together"


def _figure(value: float, measure: Measure) -> str:
    if measure == "share":
        return str(percent(value))
    return f"{round(value, 1) + 0.0:+.1f}".replace("-", "−").replace("+0.0", "0").replace("−0.0", "0")


def _said(value: float, measure: Measure) -> str:
    return _figure(value, measure) + ("%" if measure == "share" else "")


def _nobody(pairs: dict[Cell, Pair], least: int) -> str:
    if not pairs:
        return "No partners yet."
    return f"No two players have played {counted(least, 'game')} together yet."


def _summary(names: Sequence[str], known: dict[Cell, Pair], measure: Measure, least: int) -> str:
    order = _best_first(known)
    best, worst = order[0], order[-1]
    who = f"{counted(len(known), 'pair')} with at least {counted(max(1, least), 'game')} together."
    if len(known) == 1:
        return f"{who} {_pair(names, best, measure)}."
    if best.value == worst.value:
        return f"{who} All the same: {_said(best.value, measure)}."
    highest, lowest = (_level(names, order, end, measure) for end in (best, worst))
    return f"{who} Highest: {highest}; lowest: {lowest}."


def _level(names: Sequence[str], order: Sequence[Pair], end: Pair, measure: Measure) -> str:
    """Ann and Cy, 80%; where others have as much: Ann and Cy and 2 more pairs, 80%."""
    more = sum(_said(pair.value, measure) == _said(end.value, measure) for pair in order) - 1
    also = f" and {counted(more, 'more pair')}" if more else ""
    return f"{_names(names, end, called)}{also}, {_said(end.value, measure)}"


def _best_first(known: dict[Cell, Pair]) -> list[Pair]:
    return sorted(known.values(), key=lambda pair: (-pair.value, -pair.games))


def _pair(names: Sequence[str], pair: Pair, measure: Measure) -> str:
    return f"{_names(names, pair, called)}, {_said(pair.value, measure)}"


def _names(names: Sequence[str], pair: Pair, say: Callable[[str], str] = plain) -> str:
    return " and ".join(say(names[index]) for index in sorted((pair.one, pair.other)))


def _table(names: Sequence[str], known: dict[Cell, Pair], measure: Measure) -> Table:
    heading = "Win %" if measure == "share" else "Points per hand"
    rows = [(_names(names, pair), _said(pair.value, measure), f"{pair.games:,}") for pair in _best_first(known)]
    return Table(("Partners", heading, "Games"), tuple(rows))
