"""Streaks: games won, or lost, one after another. A tied game ends both kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

WON, LOST = "W", "L"
Game = tuple[date, int, str]


@dataclass(frozen=True, slots=True)
class Streak:
    """So many games that all ended in the same way, from the game number `first` to `last`."""

    letter: str
    length: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Streaks:
    """The longest of each kind (the latest of them, where some are as long), and the one that goes on."""

    won: Streak | None = None
    lost: Streak | None = None
    current: Streak | None = None


def streaks(games: Sequence[Game]) -> Streaks:
    """The streaks in a player's games, which are in the order in which they were played."""
    found = [_streak(list(run)) for _, run in groupby(games, key=lambda game: game[2])]
    if not found:
        return Streaks()
    current = found[-1] if found[-1].letter in (WON, LOST) else None
    return Streaks(_longest(found, WON), _longest(found, LOST), current)


def _streak(run: Sequence[Game]) -> Streak:
    return Streak(run[0][2], len(run), run[0][1], run[-1][1])


def _longest(found: Sequence[Streak], letter: str) -> Streak | None:
    mine = [streak for streak in reversed(found) if streak.letter == letter]
    return max(mine, key=lambda streak: streak.length, default=None)
