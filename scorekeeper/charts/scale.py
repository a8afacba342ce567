"""From values to places: scales, round ticks, thinned lines, labels that keep out of each other's way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Across = TypeVar("Across", bound=float)


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` lie from `start` to `end`; where all values are one, in the middle."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def rounded(value: float, decimals: int = 0) -> float:
    """A value with so many decimals, halves away from zero, as the pages have it."""
    times = 10**decimals
    return math.copysign(math.floor(abs(value) * times + 0.5) / times, value) + 0.0


def percent(share: float) -> int:
    """Whole percent, halves up; 0 and 100 only where they are exact, as the pages have it."""
    whole = math.floor(share * 100 + 0.5 + 1e-9)
    return min(99, max(1, whole)) if 0 < share < 1 else whole


def tick_step(span: float, most: int, *, whole: bool = False) -> float:
    """The smallest of 1, 2, 5, 10, ... that gets over `span` in at most `most` steps."""
    if span <= 0:
        return 1
    least = span / most
    power: float = 10.0 ** math.floor(math.log10(least))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))
    return max(1, round(step)) if whole else step


def ticks(low: float, high: float, most: int = 5, *, whole: bool = False) -> list[float]:
    """Round values from `low` to `high`, both ends included where they are round themselves."""
    step = tick_step(high - low, most, whole=whole)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 6) for index in range(first, last + 1)]


def widened(low: float, high: float, least: float) -> tuple[float, float]:
    """The span with a little room at both ends, and no less than `least` wide."""
    room = max((high - low) * 0.06, (least - (high - low)) / 2, 0)
    return low - room, high + room


def thin(points: Sequence[tuple[Across, float]], most: int) -> list[tuple[Across, float]]:
    """About `most` of the points: the first, the last, and of each stretch between its lowest and its highest."""
    if len(points) <= most:
        return list(points)
    inner, stretches = points[1:-1], max(1, (most - 2) // 2)
    kept = [points[0]]
    for index in range(stretches):
        part = inner[index * len(inner) // stretches : (index + 1) * len(inner) // stretches]
        ends = {min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
        kept += sorted(ends)
    return [*kept, points[-1]]


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, in the same order, `gap` apart, from `low` to `high`; closer where they must be."""
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
