"""What charts with axes share: the plot, its ticks, and the labels at the ends of its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import svg

from .ink import ELLIPSIS, LETTER, WIDTH, group, label, one_line, short, stroke, text_width, trace
from .scale import Scale, apart

TONES = 6  # lines that can be told apart: charts.css has a color and a dash for each
LINE = 15  # from one line of text to the next
DOWN = 4  # from the middle of a line of text to its baseline
NAME = 24  # letters of a name in a sentence
BEHIND = 9  # from the end of a line to its label


class End(NamedTuple):
    """A label at the end of a line: its figure, then whose it is."""

    y: float
    figure: str
    name: str
    css: str

    @property
    def text(self) -> str:
        return f"{self.figure} {self.name}".strip()


@dataclass(frozen=True)
class Plot:
    """The rectangle that the lines are drawn in."""

    left: float
    right: float
    top: float
    bottom: float

    def across(self, low: float, high: float) -> Scale:
        """From left to right; what has one place only is at the right, beside its label."""
        return Scale(min(low, high - 1), high, self.left, self.right)

    def up(self, low: float, high: float) -> Scale:
        return Scale(low, high, self.bottom, self.top)


def tone(index: int) -> str:
    """The class of a line: one of six tones, or faint when there are more lines than that."""
    return f"s{index + 1}" if index < TONES else "faint"


def css_of(name: str, tones: Sequence[str], *, is_chosen: bool = False) -> str:
    """The class of a player's line: the tone of a name that has one on the page, and whether the line is marked."""
    mine = f"s{tones.index(name) + 1}" if name in tones[:TONES] else "" if is_chosen else "other"
    return f"{mine} chosen".strip() if is_chosen else mine


def end_room(texts: Sequence[str], least: float = 24, most: float = 140) -> float:
    """How much room the labels at the ends of the lines are given."""
    return min(most, max([least, *(text_width(text, bold=True) for text in texts)])) + BEHIND


def side_room(texts: Sequence[str]) -> float:
    """How much room the figures of the axis at the left need."""
    return max([8, *(text_width(text, bold=True) for text in texts)]) + 6


def ends(labels: Sequence[End], x: float, low: float, high: float) -> list[svg.Element]:
    """The labels at `x`, each at its line's end or as near as the others let it, and a thread to it where it is not."""
    drawn: list[svg.Element] = []
    for end, y in zip(labels, apart([end.y for end in labels], LINE, low, high), strict=True):
        if abs(y - end.y) > 2:
            thread = trace([(x + 3, end.y), (x + BEHIND - 2, y)])
            drawn.append(group(end.css, stroke(thread, "thread")))
        drawn.append(end_label(end, x + BEHIND, y + DOWN))
    return drawn


def end_label(end: End, x: float, baseline: float) -> svg.Text:
    return label(x, baseline, end.text, f"end {end.css}", room=WIDTH - x, bold=True)


def side_axis(plot: Plot, scale: Scale, values: Sequence[float], say: Callable[[float], str]) -> list[svg.Element]:
    """Faint lines across the plot, each with its figure at the left."""
    rules = "".join(f"M{short(plot.left)} {short(scale(value))}H{short(plot.right)}" for value in values)
    texts = [label(plot.left - 6, scale(value) + DOWN, say(value), "tick", anchor="end") for value in values]
    return [stroke(rules, "rule"), *texts] if values else []


def hand_axis(x: Scale, hands: int, baseline: float, *, between: bool = False) -> list[svg.Element]:
    """The numbers of the hands under the plot: each where the hand ends, or between its beginning and its end."""
    numbers = range(1, hands + 1)
    places = [x(hand - 0.5) if between else x(hand) for hand in numbers]
    texts = foot_axis(list(map(str, numbers)), places, baseline, left=text_width("hand "))
    return [label(0, baseline, "hand", "tick"), *texts] if texts else []


def night_axis(nights: Sequence[str], x: Scale, baseline: float) -> list[svg.Element]:
    """The game nights under the plot."""
    texts = foot_axis(nights, [x(night) for night in range(len(nights))], baseline, left=text_width("night "))
    return [label(0, baseline, "night", "tick"), *texts] if texts else []


class Tick(NamedTuple):
    """A label under the plot, from its left edge."""

    left: float
    right: float
    text: str


def foot_axis(texts: Sequence[str], places: Sequence[float], baseline: float, *, left: float = 0) -> list[svg.Element]:
    """Labels under the plot: the last, and as many of the others as leave room, evenly thinned."""
    return [label(tick.left, baseline, tick.text, "tick") for tick in foot_ticks(texts, places, left)]


def foot_ticks(texts: Sequence[str], places: Sequence[float], left: float) -> list[Tick]:
    all_ticks = [_tick(text, place, left) for text, place in zip(texts, places, strict=True) if text]
    if len(all_ticks) < 2:
        return all_ticks
    *rest, last = all_ticks
    widest = max(tick.right - tick.left for tick in all_ticks) + LETTER
    between = (last.right - rest[0].left) / len(rest)
    every = max(1, -int(-widest // max(between, 0.01)))
    kept: list[Tick] = []
    for tick in rest[::every]:
        if tick.right + LETTER / 2 <= last.left and (not kept or kept[-1].right + LETTER / 2 <= tick.left):
            kept.append(tick)
    return [*kept, last]


def _tick(text: str, place: float, left: float) -> Tick:
    width = text_width(text)
    start = max(left, min(place - width / 2, WIDTH - width))
    return Tick(start, start + width, text)


def joined(parts: Sequence[str]) -> str:
    """Ann, Bo and Cy."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def beside(parts: Iterable[str]) -> str:
    """Ann 4, Bo 10; where a part is a list itself: Ann, Cy and Ed 4; Bo and Di 10."""
    all_parts = list(parts)
    return ("; " if any(", " in part for part in all_parts) else ", ").join(all_parts)


def ended(said: str) -> str:
    """A sentence with one period: one that ends with Ed K. has it."""
    return said if said.endswith(".") else f"{said}."


def counted(number: int, one: str, many: str = "") -> str:
    """1 hand, 2 hands."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def called(name: str) -> str:
    """A name in a sentence: of a very long one the beginning."""
    name = one_line(name)
    return name if len(name) <= NAME else name[: NAME - 1].rstrip() + ELLIPSIS
