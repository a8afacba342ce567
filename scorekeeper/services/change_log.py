"""Replay of a game's change log: the hands it leads to, pending substitutes, and what undo and redo would revert.

Pure functions without database access, used by services/hands.py to make changes, by imports to check a file, and by
the history page.

A change holds what is at a position before and after it: a hand, substitutes who sit down with it (`names` in its
facts), both, or neither. So undoing a change means swapping the two.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from scorekeeper.models import CORRECT, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO, Change, Facts
from scorekeeper.scoring.hand_facts import facts_where

Seats = Mapping[str, str]  # substitutes' names by seat number
NAMES: Final = "names"


class Entry(NamedTuple):
    """A log entry as read from a file: the columns of models.Change."""

    seq: int
    kind: str
    position: int
    before: Facts | None
    after: Facts | None
    undoes: int | None
    token: str
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A change that is not saved yet."""

    position: int
    before: Facts | None
    after: Facts | None
    seq: int = 0
    undoes: int | None = None
    made_by: str = ""  # UNDO, REDO or ""

    @property
    def kind(self) -> str:
        return self.made_by or effect(self)


AnyEntry = Change | Entry | PlannedChange


class HasKind(Protocol):
    """The part of an entry that undo and redo need."""

    @property
    def kind(self) -> str: ...


EntryT = TypeVar("EntryT", bound=HasKind)


class Slot(NamedTuple):
    """A hand at some moment, and the `seq` of the entry that changed it last (0: it is older than the log)."""

    facts: Facts
    version: int


@dataclass(frozen=True, slots=True)
class State:
    """A game at some moment; `pending` are the substitutes for its next hand."""

    hands: tuple[Slot, ...] = ()
    pending: Seats = field(default_factory=dict)


# --- the contents of a position -----------------------------------------------------------------------------------


def is_hand(facts: Facts | None) -> bool:
    """True if `facts` describe a hand, and not only substitutes."""
    return facts is not None and facts.keys() != {NAMES}


def seats_in(facts: Facts | None) -> Seats:
    """Return the substitutes who sit down with the hand `facts`."""
    return (facts or {}).get(NAMES, {})


def pending_facts(seats: Seats) -> Facts | None:
    """Return the contents of a position that has substitutes but no hand yet; None without substitutes."""
    return {NAMES: dict(seats)} if seats else None


def with_seats(facts: Facts, seats: Seats) -> Facts:
    """Return the hand `facts` with other substitutes."""
    return facts_where(facts, lambda key, _: key != NAMES) | (pending_facts(seats) or {})


def effect(change: AnyEntry) -> str:
    """Return the kind of a change by what it does, also of an undo: RECORD, CORRECT, REMOVE or SUBSTITUTE."""
    if is_hand(change.after):
        return CORRECT if is_hand(change.before) else RECORD
    return REMOVE if is_hand(change.before) else SUBSTITUTE


def is_same(one: Facts | None, other: Facts | None) -> bool:
    """Compare two hands exactly: unlike in Python, true is not equal to 1."""
    if one != other:
        return False
    # Fast path: in most cases the keys have the same order.
    return repr(one) == repr(other) or json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# --- one change ---------------------------------------------------------------------------------------------------


def apply(state: State, change: AnyEntry) -> State:
    """Return the game after a change; `problem` says whether the change is valid."""
    kind, index, hands = effect(change), change.position - 1, list(state.hands)
    if kind == SUBSTITUTE:
        return State(state.hands, seats_in(change.after))
    slot = Slot(change.after or {}, change.seq)
    if kind == CORRECT:
        hands[index] = slot
        return State(tuple(hands), state.pending)
    if kind == RECORD:  # substitutes in `before` sit down with the new hand; all others stay pending
        coming = seats_in(change.before)
        seats: Seats = {seat: name for seat, name in _seats_at(state, index).items() if coming.get(seat) != name}
        hands.insert(index, slot)
        index += 1
    else:  # substitutes of the removed hand, if kept, sit down with the following one
        seats = {**seats_in(change.after), **_seats_at(state, index + 1)}
        del hands[index]
    return _with_seats(State(tuple(hands), state.pending), index, seats)


def _seats_at(state: State, index: int) -> Seats:
    """Return the substitutes who sit down with the hand at `index`; past the last hand, with the next one."""
    return seats_in(state.hands[index].facts) if index < len(state.hands) else state.pending


