"""The bidding, seat by seat; only calls that the rules allow are offered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.scoring.auction import Auction
from scorekeeper.scoring.hand import outcome_of
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.narrator import Narrator

from . import messages as say
from .draft import Draft

PASS = "pass"  # noqa: S105  (no password)
Said = int | None  # a bid as its number, None for a pass


@dataclass(frozen=True, slots=True)
class SeatCall:
    """A seat with its calls so far, the latest last."""

    number: Seat
    unit: str
    short: str
    name: str
    said: str
    turn: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the next bidder may make."""

    value: str
    label: str
    legal: bool


def hear(table: Table, dealer: Seat, said: Iterable[Said]) -> Auction:
    """The bidding as it was tapped, up to the first call that the rules do not allow."""
    auction = Auction(table.rules.auction, table.players, dealer)
    for bid in said:
        turn = auction.to_speak
        if auction.is_over or turn is None or not _may_say(auction, turn, bid):
            break
        auction.call(bid)
    return auction


def _may_say(auction: Auction, seat: Seat, bid: Said) -> bool:
    return auction.may_pass(seat) if bid is None else bid in auction.legal_bids(seat)


def settled_by(table: Table, draft: Draft) -> Draft:
    """The draft with what its bidding comes to: only calls that can be, and bidder and bid once it is over.

    A bidder or a bid that was tapped since, without the calls, clears them.
    """
    auction = hear(table, draft.dealer, draft.calls)
    if not draft.by_seat:
        contract = outcome_of(table, auction)
        is_other = auction.is_over and (contract.bidder, named(table, contract.bid)) != (draft.bidder, draft.bid)
        return replace(draft, calls=()).telling(say.CALLS_CLEARED) if is_other else draft
    if len(auction.calls) < len(draft.calls) and not auction.is_over:
        draft = draft.telling(say.CALLS_CUT)
    draft = replace(draft, calls=tuple(call.bid for call in auction.calls))
    if auction.is_over:
        contract = outcome_of(table, auction)
        return replace(draft, bidder=contract.bidder, bid=named(table, contract.bid))
    return draft


def named(table: Table, bid: Said) -> int | str | None:
    """A bid as the form has it: a special by its name."""
    special = table.specials.get(bid or 0)
    return special.name if special else bid


def is_unfinished(table: Table, draft: Draft) -> bool:
    """Whether somebody still has to bid; not if the bid was entered before without the calls."""
    if not draft.by_seat or (not draft.calls and draft.bidder is not None):
        return False
    return not hear(table, draft.dealer, draft.calls).is_over


def all_passed(table: Table, draft: Draft) -> bool:
    """Whether everybody has passed, seat by seat."""
    over = bool(draft.by_seat and draft.calls) and hear(table, draft.dealer, draft.calls).passed_out
    return over and not table.rules.auction.plays_without_bid


def bids_of(table: Table, draft: Draft) -> list[dict[str, int | str]]:
    """The bidding as the game record has it."""
    calls = hear(table, draft.dealer, draft.calls).calls
    return [{"seat": call.seat, "bid": PASS if call.bid is None else named(table, call.bid) or 0} for call in calls]


class Bidding:
    """What the page shows of the bidding."""

    def __init__(self, table: Table, draft: Draft, narrator: Narrator) -> None:
        self.table = table
        self.narrator = narrator
        self.draft = draft
        self.auction = hear(table, draft.dealer, draft.calls)

    @cached_property
    def turn(self) -> Seat | None:
        return None if self.auction.is_over else self.auction.to_speak

    @property
    def said(self) -> int:
        """How many have spoken."""
        return len(self.auction.calls)

    @property
    def says(self) -> str:
        """Where the bidding is: whose turn it is, what the dealer may or must do, or who has won it."""
        auction, high = self.auction, self.auction.high
        if auction.passed_out:
            without = self.table.rules.auction.plays_without_bid
            return say.plays_without_bid(self.narrator.seat(auction.eldest)) if without else say.ALL_PASSED
        if self.turn is None:
            return say.bids(self.narrator.seat(high.seat), self.narrator.bid(high.bid)) if high else ""
        name = self.narrator.seat(self.turn)
        if auction.is_forced(self.turn):
            return say.must_bid(name)
        if self.turn == auction.seller and high:
            return say.can_keep_it(name, self.narrator.bid(high.bid))
        if auction.may_match(self.turn) and high:
            return say.can_take_it(name, self.narrator.bid(high.bid))
        return say.to_bid(name)

    @property
    def seats(self) -> list[SeatCall]:
        """The seats in the order in which they speak: the dealer last, or who sells the hand."""
        order = self.table.seats_from(self.table.next_seat(self.draft.dealer))
        if self.auction.seller is not None:
            order = (*order[1:], *order[:1])
        return [self._seat(seat) for seat in order]

    def _seat(self, seat: Seat) -> SeatCall:
        said = [self._word(call.bid) for call in self.auction.calls if call.seat == seat]
        names = self.narrator
        return SeatCall(
            seat, self.table.unit_of[seat], names.seat(seat), names.names[seat - 1], " ".join(said), seat == self.turn
        )

    def _word(self, bid: Said) -> str:
        return PASS if bid is None else self.narrator.bid(bid)

    @property
    def bids(self) -> list[Call]:
        """Every bid of the rules, in its place; those that are not allowed now are disabled."""
        legal = self.auction.legal_bids(self.turn) if self.turn else ()
        return [Call(str(bid), self.narrator.bid(bid), bid in legal) for bid in self.table.rules.auction.levels()]

    @property
    def passing(self) -> Call:
        legal = self.turn is not None and self.auction.may_pass(self.turn)
        return Call(PASS, PASS, legal)
