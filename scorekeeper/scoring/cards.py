"""Suits, ranks, cards and decks.

A card is its two-character code, rank then suit (`TH`); the jokers are `XR` (red, the Right Joker), `XB` (black, the
Left Joker), and in packs with more of them `X3` and `X4`. Codes are plain strings: records hold them, and they are the
fastest dictionary keys.
"""

from __future__ import annotations

Suit = str
Card = str

SUITS = "SHDC"
RANKS = "AKQJT98765432"
UNKNOWN: Card = "x"  # in a trick: an unknown card
JOKERS = ("XR", "XB", "X3", "X4")  # red, black, third, fourth

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SAME_COLOR = {"S": "C", "C": "S", "H": "D", "D": "H"}


def build_deck(ranks: str, jokers: int) -> tuple[Card, ...]:
    """The cards of a deck: `ranks` in all four suits, then the first `jokers` of JOKERS."""
    return (*(rank + suit for suit in SUITS for rank in ranks), *JOKERS[:jokers])


CARD_SPELLINGS: dict[str, Card] = {
    **{card: card for card in build_deck(RANKS, 4)},
    **{f"10{suit}": f"T{suit}" for suit in SUITS},
}

# Names in a trump order of cards off trump that are trumps, in the other suit of trump's color (L: the Left Jack).
OFF_SUIT = {"L": "J", "LA": "A", "LK": "K", "L9": "9", "L5": "5", "L3": "3"}


def trump_card(name: str, trump: Suit) -> Card:
    """The card for a name in a trump order: a rank of trump, a joker, or a card of trump's color off trump.

    >>> trump_card("L5", "H"), trump_card("Q", "H"), trump_card("XR", "H")
    ('5D', 'QH', 'XR')
    """
    if name in OFF_SUIT:
        return OFF_SUIT[name] + SAME_COLOR[trump]
    return name if name in JOKERS else name + trump
