"""The points as a way of putting a hand in: whose each one is, and each side's card points where they are typed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.game_point import (
    TIED,
    PointScore,
    break_tie,
    decide_from_counts,
    fill_counts,
    game_total,
    leaders,
)
from scorekeeper.scoring.known_cards import PointCards, point_cards
from scorekeeper.scoring.table import Side, Table
from scorekeeper.scoring.vocabulary import TRICKS, TRUMP_ENDS

from .draft import NOBODY, SWEEP, Draft

NO_CARDS = PointCards({}, frozenset(), {})  # while trump is unknown


class Points:
    """The points of a draft: which card each one is, whose it is as tapped, and what may still be tapped."""

    def __init__(self, table: Table, draft: Draft) -> None:
        self.table = table
        self.draft = draft
        self.usual_side = draft.usual_side(table)
        self._cards = point_cards(table, draft.trump, draft.buried) if draft.trump else NO_CARDS

    def taker_of(self, key: str) -> Side | None:
        """Whose a point is as tapped: the usual side's unless another was, None for nobody and for a buried card."""
        if self.is_buried(key):
            return None
        side = self.draft.points.get(self.leader_of(key) or key, self.usual_side)
        return None if side == NOBODY else side

    def leader_of(self, key: str) -> str | None:
        """The earlier point that is the very same card (a Low that is a joker, say), so that one side has both."""
        return self._cards.same.get(key)

    def card_of(self, key: str) -> Card | None:
        """The card that is that point, as far as trump and the buried cards tell."""
        return self._cards.cards.get(key)

    def is_buried(self, key: str) -> bool:
        """Whether the card that is that point is buried, so that nobody can have it."""
        return key in self._cards.gone

    def may_be_nobodys(self, key: str) -> bool:
        """Whether a point can be nobody's: Game when tied, a named card or suit that may still be among the undealt."""
        card = self.table.points[key].card
        # With short tricks cards stay in the hand, whatever is known of the buried ones.
        is_settled = self.draft.knows_all_buried(self.table) and not self.table.short_tricks
        return card == "game" or (card not in (*TRUMP_ENDS, *TRICKS) and not is_settled)

    @property
    def sweeper(self) -> Side | None:
        """Who won every trick: as tapped, else the bidding side if it has every point that somebody has."""
        usual, said = self.usual_side, self.draft.points.get(SWEEP)
        if said is not None:
            return None if said == NOBODY else said
        return usual if all(self.taker_of(key) in (usual, None) for key in self.table.points) else None

    # --- card points ---

    @property
    def total(self) -> int | None:
        """The card points of all cards dealt, where that is known (80 less what is buried)."""
        return game_total(self.table, self.draft.buried)

    @cached_property
    def counts(self) -> dict[Side, int]:
        """The card points given, and the last side's where they follow from the others'."""
        sides, draft = self.draft.side_names(self.table), self.draft
        return fill_counts(self.table, sides, draft.buried, draft.counts) if draft.counts else {}

    @cached_property
    def game(self) -> PointScore | None:
        """Whose Game is by the card points given; None where there are none, or they leave it open."""
        draft, sides = self.draft, self.draft.sides(self.table)
        if not draft.counts:
            return None
        decided = decide_from_counts(self.table, draft.side_names(self.table), draft.buried, self.counts)
        if decided is None or decided.why != TIED or sides is None:
            return decided
        takers = {key: self.taker_of(key) for key in self.table.rules.game.tie_points}
        return break_tie(self.table, draft.dealer, sides, takers, leaders(self.counts))

    # --- as facts ---

    def claimed(self) -> dict[str, Any]:
        """Who took which point, as the game record has it, defaults filled in."""
        facts: dict[str, Any] = {"claims": self._claims()}
        if self.draft.needs_sweep(self.table):
            facts["sweep"] = self.sweeper
        if self.counts:
            facts["game_counts"] = self.counts
        if players := self.players:
            facts["played_by"] = players
        return facts

    @property
    def players(self) -> dict[str, Side]:
        """Who was dealt the cards that are worth more when captured: as tapped, else who took them."""
        takers = {key: self.taker_of(key) for key in self.table.captured if not self.is_buried(key)}
        return {key: self.draft.played_by.get(key, side) for key, side in takers.items() if side is not None}

    def _claims(self) -> dict[str, str | None]:
        counted = bool(self.draft.counts)
        claims = {key: self.taker_of(key) for key in self.table.points if not self.is_buried(key)}
        return {key: side for key, side in claims.items() if not (counted and self.table.points[key].card == "game")}


def claimed(draft: Draft, table: Table) -> dict[str, Any]:
    """The points as the game record has them."""
    return Points(table, draft).claimed()
