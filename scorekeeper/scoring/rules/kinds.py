"""The kinds of values that rule fields take. Each validates a value, converts it to and from form inputs, and has its
JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS

if TYPE_CHECKING:
    from .fields import Frozen

Schema = dict[str, Any]
InputPairs = Iterator[tuple[str, str]]

LEAST_PLAYERS, MOST_PLAYERS = 2, 12
PLAYERS: Mapping[object, int] = {
    spelled: players for players in range(LEAST_PLAYERS, MOST_PLAYERS + 1) for spelled in (players, str(players))
}
PLAYERS_FIELD = "table.players"
ORDERED = (*RANKS, *OFF_SUIT, *JOKERS)  # the names in a trump order
MOST_DIGITS = 6
REQUIRED = object()  # marks a field without a default
CONTROLS = r"[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]"
CONTROL = re.compile(CONTROLS)
END = r"$(?!\n)"  # end of the text, unlike `$` not before a trailing newline


class NamedTwice(ValueError):
    """Two entries of a list are equal, possibly only after their defaults are filled in."""


class Inputs(Protocol):
    """Form inputs by name, with one or several values each."""

    def get(self, key: str, default: str) -> str: ...

    def getlist(self, key: str) -> list[str]: ...

    def __iter__(self) -> Iterator[str]: ...

    def __contains__(self, key: object, /) -> bool: ...


class Kind:
    """The values of a field; this base class is a text in one input."""

    control = "text"  # the form control
    choices: tuple[str, ...] = ()
    start = 1  # first value when stepping from an empty input
    is_plain = True  # options cannot change a part of it

    def check(self, value: object) -> object:
        """Validate a value, and return it as rules hold it; raises ValueError with what it must be."""
        raise NotImplementedError

    def schema(self) -> Schema:
        """The JSON Schema of a value."""
        raise NotImplementedError

    def to_inputs(self, name: str, value: Any) -> InputPairs:
        """The inputs of a field as (name, text), as a browser sends them; `value` is as in a rule set's data.

        >>> list(Ranks().to_inputs("deck.ranks", "AK"))
        [('deck.ranks', 'A'), ('deck.ranks', 'K')]
        """
        yield name, str(value)

    def read(self, name: str, inputs: Inputs) -> Any:
        """Read the typed value; unreadable text is returned as typed, so that `check` refuses it."""
        return inputs.get(name, "")

    def has_input(self, name: str, inputs: Inputs) -> bool:
        """True if the input is not blank."""
        return bool(inputs.get(name, "").strip())

    def blank(self, name: str) -> InputPairs:
        """The inputs for no value."""
        yield name, ""


class Number(Kind):
    """A whole number from `low` to `high`."""

    control = "number"

    def __init__(self, low: int, high: int, start: int = 1) -> None:
        self.low, self.high, self.start = low, high, start

    def check(self, value: object) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(f"must be a whole number from {self.low} to {self.high}")
        return value

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def read(self, name: str, inputs: Inputs) -> object:
        return number_or_text(inputs.get(name, ""))


class Word(Kind):
    """One of these words."""

    control = "word"

    def __init__(self, *words: str) -> None:
        self.choices = words

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise ValueError(f"must be one of {', '.join(self.choices)}")
        return value

    def schema(self) -> Schema:
        return {"enum": list(self.choices)}


class Text(Kind):
    """Any text."""

    def check(self, value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("must be text")
        return value

    def schema(self) -> Schema:
        return {"type": "string"}


class Line(Text):
    """A text in one line, of at most `most` characters: no control characters, no leading or trailing blanks."""

    def __init__(self, most: int) -> None:
        self.most = most

    def check(self, value: object) -> str:
        text = super().check(value)
        if not 0 < len(text) <= self.most or CONTROL.search(text) or text != text.strip():
            raise ValueError(f"must be a line of 1 to {self.most} letters, without blanks at its ends")
        return text

    def schema(self) -> Schema:
        ends = {"pattern": rf"^\S(?:.*\S)?{END}"}
        return {"type": "string", "minLength": 1, "maxLength": self.most, **ends, "not": {"pattern": CONTROLS}}


class ListOf(Kind):
    """A list of one kind, in order and without duplicates; not empty, unless `empty` is set."""

    def __init__(self, item: Kind, *, empty: bool = False) -> None:
        self.item, self.empty = item, empty
        self.control = item.control if isinstance(item, Entry) else "several"
        self.choices, self.is_plain = item.choices, item.is_plain

    def check(self, value: object) -> tuple[object, ...]:
        if not isinstance(value, list | tuple) or not (value or self.empty):
            raise ValueError("must be a list" if self.empty else "must be a list that is not empty")
        read = tuple(self.item.check(entry) for entry in value)
        if len(set(read)) != len(read):
            raise NamedTwice("must not name anything twice")
        return read

    def schema(self) -> Schema:
        return {
            "type": "array",
            "items": self.item.schema(),
            "minItems": 0 if self.empty else 1,
            **({} if isinstance(self.item, Entry) else {"uniqueItems": True}),
        }

    def to_inputs(self, name: str, value: Iterable[object]) -> InputPairs:
        for place, item in enumerate(value):
            yield from self.item.to_inputs(f"{name}-{place}" if isinstance(self.item, Entry) else name, item)

    def read(self, name: str, inputs: Inputs) -> object:
        if isinstance(self.item, Entry):
            return [self.item.read(entry, inputs) for entry in self.item.entries(name, inputs)]
        texts = [text for text in inputs.getlist(name) if text]
        return [number_or_text(text) for text in texts] if isinstance(self.item, Number) else texts


class Entry(Kind):
    """An object of named parts, each with its kind; those with a default are optional."""

    is_plain = False

    def __init__(self, build: type[Frozen], control: str) -> None:
        self.build, self.control = build, control
        self.parts: dict[str, Kind] = {name: part.kind for name, part in build.declared.items()}
        self.defaults = {name: part.default for name, part in build.declared.items() if part.default is not REQUIRED}
        self.first = next(iter(self.parts))

    def check(self, value: object) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ValueError(f"must be an object with {', '.join(self.parts)}")
        if unknown := sorted(value.keys() - self.parts.keys()):
            raise ValueError(f"has no {unknown[0]}")
        if missing := sorted(self.parts.keys() - value.keys() - self.defaults.keys()):
            raise ValueError(f"needs {missing[0]}")
        given = {**self.defaults, **value}
        checked = {}
        for key, kind in self.parts.items():
            try:
                checked[key] = kind.check(given[key])
            except ValueError as error:
                raise ValueError(f"{key} {error}") from None
        return self.build(**checked)

    def schema(self) -> Schema:
        properties = {key: part.schema() for key, part in self.parts.items()}
        required = [key for key in self.parts if key not in self.defaults]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def to_inputs(self, name: str, value: Mapping[str, object]) -> InputPairs:
        for key, kind in self.parts.items():
            yield from kind.to_inputs(f"{name}.{key}", value.get(key, self.defaults.get(key, "")))

    def read(self, name: str, inputs: Inputs) -> object:
        return {key: kind.read(f"{name}.{key}", inputs) for key, kind in self.parts.items()}

    def has_input(self, name: str, inputs: Inputs) -> bool:
        return super().has_input(f"{name}.{self.first}", inputs)

    def blank(self, name: str) -> InputPairs:
        return self.to_inputs(name, {})

    def entries(self, name: str, inputs: Inputs) -> list[str]:
        """The names of a list's entries that were sent: points-0, points-1."""
        names = (f"{name}-{place}" for place in count())
        return list(takewhile(lambda entry: f"{entry}.{self.first}" in inputs, names))


