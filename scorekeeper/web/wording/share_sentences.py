"""A finished game as a message to friends. It has no link: a link would open the club to whoever reads it."""

from __future__ import annotations

from scorekeeper.models import FORFEIT
from scorekeeper.scoring.game import GameScore
from scorekeeper.web.common.narrator import Narrator, by_score, why_won
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import listed


def score_lines(narrator: Narrator, score: GameScore) -> list[tuple[str, str, str]]:
    """Each unit with its players' full names and its total, the winners first and then by score."""
    best = by_score(score.totals, score.winners).items()
    return [(unit, full_names(narrator, unit), narrator.scores.score(total)) for unit, total in best]


def full_names(narrator: Narrator, unit: str) -> str:
    return listed([narrator.names[seat - 1] for seat in narrator.table.seats_of(unit)])


def footer(rules: str, score: GameScore, day: str) -> str:
    """What was played, how long, and when."""
    hands = f", {counted(len(score.hands), 'hand')}" if score.hands else ""
    return f"{rules}{hands}, {day}"


def message(narrator: Narrator, score: GameScore, foot: str) -> str:
    """The message, line by line: every name and every score once."""
    won = "won by forfeit" if score.outcome and score.outcome.reason == FORFEIT else "won"
    why = why_won(score.outcome, score.totals) if score.outcome and won == "won" else ""
    heads = {unit: " ".join(filter(None, (full_names(narrator, unit), won, why))) for unit in score.winners}
    scores = [f"{heads.get(unit, names)}: {total}" for unit, names, total in score_lines(narrator, score)]
    return "\n".join([*scores, "", foot])
