"""A finished game as a picture to share: winners, all scores, the deciding rule.

A file of its own, not part of a page: it includes its colors and size, so that every phone draws it alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from .drawing import XMLNS, element, plain, wrapped

WIDE, UPRIGHT = (1200, 630), (1080, 1350)  # pixels: for a link preview, and for a photograph in a chat
EDGE = 64  # inner margin
GROUND, SHEET, LINE, INK, SOFT = "#f5f0e5", "#fffdf8", "#8d8268", "#211d16", "#655c4b"
TEAMS = {"A": "#1f4e8c", "B": "#9c4410", "C": "#6a3a8a"}
SERIF = "Georgia, 'Times New Roman', serif"
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
SCORE = re.compile(r"(?<=\d) to (?=[−\d])|with (?=[−\d])")  # kept on one line: 21 to 13, with 20
SMALLEST = 0.75  # how much smaller letters may get so that no names are broken
LEADING = 1.25  # line height, relative to the letter size


class ResultLine(NamedTuple):
    """One score: the unit ("A", "1"), its players, the figure as text, and whether it won."""

    unit: str
    names: str
    total: str
    has_won: bool = False


def result_picture(
    title: str, headline: str, reason: str, lines: Sequence[ResultLine], footer: str, size: tuple[int, int] = WIDE
) -> str:
    """The picture as the text of an SVG file of `size` pixels, in the largest letters that fit without cutting text.

    Names are broken only if letters not much smaller would break them as well.
    """
    columns = 1 if size == UPRIGHT or len(lines) < 4 else 2
    said = SCORE.sub(lambda score: score[0].replace(" ", "\u00a0"), headline)
    found: _Page | None = None
    for scale in (1.6 * 0.95**step for step in range(40)):
        page = _Page(size[0], scale)
        page.write(title, 34, color=SOFT, after=18)
        page.write(said, 68, family=SERIF, bold=True, after=16)
        page.write(reason, 34, after=34)
        for first in range(0, len(lines), columns):
            page.scores(lines[first : first + columns], columns)
        page.write(footer, 30, color=SOFT, before=30)
        if page.y + EDGE <= size[1]:
            found = found or page
            if not page.breaks_names or scale < SMALLEST * found.scale:
                break
    best = found if found and page.breaks_names else page
    return best.drawn(size[1])


class _Page:
    """A page that is filled from top to bottom; sizes of letters and gaps are multiplied by `scale`."""

    def __init__(self, width: int, scale: float) -> None:
        self.width, self.scale = width, scale
        self.y: float = EDGE
        self.breaks_names = False
        self.elements: list[Markup] = []

    def write(
        self, text: str, size: float, *, color: str = INK, family: str = SANS, bold: bool = False,
        before: float = 0, after: float = 0, left: float = EDGE, room: float = 0,
    ) -> None:  # fmt: skip
        """Add text, wrapped to `room` pixels, or to the width of the page."""
        size *= self.scale
        self.y += before * self.scale
        for line in wrapped(text, (room or self.width - 2 * EDGE) / size, bold=bold):
            self.y += size * LEADING
            self.elements.append(_words(line, left, self.y - size * 0.25, size, color, family, bold=bold))
        self.y += after * self.scale

    def scores(self, row: Sequence[ResultLine], columns: int) -> None:
        """Add scores side by side: each with a bar in the team's color, the names, and the figure at the right."""
        top, size = self.y, 96 * self.scale
        cell, letters = (self.width - 2 * EDGE + 36) / columns, 42 if columns > 1 else 54
        ends = []
        for number, line in enumerate(row):
            self.y, left = top, EDGE + number * cell
            room = max(size, cell - 72 - 24 - len(line.total) * 0.72 * size)
            there = len(self.elements)
            self.write(line.names, letters, bold=line.has_won, before=22, after=22, left=left + 36, room=room)
            self.breaks_names |= len(self.elements) > there + 1
            ends.append(self.y)
        self.y = max(*ends, top + size * LEADING)
        middle = (top + self.y) / 2
        for number, line in enumerate(row):
            color, left = TEAMS.get(line.unit, INK), EDGE + number * cell
            edge = element("rect", x=left, y=top, width=cell - 36, height=2, fill=LINE)
            width = 14 if line.has_won else 6
            bar = element("rect", x=left, y=top + 18, width=width, height=self.y - top - 36, fill=color)
            at = left + cell - 36, middle + size * 0.34
            total = _words(line.total, *at, size, color, SERIF, bold=True, text_anchor="end")
            self.elements += [edge, bar, total]

    def drawn(self, height: int) -> str:
        ground = element("rect", width=self.width, height=height, fill=GROUND)
        paper = element("rect", x=24, y=24, width=self.width - 48, height=height - 48, rx=32, fill=SHEET)
        written = element("g", *self.elements, transform=f"translate(0, {round((height - EDGE - self.y) / 2)})")
        view = f"0 0 {self.width} {height}"
        return element("svg", ground, paper, written, xmlns=XMLNS, width=self.width, height=height, viewBox=view)


def _words(text: str, x: float, y: float, size: float, color: str, family: str, *, bold: bool, **more: str) -> Markup:
    return element(
        "text", plain(text), x=round(x), y=round(y), font_size=round(size), font_family=family, fill=color,
        font_weight="bold" if bold else "normal", **more,
    )  # fmt: skip
