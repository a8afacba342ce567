"""The cards as a way of putting a hand in: the captured cards in their piles, as far as they matter.

A hand is saved as piles, and it is saved as soon as its points are certain, which may be before every card is placed.
The scoring core reads incomplete piles literally: a card that is in none counts for nobody, Low is the lowest trump
listed, High the highest. So "certain" means here that this reading cannot turn out wrong:

- every card that is a point by its name lies in a pile or is buried;
- every trump above the highest one placed, and below the lowest one, is buried (where the rules ask for them);
- the Game counts are so far apart that the cards still out cannot change who has Game, all of them in one pile.

Then claims made from the piles would say the same as the piles, and the piles say more: they are saved. Only the Game
counts shown with them may be short of what is still out. Where the undealt cards are never seen (a stock), the table
says that nothing more lies in the piles, since nobody places fourteen cards that count for nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.game_point import PointScore
from scorekeeper.scoring.hand import with_tie_broken
from scorekeeper.scoring.known_cards import KnownCards
from scorekeeper.scoring.points import Piles, Taken, take_from_piles
from scorekeeper.scoring.problems import Problems
from scorekeeper.scoring.table import Side, Sides, Table
from scorekeeper.scoring.vocabulary import ENDS

from . import messages as say
from .draft import NOBODY, SWEEP, Draft
from .points import Points

STOCK = "stock"  # the rest was not dealt
BURIED = "buried"


class Piled:
    """The piles of a draft: what lies where, what is still out, and whether that can still change anything."""

    def __init__(self, table: Table, draft: Draft) -> None:
        self.table = table
        self.draft = draft
        self.names = draft.side_names(table)
        self.trump = table.trumps[draft.trump] if draft.trump else None

    @cached_property
    def unnamed(self) -> list[Card]:
        """The cards that nobody has put anywhere."""
        return [card for card in self.table.deck if card not in self.draft.placed and card not in self.draft.buried]

    @property
    def rest_is_too_much(self) -> bool:
        """Whether "the rest" would be more cards than were dealt: some of it has to lie buried."""
        rest_has_a_side = self.draft.rest in self.names
        return rest_has_a_side and len(self.draft.placed) + len(self.unnamed) > self.table.dealt

    @cached_property
    def where(self) -> dict[Card, Side]:
        """The side in whose pile each card lies."""
        if self.draft.rest in self.names and not self.rest_is_too_much:
            return {**self.draft.placed, **dict.fromkeys(self.unnamed, str(self.draft.rest))}
        return dict(self.draft.placed)

    @property
    def out(self) -> list[Card]:
        """The cards that may still lie in a pile."""
        return [] if self.is_closed else [card for card in self.unnamed if card not in self.where]

    @property
    def is_closed(self) -> bool:
        """Whether nothing more can lie in any pile."""
        return self.draft.rest == STOCK or self.slots <= 0

    @property
    def slots(self) -> int:
        """How many dealt cards are not in a pile yet."""
        return self.table.dealt - len(self.where)

    @cached_property
    def counts(self) -> dict[Side, int]:
        if self.taken is not None and self.taken.counts is not None:
            return self.taken.counts
        counts = dict.fromkeys(self.names, 0)
        for card, side in self.where.items():
            counts[side] += self.table.value[card]
        return counts

    @property
    def still_out(self) -> int:
        """How much of the Game count may still lie in a pile."""
        worth = sorted((self.table.value[card] for card in self.out), reverse=True)
        return sum(worth[: max(self.slots, 0)])

    @cached_property
    def taken(self) -> Taken | None:
        """The points of the piles as they are; None until bidder and trump are known."""
        sides = self.draft.sides(self.table)
        if sides is None or self.trump is None:
            return None
        draft, cards = self.draft, self.by_side()
        low_by, high_by, played_by = self.players
        piles = Piles(cards, low_by, high_by, played_by=played_by, tricks_won=self.tricks_won)
        taken = take_from_piles(KnownCards(self.table, sides, self.trump, draft.buried), piles, Problems())
        return with_tie_broken(self.table, draft.dealer, taken, sides)

    @property
    def players(self) -> tuple[Side | None, Side | None, dict[str, Side]]:
        """Who played the card of Low, of High, and of each other point that is its player's: as the record has them."""
        told = {key: side for key, side in self.draft.played_by.items() if key in self.table.by_player}
        low_by, high_by = (told.pop(key, None) if key else None for key in (self.table.low_key, self.table.high_key))
        return low_by, high_by, {key: side for key, side in told.items() if self._lies(key)}

    def _lies(self, key: str) -> bool:
        """Whether the card of a point lies in a pile."""
        return self.trump is not None and self.trump.card_of(self.table.points[key], self.where) in self.where

    @property
    def tricks_won(self) -> dict[str, Side]:
        """Who won the tricks that score, as tapped: cards do not show it."""
        told = {key: self.draft.points.get(key) for key in self.table.trick_points.values()}
        return {key: side for key, side in told.items() if side is not None and side != NOBODY}

    def by_side(self) -> dict[Side, tuple[Card, ...]]:
        return {name: tuple(card for card in self.table.deck if self.where.get(card) == name) for name in self.names}

    @property
    def sweeper(self) -> Side | None:
        """Who won every trick: whoever has all cards, else as tapped, else the bidding side while it has all placed."""
        if self.swept is not None:
            return self.swept
        said, usual = self.draft.points.get(SWEEP), self.draft.usual_side(self.table)
        if said is not None:
            return None if said == NOBODY else said
        return usual if set(self.where.values()) == {usual} else None

    @property
    def swept(self) -> Side | None:
        """The side that won every trick because every card is its own; for a bidder alone that says nothing."""
        return None if self.taken is None or self.draft.plays_alone(self.table) else self.taken.sweep

    @property
    def bidders_swept(self) -> bool:
        """Whether that side is the bidding side."""
        return self.swept is not None and self.swept == self.draft.usual_side(self.table)

    @property
    def lost_a_trick(self) -> bool:
        """Whether more than one side has won a trick: a card that its player keeps may lie with another."""
        kept = {self.trump.card_of(self.table.points[key], self.where) for key in self.table.kept} if self.trump else ()
        return len({side for card, side in self.where.items() if card not in kept}) > 1

    # --- what is certain ---

    def needed(self, key: str) -> list[Card]:
        """The card, if any, that has to be placed before it is certain who has that point."""
        point, trump = self.table.points[key], self.trump
        if trump is None:
            return []
        if point.card not in ENDS:
            return [trump.literal[key]] if trump.literal[key] in self.out else []
        order = trump.end(point.card)
        found = next((place for place, card in enumerate(order) if card in self.where), len(order))
        return [card for card in order[:found] if card in self.out][:1]

    @property
    def game_is_decided(self) -> bool:
        """Whether the cards still out cannot change who has Game, whoever has them."""
        rules, out, counts = self.table.rules.game, self.still_out, sorted(self.counts.values(), reverse=True)
        if self.table.game_key is None or not out:
            return True
        ahead = counts[0] > (counts[1] if len(counts) > 1 else 0) + out
        if rules.award == "at-least":
            return (ahead and counts[0] >= rules.at_least) or counts[0] + out < rules.at_least
        return ahead

    def is_certain(self, key: str) -> bool:
        if key not in self.table.card_points:
            return self.game_is_decided if key == self.table.game_key else key in self.draft.points
        return not self.needed(key)

    @cached_property
    def not_placed(self) -> list[Card]:
        """The cards that have to be placed before the points are certain."""
        wanted = {card for key in self.table.card_points for card in self.needed(key)}
        if not self.game_is_decided:
            wanted |= {card for card in self.out if self.table.value[card]}
        return [card for card in self.table.deck if card in wanted]

    @property
    def says_missing(self) -> str:
        """2 cards left: 10♦ A♣"""
        if self.rest_is_too_much:
            return say.bury_first(self.table.buried - len(self.draft.buried))
        cards = self.not_placed
        if not cards:
            return ""
        if not self.table.buried and self.where:
            return say.REST_NOT_DEALT
        return say.cards_left(cards)


