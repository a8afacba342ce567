"""Who took a seat over from whom in a game, and from which hand on."""

from __future__ import annotations

from typing import NamedTuple

from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.wording.game_sentences import for_somebody, instead_of


class Substitution(NamedTuple):
    """`name` plays in a seat from the hand at `position` on, for `gone`."""

    seat: int
    name: str
    gone: str
    position: int


def substitutions(game: Snapshot) -> list[Substitution]:
    """All of a game in the order of its hands; those who start with the next hand come last."""
    found, before = [], game.names
    for position, names in enumerate(game.names_by_hand, 1):
        changed = zip(range(1, len(names) + 1), names, before, strict=True)
        found += [Substitution(seat, name, gone, position) for seat, name, gone in changed if name != gone]
        before = names
    return found


def seat_notes(game: Snapshot) -> dict[int, list[str]]:
    """The text beside a seat's name, by the seat's number: who was replaced there, the latest first."""
    notes: dict[int, list[str]] = {}
    for seat, name, gone, position in reversed(substitutions(game)):
        is_latest = seat not in notes
        notes.setdefault(seat, []).append(
            instead_of(gone, position) if is_latest else for_somebody(name, gone, position)
        )
    return notes
