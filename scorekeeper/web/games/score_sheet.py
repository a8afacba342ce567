"""The score sheet: every hand, the totals, who won and by which rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from scorekeeper import charts
from scorekeeper.models import ABANDONED, CORRECT, FORFEIT, ON_PAPER, PAUSED, SUBSTITUTE, Game, seated
from scorekeeper.scoring.game import GameScore, Outcome, WinCheck, next_dealer
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import CATALOGUE, variations
from scorekeeper.scoring.table import Seat, Table, Unit
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import ChangeLog, Slot
from scorekeeper.services.game_reader import Logged, SheetSnapshot, Snapshot
from scorekeeper.stats.odds import FURTHEST, is_of_scores
from scorekeeper.web.common.narrator import HandDescription, Narrator, by_score, why_won
from scorekeeper.web.common.narrator import Line as Fact
from scorekeeper.web.common.numbers import counted, day
from scorekeeper.web.common.words import listed
from scorekeeper.web.games.messages import (
    NO_HANDS,
    deciding_rule,
    hand_named,
    lost_by_sets,
    still_playing,
    substitution_named,
)

MOST_HANDS = 100  # on a page; a link leads to all of a longer game


class Cell(NamedTuple):
    """One unit's score in one place, as it is shown: at the head of a page, or behind a hand."""

    unit: Unit
    label: str
    names: tuple[str, ...]
    total: int | None
    change: int | None


class Line(NamedTuple):
    """One hand on the sheet; `past` hands come after the one that won the game, and do not count."""

    position: int
    cells: tuple[Cell, ...]
    past: bool = False
    passed_out: str = ""
    bidder: str = ""
    bid: str = ""
    trump: str = ""
    made: bool = False
    corrected: bool = False
    took: tuple[str, ...] = ()
    adjusted: tuple[str, ...] = ()
    note: str = ""


class Row(NamedTuple):
    """A hand on the sheet as it is drawn: known by its cache_key, and put into words only where it is not kept."""

    position: int
    cache_key: Hashable
    put_into_words: Callable[[], Line]


class Winner(NamedTuple):
    headline: str
    reason: str
    unit: str


class Place(NamedTuple):
    unit: Unit
    name: str
    deals: bool


def score_cells(table: Table, names: Sequence[str], totals: Mapping[Unit, int], last: HandScore | None) -> list[Cell]:
    """The scores for the head of a page, with what the last hand changed, as this game shows them."""
    scale = table.rules.win.scale
    return [
        Cell(
            unit,
            f"Team {unit}" if table.teams else "",
            tuple([names[seat - 1] for seat in table.seats_of(unit)]),
            scale.score(totals[unit]),
            scale.change(last.change[unit]) if last and last.status == "scored" else None,
        )
        for unit in table.units
    ]


