"""Rule fields as a form has them, by their kind: a value as the texts of its inputs, and those as a value again.

What cannot be read stays as it was typed, so that the core refuses it and the page can show it once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, takewhile
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.kinds import (
    Entry,
    GameValues,
    Kind,
    ListOf,
    Number,
    NumberByPlayers,
    Optional,
    Ranks,
)
from scorekeeper.scoring.vocabulary import POINT, SPECIAL

Typed = Iterator[tuple[str, str]]
Values = MultiDict[str, str]
PLAYERS = "table.players"
MOST_DIGITS = 6
MOST_ENTRIES = 40  # points, or special bids; the largest game of the catalogue has 9 points
MOST_INPUTS = 1_000  # of a form; one with so many entries has some 600
MOST_ALIKE = 100  # inputs of one name
MOST_LETTERS = 6_000  # of one input
ENTRIES = {"points": POINT, "auction.specials": SPECIAL}  # by the field that is a list of them


def is_too_much(values: Values) -> bool:
    """Whether more was sent than can be tapped and typed: to draw it would take seconds."""
    lists = [texts for _, texts in values.lists()]
    return (
        sum(map(len, lists)) > MOST_INPUTS
        or any(len(texts) > MOST_ALIKE or max(map(len, texts)) > MOST_LETTERS for texts in lists)
        or any(len(entries(kind, name, values)) > MOST_ENTRIES for name, kind in ENTRIES.items())
    )


# --- a value to the texts of its inputs ---


def typed(kind: Kind, name: str, value: Any) -> Typed:
    """The inputs of a field with their texts, as a browser would send them; `value` is as `RuleSet.to_dict` has it."""
    if isinstance(kind, Optional):
        yield from _optional_typed(kind, name, value)
    elif isinstance(kind, NumberByPlayers) and isinstance(value, list):
        yield from ((f"{name}-{players}", str(number)) for players, number in value)
    elif isinstance(kind, ListOf) and isinstance(kind.item, Entry):
        for place, entry in enumerate(value):
            yield from _parts_typed(kind.item, f"{name}-{place}", entry)
    elif isinstance(kind, ListOf | Ranks):
        yield from ((name, str(item)) for item in value)
    elif isinstance(kind, GameValues):
        yield from ((f"{name}-{card}", str(worth)) for card, worth in value.items())
    elif isinstance(kind, Entry):
        yield from _parts_typed(kind, name, value)
    else:
        yield name, str(value)


def _optional_typed(kind: Optional, name: str, value: Any) -> Typed:
    if value is not None:
        yield from typed(kind.kind, name, value)
    elif isinstance(kind.kind, Entry):
        yield from _parts_typed(kind.kind, name, kind.kind.defaults)
    else:
        yield name, ""


def _parts_typed(kind: Entry, name: str, value: Mapping[str, Any]) -> Typed:
    for part, inner in kind.parts.items():
        yield from typed(inner, f"{name}.{part}", value.get(part, kind.defaults.get(part, "")))


# --- the texts of its inputs to a value ---


def read(kind: Kind, name: str, values: Values) -> Any:
    """A field's value as rules can be made of it, from whatever was sent."""
    if isinstance(kind, Optional):
        return _read_optional(kind, name, values)
    if isinstance(kind, NumberByPlayers):
        return _read_by_players(name, values)
    if isinstance(kind, ListOf) and isinstance(kind.item, Entry):
        return [_read_parts(kind.item, entry, values) for entry in entries(kind.item, name, values)]
    if isinstance(kind, ListOf):
        texts = [text for text in values.getlist(name) if text]
        return [number_or_text(text) for text in texts] if isinstance(kind.item, Number) else texts
    if isinstance(kind, Ranks):
        return "".join(values.getlist(name))
    if isinstance(kind, GameValues):
        return {card: number_or_text(text) for card, text in _under(name, values) if text}
    if isinstance(kind, Entry):
        return _read_parts(kind, name, values)
    text = values.get(name, "")
    return number_or_text(text) if isinstance(kind, Number) else text


def entries(kind: Entry, name: str, values: Values) -> list[str]:
    """The names of a list's entries, as far as they were sent: points-0, points-1."""
    first = next(iter(kind.parts))
    return list(takewhile(lambda entry: f"{entry}.{first}" in values, (f"{name}-{place}" for place in count())))


def _read_optional(kind: Optional, name: str, values: Values) -> Any:
    """Nothing where nothing was typed; of an entry, where its first part is empty."""
    first = f"{name}.{next(iter(kind.kind.parts))}" if isinstance(kind.kind, Entry) else name
    by_players = isinstance(kind.kind, NumberByPlayers) and any(text for _, text in _under(name, values))
    return read(kind.kind, name, values) if values.get(first, "").strip() or by_players else None


def _read_by_players(name: str, values: Values) -> Any:
    """One number, or one for each number of players; the one for all is meant where a number has none of its own."""
    own = {players: number_or_text(text) for players, text in _under(name, values) if text.strip()}
    text = values.get(name, "").strip()
    if not own:
        return number_or_text(text)
    others = [players for players in values.getlist(PLAYERS) if players not in own] if text else []
    return {**own, **dict.fromkeys(others, number_or_text(text))}


def _read_parts(kind: Entry, name: str, values: Values) -> dict[str, Any]:
    return {part: read(inner, f"{name}.{part}", values) for part, inner in kind.parts.items()}


def _under(name: str, values: Values) -> list[tuple[str, str]]:
    """What was sent under a field's name: its players or cards, and the texts."""
    start = f"{name}-"
    return [(key.removeprefix(start), text) for key, text in values.items() if key.startswith(start)]


def number_or_text(text: str) -> int | str:
    """A whole number, with a real minus sign too; anything else as it was typed."""
    plain = text.strip().replace("−", "-")
    digits = plain.removeprefix("-")
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else text


def put_in_order(name: str, values: Values) -> None:
    """Numbers that were tapped, in the order in which the rules had them; the one that is usual goes first."""
    before, first = values.get(f"{name}.order", "").split(), values.get(f"{name}.first", "")
    places = {first: -1} | {text: place for place, text in enumerate(before) if text != first}
    chosen = values.getlist(name)
    set_all(name, sorted(chosen, key=lambda text: places.get(text, len(before))), values)


def set_all(name: str, texts: list[str], values: Values) -> None:
    """Have these texts under a name, or nothing."""
    values.poplist(name)
    for text in texts:
        values.add(name, text)
