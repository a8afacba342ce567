"""The history of a game: every change of a hand as a sentence, with who, when, and the hand before and after."""

from __future__ import annotations

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
from scorekeeper.models import CORRECT, REMOVE, SUBSTITUTE, Change, Game, seated
from scorekeeper.scoring.game import GameScore
from scorekeeper.services import links
from scorekeeper.services.change_log import Slot, State, beginning, effect, is_hand, states
from scorekeeper.web.common.access import may
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.narrator import HandDescription, Line, Narrator
from scorekeeper.web.common.scope import find_game, render, scoped
from scorekeeper.web.games import messages as say
from scorekeeper.web.games.messages import NO_HANDS
from scorekeeper.web.games.score_sheet import Point, RunningScore

PAGE = 50
MOST_SCORED = 10_000  # hands scored for a page; a correction of hand 1 of a game of 2,000 scores all of them again
MOST_IN_A_MESSAGE = 3
MOST_TOLD = 10  # changes that two phones that meet are told of, the latest
bp = scoped(Blueprint("history", __name__))


@bp.get("/c/<key>/games/<int:number>/history")
def show(number: int) -> ResponseReturnValue:
    game = find_game(number)
    before = number_in(request.args.get("before", ""))
    history = History(game, links.labels_in(game.id) if may("links.grant") else {})
    page = history.page(game.version + 1 if before is None else before)
    return render("games/history.html", game=game, history=history, page=page)


class Step(NamedTuple):
    """One change, between the game before it and the game after it."""

    change: Change
    before: State
    after: State

    @property
    def in_effect(self) -> str:
        """What it comes to: a hand saved, corrected or removed, or a substitution."""
        return effect(self.change)

    @property
    def replaced(self) -> int | None:
        """The change that had made the hand that this one changes."""
        return self.before.hands[self.change.position - 1].version if is_hand(self.change.before) else None


class Side(NamedTuple):
    """The hand before or after a change, line by line."""

    title: str
    lines: list[Line]


class Entry(NamedTuple):
    """One change as the history shows it."""

    seq: int
    who: str
    at: datetime
    said: str
    sides: list[Side]

    @property
    def differs(self) -> set[str]:
        """The names of the lines that are not the same before and after."""
        if len(self.sides) < 2:
            return set()
        return {line.name for line in set(self.sides[0].lines) ^ set(self.sides[1].lines)}

    def __str__(self) -> str:
        return f"{self.who}: {self.said}"


class Page(NamedTuple):
    """Some of the history, the newest first; `earlier` is where the rest begins."""

    entries: list[Entry]
    earlier: int | None


