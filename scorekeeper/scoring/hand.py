"""One hand: its facts, what is wrong with them, what each side took, and how the scores change.

`check_hand` gives every problem at once; `score_hand` raises Refused when there are any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .auction import Auction, Call, bid_objection, run_auction
from .cards import Card, Suit
from .play import Trick, play_out
from .points import Piles, PointScore, Seen, Taken, take_from_claims, take_from_piles
from .problems import Problem, Problems, Refused
from .table import Seat, Side, Sides, Table, Unit

NOT_SAID: Any = object()  # stands for a partner that the record does not mention, where None means "nobody"
SideName = str | int  # a side, or a seat that stands for its side


@dataclass(frozen=True, slots=True)
class Hand:
    """The facts of one hand, as a game record holds them; everything but the outcome of the bidding is optional.

    At most one of `tricks`, `piles` and `claims` is given. A hand without any of them, and without a bidder, is one
    in which everybody passed.
    """

    dealer: Seat | None = None
    bids: tuple[Call, ...] | None = None
    bidder: Seat | None = None
    bid: int | None = None
    trump: Suit | None = None
    called: Card | None = None
    partner: Seat | None = NOT_SAID
    buried: tuple[Card, ...] | None = None
    tricks: tuple[Trick, ...] | None = None
    piles: Mapping[SideName, tuple[Card, ...]] | None = None
    claims: Mapping[str, SideName | None] | None = None
    game_counts: Mapping[SideName, int] | None = None
    low_by: SideName | None = None
    high_by: SideName | None = None
    sweep: SideName | None = None
    names: Mapping[Seat, str] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


class HandScore(NamedTuple):
    """What a hand came to. `earned` is what each side took, `change` what each unit's score changes by.

    `status` is `scored` or `passed-out`; of the latter only `dealer`, `change` (all 0) and `totals` mean anything.
    `totals` are the scores after the hand, filled in by the game.
    """

    status: str
    dealer: Seat
    bidder: Seat | None
    bid: int | None
    bidding_side: Side | None
    points: dict[str, PointScore]
    counts: dict[Side, int] | None
    earned: dict[Side, int]
    made: bool
    change: dict[Unit, int]
    totals: dict[Unit, int]
    sides: Sides | None


def check_hand(table: Table, hand: Hand, dealer: Seat | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with a hand, places relative to it; empty when it can be scored."""
    problems = Problems()
    _assess(table, hand, dealer, problems)
    return tuple(problems)


def score_hand(table: Table, hand: Hand, dealer: Seat | None = None) -> HandScore:
    """Score one hand from zero; `dealer` is whose deal it is where the hand does not say. Raises Refused."""
    problems = Problems()
    score = _assess(table, hand, dealer, problems)
    if score is None or problems:
        raise Refused(problems)
    return score


def _assess(table: Table, hand: Hand, dealer: Seat | None, problems: Problems) -> HandScore | None:
    """The score of a hand, or None where its problems leave nothing to score."""
    dealer = hand.dealer if hand.dealer is not None else dealer
    if dealer is None:
        problems.add("no-dealer", "dealer", "the first hand has to say who dealt")
    contract = _contract(table, hand, dealer, problems)
    if contract is None:
        return None
    if contract.bidder is None:
        return _passed_out(table, hand, dealer, problems)
    _check_evidence(hand, problems)
    _check_cards(table, hand, problems)
    if hand.trump is None:
        problems.add("no-trump", "trump", "trump is missing")
        return None
    if problems:
        return None
    taken, sides = _taken(table, hand, hand.trump, contract.bidder, problems)
    if taken is None or sides is None or dealer is None or problems:
        return None
    return _settle(table, dealer, contract, sides, taken)


class Contract(NamedTuple):
    """Who has to make what: both None when everybody passed."""

    bidder: Seat | None
    bid: int | None


# --- the bidding ------------------------------------------------------------------------------------------------


def _contract(table: Table, hand: Hand, dealer: Seat | None, problems: Problems) -> Contract | None:
    if hand.bids is None:
        return _stated_contract(table, hand, problems)
    if dealer is None:
        return None
    before = len(problems)
    auction = run_auction(table.rules.auction, table.players, dealer, hand.bids, problems)
    if len(problems) > before:
        return None
    won = auction.high or Call(0, None)
    _check_outcome(hand, won, auction, problems)
    return Contract(won.seat or None, won.bid)


