"""The tricks: which card may be played, who wins a trick, and the play of a hand checked card by card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .cards import SUIT_NAMES, Card
from .problems import Problems
from .table import Seat, Table, TrumpSuit


class Trick(NamedTuple):
    """One trick: who led (None: whoever has to) and the cards in the order in which they were played.

    `extra` keeps what its record held under `x-` keys.

    >>> Trick(1, ("AH", "2H", "9C", "KH")).cards[0]
    'AH'
    """

    lead: Seat | None
    cards: tuple[Card, ...]
    extra: Mapping[str, object] = MappingProxyType({})


class Play(NamedTuple):
    """A hand played out: each trick's winner, and each card's player in the order of play."""

    winners: list[Seat]
    player_of: dict[Card, Seat]


def legal_cards(hand: Iterable[Card], led: Card | None, trump: TrumpSuit) -> list[Card]:
    """The cards of a hand that may be played on that lead: follow suit or trump; anything when void or leading.

    `led` is the card that was led, None for whoever leads. Seed 000 section 8.1.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> hearts = Table(find_rules("classic")).trumps["H"]
    >>> legal_cards(["KC", "2D", "3H"], "AC", hearts)
    ['KC', '3H']
    """
    held = list(hand)
    if led is None:
        return held
    suit = trump.suit_of[led]
    if all(trump.suit_of[card] != suit for card in held):
        return held
    return [card for card in held if trump.suit_of[card] in (suit, trump.suit)]


def trick_winner(cards: Sequence[Card], trump: TrumpSuit) -> int:
    """Which of the cards wins, as an index from 0: the highest trump, else the highest of the suit that was led.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> trick_winner(["AC", "KC", "2H", "AS"], Table(find_rules("classic")).trumps["H"])
    2
    """
    led = trump.suit_of[cards[0]]
    takers = [card for card in cards if trump.suit_of[card] in (led, trump.suit)]
    return cards.index(max(takers, key=trump.strength.__getitem__))


def play_out(table: Table, trump: TrumpSuit, bidder: Seat, tricks: Sequence[Trick], problems: Problems) -> Play | None:
    """Follow the play trick by trick, the bidder leading; None when its shape is too wrong to follow.

    Revokes are found because the play shows what every player held: whoever does not follow suit and
    still plays that suit later has revoked.
    """
    if not _has_shape(table, tricks, problems):
        return None
    leader, play = bidder, Play([], {})
    for index, trick in enumerate(tricks):
        if trick.lead is not None and trick.lead != leader:
            problems.add(
                "wrong-lead", f"tricks[{index}].lead", f"seat {leader} leads this trick, not seat {trick.lead}"
            )
            return None
        order = table.seats_from(leader)
        play.player_of.update(zip(trick.cards, order, strict=True))
        leader = order[trick_winner(trick.cards, trump)]
        play.winners.append(leader)
    _find_revokes(trump, tricks, play, problems)
    return play


def _has_shape(table: Table, tricks: Sequence[Trick], problems: Problems) -> bool:
    """Whether there are as many tricks as cards in a hand, each with a card from everyone."""
    before, wanted = len(problems), table.rules.deck.hand
    if len(tricks) != wanted:
        code = "too-many-cards" if len(tricks) > wanted else "tricks-missing"
        problems.add(code, "tricks", f"a hand has {wanted} tricks, not {len(tricks)}")
    for index, trick in enumerate(tricks):
        if len(trick.cards) != table.players:
            text = f"a trick has {table.players} cards, one from everyone, not {len(trick.cards)}"
            problems.add("trick-size", f"tricks[{index}].cards", text)
    return len(problems) == before


def _find_revokes(trump: TrumpSuit, tricks: Sequence[Trick], play: Play, problems: Problems) -> None:
    suit_of = trump.suit_of
    held: dict[Seat, list[Card]] = {}
    for card, seat in play.player_of.items():
        held.setdefault(seat, []).append(card)
    for index, trick in enumerate(tricks):
        led = suit_of[trick.cards[0]]
        for place, card in enumerate(trick.cards):
            seat = play.player_of[card]
            hand = held[seat] = held[seat][1:]
            if suit_of[card] not in (led, trump.suit):
                kept = next((other for other in hand if suit_of[other] == led), None)
                if kept is not None:
                    text = (
                        f"seat {seat} may not play {card}: {SUIT_NAMES[led]} were led, and seat {seat} still has {kept}"
                    )
                    problems.add("revoke", f"tricks[{index}].cards[{place}]", text)
