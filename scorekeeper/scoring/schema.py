"""The JSON Schema of game records (draft 2020-12), made from the vocabulary of rules and the keys of a record.

A schema says what each value looks like by itself. What depends on the rules, on the table or on another value is for
the reader to say: `SHAPE` are the codes of the problems that a schema finds as well, all others are beyond it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .cards import JOKERS, RANKS, SUITS, UNKNOWN
from .hand_record import DERIVED, HAND_KEYS, MOST_ADJUSTED, MOST_ADJUSTMENTS, MOST_LETTERS, TURNED_UP_SPELLINGS
from .kinds import (
    LEAST_PLAYERS,
    MOST_PLAYERS,
    Entry,
    GameValues,
    Kind,
    ListOf,
    Number,
    NumberByPlayers,
    Optional,
    Ranks,
    Text,
    TrumpOrder,
    Word,
)
from .record import DATE, FORMAT, MOST_AT_START, WITH_UNKNOWN
from .vocabulary import FIELDS, REQUIRED

Schema = dict[str, Any]

# The codes of what the reader refuses by a value's look alone, but for those at `options`, which change other values.
SHAPE = frozenset(
    (
        "shape", "format", "unknown-key", "derived", "not-a-number", "not-a-line", "no-such-card", "no-such-suit",
        "unknown-card", "no-such-rank", "not-yes-or-no", "names", "played", "hands", "options", "rules", "start",
        "too-many-adjustments", "rule-shape", "missing-rule", "rule-value", "unknown-rule",
    )
)  # fmt: skip
END = r"$(?!\n)"  # the end of a text, and not before a line end at its end
SEAT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_PLAYERS}
SEAT_KEY = rf"^(?:[1-9]|1[0-2]){END}"
SIDE: Schema = {"type": ["string", "integer"], "description": "a side, or a seat that means its side"}
CARD_PATTERN = rf"(?:10|[{RANKS}])[{SUITS}]|{'|'.join(JOKERS)}"
CARD: Schema = {"type": "string", "pattern": f"^(?:{CARD_PATTERN}){END}"}
CARD_OR_UNKNOWN: Schema = {"type": "string", "pattern": f"^(?:{CARD_PATTERN}|{UNKNOWN}){END}"}
OWN_KEYS: Schema = {"^x-": {}}  # whatever another program keeps there
CONTROLS = "[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]"


def text() -> str:
    """The schema as JSON."""
    return json.dumps(schema(), indent=2) + "\n"


def schema() -> Schema:
    """The schema of a game record, ready for JSON.

    >>> schema()["properties"]["hands"]["items"]
    {'$ref': '#/$defs/hand'}
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game of Setback (Pitch): setback-game/1 and setback-game/1.1",
        **_object(_record_keys(), ("format", "rules", "hands")),
        "if": {"properties": {"format": {"const": WITH_UNKNOWN}}},
        "else": {"properties": {"hands": {"items": {"properties": {"tricks": _list(_trick(CARD))}}}}},
        "$defs": {"hand": _object(_hand_keys()), "rules": rule_set()},
    }