class History:
    """Every change of a game in sentences; `labels` are those of links, by their ids, that the reader may know."""

    def __init__(self, game: Game, labels: Mapping[int, str] = MappingProxyType({})) -> None:
        self.game = game
        self._labels = labels
        self.table = game.table
        self._running = RunningScore(game)

    @property
    def no_hands(self) -> str:
        """Why a game without hands has none."""
        outcome = self.game.score.outcome
        return NO_HANDS.get(outcome.reason, "") if outcome else ""

    @cached_property
    def steps(self) -> list[Step]:
        """Every change with the hands around it, the oldest first."""
        return self._steps(self.game.changes)

    def _steps(self, changes: Sequence[Change]) -> list[Step]:
        """The latest changes, with the hands around each."""
        now = State(tuple(Slot(hand.facts, hand.version) for hand in self.game.hands), self.game.next_seats)
        around = pairwise(states(beginning(now, changes), changes))
        return [Step(change, before, after) for change, (before, after) in zip(changes, around, strict=True)]

    # --- some of it ---

    def page(self, until: int) -> Page:
        """The changes before number `until`, the newest first; older ones than are shown are not read."""
        mine = select(Change).where(Change.game_id == self.game.id).order_by(Change.seq)
        since = min(until, self.game.version + 1) - PAGE - 1
        steps = self._steps(db.session.scalars(mine.where(Change.seq >= since)).all())
        shown = [step for step in reversed(steps) if step.change.seq < until]
        entries: list[Entry] = []
        for step in shown[:PAGE]:
            if entries and self._running.scored > MOST_SCORED:
                break
            entries.append(self.entry(step))
        return Page(entries, entries[-1].seq if len(shown) > len(entries) else None)

    def since(self, version: int) -> list[Entry]:
        """What was changed after that version of the game, the oldest first; of many changes the latest."""
        return self._latest([step for step in self.steps if step.change.seq > version])

    def of_hand(self, version: int) -> list[Entry]:
        """The later changes of the hand that change `version` had made, the oldest first; of many the latest."""
        made, told = {version}, []
        for step in self.steps:
            if made & {step.replaced, step.change.undoes}:
                made.add(step.change.seq)
                told.append(step)
        return self._latest(told)

    def _latest(self, steps: Sequence[Step]) -> list[Entry]:
        return [self.entry(step) for step in steps[-MOST_TOLD:]]

    def just(self, version: int) -> list[Entry]:
        """That one change."""
        return [self.entry(step) for step in self.steps if step.change.seq == version]

    # --- one change in words ---

    def entry(self, step: Step) -> Entry:
        change = step.change
        # What comes after first: page by page it is what the next entry has before it.
        after, sat_after = self._at(step.after, change.position)
        before, sat_before = self._at(step.before, change.position)
        who = say.on_phone(change.by, self._labels.get(change.link_id or 0))
        if step.in_effect == SUBSTITUTE:
            sat, sit = self._names_next(before, step.before), self._names_next(after, step.after)
            return Entry(change.seq, who, change.at, say.substitution_said(change, sat, sit), [])
        # It speaks with the names of those who played that hand.
        teller = HandDescription(self.table, sat_before if step.in_effect == REMOVE else sat_after)
        said = self._said(step, teller, before, after)
        return Entry(change.seq, who, change.at, f"{said}.", self._sides(change, teller))

    def _at(self, state: State, position: int) -> tuple[Point, Sequence[str]]:
        """The game at that moment, and who played its hand at `position`."""
        now = self._running.after(state.hands)
        return now, self._running.after(state.hands[:position]).names

    @staticmethod
    def _names_next(now: Point, state: State) -> Sequence[str]:
        return seated(now.names, [{"names": state.coming}])

    def _said(self, step: Step, teller: HandDescription, before: Point, after: Point) -> str:
        change = step.change
        noted = teller.noted(change.before or {}, change.after or {}) if step.in_effect == CORRECT else ""
        head = ("hand {}" if noted else say.DONE[change.kind, step.in_effect]).format(change.position)
        if noted:
            what = [noted]
        elif step.in_effect == CORRECT:
            what = [*teller.differences(change.before or {}, change.after or {})]
        else:
            what = [teller.in_short((change.before if step.in_effect == REMOVE else change.after) or {})]
        what += [teller.narrator.new_totals(before.totals, after.totals)]
        at = 0 if step.in_effect == REMOVE else change.position
        turn = Narrator(self.table, after.finishers).turn(before, after, at, with_score=False)
        return f"{head}: {'; '.join(filter(None, [*what, turn]))}"

    @staticmethod
    def _sides(change: Change, teller: HandDescription) -> list[Side]:
        both = (("before", change.before), ("after", change.after))
        return [Side(title, teller.lines(facts)) for title, facts in both if facts is not None and is_hand(facts)]


def in_a_message(entries: Sequence[Entry]) -> str:
    """The latest of some changes, for a message that has to be short."""
    told = " ".join(str(entry) for entry in entries[-MOST_IN_A_MESSAGE:])
    return f"… {told}" if len(entries) > MOST_IN_A_MESSAGE else told


def change_message(change: Change, before: GameScore, game: Game) -> str:
    """What a change did, for the person who made it; it names the winner if that has changed."""
    if effect(change) == SUBSTITUTE:
        names = game.names_by_hand[-1]
        sat, sit = (seated(names, [facts or {}]) for facts in (change.before, change.after))
        return say.substitution_said(change, sat, sit)
    now = game.score
    narrator = Narrator(game.table, game.names_at(now.outcome.hand) if now.outcome else game.names_next)
    at = change.position if is_hand(change.after) else 0
    return _and_then(_noted(change, game) or say.change_said(change), before, now, narrator, at)


def next_hand_message(before: GameScore, now: GameScore, narrator: Narrator) -> str:
    """That the hand after those of `before` is saved, for the person who saved it."""
    return _and_then(f"Hand {len(now.hands)} saved.", before, now, narrator, len(now.hands))


def _and_then(said: str, before: GameScore, now: GameScore, narrator: Narrator, at: int) -> str:
    """What was said of hand `at`, 0 where it is gone, and what that means for the deal and for who has won."""
    turn, is_last = narrator.turn(before, now, at), at == len(now.hands) > 0
    parts = (said, _passed(now, narrator) if is_last else "", f"{turn[:1].upper()}{turn[1:]}." if turn else "")
    return " ".join(filter(None, parts))


def _noted(change: Change, game: Game) -> str:
    """The note and the adjustments of a hand now, if only they were changed."""
    if effect(change) != CORRECT:
        return ""
    teller = HandDescription(game.table, game.names_at(change.position))
    noted = teller.noted(change.before or {}, change.after or {})
    return f"Hand {change.position}: {noted}." if noted else ""


def _passed(now: GameScore, narrator: Narrator) -> str:
    """Who deals after a last hand in which everybody passed: the same player under many rules."""
    last = now.hands[-1]
    if last.bidder is not None or now.next_dealer is None:
        return ""
    when = "again" if now.next_dealer == last.dealer else "next"
    return f"{narrator.unplayed(last)}. {narrator.seat(now.next_dealer)} deals {when}."
