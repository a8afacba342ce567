"""Tricks: legal cards, trick winners, and the play of a hand checked card by card, complete or so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .cards import SUIT_NAMES, Card, Suit
from .problems import Problems
from .table import Seat, Table, TrumpSuit


class Trick(NamedTuple):
    """One trick: who led (None: the player whose lead it is) and the cards in the order in which they were played.

    `seats` says who played them if not all did: where only trumps are played, players without one are out.
    `won` is the winner of a trick with an unknown card, if known.
    `extra` keeps the `x-` keys of its record.

    >>> Trick(1, ("AH", "2H", "9C", "KH")).cards[0]
    'AH'
    """

    lead: Seat | None = None
    cards: tuple[Card, ...] = ()
    extra: Mapping[str, object] = MappingProxyType({})
    seats: tuple[Seat, ...] | None = None
    won: Seat | None = None


class Play(NamedTuple):
    """A hand played out: each trick's winner, and each card's player in the order of play."""

    winners: list[Seat]
    player_of: dict[Card, Seat]


def legal_cards(hand: Iterable[Card], led: Card | None, trump: TrumpSuit) -> list[Card]:
    """The cards of a hand that may be played on a lead, by `play.follow`: any card when void or leading.

    `led` is the card led, None when leading. Under `trumps-only` the result may be empty. Seed 000 section 8.1.

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
    """Index of the winning card, from 0: the highest trump, else the highest card of the suit that was led.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> trick_winner(["AC", "KC", "2H", "AS"], Table(find_rules("classic")).trumps["H"])
    2
    """
    led = trump.suit_of[cards[0]]
    takers = [card for card in cards if trump.suit_of[card] in (led, trump.suit)]
    if trump.last_joker_wins:
        takers.reverse()
    return cards.index(max(takers, key=trump.strength.__getitem__))


def play_out(table: Table, trump: TrumpSuit, bidder: Seat, tricks: Sequence[Trick], problems: Problems) -> Play | None:
    """Replay the tricks, the bidder leading first; None if they cannot be followed.

    Where only trumps are played, a player missing from a trick is out, and the next player still in leads instead.
    """
    if not check_shape(table, tricks, problems):
        return None
    leader, play, still_in = bidder, Play([], {}), table.seats_from(1)
    for index, trick in enumerate(tricks):
        at = f"tricks[{index}]"
        seats = table.seats_from(leader if trick.lead is None else trick.lead)
        if table.short_tricks:
            seats = trick.seats or seats
            if back := [seat for seat in seats if seat not in still_in]:
                problems.add("revoke", f"{at}.seats", f"seat {back[0]} was out of the hand, and cannot play again")
                return None
            leader = next(seat for seat in table.seats_from(leader) if seat in seats)
        if seats[0] != leader or trick.lead not in (None, leader):
            text = f"seat {leader} leads this trick, not seat {seats[0] if trick.lead is None else trick.lead}"
            problems.add("wrong-lead", f"{at}.lead", text)
            return None
        if table.short_tricks:
            _check_trumps(trump, trick, at, problems)
            if problems:
                return None
        play.player_of.update(zip(trick.cards, seats, strict=True))
        leader, still_in = seats[trick_winner(trick.cards, trump)], seats
        play.winners.append(leader)
    _find_revokes(trump, tricks, play, problems)
    return play


def check_shape(table: Table, tricks: Sequence[Trick], problems: Problems) -> bool:
    """Check that there are as many tricks as cards in a hand, each with a card from every player still in."""
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


# --- where only trumps are played: players without one are out ----------------------------------------------------


def _check_short(table: Table, trick: Trick, at: str, problems: Problems) -> None:
    """Check that a trick with fewer cards than players names its seats, in the order of play."""
    if not trick.cards or len(trick.cards) > table.players:
        problems.add("trick-size", f"{at}.cards", f"a trick has 1 to {table.players} cards, not {len(trick.cards)}")
    elif trick.seats is None and len(trick.cards) < table.players:
        text = "say who played: this trick has fewer cards than there are players"
        problems.add("trick-seats", f"{at}.seats", text)
    elif trick.seats is not None:
        in_order = tuple(seat for seat in table.seats_from(trick.seats[0]) if seat in trick.seats)
        if len(trick.seats) != len(trick.cards) or trick.seats != in_order:
            problems.add("trick-seats", f"{at}.seats", "seats must name one seat for each card, in the order of play")


def _check_trumps(trump: TrumpSuit, trick: Trick, at: str, problems: Problems) -> None:
    for place, card in enumerate(trick.cards):
        if card not in trump.trumps:
            problems.add("revoke", f"{at}.cards[{place}]", f"{card} is not trump, and only trumps are played")


