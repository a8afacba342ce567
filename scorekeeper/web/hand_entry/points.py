"""The points as a way of putting a hand in: whose each one is, and each side's card points where they are typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from scorekeeper.scoring.cards import Card, Suit
from scorekeeper.scoring.parts import Point
from scorekeeper.scoring.table import Side, Table

from .draft import NOBODY, SWEEP, Draft

ENDS = ("highest", "lowest")


class Faces(NamedTuple):
    """What trump and the buried cards tell of the points, by their keys.

    The card that each point is, where that is certain; the points whose card is buried; and of two points on one
    card the earlier, by the later.
    """

    cards: Mapping[str, Card | None]
    gone: frozenset[str]
    leaders: Mapping[str, str]


@lru_cache(maxsize=2048)
def faces(table: Table, trump: Suit | None, buried: tuple[Card, ...]) -> Faces:
    """The cards of the points; most taps change none of them."""
    cards = {key: _face(table, point, trump, buried) for key, point in table.points.items()}
    gone = frozenset(key for key, card in cards.items() if table.points[key].card not in ENDS and card in buried)
    leaders, first = {}, dict[Card, str]()
    for key, card in cards.items():
        if card is not None and table.points[key].owner != "holder" and first.setdefault(card, key) != key:
            leaders[key] = first[card]
    return Faces(cards, gone, leaders if 0 < table.buried == len(buried) else {})


def _face(table: Table, point: Point, suit: Suit | None, buried: tuple[Card, ...]) -> Card | None:
    if suit is None:
        return None
    trump = table.trumps[suit]
    if point.key in trump.literal or table.rules.deck.undealt != "buried":
        return trump.literal.get(point.key)
    dealt = table.cards.difference(buried)
    found = {"highest": trump.highest_of, "lowest": trump.lowest_of}.get(point.card)
    return found(dealt) if found else None


class Points:
    """The points of a draft: which card each one is, whose it is as tapped, and what may still be tapped."""

    def __init__(self, table: Table, draft: Draft) -> None:
        self.table = table
        self.draft = draft
        self.usual_side = draft.usual_side(table)
        self._faces = faces(table, draft.trump, draft.buried)

    def taker_of(self, key: str) -> Side | None:
        """Whose a point is as tapped: the usual side's unless somebody said otherwise, None for nobody."""
        side = self.draft.points.get(self.leader_of(key) or key, self.usual_side)
        return None if side == NOBODY else side

    def leader_of(self, key: str) -> str | None:
        """The earlier point that is the very same card (a Low that is a joker, say), so that one side has both."""
        return self._faces.leaders.get(key)

    def card_of(self, key: str) -> Card | None:
        """The card that is that point, as far as trump and the buried cards tell."""
        return self._faces.cards.get(key)

    def is_buried(self, key: str) -> bool:
        """Whether the card that is that point is buried, so that nobody can have it."""
        return key in self._faces.gone

    def may_be_nobodys(self, key: str) -> bool:
        """Whether a point can be nobody's: Game when tied, a named card while it may still be among the undealt."""
        card = self.table.points[key].card
        return card == "game" or (card not in ENDS and not self.draft.knows_all_buried(self.table))

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
        table, draft = self.table, self.draft
        if table.rules.deck.undealt != "buried" or (table.buried and not draft.knows_all_buried(table)):
            return None
        return table.deck_value - sum(table.value[card] for card in draft.buried)

    @cached_property
    def counts(self) -> dict[Side, int]:
        """The card points given, and the last side's worked out where the deck is known."""
        given, total = dict(self.draft.counts), self.total
        missing = [side for side in self.draft.side_names(self.table) if side not in given]
        if len(missing) == 1 and given and total is not None and (rest := total - sum(given.values())) >= 0:
            return {**given, missing[0]: rest}
        return given

    # --- as facts ---

    def claimed(self) -> dict[str, Any]:
        """Who took which point, as the game record has it, defaults filled in."""
        facts: dict[str, Any] = {"claims": self._claims()}
        if self.draft.needs_sweep(self.table):
            facts["sweep"] = self.sweeper
        if self.counts:
            facts["game_counts"] = self.counts
        return facts

    def _claims(self) -> dict[str, str | None]:
        counted = bool(self.draft.counts)
        claims = {key: self.taker_of(key) for key in self.table.points if not self.is_buried(key)}
        return {key: side for key, side in claims.items() if not (counted and self.table.points[key].card == "game")}

    def may_have(self, key: str, side: str) -> bool:
        """Whether that side, or nobody, can have a point."""
        if key == SWEEP:
            return True
        return not self.is_buried(key) and (side != NOBODY or self.may_be_nobodys(key))


def settled(table: Table, draft: Draft) -> Draft:
    """The same draft without what can no longer be: a buried point's side, a "nobody" that is not offered."""
    points = Points(table, draft)
    kept = {key: side for key, side in draft.points.items() if points.may_have(key, side)}
    return draft if kept == draft.points else replace(draft, points=kept)


def claimed(draft: Draft, table: Table) -> dict[str, Any]:
    """The points as the game record has them."""
    return Points(table, draft).claimed()
