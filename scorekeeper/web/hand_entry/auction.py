"""Before the play: the bidding, bid by bid, cards turned up for trump, begging."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, RANKS, UNKNOWN
from scorekeeper.scoring.hand import contract_of_auction
from scorekeeper.scoring.hand_facts import CallFacts
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import CARD_NAMES, rank_name

from .draft import PASS, Draft


def apply_bidding(draft: Draft) -> Draft:
    """Apply the bidding: drop invalid calls, and set bidder and bid once it is over.

    With “Bid by bid” turned off, the highest bid so far is theirs; another one tapped then clears the calls.
    """
    auction, table = draft.auction, draft.table
    bidder, bid, high = draft.bidder, draft.bid, auction.high
    if auction.is_over:
        contract = contract_of_auction(table, auction)
        bidder, bid = contract.bidder, bid_name(table, contract.bid)
    elif high:
        bidder, bid = (None, None) if draft.by_seat else (high.seat, bid_name(table, high.bid))
    if not draft.by_seat:
        if (draft.bidder, draft.bid) in ((bidder, bid), (None, None)):
            return replace(draft, bidder=bidder, bid=bid)
        return replace(draft, calls=()).with_notices("The bid was changed, so the other bids were cleared.")
    if len(auction.calls) < len(draft.calls) and not auction.is_over:
        draft = draft.with_notices("Bids that are no longer allowed were cleared.")
    return replace(draft, calls=tuple(call.bid for call in auction.calls), bidder=bidder, bid=bid)


def bid_name(table: Table, bid: int | None) -> int | str | None:
    """A bid as in the form: a special by its name."""
    special = table.specials.get(bid or 0)
    return special.name if special else bid


def is_unfinished(draft: Draft) -> bool:
    """True while calls are expected, unless bidder and bid were entered without calls."""
    return bool(draft.calls or None in (draft.bidder, draft.bid)) and not draft.auction.is_over


def all_passed(draft: Draft) -> bool:
    """True if everybody passed, entered bid by bid."""
    return bool(draft.calls) and draft.auction.passed_out and not draft.base.plays_without_bid


def bids_of(draft: Draft) -> list[CallFacts]:
    """The bidding in the format of the game record."""
    return [
        {"seat": call.seat, "bid": PASS if call.bid is None else bid_name(draft.base, call.bid) or 0}
        for call in draft.auction.calls
    ]


class Bidding:
    """Data of the bidding on the page."""

    def __init__(self, draft: Draft, narrator: Narrator) -> None:
        self.narrator, self.draft, self.auction, self.table = narrator, draft, draft.auction, draft.base
        self.turn = None if self.auction.is_over else self.auction.to_speak

    @property
    def says(self) -> str:
        """State of the bidding: whose turn it is, the dealer's options, or who won it."""
        auction, high, seat = self.auction, self.auction.high, self.narrator.seat
        if auction.passed_out:
            without = f" {seat(auction.eldest)} plays without a bid." if self.table.plays_without_bid else ""
            return f"All passed.{without}"
        if self.turn is None:
            return f"{seat(high.seat)} bids {self.narrator.bid(high.bid)}." if high else ""
        if self.draft.bidder and not is_unfinished(self.draft):
            return f"{seat(self.draft.bidder)} bids {self.draft.bid}."
        name = seat(self.turn)
        if auction.is_forced(self.turn):
            return f"{name} dealt and must bid"
        if self.turn == auction.seller and high:
            return f"{name} can play it for {self.narrator.bid(high.bid)}, or sell it"
        if auction.may_match(self.turn) and high:
            dealt = " dealt and" if self.turn == auction.dealer else ""
            return f"{name}{dealt} can take it for {self.narrator.bid(high.bid)}"
        return f"{name} to bid"

    @property
    def calls(self) -> dict[Seat, str]:
        """Calls by seat in the order of speaking; the dealer or the seller of the hand comes last."""
        order = self.table.seats_from(self.table.next_seat(self.draft.dealer))
        if self.auction.seller is not None:
            order = (*order[1:], *order[:1])
        said: dict[Seat, list[str]] = {seat: [] for seat in order}
        for call in self.auction.calls:
            said[call.seat].append(PASS if call.bid is None else self.narrator.bid(call.bid))
        return {seat: " ".join(words) for seat, words in said.items()}

    @property
    def bids(self) -> dict[int, bool]:
        """All bids of the rules in order, and whether each is allowed now."""
        legal = self.auction.legal_bids(self.turn) if self.turn else ()
        return {bid: bid in legal for bid in self.table.rules.auction.levels}


# --- a card turned up ---------------------------------------------------------------------------------------------

Choices = tuple[tuple[str, str], ...]  # (value, label) of each button in a row


class TurnedRow(NamedTuple):
    """One row of buttons: input name, title, whom it is about, choices, and the current value.

    `of` tells the offline script whom it concerns: "dealer", or "eldest" for the player after the dealer.
    """

    name: str
    title: str
    hint: str
    choices: Choices
    chosen: str
    of: str


def rows_turned_up(draft: Draft, narrator: Narrator, *, shows_all: bool) -> list[TurnedRow]:
    """Rows before the points, in the order of events at the table.

    After the dealer has run cards there is one more row than cards known, or all rows with `shows_all`.
    """
    table, trump = draft.base, draft.base.rules.trump
    if not trump.is_turned_up:
        return []
    worth = trump.turned
    signs = CARD_NAMES | {"T": "10"}
    ranks = tuple([(rank, f"{signs.get(rank, rank)} +{worth[rank]}") for rank in (*RANKS, *JOKERS) if worth.get(rank)])
    team, most = narrator.team(table.unit_of[draft.dealer]), table.most_runs
    known = min(len(draft.turned), most) if draft.beg == "run" else 0
    rows = [_row_turned_up(draft, place, ranks, team) for place in range((most if shows_all else known) + 1)]
    begging = []
    if trump.may_beg:
        given = [("gift", f"given +{trump.gift}")] if trump.gift else []
        run = [("run", "ran cards")] if most > 0 else []
        eldest = narrator.seat(table.next_seat(draft.dealer))
        begging = [TurnedRow("beg", "Begged?", eldest, (("", "no"), *given, *run), draft.beg, "eldest")]
    return [*(rows[:1] if ranks else []), *begging, *rows[1:]]


def _row_turned_up(draft: Draft, place: int, ranks: Choices, team: str) -> TurnedRow:
    """Row of a turned-up card; rows after the known ones also offer "none"."""
    turned = draft.turned
    is_known = place < 2 and place < max(len(turned), 1)
    chosen = turned[place] if place < len(turned) else UNKNOWN if is_known else ""
    choices = [*ranks]
    if chosen not in ("", UNKNOWN) and not draft.base.rules.trump.turned.get(chosen):
        choices.append((chosen, rank_name(chosen)))  # named by a record although it scores nothing
    choices.append((UNKNOWN, "other"))
    if not is_known:
        choices.append(("", "none"))
    title = "Turned up next" if place else "Card turned up"
    return TurnedRow(f"turned-{place}", title, f"for {team}", tuple(choices), chosen, "dealer")
