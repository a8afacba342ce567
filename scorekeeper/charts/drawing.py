"""Parts of all charts: escaped text that fits, compact paths, scales, axes, and the chart itself.

Charts are 324 units wide, the space on a phone of 360 pixels, with letters 12 units high.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar

from markupsafe import Markup, escape

WIDTH = 324
LETTER = 12  # the size of text in units, as in charts.css
ELLIPSIS = "…"
XMLNS = "http://www.w3.org/2000/svg"
BOLD = 1.14  # width of bold letters, relative to plain ones
Point = tuple[float, float]

NARROW = frozenset("fijlrtI.,:;'|!()[]/ \u00a0")
BROAD = frozenset("mwMW@%&—…")


def element(name: str, *inside: str, **attributes: float | str | None) -> Markup:
    """An SVG element. Text and attributes are escaped; empty attributes are omitted.

    In names of attributes, `_` becomes `-`, and a trailing one is dropped: class_, text_anchor.
    """
    given = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value not in (None, ""))
    head = name + "".join(f' {key}="{escape(value)}"' for key, value in given)
    return Markup(f"<{head}>{Markup('').join(inside)}</{name}>" if inside else f"<{head}/>")  # noqa: S704 every part is escaped


# --- text ---------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """`text` with characters that XML does not allow replaced by spaces: controls, lone surrogates, non-characters."""
    if text.isprintable():
        return text
    return "".join(
        letter if unicodedata.category(letter) not in ("Cc", "Cs") and ord(letter) & 0xFFFE != 0xFFFE else " "
        for letter in text
    )


def one_line(text: str) -> str:
    """`text` with single spaces; non-breaking ones are kept."""
    return " ".join(filter(None, plain(text).split(" ")))


@lru_cache(1024)
def letter_width(letter: str) -> float:
    """Approximate width of a letter relative to its size, in a wide font: the phone's font is unknown."""
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
    """Approximate width of `text` in units."""
    return sum(map(letter_width, text)) * LETTER * (BOLD if bold else 1)


def shorten(text: str, room: float) -> str:
    """`text`, or its longest start that fits into `room` units with … after it."""
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


def wrapped(text: str, room: float, *, bold: bool = False) -> list[str]:
    """Lines of at most `room` letter heights, broken between words; longer words are broken at a hyphen or inside."""

    def is_too_wide(part: str) -> bool:
        return text_width(part, bold=bold) / LETTER > room

    lines: list[str] = []
    for word in one_line(text).split(" "):
        pieces = [""]
        for letter in word:
            if is_too_wide(pieces[-1] + letter):
                begun, dash, rest = pieces[-1].rpartition("-")
                pieces[-1:] = [begun + dash, rest] if dash else [rest, ""]
            pieces[-1] += letter
        for piece in pieces:
            longer = f"{lines[-1]} {piece}" if lines else piece
            if lines and not is_too_wide(longer):
                lines[-1] = longer
            else:
                lines.append(piece)
    return lines


def in_lines(text: str, room: float, most: int) -> list[str]:
    """Bold text in at most `most` lines of `room` units; the last line has all the rest."""
    lines, rest = wrapped(text, (room + 0.01) / LETTER, bold=True)[:most], one_line(text)
    for shown in lines[:-1]:
        rest = rest[len(shown) :].lstrip()
    return [*lines[:-1], rest]


def label(
    x: float,
    y: float,
    text: str,
    css: str = "",
    *,
    at_end: bool = False,
    room: float | None = None,
    bold: bool = False,
) -> Markup:
    """Text with its baseline at `y`; if wider than `room`, it is shortened, and its title is the complete text."""
    shown = plain(text) if room is None else shorten(text, room / BOLD if bold else room)
    whole = element("title", plain(text)) if room is not None and shown.endswith(ELLIPSIS) else ""
    return element("text", whole, shown, text_anchor="end" if at_end else None, class_=css, x=_round(x), y=_round(y))


# --- numbers and paths --------------------------------------------------------------------------------------------


def short(number: float, decimals: int = 1) -> str:
    """A number in few characters: 3, 3.5, .5, never 3.0 or -0."""
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
    """A path of straight lines through `points`; a single point is a dot, by round line ends."""
    grid = [(round(x, decimals), round(y, decimals)) for x, y in points]
    moves = [_pair(b[0] - a[0], b[1] - a[1], decimals) for a, b in pairwise(grid)]
    return f"M{_pair(*grid[0], decimals)}l" + " ".join(moves or ["0 0"]).replace(" -", "-")


def steps(points: Sequence[Point]) -> str:
    """A step path: vertical to the height of each point, then horizontal to it."""
    grid = [(round(x, 1), round(y, 1)) for x, y in points]
    parts = ["M" + _pair(*grid[0], 1)]
    for (x0, y0), (x1, y1) in pairwise(grid):
        parts.append((f"v{short(y1 - y0)}" if y1 != y0 else "") + f"h{short(x1 - x0)}")
    return "".join(parts)


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> Markup:
    return element("line", class_=css, x1=_round(x1), y1=_round(y1), x2=_round(x2), y2=_round(y2))