class Sheet:
    """What every page of a game shows of it."""

    def __init__(self, game: Snapshot) -> None:
        self.game = game
        self.table = game.table

    @cached_property
    def score(self) -> GameScore:
        return self.game.score

    @cached_property
    def names_by_hand(self) -> list[tuple[str, ...]]:
        """The players' names, one a seat, in each hand, and, the last entry, in the next one."""
        return [tuple(names) for names in self.game.names_by_hand]

    @property
    def names(self) -> Sequence[str]:
        """Who plays the next hand, one a seat."""
        return self.names_by_hand[-1]

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.table, self.names, self._everybody)

    @cached_property
    def _everybody(self) -> tuple[str, ...]:
        """Everybody who sat there in any hand."""
        return tuple(dict.fromkeys(name for names in set(self.names_by_hand) for name in sorted(names)))

    @property
    def title(self) -> str:
        return self.winner.headline if self.winner else f"Game {self.game.number}"

    @property
    def rules_name(self) -> str:
        return self.table.rules.name

    @property
    def rules_id(self) -> str:
        return self.table.rules.id if self.table.rules.id in CATALOGUE else ""

    @cached_property
    def winner(self) -> Winner | None:
        outcome = self.score.outcome
        if outcome is None:
            return None
        narrator = self._last_narrator
        reason = deciding_rule(narrator, self.score)
        return Winner(narrator.win(outcome, self.score.totals), reason, outcome.winners[0])

    @property
    def _last_narrator(self) -> Narrator:
        """Speaks with the names of those who played the last hand that counts."""
        return self.narrator_of(len(self.score.hands))

    @property
    def still_playing(self) -> str:
        """Why play goes on although somebody is at the target; mostly empty."""
        return still_playing(self.narrator, self.score)

    @property
    def cells(self) -> list[Cell]:
        last = self.score.hands[-1] if self.score.hands else None
        return score_cells(self.table, self.names, self.score.totals, last)

    @property
    def next_position(self) -> int:
        return self.game.length + 1

    @cached_property
    def _next_seat(self) -> int:
        return self.game.dealer_after(self.game.length)

    @property
    def next_dealer(self) -> str:
        return self.names[self._next_seat - 1]

    @property
    def seating(self) -> list[Place]:
        deals = self._next_seat if self.takes_hands else None
        return [Place(self.table.unit_of[s], self.names[s - 1], s == deals) for s in self.table.seats]

    def narrator_of(self, position: int) -> Narrator:
        """Speaks with the names of those who played that hand."""
        names = self.names_by_hand[position - 1]
        if names not in self._narrators:
            self._narrators[names] = Narrator(self.table, names, self._everybody)
        return self._narrators[names]

    @cached_property
    def _narrators(self) -> dict[tuple[str, ...], Narrator]:
        return {self.narrator.names: self.narrator}

    @property
    def is_paper(self) -> bool:
        """Whether only the end is known."""
        return self.game.paper is not None

    @property
    def is_forfeit(self) -> bool:
        """Whether it was won without being played."""
        return bool(self.game.paper and self.game.paper.get(FORFEIT))

    @property
    def may_have_chances(self) -> bool:
        """Whether its story may say how likely each was to win; a long game turns out to have no chances."""
        win = self.table.rules.win
        return not self.is_paper and is_of_scores(self.table.rules) and win.target <= FURTHEST

    @property
    def no_hands(self) -> str:
        """Why a game has none."""
        return NO_HANDS[FORFEIT if self.is_forfeit else ON_PAPER]

    @property
    def is_paused(self) -> bool:
        return self.game.state == PAUSED

    @property
    def is_abandoned(self) -> bool:
        return self.game.state == ABANDONED

    @property
    def takes_hands(self) -> bool:
        """Whether the next hand can be put in."""
        return self.game.takes_hands

    def _line(self, position: int, score: HandScore, *, past: bool = False, corrected: bool = False) -> Line:
        scale, totals, changes = self.table.rules.win.scale, score.totals, score.change
        cells = tuple(
            Cell(unit, "", (), scale.score(totals[unit]), scale.change(changes[unit])) for unit in self.table.units
        )
        narrator, facts = self.narrator_of(position), self.game.facts[position - 1]
        line = Line(
            position,
            cells,
            past=past,
            corrected=corrected,
            adjusted=tuple(narrator.adjustment(adjustment) for adjustment in score.adjustments),
            note=str(facts.get("note", "")),
        )
        if score.status == "passed-out" or score.bidder is None:
            cells = tuple(cell._replace(change=cell.change or None) for cell in cells)
            return line._replace(cells=cells, passed_out=narrator.unplayed(score))
        return line._replace(
            bidder=narrator.seat(score.bidder),
            bid=narrator.bid(score.bid),
            trump=str(facts.get("trump", "")),
            made=score.made,
            took=tuple(narrator.took(score)),
        )


