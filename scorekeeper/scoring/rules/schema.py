"""The JSON Schema of game records (draft 2020-12), generated from the fields of rules and the keys of a record.

A schema validates each value by itself. Whatever depends on the rules, the table or another value is checked by the
reader only: `SHAPE` are the codes of the problems that the schema finds too.
"""

from __future__ import annotations

import json

from scorekeeper.scoring.cards import JOKERS, RANKS, SUITS, UNKNOWN
from scorekeeper.scoring.record import (
    DATE,
    DERIVED,
    FORMAT,
    HAND_KEYS,
    MOST_ADJUSTED,
    MOST_ADJUSTMENTS,
    MOST_AT_START,
    MOST_LETTERS,
    TURNED_UP_SPELLINGS,
    WITH_UNKNOWN,
)

from .fields import FIELDS
from .kinds import CONTROLS, END, MOST_PLAYERS, REQUIRED, Schema
from .words import WORDS

SEAT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_PLAYERS}
SEAT_KEY = rf"^(?:[1-9]|1[0-2]){END}"
SIDE: Schema = {"type": ["string", "integer"], "description": "a side, or a seat that means its side"}
CARD_PATTERN = rf"(?:10|[{RANKS}])[{SUITS}]|{'|'.join(JOKERS)}"
CARD: Schema = {"type": "string", "pattern": f"^(?:{CARD_PATTERN}){END}"}
CARD_OR_UNKNOWN: Schema = {"type": "string", "pattern": f"^(?:{CARD_PATTERN}|{UNKNOWN}){END}"}
EXTENSION_KEYS: Schema = {"^x-": {}}  # kept for other programs


def text() -> str:
    """The schema as JSON."""
    return json.dumps(schema(), indent=2) + "\n"


def schema() -> Schema:
    """The schema of a game record, ready for JSON.

    >>> schema()["properties"]["hands"]["items"]
    {'$ref': '#/$defs/hand'}
    """
    score = {"type": "integer", "minimum": -MOST_AT_START, "maximum": MOST_AT_START}
    day = {"type": "string", "pattern": f"^(?:{DATE.pattern.replace(chr(92) + 'd', '[0-9]')}){END}"}
    # Fields that other options reach into are checked by the reader.
    options: Schema = {name: _field(name) for name, field in FIELDS.items() if field.kind.is_plain}
    options |= {"id": False, "source": False}
    keys: Schema = {
        "format": {"enum": [FORMAT, WITH_UNKNOWN]},
        "rules": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/rules"}]},
        "options": {"type": "object", "properties": options},
        "players": {"type": "integer"},
        "teams": {"type": "integer"},
        "names": _or_null(_list({"type": "string", "minLength": 1})),
        "start": _or_null(_map(score)),
        "played": _or_null(day),
        "hands": _list({"$ref": "#/$defs/hand"}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game of Setback (Pitch): setback-game/1 and setback-game/1.1",
        **_object(keys, ("format", "rules", "hands")),
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
        "patternProperties": EXTENSION_KEYS,
        "additionalProperties": False,
    }


def _list(item: Schema, **more: object) -> Schema:
    return {"type": "array", "items": item, **more}


def _map(value: Schema) -> Schema:
    """An object of values of one kind, under any names."""
    return {"type": "object", "additionalProperties": value}


def _or_null(kind: Schema) -> Schema:
    return {"anyOf": [{"type": "null"}, kind]}


# --- a record ---------------------------------------------------------------------------------------------------


def _hand_keys() -> Schema:
    bid: Schema = {"type": ["integer", "string"], "description": "a number, the name of a special, or pass"}
    counts = _map({"type": "integer", "minimum": 0})
    points = {"type": "integer", "minimum": -MOST_ADJUSTED, "maximum": MOST_ADJUSTED, "not": {"const": 0}}
    adjustment = {"unit": {"type": "string"}, "points": points, "reason": _line()}
    names = {SEAT_KEY: {"type": "string", "minLength": 1}}
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
        "names": {"type": "object", "patternProperties": names, "additionalProperties": False},
        "note": _line(),
        "adjustments": _list(_object(adjustment, tuple(adjustment)), maxItems=MOST_ADJUSTMENTS),
    }
    assert keys.keys() == HAND_KEYS and not HAND_KEYS & DERIVED  # noqa: S101
    return keys


def _trick(card: Schema) -> Schema:
    keys = {"lead": SEAT, "cards": _list(card), "seats": _list(SEAT, minItems=1)}
    if card is CARD:
        return _object(keys, ("cards",))
    trick = _object({**keys, "won": SEAT}, ("cards",))
    return {**trick, "dependentSchemas": {"won": {"properties": {"cards": {"contains": {"const": UNKNOWN}}}}}}


def _line() -> Schema:
    """One line of text, not blank."""
    line: Schema = {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS, "pattern": r"\S"}
    return {**line, "not": {"pattern": CONTROLS}}


# --- rules ------------------------------------------------------------------------------------------------------


def rule_set() -> Schema:
    """A complete rule set: every field with its meaning and default."""
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
    return {"description": WORDS[name].meaning, **default, **field.kind.schema()}