def missing(table: Table, draft: Draft) -> dict[str, list[str]]:
    """What has to be placed before the hand can be saved."""
    sentence = Piled(table, draft).says_missing if draft.trump else ""
    if not sentence and any(key not in draft.points for key in table.trick_points.values()):
        sentence = say.WHO_WON_TRICK
    if not sentence and draft.needs_sweep(table) and draft.points.get(SWEEP) == NOBODY:
        sentence = say.HAS_EVERY_CARD if Piled(table, draft).bidders_swept else ""
    return {"cards": [sentence]} if sentence else {}


def piled(draft: Draft, table: Table) -> dict[str, Any]:
    """The piles as the game record has them."""
    lying = Piled(table, draft)
    facts: dict[str, Any] = {"piles": {side: list(cards) for side, cards in lying.by_side().items()}}
    facts["low_by"], facts["high_by"], played_by = lying.players
    facts["played_by"] = played_by or None
    facts["tricks_won"] = lying.tricks_won or None
    if draft.needs_sweep(table):
        facts["sweep"] = lying.sweeper
    return facts


# --- from one way to another --------------------------------------------------------------------------------------


def from_points(table: Table, draft: Draft) -> Draft:
    """The cards of the points that were tapped, in that side's pile or in none; those nobody has touched stay put."""
    placed: dict[Card, Side] = dict(draft.placed)
    played_by = dict(draft.played_by)
    points = Points(table, draft)
    for key, point in table.card_points.items():
        card, side = points.card_of(key), draft.points.get(key)
        if card is None or side is None or card in draft.buried:
            continue
        if side == NOBODY:
            placed.pop(card, None)
        elif point.owner == "holder":
            played_by[key] = side
        else:
            placed[card] = side
    return replace(draft, placed=placed, played_by=played_by)


def as_points(table: Table, draft: Draft, *, complete: bool = False) -> Draft:
    """Who took which point, as far as the piles decide it, and the counts once every card is placed.

    `complete`: nothing more can lie in any pile, whatever the deck still has.
    """
    piled = Piled(table, draft)
    if piled.taken is None or not piled.where:
        return draft
    taken = piled.taken.points.items()
    certain = {key: _claim(score) for key, score in taken if complete or piled.is_certain(key)}
    counts = draft.counts
    if table.game_key in certain:
        counts = {} if piled.still_out and not complete else piled.taken.counts or {}
    if piled.lost_a_trick:
        certain[SWEEP] = NOBODY
    elif draft.needs_sweep(table):
        certain[SWEEP] = (piled.sweeper if piled.sweeper == draft.usual_side(table) else None) or NOBODY
    return replace(draft, points={**draft.points, **certain}, counts=counts)


def _claim(score: PointScore) -> str:
    return score.side or NOBODY


def reopened(table: Table, draft: Draft, hand: Hand, sides: Sides) -> Draft:
    """The piles of a saved hand on the page again; of a stock, the rest was not dealt."""
    placed = {card: sides.aliases[side] for side, cards in (hand.piles or {}).items() for card in cards}
    ends = ((table.low_key, hand.low_by), (table.high_key, hand.high_by))
    told = [*ends, *(hand.played_by or {}).items()]
    played_by = {key: sides.aliases[side] for key, side in told if key is not None and side is not None}
    stocked = not table.sees_buried and len(placed) < table.dealt
    return replace(draft, placed=placed, rest=STOCK if stocked else None, played_by=played_by)