class ScoreSheet(Sheet):
    """Everything that the page of the score sheet shows of a game."""

    game: SheetSnapshot

    def __init__(self, game: SheetSnapshot, *, shows_all: bool = False) -> None:
        super().__init__(game)
        self.shows_all = shows_all

    @property
    def house(self) -> list[str]:
        """The house rules that are on, in their own words."""
        options = self.game.options
        known = variations(self.rules_id) if self.rules_id else ()
        return [house.label for house in known if house.options.items() <= options.items()]

    # --- the hands ---

    @cached_property
    def rows(self) -> list[Row]:
        """The hands, the newest first; those behind the end as far as they can be scored."""
        corrections = {entry.seq for entry in self.game.log if entry.kind == CORRECT}
        return [self._row(position, corrections) for position in range(self.game.length, self.left_out, -1)]

    @property
    def left_out(self) -> int:
        """How many hands, the first ones, are not on this sheet."""
        return 0 if self.shows_all else max(0, self.game.length - MOST_HANDS)

    def _row(self, position: int, corrections: set[int]) -> Row:
        scores, past = self.game.scores, position > len(self.score.hands)
        text = self.game.replayed.text
        at = position, past, text.rules, text.players, text.teams
        if position > len(scores):
            return Row(position, at, partial(self._unscored, position))
        score = scores[position - 1]
        # What the hand itself does not say of its line: who sat there, who dealt, and the score before it.
        around = self.names_by_hand[position - 1], score.dealer, *score.totals.values(), *score.change.values()
        corrected = self.game.versions[position - 1] in corrections
        words = partial(self._line, position, score, past=past, corrected=corrected)
        return Row(position, (*at, text.hands[position - 1], corrected, *around), words)

    def _unscored(self, position: int) -> Line:
        return Line(position, tuple(Cell(unit, "", (), None, None) for unit in self.table.units), past=True)

    # --- undo and redo ---

    @property
    def undo(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self._named(self._log.next_undo)

    @property
    def redo(self) -> str:
        return self._named(self._log.next_redo)

    @cached_property
    def _log(self) -> ChangeLog[Logged]:
        return ChangeLog(self.game.log)

    def _named(self, change: Logged | None) -> str:
        if change is None:
            return ""
        if change.kind == SUBSTITUTE:
            return substitution_named(hand_service.find_change(self.game.id, change.seq))
        return hand_named(change)


class Point(NamedTuple):
    """A game after some of its hands: `totals` and `outcome` as `replay` gives them, and who sat where.

    `finishers` played the last hand that counts. `beyond` are the scores with the hands after the end, and `check` has
    seen the hands up to it. Once one after the end cannot be scored, none is: the game is `stopped`.
    """

    totals: dict[Unit, int]
    outcome: Outcome | None
    names: Sequence[str]
    finishers: Sequence[str]
    beyond: dict[Unit, int]
    dealer: Seat | None
    check: WinCheck
    stopped: bool = False

    @property
    def winners(self) -> tuple[Unit, ...]:
        return self.outcome.winners if self.outcome else ()


class RunningScore:
    """Follows a game through its changes: mostly one hand more, so mostly one hand is scored.

    `scored` counts them. Two hands are the same one where they are the same object, as between two states of a log.
    """

    def __init__(self, game: Game) -> None:
        self.table = game.table
        self.scored = 0
        totals = {unit: (game.start or {}).get(unit, 0) for unit in self.table.units}
        self._slots: list[Slot] = []
        self._points = [Point(totals, None, game.names, game.names, totals, None, WinCheck(self.table, totals))]

    def after(self, slots: Sequence[Slot]) -> Point:
        """The game after these hands. Raises Refused where one that counts cannot be scored."""
        same = self._same(slots)
        if same < len(slots):
            del self._slots[same:], self._points[same + 1 :]
            for slot in slots[same:]:
                self._points.append(self._next(self._points[-1], slot))
                self._slots.append(slot)
        return self._points[len(slots)]

    def _same(self, slots: Sequence[Slot]) -> int:
        """How many of the hands, from the first, are those that were scored last."""
        pairs = enumerate(zip(slots, self._slots, strict=False))
        return next((index for index, (one, other) in pairs if one is not other), min(len(slots), len(self._slots)))

    def _next(self, last: Point, slot: Slot) -> Point:
        names = seated(last.names, [slot.facts]) if "names" in slot.facts else last.names
        if last.stopped:
            return last._replace(names=names)
        self.scored += 1
        try:
            score = score_hand(self.table, read_hand(slot.facts, self.table), last.dealer, last.beyond)
        except Refused:
            if last.outcome is None:
                raise
            return last._replace(names=names, stopped=True)
        dealer = next_dealer(self.table, score)
        if last.outcome:
            return last._replace(names=names, beyond=score.totals, dealer=dealer)
        check = copy(last.check)
        won = check.after(score)
        outcome = won and won._replace(hand=len(self._points))
        return Point(score.totals, outcome, names, names, score.totals, dealer, check)


def seat_notes(game: Snapshot) -> dict[int, list[str]]:
    """The text beside a seat's name, by the seat's number: who was replaced there, the latest first."""
    notes: dict[int, list[str]] = {}
    names = [game.names, *game.names_by_hand]
    for position, (before, here) in reversed([*enumerate(pairwise(names), 1)]):
        for seat, (gone, name) in enumerate(zip(before, here, strict=True), 1):
            if name != gone:
                earlier = f"{name} " if seat in notes else ""
                notes.setdefault(seat, []).append(f"{earlier}for {gone} from hand {position}")
    return notes


class Summary(Sheet):
    """What a list says of one game, with the names of those who won it, whoever sat down later."""

    @cached_property
    def names(self) -> Sequence[str]:
        outcome = self.score.outcome
        return self.game.names_at(outcome.hand if outcome else self.game.length + 1)

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.table, self.names)

    @property
    def number(self) -> int:
        return self.game.number

    @property
    def is_won(self) -> bool:
        return self.score.outcome is not None

    @property
    def played(self) -> str:
        return day(self.game.played)

    @property
    def score_line(self) -> str:
        """The score; of a game that is won the winner's first, and why it won if not ahead. A forfeit has none."""
        if self.is_forfeit:
            return ""
        outcome, totals = self.score.outcome, self.score.totals
        if outcome is None:
            return self.narrator.totals(totals).removesuffix(".")
        line, why = self.narrator.totals(by_score(totals, outcome.winners)), why_won(outcome, totals)
        return ", ".join(filter(None, (line.removesuffix("."), why)))

    @property
    def goes_on(self) -> bool:
        """Whether it waits for its next hand."""
        return not self.is_won and not self.is_abandoned

    @property
    def state(self) -> str:
        if self.game.left_out and self.is_won:
            return "does not count"
        usual = "" if not self.is_paper else "forfeit" if self.is_forfeit else "from paper"
        return {PAUSED: "paused", ABANDONED: "abandoned: does not count"}.get(self.game.state, usual)

    @property
    def headline(self) -> str:
        if self.score.outcome:
            if self.is_forfeit:
                return self.narrator.win(self.score.outcome, self.score.totals)
            return self.narrator.winners(self.score.outcome)
        return f"Hand {len(self.score.hands) + 1} is next" if self.score.hands else "Not started"

    @property
    def next_dealer(self) -> str:
        return self.narrator.seat(self._next_seat)


