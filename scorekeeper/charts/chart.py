"""What every chart is: a picture, what it says in words, and the numbers behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import svg

from .ink import WIDTH, label, safe

ABOVE = 16  # room for the name of the axis at the left
AN_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Table:
    """The numbers behind a chart, as text ready to be shown; the first column heads its row."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Chart:
    """A picture with its words.

    `title` and `summary` are plain text: what the picture is of, and one or two sentences of what it shows.
    Without data there is no picture (`is_drawn`), and the summary says so. `side` names the axis at the left, above it.
    """

    title: str
    summary: str
    table: Table
    height: float = 0
    elements: tuple[svg.Element, ...] = field(default=(), repr=False)
    side: str = ""

    @property
    def is_drawn(self) -> bool:
        return bool(self.elements)

    def svg(self, name: str) -> str:
        """The picture as SVG for a page; `name` begins its ids, so it is used once a page. Empty without data."""
        if not AN_ID.fullmatch(name):
            raise ValueError(f"{name!r} cannot begin an id")
        if not self.is_drawn:
            return ""
        above = ABOVE if self.side else 0
        named = [label(0, 11 - above, self.side, "tick axis")] if self.side else []
        words: list[svg.Element] = [
            svg.Title(id=f"{name}-title", text=safe(self.title)),
            svg.Desc(id=f"{name}-desc", text=safe(self.summary)),
        ]
        return svg.SVG(
            class_=["chart"],
            viewBox=svg.ViewBoxSpec(0, -above, WIDTH, round(self.height) + above),
            extra={"role": "img", "aria-labelledby": f"{name}-title {name}-desc"},
            elements=[*words, *named, *self.elements],
        ).as_str()
