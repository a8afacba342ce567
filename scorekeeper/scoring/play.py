"""The tricks: which card may be played, who wins a trick, and the play of a hand checked card by card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .cards import SUIT_NAMES, UNKNOWN, Card
from .problems import Problems
from .table import Seat, Table, TrumpSuit


class Trick(NamedTuple):
    """One trick: who led (None: whoever has to) and the cards in the order in which they were played.

    `seats` says who played them where not everybody did: where only trumps are played, whoever has none is out.
    `won` is who won a trick of which a card is unknown, where that is known.
    `extra` keeps what its record held under `x-` keys.

    >>> Trick(1, ("AH", "2H", "9C", "KH")).cards[0]
    'AH'
    """

    lead: Seat | None
    cards: tuple[Card, ...]
    extra: Mapping[str, object] = MappingProxyType({})
    seats: tuple[Seat, ...] | None = None
    won: Seat | None = None


class Play(NamedTuple):
    """A hand played out: each trick's winner, and each card's player in the order of play."""

    winners: list[Seat]
    player_of: dict[Card, Seat]


def legal_cards(hand: Iterable[Card], led: Card | None, trump: TrumpSuit) -> list[Card]:
    """The cards of a hand that may be played on that lead, as `play.follow` says: anything when void or leading.

    `led` is the card that was led, None for whoever leads. Under `trumps-only` it can be none. Seed 000 section 8.1.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> hearts = Table(find_rules("classic")).trumps["H"]
    >>> legal_cards(["KC", "2D", "3H"], "AC", hearts)
    ['KC', '3H']
    """
    held = list(hand)
    if trump.follow == "trumps-only":
        return [card for card in held if card in trump.trumps]
    if led is None:
        return held
    suit = trump.suit_of[led]
    following = [card for card in held if trump.suit_of[card] == suit]
    if not following:
        return held
    if trump.follow == "follow":
        return following
    return [card for card in held if trump.suit_of[card] in (suit, trump.suit)]


def trick_winner(cards: Sequence[Card], trump: TrumpSuit) -> int:
    """Which of the cards wins, as an index from 0: the highest trump, else the highest of the suit that was led.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> trick_winner(["AC", "KC", "2H", "AS"], Table(find_rules("classic")).trumps["H"])
    2
    """
    led = trump.suit_of[cards[0]]
    takers = [card for card in cards if trump.suit_of[card] in (led, trump.suit)]
    if trump.last_joker_wins:
        takers.reverse()
    return cards.index(max(takers, key=trump.strength.__getitem__))


def has_unknown(tricks: Sequence[Trick] | None) -> bool:
    """Whether a card of these tricks is unknown."""
    return tricks is not None and any(UNKNOWN in trick.cards for trick in tricks)


def play_out(table: Table, trump: TrumpSuit, bidder: Seat, tricks: Sequence[Trick], problems: Problems) -> Play | None:
    """Follow the play trick by trick, the bidder leading; None when its shape is too wrong to follow.

    Revokes are found because the play shows what every player held: whoever does not follow suit and
    still plays that suit later has revoked.
    """
    if not has_shape(table, tricks, problems):
        return None
    if table.short_tricks:
        return _play_out_short(table, trump, bidder, tricks, problems)
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


def has_shape(table: Table, tricks: Sequence[Trick], problems: Problems) -> bool:
    """Whether there are as many tricks as cards in a hand, each with a card from everyone."""
    before, wanted = len(problems), table.hand
    if len(tricks) > wanted or (len(tricks) < wanted and not table.short_tricks):
        code = "too-many-cards" if len(tricks) > wanted else "tricks-missing"
        problems.add(code, "tricks", f"a hand has {wanted} tricks, not {len(tricks)}")
    for index, trick in enumerate(tricks):
        if table.short_tricks:
            _check_short(table, trick, f"tricks[{index}]", problems)
            continue
        if trick.seats is not None and trick.seats != table.seats_from(trick.seats[0]):
            problems.add("trick-seats", f"tricks[{index}].seats", "under these rules everybody plays to every trick")
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
            if suit_of[card] != led and (suit_of[card] != trump.suit or trump.follow == "follow"):
                kept = next((other for other in hand if suit_of[other] == led), None)
                if kept is not None:
                    text = (
                        f"seat {seat} may not play {card}: {SUIT_NAMES[led]} were led, and seat {seat} still has {kept}"
                    )
                    problems.add("revoke", f"tricks[{index}].cards[{place}]", text)


# --- where whoever has no trump is out of the hand ----------------------------------------------------------------


def _check_short(table: Table, trick: Trick, at: str, problems: Problems) -> None:
    """A trick names who played it wherever not everybody did, in the order of play."""
    if not trick.cards or len(trick.cards) > table.players:
        problems.add("trick-size", f"{at}.cards", f"a trick has 1 to {table.players} cards, not {len(trick.cards)}")
    elif trick.seats is None and len(trick.cards) < table.players:
        text = "say who played: this trick has fewer cards than there are players"
        problems.add("trick-seats", f"{at}.seats", text)
    elif trick.seats is not None and not _is_in_order(table, trick.seats, len(trick.cards)):
        problems.add("trick-seats", f"{at}.seats", "seats must name one seat for each card, in the order of play")


def _is_in_order(table: Table, seats: tuple[Seat, ...], cards: int) -> bool:
    if len(seats) != cards:
        return False
    return seats == tuple(seat for seat in table.seats_from(seats[0]) if seat in seats)


def _play_out_short(
    table: Table, trump: TrumpSuit, bidder: Seat, tricks: Sequence[Trick], problems: Problems
) -> Play | None:
    """Trumps alone are played: whoever leaves a trick out plays no more, and the next who can leads for them."""
    leader, play, still_in = bidder, Play([], {}), frozenset(table.seats)
    for index, trick in enumerate(tricks):
        at = f"tricks[{index}]"
        seats = trick.seats or table.seats_from(leader if trick.lead is None else trick.lead)
        if back := [seat for seat in seats if seat not in still_in]:
            problems.add("revoke", f"{at}.seats", f"seat {back[0]} was out of the hand, and cannot play again")
            return None
        leader = next(seat for seat in table.seats_from(leader) if seat in seats)
        if seats[0] != leader or trick.lead not in (None, leader):
            text = f"seat {leader} leads this trick, not seat {seats[0] if trick.lead is None else trick.lead}"
            problems.add("wrong-lead", f"{at}.lead", text)
            return None
        for place, card in enumerate(trick.cards):
            if card not in trump.trumps:
                problems.add("revoke", f"{at}.cards[{place}]", f"{card} is not trump, and only trumps are played")
        if len(problems):
            return None
        play.player_of.update(zip(trick.cards, seats, strict=True))
        leader, still_in = seats[trick_winner(trick.cards, trump)], frozenset(seats)
        play.winners.append(leader)
    return play
