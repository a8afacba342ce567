"""A finished game as a picture to send: who won, every score, the rule that decided it.

Not a chart of a page but a file of its own, so it carries its colors and its size; any phone draws it alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import svg

from .drawing import LETTER, one_line, safe, text_width

WIDTH, EDGE = 1080, 64  # pixels, and the margin inside
GROUND, SHEET, LINE, INK, SOFT = "#f5f0e5", "#fffdf8", "#8d8268", "#211d16", "#655c4b"
TEAMS = {"A": "#1f4e8c", "B": "#9c4410", "C": "#6a3a8a"}
SERIF = "Georgia, 'Times New Roman', serif"
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
LEADING = 1.25  # from line to line, in letters


@dataclass(frozen=True)
class ResultLine:
    """One score: the unit ("A", "1"), who made it, the figure as it is written, and whether it won."""

    unit: str
    names: str
    total: str
    has_won: bool = False


def result_picture(title: str, headline: str, reason: str, lines: Sequence[ResultLine], footer: str) -> str:
    """The picture as a file of SVG, 1080 pixels wide and as high as its words need; no word is cut."""
    page = _Page()
    page.write(title, 34, color=SOFT, after=18)
    page.write(headline, 68, family=SERIF, bold=True, after=16)
    page.write(reason, 34, after=34)
    for line in lines:
        page.score(line)
    page.write(footer, 30, color=SOFT, before=30)
    return page.drawn()


class _Page:
    """Paper that is written on from top to bottom."""

    def __init__(self) -> None:
        self.y: float = EDGE
        self.elements: list[svg.Element] = []

    def write(
        self, text: str, size: int, *, color: str = INK, family: str = SANS, bold: bool = False,
        before: float = 0, after: float = 0, left: float = EDGE, room: float = WIDTH - 2 * EDGE,
    ) -> None:  # fmt: skip
        """Text in as many lines as it needs."""
        self.y += before
        for line in wrapped(text, room / size, bold=bold):
            self.y += size * LEADING
            self.elements.append(_words(line, left, self.y - size * 0.25, size, color, family, bold=bold))
        self.y += after

    def score(self, line: ResultLine) -> None:
        """A row: a bar in the team's color, the names, and the score at the end."""
        color, size = TEAMS.get(line.unit, INK), 96
        room = len(line.total) * 0.72 * size + 24
        top = self.y
        self.elements.append(svg.Rect(x=EDGE, y=top, width=WIDTH - 2 * EDGE, height=2, fill=LINE))
        left, room = EDGE + 36, WIDTH - 2 * EDGE - 36 - room
        self.write(line.names, 42, bold=line.has_won, before=22, after=22, left=left, room=room)
        self.y = max(self.y, top + size * LEADING)
        middle = (top + self.y) / 2
        bar = svg.Rect(x=EDGE, y=top + 18, width=14 if line.has_won else 6, height=self.y - top - 36, fill=color)
        total = _words(line.total, WIDTH - EDGE, middle + size * 0.34, size, color, SERIF, bold=True)
        total.text_anchor = "end"
        self.elements += [bar, total]

    def drawn(self) -> str:
        height = round(self.y + EDGE)
        ground = svg.Rect(width=WIDTH, height=height, fill=GROUND)
        paper = svg.Rect(x=24, y=24, width=WIDTH - 48, height=height - 48, rx=32, fill=SHEET)
        return svg.SVG(
            xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=height,
            viewBox=svg.ViewBoxSpec(0, 0, WIDTH, height), elements=[ground, paper, *self.elements],
        ).as_str()  # fmt: skip


def _words(text: str, x: float, y: float, size: int, color: str, family: str, *, bold: bool) -> svg.Text:
    return svg.Text(
        x=round(x), y=round(y), text=safe(text), font_size=size, font_family=family, fill=color,
        font_weight="bold" if bold else "normal",
    )  # fmt: skip


def wrapped(text: str, room: float, *, bold: bool = False) -> list[str]:
    """Lines no wider than `room` letters' heights, broken between words; a word that is too long is broken inside."""
    lines: list[str] = []
    pieces = chain.from_iterable(_pieces(word, room, bold=bold) for word in one_line(text).split(" "))
    for word in pieces:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(longer, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _pieces(word: str, room: float, *, bold: bool) -> list[str]:
    pieces = [""]
    for letter in word:
        if _width(pieces[-1] + letter, bold=bold) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _width(text: str, *, bold: bool) -> float:
    return text_width(text, bold=bold) / LETTER
