"""Before the play: the bidding seat by seat, the card turned up for trump, and begging."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, RANKS, UNKNOWN
from scorekeeper.scoring.hand import outcome_of
from scorekeeper.scoring.hand_facts import CallFacts
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import RANK_NAMES

from . import messages as say
from .draft import PASS, Draft


class SeatCall(NamedTuple):
    """A seat with its calls so far, the latest last."""

    unit: str
    short: str
    name: str
    said: str
    turn: bool


class Call(NamedTuple):
    """A call that the next bidder may make."""

    value: str
    label: str
    legal: bool


def settled_by(draft: Draft) -> Draft:
    """The draft with what its bidding comes to: only calls that can be, and bidder and bid once it is over.

    A bidder or a bid that was tapped since, without the calls, clears them.
    """
    auction, table = draft.auction, draft.table
    bidder, bid = draft.bidder, draft.bid
    if auction.is_over:
        contract = outcome_of(table, auction)
        bidder, bid = contract.bidder, bid_name(table, contract.bid)
    if not draft.by_seat:
        is_other = (bidder, bid) != (draft.bidder, draft.bid)
        return replace(draft, calls=()).telling(say.CALLS_CLEARED) if is_other else draft
    if len(auction.calls) < len(draft.calls) and not auction.is_over:
        draft = draft.telling(say.CALLS_CUT)
    return replace(draft, calls=tuple(call.bid for call in auction.calls), bidder=bidder, bid=bid)


def bid_name(table: Table, bid: int | None) -> int | str | None:
    """A bid as the form has it: a special by its name."""
    special = table.specials.get(bid or 0)
    return special.name if special else bid


def is_unfinished(draft: Draft) -> bool:
    """Whether another call is to come, seat by seat; not if the bid was entered before without the calls."""
    return bool(draft.calls or None in (draft.bidder, draft.bid)) and not draft.auction.is_over


def all_passed(draft: Draft) -> bool:
    """Whether everybody has passed, seat by seat."""
    return bool(draft.calls) and draft.auction.passed_out and not draft.base.plays_without_bid


def bids_of(draft: Draft) -> list[CallFacts]:
    """The bidding as the game record has it."""
    return [
        {"seat": call.seat, "bid": PASS if call.bid is None else bid_name(draft.base, call.bid) or 0}
        for call in draft.auction.calls
    ]


class Bidding:
    """What the page shows of the bidding."""

    def __init__(self, draft: Draft, narrator: Narrator) -> None:
        self.narrator, self.draft, self.auction = narrator, draft, draft.auction
        self.turn = None if self.auction.is_over else self.auction.to_speak
        self.said = len(self.auction.calls)

    @property
    def says(self) -> str:
        """Where the bidding is: whose turn it is, what the dealer may or must do, or who has won it."""
        auction, high, seat = self.auction, self.auction.high, self.narrator.seat
        if auction.passed_out:
            without = self.draft.base.plays_without_bid
            return say.PLAYS_WITHOUT_BID.format(seat(auction.eldest)) if without else say.ALL_PASSED
        if self.turn is None:
            return say.BIDS.format(seat(high.seat), self.narrator.bid(high.bid)) if high else ""
        if self.draft.bidder and not is_unfinished(self.draft):
            return say.BIDS.format(seat(self.draft.bidder), self.draft.bid)
        name = seat(self.turn)
        if auction.is_forced(self.turn):
            return f"{name} dealt and must bid"
        if self.turn == auction.seller and high:
            return f"{name} can play it for {self.narrator.bid(high.bid)}, or sell it"
        if auction.may_match(self.turn) and high:
            return f"{name} dealt and can take it for {self.narrator.bid(high.bid)}"
        return f"{name} to bid"

    @property
    def seats(self) -> list[SeatCall]:
        """The seats in the order in which they speak: the dealer last, or who sells the hand."""
        table, names = self.draft.base, self.narrator
        order = table.seats_from(table.next_seat(self.draft.dealer))
        if self.auction.seller is not None:
            order = (*order[1:], *order[:1])
        said: dict[Seat, list[str]] = {seat: [] for seat in order}
        for call in self.auction.calls:
            said[call.seat].append(PASS if call.bid is None else names.bid(call.bid))
        return [
            SeatCall(table.unit_of[seat], names.seat(seat), names.names[seat - 1], " ".join(words), seat == self.turn)
            for seat, words in said.items()
        ]

    @property
    def bids(self) -> list[Call]:
        """Every bid of the rules, in its place; those that are not allowed now are disabled."""
        legal = self.auction.legal_bids(self.turn) if self.turn else ()
        levels = self.draft.base.rules.auction.levels
        return [Call(str(bid), self.narrator.bid(bid), bid in legal) for bid in levels]

    @property
    def may_pass(self) -> bool:
        return self.turn is not None and self.auction.may_pass(self.turn)


# --- a card turned up ---------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """One segment of a row."""

    value: str
    label: str


class TurnedRow(NamedTuple):
    """One thing to tap: the input's name, what it is, whom it is about, what there is to choose, and what is.

    `of` tells the script of the page for no signal who that is: the dealer, or the eldest after the dealer.
    """

    name: str
    title: str
    hint: str
    choices: tuple[Choice, ...]
    chosen: str
    of: str


class TurningUp:
    """The rows before the points, in the order in which they happen at the table."""

    def __init__(self, draft: Draft, narrator: Narrator, *, shows_all: bool = False) -> None:
        self.table, self.draft, self.narrator, self.shows_all = draft.base, draft, narrator, shows_all
        self.trump = self.table.rules.trump
        self.may_misdeal = self.table.rules.deck.misdeal > 0  # whether one scores anything, so that it is noted

    @cached_property
    def rows(self) -> list[TurnedRow]:
        if not self.trump.is_turned_up:
            return []
        worth = self.trump.turned
        ranks = [
            Choice(rank, f"{'10' if rank == 'T' else rank} +{worth[rank]}")
            for rank in (*RANKS, *JOKERS)
            if worth.get(rank)
        ]
        first = [self._turned(0, ranks)] if ranks else []
        begging = [self._begging()] if self.trump.may_beg else []
        return [*first, *begging, *(self._turned(place, ranks) for place in range(1, self._places))]

    @property
    def _places(self) -> int:
        """How many cards may have been turned up: one more than are known, once the dealer has run the cards."""
        if self.shows_all:
            return self.table.most_runs + 1
        return min(len(self.draft.turned), self.table.most_runs) + 1 if self.draft.beg == "run" else 1

    def _turned(self, place: int, ranks: list[Choice]) -> TurnedRow:
        """A card that was turned up; behind those that are known there may have been another."""
        turned = self.draft.turned
        is_known = place < 2 and place < max(len(turned), 1)
        chosen = turned[place] if place < len(turned) else UNKNOWN if is_known else ""
        # a rank that a record names although it scores nothing
        unscored = [] if chosen in ("", UNKNOWN) or self.trump.turned.get(chosen) else [chosen]
        choices = (
            *ranks,
            *(Choice(rank, RANK_NAMES.get(rank, rank)) for rank in unscored),
            Choice(UNKNOWN, "other"),
            *([] if is_known else [Choice("", "none")]),
        )
        team = self.narrator.team(self.table.unit_of[self.draft.dealer])
        title = "Turned up next" if place else "Card turned up"
        return TurnedRow(f"turned-{place}", title, f"for {team}", choices, chosen, "dealer")

    def _begging(self) -> TurnedRow:
        gift, eldest = self.trump.gift, self.narrator.seat(self.table.next_seat(self.draft.dealer))
        given = [Choice("gift", f"given +{gift}")] if gift else []
        run = [Choice("run", "ran cards")] if self.table.most_runs > 0 else []
        return TurnedRow("beg", "Begged?", eldest, (Choice("", "no"), *given, *run), self.draft.beg, "eldest")