def _with_seats(state: State, index: int, seats: Seats) -> State:
    """Return the game with other substitutes at `index`, without changing the hand's version."""
    if seats == _seats_at(state, index):
        return state
    if index == len(state.hands):
        return State(state.hands, seats)
    facts, version = state.hands[index]
    return State(
        (*state.hands[:index], Slot(with_seats(facts, seats), version), *state.hands[index + 1 :]), state.pending
    )


def problem(state: State, change: AnyEntry) -> str:
    """Return why a change cannot be applied to `state`; "" if it can."""
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


class ChangeLog(Generic[EntryT]):
    """Two stacks: the changes in effect, and the undone changes, each with its undo entry."""

    def __init__(self, changes: Iterable[EntryT] = ()) -> None:
        self.in_effect: list[EntryT] = []
        self.undone: list[tuple[EntryT, EntryT]] = []
        for change in changes:
            self.add(change)

    def add(self, change: EntryT) -> None:
        if change.kind == UNDO:
            self.undone.append((self.in_effect.pop(), change))
        elif change.kind == REDO:
            self.in_effect.append(self.undone.pop()[0])
        else:
            self.in_effect.append(change)
            self.undone.clear()

    @property
    def next_undo(self) -> EntryT | None:
        """The change that undo would revert."""
        return self.in_effect[-1] if self.in_effect else None

    @property
    def next_redo(self) -> EntryT | None:
        """The change that redo would apply again."""
        return self.undone[-1][0] if self.undone else None

    def reversed_by(self, kind: str) -> EntryT | None:
        """The entry that the next undo or redo reverses; for a redo, the undo entry itself."""
        return self.next_undo if kind == UNDO else self.undone[-1][1] if self.undone else None

    def problem(self: ChangeLog[Entry], change: AnyEntry) -> str:
        """Return why an entry does not fit its kind here; "" if it does."""
        if change.kind not in (UNDO, REDO):
            fits = change.kind == effect(change) and change.undoes is None
            return "" if fits else f"before and after do not make a {change.kind}"
        last = self.reversed_by(change.kind)
        if last is None:
            return f"there is nothing to {change.kind}"
        is_mirror = (last.seq, last.position) == (change.undoes, change.position)
        is_mirror = is_mirror and is_same(last.after, change.before) and is_same(last.before, change.after)
        return "" if is_mirror else f"is not the {change.kind} that was next"


def state_before_log(now: State, changes: Sequence[AnyEntry]) -> State:
    """Return the game before its log, which has hands only if it came from a program without a log."""
    state = now
    for change in reversed(changes):
        state = apply(state, PlannedChange(change.position, change.after, change.before, change.seq))
    return State(tuple(Slot(slot.facts, 0) for slot in state.hands), state.pending)


def states(first: State, changes: Iterable[AnyEntry]) -> list[State]:
    """Return the game before the first change and after each."""
    return list(accumulate(changes, apply, initial=first))


# --- selected changes reverted, wherever they are in the log ------------------------------------------------------


class HandHistory:
    """The history of one hand (kept after removal), or of the pending substitutes."""

    def __init__(self, facts: Facts | None) -> None:
        self.facts = facts
        self.changes: list[AnyEntry] = []

    def without(self, selected: Collection[int]) -> Facts | None:
        """Return the hand without the selected changes at the end of its history."""
        last = _last(self.changes, selected)
        if not last:
            return self.facts
        was = _hand(last[0].before)
        return was and with_seats(was, seats_in(self.facts if _keeps_substitutes(last) else last[0].before))

    def blocks_reverting(self, selected: Collection[int]) -> bool:
        """True if another change follows a selected one and does anything but revert it."""
        before: Facts | None = None
        ours = False
        for change in self.changes[: len(self.changes) - len(_last(self.changes, selected))]:
            if change.seq in selected:
                before = before if ours else _hand(change.before)
                ours = True
            elif ours:
                if not is_same(_hand(change.after), before):
                    return True
                ours = False
        return False

    def seats_before(self, selected: Collection[int]) -> Seats:
        """Return the substitutes pending for this hand before the selected changes at the end of its history."""
        last = _last(self.changes, selected)
        return {} if not last or is_hand(last[0].before) else seats_in(last[0].before)


