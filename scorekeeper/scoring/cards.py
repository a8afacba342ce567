"""Suits, ranks, cards and decks.

A card is its two-character code, rank then suit (`TH`); the jokers are `XR` (red, the Right Joker) and `XB` (black,
the Left Joker). Codes are plain strings because that is what records hold and what is quickest to look up.
"""

from __future__ import annotations

Suit = str
Card = str

SUITS = "SHDC"
RANKS = "AKQJT98765432"
RED_JOKER: Card = "XR"
BLACK_JOKER: Card = "XB"
JOKERS = (RED_JOKER, BLACK_JOKER)

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SAME_COLOR = {"S": "C", "C": "S", "H": "D", "D": "H"}

_STANDARD = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_SPELLINGS: dict[str, Card] = {
    **{card: card for card in (*_STANDARD, *JOKERS)},
    **{f"10{suit}": f"T{suit}" for suit in SUITS},
}


def build_deck(ranks: str, jokers: int) -> tuple[Card, ...]:
    """The cards of a deck: `ranks` in all four suits, then the red joker, then the black one."""
    return (*(rank + suit for suit in SUITS for rank in ranks), *JOKERS[:jokers])


def left_jack(trump: Suit) -> Card:
    """The jack of the other suit of trump's color (seed 000 section 4.2)."""
    return "J" + SAME_COLOR[trump]
