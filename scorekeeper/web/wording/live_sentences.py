"""What open pages say by themselves: what others have just done, and what they are about to do."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.live.state import Scorer
from scorekeeper.models import CORRECT, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO
from scorekeeper.snapshot import Logged

from .words import listed

DID = {
    RECORD: "saved hand {}",
    CORRECT: "corrected hand {}",
    REMOVE: "removed hand {}",
    SUBSTITUTE: "substituted a player",
    UNDO: "undid a change of hand {}",
    REDO: "redid a change of hand {}",
}
MOST_TOLD = 3
SOMEBODY, ANOTHER = "Somebody", "Another phone"
SCORE_SHEET = "Score sheet"


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
    doing = "entering" if scorer.position > length else "correcting"
    return f"{scorer.by or ANOTHER} is {also}{doing} hand {scorer.position}."


def saved_already(position: int) -> str:
    """For who has a hand open that somebody else has saved."""
    return f"{ANOTHER} saved hand {position}."


def dealt(dealer: str, target: int) -> str:
    return f"{dealer} deals · first to {target}"


def enter_hand(position: int) -> str:
    return f"Enter hand {position}"


def corrected_already(position: int) -> str:
    return f"Hand {position} was changed on another phone. Save shows both."


def score_said(totals: Sequence[str]) -> str:
    """12 to 9; of three and more: 12, 9 and 4."""
    return " to ".join(totals) if len(totals) == 2 else listed(totals)