def _stated_contract(table: Table, hand: Hand, problems: Problems) -> Contract | None:
    if hand.bidder is None:
        problems.add("no-bidder", "bidder", "there is neither a bidder nor the bids")
        return None
    if hand.bid is None:
        problems.add("no-bid", "bid", "the bid is missing")
        return None
    if (objection := bid_objection(table.rules.auction, hand.bid)) is not None:
        problems.add(objection[0], "bid", objection[1])
        return None
    return Contract(hand.bidder, hand.bid)


def _check_outcome(hand: Hand, won: Call, auction: Auction, problems: Problems) -> None:
    """A bidder or bid beside the whole auction must be the one that won it."""
    said = "everybody passed" if auction.passed_out else f"seat {won.seat} won the bidding at {won.bid}"
    if hand.bidder is not None and hand.bidder != won.seat:
        problems.add("bidder-contradicted", "bidder", f"by the bids, {said}, not seat {hand.bidder}")
    if hand.bid is not None and hand.bid != won.bid:
        problems.add("bid-contradicted", "bid", f"by the bids, {said}, not {hand.bid}")


_PLAYED_FIELDS = (
    "trump", "called", "buried", "tricks", "piles", "claims", "game_counts", "low_by", "high_by", "sweep",
)  # fmt: skip


def _passed_out(table: Table, hand: Hand, dealer: Seat | None, problems: Problems) -> HandScore | None:
    for name in _PLAYED_FIELDS:
        if getattr(hand, name) is not None:
            problems.add("passed-out", name, f"everybody passed, so there is no {name}")
    if hand.partner is not NOT_SAID:
        problems.add("passed-out", "partner", "everybody passed, so there is no partner")
    if dealer is None or problems:
        return None
    nothing = dict.fromkeys(table.units, 0)
    return HandScore("passed-out", dealer, None, None, None, {}, None, {}, False, nothing, {}, None)


# --- what may stand together, and which cards there are ---------------------------------------------------------


def _check_evidence(hand: Hand, problems: Problems) -> None:
    """Exactly one of tricks, piles and claims, and beside it only what belongs to it."""
    given = [name for name in ("tricks", "piles", "claims") if getattr(hand, name) is not None]
    if len(given) > 1:
        problems.add("two-levels", given[1], f"{given[0]} and {given[1]} tell the same thing twice: keep one of them")
    if not given:
        problems.add("no-points", "", "nothing says who took what: no claims, no piles and no tricks")
        return
    for name, beside in _BELONGS.items():
        if getattr(hand, name) is not None and given[0] not in beside:
            problems.add("misplaced", name, f"{name} goes with {' or '.join(beside)}, not with {given[0]}")


_BELONGS = {"game_counts": ("claims",), "low_by": ("piles",), "high_by": ("piles",), "sweep": ("piles", "claims")}


def _check_cards(table: Table, hand: Hand, problems: Problems) -> None:
    """Every card is in the deck, in one place only, and there are no more than were dealt."""
    if hand.buried is not None and not table.buried:
        problems.add("never-buried", "buried", "these rules never look at the undealt cards")
        return
    if hand.called is not None and hand.called not in table.cards:
        problems.add("not-in-deck", "called", f"{hand.called} is not in this deck")
    if hand.buried and len(hand.buried) > table.buried:
        problems.add("too-many-cards", "buried", f"only {table.buried} cards are buried, not {len(hand.buried)}")
    groups = list(_captured(hand))
    captured = sum(len(cards) for _, cards in groups)
    if hand.tricks is None and captured > table.dealt:
        problems.add("too-many-cards", "piles", f"only {table.dealt} cards are dealt, not {captured}")
    buried = hand.buried or ()
    everything = [card for _, cards in groups for card in cards]
    everything.extend(buried)
    if len(set(everything)) != len(everything) or not table.cards.issuperset(everything):
        _find_bad_cards(table, [("buried", buried), *groups], problems)


def _captured(hand: Hand) -> list[tuple[str, tuple[Card, ...]]]:
    """The captured cards, each group with its place."""
    if hand.tricks is not None:
        return [(f"tricks[{index}].cards", trick.cards) for index, trick in enumerate(hand.tricks)]
    return [(f"piles.{side}", cards) for side, cards in (hand.piles or {}).items()]


