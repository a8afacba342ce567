"""Tricks with unknown cards: the results that hold whatever those cards were, and what the record has to say.

Nothing is guessed. A trick, a point or Game is decided if every possible card gives the same result; otherwise a
`won`, a `lead` or a claim must say it, or the hand is refused with what is missing (`not-known`). Nothing is
inferred from players who did not follow suit: only the cards count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .captures import (
    check_called,
    check_first_lead,
    find_partner,
    mark_captured,
    players_of_points,
    read_counts,
    read_side,
    read_sweeper,
)
from .cards import SUIT_NAMES, UNKNOWN, Card, Suit
from .facts import NOT_GIVEN, Hand
from .play import Trick, check_shape, trick_winner
from .points import (
    NOBODY_BELOW,
    NOBODY_TIED,
    NOT_CAPTURED,
    TIED,
    KnownCards,
    PointScore,
    Taken,
    check_same_cards,
    decide_game,
    why_missing,
)
from .problems import Problems
from .rules.fields import ENDS, Point
from .table import Seat, Side, Sides, Table, TrumpSuit


def could_beat(card: Card, other: Card, trump: TrumpSuit) -> bool:
    """True if a card could win a trick that the other one would win without it."""
    own, suit = trump.suit_of[card], trump.suit_of[other]
    return own in (trump.suit, suit) and trump.strength[card] >= trump.strength[other]


def would_beat(card: Card, other: Card, trump: TrumpSuit) -> bool:
    """Like `could_beat`, in any order of play."""
    return could_beat(card, other, trump) and trump.strength[card] > trump.strength[other]


class TrickReplay:
    """Replays tricks with unknown cards."""

    def __init__(self, table: Table, trump: TrumpSuit, unseen: Sequence[Card], problems: Problems) -> None:
        self.table, self.trump, self.unseen, self.problems = table, trump, unseen, problems
        self.still_in = frozenset(table.seats)
        self.void: dict[tuple[Seat, Suit], str] = {}

    def follow(self, tricks: Sequence[Trick], bidder: Seat) -> list[Trick] | None:
        """The tricks, with the players of their cards and the winner filled in as far as known.

        None if there are problems, such as a wrong shape or an unknown leader.
        """
        if not check_shape(self.table, tricks, self.problems):
            return None
        missing = sum(trick.cards.count(UNKNOWN) for trick in tricks)
        if missing > len(self.unseen):
            text = f"only {len(self.unseen)} cards are left that can be unknown, not {missing}"
            self.problems.add("too-many-cards", "tricks", text)
            return None
        leader: Seat | None = bidder
        followed: list[Trick] = []
        for index, trick in enumerate(tricks):
            at = f"tricks[{index}]"
            seats = self._seats(trick, leader, at)
            if seats is not None:
                self._check_cards(trick, seats, at)
                self.still_in &= frozenset(seats)
            elif set(trick.cards) != {UNKNOWN}:
                self.problems.add("not-known", f"{at}.lead", "nobody can tell who led this trick: give its lead")
                return None
            leader = self._winner(trick, seats, at, tricks[index + 1 :])
            if self.problems:
                return None
            followed.append(trick._replace(seats=seats, won=leader))
        return followed

    def _seats(self, trick: Trick, leader: Seat | None, at: str) -> tuple[Seat, ...] | None:
        """The seats that played the cards; None if the leader is unknown."""
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
        """Check the known cards against the rules of play, as far as they show it."""
        if back := [seat for seat in seats if seat not in self.still_in]:
            self.problems.add("revoke", f"{at}.seats", f"seat {back[0]} was out of the hand, and cannot play again")
        led = None if trick.cards[0] == UNKNOWN else self.trump.suit_of[trick.cards[0]]
        for place, (card, seat) in enumerate(zip(trick.cards, seats, strict=True)):
            if card == UNKNOWN:
                continue
            here, suit = f"{at}.cards[{place}]", self.trump.suit_of[card]
            if self.table.short_tricks and card not in self.trump.trumps:
                self.problems.add("revoke", here, f"{card} is not trump, and only trumps are played")
            if (earlier := self.void.get((seat, suit))) is not None:
                text = f"seat {seat} did not follow when {SUIT_NAMES[suit]} were led, and still had {card}"
                self.problems.add("revoke", earlier, text)
            trumped = suit == self.trump.suit and self.trump.follow != "follow"
            if led is not None and suit != led and not trumped:
                self.void.setdefault((seat, led), here)

    def _winner(self, trick: Trick, seats: tuple[Seat, ...] | None, at: str, later: Sequence[Trick]) -> Seat | None:
        """The winner of the trick: by its cards, by its `won`, or by who led the next one; None if unknown."""
        if seats is None:
            return trick.won
        place, said = self._winning_place(trick.cards), trick.won
        if place is None and said is None and later and not self.table.short_tricks:
            said = later[0].lead
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
        """Index of the card that wins whatever the unknown ones are; None if that is open."""
        known = [card for card in cards if card != UNKNOWN]
        if cards[0] == UNKNOWN:
            known = [card for card in known if card in self.trump.trumps]
        if not known:
            return None
        best = known[trick_winner(known, self.trump)]
        if UNKNOWN in cards and any(could_beat(card, best, self.trump) for card in self.unseen):
            return None
        return cards.index(best)


UNDECIDED: Side = "?"  # an unknown side


def read_partly_known(
    table: Table, hand: Hand, trump: Suit, bidder: Seat, problems: Problems
) -> tuple[Taken, Sides] | None:
    """Like `read_captures`, for tricks with unknown cards; None if there are problems."""
    suit, tricks = table.trumps[trump], list(hand.tricks or ())
    if tricks[0].cards[:1] != (UNKNOWN,):
        check_first_lead(table, tuple(tricks), trump, problems)
    if hand.called is not None:
        check_called(table, hand.called, suit, problems)
    elsewhere = {*(hand.buried or ()), *(card for trick in tricks for card in trick.cards)}
    unseen = [card for card in table.deck if card not in elsewhere and (not table.short_tricks or card in suit.trumps)]
    if len(unseen) == 1 and not table.short_tricks:  # so the unknown card is this one
        only = {UNKNOWN: unseen[0]}
        tricks = [trick._replace(cards=tuple(only.get(card, card) for card in trick.cards)) for trick in tricks]
        unseen = []
    followed = TrickReplay(table, suit, unseen, problems).follow(tricks, bidder)
    if followed is None:
        return None
    player_of: dict[Card, Seat] = {}
    for trick in followed:
        player_of.update(zip(trick.cards, trick.seats or (), strict=False))
    player_of.pop(UNKNOWN, None)
    partner, known = None, hand.called in player_of or hand.called in (hand.buried or ())
    if table.calls_partner and not known and hand.called is not None and hand.partner is NOT_GIVEN:
        text = f"the known cards do not tell who held {hand.called}: give the partner, a seat or null"
        problems.add("not-known", "partner", text)
    else:
        partner = find_partner(table, hand, bidder, player_of if known else None, problems)
    if problems:
        return None
    sides = table.sides(bidder, partner)
    seen = KnownCards(table, sides, suit, hand.buried or ())
    return _Settled(seen, followed, unseen, hand, problems).taken(), sides


# --- the points -------------------------------------------------------------------------------------------------


class _Slot(NamedTuple):
    """The place of an unknown card: the side that took it, the side that played it, the trick, and the place in it."""

    taker: Side
    player: Side
    trick: int
    place: int


class _Settled:
    """The points decided by the known cards of a hand, and by its record for the rest."""

    def __init__(
        self, known: KnownCards, followed: list[Trick], unseen: list[Card], hand: Hand, problems: Problems
    ) -> None:
        self.known, self.table, self.trump = known, known.table, known.trump
        self.followed, self.unseen, self.hand, self.problems = followed, unseen, hand, problems
        of_seat = known.sides.of_seat
        self.takers = [UNDECIDED if trick.won is None else of_seat[trick.won] for trick in followed]
        self.places: dict[Card, tuple[Side, Side]] = {}  # of the known cards: (taker, player)
        self.slots: list[_Slot] = []
        for index, (trick, taker) in enumerate(zip(followed, self.takers, strict=True)):
            players = [of_seat[seat] for seat in trick.seats] if trick.seats else [UNDECIDED] * len(trick.cards)
            for place, (card, player) in enumerate(zip(trick.cards, players, strict=True)):
                if card == UNKNOWN:
                    self.slots.append(_Slot(taker, player, index, place))
                else:
                    self.places[card] = taker, player
        self.can_be: dict[str, list[Card]] = {}  # possible cards of each point
        self.kept: set[Card] = set()  # cards that certainly stay with their player, and those that may
        self.may_be_kept: set[Card] = set()
        self.all_played = len(unseen) == len(self.slots) and not self.table.short_tricks

    def taken(self) -> Taken:
        """Every point, decided by the cards or by a claim."""
        card_points = self.table.card_points
        kept = {key: self._point(card_points[key]) for key in card_points if key in self.table.kept}
        for key in self.table.kept:
            cards = self.can_be[key]
            self.may_be_kept.update(cards)
            self.kept.update(cards if len(cards) == 1 and cards[0] in self.places else ())
        points = {key: kept.get(key) or self._point(point) for key, point in card_points.items()}
        for name, key in self.table.trick_points.items():
            side = self.takers[0 if name == "first-trick" else -1]
            points[key] = self._settle_claim(key, {side}, PointScore(side))
        assumed = mark_captured(self.known, points, self._players(points), self.problems)
        counts = None
        if self.table.game_key is not None:
            counts, points[self.table.game_key] = self._game(self.table.game_key)
        for key in self.hand.claims or {}:
            if key not in self.table.points:
                self.problems.add("no-such-point", f"claims.{key}", f"these rules have no point called {key}")
        if self.known.doubles and not self.problems:
            check_same_cards(self.known, points, self.problems)
        sweep, is_open = self._sweep()
        return Taken(points, counts, sweep, assumed, is_open, self._possible_lone_winner())

    def _players(self, points: Mapping[str, PointScore]) -> dict[str, Side]:
        """The sides that played the cards of points that can be captured, by the known cards or the record."""
        said = players_of_points(self.known, self.hand, self.problems)
        for key, side in ((key, points[key].side) for key in self.table.captured):
            can_have = self._possible_players(self.table.card_points[key], side) if side else set()
            if key in said and can_have and not can_have & {said[key], UNDECIDED}:
                text = f"{said[key]} cannot have played the card of {key}, by the cards that are known"
                self.problems.add("cards-at-odds", f"played_by.{key}", text)
            elif len(can_have) == 1 and UNDECIDED not in can_have:
                said[key] = can_have.pop()
        return said

    def _possible_players(self, point: Point, side: Side) -> set[Side]:
        """The sides that may have played the card of a point that `side` has."""
        players: set[Side] = set()
        for card in self.can_be[point.key]:
            slots = [(slot.taker, slot.player) for slot in self.slots if self._may_be(card, slot)]
            places = [self.places[card]] if card in self.places else slots
            players |= {
                player for taker, player in places if {side, UNDECIDED} & self._owners(card, point, taker, player)
            }
        return players

    def _possible_lone_winner(self) -> Seat | None:
        """The only seat that may have won every trick; 0 if several won tricks, None if unknown."""
        winners = {trick.won for trick in self.followed}
        said = read_sweeper(self.known.sides, self.hand.sweep) if None in winners else None
        known = {*winners, said} - {None}
        return 0 if len(known) > 1 else next(iter(known), None)

    # --- points that are cards ---

    def _point(self, point: Point) -> PointScore:
        """The side of a point, if it is the same for every card that the point can be."""
        sides: set[Side | None] = set()
        cards: list[Card] = []
        for card in self.trump.from_end[point.card] if point.card in ENDS else [self.trump.literal[point.key]]:
            found = set(self._sides_of(card, point))
            sides |= found - {None}
            cards += [card] if found != {None} else []
            if None not in found:
                break
        else:
            sides.add(None)
        self.can_be[point.key] = cards
        known = cards[0] if len(cards) == 1 else self.trump.literal.get(point.key)
        owner: Side | None = next(iter(sides)) if len(sides) == 1 else None
        why = None if owner else why_missing(self.known, known, complete=True)
        return self._settle_claim(point.key, sides, PointScore(owner, known, why))

    def _sides_of(self, card: Card, point: Point) -> Iterator[Side | None]:
        """The sides that may have a card, and None if it may not have been played."""
        if card in self.places:
            yield from self._owners(card, point, *self.places[card])
            return
        slots = [slot for slot in self.slots if self._may_be(card, slot)] if card in self.unseen else []
        for slot in slots:
            yield from self._owners(card, point, slot.taker, slot.player)
        if not slots or not self.all_played:
            yield None

    def _owners(self, card: Card, point: Point, taker: Side, player: Side) -> set[Side]:
        """The sides that a card may count for in a point."""
        return {player} if point.owner != "taker" else self._piles_of(card, taker, player)

    def _piles_of(self, card: Card, taker: Side, player: Side) -> set[Side]:
        """The sides whose pile may hold a card: a kept card goes to its player, any other to the taker."""
        if card in self.kept:
            return {player}
        return {taker, player} if card in self.may_be_kept else {taker}

    def _may_be(self, card: Card, slot: _Slot) -> bool:
        """True if the unknown card in `slot` can be `card`: the winner's beats all others, and no other beats it."""
        opening = slot.trick == slot.place == 0 and self.table.rules.trump.by == "lead"
        if opening and card[0] != "X" and card[1] != self.trump.suit:
            return False
        trick = self.followed[slot.trick]
        if trick.won is None or trick.seats is None:
            return True
        won = trick.seats.index(trick.won)
        if trick.cards[won] != UNKNOWN:
            return not would_beat(card, trick.cards[won], self.trump)
        if won != slot.place:
            return True
        led = self.trump.suit_of.get(trick.cards[0], self.trump.suit)
        others = [other for other in trick.cards if self.trump.suit_of.get(other) in (led, self.trump.suit)]
        return all(could_beat(card, other, self.trump) for other in others)

    # --- claims ---

    def _settle_claim(self, key: str, sides: set[Side | None], settled: PointScore) -> PointScore:
        """A point with a single possible side is settled, and its claim must agree; otherwise the claim decides."""
        at, claims = f"claims.{key}", self.hand.claims or {}
        is_settled = len(sides) == 1 and UNDECIDED not in sides
        if key not in claims:
            if not is_settled:
                text = f"the known cards do not tell who has {key}: say it in claims"
                self.problems.add("not-known", at, text)
            return settled
        claimed = read_side(self.known.sides, claims[key], at, self.problems)
        if UNDECIDED not in sides and claimed not in sides:
            text = f"{claimed or 'nobody'} cannot have {key}, by the cards that are known"
            self.problems.add("cards-at-odds", at, text)
        if is_settled:
            return settled
        return PointScore(claimed, settled.card, None if claimed else settled.why or NOT_CAPTURED)

    # --- Game ---

    def _game(self, key: str) -> tuple[dict[Side, int] | None, PointScore]:
        """The card points of all sides if certain, and the Game point."""
        least, most = self._bounds()
        if self.hand.game_counts is not None:
            counts, game = read_counts(self.known, self.hand.game_counts, self.problems)
            for side, count in (counts or {}).items():
                if not least[side] <= count <= most[side]:
                    text = f"by the known cards {side} has {least[side]} to {most[side]} card points, not {count}"
                    self.problems.add("cards-at-odds", f"game_counts.{side}", text)
            return counts, self._check_game_claim(key, game or NOBODY_TIED)
        if least == most:
            return least, self._check_game_claim(key, decide_game(self.table.rules.game, least))
        decided = self._decided(least, most)
        sides: set[Side | None] = {decided.side} if decided else {UNDECIDED}
        nobody = NOBODY_TIED if self.table.rules.game.award == "most" else NOBODY_BELOW  # as in claims
        return None, self._settle_claim(key, sides, decided or nobody)

    def _check_game_claim(self, key: str, score: PointScore) -> PointScore:
        """The decided Game point, checked against a claim; a tie that the rules break is checked for the whole hand."""
        by_tie = score.why == TIED and self.table.rules.game.tie != "nobody"
        return score if by_tie else self._settle_claim(key, {score.side}, score)

    def _decided(self, least: dict[Side, int], most: dict[Side, int]) -> PointScore | None:
        """The Game point if it is the same whatever the unknown cards are; None if it is open."""
        game = self.table.rules.game
        at_least = game.at_least if game.award == "at-least" else 0
        for side in least:
            if all(least[side] > most[other] for other in least if other != side):
                if least[side] >= at_least:
                    return PointScore(side)
                return NOBODY_BELOW if most[side] < at_least else None
        return NOBODY_BELOW if game.tie == "nobody" and max(most.values()) < at_least else None

    def _bounds(self) -> tuple[dict[Side, int], dict[Side, int]]:
        """The minimum and maximum of the card points that each side can have taken."""
        least = dict.fromkeys(self.known.sides.names, 0)
        most = dict(least)
        for card, (taker, player) in self.places.items():
            sides = self._piles_of(card, taker, player)
            for side in least:
                least[side] += self.table.value[card] if sides == {side} else 0
                most[side] += self.table.value[card] if sides & {side, UNDECIDED} else 0
        values = sorted(self.table.value[card] for card in self.unseen)
        moves = any(self.table.value[card] for card in self.may_be_kept.intersection(self.unseen))
        unsure = [slot for slot in self.slots if slot.taker == UNDECIDED or (moves and slot.player != slot.taker)]
        for side in least:
            sure = sum(slot.taker == side and slot not in unsure for slot in self.slots)
            least[side] += sum(values[:sure])
            most[side] += sum(values[len(values) - sure - len(unsure) :])
        return least, most

    # --- every trick ---

    def _sweep(self) -> tuple[Side | None, bool]:
        """The side that won every trick, and whether that is open."""
        said = read_side(self.known.sides, self.hand.sweep, "sweep", self.problems)
        known = set(self.takers) - {UNDECIDED}
        if said is not None and known - {said}:
            self.problems.add("sweep", "sweep", f"{said} cannot have won every trick: {min(known - {said})} won one")
        if len(known) > 1:
            return None, False
        if UNDECIDED not in self.takers:
            return known.pop(), False
        return said, said is None and known <= {self.known.sides.bidding}
