"""A hand's play as far as it has gone: whose turn it is, who has won which trick, who has shown to be void."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .cards import Card, Suit
from .play import Trick, trick_winner
from .table import Seat, Table, TrumpSuit


def out_step(seat: Seat) -> Card:
    """What stands in place of a card where only trumps are played and that seat has none: it is out of the hand."""
    return f"-{seat}"


def is_out_step(step: Card) -> bool:
    return step[0] == "-"


class Shown(NamedTuple):
    """Where a player did not follow: the trick (from 0), the place in it, and the card that was played instead."""

    trick: int
    place: int
    card: Card


class PlaySoFar:
    """Tricks as they are played, card by card. Nothing is refused: what cannot be is for the caller to ask about.

    Where only trumps are played, `out_step` in place of a card takes the player out whose turn it is.

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
        self.shown: dict[tuple[Seat, Suit], Shown] = {}
        self.out: frozenset[Seat] = frozenset()
        self._seats: tuple[Seat, ...] = ()  # who has played to the trick
        for card in cards:
            self.play(card)

    @property
    def is_over(self) -> bool:
        return len(self.tricks) == self.table.hand or len(self.out) == self.table.players

    @property
    def to_play(self) -> Seat:
        """Whose turn it is."""
        if not self.table.short_tricks:
            return self.table.seats_from(self.leader)[len(self.current)]
        done = self.out.union(self._seats)
        return next((seat for seat in self.table.seats_from(self.leader) if seat not in done), self.leader)

    @property
    def led(self) -> Suit | None:
        """The suit that has been led, or None when the next card leads."""
        return self.trump.suit_of[self.current[0]] if self.current else None

    def revoked(self, card: Card) -> Shown | None:
        """Where whoever plays next did not follow although this card was still held, if that is so."""
        return None if is_out_step(card) else self.shown.get((self.to_play, self.trump.suit_of[card]))

    def play(self, card: Card) -> None:
        """Whoever's turn it is plays a card."""
        seat, led = self.to_play, self.led
        if is_out_step(card):
            self._leave(seat)
            return
        suit = self.trump.suit_of[card]
        follows = suit == led or (suit == self.trump.suit and self.trump.follow != "follow")
        if led is not None and not follows:
            self.shown.setdefault((seat, led), Shown(len(self.tricks), len(self.current), card))
        self.player_of[card] = seat
        self.current += (card,)
        self._seats += (seat,)
        if len(self.current) + len(self.out) == self.table.players:
            self._take()

    def _leave(self, seat: Seat) -> None:
        """A player has no trump left. If that ends the trick, its winner takes it."""
        if self.table.short_tricks:
            self.out |= {seat}
            if self.current and len(self.current) + len(self.out) == self.table.players:
                self._take()

    def _take(self) -> None:
        turn = trick_winner(self.current, self.trump)
        short = self._seats if len(self._seats) < self.table.players else None
        self.tricks.append(Trick(self._seats[0], self.current, seats=short))
        self.leader = self._seats[turn]
        self.winners.append(self.leader)
        self.current, self._seats = (), ()


def steps_of(table: Table, trump: TrumpSuit, tricks: Iterable[Trick], leader: Seat) -> tuple[Card, ...]:
    """The cards of a hand's tricks one by one, with an `out_step` where somebody had no trump in their turn.

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
