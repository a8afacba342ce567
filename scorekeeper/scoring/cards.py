"""Suits, ranks, cards and decks.

A card is its two-character code, rank then suit (`TH`); the jokers are `XR` (red, the Right Joker), `XB` (black, the
Left Joker), and in packs with more of them `X3` and `X4`. Codes are plain strings because that is what records hold
and what is quickest to look up.
"""

from __future__ import annotations

Suit = str
Card = str

SUITS = "SHDC"
RANKS = "AKQJT98765432"
UNKNOWN: Card = "x"  # in a trick: a card that nobody remembers
JOKERS = ("XR", "XB", "X3", "X4")  # red, black, third, fourth

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SAME_COLOR = {"S": "C", "C": "S", "H": "D", "D": "H"}


def build_deck(ranks: str, jokers: int) -> tuple[Card, ...]:
    """The cards of a deck: `ranks` in all four suits, then as many jokers: red, black, third, fourth."""
    return (*(rank + suit for suit in SUITS for rank in ranks), *JOKERS[:jokers])


CARD_SPELLINGS: dict[str, Card] = {
    **{card: card for card in build_deck(RANKS, 4)},
    **{f"10{suit}": f"T{suit}" for suit in SUITS},
}

# Cards of the other suit of trump's color that can be trump, as a trump order names them (L).
OFF_SUIT = {"L": "J", "LA": "A", "L5": "5", "L3": "3"}


def trump_card(name: str, trump: Suit) -> Card:
    """The card that a name in a trump order means: a rank of trump, a joker, or one of trump's color off trump.

    >>> trump_card("L5", "H"), trump_card("Q", "H"), trump_card("XR", "H")
    ('5D', 'QH', 'XR')
    """
    if name in OFF_SUIT:
        return OFF_SUIT[name] + SAME_COLOR[trump]
    return name if name in JOKERS else name + trump
