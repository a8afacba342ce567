"""A game's log as a file tells it: followed from its beginning, so that it leads to the hands and can be undone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from scorekeeper.ledger import TOKEN_LENGTH
from scorekeeper.models import CORRECT, KINDS, RECORD, REDO, REMOVE, UNDO, Facts
from scorekeeper.scoring.problems import Problems

from .fields import LONGEST_TEXT, MOST, Fields


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


class Standing(NamedTuple):
    """A hand that stands, and the entry that changed it last."""

    facts: Facts
    version: int


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
    return None if fields.data.get(key) is None else fields.mapping(key)


class LogReplay:
    """Follows a log, entry by entry; `hands` is what stands after the last one."""

    def __init__(self) -> None:
        self.hands: list[Standing] = []
        self._standing: list[Entry] = []
        self._undone: list[tuple[Entry, Entry]] = []  # each with its undoing

    def follow(self, entries: Sequence[Entry], problems: Problems) -> None:
        """What cannot follow from what came before goes to `problems`; the rest of the log is not looked at then."""
        for entry in entries:
            wrong = self._wrong(entry)
            if wrong:
                problems.add("log", f"x-log[{entry.seq - 1}]", wrong)
                return
            self._remember(entry)
            self._change(entry)

    def _wrong(self, entry: Entry) -> str:
        """Why an entry cannot come next; empty when it can."""
        if entry.before is None and entry.after is None:
            return "changes nothing"
        here = self.hands[entry.position - 1].facts if entry.position <= len(self.hands) else None
        if entry.before is not None and not (here and is_same(entry.before, here)):
            return f"hand {entry.position} was not what it says before"
        if entry.before is None and entry.position > len(self.hands) + 1:
            return f"there is no hand before hand {entry.position}"
        return self._wrong_kind(entry)

    def _wrong_kind(self, entry: Entry) -> str:
        if entry.kind not in (UNDO, REDO):
            is_so = {RECORD: entry.before is None, REMOVE: entry.after is None}
            is_so[CORRECT] = entry.before is not None and entry.after is not None
            fits = is_so[entry.kind] and entry.undoes is None
            return "" if fits else f"a hand before and after it do not make a {entry.kind}"
        last = self._taken_back(entry.kind)
        if last is None:
            return f"there is nothing to {entry.kind}"
        is_mirror = (last.seq, last.position) == (entry.undoes, entry.position)
        is_mirror = is_mirror and is_same(last.after, entry.before) and is_same(last.before, entry.after)
        return "" if is_mirror else f"is not the {entry.kind} that was next"

    def _taken_back(self, kind: str) -> Entry | None:
        """The entry that undo or redo takes back."""
        if kind == UNDO:
            return self._standing[-1] if self._standing else None
        return self._undone[-1][1] if self._undone else None

    def _remember(self, entry: Entry) -> None:
        if entry.kind == UNDO:
            self._undone.append((self._standing.pop(), entry))
        elif entry.kind == REDO:
            self._standing.append(self._undone.pop()[0])
        else:
            self._standing.append(entry)
            self._undone.clear()

    def _change(self, entry: Entry) -> None:
        index = entry.position - 1
        stands = [] if entry.after is None else [Standing(entry.after, entry.seq)]
        gone = 0 if entry.before is None else 1
        self.hands[index : index + gone] = stands


def is_same(one: Facts | None, other: Facts | None) -> bool:
    """Whether two hands are the same to the letter; for Python alone, true is 1."""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def row(entry: Entry) -> dict[str, Any]:
    """An entry as the columns of its table."""
    return {name: getattr(entry, name) for name in Entry.__slots__}