def stroke(data: str | Iterable[str], css: str) -> Markup:
    """A path, from its data."""
    return element("path", class_=css, d="".join(data))


def dot(x: float, y: float) -> Markup:
    return element("circle", class_="dot", cx=_round(x), cy=_round(y), r=3)


def box(x: float, y: float, width: float, height: float, css: str) -> Markup:
    return element("rect", class_=css, x=_round(x), y=_round(y), width=_round(width), height=_round(height))


def group(css: str, *elements: Markup) -> Markup:
    return element("g", *elements, class_=css)


# --- scales, round ticks, labels that do not overlap ----------------------------------------------------------------

Across = TypeVar("Across", bound=float)


class Scale(NamedTuple):
    """Maps values from `low` to `high` linearly to `start` to `end`; to the middle if `low` equals `high`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def rounded(value: float, decimals: int) -> float:
    """A value rounded to `decimals`, halves away from zero, as on the pages."""
    times = 10**decimals
    return math.copysign(math.floor(abs(value) * times + 0.5) / times, value) + 0.0


def percent(share: float) -> str:
    """Percent without decimals, halves up; 0 and 100 only if exact, as on the pages."""
    whole = math.floor(share * 100 + 0.5 + 1e-9)
    return f"{min(99, max(1, whole)) if 0 < share < 1 else whole}%"


def ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """At most six values from `low` to `high`: multiples of the smallest step of 1, 2, 5, 10, ... that suffices."""
    step = 1.0
    if high > low:
        least = (high - low) / 5
        power: float = 10.0 ** math.floor(math.log10(least))
        step = next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))
        step = max(1, round(step)) if whole else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 6) for index in range(first, last + 1)]


def widened(low: float, high: float, least: float) -> tuple[float, float]:
    """The interval, with a margin at both ends, and at least `least` wide."""
    room = max((high - low) * 0.06, (least - (high - low)) / 2, 0)
    return low - room, high + room


def thin(points: Sequence[tuple[Across, float]], most: int) -> list[tuple[Across, float]]:
    """About `most` of the points: the first, the last, and the lowest and highest of each section between."""
    if len(points) <= most:
        return list(points)
    inner, stretches = points[1:-1], max(1, (most - 2) // 2)
    kept = [points[0]]
    for index in range(stretches):
        part = inner[index * len(inner) // stretches : (index + 1) * len(inner) // stretches]
        ends = {min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
        kept += sorted(ends)
    return [*kept, points[-1]]


def spread_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the wanted ones, in the same order, `gap` apart, from `low` to `high`; closer if necessary."""
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [0.0] * len(wanted)
    edge = low
    for index in order:
        places[index] = max(wanted[index], edge)
        edge = places[index] + gap
    edge = high
    for index in reversed(order):
        places[index] = min(places[index], edge)
        edge = places[index] - gap
    return places


# --- the plot, its axes, and the labels at the ends of its lines ----------------------------------------------------

TONES = 6  # distinguishable lines: charts.css has a color and a dash for each
LINE = 15  # line height of text
DOWN = 4  # from the middle of a text line to its baseline
LABELS, LONG_LABELS = 112, 140  # most room for labels at the line ends, if their words fit there in lines or not
BEHIND = 9  # from the end of a line to its label


class End(NamedTuple):
    """A label at the end of a line, such as a figure and a name."""

    y: float
    text: str
    css: str


class Plot(NamedTuple):
    """The rectangle of the lines."""

    left: float
    right: float
    top: float
    bottom: float

    @classmethod
    def around(cls, figures: Sequence[str], names: Sequence[str], top: float, bottom: float) -> Plot:
        """Between the figures at the left and the labels at the line ends, in lines where there are enough for all."""
        widest = max([24, *(text_width(text, bold=True) for text in names)])
        lines, room = int((bottom - top) / LINE / len(names)), LABELS / LETTER
        words = [text_width(word, bold=True) for text in names for word in text.split(" ")]
        fits = max(words) <= LABELS and all(len(wrapped(text, room, bold=True)) <= lines for text in names)
        return cls(side_room(figures), WIDTH - min(LABELS if fits else LONG_LABELS, widest) - BEHIND, top, bottom)

    def across(self, last: float) -> Scale:
        """The horizontal scale; a single position is at the right, beside its label."""
        return Scale(min(0, last - 1), last, self.left, self.right)

    def up(self, low: float, high: float) -> Scale:
        return Scale(low, high, self.bottom, self.top)


def tone(index: int) -> str:
    """The CSS class of a line: one of six tones, or faint for further lines."""
    return f"s{index + 1}" if index < TONES else "faint"


def css_of(name: str, tones: Sequence[str], *, is_chosen: bool) -> str:
    """The CSS classes of a player's line: the tone of a name that has one on the page, and `chosen` if highlighted."""
    mine = f"s{tones.index(name) + 1}" if name in tones[:TONES] else "" if is_chosen else "other"
    return f"{mine} chosen".strip() if is_chosen else mine