def _find_bad_cards(table: Table, groups: list[tuple[str, tuple[Card, ...]]], problems: Problems) -> None:
    seen: dict[Card, str] = {}
    for place, cards in groups:
        for index, card in enumerate(cards):
            at = f"{place}[{index}]"
            if card not in table.cards:
                problems.add("not-in-deck", at, f"{card} is not in this deck")
            elif card in seen:
                also = "buried" if seen[card].startswith("buried") and place != "buried" else f"at {seen[card]}"
                problems.add("card-twice", at, f"{card} is also {also}")
            else:
                seen[card] = at


# --- who took what ----------------------------------------------------------------------------------------------


def _taken(
    table: Table, hand: Hand, trump: Suit, bidder: Seat, problems: Problems
) -> tuple[Taken | None, Sides | None]:
    suit = table.trumps[trump]
    buried = hand.buried or ()
    play = None
    if hand.tricks is not None:
        _check_first_lead(table, hand.tricks, trump, problems)
        play = play_out(table, suit, bidder, hand.tricks, problems)
        if play is None:
            return None, None
    partner = _partner(table, hand, bidder, play.player_of if play else None, problems)
    sides = table.sides(bidder, partner)
    seen = Seen(table, sides, suit, buried, bool(table.buried) and len(buried) == table.buried)
    if play is not None and hand.tricks is not None:
        return take_from_piles(seen, _piles_of_play(seen, hand.tricks, play.winners, play.player_of), problems), sides
    read = SideReader(sides, problems)
    if hand.piles is not None:
        return take_from_piles(seen, _piles_as_given(hand, read), problems), sides
    return _claimed(seen, hand, read, problems), sides


def _check_first_lead(table: Table, tricks: tuple[Trick, ...], trump: Suit, problems: Problems) -> None:
    """Where the lead makes trump, the first card led is of that suit, or a joker (seed 000 section 7)."""
    if table.rules.trump.by != "lead" or not tricks or not tricks[0].cards:
        return
    lead = tricks[0].cards[0]
    if lead[0] != "X" and lead[1] != trump:
        problems.add("trump-contradicted", "trump", f"the first lead is {lead}, and its suit is trump")


def _piles_of_play(seen: Seen, tricks: tuple[Trick, ...], winners: list[Seat], player_of: dict[Card, Seat]) -> Piles:
    of_seat = seen.sides.of_seat
    cards: dict[Side, tuple[Card, ...]] = dict.fromkeys(seen.sides.names, ())
    for trick, winner in zip(tricks, winners, strict=True):
        cards[of_seat[winner]] += trick.cards
    low, high = seen.trump.lowest_of(player_of), seen.trump.highest_of(player_of)
    won = {of_seat[winner] for winner in winners}
    return Piles(
        cards,
        of_seat[player_of[low]] if low else None,
        of_seat[player_of[high]] if high else None,
        won.pop() if len(won) == 1 else None,
    )


class SideReader:
    """Turns what was written for a side, or for a seat on it, into the side; what is neither goes to problems."""

    def __init__(self, sides: Sides, problems: Problems) -> None:
        self.sides = sides
        self.problems = problems

    def side(self, written: SideName | None, at: str) -> Side | None:
        """The side meant, or None."""
        if written is None:
            return None
        side = self.sides.aliases.get(written)
        if side is None:
            known = ", ".join(self.sides.names)
            self.problems.add("no-such-side", at, f"there is no side {written} here: the sides are {known}")
        return side


def _piles_as_given(hand: Hand, read: SideReader) -> Piles:
    cards: dict[Side, tuple[Card, ...]] = dict.fromkeys(read.sides.names, ())
    for written, pile in (hand.piles or {}).items():
        side = read.side(written, f"piles.{written}")
        if side is not None:
            cards[side] += pile
    return Piles(
        cards,
        read.side(hand.low_by, "low_by"),
        read.side(hand.high_by, "high_by"),
        read.side(hand.sweep, "sweep"),
    )


def _claimed(seen: Seen, hand: Hand, read: SideReader, problems: Problems) -> Taken:
    claims: dict[str, Side | None] = {}
    for key, written in (hand.claims or {}).items():
        if key in seen.table.points:
            claims[key] = read.side(written, f"claims.{key}")
        else:
            problems.add("no-such-point", f"claims.{key}", f"these rules have no point called {key}")
    counts = _counts(seen, hand, read, problems)
    return take_from_claims(seen, claims, counts, read.side(hand.sweep, "sweep"), problems)


