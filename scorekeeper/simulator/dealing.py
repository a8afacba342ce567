"""The cards before the play: the deal, and what is discarded and refilled where the rules let players draw."""

from __future__ import annotations

from random import Random

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.table import Seat, Table

from .card_values import Ground

MOST_DRAWN = {"up-to-3": 3, "up-to-4-with-ace": 3}
MOST_DRAWN_WITH_ACE = {"up-to-4-with-ace": 4}


def deal(table: Table, rng: Random) -> tuple[list[list[Card]], list[Card]]:
    """Everybody's cards (index 0 is nobody's) and what is left."""
    deck, each = rng.sample(table.deck, len(table.deck)), table.rules.deck.hand
    return [[], *(deck[seat * each : (seat + 1) * each] for seat in range(table.players))], deck[table.dealt :]


def draw(ground: Ground, hands: list[list[Card]], stock: list[Card], dealer: Seat) -> list[Card]:
    """Let everybody throw away and draw, from the dealer's left on; what lies aside in the end.

    Where trump is made by the lead the bidder has said by now which suit that will be.
    """
    table, aside = ground.table, []
    if table.rules.deck.draw == "none":
        return stock
    for seat in table.seats_from(table.next_seat(dealer)):
        thrown = discards(ground, hands[seat])[: len(stock)]
        hands[seat] = [card for card in hands[seat] if card not in thrown] + stock[: len(thrown)]
        stock = stock[len(thrown) :]
        aside += thrown
    return stock + aside


def discards(ground: Ground, hand: list[Card]) -> list[Card]:
    """What a player throws away: never a trump, the least useful cards first."""
    way = ground.table.rules.deck.draw
    plain = sorted((card for card in hand if card not in ground.trump.trumps), key=ground.hold.__getitem__)
    if way == "non-trump":
        return plain
    with_ace = plain[: MOST_DRAWN_WITH_ACE.get(way, 0)]
    if any(card[0] == "A" and card not in with_ace for card in hand):
        return with_ace or plain[: MOST_DRAWN.get(way, 0)]
    return plain[: MOST_DRAWN.get(way, 0)]
