"""The score sheet: every hand, the totals, who won and by which rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.ledger import next_dealer, next_steps
from scorekeeper.models import ABANDONED, PAUSED, Game, seated
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import CATALOGUE, variations
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.web.wording.change_sentences import change_named
from scorekeeper.web.wording.narrator import Narrator

MOST_HANDS = 100  # on a page; a link leads to all of a longer game


@dataclass(frozen=True, slots=True)
class Cell:
    """One unit's score in one place: at the head of a page, or behind a hand."""

    unit: Unit
    label: str
    names: tuple[str, ...]
    total: int | None
    change: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """One hand on the sheet; `past` hands come after the one that won the game, and do not count."""

    position: int
    cells: tuple[Cell, ...]
    past: bool = False
    passed_out: bool = False
    bidder: str = ""
    bid: str = ""
    trump: str = ""
    made: bool = False
    took: tuple[str, ...] = ()
    adjusted: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Winner:
    headline: str
    reason: str
    unit: str


@dataclass(frozen=True, slots=True)
class Place:
    unit: Unit
    name: str
    deals: bool


def score_cells(table: Table, names: Sequence[str], totals: Mapping[Unit, int], last: HandScore | None) -> list[Cell]:
    """The scores for the head of a page, with what the last hand changed."""
    return [
        Cell(
            unit,
            f"Team {unit}" if table.teams else "",
            tuple([names[seat - 1] for seat in table.seats_of(unit)]),
            totals[unit],
            last.change[unit] if last and last.status == "scored" else None,
        )
        for unit in table.units
    ]


class Sheet:
    """Everything the score sheet shows of a game."""

    def __init__(self, game: Game, *, shows_all: bool = False) -> None:
        self.game = game
        self.shows_all = shows_all
        self.names = game.names_next
        self.table = game.table
        self.narrator = Narrator(self.table, self.names)
        self.undo, self.redo = (change_named(change) if change else "" for change in next_steps(game))

    @cached_property
    def score(self) -> GameScore:
        return self.game.score()

    @property
    def title(self) -> str:
        return self.winner.headline if self.winner else f"Game {self.game.number}"

    @property
    def rules_name(self) -> str:
        return self.table.rules.name

    @property
    def rules_id(self) -> str:
        return self.table.rules.id if self.table.rules.id in CATALOGUE else ""

    @property
    def target(self) -> int:
        return self.table.rules.win.target

    @property
    def house(self) -> list[str]:
        """The house rules that are on, in their own words."""
        options = self.game.options
        known = variations(self.rules_id) if self.rules_id else ()
        return [v.label for v in known if all(options.get(name) == value for name, value in v.options.items())]

    @cached_property
    def winner(self) -> Winner | None:
        outcome = self.score.outcome
        if outcome is None:
            return None
        narrator = self._last_narrator
        reason = narrator.deciding_rule(self.score)
        return Winner(narrator.win(outcome, self.score.totals), reason, outcome.winners[0])

    @property
    def _last_narrator(self) -> Narrator:
        """Speaks with the names of those who played the last hand that counts."""
        return self._narrator_of(len(self.score.hands))

    @property
    def still_playing(self) -> str:
        """Why play goes on although somebody is at the target; mostly empty."""
        return self.narrator.still_playing(self.score)

    @property
    def cells(self) -> list[Cell]:
        last = self.score.hands[-1] if self.score.hands else None
        return score_cells(self.table, self.names, self.score.totals, last)

    @property
    def next_position(self) -> int:
        return len(self.game.hands) + 1

    @cached_property
    def _next_seat(self) -> int:
        return next_dealer(self.game)

    @property
    def next_dealer(self) -> str:
        return self.names[self._next_seat - 1]

    @property
    def seating(self) -> list[Place]:
        deals = self._next_seat if self.takes_hands else None
        return [Place(self.table.unit_of[s], self.names[s - 1], s == deals) for s in self.table.seats]

    @cached_property
    def lines(self) -> list[Line]:
        """The hands, the newest first; those behind the end as far as they can be scored."""
        played = len(self.game.hands)
        return [self._line_at(position) for position in range(played, self.left_out, -1)]

    @property
    def left_out(self) -> int:
        """How many hands, the first ones, are not on this sheet."""
        return 0 if self.shows_all else max(0, len(self.game.hands) - MOST_HANDS)

    def _line_at(self, position: int) -> Line:
        counting, beyond = self.score.hands, self.score.beyond
        if position <= len(counting):
            return self._line(position, counting[position - 1])
        past = position - len(counting)
        return self._line(position, beyond[past - 1], past=True) if past <= len(beyond) else self._past(position)

    def _narrator_of(self, position: int) -> Narrator:
        """Speaks with the names of those who played that hand."""
        return self._narrators[position - 1] if position else self.narrator

    @cached_property
    def _narrators(self) -> list[Narrator]:
        speakers: list[Narrator] = []
        names = tuple(self.game.names)
        for hand in self.game.hands:
            new = tuple(seated(names, [hand.facts]))
            speakers.append(speakers[-1] if speakers and new == names else Narrator(self.table, new))
            names = new
        return speakers

    @property
    def is_paper(self) -> bool:
        """Whether only the end is known."""
        return self.game.paper is not None

    @property
    def is_paused(self) -> bool:
        return self.game.state == PAUSED

    @property
    def is_abandoned(self) -> bool:
        return self.game.state == ABANDONED

    @property
    def takes_hands(self) -> bool:
        """Whether the next hand can be put in."""
        return not (self.is_abandoned or self.is_paper) and (self.winner is None or self.game.plays_on)

    def _line(self, position: int, score: HandScore, *, past: bool = False) -> Line:
        cells = tuple(Cell(unit, "", (), score.totals[unit], score.change[unit]) for unit in self.table.units)
        narrator, facts = self._narrator_of(position), self.game.hands[position - 1].facts
        line = Line(
            position,
            cells,
            past=past,
            adjusted=tuple(narrator.adjustment(adjustment) for adjustment in score.adjustments),
            note=str(facts.get("note", "")),
        )
        if score.status == "passed-out" or score.bidder is None:
            cells = tuple(replace(cell, change=None) for cell in cells)
            return replace(line, cells=cells, passed_out=True)
        return replace(
            line,
            bidder=narrator.seat(score.bidder),
            bid=narrator.bid(score.bid),
            trump=str(facts.get("trump", "")),
            made=score.made,
            took=tuple(narrator.took(score)),
        )

    def _past(self, position: int) -> Line:
        return Line(position, tuple(Cell(unit, "", (), None, None) for unit in self.table.units), past=True)
