"""The tricks: each player weighs each card that may be played, and mostly plays the one that promises most."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.play import Trick, legal_cards, trick_winner
from scorekeeper.scoring.table import Seat

from .card_values import Ground
from .player_style import PlayerStyle

WILLING = 0.85  # how surely somebody who can win a trick with a higher card does
WILLING_TO_TRUMP = 0.45
SLIP = 0.5  # how often a player without any skill plays whatever comes to hand
PULL = 0.35  # what it is worth to the bidder's side to draw trumps


class Company:
    """Who knows whom to be on their side; a called partner is known to all once the called card lies on the table."""

    def __init__(self, of_seat: tuple[str, ...], bidder: Seat, called: Card | None) -> None:
        self.of_seat = of_seat
        self.bidder = bidder
        self.called = called
        self.seats = range(1, len(of_seat))
        self.friends: list[frozenset[Seat]] = [frozenset(), *(self._known(seat) for seat in self.seats)]

    def _known(self, seat: Seat) -> frozenset[Seat]:
        mates = frozenset(s for s in self.seats if self.of_seat[s] == self.of_seat[seat] and s != seat)
        if self.called is None or (seat != self.bidder and self.of_seat[seat] == self.of_seat[self.bidder]):
            return mates
        return frozenset(s for s in self.seats if s not in (seat, self.bidder)) if seat != self.bidder else frozenset()

    def see(self, card: Card) -> None:
        """A card is played; if it is the called one, all know where they are."""
        if card == self.called:
            self.called = None
            self.friends = [frozenset(), *(self._known(seat) for seat in self.seats)]


class Playing:
    """A hand from the first lead to the last trick."""

    def __init__(
        self,
        ground: Ground,
        hands: list[list[Card]],
        company: Company,
        styles: tuple[PlayerStyle, ...],
        rng: Random,
    ) -> None:
        self.ground = ground
        self.suit_of = ground.trump.suit_of
        self.hands = hands
        self.company = company
        self.styles = styles
        self.rng = rng
        self.seats_from = ground.table.seats_from
        self.gone: set[Card] = set()
        self.no_trump: set[Seat] = set()
        self.tricks: list[Trick] = []
        self.winners: list[Seat] = []

    def play(self, leader: Seat) -> None:
        """Play all the tricks out, `leader` first."""
        for _ in range(self.ground.table.hand):
            if not self._order(leader):
                break
            leader = self._play_trick(leader)
            self.winners.append(leader)

    def _order(self, leader: Seat) -> Sequence[Seat]:
        """Who plays to the next trick: everybody, or those who have a trump where only trumps are played."""
        order = self.seats_from(leader)
        if not self.ground.table.short_tricks:
            return order
        return tuple(seat for seat in order if any(card in self.ground.trump.trumps for card in self.hands[seat]))

    def _play_trick(self, leader: Seat) -> Seat:
        cards: list[Card] = []
        order = self._order(leader)
        for turn, seat in enumerate(order):
            card = self._choose(seat, cards, order, turn)
            cards.append(card)
            self.hands[seat].remove(card)
            self._see(seat, cards[0], card)
        short = tuple(order) if len(order) < self.ground.table.players else None
        self.tricks.append(Trick(order[0], tuple(cards), seats=short))
        return order[trick_winner(cards, self.ground.trump)]

    def _see(self, seat: Seat, led: Card, card: Card) -> None:
        self.gone.add(card)
        self.company.see(card)
        trump = self.ground.trump.suit
        if self.suit_of[led] == trump != self.suit_of[card]:
            self.no_trump.add(seat)

    def _choose(self, seat: Seat, cards: list[Card], order: Sequence[Seat], turn: int) -> Card:
        hand = self.hands[seat]
        choice = self._may_lead(hand) if not cards else legal_cards(hand, cards[0], self.ground.trump)
        if len(choice) == 1:
            return choice[0]
        if self.rng.random() < SLIP * (1 - self.styles[seat - 1].skill):
            return self.rng.choice(choice)
        situation = Situation(self, seat, cards, order, turn)
        return max(choice, key=situation.promise)

    def _may_lead(self, hand: list[Card]) -> list[Card]:
        """Any card; but the first lead shows trump where the lead makes it, and a sound bidder leads it anyway.

        The other jack of the color shows its own suit, so it is led first only by who has no choice.
        """
        opening = [] if self.tricks else [card for card in hand if card in self.ground.leads_trump]
        if opening or not self.ground.table.short_tricks:
            return opening or hand
        return [card for card in hand if card in self.ground.trump.trumps]


class Situation:
    """A trick as the player sees it whose turn it is."""

    def __init__(self, playing: Playing, seat: Seat, cards: list[Card], order: Sequence[Seat], turn: int) -> None:
        self.playing = playing
        self.ground = ground = playing.ground
        self.mine = playing.hands[seat]
        friends = playing.company.friends[seat]
        self.later = [other for other in order[turn + 1 :] if other not in friends]
        self.friends_later = len(order) - turn - 1 - len(self.later)
        self.led = playing.suit_of[cards[0]] if cards else None
        self.best = cards[trick_winner(cards, ground.trump)] if cards else None
        self.ours = self.best is not None and order[cards.index(self.best)] in friends
        self.value = sum(ground.price[card] for card in cards)
        bidder = playing.company.bidder
        self.attacks = seat == bidder or bidder in friends
        trumps = [card for card in ground.trump.order if card not in playing.gone and card not in self.mine]
        self.trumps_out = len(trumps)
        self.may_trump = sum(other not in playing.no_trump for other in self.later)
        unseen = len(ground.above) - len(playing.gone) - len(self.mine)
        self.share = len(self.mine) / max(unseen, 1)

    def promise(self, card: Card) -> float:
        """What playing that card may bring: the trick's worth by who will win it, less what the card could do later."""
        ground = self.ground
        wins = self._stands(card) if self._beats(card) else self._others_win()
        promise = (2 * wins - 1) * (self.value + ground.price[card]) - ground.hold[card] + 0.12 * wins
        if self.led is None and card in ground.trump.trumps:
            promise += PULL * wins if self.attacks and self.may_trump and self.trumps_out else -0.1
        return promise

    def _beats(self, card: Card) -> bool:
        if self.best is None:
            return True
        strength, suit = self.ground.trump.strength, self.playing.suit_of[card]
        return suit in (self.led, self.ground.trump.suit) and strength[card] > strength[self.best]

    def _others_win(self) -> float:
        """How likely this player's side wins the trick although the card does not."""
        best = self.best or ""
        if self.ours:
            return self._stands(best)
        if not self.friends_later:
            return 0.0
        return 0.5 * (1 - (1 - self.share) ** (self.friends_later * self._beaters(best)))

    def _beaters(self, card: Card) -> int:
        gone, mine = self.playing.gone, self.mine
        return sum(other not in gone and other not in mine for other in self.ground.above[card])

    def _stands(self, card: Card) -> float:
        """How likely nobody of the other side who is still to play beats that card."""
        if not self.later:
            return 1.0
        if card in self.ground.trump.trumps:
            return float((1 - self.share) ** (WILLING * self.may_trump * self._beaters(card)))
        exponent = WILLING * len(self.later) * self._beaters(card)
        return float((1 - self.share) ** (exponent + WILLING_TO_TRUMP * self.may_trump * self.trumps_out))
