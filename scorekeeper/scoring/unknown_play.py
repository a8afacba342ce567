"""The play of a hand with unknown cards, followed trick by trick as far as it is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .cards import SUIT_NAMES, UNKNOWN, Card, Suit
from .play import Trick, has_shape, trick_winner
from .problems import Problems
from .table import Seat, Table, TrumpSuit


class Followed(NamedTuple):
    """A trick as far as it is known: who played each of its cards, and who won it."""

    cards: tuple[Card, ...]
    seats: tuple[Seat, ...] | None
    winner: Seat | None


def could_beat(card: Card, other: Card, trump: TrumpSuit) -> bool:
    """Whether a card can win a trick in which the other one would win without it."""
    own, suit = trump.suit_of[card], trump.suit_of[other]
    return own in (trump.suit, suit) and trump.strength[card] >= trump.strength[other]


def would_beat(card: Card, other: Card, trump: TrumpSuit) -> bool:
    """The same, and it does so whoever played first."""
    return could_beat(card, other, trump) and trump.strength[card] > trump.strength[other]


class Follower:
    """Follows the play trick by trick."""

    def __init__(self, table: Table, trump: TrumpSuit, unseen: Sequence[Card], problems: Problems) -> None:
        self.table, self.trump, self.unseen, self.problems = table, trump, unseen, problems
        self.still_in = frozenset(table.seats)
        self.void: dict[tuple[Seat, Suit], str] = {}

    def follow(self, tricks: Sequence[Trick], bidder: Seat) -> list[Followed] | None:
        """Every trick; None where its shape is wrong, or nobody can tell who led."""
        if not has_shape(self.table, tricks, self.problems):
            return None
        missing = sum(trick.cards.count(UNKNOWN) for trick in tricks)
        if missing > len(self.unseen):
            text = f"only {len(self.unseen)} cards are left that can be unknown, not {missing}"
            self.problems.add("too-many-cards", "tricks", text)
            return None
        leader: Seat | None = bidder
        followed: list[Followed] = []
        for index, trick in enumerate(tricks):
            after = tricks[index + 1] if index + 1 < len(tricks) else None
            one = self._trick(trick, leader, f"tricks[{index}]", after)
            if one is None or self.problems:
                return None
            followed.append(one)
            leader = one.winner
        return followed

    def _trick(self, trick: Trick, leader: Seat | None, at: str, after: Trick | None) -> Followed | None:
        seats = self._seats(trick, leader, at)
        if seats is None and set(trick.cards) != {UNKNOWN}:
            self.problems.add("not-known", f"{at}.lead", "nobody can tell who led this trick: give its lead")
            return None
        if seats is not None:
            self._check_cards(trick, seats, at)
            self.still_in &= frozenset(seats)
        return Followed(trick.cards, seats, self._winner(trick, seats, at, after))

    def _seats(self, trick: Trick, leader: Seat | None, at: str) -> tuple[Seat, ...] | None:
        """Who played each card; None where nobody can tell who led."""
        short, said = self.table.short_tricks, trick.lead or (trick.seats[0] if trick.seats else None)
        if leader is not None and short and trick.seats:
            leader = next(seat for seat in self.table.seats_from(leader) if seat in (trick.seats or ()))
        if None not in (said, leader) and said != leader:
            self.problems.add("wrong-lead", f"{at}.lead", f"seat {leader} leads this trick, not seat {said}")
        first = leader or said
        if first is None:
            return None
        return trick.seats if short and trick.seats else self.table.seats_from(first)

    def _check_cards(self, trick: Trick, seats: tuple[Seat, ...], at: str) -> None:
        """No card that is known was played against the rules, as far as the known cards show."""
        if back := [seat for seat in seats if seat not in self.still_in]:
            self.problems.add("revoke", f"{at}.seats", f"seat {back[0]} was out of the hand, and cannot play again")
        led = None if trick.cards[0] == UNKNOWN else self.trump.suit_of[trick.cards[0]]
        for place, (card, seat) in enumerate(zip(trick.cards, seats, strict=True)):
            if card != UNKNOWN:
                self._check_card(card, seat, led, f"{at}.cards[{place}]")

    def _check_card(self, card: Card, seat: Seat, led: Suit | None, at: str) -> None:
        suit = self.trump.suit_of[card]
        if self.table.short_tricks and card not in self.trump.trumps:
            self.problems.add("revoke", at, f"{card} is not trump, and only trumps are played")
        if (earlier := self.void.get((seat, suit))) is not None:
            text = f"seat {seat} did not follow when {SUIT_NAMES[suit]} were led, and still had {card}"
            self.problems.add("revoke", earlier, text)
        trumped = suit == self.trump.suit and self.trump.follow != "follow"
        if led is not None and suit != led and not trumped:
            self.void.setdefault((seat, led), at)

    def _winner(self, trick: Trick, seats: tuple[Seat, ...] | None, at: str, after: Trick | None) -> Seat | None:
        """Who won the trick: by its cards, by what it says, or by who led the next one."""
        if seats is None:
            return trick.won
        place = self._winning_place(trick.cards)
        if place is None and trick.won is None and after is not None and not self.table.short_tricks:
            said = after.lead
        else:
            said = trick.won
        if said is not None and not self._can_win(trick.cards, seats, said, place):
            self.problems.add("wrong-winner", f"{at}.won", f"seat {said} cannot have won this trick")
        return said if place is None else seats[place]

    def _can_win(self, cards: tuple[Card, ...], seats: tuple[Seat, ...], seat: Seat, place: int | None) -> bool:
        if seat not in seats or (place is not None and seat != seats[place]):
            return False
        card = cards[seats.index(seat)]
        if card == UNKNOWN:
            return True
        known = [other for other in cards if other != UNKNOWN]
        follows = cards[0] == UNKNOWN or could_beat(card, cards[0], self.trump)
        return follows and not any(would_beat(other, card, self.trump) for other in known)

    def _winning_place(self, cards: tuple[Card, ...]) -> int | None:
        """Which card wins whatever the unknown ones are; None where that is open."""
        known = [card for card in cards if card != UNKNOWN]
        if cards[0] == UNKNOWN:
            known = [card for card in known if card in self.trump.trumps]
        if not known:
            return None
        best = known[trick_winner(known, self.trump)]
        if UNKNOWN in cards and any(could_beat(card, best, self.trump) for card in self.unseen):
            return None
        return cards.index(best)
