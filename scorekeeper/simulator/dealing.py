"""The cards before the play: the deal, and what is discarded and refilled where the rules let players draw."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.cards import Card, Suit
from scorekeeper.scoring.table import Seat, Table, Unit

from .card_values import Ground

MOST_DRAWN = {"up-to-3": 3, "up-to-4-with-ace": 3}
MOST_DRAWN_WITH_ACE = {"up-to-4-with-ace": 4}


def deal(table: Table, rng: Random) -> tuple[list[list[Card]], list[Card]]:
    """Everybody's cards (index 0 is nobody's) and what is left."""
    deck, each = rng.sample(table.deck, len(table.deck)), table.deal
    return [[], *(deck[seat * each : (seat + 1) * each] for seat in range(table.players))], deck[each * table.players :]


class TurnedUp(NamedTuple):
    """What came of turning a card up for trump: the ranks, the suit, what is left of the pack.

    `gift`: the dealer has given the beggar points. `is_redealt`: the pack has run out, and nothing is played.
    """

    ranks: tuple[str, ...] | None = None
    suit: Suit | None = None
    stock: tuple[Card, ...] = ()
    gift: bool = False
    is_redealt: bool = False


NOTHING_TURNED = TurnedUp()
ENOUGH_TRUMPS = 2  # with fewer a player does not like the trump


def turn_up(
    table: Table, hands: list[list[Card]], stock: list[Card], dealer: Seat, totals: Mapping[Unit, int]
) -> TurnedUp:
    """Turn a card up; whoever has few trumps begs, and then the dealer gives points or runs the cards."""
    rules, eldest = table.rules.trump, table.next_seat(dealer)
    card, left = stock[0], stock[1:]
    suit = card[1] if card[0] != "X" else "S"
    if not rules.may_beg or _likes(hands[eldest], suit):
        return TurnedUp((_rank(card),), suit, tuple(left))
    wins = totals[table.unit_of[eldest]] + rules.gift >= table.rules.win.target
    if rules.gift and (not table.most_runs or (_likes(hands[dealer], suit) and not wins)):
        return TurnedUp((_rank(card),), suit, tuple(left), gift=True)
    return _run(table, hands, left, card, suit)


def _run(table: Table, hands: list[list[Card]], stock: list[Card], card: Card, suit: Suit) -> TurnedUp:
    """Deal more cards and turn another one up, until it is of another suit."""
    ranks: tuple[str, ...] = (_rank(card),)
    each = table.rules.trump.run
    for _ in range(table.most_runs):
        for seat in table.seats:
            hands[seat], stock = hands[seat] + stock[:each], stock[each:]
        card, stock = stock[0], stock[1:]
        ranks += (_rank(card),)
        if card[0] != "X" and card[1] != suit:
            return TurnedUp(ranks, card[1], tuple(stock))
    return TurnedUp(ranks, is_redealt=True)


def _likes(hand: list[Card], suit: Suit) -> bool:
    return sum(card[1] == suit for card in hand) >= ENOUGH_TRUMPS


def _rank(card: Card) -> str:
    """The card as `turned_up` has it."""
    return card if card[0] == "X" else card[0]


def draw(ground: Ground, hands: list[list[Card]], stock: list[Card], dealer: Seat, bidder: Seat) -> list[Card]:
    """Let everybody throw away and draw, from the dealer's left on; what lies aside in the end.

    Where trump is made by the lead the bidder has said by now which suit that will be.
    """
    table, aside = ground.table, []
    deck = table.rules.deck
    if table.kitty or table.deal != table.hand or deck.rob != "nobody":
        return _draw_down(ground, hands, stock, dealer, bidder)
    if deck.draw == "none":
        return stock
    for seat in table.seats_from(table.next_seat(dealer)):
        thrown = discards(ground, hands[seat])[: len(stock)]
        hands[seat] = [card for card in hands[seat] if card not in thrown] + stock[: len(thrown)]
        stock = stock[len(thrown) :]
        aside += thrown
    return stock + aside


def _draw_down(ground: Ground, hands: list[list[Card]], stock: list[Card], dealer: Seat, bidder: Seat) -> list[Card]:
    """Everybody ends with one card for each trick; the kitty is taken, and the pack robbed, as the rules say."""
    table, deck = ground.table, ground.table.rules.deck
    kitty, stock = stock[: table.kitty], stock[table.kitty :]
    aside = [] if deck.kitty_to == "bidder" else kitty
    if deck.kitty_to == "bidder":
        hands[bidder] = hands[bidder] + kitty
    robber = {"dealer": dealer, "bidder": bidder}.get(deck.rob)
    for seat in table.seats_from(table.next_seat(dealer)):
        if seat != robber:
            wanted = 0 if deck.draw in ("none", "discard") else table.hand
            keep = best_of(ground, hands[seat], table.hand, trumps_only=bool(wanted))
            drawn, stock = stock[: max(0, wanted - len(keep))], stock[max(0, wanted - len(keep)) :]
            thrown = [card for card in hands[seat] if card not in keep]
            short = table.hand - len(keep) - len(drawn)  # where the pack runs out, cards are kept instead
            hands[seat], aside = keep + drawn + thrown[:short], aside + thrown[short:]
    if robber is not None:
        pool = hands[robber] + stock
        hands[robber], stock = best_of(ground, pool, table.hand, trumps_only=False), []
        aside += [card for card in pool if card not in hands[robber]]
    return stock + aside


def best_of(ground: Ground, cards: list[Card], number: int, *, trumps_only: bool) -> list[Card]:
    """The cards to keep, so many at most: point cards and high trumps first, and what is no trump last."""
    trumps = ground.trump.trumps

    def use(card: Card) -> tuple[bool, bool, float]:
        return card in trumps, ground.price[card] >= 1, ground.hold[card]

    wanted = [card for card in cards if card in trumps] if trumps_only else cards
    return sorted(wanted, key=use, reverse=True)[:number]


def discards(ground: Ground, hand: list[Card]) -> list[Card]:
    """What a player throws away: never a trump, the least useful cards first."""
    way = ground.table.rules.deck.draw
    plain = sorted((card for card in hand if card not in ground.trump.trumps), key=ground.hold.__getitem__)
    if way == "non-trump":
        return plain
    if way == "up-to-4":
        return plain[:4]
    with_ace = plain[: MOST_DRAWN_WITH_ACE.get(way, 0)]
    if any(card[0] == "A" and card not in with_ace for card in hand):
        return with_ace or plain[: MOST_DRAWN.get(way, 0)]
    return plain[: MOST_DRAWN.get(way, 0)]
