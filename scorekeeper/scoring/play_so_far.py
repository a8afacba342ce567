"""A hand's play as far as it has gone: whose turn it is, who has won which trick, who has shown to be void."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .cards import Card, Suit
from .play import Trick, trick_winner
from .table import Seat, Table, TrumpSuit


class Shown(NamedTuple):
    """Where a player did not follow: the trick (from 0), the place in it, and the card that was played instead."""

    trick: int
    place: int
    card: Card


class PlaySoFar:
    """Tricks as they are played, card by card. Nothing is refused: what cannot be is for the caller to ask about.

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
        for card in cards:
            self.play(card)

    @property
    def is_over(self) -> bool:
        return len(self.tricks) == self.table.rules.deck.hand

    @property
    def to_play(self) -> Seat:
        """Whose turn it is."""
        return self.table.seats_from(self.leader)[len(self.current)]

    @property
    def led(self) -> Suit | None:
        """The suit that has been led, or None when the next card leads."""
        return self.trump.suit_of[self.current[0]] if self.current else None

    def revoked(self, card: Card) -> Shown | None:
        """Where whoever plays next did not follow although this card was still held, if that is so."""
        return self.shown.get((self.to_play, self.trump.suit_of[card]))

    def play(self, card: Card) -> None:
        """Whoever's turn it is plays a card."""
        seat, led, suit = self.to_play, self.led, self.trump.suit_of[card]
        if led is not None and suit not in (led, self.trump.suit):
            self.shown.setdefault((seat, led), Shown(len(self.tricks), len(self.current), card))
        self.player_of[card] = seat
        self.current += (card,)
        if len(self.current) == self.table.players:
            self._take()

    def _take(self) -> None:
        turn = trick_winner(self.current, self.trump)
        self.tricks.append(Trick(self.leader, self.current))
        self.leader = self.table.seats_from(self.leader)[turn]
        self.winners.append(self.leader)
        self.current = ()
