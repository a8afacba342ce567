"""The score sheet: all hands, totals, and who won by which rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from scorekeeper import charts
from scorekeeper.models import ABANDONED, CORRECT, FORFEIT, PAUSED, REDO, SUBSTITUTE, Game
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import ChangeLog
from scorekeeper.services.game_reader import LogEntry, SheetSnapshot, Snapshot
from scorekeeper.stats.odds import HIGHEST_TARGET, depends_on_scores_only
from scorekeeper.web.common.narrator import (
    MOST_UNITS_IN_A_LINE,
    Narrator,
    by_score,
    deciding_rule,
    lost_by_sets,
    why_open,
    why_won,
)
from scorekeeper.web.common.numbers import counted, day, first_to
from scorekeeper.web.common.words import listed

from .messages import FactLine, HandDescription, change_named, substitution_named

# An ending of which the headline has said all but the target.
REACHED = re.compile(r"reached (\S+) first, in hand (\d+), with \S+\.")
MOST_HANDS = 100  # per page; a longer game links to all of its hands


class Cell(NamedTuple):
    """One unit's displayed score, at the head of a page or beside a hand."""

    unit: Unit
    label: str
    names: tuple[str, ...]
    total: int | None
    change: int | None


class Line(NamedTuple):
    """A hand on the sheet; `past` marks hands after the deciding one, which do not count.

    `partner` is the bidder's when sides change: "Cy", "" for none.
    """

    position: int
    cells: tuple[Cell, ...]
    past: bool = False
    passed_out: str = ""
    bidder: str = ""
    bid: str = ""
    trump: str = ""
    called: str = ""
    partner: str | None = None
    made: bool = False
    corrected: bool = False
    took: tuple[str, ...] = ()
    adjusted: tuple[str, ...] = ()
    note: str = ""


class SheetRow(NamedTuple):
    """A row of the sheet, cached by `cache_key`; `put_into_words` is called on a cache miss only."""

    position: int
    cache_key: Hashable
    put_into_words: Callable[[], Line]


class Winner(NamedTuple):
    headline: str
    reason: str
    unit: str


def score_cells(
    table: Table, names: Sequence[str], totals: Mapping[str, int], hands: Sequence[HandScore]
) -> list[Cell]:
    """Displayed scores for the head of a page, with the change by the last of `hands`."""
    scale, last = table.rules.win.scale, hands[-1] if hands else None
    return [
        Cell(
            unit,
            f"Team {unit}" if table.teams else "",
            tuple([names[seat - 1] for seat in table.seats_of[unit]]),
            scale.score(totals[unit]),
            scale.change(last.change[unit]) if last and last.status == "scored" else None,
        )
        for unit in table.units
    ]


