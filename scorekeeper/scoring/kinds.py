"""The kinds of values that rule fields take, as data: each can check a value, and whoever draws a form or writes a
schema reads from it what there is to choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

from .cards import JOKERS, OFF_SUIT, RANKS

LEAST_PLAYERS, MOST_PLAYERS = 2, 12
PLAYERS: Mapping[object, int] = {
    spelled: players for players in range(LEAST_PLAYERS, MOST_PLAYERS + 1) for spelled in (players, str(players))
}
ORDERED = (*RANKS, *OFF_SUIT, *JOKERS)  # the names in a trump order


class NamedTwice(ValueError):
    """Two entries of a list are the same, which may show only when what they leave out is filled in."""


class Kind(Protocol):
    """What a field takes."""

    def check(self, value: object) -> Any:
        """The value as rules hold it; raises ValueError with what it must be."""


class Number(NamedTuple):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def check(self, value: object) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(f"must be a whole number from {self.low} to {self.high}")
        return value


class Word(NamedTuple):
    """One of these words."""

    words: tuple[str, ...]

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return value


class Text:
    """Any text."""

    def check(self, value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("must be text")
        return value


class ListOf(NamedTuple):
    """Several of a kind, in their order, none twice; at least one, but where it may be empty."""

    item: Kind
    empty: bool = False

    def check(self, value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not (value or self.empty):
            raise ValueError("must be a list" if self.empty else "must be a list that is not empty")
        read = tuple(self.item.check(entry) for entry in value)
        if len(set(read)) != len(read):
            raise NamedTwice("must not name anything twice")
        return read


class Entry(NamedTuple):
    """An object of named parts, each of its kind; parts with a default may be left out. `build` makes the value."""

    build: Callable[..., Any]
    parts: Mapping[str, Kind]
    defaults: Mapping[str, object]

    def check(self, value: object) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ValueError(f"must be an object with {', '.join(self.parts)}")
        if unknown := sorted(value.keys() - self.parts.keys()):
            raise ValueError(f"has no {unknown[0]}")
        if missing := sorted(self.parts.keys() - value.keys() - self.defaults.keys()):
            raise ValueError(f"needs {missing[0]}")
        given = {**self.defaults, **value}
        return self.build(**{key: _under(key, kind, given[key]) for key, kind in self.parts.items()})


def _under(key: str, kind: Kind, value: object) -> Any:
    try:
        return kind.check(value)
    except ValueError as error:
        raise ValueError(f"{key} {error}") from None


class Optional(NamedTuple):
    """A kind, or nothing: null or false."""

    kind: Kind

    def check(self, value: object) -> Any:
        return None if value is None or value is False else self.kind.check(value)


class NumberByPlayers(NamedTuple):
    """A number, or one for each number of players: an object, or a list of pairs."""

    low: int
    high: int

    def check(self, value: object) -> Any:
        number = Number(self.low, self.high)
        if not isinstance(value, Mapping | list | tuple):
            return number.check(value)
        try:
            pairs = value.items() if isinstance(value, Mapping) else value
            read = tuple(sorted((PLAYERS[players], number.check(each)) for players, each in pairs))
        except (KeyError, TypeError, ValueError):
            read = ()
        if not read:
            text = f"must be a whole number from {self.low} to {self.high}, or one for each number of players"
            raise ValueError(text)
        if len(dict(read)) < len(read):
            raise NamedTwice("must not name a number of players twice")
        return read


class Ranks:
    """Ranks from high to low, as one word: `AKQJT9`."""

    letters: ClassVar[str] = RANKS

    def check(self, value: object) -> str:
        if not isinstance(value, str) or not value or any(rank not in RANKS for rank in value):
            raise ValueError(f"must be ranks out of {RANKS}")
        if len(set(value)) != len(value):
            raise ValueError("must not name a rank twice")
        if list(value) != sorted(value, key=RANKS.index):
            raise ValueError("must name the ranks from high to low")
        return value


class TrumpOrder:
    """Names of trumps from high to low, as one text with blanks between: `A K Q J L XR T`."""

    names: ClassVar[tuple[str, ...]] = ORDERED

    def check(self, value: object) -> tuple[str, ...]:
        names = tuple(value.split()) if isinstance(value, str) else ()
        if not names or any(name not in ORDERED for name in names):
            raise ValueError(f"must be ranks, {', '.join(OFF_SUIT)} and jokers, from high to low, with blanks between")
        if len(set(names)) != len(names):
            raise ValueError("must not name a card twice")
        return names


class GameValues:
    """What ranks and jokers are worth toward Game, each a number from `low` to `high`."""

    names: ClassVar[tuple[str, ...]] = (*RANKS, *JOKERS)
    low: ClassVar[int] = 0
    high: ClassVar[int] = 100

    def check(self, value: object) -> dict[str, int]:
        if not isinstance(value, Mapping) or any(key not in self.names for key in value):
            raise ValueError("must give ranks (or jokers) their Game values")
        if any(type(worth) is not int or not self.low <= worth <= self.high for worth in value.values()):
            raise ValueError(f"must give whole numbers from {self.low} to {self.high}")
        return dict(value)