class Optional(Kind):
    """A kind, or nothing: null or false."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.control, self.choices = kind.control, kind.choices
        self.start, self.is_plain = kind.start, kind.is_plain

    def check(self, value: object) -> object:
        return None if value is None or value is False else self.kind.check(value)

    def schema(self) -> Schema:
        return {"anyOf": [{"enum": [None, False]}, self.kind.schema()]}

    def to_inputs(self, name: str, value: object) -> InputPairs:
        return self.kind.blank(name) if value is None else self.kind.to_inputs(name, value)

    def read(self, name: str, inputs: Inputs) -> object:
        return self.kind.read(name, inputs) if self.kind.has_input(name, inputs) else None


class NumberByPlayers(Kind):
    """A number, or one for each number of players: an object, or a list of pairs."""

    control, is_plain = "by_players", False

    def __init__(self, low: int, high: int) -> None:
        self.number = Number(low, high)

    def check(self, value: object) -> object:
        if not isinstance(value, Mapping | list | tuple):
            return self.number.check(value)
        try:
            pairs = value.items() if isinstance(value, Mapping) else value
            read = tuple(sorted((PLAYERS[players], self.number.check(each)) for players, each in pairs))
        except (KeyError, TypeError, ValueError):
            read = ()
        if not read:
            low, high = self.number.low, self.number.high
            raise ValueError(f"must be a whole number from {low} to {high}, or one for each number of players")
        if len(dict(read)) < len(read):
            raise NamedTwice("must not name a number of players twice")
        return read

    def schema(self) -> Schema:
        number, spelled = self.number.schema(), rf"^(?:[2-9]|1[0-2]){END}"
        players = {
            "anyOf": [
                {"type": "integer", "minimum": LEAST_PLAYERS, "maximum": MOST_PLAYERS},
                {"pattern": spelled, "type": "string"},
            ]
        }
        pair = {"type": "array", "prefixItems": [players, number], "minItems": 2, "maxItems": 2}
        by_name = {"patternProperties": {spelled: number}, "additionalProperties": False}
        return {
            "anyOf": [
                number,
                {"type": "object", "minProperties": 1, **by_name},
                {"type": "array", "items": pair, "minItems": 1},
            ]
        }

    def to_inputs(self, name: str, value: object) -> InputPairs:
        if not isinstance(value, list):
            return super().to_inputs(name, value)
        return ((f"{name}-{players}", str(number)) for players, number in value)

    def read(self, name: str, inputs: Inputs) -> object:
        """One number, or one for each number of players; the number for all fills the gaps."""
        own = {players: number_or_text(text) for players, text in inputs_under(name, inputs) if text.strip()}
        text = inputs.get(name, "").strip()
        if not own:
            return number_or_text(text)
        others = [players for players in inputs.getlist(PLAYERS_FIELD) if players not in own] if text else []
        return {**own, **dict.fromkeys(others, number_or_text(text))}

    def has_input(self, name: str, inputs: Inputs) -> bool:
        return super().has_input(name, inputs) or any(text for _, text in inputs_under(name, inputs))


class Ranks(Kind):
    """Ranks from high to low, as one word: `AKQJT9`."""

    control = "ranks"

    def check(self, value: object) -> str:
        if not isinstance(value, str) or not value or any(rank not in RANKS for rank in value):
            raise ValueError(f"must be ranks out of {RANKS}")
        if len(set(value)) != len(value):
            raise ValueError("must not name a rank twice")
        if list(value) != sorted(value, key=RANKS.index):
            raise ValueError("must name the ranks from high to low")
        return value

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1, "pattern": f"^{'?'.join(RANKS)}?{END}"}

    def to_inputs(self, name: str, value: str) -> InputPairs:
        return ((name, rank) for rank in value)

    def read(self, name: str, inputs: Inputs) -> str:
        return "".join(inputs.getlist(name))


class TrumpOrder(Kind):
    """Names of trumps from high to low, as one text with blanks between: `A K Q J L XR T`."""

    control = "order"

    def check(self, value: object) -> tuple[str, ...]:
        names = tuple(value.split()) if isinstance(value, str) else ()
        if not names or any(name not in ORDERED for name in names):
            raise ValueError(f"must be ranks, {', '.join(OFF_SUIT)} and jokers, from high to low, with blanks between")
        if len(set(names)) != len(names):
            raise ValueError("must not name a card twice")
        return names

    def schema(self) -> Schema:
        name = f"(?:{'|'.join(sorted(ORDERED, key=len, reverse=True))})"
        twice = r"(?!.*(?:^|\s)(\S+)\s(?:.*\s)?\1(?:\s|$))"
        return {"type": "string", "pattern": rf"^{twice}\s*{name}(?:\s+{name})*\s*{END}"}


class GameValues(Kind):
    """The card points of ranks and jokers, each from `low` to `high`."""

    control, is_plain = "card_values", False
    choices = (*RANKS, *JOKERS)
    low, high = 0, 100

    def check(self, value: object) -> dict[str, int]:
        if not isinstance(value, Mapping) or any(key not in self.choices for key in value):
            raise ValueError("must give ranks (or jokers) their Game values")
        if any(type(worth) is not int or not self.low <= worth <= self.high for worth in value.values()):
            raise ValueError(f"must give whole numbers from {self.low} to {self.high}")
        return dict(value)

    def schema(self) -> Schema:
        values = Number(self.low, self.high).schema()
        names = {"enum": list(self.choices)}
        return {"type": "object", "additionalProperties": values, "propertyNames": names}

    def to_inputs(self, name: str, value: Mapping[str, int]) -> InputPairs:
        return ((f"{name}-{card}", str(worth)) for card, worth in value.items())

    def read(self, name: str, inputs: Inputs) -> object:
        return {card: number_or_text(text) for card, text in inputs_under(name, inputs) if text}


def inputs_under(name: str, inputs: Inputs) -> list[tuple[str, str]]:
    """The inputs under a field's name, as (number of players or card, text)."""
    start = f"{name}-"
    return [(key.removeprefix(start), inputs.get(key, "")) for key in inputs if key.startswith(start)]


def number_or_text(text: str) -> int | str:
    """An integer, also with a typographic minus sign; any other text as typed."""
    plain = text.strip().replace("−", "-")
    digits = plain.removeprefix("-")
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else text
