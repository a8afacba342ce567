"""What trump and the buried cards say about the points: which card each one is, and which nobody can have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from .cards import Card, Suit
from .table import Seat, Sides, Table, TrumpSuit


class KnownCards:
    """What is known of the cards of a hand: trump, the buried cards as recorded, and whether those are all of them.

    `cards` has the card that each point is, as far as trump and the buried cards say; `gone` the points that the
    buried cards make impossible; `moved` those and the ones that are another card than with nothing buried; `doubles`
    whether one card may be several points.
    """

    __slots__ = ("all_buried", "buried", "cards", "doubles", "gone", "moved", "sides", "table", "trump")

    def __init__(self, table: Table, sides: Sides, trump: TrumpSuit, buried: tuple[Card, ...]) -> None:
        self.table = table
        self.sides = sides
        self.trump = trump
        self.buried = buried
        self.all_buried = table.sees_buried and len(buried) == table.buried
        self.cards: Mapping[str, Card | None] = trump.whole if self.all_buried else trump.literal
        self.moved: Collection[str] = ()
        self.gone: Collection[str] = ()
        self.doubles = trump.doubles
        if not trump.watched.isdisjoint(buried) or (self.all_buried and None in trump.watched):
            self.gone = self.moved = [key for key, card in self.cards.items() if card is None or card in buried]
            if self.all_buried and self.moved:
                self.cards = cards = trump.point_cards(buried)
                self.doubles = len(set(cards.values())) < len(cards)
                self.gone = [key for key in self.moved if cards[key] is None or cards[key] in buried]

    def most_card_points(self) -> int:
        """The most card points there can be: those of the deck less what is known to be buried."""
        return self.table.deck_value - sum(self.table.value[card] for card in self.buried)


@lru_cache(maxsize=1024)
def nothing_buried(table: Table, bidder: Seat, partner: Seat | None, trump: Suit) -> KnownCards:
    """What is known where no buried card is: the same for most hands of a table."""
    return KnownCards(table, table.sides(bidder, partner), table.trumps[trump], ())


def knows_all_buried(table: Table, buried: Collection[Card]) -> bool:
    """Whether these are all the cards that were not dealt, and all others were played.

    Never, where the rules do not look at them; nor where only trumps are played, and other cards stay in the hands.
    """
    return table.sees_buried and not table.short_tricks and len(buried) == table.buried


class PointCards(NamedTuple):
    """Which card each point is, by the point's key; read-only.

    `cards` has None where that is not certain yet, or no card of its suit was dealt. `gone` are the points that nobody
    can have because their card is buried. `same` gives, for a point on the same card as an earlier one, the earlier.

    >>> from scorekeeper.scoring import Table, find_rules, point_cards
    >>> buried = ("XB", "TH", "9H", "2H", "2C", "2D")
    >>> point_cards(Table(find_rules("west-michigan-4")), "H", buried).same
    mappingproxy({'right_joker': 'low'})
    """

    cards: Mapping[str, Card | None]
    gone: frozenset[str]
    same: Mapping[str, str]


@lru_cache(maxsize=2048)
def point_cards(table: Table, trump: Suit, buried: tuple[Card, ...] = ()) -> PointCards:
    """Which card each point is with that trump, and those buried cards known (all of them, or some).

    High and Low are certain where they are cards by name, or where every buried card is known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> table = Table(find_rules("west-michigan-6"))
    >>> point_cards(table, "H", ("2H", "XR")).cards["low"]
    '7H'
    >>> sorted(point_cards(table, "H", ("2H", "XR")).gone)
    ['right_joker']
    """
    known = KnownCards(table, table.sides(1), table.trumps[trump], buried)
    cards = {key: known.cards.get(key) for key in table.card_points}
    first: dict[tuple[Card | tuple[Card, ...], bool], str] = {}
    same = {}
    for key, known_card in cards.items():
        card = known_card or known.trump.ends.get(key)  # the ends of one and the same suit are one card, known or not
        if card and (other := first.setdefault((card, key in table.held), key)) != key:
            same[key] = other
    return PointCards(MappingProxyType(cards), frozenset(known.gone), MappingProxyType(same))
