"""What open pages say by themselves: what others have just done, and what they are about to do."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.live.state import Scorer
from scorekeeper.models import CORRECT, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO
from scorekeeper.services.game_reader import Logged
from scorekeeper.web.common.words import cut_names, listed, short_names

DID = {
    RECORD: "saved hand {}",
    CORRECT: "corrected hand {}",
    REMOVE: "removed hand {}",
    SUBSTITUTE: "substituted a player",
    UNDO: "undid a change of hand {}",
    REDO: "redid a change of hand {}",
}
MOST_TOLD = 3
MOST_LETTERS = 14  # of a first name beside the heading of a small phone
SOMEBODY, ANOTHER = "Somebody", "Another phone"
SCORE_SHEET = "Score sheet"
REMOVED_BEFORE = "A hand was removed."


def news(entries: Sequence[Logged], score: str) -> str:
    """What was changed, and the score since: "Bo saved hand 7. 12 to 9." Empty where nothing was."""
    told = [f"{entry.by or SOMEBODY} {DID[entry.kind].format(entry.position)}." for entry in entries[-MOST_TOLD:]]
    return " ".join([*told, f"{score}."]) if told else ""


def entering(others: Sequence[Scorer], length: int) -> str:
    """Who is entering or correcting a hand on another phone: "Bo is entering hand 7." Empty where nobody is."""
    return " ".join(_busy(one, length, "") for one in others)


def entering_too(others: Sequence[Scorer], length: int) -> str:
    """The same, for somebody who has that hand open."""
    return " ".join(_busy(one, length, "also ") for one in others)


def _busy(scorer: Scorer, length: int, also: str) -> str:
    return f"{_phone_of(scorer.by)} is {also}{_doing(scorer, length)}."


def _phone_of(by: str | None) -> str:
    """Who scores on another phone, by the first name."""
    return cut_names(short_names([by]), MOST_LETTERS)[0] if by else ANOTHER


def _doing(scorer: Scorer, length: int) -> str:
    return f"{'entering' if scorer.position > length else 'correcting'} hand {scorer.position}"


def entering_briefly(others: Sequence[Scorer], length: int) -> tuple[str, str]:
    """The same in one line across the room, in two parts: the name, which may be cut, and the rest. ("Ann", "is …")."""
    if len(others) > 1:
        return f"{len(others)} phones", "are entering hands"
    (one,) = others
    return one.by or SOMEBODY, f"is {_doing(one, length)}"


def saved_already(position: int, by: str | None) -> str:
    """For who has a hand open that somebody else has saved."""
    return f"{_phone_of(by)} saved hand {position}."


def dealt(dealer: str, goal: str) -> str:
    """Bo deals · first to 11: `goal` is "first to 11"."""
    return f"{dealer} deals · {goal}"


def enter_hand(position: int) -> str:
    return f"Enter hand {position}"


def corrected_already(position: int, by: str | None) -> str:
    return f"{_phone_of(by)} changed hand {position}. Save shows both."


def score_said(totals: Sequence[str]) -> str:
    """12 to 9; of three and more: 12, 9 and 4."""
    return " to ".join(totals) if len(totals) == 2 else listed(totals)