def side_room(texts: Sequence[str]) -> float:
    """Width of the figures of the left axis."""
    return max([8, *(text_width(text, bold=True) for text in texts)]) + 6


def ends(labels: Sequence[End], plot: Plot, low: float) -> list[Markup]:
    """The labels right of the plot, each at its line's end or as near as others allow, with a thread to it if moved."""
    drawn: list[Markup] = []
    x, high = plot.right, plot.bottom
    room, most = WIDTH - x - BEHIND, max(1, int((high - low) / LINE / max(1, len(labels))))
    texts = [in_lines(end.text, room, most) for end in labels]
    tops = [end.y - (len(lines) - 1) * LINE / 2 for end, lines in zip(labels, texts, strict=True)]
    places = iter(spread_apart([top for top, lines in zip(tops, texts, strict=True) for _ in lines], LINE, low, high))
    for end, top, lines in zip(labels, tops, texts, strict=True):
        heights = [next(places) for _ in lines]
        if abs(heights[0] - top) > 2:
            thread = trace([(x + 3, end.y), (x + BEHIND - 2, sum(heights) / len(heights))])
            drawn.append(group(end.css, stroke(thread, "thread")))
        for text, y in zip(lines, heights, strict=True):
            drawn.append(label(x + BEHIND, y + DOWN, text, f"end {end.css}", room=room, bold=True))
    return drawn


def side_axis(plot: Plot, scale: Scale, values: Sequence[float], say: Callable[[float], str]) -> list[Markup]:
    """Faint horizontal lines, each with its figure at the left."""
    rules = "".join(f"M{short(plot.left)} {short(scale(value))}H{short(plot.right)}" for value in values)
    texts = [label(plot.left - 6, scale(value) + DOWN, say(value), "tick", at_end=True) for value in values]
    return [stroke(rules, "rule"), *texts] if values else []


def foot_axis(what: str, texts: Sequence[str], places: Sequence[float], baseline: float) -> list[Markup]:
    """Labels under the plot: the axis name, and of the others every second, third and so on that fit, from the last."""
    left = text_width(f"{what} ")
    all_ticks: list[tuple[float, float, str]] = []  # (start, end, text)
    for text, place in zip(texts, places, strict=True):
        start = max(left, min(place - text_width(text) / 2, WIDTH - text_width(text)))
        all_ticks.append((start, start + text_width(text), text))
    for every in range(1, len(all_ticks) + 1):
        kept = all_ticks[(len(all_ticks) - 1) % every :: every]
        if all(before[1] + LETTER / 2 <= after[0] for before, after in pairwise(kept)):
            return [
                label(0, baseline, what, "tick"),
                *(label(start, baseline, text, "tick") for start, _, text in kept),
            ]
    return []


def join_names(parts: Sequence[str]) -> str:
    """Ann, Bo and Cy."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def join_values(parts: Iterable[str]) -> str:
    """Ann 4, Bo 10; if a part is a list itself: Ann, Cy and Ed 4; Bo and Di 10."""
    all_parts = list(parts)
    return ("; " if any(", " in part for part in all_parts) else ", ").join(all_parts)


def with_period(said: str) -> str:
    """A sentence with one period, also if it ends with Ed K."""
    return said if said.endswith(".") else f"{said}."


def count_phrase(number: int, one: str) -> str:
    """1 hand, 2 hands."""
    return f"{number:,} {one if number == 1 else one + 's'}"


# --- a chart: a picture, its summary in words, and its numbers ------------------------------------------------------

ABOVE = 16  # space for the name of the left axis


class Table(NamedTuple):
    """The numbers of a chart, as text to display; the first column has the row headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Chart(NamedTuple):
    """A picture with its texts.

    `title` and `summary` are plain text: the subject, and one or two sentences about the data. Without data there is no
    picture (`is_drawn`), and the summary says so. `side` is the name of the left axis, above it.
    """

    title: str
    summary: str
    table: Table
    height: float = 0
    elements: Sequence[Markup] = ()
    side: str = ""

    @property
    def is_drawn(self) -> bool:
        return bool(self.elements)

    def svg(self, name: str) -> Markup:
        """The picture as SVG for a page; `name` prefixes its ids, so use it once per page. Empty without data."""
        if not self.is_drawn:
            return Markup("")
        above = ABOVE if self.side else 0
        named = [label(0, 11 - above, self.side, "tick axis")] if self.side else []
        return element(
            "svg",
            element("title", plain(self.title), id=f"{name}-title"),
            element("desc", plain(self.summary), id=f"{name}-desc"),
            *named,
            *self.elements,
            xmlns=XMLNS,
            viewBox=f"0 {-above} {WIDTH} {round(self.height) + above}",
            class_="chart",
            role="img",
            aria_labelledby=f"{name}-title {name}-desc",
        )
