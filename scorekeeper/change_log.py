"""A game's log followed: which hands it leads to, who sits down next, and what undo and redo would take back.

Nothing here reads or writes a database. The ledger makes its changes with it, an import checks a file with it, and the
history tells a game with it.

A change says what is at a position before it and after it: a hand, who takes a seat with it (`names` in its facts),
both, or neither. So to undo a change is to make it the other way round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Generic, NamedTuple, Protocol, TypeVar

from scorekeeper.models import CORRECT, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO, Facts

Seats = Mapping[str, str]  # who takes a seat, by the seat's number
NAMES = "names"


class Entry(Protocol):
    """What is read of one entry of a log: of models.Change, or of a file's."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def position(self) -> int: ...
    @property
    def before(self) -> Facts | None: ...
    @property
    def after(self) -> Facts | None: ...
    @property
    def undoes(self) -> int | None: ...


class HasKind(Protocol):
    """As much of an entry as says what undo and redo would take back."""

    @property
    def kind(self) -> str: ...


AnyEntry = TypeVar("AnyEntry", bound=HasKind)


class Slot(NamedTuple):
    """A hand at some moment, and the entry that changed it last (0: it was there before the log)."""

    facts: Facts
    version: int


@dataclass(frozen=True, slots=True)
class State:
    """A game at some moment; `coming` take their seats with its next hand."""

    hands: tuple[Slot, ...] = ()
    coming: Seats = field(default_factory=dict)


# --- what is at a position ----------------------------------------------------------------------------------------


def is_hand(facts: Facts | None) -> bool:
    """Whether a change puts a hand there, or takes one away, and not only seats."""
    return facts is not None and facts.keys() != {NAMES}


def seats_in(facts: Facts | None) -> Seats:
    """Who takes a seat with that hand."""
    seats: Seats = (facts or {}).get(NAMES, {})
    return seats


def only_seats(seats: Seats) -> Facts | None:
    """What is at a position where somebody takes a seat and there is no hand yet."""
    return {NAMES: dict(seats)} if seats else None


def effect(change: Entry) -> str:
    """What a change comes to, whatever its kind: a hand saved, corrected or removed, or a substitution."""
    if is_hand(change.after):
        return CORRECT if is_hand(change.before) else RECORD
    return REMOVE if is_hand(change.before) else SUBSTITUTE


def is_same(one: Facts | None, other: Facts | None) -> bool:
    """Whether two hands are the same to the letter; for Python alone, true is 1."""
    if one != other:
        return False
    # Most are in the same order, too, which is quick to see.
    return repr(one) == repr(other) or json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# --- one change ---------------------------------------------------------------------------------------------------


def apply(state: State, change: Entry) -> State:
    """The game after a change; `problem` says whether it can come next."""
    return _APPLY[effect(change)](state, change)


def _put_in(state: State, change: Entry) -> State:
    """Whoever was waiting for this hand sits down with it; whoever waits for the next one goes on waiting."""
    index, coming = change.position - 1, seats_in(change.before)
    left = {seat: name for seat, name in _seats_at(state, index).items() if coming.get(seat) != name}
    hands = (*state.hands[:index], *_slot(change), *state.hands[index:])
    return _with_seats(State(hands, state.coming), index + 1, left)


def _take_out(state: State, change: Entry) -> State:
    """Whoever keeps a seat although the hand is gone has it from the next hand on."""
    index = change.position - 1
    seats = {**seats_in(change.after), **_seats_at(state, index + 1)}
    return _with_seats(State((*state.hands[:index], *state.hands[index + 1 :]), state.coming), index, seats)


def _correct(state: State, change: Entry) -> State:
    index = change.position - 1
    return State((*state.hands[:index], *_slot(change), *state.hands[index + 1 :]), state.coming)


def _substitute(state: State, change: Entry) -> State:
    return State(state.hands, seats_in(change.after))


_APPLY = {RECORD: _put_in, REMOVE: _take_out, CORRECT: _correct, SUBSTITUTE: _substitute}


def _slot(change: Entry) -> tuple[Slot, ...]:
    return () if change.after is None else (Slot(change.after, change.seq),)


