"""Bidding: which calls are legal, when the auction is over, and who won it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .problems import Problems
from .rules.fields import AuctionRules
from .table import Seat, order_of_play


class Call(NamedTuple):
    """One seat's bid: a number (of a special bid, its number), or None for a pass.

    `extra` keeps the `x-` keys of its record.

    >>> Call(1, 3).bid
    3
    """

    seat: Seat
    bid: int | None
    extra: Mapping[str, object] = MappingProxyType({})


class Auction:
    """The auction of one hand, call by call, starting at the dealer's left.

    `rounds = single`: each seat calls once. `until-passed`: calls go around, and a pass is final. Where the hand is
    sold, the seller calls last, and either takes it at the highest bid or passes.

    >>> from scorekeeper.scoring import find_rules
    >>> auction = Auction(find_rules("classic").auction, players=4, dealer=4)
    >>> auction.to_speak, auction.legal_bids(1)
    (1, (2, 3, 4))
    >>> for bid in (3, None, None):
    ...     auction.call(bid)
    >>> auction.to_speak, auction.legal_bids(4), auction.high.seat
    (4, (4,), 1)
    """

    def __init__(self, rules: AuctionRules, players: int, dealer: Seat) -> None:
        self.rules = rules
        self.players = players
        self.dealer = dealer
        self.calls: list[Call] = []
        self.high: Call | None = None
        self.out: set[Seat] = set()
        self.eldest = order_of_play(dealer, players)[1]
        self.seller = self.eldest if rules.seller == "eldest" else None
        self._next = self._after(dealer)

    @property
    def to_speak(self) -> Seat | None:
        """The seat to call next; None when no seat is left to call."""
        done = self.out if self.high is None else self.out | {self.high.seat}
        return None if len(done) == self.players else self._next

    @property
    def is_over(self) -> bool:
        """True when the remaining seats could only pass."""
        if self.to_speak is None:
            return True
        high = self.high.seat if self.high else None
        left = [seat for seat in range(1, self.players + 1) if seat not in self.out and seat != high]
        return not any(map(self.legal_bids, left))

    @property
    def passed_out(self) -> bool:
        """True when the auction ended without a bid."""
        return self.high is None and self.is_over

    def is_forced(self, seat: Seat) -> bool:
        """True for a dealer who may not pass because all other seats have passed (a "force bid")."""
        return (
            self.rules.all_pass == "dealer-forced"
            and seat == self.dealer
            and self.high is None
            and len(self.out) == self.players - 1
        )

    def may_match(self, seat: Seat) -> bool:
        """True if the seat may repeat the high bid: the dealer ("stealing the bid"), the seller, or a 14 over a 14."""
        if self.high is None or self.high.seat == seat or self.high.bid is None:
            return False
        if self.rules.max_again == "anyone" and self.high.bid == self.rules.max:
            return True
        if seat != self.dealer or self.seller is not None:
            return seat == self.seller
        bid, top = self.high.bid, self.rules.max
        return {
            "outbid": False,
            "match": True,
            "match-below-max": bid < top,
            "match-max": bid == top,
            "match-not-special": bid <= top,
        }[self.rules.dealer]

    def legal_bids(self, seat: Seat) -> tuple[int, ...]:
        """The bids that the seat could make if it were its turn, in ascending order."""
        if seat == self.seller:
            return (self.high.bid,) if self.high is not None and self.high.bid is not None else ()
        if self.high is None or self.high.bid is None:
            least = self.rules.least_forced if self.is_forced(seat) else self.rules.min
        else:
            least = self.high.bid + (0 if self.may_match(seat) else 1)
        levels = self.rules.levels
        return levels[bisect_left(levels, least) :]

    def may_pass(self, seat: Seat) -> bool:
        return not self.is_forced(seat)

    def call(self, bid: int | None) -> None:
        """Record a bid, or a pass (None), of the seat to call; the caller has checked that it is legal."""
        seat = self._next
        self.calls.append(Call(seat, bid))
        if bid is not None:
            self.high = Call(seat, bid)
        if bid is None or self.rules.rounds == "single":
            self.out.add(seat)
        if seat == self.seller:
            self.out.update(range(1, self.players + 1))
        self._next = self._after(seat)

    def _after(self, seat: Seat) -> Seat:
        if self.seller is not None:
            spoken = self.out | {self.seller} | ({self.high.seat} if self.high else set())
            if len(spoken) == self.players:
                return self.seller
        first, *others = order_of_play(seat, self.players)
        return next((turn for turn in others if turn not in self.out and turn != self.seller), first)


def run_auction(rules: AuctionRules, players: int, dealer: Seat, calls: Sequence[Call], problems: Problems) -> Auction:
    """Replay a complete auction up to its first illegal call; adds that call, or a missing one, to `problems`."""
    auction = Auction(rules, players, dealer)
    for index, call in enumerate(calls):
        if (problem := _objection(auction, call)) is not None:
            problems.add(problem[0], f"bids[{index}]", problem[1])
            return auction
        auction.call(call.bid)
    if not auction.is_over:
        problems.add("auction-unfinished", "bids", f"the bidding is not over: seat {auction.to_speak} to bid")
    return auction


def _objection(auction: Auction, call: Call) -> tuple[str, str] | None:
    """Why the call is illegal now, as (code, sentence); None if it is legal."""
    turn = auction.to_speak
    if turn is None:
        return "auction-over", f"the bidding was over before seat {call.seat} bid"
    if call.seat != turn:
        return "out-of-turn", f"it was seat {turn}'s turn to bid, not seat {call.seat}'s"
    if call.bid is None:
        return None if auction.may_pass(turn) else ("forced-dealer", "everyone else passed, so the dealer has to bid")
    if call.bid in auction.legal_bids(turn):
        return None
    if call.bid not in auction.rules.levels or (call.bid < auction.rules.min and not auction.is_forced(turn)):
        return "no-such-bid", no_such_bid(auction.rules, call.bid)
    if turn == auction.seller:
        only = f"takes the hand at {auction.high.bid} or passes" if auction.high else "can only pass"
        return "bid-too-low", f"the seller speaks last and {only}"
    if auction.high is None:
        return "bid-too-low", f"a forced dealer bids at least {auction.rules.least_forced}, not {call.bid}"
    if turn == auction.dealer and call.bid == auction.high.bid:
        return "bid-too-low", f"under these rules the dealer has to bid more than {call.bid}"
    return "bid-too-low", f"{call.bid} does not beat the bid of {auction.high.bid}"


def no_such_bid(rules: AuctionRules, bid: int) -> str:
    """The error sentence for a bid that does not exist under these rules."""
    named = "".join(f" and {special.name} ({special.bid})" for special in rules.specials)
    return f"there is no bid of {bid}: the bids are {rules.min} to {rules.max}{named}"
