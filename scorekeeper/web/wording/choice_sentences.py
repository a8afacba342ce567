"""What is said when a table looks for its game: what each one counts, and what would be different."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import Point
from scorekeeper.web.common.words import ScoreWords, listed, point_name

# One name for a point that two rule sets call differently, by its card.
BY_CARD = {
    "highest": "High",
    "A": "High",
    "lowest": "Low",
    "2": "Low",
    "J": "Jack",
    "L": "Left Jack",
    "XR": "Jokers",
    "XB": "Jokers",
}


def counted_points(rules: RuleSet) -> list[str]:
    """What a rule set counts: High, Low, Jack, Game."""
    return list(dict.fromkeys(_name(point) for point in rules.points))


def _name(point: Point) -> str:
    return BY_CARD.get(point.card) or point_name(point.key)


def differences(rules: RuleSet, points: Sequence[str], target: int | None) -> list[str]:
    """What would be different from what was said; where nothing was said of something, nothing is."""
    counted, told = counted_points(rules), []
    more = [name for name in counted if name not in points]
    less = [name for name in points if name not in counted]
    if points and more:
        told.append(f"It also counts {listed(more)}.")
    if less:
        told.append(f"It does not count {listed(less)}.")
    if target and target != rules.win.target:
        told.append(f"It is played to {ScoreWords(rules.win).goal}. You can play it to {target}.")
    return told