class Sheet:
    """Data common to all pages of a game."""

    in_short = False  # whether the names beside the scores are short

    def __init__(self, game: Snapshot) -> None:
        self.game, self.table, self.score = game, game.table, game.score
        self.rules_name = game.table.rules.name
        self.is_paused, self.is_abandoned = game.state == PAUSED, game.state == ABANDONED
        self.is_paper = game.paper is not None  # only the final score is known
        self.is_forfeit = bool(game.paper and game.paper.get(FORFEIT))  # won without being played

    @property
    def rules_line(self) -> str:
        """The rules, and what is played to; in a game from paper nobody knows that."""
        return self.rules_name if self.is_paper else f"{self.rules_name}, {first_to(self.table.rules)}"

    @cached_property
    def names_by_hand(self) -> list[tuple[str, ...]]:
        """Player names by seat for each hand; the last entry is for the next hand."""
        return [tuple(names) for names in self.game.names_by_hand]

    @property
    def names(self) -> Sequence[str]:
        """Player names by seat for the next hand."""
        return self.names_by_hand[-1]

    @cached_property
    def narrator(self) -> Narrator:
        """The narrator for the next hand's players."""
        return self.narrator_of(self.game.length + 1)

    def narrator_of(self, position: int) -> Narrator:
        """The narrator for the players of the hand at `position`."""
        return Narrator(self.table, self.names_by_hand[position - 1], self._all_players)

    @cached_property
    def _all_players(self) -> frozenset[str]:
        """All players of any hand."""
        return frozenset(name for names in self.names_by_hand for name in names)

    @cached_property
    def winner(self) -> Winner | None:
        outcome = self.score.outcome
        if outcome is None:
            return None
        narrator = self._last_narrator
        # The headline has said who wins, and the score.
        reason = deciding_rule(narrator, self.score).removeprefix(f"{narrator.people(outcome.winners)} ")
        if reached := REACHED.fullmatch(reason):
            reason = f"Reached {reached[1]} first, in hand {reached[2]}."
        return Winner(narrator.win(outcome, self.score.totals), reason[:1].upper() + reason[1:], outcome.winners[0])

    @cached_property
    def _last_narrator(self) -> Narrator:
        """The narrator for the players of the last hand that counts."""
        return self.narrator_of(len(self.score.hands))

    @property
    def still_playing(self) -> str:
        """See `why_open`."""
        return why_open(self.narrator, self.score)

    @cached_property
    def cells(self) -> list[Cell]:
        return score_cells(
            self.table, self.narrator.shorts if self.in_short else self.names, self.score.totals, self.score.hands
        )

    @cached_property
    def next_seat(self) -> int:
        """The next hand's dealer."""
        return self.game.dealer_after(self.game.length)

    @property
    def next_dealer(self) -> str:
        return self.names[self.next_seat - 1]

    @property
    def may_have_chances(self) -> bool:
        """True if the story may show chances to win; a long game may still have none."""
        win = self.table.rules.win
        return not self.is_paper and depends_on_scores_only(self.table.rules) and win.target <= HIGHEST_TARGET

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
            took=() if score.misdeal else tuple(narrator.took(score)),
        )
        if score.bidder is None:
            cells = tuple(cell._replace(change=cell.change or None) for cell in cells)
            return line._replace(cells=cells, passed_out=narrator.unplayed(score))
        return line._replace(
            bidder=narrator.seat(score.bidder),
            partner=listed(narrator.allies(score)[1:]) if self.table.changing_sides else None,
            bid=narrator.bid(score.bid),
            trump=str(facts.get("trump", "")),
            called=str(facts.get("called", "")),
            made=score.made,
        )


class ScoreSheet(Sheet):
    """Data of the score sheet."""

    game: SheetSnapshot

    def __init__(self, game: SheetSnapshot, *, shows_all: bool = False) -> None:
        super().__init__(game)
        self.shows_all = shows_all
        self._log, self._corrections = ChangeLog[LogEntry](), set[int]()  # the latter by number, undone ones included
        for entry in game.log:
            self._log.add(entry)
            if entry.kind in (CORRECT, REDO) and self._log.in_effect[-1].kind == CORRECT:
                self._corrections.add(entry.seq)

    # --- the hands ---

    @cached_property
    def rows(self) -> list[SheetRow]:
        """The hands, newest first; hands after the end are scored where possible."""
        return [self._row(position) for position in range(self.game.length, self.left_out, -1)]

    @property
    def left_out(self) -> int:
        """Number of first hands omitted from the page."""
        return 0 if self.shows_all else max(0, self.game.length - MOST_HANDS)

    def _row(self, position: int) -> SheetRow:
        scores, past = self.game.scores, position > len(self.score.hands)
        text = self.game.replayed.text
        at = position, past, text.rules, text.players, text.teams
        if position > len(scores):
            cells = tuple(Cell(unit, "", (), None, None) for unit in self.table.units)
            return SheetRow(position, at, lambda: Line(position, cells, past=True))
        score = scores[position - 1]
        # Facts a line depends on besides its hand: the players here and in other hands, the dealer, the score.
        seated = self.names_by_hand[position - 1], self._all_players
        around = *seated, score.dealer, *score.totals.values(), *score.change.values()
        corrected = self.game.versions[position - 1] in self._corrections
        words = partial(self._line, position, score, past=past, corrected=corrected)
        return SheetRow(position, (*at, text.hands[position - 1], corrected, *around), words)

    @cached_property
    def seat_notes(self) -> dict[int, list[str]]:
        """Notes on replaced players by seat number, most recent first."""
        notes: dict[int, list[str]] = {}
        names = [tuple(self.game.names), *self.names_by_hand]
        for position, (before, here) in reversed([*enumerate(pairwise(names), 1)]):
            for seat, (gone, name) in enumerate(zip(before, here, strict=True), 1):
                if name != gone:
                    earlier = f"{name} " if seat in notes else ""
                    notes.setdefault(seat, []).append(f"{earlier}for {gone} from hand {position}")
        return notes

    # --- undo and redo ---

    @property
    def undo(self) -> str:
        """The change that undo would revert; empty if none."""
        return self._named(self._log.next_undo)

    @property
    def redo(self) -> str:
        return self._named(self._log.next_redo)

    def _named(self, change: LogEntry | None) -> str:
        if change is not None and change.kind == SUBSTITUTE:
            return substitution_named(hand_service.find_change(self.game.id, change.seq))
        return change_named(change, with_name=True)


