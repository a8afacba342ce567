"""A finished game as a message to friends. It has no link: a link would open the club to whoever reads it."""

from __future__ import annotations

from scorekeeper.scoring.game import GameScore
from scorekeeper.web.common.numbers import counted

from .narrator import Narrator
from .words import listed


def score_lines(narrator: Narrator, score: GameScore) -> list[tuple[str, str, str]]:
    """Each unit with its players' full names and its total, the winners first and then by score."""
    best = sorted(score.totals, key=lambda unit: (unit not in score.winners, -score.totals[unit]))
    return [(unit, full_names(narrator, unit), narrator.scores.score(score.totals[unit])) for unit in best]


def full_names(narrator: Narrator, unit: str) -> str:
    return listed([narrator.names[seat - 1] for seat in narrator.table.seats_of(unit)])


def footer(rules: str, score: GameScore, day: str) -> str:
    """What was played, how long, and when."""
    hands = f", {counted(len(score.hands), 'hand')}" if score.hands else ""
    return f"{rules}{hands}, {day}"


def message(narrator: Narrator, score: GameScore, headline: str, reason: str, foot: str) -> str:
    """The message, line by line."""
    scores = [f"{names}: {total}" for _, names, total in score_lines(narrator, score)]
    return "\n".join([f"{headline}.", *([reason] if reason else []), "", *scores, "", foot])
