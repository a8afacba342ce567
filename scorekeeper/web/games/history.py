"""The history of a game: every change of a hand as a sentence, with author, time, and the hand before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import CORRECT, REMOVE, SUBSTITUTE, Change, Game, Season, seated
from scorekeeper.scoring.game import Game as GameFacts
from scorekeeper.scoring.game import GameScore, replay
from scorekeeper.scoring.record import read_hand
from scorekeeper.services import links
from scorekeeper.services.change_log import Slot, State, effect, is_hand, state_before_log, states
from scorekeeper.web.common.fields import parse_number
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.scope import find_game, may, render, scoped
from scorekeeper.web.common.words import all_are

from . import messages as say
from .messages import FactLine, HandDescription

CHANGES_ON_A_PAGE = 50
MOST_SCORED = 10_000  # hands scored per page; correcting hand 1 of a game of 2,000 hands rescores all of them
MOST_IN_A_MESSAGE = 3
MOST_TOLD = 10  # most recent changes listed on the conflict page
bp = scoped(Blueprint("history", __name__))


@bp.get("/c/<key>/games/<int:number>/history")
def show(number: int) -> ResponseReturnValue:
    game = find_game(number)
    before = parse_number(request.args.get("before", ""))
    history = History(game, links.labels_in(game.id) if may("links.grant") else {})
    page = history.page(game.version + 1 if before is None else before)
    return render("games/history.html", game=game, history=history, page=page)


class Step(NamedTuple):
    """A change with the game's state before and after.

    `effect` is what it does, such as saving a hand (change_log.py).
    """

    change: Change
    before: State
    after: State
    effect: str


class DescribedChange(NamedTuple):
    """A change as displayed: sentence, and the lines of the hand before and after with their titles."""

    seq: int
    who: str
    at: datetime
    said: str
    sides: list[tuple[str, list[FactLine]]]

    @property
    def differs(self) -> set[str]:
        """Names of the lines that differ before and after."""
        if len(self.sides) < 2:
            return set()
        (_, before), (_, after) = self.sides
        return {line.name for line in set(before) ^ set(after)}

    def __str__(self) -> str:
        return f"{self.who}: {self.said}"


class Page(NamedTuple):
    """A page of the history, newest first; `earlier` is the first change number of the next page, or None."""

    entries: list[DescribedChange]
    earlier: int | None


class RunningScore:
    """Scores the successive states of a game incrementally: usually only one hand differs.

    `scored` counts the hands scored. Slots are compared by identity, since states of one log share them.
    """

    def __init__(self, game: Game) -> None:
        self.scored = 0
        self._slots: Sequence[Slot] = ()
        self._facts = GameFacts(game.table, start=game.start)
        self._score = replay(self._facts)

    def after(self, slots: Sequence[Slot]) -> GameScore:
        """Score the game after these hands. Raises Refused if a hand that counts cannot be scored."""
        pairs = enumerate(zip(slots, self._slots, strict=False))
        same = next((index for index, (one, other) in pairs if one is not other), min(len(slots), len(self._slots)))
        if not same == len(slots) == len(self._slots):
            more = [read_hand(slot.facts, self._facts.table) for slot in slots[same:]]
            self.scored += len(more)
            known = (*self._score.hands, *self._score.beyond)[:same]
            facts = self._facts._replace(hands=(*self._facts.hands[:same], *more))
            self._score = replay(facts, known)
            self._slots, self._facts = slots, facts
        return self._score


class History:
    """Describes all changes of a game. `labels` has the labels of links by id, if the reader may see them."""

    def __init__(self, game: Game, labels: Mapping[int, str] = MappingProxyType({})) -> None:
        self.game, self.table = game, game.table
        self._labels = labels
        self._running = RunningScore(game)

    @cached_property
    def steps(self) -> list[Step]:
        """All changes with the hands before and after, oldest first."""
        return self._steps(self.game.changes)

    def _steps(self, changes: Sequence[Change]) -> list[Step]:
        """Steps for the latest `changes`."""
        now = State(tuple(Slot(hand.facts, hand.version) for hand in self.game.hands), self.game.next_seats)
        around = pairwise(states(state_before_log(now, changes), changes))
        return [Step(change, *both, effect(change)) for change, both in zip(changes, around, strict=True)]

    # --- selections ---

    def page(self, until: int) -> Page:
        """Changes with numbers below `until`, newest first. Loads only what the page needs."""
        mine = select(Change).where(Change.game_id == self.game.id).order_by(Change.seq)
        since = min(until, self.game.version + 1) - CHANGES_ON_A_PAGE - 1
        steps = self._steps(db.session.scalars(mine.where(Change.seq >= since)).all())
        shown = [step for step in reversed(steps) if step.change.seq < until]
        entries: list[DescribedChange] = []
        for step in shown[:CHANGES_ON_A_PAGE]:
            if entries and self._running.scored > MOST_SCORED:
                break
            entries.append(self.entry(step))
        return Page(entries, entries[-1].seq if len(shown) > len(entries) else None)

    def since(self, version: int) -> list[DescribedChange]:
        """Changes after `version` of the game, oldest first; at most the latest 10."""
        return self._latest([step for step in self.steps if step.change.seq > version])

    def of_hand(self, version: int) -> list[DescribedChange]:
        """Later changes of the hand that change `version` made, oldest first; at most the latest 10."""
        made, told = {version}, []
        for step in self.steps:
            change = step.change  # it replaces the hand made by another change, or undoes one
            replaced = step.before.hands[change.position - 1].version if is_hand(change.before) else None
            if made & {replaced, change.undoes}:
                made.add(change.seq)
                told.append(step)
        return self._latest(told)

    def _latest(self, steps: Sequence[Step]) -> list[DescribedChange]:
        return [self.entry(step) for step in steps[-MOST_TOLD:]]

    def entry_at(self, version: int) -> list[DescribedChange]:
        """The change with this number."""
        return [self.entry(step) for step in self.steps if step.change.seq == version]

    # --- one change in words ---

    def entry(self, step: Step) -> DescribedChange:
        change, position = step.change, step.change.position
        # `after` first: on a page, this entry's `before` is the next entry's `after`.
        after, before = self._running.after(step.after.hands), self._running.after(step.before.hands)
        who = say.on_phone(change.by, self._labels.get(change.link_id or 0))
        if step.effect == SUBSTITUTE:
            said = say.substitution_said(change, self._names(step.before))
            return DescribedChange(change.seq, who, change.at, said, [])
        # With the names of those who played that hand.
        there = step.before if step.effect == REMOVE else step.after
        description = HandDescription(self.table, self._names(there, position))
        said = self._sentence(step, description, before, after)
        both = (("before", change.before), ("after", change.after))
        sides = [(title, description.lines(facts)) for title, facts in both if facts is not None and is_hand(facts)]
        return DescribedChange(change.seq, who, change.at, f"{said}.", sides)

    def _names(self, state: State, hands: int | None = None) -> list[str]:
        """Names by seat after the first `hands` hands; by default all."""
        return seated(self.game.names, [slot.facts for slot in state.hands[:hands]])

    def _sentence(self, step: Step, teller: HandDescription, before: GameScore, after: GameScore) -> str:
        change, is_gone, what = step.change, step.effect == REMOVE, []
        was, now = change.before or {}, change.after or {}
        head = say.DONE[change.kind, step.effect][0].format(change.position)
        if step.effect != CORRECT:
            what = [teller.in_short(was if is_gone else now)]
        elif noted := teller.noted(was, now):
            head, what = f"hand {change.position}", [noted]
        else:
            what = teller.differences(was, now)
        finishers = self._names(step.after, len(after.hands))
        turn = Narrator(self.table, finishers).turn(before, after, 0 if is_gone else change.position, with_score=False)
        said = [*what, teller.narrator.new_totals(before.totals, after.totals), turn]
        return f"{head}: {'; '.join(filter(None, said))}"


def short_message(entries: Sequence[DescribedChange]) -> str:
    """The last three changes, for a short message."""
    told = " ".join(str(entry) for entry in entries[-MOST_IN_A_MESSAGE:])
    return f"… {told}" if len(entries) > MOST_IN_A_MESSAGE else told


def change_message(change: Change, before: GameScore, game: Game, were_open: Sequence[Season] = ()) -> str:
    """Describe a change to its author, including who wins now and which seasons it reopened.

    `were_open`: of an undo or redo, the seasons open before it; says which are closed again or still open.
    """
    kind = effect(change)
    if kind == SUBSTITUTE:
        return say.substitution_said(change, game.names_by_hand[-1])
    said = f"Hand {change.position} {say.DONE[change.kind, kind][1]}."
    if kind == CORRECT:
        description = HandDescription(game.table, game.names_at(change.position))
        if noted := description.noted(change.before or {}, change.after or {}):  # only the note or adjustments
            said = f"Hand {change.position}: {noted}."
    now = game.score
    narrator = Narrator(game.table, game.names_at(now.outcome.hand) if now.outcome else game.names_next)
    at = 0 if kind == REMOVE else change.position
    passed, turn = narrator.next_deal(now) if at == len(now.hands) else "", narrator.turn(before, now, at)
    states: dict[str, list[str]] = defaultdict(list)
    for season in game.seasons:
        why = season.reopened or {}
        is_by_game = season.closed_at is None and why.get("game") == game.number  # see `reopen` in stats.tallies
        if season in were_open:
            if season.closed_at or is_by_game:
                states["closed again" if season.closed_at else "still open"].append(season.name)
        elif is_by_game and datetime.fromisoformat(why["at"]) >= change.at:
            states["open again"].append(season.name)
    told = said, passed, turn and f"{turn[0].upper()}{turn[1:]}."
    return " ".join(filter(None, (*told, *(all_are(names, state) for state, names in states.items()))))
