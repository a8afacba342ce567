"""What changes of a game did, in sentences: for the history, for undo and redo, and for the person who made one."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.models import CORRECT, RECORD, REDO, REMOVE, UNDO, Change
from scorekeeper.services.change_log import effect, seats_in
from scorekeeper.services.game_reader import Logged
from scorekeeper.web.common.words import listed

DOING = {RECORD: "", CORRECT: "correcting ", REMOVE: "removing "}
# What was done, by the kind of the change and by what it is in effect: an undone hand is removed, for example.
DONE = {
    (RECORD, RECORD): "hand {} saved",
    (CORRECT, CORRECT): "hand {} corrected",
    (REMOVE, REMOVE): "hand {} removed",
    (UNDO, REMOVE): "hand {} undone",
    (UNDO, CORRECT): "the correction of hand {} undone",
    (UNDO, RECORD): "hand {} restored",
    (REDO, RECORD): "hand {} redone",
    (REDO, CORRECT): "the correction of hand {} redone",
    (REDO, REMOVE): "hand {} removed again",
}
NOTHING_TO_UNDO, NOTHING_TO_REDO = "Nothing to undo.", "Nothing to redo."
BEFORE, AFTER = "before", "after"


def on_phone(by: str | None, label: str | None = None) -> str:
    """Whose phone made a change, if it was said; else the label of its link, for who may know that."""
    if by:
        return f"{by}’s phone"
    return f"A phone with “{label}”" if label else "A phone"


def done(change: Change, *, noted: bool) -> str:
    """What was done to a hand, as the history begins its line; just the hand where only its note was changed."""
    sentence = "hand {}" if noted else DONE[change.kind, effect(change)]
    return sentence.format(change.position)


def noted(position: int, what: str) -> str:
    return f"Hand {position}: {what}."


def not_played(said: str, dealer: str, *, again: bool) -> str:
    """Who deals after a hand that everybody passed, or that was not played."""
    return f"{said}. {dealer} deals {'again' if again else 'next'}."


def not_undone(meanwhile: str) -> str:
    return f"Another phone changed the game first, so nothing was undone. {meanwhile}"


def hand_named(change: Logged) -> str:
    """A change of a hand as undo and redo name it: "hand 7 by Ann"."""
    return f"{DOING[change.kind]}hand {change.position}{_by(change)}"


def _by(change: Change | Logged) -> str:
    return f" by {change.by}" if change.by else ""


def substitution_named(change: Change) -> str:
    """A substitution as undo and redo name it: "Gil’s substitution by Ann"."""
    before = seats_in(change.before)
    names = [name for seat, name in seats_in(change.after).items() if before.get(seat) != name]
    return (f"{listed(names)}’s substitution" if names else "the last substitution") + _by(change)


def substitution_said(change: Change, before: Sequence[str], after: Sequence[str]) -> str:
    """What a substitution did, by those who sat in the next hand before and after it, one a seat."""
    changed = [(gone, here) for gone, here in zip(before, after, strict=True) if gone != here]
    if change.kind == UNDO:
        return f"{listed([gone for gone, _ in changed])}’s substitution was undone."
    return f"{listed([f'{here} for {gone}' for gone, here in changed])} from hand {change.position}."


def hand_saved(position: int) -> str:
    return f"Hand {position} saved."


def change_said(change: Change) -> str:
    """What a change did to a hand, for the person who made it."""
    done = effect(change)
    if done == RECORD:
        return f"Hand {change.position} restored." if change.undoes else hand_saved(change.position)
    if done == REMOVE:
        return f"Hand {change.position} {'undone' if change.kind == UNDO else 'removed'}."
    return f"Hand {change.position} is back as it was." if change.kind == UNDO else f"Hand {change.position} corrected."
