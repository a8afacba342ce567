"""What other rules would have made of a club's last games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import listed

AS_PLAYED = "As if everyone had bid and played the same."
MOST_TOLD = 2  # games of which the same is said, each in its own sentence
KINDS = OTHERS, SOONER, LATER, GONE_ON, OTHER_SCORE = ("others", "sooner", "later", "gone on", "score")
OF_MANY = {
    OTHERS: "would have had other winners",
    SOONER: "would have been won sooner",
    LATER: "would have been won later",
    GONE_ON: "would have gone on after their last hand",
    OTHER_SCORE: "would have ended with another score",
}


def changed(kind: str, games: Mapping[int, str]) -> list[str]:
    """What would have been different in games, by number: a sentence each, or of many one with the numbers."""
    if len(games) <= MOST_TOLD:
        return list(games.values())
    return [f"{counted(len(games), 'game')} {OF_MANY[kind]}: {listed(list(map(str, sorted(games))))}."]


def won(number: int, winners: Sequence[str], hand: int, before: Sequence[str], last: int) -> str:
    """Bo’s team would have won game 12 at hand 9. Ann’s team won it at hand 11."""
    who = listed(winners)
    if list(winners) == list(before):
        sooner = "already at" if hand < last else "only at"
        return f"{who} would have won game {number} {sooner} hand {hand}, not hand {last}."
    return f"{who} would have won game {number} at hand {hand}. {listed(before)} won it at hand {last}."


def gone_on(number: int, score: str, before: Sequence[str], last: int) -> str:
    """Game 12 would have gone on after hand 11, at 18 to 15. Ann’s team won it there."""
    return f"Game {number} would have gone on after hand {last}, at {score}. {listed(before)} won it there."


def other_score(number: int, score: str, before: str) -> str:
    return f"Game {number} would have ended {score}, not {before}."


def others(same: int, unknown: int, *, any_changed: bool) -> list[str]:
    """The games that would have ended the same, and those of which that cannot be known."""
    told = []
    if same:
        told.append(f"{counted(same, 'other game' if any_changed else 'game')} would have ended the same.")
    if unknown:
        told.append(f"{counted(unknown, 'game')} cannot be scored under these rules: {_why(unknown)}")
    return told


def _why(games: int) -> str:
    return f"{'its' if games == 1 else 'their'} cards, points or bids do not fit."