class RecordedHand(NamedTuple):
    """A hand of the record: its number, what it came to, and each fact."""

    position: int
    summary: str
    lines: list[Fact]


class RecordPage(Sheet):
    """A game's record, to be read: of a long game some hands, those after `left` hands."""

    def __init__(self, game: Snapshot, saved: Game, left: int) -> None:
        super().__init__(game)
        self.saved = saved
        self.left = left

    @cached_property
    def recorded(self) -> list[RecordedHand]:
        """The hands in their order, with the names of those who played them."""
        shown = range(self.left + 1, min(self.left + MOST_HANDS, self.game.length) + 1)
        tellers = [
            (at, HandDescription(self.table, self.names_by_hand[at - 1]), self.game.facts[at - 1]) for at in shown
        ]
        return [RecordedHand(at, teller.in_short(facts), teller.lines(facts)) for at, teller, facts in tellers]

    @property
    def following(self) -> range:
        """The numbers of the hands on the next page; empty on the last one."""
        return range(self.left + MOST_HANDS + 1, min(self.left + 2 * MOST_HANDS, self.game.length) + 1)

    @property
    def file(self) -> str:
        """The record as it is in the file; nothing for a long game: it can be downloaded."""
        long = self.game.length > MOST_HANDS
        return "" if long else json.dumps(self.saved.record(), ensure_ascii=False, indent=1)


class Result(Sheet):
    """What is sent of a finished game."""

    @cached_property
    def footer(self) -> str:
        """What was played, how long, and when."""
        hands = f", {counted(len(self.score.hands), 'hand')}" if self.score.hands else ""
        return f"{self.rules_name}{hands}, {day(self.game.played)}"

    @cached_property
    def lines(self) -> list[charts.ResultLine]:
        """Each unit with its players' full names and its total, the winners first and then by score."""
        narrator, winners = self._last_narrator, self.score.winners
        return [
            charts.ResultLine(
                unit,
                listed([narrator.names[seat - 1] for seat in self.table.seats_of(unit)]),
                narrator.scores.score(total),
                has_won=unit in winners,
            )
            for unit, total in by_score(self.score.totals, winners).items()
        ]

    @property
    def text(self) -> str:
        """The message, line by line: every name and every score once."""
        outcome = self.score.outcome
        forfeited = outcome is not None and outcome.reason == FORFEIT
        why = "" if outcome is None or forfeited else why_won(outcome, self.score.totals)
        lost = lost_by_sets(self._last_narrator, self.score)
        won = " ".join(filter(None, (" won by forfeit" if forfeited else " won", "" if lost else why)))
        lines = [f"{line.names}{won if line.has_won else ''}: {line.total}" for line in self.lines]
        return "\n".join([*lines, *filter(None, [lost]), "", self.footer])