class Summary(Sheet):
    """A game in a list, with the names of its winners even if players were replaced later."""

    in_short = True

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
        """The score, the winner's first, and why it won if not ahead: first if names follow; empty for a forfeit."""
        if self.is_forfeit:
            return ""
        outcome, totals = self.score.outcome, self.score.totals
        if outcome is None:
            return self.narrator.totals(totals)
        line = self.narrator.totals(by_score(totals, outcome.winners))
        if not (why := why_won(self.table, self.score)):
            return line
        return f"{line}, {why}" if len(totals) <= MOST_UNITS_IN_A_LINE else f"Won {why}: {line}"

    @property
    def goes_on(self) -> bool:
        """True if the game waits for its next hand."""
        return self.score.outcome is None and not self.is_abandoned

    @property
    def state(self) -> str:
        if self.game.left_out and self.score.outcome:
            return "does not count"
        usual = "" if not self.is_paper else "forfeit" if self.is_forfeit else "from paper"
        return {PAUSED: "paused", ABANDONED: "does not count"}.get(self.game.state, usual)

    @property
    def headline(self) -> str:
        if self.score.outcome:
            if self.is_forfeit:
                return self.narrator.win(self.score.outcome, self.score.totals)
            return self.narrator.winners(self.score.outcome)
        if self.is_abandoned:
            return "Abandoned"
        return f"Hand {len(self.score.hands) + 1} is next" if self.score.hands else "Not started"

    @property
    def next_dealer(self) -> str:
        return self.narrator.seat(self.next_seat)


class RecordPage(Sheet):
    """A game's record for reading; of a long game, a page of hands following the first `left`."""

    def __init__(self, game: Snapshot, saved: Game, left: int) -> None:
        super().__init__(game)
        self.saved = saved
        self.left = left

    @cached_property
    def recorded(self) -> list[tuple[int, str, list[FactLine]]]:
        """The hands in order: number, result and facts, with the names of their players."""
        told = []
        for at in range(self.left + 1, min(self.left + MOST_HANDS, self.game.length) + 1):
            teller, facts = HandDescription(self.table, self.names_by_hand[at - 1]), self.game.facts[at - 1]
            told.append((at, teller.in_short(facts), teller.lines(facts)))
        return told

    @property
    def following(self) -> range:
        """Numbers of the hands on the next page; empty on the last one."""
        return range(self.left + MOST_HANDS + 1, min(self.left + 2 * MOST_HANDS, self.game.length) + 1)

    @property
    def file(self) -> str:
        """The record as JSON; empty for a long game, which can be downloaded."""
        long = self.game.length > MOST_HANDS
        return "" if long else json.dumps(self.saved.record(), ensure_ascii=False, indent=1)


class SharedResult(Sheet):
    """A finished game's result, to share."""

    @cached_property
    def footer(self) -> str:
        """Rules, number of hands and day."""
        hands = f", {counted(len(self.score.hands), 'hand')}" if self.score.hands else ""
        return f"{self.rules_name}{hands}, " + day(self.game.played).replace(" ", "\u00a0")  # never "Nov 27, / 2026"

    @cached_property
    def lines(self) -> list[charts.ResultLine]:
        """Units with full names and totals, winners first, then by score."""
        narrator, winners = self._last_narrator, self.score.winners
        return [
            charts.ResultLine(
                unit,
                listed([narrator.names[seat - 1] for seat in self.table.seats_of[unit]]),
                "" if self.is_forfeit else narrator.scores.score(total),
                has_won=unit in winners,
            )
            for unit, total in by_score(self.score.totals, winners).items()
        ]

    @property
    def text(self) -> str:
        """The message to share: each name and score once."""
        why = why_won(self.table, self.score)
        lost = lost_by_sets(self._last_narrator, self.score)
        won = " ".join(filter(None, (" won by forfeit" if self.is_forfeit else " won", "" if lost else why)))
        lines = [f"{line.names}{won if line.has_won else ''}{line.total and f': {line.total}'}" for line in self.lines]
        return "\n".join([*lines, *filter(None, [lost]), "", self.footer])
