"""What is worth what: everything about a table and a trump suit that the players think of card by card."""

from __future__ import annotations

from functools import lru_cache

from scorekeeper.scoring.cards import Card, Suit
from scorekeeper.scoring.table import Table, TrumpSuit

GAME_SHARE = 0.03  # what one Game point in a trick is worth, of the point for Game
END_CARDS = (0.85, 0.4, 0.15)  # how far the first cards of an end, the lowest trumps say, are thought to be it


class Ground:
    """One suit as trump: what each card is worth to whoever wins it, what it is worth to keep, and what beats it.

    `above[card]` are the higher cards of its suit. Only what goes to the winner of a trick makes a card worth
    winning: points that count for whoever was dealt them are left out.
    """

    def __init__(self, table: Table, trump: TrumpSuit) -> None:
        self.table = table
        self.trump = trump
        self.above = {card: self._higher(card) for card in table.deck}
        self.price = {card: self._game_price(card) for card in table.deck}
        for key, point in table.card_points.items():
            if key not in table.personal:
                self._add_point(point.card, point.worth, trump.literal.get(key))
        self.hold = {card: self._hold(card) for card in table.deck}
        self.leads_trump = tuple(card for card in trump.order if card[0] == "X" or card[1] == trump.suit)

    def _higher(self, card: Card) -> tuple[Card, ...]:
        suit, strength = self.trump.suit_of, self.trump.strength
        higher = [other for other in self.table.deck if suit[other] == suit[card] and strength[other] > strength[card]]
        return tuple(higher)

    def _game_price(self, card: Card) -> float:
        key = self.table.game_key
        return 0.0 if key is None else self.table.value[card] * GAME_SHARE * self.table.worth[key]

    def _add_point(self, name: str, worth: int, literal: Card | None) -> None:
        if literal is not None:
            self.price[literal] += worth
        elif name != "highest":  # the highest trump cannot be lost, all other ends can
            for card, share in zip(self.trump.end(name), END_CARDS, strict=False):
                self.price[card] += worth * share

    def _hold(self, card: Card) -> float:
        """What it costs to part with a card: trumps and aces win later tricks."""
        if card in self.trump.trumps:
            height = self.trump.lowest_first.index(card) / len(self.trump.order)
            return 0.1 + 0.45 * height
        return {0: 0.16, 1: 0.06, 2: 0.03}.get(len(self.above[card]), 0.0)


@lru_cache(maxsize=256)
def ground_of(table: Table, suit: Suit) -> Ground:
    """The ground of a table's suit, made once."""
    return Ground(table, table.trumps[suit])
