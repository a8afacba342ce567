"""The score sheet: every hand, the totals, who won and by which rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from scorekeeper import charts
from scorekeeper.models import ABANDONED, CORRECT, FORFEIT, ON_PAPER, PAUSED, REDO, SUBSTITUTE, Game
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import CATALOGUE, variations
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import ChangeLog
from scorekeeper.services.game_reader import Logged, SheetSnapshot, Snapshot
from scorekeeper.stats.odds import FURTHEST, is_of_scores
from scorekeeper.web.common.narrator import (
    NO_HANDS,
    Narrator,
    by_score,
    deciding_rule,
    lost_by_sets,
    set_again_loses,
    still_playing,
    why_won,
)
from scorekeeper.web.common.numbers import counted, day
from scorekeeper.web.common.words import listed

from .messages import HandDescription, change_named, substitution_named
from .messages import Line as Fact

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


def score_cells(table: Table, names: Sequence[str], score: GameScore) -> list[Cell]:
    """The scores for the head of a page, with what the last hand changed, as this game shows them."""
    scale, totals, last = table.rules.win.scale, score.totals, score.hands[-1] if score.hands else None
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
        self.game, self.table, self.score = game, game.table, game.score
        self.rules_name = game.table.rules.name
        self.is_paused, self.is_abandoned = game.state == PAUSED, game.state == ABANDONED
        self.is_paper = game.paper is not None  # only the end is known
        self.is_forfeit = bool(game.paper and game.paper.get(FORFEIT))  # won without being played
        self._narrators: dict[tuple[str, ...], Narrator] = {}

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
        """Speaks with the names of those who play the next hand."""
        return self.narrator_of(self.game.length + 1)

    def narrator_of(self, position: int) -> Narrator:
        """Speaks with the names of those who played that hand."""
        names = self.names_by_hand[position - 1]
        if names not in self._narrators:
            self._narrators[names] = Narrator(self.table, names, self._everybody)
        return self._narrators[names]

    @cached_property
    def _everybody(self) -> tuple[str, ...]:
        """Everybody who sat there in any hand."""
        return tuple(dict.fromkeys(name for names in set(self.names_by_hand) for name in sorted(names)))

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
        """Why play goes on although somebody is at the target, or who loses with the next set; mostly empty."""
        return still_playing(self.narrator, self.score) or set_again_loses(self.narrator, self.score)

    @property
    def cells(self) -> list[Cell]:
        return score_cells(self.table, self.names, self.score)

    @cached_property
    def next_seat(self) -> int:
        """Who deals the next hand."""
        return self.game.dealer_after(self.game.length)

    @property
    def next_dealer(self) -> str:
        return self.names[self.next_seat - 1]

    @property
    def may_have_chances(self) -> bool:
        """Whether its story may say how likely each was to win; a long game turns out to have no chances."""
        win = self.table.rules.win
        return not self.is_paper and is_of_scores(self.table.rules) and win.target <= FURTHEST

    @property
    def no_hands(self) -> str:
        """Why a game has none."""
        return NO_HANDS[FORFEIT if self.is_forfeit else ON_PAPER]

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
        self._log = ChangeLog(game.log)

    @property
    def house(self) -> list[str]:
        """The house rules that are on, in their own words."""
        options, rules_id = self.game.options, self.table.rules.id
        known = variations(rules_id) if rules_id in CATALOGUE else ()
        return [house.label for house in known if house.options.items() <= options.items()]

    # --- the hands ---

    @cached_property
    def rows(self) -> list[Row]:
        """The hands, the newest first; those behind the end as far as they can be scored."""
        log, corrections = ChangeLog[Logged](), set()
        for entry in self.game.log:
            log.add(entry)
            if entry.kind in (CORRECT, REDO) and log.in_effect[-1].kind == CORRECT:
                corrections.add(entry.seq)
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
            cells = tuple(Cell(unit, "", (), None, None) for unit in self.table.units)
            return Row(position, at, lambda: Line(position, cells, past=True))
        score = scores[position - 1]
        # What the hand itself does not say of its line: who sat there, and in other hands, who dealt, and the score.
        seated = self.names_by_hand[position - 1], frozenset(self._everybody)
        around = *seated, score.dealer, *score.totals.values(), *score.change.values()
        corrected = self.game.versions[position - 1] in corrections
        words = partial(self._line, position, score, past=past, corrected=corrected)
        return Row(position, (*at, text.hands[position - 1], corrected, *around), words)

    # --- undo and redo ---

    @property
    def undo(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self._named(self._log.next_undo)

    @property
    def redo(self) -> str:
        return self._named(self._log.next_redo)

    def _named(self, change: Logged | None) -> str:
        if change is not None and change.kind == SUBSTITUTE:
            return substitution_named(hand_service.find_change(self.game.id, change.seq))
        return change_named(change, with_name=True)


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
        return self.score.outcome is None and not self.is_abandoned

    @property
    def state(self) -> str:
        if self.game.left_out and self.score.outcome:
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
        return self.narrator.seat(self.next_seat)


class RecordPage(Sheet):
    """A game's record, to be read: of a long game some hands, those after `left` hands."""

    def __init__(self, game: Snapshot, saved: Game, left: int) -> None:
        super().__init__(game)
        self.saved = saved
        self.left = left

    @cached_property
    def recorded(self) -> list[tuple[int, str, list[Fact]]]:
        """The hands in their order: number, what it came to and each fact, with the names of those who played it."""
        told = []
        for at in range(self.left + 1, min(self.left + MOST_HANDS, self.game.length) + 1):
            teller, facts = HandDescription(self.table, self.names_by_hand[at - 1]), self.game.facts[at - 1]
            told.append((at, teller.in_short(facts), teller.lines(facts)))
        return told

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
