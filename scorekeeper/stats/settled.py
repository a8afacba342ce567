"""What came of the games before a club's latest day: each worker keeps it until one of them changes (Club.settled).

Games finish, and are corrected, on the evening on which they are played. So a page that looks through all games reads
only those of the latest day, and adds them to what was made of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple, Protocol, TypeVar

from scorekeeper.database.cache import Kept
from scorekeeper.models import Club

from .query import Choice, latest_day

MOST_KEPT = 16
_kept: Kept[Any] = Kept(MOST_KEPT)
Made = TypeVar("Made")


class HasMark(Protocol):
    """A club with its mark."""

    @property
    def id(self) -> int: ...

    @property
    def key(self) -> str: ...

    @property
    def settled(self) -> int: ...


class Parts(NamedTuple):
    """A choice of games in two: those before the latest day, and those of that day."""

    before: Choice
    latest: Choice


def parts_of(club: Club, choice: Choice) -> Parts | None:
    """The two; None where single games are chosen, and where nothing has been counted since this was looked for."""
    latest = None if choice.by_games or not club.settled else latest_day(club.id)
    if latest is None:
        return None
    return Parts(replace(choice, until=latest - timedelta(days=1)), replace(choice, since=latest))


def keep(
    club: HasMark, what: Hashable, make: Callable[[], Made], fits: Callable[[Made], bool] = lambda _: True
) -> Made:
    """What is made of games before the latest day alone, once until one of them changes.

    `what` says which games, and all else that it follows from. What does not fit is not kept. Nobody changes what is
    given back.
    """
    asked = club.key, club.settled, what
    known = _kept.get(asked)
    if known is not None:
        return known  # type: ignore[no-any-return]
    made = make()
    return _kept.keep(asked, made) if fits(made) else made
