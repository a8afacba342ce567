"""The score sheet: every hand, the totals, who won and by which rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.ledger import next_dealer, next_redo, next_undo
from scorekeeper.models import Change, Game
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.record import read_game
from scorekeeper.scoring.rules import CATALOGUE, variations
from scorekeeper.scoring.table import Table, Unit

from .says import Speaker
from .words import change_named


@dataclass(frozen=True, slots=True)
class Cell:
    """One unit's score in one place: at the head of a page, or behind a hand."""

    unit: Unit
    label: str
    names: list[str]
    total: int | None
    change: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """One hand on the sheet; `past` hands stand behind the one that won the game, and do not count."""

    position: int
    cells: list[Cell]
    past: bool = False
    passed_out: bool = False
    bidder: str = ""
    bid: str = ""
    trump: str = ""
    made: bool = False
    took: tuple[str, ...] = ()


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


def score_cells(table: Table, names: list[str], totals: Mapping[Unit, int], last: HandScore | None) -> list[Cell]:
    """The scores for the head of a page, with what the last hand changed."""
    return [
        Cell(
            unit,
            f"Team {unit}" if table.teams else "",
            [names[seat - 1] for seat in table.seats_of(unit)],
            totals[unit],
            last.change[unit] if last and last.status == "scored" else None,
        )
        for unit in table.units
    ]


class Sheet:
    """Everything the score sheet shows of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = game.names
        self.table = read_game(game.record_of([])).table
        self.speaker = Speaker(self.table, self.names)
        self.undo = self._named(next_undo(game))
        self.redo = self._named(next_redo(game))

    @staticmethod
    def _named(change: Change | None) -> str:
        return change_named(change) if change else ""

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
        reason = self.speaker.deciding_rule(self.score)
        return Winner(self.speaker.win(outcome, self.score.totals), reason, outcome.winners[0])

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
        return [Place(self.table.unit_of[s], self.names[s - 1], s == self._next_seat) for s in self.table.seats]

    @property
    def lines(self) -> list[Line]:
        """The hands, the newest first."""
        scored = [self._line(position, score) for position, score in enumerate(self.score.hands, 1)]
        past = [self._past(position) for position in range(len(scored) + 1, len(self.game.hands) + 1)]
        return [*reversed(past), *reversed(scored)]

    def _line(self, position: int, score: HandScore) -> Line:
        cells = [Cell(unit, "", [], score.totals[unit], score.change[unit]) for unit in self.table.units]
        if score.status == "passed-out" or score.bidder is None:
            return Line(position, [Cell(c.unit, "", [], c.total, None) for c in cells], passed_out=True)
        return Line(
            position,
            cells,
            bidder=self.speaker.seat(score.bidder),
            bid=self.speaker.bid(score.bid),
            trump=str(self.game.hands[position - 1].facts.get("trump", "")),
            made=score.made,
            took=tuple(self.speaker.took(score)),
        )

    def _past(self, position: int) -> Line:
        return Line(position, [Cell(unit, "", [], None, None) for unit in self.table.units], past=True)
