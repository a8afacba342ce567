"""The pen: text that is safe and fits, numbers with one decimal, paths in few bytes.

Everything is drawn 360 units wide, about the width of a phone, with letters 12 units high.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import svg

WIDTH = 360
LETTER = 12  # the size of text in units, as charts.css has it
ELLIPSIS = "…"
BOLD = 1.14  # how much wider bold letters are
Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

NARROW = frozenset("fijlrtI.,:;'|!()[]/ \u00a0")
BROAD = frozenset("mwMW@%&—…")


# --- text ---------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """`text` without what XML has no place for: control characters, lone surrogates, non-characters."""
    if text.isprintable():
        return text
    return "".join(
        letter if unicodedata.category(letter) not in ("Cc", "Cs") and ord(letter) & 0xFFFE != 0xFFFE else " "
        for letter in text
    )


def safe(text: str) -> str:
    """`text` for inside of an element. svg.py escapes nothing, so every word of a chart comes through here."""
    return svg.escape(plain(text))


def one_line(text: str) -> str:
    """`text` with single spaces; what may not be broken stays so."""
    return " ".join(filter(None, plain(text).split(" ")))


@lru_cache(1024)
def letter_width(letter: str) -> float:
    """About how wide a letter is, in parts of its size: what a broad font takes, as the phone's own is not known."""
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    if letter in NARROW:
        return 0.42
    if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.3
    if letter in BROAD:
        return 1
    return 0.72 if letter.isupper() or ord(letter) > 0x24F else 0.65


def text_width(text: str, *, bold: bool = False) -> float:
    """About how many units `text` takes."""
    return sum(map(letter_width, text)) * LETTER * (BOLD if bold else 1)


def shorten(text: str, room: float) -> str:
    """`text`, or as much of it as fits into `room` units with … behind."""
    text = one_line(text)
    if text_width(text) <= room + 0.01:
        return text
    left = room - text_width(ELLIPSIS)
    kept = 0
    for letter in text:
        left -= text_width(letter)
        if left < 0:
            break
        kept += 1
    return text[:kept].rstrip(" ‍") + ELLIPSIS


def label(
    x: float,
    y: float,
    text: str,
    css: str = "",
    *,
    anchor: Anchor = "start",
    room: float | None = None,
    bold: bool = False,
    titled: bool = True,
) -> svg.Text:
    """Text with its baseline at `y`; too long for `room`, it is shortened and the whole of it becomes its title."""
    shown = plain(text) if room is None else shorten(text, room / BOLD if bold else room)
    whole = svg.Title(text=safe(text)).as_str() if titled and room is not None and shown.endswith(ELLIPSIS) else ""
    return svg.Text(
        x=_round(x),
        y=_round(y),
        text=whole + safe(shown),
        class_=css.split() or None,
        text_anchor=None if anchor == "start" else anchor,
    )


# --- numbers and paths --------------------------------------------------------------------------------------------


def short(number: float, decimals: int = 1) -> str:
    """A number in few letters: 3, 3.5, .5, never 3.0 or -0."""
    text = f"{number:.{decimals}f}"
    if decimals:
        text = text.rstrip("0").rstrip(".")
    return {"-0": "0", "": "0"}.get(text, text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text)


def _round(number: float) -> int | float:
    rounded = round(number, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _pair(x: float, y: float, decimals: int) -> str:
    across, down = short(x, decimals), short(y, decimals)
    return across + ("" if down.startswith("-") else " ") + down


def trace(points: Sequence[Point], *, decimals: int = 1) -> str:
    """A path through `points`, by straight lines; a point alone is a dot for round line ends."""
    grid = [(round(x, decimals), round(y, decimals)) for x, y in points]
    parts = ["M" + _pair(*grid[0], decimals)]
    moves = [_pair(b[0] - a[0], b[1] - a[1], decimals) for a, b in pairwise(grid)]
    return parts[0] + "l" + " ".join(moves or ["0 0"]).replace(" -", "-")


def steps(points: Sequence[Point]) -> str:
    """A path that goes up or down to the height of each point, then across to it."""
    grid = [(round(x, 1), round(y, 1)) for x, y in points]
    parts = ["M" + _pair(*grid[0], 1)]
    for (x0, y0), (x1, y1) in pairwise(grid):
        parts.append((f"v{short(y1 - y0)}" if y1 != y0 else "") + f"h{short(x1 - x0)}")
    return "".join(parts)


def closed(points: Sequence[Point]) -> str:
    """The outline of an area."""
    return trace(points) + "z"


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> svg.Line:
    return svg.Line(x1=_round(x1), y1=_round(y1), x2=_round(x2), y2=_round(y2), class_=[css])


def stroke(data: str | Iterable[str], css: str) -> svg.Path:
    """A path, from its data as text."""
    return svg.Path(class_=css.split(), extra={"d": data if isinstance(data, str) else "".join(data)})


def dot(x: float, y: float, css: str = "dot", radius: float = 3) -> svg.Circle:
    return svg.Circle(cx=_round(x), cy=_round(y), r=radius, class_=[css])


def box(x: float, y: float, width: float, height: float, css: str) -> svg.Rect:
    return svg.Rect(x=_round(x), y=_round(y), width=_round(width), height=_round(height), class_=css.split())


def group(css: str, *elements: svg.Element) -> svg.G:
    return svg.G(class_=css.split(), elements=list(elements))