def _counts(seen: Seen, hand: Hand, read: SideReader, problems: Problems) -> dict[Side, int] | None:
    """The Game counts by side; a single one left out is worked out where the deck is known."""
    if hand.game_counts is None:
        return None
    if all(point.card != "game" for point in seen.table.rules.points):
        problems.add("no-such-point", "game_counts", "these rules have no Game point")
        return None
    given: dict[Side, int] = {}
    for written, count in hand.game_counts.items():
        side = read.side(written, f"game_counts.{written}")
        if side is not None and side in given:
            problems.add("count-twice", f"game_counts.{written}", f"the Game count of {side} is given twice")
        elif side is not None:
            given[side] = count
    total = seen.game_total()
    if sum(given.values()) > total:
        problems.add("count-too-high", "game_counts", f"the Game counts add up to more than the {total} there are")
        return None
    missing = [side for side in seen.sides.names if side not in given]
    if len(missing) == 1 and seen.all_buried:
        given[missing[0]] = total - sum(given.values())
    elif missing:
        problems.add("count-missing", "game_counts", f"the Game count of {missing[0]} is missing")
        return None
    return {side: given[side] for side in seen.sides.names}


# --- partners ---------------------------------------------------------------------------------------------------


def _partner(
    table: Table, hand: Hand, bidder: Seat, player_of: Mapping[Card, Seat] | None, problems: Problems
) -> Seat | None:
    """The called partner of the hand; None where the bidder plays alone, and in games without a call."""
    if not table.calls_partner:
        for name, given in (("called", hand.called is not None), ("partner", hand.partner is not NOT_SAID)):
            if given:
                problems.add("no-call", name, "nobody calls a partner under these rules")
        return None
    if player_of is not None and hand.called is not None:
        found = player_of.get(hand.called)
    elif hand.called is not None and hand.called in (hand.buried or ()):
        found = None
    elif hand.partner is NOT_SAID:
        what = "called" if player_of is not None else "partner"
        problems.add(f"no-{what}", what, "who the bidder called is missing (a partner of null: nobody)")
        return None
    else:
        found = hand.partner
        if found == bidder:
            problems.add("partner-is-bidder", "partner", "a bidder who holds the called card plays alone: the partner is null")
        return found
    found = None if found == bidder else found
    if hand.partner is not NOT_SAID and hand.partner != found:
        holder = f"seat {found} does" if found else "it is buried, or the bidder's own"
        problems.add("wrong-partner", "partner", f"the partner does not hold {hand.called}: {holder}")
    return found


# --- what it comes to -------------------------------------------------------------------------------------------


def _settle(table: Table, dealer: Seat, contract: Contract, sides: Sides, taken: Taken) -> HandScore:
    """The change of every score: a made bid, a set one, and defenders, who always keep what they take."""
    earned = dict.fromkeys(sides.names, 0)
    for key, score in taken.points.items():
        if score.side is not None:
            earned[score.side] += table.points[key].worth
    made, result = _outcome_of_bid(table, contract.bid or 0, sides.bidding, taken, earned)
    change = {
        unit: result if side == sides.bidding else earned[side] for side in sides.names for unit in sides.units[side]
    }
    return HandScore(
        "scored",
        dealer,
        contract.bidder,
        contract.bid,
        sides.bidding,
        taken.points,
        taken.counts,
        earned,
        made,
        {unit: change[unit] for unit in table.units},
        {},
        sides,
    )


def _outcome_of_bid(
    table: Table, bid: int, side: Side, taken: Taken, earned: Mapping[Side, int]
) -> tuple[bool, int]:
    """Whether the bid was made, and what it is worth to the bidding side."""
    settle, special = table.rules.settle, table.rules.auction.special(bid)
    if special is None:
        made, worth = earned[side] >= bid, earned[side] if settle.made == "taken" else bid
    else:
        all_points = all(score.side == side for score in taken.points.values())
        met = {"every-trick": taken.sweep == side, "every-point": all_points}
        made, worth = all(met[need] for need in special.needs), bid
    if made:
        return True, worth
    return False, earned[side] - bid if settle.set == "bid-less-taken" else -bid