def out_step(seat: Seat) -> Card:
    """Stands for a card where only trumps are played and that seat has none: it is out of the hand."""
    return f"-{seat}"


def is_out_step(step: Card) -> bool:
    return step[0] == "-"


class OffSuitPlay(NamedTuple):
    """Where a player did not follow suit: the trick (from 0), the place in it, and the card played instead."""

    trick: int
    place: int
    card: Card


class PlaySoFar:
    """Tricks as they are played, card by card. Nothing is refused: the caller checks what is legal.

    Where only trumps are played, `out_step` in place of a card takes the player whose turn it is out of the hand.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> table = Table(find_rules("classic"))
    >>> play = PlaySoFar(table, table.trumps["H"], leader=1, cards=["AC", "KC", "2H", "3C", "5D"])
    >>> play.winners, play.current, play.to_play
    ([3], ('5D',), 4)
    """

    def __init__(self, table: Table, trump: TrumpSuit, leader: Seat, cards: Iterable[Card] = ()) -> None:
        self.table = table
        self.trump = trump
        self.leader = leader
        self.tricks: list[Trick] = []
        self.winners: list[Seat] = []
        self.current: tuple[Card, ...] = ()
        self.player_of: dict[Card, Seat] = {}
        self.shown: dict[tuple[Seat, Suit], OffSuitPlay] = {}
        self.out: frozenset[Seat] = frozenset()
        self._seats: tuple[Seat, ...] = ()  # in the order in which they played to the current trick
        for card in cards:
            self.play(card)

    @property
    def is_over(self) -> bool:
        return len(self.tricks) == self.table.hand or len(self.out) == self.table.players

    @property
    def to_play(self) -> Seat:
        """The seat whose turn it is."""
        if not self.table.short_tricks:
            return self.table.seats_from(self.leader)[len(self.current)]
        done = self.out.union(self._seats)
        return next((seat for seat in self.table.seats_from(self.leader) if seat not in done), self.leader)

    @property
    def led(self) -> Suit | None:
        """The suit that was led, or None when the next card leads."""
        return self.trump.suit_of[self.current[0]] if self.current else None

    def revoked(self, card: Card) -> OffSuitPlay | None:
        """Where the player in turn did not follow suit while holding this card; None if that never happened."""
        return None if is_out_step(card) else self.shown.get((self.to_play, self.trump.suit_of[card]))

    def play(self, card: Card) -> None:
        """Play a card for the seat whose turn it is."""
        seat, led = self.to_play, self.led
        if is_out_step(card):  # the player has no trump left; this may complete the trick
            if self.table.short_tricks:
                self.out |= {seat}
                self._end_trick()
            return
        suit = self.trump.suit_of[card]
        follows = suit == led or (suit == self.trump.suit and self.trump.follow != "follow")
        if led is not None and not follows:
            self.shown.setdefault((seat, led), OffSuitPlay(len(self.tricks), len(self.current), card))
        self.player_of[card] = seat
        self.current += (card,)
        self._seats += (seat,)
        self._end_trick()

    def _end_trick(self) -> None:
        """Complete the trick once every player still in has played to it."""
        if not self.current or len(self.current) + len(self.out) < self.table.players:
            return
        turn = trick_winner(self.current, self.trump)
        short = self._seats if len(self._seats) < self.table.players else None
        self.tricks.append(Trick(self._seats[0], self.current, seats=short))
        self.leader = self._seats[turn]
        self.winners.append(self.leader)
        self.current, self._seats = (), ()


def steps_of(table: Table, trump: TrumpSuit, tricks: Iterable[Trick], leader: Seat) -> tuple[Card, ...]:
    """The cards of a hand's tricks one by one, with an `out_step` where a player had no trump in turn.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> table = Table(find_rules("classic"))
    >>> steps_of(table, table.trumps["H"], [Trick(1, ("AH", "2H", "9C", "KH"))], leader=1)
    ('AH', '2H', '9C', 'KH')
    """
    steps: list[Card] = []
    still_in = frozenset(table.seats)
    for trick in tricks:
        seats = trick.seats or table.seats_from(leader if trick.lead is None else trick.lead)
        card_of = dict(zip(seats, trick.cards, strict=True))
        steps += [card_of.get(seat, out_step(seat)) for seat in table.seats_from(leader) if seat in still_in]
        still_in = frozenset(seats)
        leader = seats[trick_winner(trick.cards, trump)]
    ended = not table.short_tricks or len(steps) >= table.dealt
    return tuple(steps) if ended else (*steps, *map(out_step, sorted(still_in)))