def _seats_at(state: State, index: int) -> Seats:
    """Who takes a seat with the hand at `index`, or, behind the last one, with the next hand."""
    return seats_in(state.hands[index].facts) if index < len(state.hands) else state.coming


def _with_seats(state: State, index: int, seats: Seats) -> State:
    """The same game with other people taking a seat there; that makes the hand no other version."""
    if seats == _seats_at(state, index):
        return state
    if index == len(state.hands):
        return State(state.hands, seats)
    facts, version = state.hands[index]
    facts = {key: value for key, value in facts.items() if key != NAMES} | (only_seats(seats) or {})
    return State((*state.hands[:index], Slot(facts, version), *state.hands[index + 1 :]), state.coming)


def problem(state: State, change: Entry) -> str:
    """Why a change cannot come next, or nothing."""
    if change.before is None and change.after is None:
        return "changes nothing"
    position, kind, length = change.position, effect(change), len(state.hands)
    if kind in (CORRECT, REMOVE):
        is_there = position <= length and is_same(change.before, state.hands[position - 1].facts)
        return "" if is_there else f"hand {position} was not what it says before"
    if position > length + 1 or (kind == SUBSTITUTE and position <= length):
        return f"hand {position} is not the next hand"
    waiting = _seats_at(state, position - 1)
    if kind == SUBSTITUTE:
        is_there = dict(seats_in(change.before)) == dict(waiting)
    else:
        is_there = seats_in(change.before).keys() <= waiting.keys()
    return "" if is_there else f"the players with hand {position} were not who it says before"


# --- all changes --------------------------------------------------------------------------------------------------


FullEntry = TypeVar("FullEntry", bound=Entry)


class ChangeLog(Generic[AnyEntry]):
    """The changes that are in effect, and those undone, each with its undoing; what comes last is first to go."""

    def __init__(self, changes: Iterable[AnyEntry] = ()) -> None:
        self.in_effect: list[AnyEntry] = []
        self.undone: list[tuple[AnyEntry, AnyEntry]] = []
        for change in changes:
            self.add(change)

    def add(self, change: AnyEntry) -> None:
        if change.kind == UNDO:
            self.undone.append((self.in_effect.pop(), change))
        elif change.kind == REDO:
            self.in_effect.append(self.undone.pop()[0])
        else:
            self.in_effect.append(change)
            self.undone.clear()

    @property
    def next_undo(self) -> AnyEntry | None:
        """The change that undo would take back."""
        return self.in_effect[-1] if self.in_effect else None

    @property
    def next_redo(self) -> AnyEntry | None:
        """The change that redo would make again."""
        return self.undone[-1][0] if self.undone else None

    def taken_back_by(self, kind: str) -> AnyEntry | None:
        """The entry that the next undo, or redo, turns round: for a redo that is the undo."""
        return self.next_undo if kind == UNDO else self.undone[-1][1] if self.undone else None

    def problem(self: ChangeLog[FullEntry], change: Entry) -> str:
        """Why an entry cannot come next by its kind, or nothing."""
        if change.kind not in (UNDO, REDO):
            fits = change.kind == effect(change) and change.undoes is None
            return "" if fits else f"before and after do not make a {change.kind}"
        last = self.taken_back_by(change.kind)
        if last is None:
            return f"there is nothing to {change.kind}"
        is_mirror = (last.seq, last.position) == (change.undoes, change.position)
        is_mirror = is_mirror and is_same(last.after, change.before) and is_same(last.before, change.after)
        return "" if is_mirror else f"is not the {change.kind} that was next"


def beginning(now: State, changes: Sequence[Entry]) -> State:
    """The game before its log: hands that came from a program without one."""
    state = now
    for change in reversed(changes):
        state = apply(state, Reverse(change))
    return State(tuple(Slot(slot.facts, 0) for slot in state.hands), state.coming)


def states(first: State, changes: Iterable[Entry]) -> list[State]:
    """The game before the first change and after each."""
    return list(accumulate(changes, apply, initial=first))


class Reverse:
    """A change the other way round."""

    def __init__(self, change: Entry) -> None:
        self.seq, self.kind, self.position, self.undoes = change.seq, change.kind, change.position, change.undoes
        self.before, self.after = change.after, change.before