def _object(properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    """An object of these keys, and any that begin with `x-`."""
    needs: Schema = {"required": list(required)} if required else {}
    return {
        "type": "object",
        "properties": properties,
        **needs,
        "patternProperties": OWN_KEYS,
        "additionalProperties": False,
    }


def _list(item: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": item, **more}


def _map(value: Schema) -> Schema:
    """An object of values of one kind, under any names."""
    return {"type": "object", "additionalProperties": value}


def _or_null(kind: Schema) -> Schema:
    return {"anyOf": [{"type": "null"}, kind]}


# --- a record ---------------------------------------------------------------------------------------------------


def _record_keys() -> Schema:
    score = {"type": "integer", "minimum": -MOST_AT_START, "maximum": MOST_AT_START}
    day = {"type": "string", "pattern": f"^(?:{DATE.pattern.replace(chr(92) + 'd', '[0-9]')}){END}"}
    return {
        "format": {"enum": [FORMAT, WITH_UNKNOWN]},
        "rules": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/rules"}]},
        "options": {"type": "object", "properties": _options()},
        "players": {"type": "integer"},
        "teams": {"type": "integer"},
        "names": _or_null(_list({"type": "string", "minLength": 1})),
        "start": _or_null(_map(score)),
        "played": _or_null(day),
        "hands": _list({"$ref": "#/$defs/hand"}),
    }


def _hand_keys() -> Schema:
    bid: Schema = {"type": ["integer", "string"], "description": "a number, the name of a special, or pass"}
    counts = _map({"type": "integer", "minimum": 0})
    rank: Schema = {"enum": list(TURNED_UP_SPELLINGS)}
    keys: Schema = {
        "dealer": SEAT,
        "bids": _list(_object({"seat": SEAT, "bid": bid}, ("seat", "bid"))),
        "bidder": SEAT,
        "bid": bid,
        "trump": {"enum": list(SUITS)},
        "turned_up": {"anyOf": [rank, _list(rank, minItems=1)]},
        "gift": {"type": "boolean"},
        "misdeal": {"type": "boolean"},
        "called": CARD,
        "partner": _or_null(SEAT),
        "buried": _list(CARD),
        "tricks": _list(_trick(CARD_OR_UNKNOWN)),
        "piles": _map(_list(CARD)),
        "claims": _map(_or_null(SIDE)),
        "game_counts": counts,
        "low_by": SIDE,
        "high_by": SIDE,
        "played_by": _map(SIDE),
        "sweep": SIDE,
        "tricks_won": _map(SIDE),
        "names": _seat_names(),
        "note": _line(),
        "adjustments": _list(_adjustment(), maxItems=MOST_ADJUSTMENTS),
    }
    assert keys.keys() == HAND_KEYS and not HAND_KEYS & DERIVED  # noqa: S101
    return keys


def _trick(card: Schema) -> Schema:
    keys = {"lead": SEAT, "cards": _list(card), "seats": _list(SEAT, minItems=1)}
    if card is CARD:
        return _object(keys, ("cards",))
    trick = _object({**keys, "won": SEAT}, ("cards",))
    return {**trick, "dependentSchemas": {"won": {"properties": {"cards": {"contains": {"const": UNKNOWN}}}}}}


def _seat_names() -> Schema:
    name = {"type": "string", "minLength": 1}
    return {"type": "object", "patternProperties": {SEAT_KEY: name}, "additionalProperties": False}


def _line() -> Schema:
    """One line of text, not blank."""
    line: Schema = {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS, "pattern": r"\S"}
    return {**line, "not": {"pattern": CONTROLS}}


def _adjustment() -> Schema:
    points = {"type": "integer", "minimum": -MOST_ADJUSTED, "maximum": MOST_ADJUSTED, "not": {"const": 0}}
    keys = ("unit", "points", "reason")
    return _object({"unit": {"type": "string"}, "points": points, "reason": _line()}, keys)


# --- rules ------------------------------------------------------------------------------------------------------


def rule_set() -> Schema:
    """A complete rule set: every field of the vocabulary, each with what it means and its default."""
    sections: Schema = {}
    needed: dict[str, list[str]] = {}
    for name in FIELDS:
        section, _, inner = name.rpartition(".")
        sections.setdefault(section, {})[inner] = _field(name)
        if FIELDS[name].default is REQUIRED:
            needed.setdefault(section, []).append(inner)
    top = sections.pop("")
    top |= {name: _object(fields, tuple(needed.get(name, ()))) for name, fields in sections.items()}
    return _object(top, (*needed.pop("", []), *needed))


def _field(name: str) -> Schema:
    field = FIELDS[name]
    default = {} if field.default is REQUIRED else {"default": json.loads(json.dumps(field.default))}
    return {"description": field.meaning, **default, **kind_schema(field.kind)}


def _options() -> Schema:
    """Single fields by their dotted names; those that other options reach into are for the reader to check."""
    plain = {name: _field(name) for name, field in FIELDS.items() if _is_plain(field.kind)}
    return plain | {"id": False, "source": False}


def _is_plain(kind: Kind) -> bool:
    if isinstance(kind, Optional):
        return _is_plain(kind.kind)
    if isinstance(kind, ListOf):
        return _is_plain(kind.item)
    return not isinstance(kind, Entry | NumberByPlayers | GameValues)


def kind_schema(kind: Kind) -> Schema:
    """What a kind of value looks like.

    >>> kind_schema(Number(2, 12))
    {'type': 'integer', 'minimum': 2, 'maximum': 12}
    """
    return _KINDS[type(kind)](kind)


def _list_of(kind: ListOf) -> Schema:
    unique = {} if isinstance(kind.item, Entry) else {"uniqueItems": True}
    return _list(kind_schema(kind.item), minItems=0 if kind.empty else 1, **unique)


def _entry(kind: Entry) -> Schema:
    properties = {key: kind_schema(part) for key, part in kind.parts.items()}
    required = [key for key in kind.parts if key not in kind.defaults]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _by_players(kind: NumberByPlayers) -> Schema:
    number = kind_schema(Number(kind.low, kind.high))
    players = {
        "anyOf": [
            {"type": "integer", "minimum": LEAST_PLAYERS, "maximum": MOST_PLAYERS},
            {"pattern": _PLAYERS, "type": "string"},
        ]
    }
    pair = {"type": "array", "prefixItems": [players, number], "minItems": 2, "maxItems": 2}
    by_name = {"patternProperties": {_PLAYERS: number}, "additionalProperties": False}
    return {"anyOf": [number, {"type": "object", "minProperties": 1, **by_name}, _list(pair, minItems=1)]}


_PLAYERS = rf"^(?:[2-9]|1[0-2]){END}"


def _order(kind: TrumpOrder) -> Schema:
    name = f"(?:{'|'.join(sorted(kind.names, key=len, reverse=True))})"
    twice = r"(?!.*(?:^|\s)(\S+)\s(?:.*\s)?\1(?:\s|$))"
    return {"type": "string", "pattern": rf"^{twice}\s*{name}(?:\s+{name})*\s*{END}"}


def _game_values(kind: GameValues) -> Schema:
    return {**_map(kind_schema(Number(kind.low, kind.high))), "propertyNames": {"enum": list(kind.names)}}


_KINDS: dict[type, Callable[[Any], Schema]] = {
    Number: lambda kind: {"type": "integer", "minimum": kind.low, "maximum": kind.high},
    Word: lambda kind: {"enum": list(kind.words)},
    Text: lambda _: {"type": "string"},
    ListOf: _list_of,
    Entry: _entry,
    Optional: lambda kind: {"anyOf": [{"enum": [None, False]}, kind_schema(kind.kind)]},
    NumberByPlayers: _by_players,
    Ranks: lambda kind: {"type": "string", "minLength": 1, "pattern": f"^{'?'.join(kind.letters)}?{END}"},
    TrumpOrder: _order,
    GameValues: _game_values,
}
