"""A game's log in a file: replayed from its beginning, to check that it ends with the hands and can be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.models import KINDS, RECORD, SUBSTITUTE, Facts
from scorekeeper.scoring.problems import Problems
from scorekeeper.services.change_log import NAMES, ChangeLog, Slot, State, apply, only_seats, problem
from scorekeeper.services.hands import TOKEN_LENGTH
from scorekeeper.transfer.fields import LONGEST_TEXT, MOST, Fields


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a hand before and after it, as in models.Change."""

    seq: int
    kind: str
    position: int
    before: Facts | None
    after: Facts | None
    undoes: int | None
    token: str
    by: str | None
    at: datetime


ENTRY_OF_SUBSTITUTES = "next-seats"
KEYS = ("kind", "position", "before", "after", "undoes", "token", "by", "at")


def read_entry(data: object, seq: int, problems: Problems) -> Entry | None:
    at = f"x-log[{seq - 1}]"
    if not isinstance(data, dict):
        problems.add("shape", at, "an entry of the log is an object")
        return None
    fields = Fields(data, problems, at)
    fields.only(KEYS)
    return Entry(
        seq,
        fields.choice("kind", KINDS),
        fields.whole("position", 1, MOST),
        _facts(fields, "before"),
        _facts(fields, "after"),
        None if data.get("undoes") is None else fields.whole("undoes", 1, MOST),
        fields.text("token", TOKEN_LENGTH),
        fields.maybe_text("by", LONGEST_TEXT),
        fields.moment("at"),
    )


def _facts(fields: Fields, key: str) -> Facts | None:
    facts = None if fields.data.get(key) is None else fields.mapping(key)
    if facts and not isinstance(facts.get(NAMES, {}), dict):  # following the log looks into them
        fields.wrong(f"{key}.{NAMES}", "must be names by seat number")
    return facts


def follow(entries: Sequence[Entry], problems: Problems) -> State:
    """The game that a log leads to; the first entry that cannot follow from those before it goes to `problems`."""
    state, log = State(), ChangeLog[Entry]()
    for entry in entries:
        wrong = problem(state, entry) or log.problem(entry)
        if wrong:
            problems.add("log", f"x-log[{entry.seq - 1}]", wrong)
            break
        log.add(entry)
        state = apply(state, entry)
    return state


def written_down(hands: Sequence[Slot], at: datetime) -> list[Entry]:
    """A log for hands that came without one: each was saved, one after another."""
    told = enumerate(hands, 1)
    return [Entry(seq, RECORD, seq, None, slot.facts, None, f"hand-{seq}", None, at) for seq, slot in told]


def with_substitutes(log: Sequence[Entry], length: int, seats: Mapping[str, str], at: datetime) -> list[Entry]:
    """A log written before substitutions were changes, with those for the next hand as its last entry.

    The entry is the same whenever the file is read, so that a game brought in twice is known again.
    """
    position, after = length + 1, only_seats(seats)
    entry = Entry(len(log) + 1, SUBSTITUTE, position, None, after, None, ENTRY_OF_SUBSTITUTES, None, at)
    return [*log, entry]


def without_substitutes(log: Sequence[Entry]) -> Sequence[Entry]:
    """A log as an older file has it: a game that went on from there has no such entry, or one of its own."""
    return log[:-1] if log and log[-1].token == ENTRY_OF_SUBSTITUTES else log


def row(entry: Entry) -> dict[str, Any]:
    """An entry as the columns of its table."""
    return {name: getattr(entry, name) for name in Entry.__slots__}
