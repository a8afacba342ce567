"""The table: seats, scoring units, the deal, and each suit as trump."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from .cards import JOKERS, SUITS, Card, Suit, build_deck, trump_card
from .problems import refusal
from .rules import RuleSet, count_for
from .rules.fields import ENDS, PLAIN_CARDS, SUIT_ENDS, TRICKS, TRUMP_ENDS, Point

Seat = int  # from 1, in the order of play
Unit = str  # keeps a score through the game: a team ("A"), or a seat ("1") where everyone has their own
Side = str  # plays together in one hand: a unit, or where the sides change, BIDDING or DEFENDING

BIDDING: Side = "bidding"
DEFENDING: Side = "defending"
TEAM_LETTERS = "ABCDEF"


def order_of_play(first: Seat, players: int) -> tuple[Seat, ...]:
    """The seats of a table in the order of play, beginning with `first`."""
    return (*range(first, players + 1), *range(1, first))


class Sides(NamedTuple):
    """The sides of one hand; read-only.

    `of_seat[seat]` is the side of a seat (index 0 unused), `names` every side once, `at_zero` each of them with 0,
    `of_unit` the side whose result each scoring unit takes, `bidding` the bidder's side, and `aliases` every accepted
    spelling of a side.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> sides = Table(find_rules("west-michigan-5")).sides(bidder=2, partner=4)
    >>> sides.of_seat[1:], sides.of_unit["4"]
    (('defending', 'bidding', 'defending', 'bidding', 'defending'), 'bidding')
    """

    names: tuple[Side, ...]
    at_zero: MappingProxyType[Side, int]
    of_seat: tuple[Side, ...]
    of_unit: Mapping[Unit, Side]
    bidding: Side
    aliases: Mapping[str | int, Side]


class TrumpSuit:
    """One suit as trump: the order of the trump cards, and the strength and suit of every card of the deck.

    The card of a point, by key: `literal` if the rules name it; else the first dealt of those in `ends`, such as the
    lowest trump. `whole` has both if nothing is buried, and `watched` are those cards; `doubles`: one card is several
    points.
    """

    def __init__(self, rules: RuleSet, trump: Suit, deck: tuple[Card, ...]) -> None:
        self.suit = trump
        self.follow = rules.play.follow
        self.order: tuple[Card, ...] = tuple(trump_card(name, trump) for name in rules.trump.order)
        self.lowest_first = self.order[::-1]
        self.literal: dict[str, Card] = {
            point.key: point.card if point.card in PLAIN_CARDS else trump_card(point.card, trump)
            for point in rules.points
            if point.card in rules.trump.order or point.card in PLAIN_CARDS
        }
        self.trumps = frozenset(self.order)
        plain = {card: len(rules.deck.ranks) - rules.deck.ranks.index(card[0]) for card in deck if card[0] != "X"}
        above = len(rules.deck.ranks)
        trumps = {card: above + height for height, card in enumerate(self.lowest_first, 1)}
        self.last_joker_wins = rules.trump.jokers == "last"
        if rules.trump.jokers != "ranked":
            jokers = [card for card in trumps if card in JOKERS]
            trumps |= dict.fromkeys(jokers, max((trumps[card] for card in jokers), default=0))
        self.strength: dict[Card, int] = plain | trumps
        self.suit_of: dict[Card, Suit] = {card: trump if card in trumps else card[1] for card in deck}
        # Cards from each end of trump, or of a suit: `highest-S` are the spades from the highest down, without the jack
        # of spades while it is the Left Jack; where only trumps are played, none of the plain suits.
        self.from_end: dict[str, tuple[Card, ...]] = {
            "highest": self.order,
            "lowest": self.lowest_first,
            "lowest-natural": tuple(card for card in self.lowest_first if card[1] == trump),
        }
        in_play = SUITS if self.follow != "trumps-only" else trump
        for suit in SUITS:
            cards = [card for card, own in self.suit_of.items() if card[1] == suit == own and suit in in_play]
            cards.sort(key=self.strength.__getitem__, reverse=True)
            self.from_end |= {f"highest-{suit}": tuple(cards), f"lowest-{suit}": tuple(reversed(cards))}
        self.ends = {point.key: self.from_end[point.card] for point in rules.points if point.card in ENDS}
        tops = {key: next(iter(order), None) for key, order in self.ends.items()}
        self.whole: dict[str, Card | None] = {**self.literal, **tops}
        self.watched = frozenset(self.whole.values())
        self.doubles = len(self.watched) < len(self.whole)

    def end_of(self, end: str, cards: Collection[Card]) -> Card | None:
        """The card nearest to that end among `cards`, or None."""
        return next((card for card in self.from_end[end] if card in cards), None)

    def card_of(self, point: Point, cards: Collection[Card]) -> Card | None:
        """The card of a point if `cards` were dealt; None if none of its suit was."""
        return self.end_of(point.card, cards) if point.card in ENDS else self.literal[point.key]

    def point_cards(self, buried: Collection[Card]) -> dict[str, Card | None]:
        """The card of each point if exactly `buried` was not dealt; None if no card of its suit was dealt."""
        cards = self.whole.copy()
        for key, order in self.ends.items():
            if cards[key] in buried:
                cards[key] = next((card for card in order if card not in buried), None)
        return cards


class Table:
    """A rule set with its players and teams: everything about a hand that is known before the first deal.

    Raises Refused if the rule set does not allow `players` or `teams`; None means the first number it allows.

    >>> from scorekeeper.scoring import find_rules
    >>> table = Table(find_rules("shankar"), players=6, teams=3)
    >>> table.units, table.seats_of["B"], table.seats_from(5)
    (('A', 'B', 'C'), (2, 5), (5, 6, 1, 2, 3, 4))
    """

    def __init__(self, rules: RuleSet, players: int | None = None, teams: int | None = None) -> None:
        self.rules = rules
        self.players, self.teams = _format(rules, players, teams)
        self.seats = range(1, self.players + 1)
        self.deck = build_deck(rules.deck.ranks, rules.deck.jokers)
        self.cards = frozenset(self.deck)
        self.hand = count_for(rules.deck.hand, self.players) or 0
        self.deal = count_for(rules.deck.deal, self.players) or self.hand
        self.kitty = count_for(rules.deck.kitty, self.players) or 0
        self.dealt = self.players * self.hand
        self.short_tricks = rules.play.follow == "trumps-only"
        self.calls_partner = rules.table.sides == "called-partner"  # the bidder calls a card to find a partner
        self.changing_sides = rules.table.is_changing
        self.sees_buried = rules.deck.undealt == "buried"
        self.buried = len(self.deck) - self.dealt if self.sees_buried else 0
        values = rules.game.values
        self.value: dict[Card, int] = {card: values.get(card if card[0] == "X" else card[0], 0) for card in self.deck}
        self.deck_value = sum(self.value.values())
        if self.teams:
            self.units: tuple[Unit, ...] = tuple(TEAM_LETTERS[: self.teams])
        else:
            self.units = tuple(str(seat) for seat in self.seats)
        self.at_zero: Mapping[Unit, int] = MappingProxyType(dict.fromkeys(self.units, 0))
        self.unit_of: tuple[Unit, ...] = ("", *(self.units[(seat - 1) % len(self.units)] for seat in self.seats))
        # The seats whose score a unit keeps.
        self.seats_of = {unit: tuple(self.seats[place :: len(self.units)]) for place, unit in enumerate(self.units)}
        free = (0,) if rules.auction.plays_without_bid else ()
        self.bids = frozenset((*rules.auction.levels, *free))
        self.plays_without_bid = rules.auction.plays_without_bid
        self.has_auction = rules.auction.is_held
        self.is_sold = rules.auction.seller == "eldest"
        self.has_events = bool(rules.trump.turned or rules.trump.gift or rules.deck.misdeal)  # points before the play
        self.specials = {special.bid: special for special in rules.auction.specials}
        # The scores before a hand can forbid a bid.
        self.limits_bids = rules.auction.cap != "maximum" or any(
            special.least_score is not None for special in rules.auction.specials
        )
        self.most_runs = self._count_runs()
        self._sides: dict[tuple[Seat, Seat | None], Sides] = {}
        self._runs: dict[int, Table] = {0: self}
        # The points by kind (card, trick, Game), what each is worth, and for whom it counts.
        points = rules.points
        self.card_points = {point.key: point for point in points if point.card != "game" and point.card not in TRICKS}
        # The suits whose highest or lowest card is a point, whatever is trump.
        self.end_suits = tuple(dict.fromkeys(point.card[-1] for point in points if point.card in SUIT_ENDS))
        self.trick_points = {point.card: point.key for point in points if point.card in TRICKS}
        self.game_key = next((point.key for point in points if point.card == "game"), None)
        self.worth = {point.key: point.worth for point in points}
        # A point's worth to a side that wins its card from another, if it differs.
        self.captured = {point.key: point.captured for point in points if point.captured is not None}
        self.worth_if = {False: self.worth, True: self.worth | self.captured}  # by whether its card was captured
        # Points that count for the keeper or the holder of their card; all others count for its taker.
        self.kept = frozenset(point.key for point in self.card_points.values() if point.owner == "keeper")
        self.held = frozenset(point.key for point in self.card_points.values() if point.owner == "holder")
        self.personal = self.kept | self.held
        self.by_player = self.personal.union(self.captured)  # points that depend on who played, or was dealt, the card
        self.low_key, self.high_key = self._point_called("low", "lowest"), self._point_called("high", "highest")
        self.points: dict[str, Point] = {point.key: point for point in points}

    def after_runs(self, runs: int) -> Table:
        """The table in a hand in which all players were dealt more cards `runs` times (`trump.run`); 0: as it is.

        >>> from scorekeeper.scoring import find_rules
        >>> rules = find_rules("classic").override({"trump.by": "turned-up", "trump.run": 3})
        >>> Table(rules).after_runs(2).hand
        12
        """
        found = self._runs.get(runs)
        if found is None:
            first = self._runs[0]
            found = self._runs[runs] = copy.copy(first)
            more = runs * self.rules.trump.run
            found.hand, found.deal = first.hand + more, first.deal + more
            found.dealt = found.players * found.hand
            found.buried = max(0, len(found.deck) - found.dealt) if found.sees_buried else 0
            found.most_runs = found._count_runs()
        return found

    def _count_runs(self) -> int:
        """How often the cards can be run before the pack is exhausted, with one card left to turn up each time."""
        each = self.players * self.rules.trump.run
        left = len(self.deck) - self.players * self.deal - 1
        return max(0, left) // (each + 1) if each else 0

    def _point_called(self, key: str, card: str) -> str | None:
        """The point that `low_by` or `high_by` refers to: by its key, else the first one on that end of trump.

        A rule set without either may have a deuce that its player keeps: that is then its Low.
        """
        if key in self.card_points:
            return key
        ends = [point for point in self.card_points.values() if point.card in TRUMP_ENDS]
        by_card = [point.key for point in ends if point.card.startswith(card)]
        deuce = [point.key for point in self.card_points.values() if point.card == "2" and point.owner != "taker"]
        return next(iter(by_card + deuce), None) if card == "lowest" else next(iter(by_card), None)

    @property
    def may_lack_card_points(self) -> bool:
        """True if no card that counts need be dealt: a tie may then give Game to a side that won no trick."""
        idle = sum(not value for value in self.value.values())
        return self.rules.game.tie != "nobody" and (self.short_tricks or idle >= self.dealt)

    @property
    def partner_offset(self) -> int:
        """With partners by seat: how many places before the bidder the partner sits, in the order of play."""
        right = self.rules.table.partner_right
        return self.players - right % self.players if self.rules.table.direction == "right" else right

    @cached_property
    def trumps(self) -> dict[Suit, TrumpSuit]:
        """Each suit as trump."""
        return {suit: TrumpSuit(self.rules, suit, self.deck) for suit in SUITS}

    def deck_by_strength(self, trump: Suit | None) -> tuple[Card, ...]:
        """The deck, trumps first from the highest down; in deck order before trump is known."""
        trumps = self.trumps[trump].order if trump else ()
        return (*trumps, *(card for card in self.deck if card not in trumps))

    def is_without_bid(self, bid: object) -> bool:
        """True if `bid` marks a hand that was played although nobody bid."""
        return bid == 0 and self.plays_without_bid

    def scores_difference(self, bid: object) -> bool:
        """True if a made bid scores only the difference, for the side with the most points."""
        return self.rules.settle.made == "difference" and bid not in self.specials and not self.is_without_bid(bid)

    def next_seat(self, seat: Seat) -> Seat:
        """The next seat in the order of play."""
        return seat % self.players + 1

    def gift_units(self, dealer: Seat) -> tuple[Unit, ...]:
        """The units that score the gift when the dealer keeps the trump."""
        if self.rules.trump.gift_to == "eldest":
            return (self.unit_of[self.next_seat(dealer)],)
        return tuple(unit for unit in self.units if unit != self.unit_of[dealer])

    def seats_from(self, first: Seat) -> tuple[Seat, ...]:
        """All seats in the order of play, from `first`: the order of a trick that it leads."""
        return order_of_play(first, self.players)

    def sides(self, bidder: Seat, partner: Seat | None = None) -> Sides:
        """The sides when `bidder` has won the bidding; `partner` only in call-your-partner games."""
        found = self._sides.get(key := (bidder, partner))
        if found is not None:
            return found
        if self.rules.table.sides == "seat-partner":
            partner = self.seats_from(bidder)[-self.partner_offset % self.players]
        if self.changing_sides:
            of_seat = ("", *(BIDDING if seat in (bidder, partner) else DEFENDING for seat in self.seats))
            names: tuple[Side, ...] = (BIDDING, DEFENDING)
        else:
            of_seat, names = self.unit_of, self.units
        of_unit = {self.unit_of[seat]: of_seat[seat] for seat in self.seats}
        aliases: dict[str | int, Side] = {str(seat): of_seat[seat] for seat in self.seats}
        aliases |= {seat: of_seat[seat] for seat in self.seats} | {side: side for side in names}
        at_zero, bidding = MappingProxyType(dict.fromkeys(names, 0)), of_seat[bidder]
        found = Sides(names, at_zero, of_seat, MappingProxyType(of_unit), bidding, MappingProxyType(aliases))
        self._sides[key] = found
        return found


def _format(rules: RuleSet, players: int | None, teams: int | None) -> tuple[int, int]:
    allowed = rules.table.players
    if players is None:
        players = allowed[0]
    elif players not in allowed:
        text = f"these rules are for {_join_with_or(allowed)} players, not {players}"
        raise refusal("players", text, "players")
    formats = rules.table.formats(players)
    if teams is None:
        return players, formats[0]
    if teams not in formats:
        text = f"{players} players play {_in_teams(formats)}, not {_in_teams((teams,))}"
        raise refusal("teams", text, "teams")
    return players, teams


def _in_teams(formats: tuple[int, ...]) -> str:
    """The ways to form teams, in words: "in 2 or 3 teams or individually"."""
    numbers = tuple(number for number in formats if number)
    ways = [f"in {_join_with_or(numbers)} team{'' if numbers == (1,) else 's'}"] if numbers else []
    return " or ".join([*ways, "individually"] if 0 in formats else ways)


def _join_with_or(numbers: tuple[int, ...]) -> str:
    return " or ".join(str(number) for number in numbers)
