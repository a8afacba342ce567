"""What other rules would have made of a club's last games."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.web.common.numbers import counted

from .words import listed

AS_PLAYED = "As if everyone had bid and played the same."


def won(number: int, winners: Sequence[str], hand: int, before: Sequence[str], last: int) -> str:
    """Bo’s team would have won game 12 at hand 9. Ann’s team won it at hand 11."""
    who = listed(winners)
    if list(winners) == list(before):
        sooner = "already at" if hand < last else "only at"
        return f"{who} would have won game {number} {sooner} hand {hand}, not hand {last}."
    return f"{who} would have won game {number} at hand {hand}. {listed(before)} won it at hand {last}."


def gone_on(number: int, totals: Sequence[str], before: Sequence[str], last: int) -> str:
    """Game 12 would have gone on after hand 11, at 18 to 15. Ann’s team won it there."""
    score = " to ".join(totals)
    return f"Game {number} would have gone on after hand {last}, at {score}. {listed(before)} won it there."


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
