"""Evaluation of a hand with a suit as trump: the probability of each point, before a card is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.cards import Card, Suit
from scorekeeper.scoring.rules.fields import ENDS, SUIT_ENDS, TRICKS, Point
from scorekeeper.scoring.table import Table, TrumpSuit

# Weights of `HandFeatures`, one row for each kind of probability: a point card that is held or missing, a Low that
# the tricks decide, and Game. From a logistic regression over 42,000 simulated hands in fourteen table formats, in
# which the player with the best trumps (one time in three: a random player) took the hand.
WEIGHTS = {
    "held": (-0.06, 0.12, 0.26, 0.08, -0.20, 0.08, 0.11),
    "missing": (-4.08, 0.36, 0.04, 0.0, 3.42, 2.44, 0.24),
    "low": (-1.29, 0.89, 0.25, -0.06, 2.21, -0.61, 0.67),
    "game": (-1.58, 0.42, 0.60, 0.39, 2.82, -1.54, 0.0),
}
# The highest or the lowest card of a plain suit: over 900 simulated hands the bidder's side took the highest spade
# with this frequency, which was hardly higher if the bidder held it.
PLAIN_END = 0.54


class HandFeatures(NamedTuple):
    """The features of a hand with a suit as trump.

    `control`: expected number of held trumps that no card in play beats. `length`: number of trumps, with expected
    draws. `aces`: plain aces. `mates`: share of the other players who are on this side. `out`: probability that a card
    that is not held is in another hand.
    """

    values: SuitValues
    own: tuple[Card, ...]
    control: float
    length: float
    aces: int
    mates: float
    out: float


def evaluate(values: SuitValues, hand: Sequence[Card]) -> HandFeatures:
    """Evaluate a hand for one suit as trump; a card that will be called counts as held."""
    table, held = values.table, set(hand)
    if table.calls_partner:
        held.add(call_partner(values, hand))
    own = tuple(card for card in values.trump.order if card in held)
    out, drawn = _reach(table, len(own))
    control = sum((1 - out) ** sum(other not in held for other in values.above[card]) for card in own)
    aces = sum(card[0] == "A" and card not in values.trump.trumps for card in hand)
    length = len(own) + drawn * (len(values.trump.order) - len(own))
    mates = 1 if table.changing_sides else table.players / len(table.units) - 1
    return HandFeatures(values, own, control, length, aces, mates / (table.players - 1), out)


def call_partner(values: SuitValues, hand: Sequence[Card]) -> Card:
    """The card that a bidder calls: the highest trump that is missing from the hand."""
    return next((card for card in values.trump.order if card not in hand), values.trump.order[0])


def _reach(table: Table, trumps: int) -> tuple[float, float]:
    """The probabilities that a trump that is not held is in another hand at the first lead, and that it is drawn."""
    each, unseen = table.hand, len(table.deck) - table.hand
    stock = unseen - (table.players - 1) * each
    wanted = {"none": 0.0, "non-trump": each * 0.75}.get(table.rules.deck.draw, 3.0)
    drawn = min(stock / table.players, wanted) if wanted else 0.0
    mine = min(drawn, each - trumps)
    return min(1.0, (table.players - 1) * (each + drawn) / unseen), mine / unseen


def chances(hand: HandFeatures) -> Iterator[tuple[int, float]]:
    """Each point's worth, and the probability that the bidder's side takes it."""
    values = hand.values
    for key, point in values.table.points.items():
        if point.card == "game":
            yield point.worth, _chance("game", hand, 0.0)
        elif point.card in TRICKS:
            yield point.worth, 0.5
        elif point.card in SUIT_ENDS and point.card[-1] != values.trump.suit:
            yield point.worth, PLAIN_END if values.trump.from_end[point.card] else 0.0
        elif point.card in ENDS:
            yield point.worth, _end_chance(hand, point)
        else:
            yield point.worth, _literal_chance(hand, point, values.trump.literal[key])


def _chance(kind: str, hand: HandFeatures, height: float) -> float:
    """The logistic model of one kind; `height` is the feature for the trumps above the card."""
    features = 1.0, hand.control, hand.length, float(hand.aces), hand.mates, hand.out, height
    total = sum(weight * value for weight, value in zip(WEIGHTS[kind], features, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def _end_chance(hand: HandFeatures, point: Point) -> float:
    """The highest trump in play cannot be lost; nor can the lowest, if it counts for the player who was dealt it."""
    order = hand.values.trump.from_end[point.card]
    before = next((rank for rank, card in enumerate(order) if card in hand.own), len(order))
    first = (1 - hand.out) ** before
    if point.card.startswith("lowest") and point.owner == "taker":
        return _chance("low", hand, first)
    return first + (1 - first) * hand.mates


def _literal_chance(hand: HandFeatures, point: Point, card: Card) -> float:
    higher = hand.values.above[card]
    if point.owner != "taker" or not higher:
        return 1.0 if card in hand.own else hand.out * hand.mates
    own = sum(other in hand.own for other in higher)
    if card in hand.own:
        return _chance("held", hand, (len(higher) - own) * hand.out * (1 - hand.mates))
    return _chance("missing", hand, float(own))


GAME_SHARE = 0.03  # value of one card point, as a share of the Game point
END_CARDS = (0.85, 0.4, 0.15)  # estimated probabilities that the first cards from an end are the point


class SuitValues:
    """One suit as trump: the value of winning each card, the value of keeping it, and the cards that beat it.

    `above[card]` are the higher cards of its suit. `price[card]` is the gain of the side that wins it, `hold[card]` the
    cost of parting with it, both in points. `price` has only points for the winner of a trick: points for the player
    who was dealt a card are left out.
    """

    def __init__(self, table: Table, trump: TrumpSuit) -> None:
        self.table = table
        self.trump = trump
        suit, strength, deck = trump.suit_of, trump.strength, table.deck
        self.above = {
            card: tuple(other for other in deck if suit[other] == suit[card] and strength[other] > strength[card])
            for card in deck
        }
        worth = 0.0 if table.game_key is None else table.worth[table.game_key]
        self.price = {card: table.value[card] * GAME_SHARE * worth for card in deck}
        for key, point in table.card_points.items():
            literal = trump.literal.get(key)
            if key in table.personal or (literal is None and point.card == "highest"):
                continue  # the highest trump cannot be lost, all other ends can
            ends = zip(trump.from_end[point.card], END_CARDS, strict=False) if literal is None else [(literal, 1.0)]
            for card, share in ends:
                self.price[card] += point.worth * share
        self.hold = {card: self._keeping_cost(card) for card in deck}
        self.leads_trump = tuple(card for card in trump.order if card[0] == "X" or card[1] == trump.suit)

    def _keeping_cost(self, card: Card) -> float:
        """The cost of parting with a card: trumps and high cards win later tricks."""
        if card in self.trump.trumps:
            height = self.trump.lowest_first.index(card) / len(self.trump.order)
            return 0.1 + 0.45 * height
        return {0: 0.16, 1: 0.06, 2: 0.03}.get(len(self.above[card]), 0.0)


@lru_cache(maxsize=256)
def suit_values(table: Table, suit: Suit) -> SuitValues:
    """The values of a suit as trump at a table, cached."""
    return SuitValues(table, table.trumps[suit])


class PlayerStyle(NamedTuple):
    """A player's style.

    `boldness`, about -1 to 1: how uncertain a bid may be. `skill`, 0 to 1: how accurately a hand is evaluated, and how
    often the card that looks best is played.
    """

    boldness: float = 0.0
    skill: float = 0.8


def draw_styles(rng: Random, players: int) -> tuple[PlayerStyle, ...]:
    """A random style for each player."""
    return tuple(PlayerStyle(rng.gauss(0, 0.35), rng.uniform(0.55, 0.98)) for _ in range(players))