def _last(changes: Sequence[AnyEntry], selected: Collection[int]) -> Sequence[AnyEntry]:
    """Return the selected changes after the last change that is not selected."""
    theirs = max((at for at, change in enumerate(changes, 1) if change.seq not in selected), default=0)
    return changes[theirs:]


def _hand(facts: Facts | None) -> Facts | None:
    return facts if is_hand(facts) else None


def _keeps_substitutes(changes: Sequence[AnyEntry]) -> bool:
    """True if these changes of a hand left its substitutes alone, so that it keeps its present ones."""
    return is_hand(changes[-1].after) and dict(seats_in(changes[0].before)) == dict(seats_in(changes[-1].after))


def hand_histories(now: State, changes: Sequence[AnyEntry]) -> list[HandHistory]:
    """Return the histories of all present and removed hands of a game, in order of position."""
    state = state_before_log(now, changes)
    found = [HandHistory(slot.facts) for slot in state.hands]
    by_seq: dict[int | None, HandHistory] = {}
    for change in changes:
        state = apply(state, change)
        if effect(change) == SUBSTITUTE:
            continue
        there = [one for one in found if one.facts is not None]
        place = _place_of(found, there, change, by_seq) if effect(change) == RECORD else there[change.position - 1]
        place.changes.append(change)
        place.facts, by_seq[change.seq] = _hand(change.after), place
        for one, slot in zip((one for one in found if one.facts is not None), state.hands, strict=True):
            one.facts = slot.facts  # a substitution may have moved on to this hand
    return found


def _place_of(
    found: list[HandHistory], there: Sequence[HandHistory], change: AnyEntry, by_seq: Mapping[int | None, HandHistory]
) -> HandHistory:
    """Return the place of an inserted hand: that of a removed hand that comes back, or a new one."""
    index = change.position - 1
    first = found.index(there[index - 1]) + 1 if index else 0
    last = found.index(there[index]) if index < len(there) else len(found)
    gone = found[first:last]
    if (same := by_seq.get(change.undoes)) in gone and same is not None:
        return same
    for one in gone:
        if one.changes and is_same(_hand(one.changes[-1].before), change.after):
            return one
    found.insert(last, new := HandHistory(None))
    return new


class Plan(NamedTuple):
    """Changes that revert others, and the hands (0: substitutes) where a later change by others prevents it."""

    changes: list[PlannedChange]
    after: State
    in_the_way: list[int]


def plan_reverting(now: State, changes: Sequence[AnyEntry], selected: Collection[int]) -> Plan:
    """Plan the changes that revert the selected ones and keep all others."""
    planned: list[PlannedChange] = []
    in_the_way: list[int] = []
    state, position = now, 1
    for place in hand_histories(now, changes):
        if place.blocks_reverting(selected):
            in_the_way.append(position)
        wanted = place.without(selected)
        if not is_same(place.facts, wanted):
            if place.facts is None:  # substitutes of a hand that comes back: those who are pending now
                waiting = _seats_at(state, position - 1)
                seats: Seats = {seat: name for seat, name in seats_in(wanted).items() if waiting.get(seat) == name}
            else:
                seats = place.seats_before(selected)
            before, after = place.facts or pending_facts(seats), wanted or pending_facts(seats)
            planned.append(PlannedChange(position, before, after))
            state = apply(state, planned[-1])
        position += wanted is not None
    last = _last([change for change in changes if effect(change) == SUBSTITUTE], selected)
    made, was = seats_in(last[-1].after if last else None), seats_in(last[0].before if last else None)
    if dict(state.pending) == dict(made) != dict(was):
        planned.append(PlannedChange(len(state.hands) + 1, pending_facts(made), pending_facts(was)))
        state = apply(state, planned[-1])
    elif last and any(change.seq not in selected and _are_seated(change, made, last[-1].seq) for change in changes):
        in_the_way.append(0)
    return Plan(planned, state, in_the_way)


def _are_seated(change: AnyEntry, seats: Seats, since: int) -> bool:
    """True if the substitutes `seats` have sat down with a hand recorded after `since`."""
    sat_down = seats_in(change.before) if effect(change) == RECORD and change.seq > since else {}
    return bool(seats) and seats.items() <= sat_down.items()
