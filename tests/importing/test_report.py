"""What an import says it did: one game, several games, and names that end with a period."""

from __future__ import annotations

from scorekeeper.importing.matching import KNOWN, NEW, NEWER
from scorekeeper.importing.preview import Report
from scorekeeper.importing.report import said


def report(*, new: int = 0, newer: int = 0, renumbered: int = 0) -> Report:
    made = Report("Friday Jr.", False, [], [], [], renumbered=renumbered)
    made.games |= {NEW: new, KNOWN: 1, NEWER: newer}
    made.named[NEWER] = [(number, "") for number in range(3, 3 + newer)]
    return made


def test_one_game_and_several() -> None:
    assert said(report(new=1, newer=1, renumbered=1), done=True) == [
        "1 new game imported into Friday Jr.",
        "1 game already saved, identical.",
        "1 game updated: game 3.",
        "1 game got a new number: its number is taken.",
    ]
    assert said(report(new=2, newer=2, renumbered=2), done=False) == [
        "2 new games for Friday Jr.",
        "1 game already saved, identical.",
        "2 games to update: games 3, 4.",
        "2 games will get new numbers: their numbers are taken.",
    ]
