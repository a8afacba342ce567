"""One hand: its facts validated, the points of each side, and the change of every score.

`check_hand` returns all problems at once; `score_hand` raises Refused if there are any."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from .auction import Auction, no_such_bid, run_auction
from .captures import check_captures, check_cards, has_unknown, read_captures
from .facts import NOT_GIVEN, Adjustment, Hand
from .points import TIED, PointScore, Taken, break_tie, leaders
from .problems import Problem, Problems, Refused
from .rules.fields import Special
from .table import Seat, Side, Sides, Table, Unit
from .unknown_cards import read_partly_known

NO_POINTS: Mapping[Unit, int] = MappingProxyType({})


def check_events(table: Table, hand: Hand, problems: Problems) -> None:
    """Check that the rules have the recorded events before the play: turned-up cards, gift, misdeal."""
    rules, turned_up = table.rules, hand.turned_up
    if turned_up is not None:
        most = table.most_runs + 1
        if not rules.trump.is_turned_up:
            problems.add("no-turn-up", "turned_up", "under these rules no card is turned up for trump")
        elif len(turned_up) > most:  # more cards are dealt before each but the first
            text = f"at most {most} {'card is' if most == 1 else 'cards are'} turned up in a hand, not {len(turned_up)}"
            problems.add("too-many-cards", "turned_up", text)
    if hand.gift:
        if not rules.trump.gift:
            problems.add("no-gift", "gift", "under these rules nobody is given points for begging")
        if len(turned_up or ()) > 1:
            problems.add("misplaced", "gift", "the dealer gives points or turns up another card, not both")
    if hand.misdeal:
        if not rules.deck.misdeal:
            text = "under these rules a misdeal scores nothing: leave the hand out, and set dealer in the next one"
            problems.add("no-misdeal", "misdeal", text)
        if hand.trump is not None or hand.bidder is not None:
            problems.add("misplaced", "misdeal", "after a misdeal nothing is played: leave out the misdeal or the play")


def points_of_events(table: Table, hand: Hand, dealer: Seat) -> Mapping[Unit, int]:
    """Points scored before the play, by unit, without zeros."""
    rules, turned = table.rules, 0
    for rank in hand.turned_up or ():
        turned += rules.trump.turned.get(rank, 0)
    if not hand.gift and not hand.misdeal:
        return {table.unit_of[dealer]: turned} if turned else NO_POINTS
    scored = dict.fromkeys(table.units, rules.deck.misdeal if hand.misdeal else 0)
    scored[table.unit_of[dealer]] = turned
    if hand.gift:
        for unit in table.gift_units(dealer):
            scored[unit] += rules.trump.gift
    return {unit: points for unit, points in scored.items() if points}


class HandScore(NamedTuple):
    """The score of a hand. `earned` is what each side took, `change` what each unit's score changes by.

    `status` is `scored`, or `passed-out` for a hand that was not played; of the latter only `dealer`, `change` (what
    the dealer's side pays), `events`, `misdeal`, `adjustments` and `totals` are meaningful. `totals` are the scores
    after the hand: before it, plus `change`, plus `adjusted`. `assumed` are the keys of points whose card's player is
    not recorded: they went to the side of the pile. `missed` are the needs of a special bid (`every-trick`,
    `every-point` and so on) that were not met: a smudge can take every point and still lose a trick. `decides` is `won`
    or `lost` if a special bid has won or lost the whole game for the bidding side. `sold` is what the seller of the
    hand gets for it; `events` is what was scored before the play, for cards turned up, a gift or a misdeal; `change`
    includes both. `swept` is the side whose `earned` includes the points of `settle.sweep`.

    >>> from scorekeeper.scoring import Hand, Table, find_rules, score_hand
    >>> hand = Hand(dealer=4, bidder=1, bid=3, trump="H", claims={"high": "A", "low": "B", "game": "A"})
    >>> score = score_hand(Table(find_rules("classic")), hand)
    >>> score.earned, score.made, score.change, score.points["jack"].why
    ({'A': 2, 'B': 1}, False, {'A': -3, 'B': 1}, 'not dealt')
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
    adjustments: tuple[Adjustment, ...] = ()
    assumed: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    decides: str | None = None
    sold: Mapping[Unit, int] = NO_POINTS
    events: Mapping[Unit, int] = NO_POINTS
    misdeal: bool = False
    swept: Side | None = None

    def points_before_play(self, unit: Unit) -> int:
        """A unit's points before those of the hand are counted: for selling the hand, and for events."""
        return self.sold.get(unit, 0) + self.events.get(unit, 0)

    def units_of(self, side: Side | None) -> tuple[Unit, ...]:
        """The units that score with a side; empty for a hand that was not played."""
        of_unit = self.sides.of_unit if self.sides else {}
        return tuple(unit for unit, own in of_unit.items() if own == side)

    @property
    def adjusted(self) -> dict[Unit, int]:
        """The sum of the adjustments by unit, for units that have any."""
        sums: dict[Unit, int] = {}
        for unit, points, *_ in self.adjustments:
            sums[unit] = sums.get(unit, 0) + points
        return sums


def check_hand(table: Table, hand: Hand, dealer: Seat | None = None) -> tuple[Problem, ...]:
    """All problems of a hand, places relative to it; empty if it can be scored.

    `dealer` is used if the hand does not name one.

    >>> from scorekeeper.scoring import Hand, Table, find_rules
    >>> [problem.code for problem in check_hand(Table(find_rules("classic")), Hand(dealer=4, bidder=1, bid=7))]
    ['no-such-bid']
    """
    problems = Problems()
    _assess(table, hand, dealer, problems, None)
    return tuple(problems)


def score_hand(
    table: Table, hand: Hand, dealer: Seat | None = None, before: Mapping[Unit, int] | None = None
) -> HandScore:
    """Score one hand; `dealer` is used if the hand does not name one, `before` are the scores so far.

    Raises Refused with all problems that `check_hand` finds, and for a bid that the scores do not allow. Without
    `before` the totals begin at zero, and every bid is allowed.

    >>> from scorekeeper.scoring import Hand, Table, find_rules
    >>> hand = Hand(bidder=1, bid=2, trump="H", claims={"high": "A", "low": "A"})
    >>> score_hand(Table(find_rules("classic")), hand, dealer=4, before={"A": 5, "B": 3}).totals
    {'A': 7, 'B': 3}
    """
    problems = Problems()
    score = _assess(table, hand, dealer, problems, before)
    if score is None:
        raise Refused(problems)
    if not hand.adjustments:
        return score
    score = score._replace(adjustments=hand.adjustments)
    adjusted = score.adjusted
    return score._replace(totals={unit: total + adjusted.get(unit, 0) for unit, total in score.totals.items()})


def _assess(
    table: Table, hand: Hand, dealer: Seat | None, problems: Problems, before: Mapping[Unit, int] | None
) -> HandScore | None:
    """The score of a hand, or None if it has problems; `before` is None if the scores are unknown."""
    dealer = hand.dealer if hand.dealer is not None else dealer
    if dealer is None:
        problems.add("no-dealer", "dealer", "the first dealer is missing")
    contract = _contract(table, hand, dealer, problems)
    check_events(table, hand, problems)
    if contract is None:
        return None
    if contract.bidder is None:
        return _passed_out(table, hand, dealer, problems, before or table.at_zero)
    if hand.turned_up is not None and not problems:
        table = table.after_runs(len(hand.turned_up) - 1)
    return _assess_played(table, hand, dealer, contract, problems, before)


def _assess_played(
    table: Table,
    hand: Hand,
    dealer: Seat | None,
    contract: Contract,
    problems: Problems,
    before: Mapping[Unit, int] | None,
) -> HandScore | None:
    """The score of a hand played under `contract`, or None if it has problems."""
    check_captures(table, hand, problems)
    check_cards(table, hand, problems)
    if hand.trump is None:
        problems.add("no-trump", "trump", "trump is missing")
        return None
    if problems or dealer is None:
        return None
    read = read_captures if hand.tricks is None or not has_unknown(hand.tricks) else read_partly_known
    captures = read(table, hand, hand.trump, contract.bidder or 0, problems)
    if problems or captures is None:
        return None
    taken, sides = captures
    if before and table.limits_bids:
        _check_scores(table, dealer, contract, before, problems)
    if table.rules.game.tie != "nobody":
        taken = with_tie_broken(table, dealer, taken, sides)
        key = table.game_key or ""
        side, claimed = taken.points[key].side if key else None, (hand.claims or {}).get(key)
        if claimed is not None and taken.counts is not None and sides.aliases[claimed] != side:
            text = f"the card points are tied, and that gives Game to {side or 'nobody'}, not to {claimed}"
            problems.add("game-at-odds", f"claims.{key}", text)
    if taken.sweep_open:
        # A special bid may need every trick, and so do the extra points of a side that has every point.
        special = table.specials.get(contract.bid or 0)
        if special.needs_every_trick if special else table.rules.settle.sweep and _side_with_all(taken):
            problems.add("not-known", "sweep", "the known cards do not tell who won every trick: say it in sweep")
    return None if problems else _settle(table, dealer, contract, taken, sides, before or table.at_zero, hand)


def with_tie_broken(table: Table, dealer: Seat, taken: Taken, sides: Sides) -> Taken:
    """Award a tied Game to the side that `game.tie` favors.

    With more than two sides and no counts, it is not known which sides tied: an unclaimed Game then goes to no side.
    """
    key = table.game_key
    if key is None or taken.points[key].why != TIED:
        return taken
    takers = {point: score.side for point, score in taken.points.items()}
    tied = leaders(taken.counts) if taken.counts else sides.names if len(sides.names) == 2 else ()
    return taken._replace(points={**taken.points, key: break_tie(table, dealer, sides, takers, tied)})


def _check_scores(
    table: Table, dealer: Seat, contract: Contract, before: Mapping[Unit, int], problems: Problems
) -> None:
    """Check that the scores before a hand allow its bid: the seller's may cap it, a special bid may need one."""
    bidder, bid, target = contract.bidder or 0, contract.bid or 0, table.rules.win.target
    if table.rules.auction.cap != "maximum":
        seller = table.next_seat(dealer)
        has = before[table.unit_of[seller]]
        most = max(0, target - 1 - has)  # the highest bid that leaves the seller short of the target
        if bid > most:
            text = f"nobody may bid more than {most}: seat {seller} sells the hand and has {has} of {target}"
            problems.add("bid-too-high", "bid", text)
    special, score = table.specials.get(bid), before[table.unit_of[bidder]]
    if special is not None and special.least_score is not None and score < special.least_score:
        text = f"a bid of {special.name} takes {special.least_score} or more, and seat {bidder} has {score}"
        problems.add("special-too-low", "bid", text)


def score_allows(table: Table, dealer: Seat, contract: Contract, before: Mapping[Unit, int]) -> bool:
    """True if the scores allow a bid: some rules cap bids, or require a score for a special bid.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> score_allows(Table(find_rules("classic")), 4, Contract(1, 4), {"A": -3, "B": 10})
    True
    """
    problems = Problems()
    _check_scores(table, dealer, contract, before, problems)
    return not problems


class Contract(NamedTuple):
    """Bidder and bid that won the bidding; the bid is 0 for a hand played without one. Both None if all passed."""

    bidder: Seat | None
    bid: int | None


# --- the bidding ------------------------------------------------------------------------------------------------


def _contract(table: Table, hand: Hand, dealer: Seat | None, problems: Problems) -> Contract | None:
    if hand.misdeal and hand.bids is None and hand.bidder is None and hand.trump is None:
        return Contract(None, None)
    if not table.has_auction:
        return _without_auction(table, hand, dealer, problems)
    if hand.bids is None:
        return _stated_contract(table, hand, dealer, problems)
    if dealer is None:
        return None
    before = len(problems)
    auction = run_auction(table.rules.auction, table.players, dealer, hand.bids, problems)
    if len(problems) > before:
        return None
    won = contract_of_auction(table, auction)
    said = "everybody passed" if won.bidder is None else f"seat {won.bidder} won the bidding at {won.bid}"
    if hand.bidder is not None and hand.bidder != won.bidder:
        problems.add("bidder-contradicted", "bidder", f"by the bids, {said}, not seat {hand.bidder}")
    if hand.bid is not None and hand.bid != won.bid:
        problems.add("bid-contradicted", "bid", f"by the bids, {said}, not {hand.bid}")
    return won


def contract_of_auction(table: Table, auction: Auction) -> Contract:
    """The contract from an auction; with no bid, the player at the dealer's left may play without one."""
    if auction.high is not None:
        return Contract(auction.high.seat, auction.high.bid)
    return Contract(auction.eldest, 0) if table.rules.auction.plays_without_bid else Contract(None, None)


def _stated_contract(table: Table, hand: Hand, dealer: Seat | None, problems: Problems) -> Contract | None:
    if hand.bidder is None:
        problems.add("no-bidder", "bidder", "the bidder is missing")
        return None
    if hand.bid is None:
        problems.add("no-bid", "bid", "the bid is missing")
        return None
    if hand.bid == 0 and table.plays_without_bid:
        return _without_bid(table, hand.bidder, dealer, problems)
    if hand.bid not in table.bids:
        problems.add("no-such-bid", "bid", no_such_bid(table.rules.auction, hand.bid))
        return None
    return Contract(hand.bidder, hand.bid)


def _without_bid(table: Table, bidder: Seat, dealer: Seat | None, problems: Problems) -> Contract | None:
    """The contract of a hand that nobody bid on: the player after the dealer plays it."""
    eldest = None if dealer is None else table.next_seat(dealer)
    if eldest is not None and bidder != eldest:
        text = f"without a bid the player after the dealer plays: seat {eldest}, not seat {bidder}"
        problems.add("not-eldest", "bidder", text)
        return None
    return Contract(bidder, 0)


def _without_auction(table: Table, hand: Hand, dealer: Seat | None, problems: Problems) -> Contract | None:
    """A hand of a game without bidding: the player at the dealer's left leads, unless nothing was played."""
    if hand.bids is not None:
        problems.add("no-bidding", "bids", "there is no bidding under these rules")
        return None
    if hand.bid not in (None, 0):
        problems.add("no-such-bid", "bid", f"there is no bid of {hand.bid}: there is no bidding under these rules")
        return None
    if dealer is None:
        return None
    if hand.bidder is None and hand.bid is None and not _given_play_fields(hand):
        return Contract(None, None)
    return _without_bid(table, hand.bidder or table.next_seat(dealer), dealer, problems)


_PLAYED_FIELDS = (
    "trump", "called", "buried", "tricks", "piles", "claims", "game_counts", "low_by", "high_by", "played_by", "sweep",
    "tricks_won",
)  # fmt: skip


def _given_play_fields(hand: Hand) -> list[str]:
    """The names of the given fields that only a played hand has."""
    said = [name for name in _PLAYED_FIELDS if getattr(hand, name) is not None]
    return said if hand.partner is NOT_GIVEN else [*said, "partner"]


def _passed_out(
    table: Table, hand: Hand, dealer: Seat | None, problems: Problems, before: Mapping[Unit, int]
) -> HandScore | None:
    """The score of a passed-out hand: the dealer's side may have to pay for it."""
    for name in _given_play_fields(hand):
        problems.add("passed-out", name, f"everybody passed, so there is no {name}")
    if dealer is None or problems:
        return None
    events = points_of_events(table, hand, dealer)
    change = {unit: events.get(unit, 0) for unit in table.units}
    if not hand.misdeal:
        change[table.unit_of[dealer]] -= table.rules.auction.pass_cost
    totals = {unit: before[unit] + points for unit, points in change.items()}
    return HandScore(
        "passed-out", dealer, None, None, None, {}, None, {}, False, change, totals, None,
        events=events, misdeal=bool(hand.misdeal),
    )  # fmt: skip


# --- settlement -------------------------------------------------------------------------------------------------


def _settle(
    table: Table, dealer: Seat, contract: Contract, taken: Taken, sides: Sides, before: Mapping[Unit, int], hand: Hand
) -> HandScore:
    """The change of every score: by the bid, by the other sides' points, by selling the hand, and by events."""
    bid, bidding = contract.bid or 0, sides.bidding
    earned, worth = sides.at_zero.copy(), table.worth_if
    for key, (side, _, _, captured) in taken.points.items():
        if side is not None:
            earned[side] += worth[captured][key]
    special = table.specials.get(bid)
    swept = taken.sweep if table.rules.settle.sweep and not special and taken.sweep == _side_with_all(taken) else None
    if swept is not None:
        earned[swept] += table.rules.settle.sweep
    missed = _missed_needs(special, bidding, earned[bidding], contract, taken) if special else ()
    made, result_of = _results(table, bid, special, earned, bidding, missed)
    change = {unit: result_of[side] for unit, side in sides.of_unit.items()} if table.changing_sides else result_of
    decides = None
    if special:
        effect = special.made if made else special.failed
        decides = {"win": "won", "lose": "lost"}.get(effect)
        if effect in ("set-to", "target"):
            change |= _set_scores(table, special, sides, before, made=made)
    sold = _sold(table, dealer, contract, sides) if table.is_sold else NO_POINTS
    events = points_of_events(table, hand, dealer) if table.has_events else NO_POINTS
    if sold or events:
        for unit, points in (*sold.items(), *events.items()):
            change[unit] += points
    totals = {}
    for unit, points in change.items():
        totals[unit] = before[unit] + points
    return HandScore(
        "scored", dealer, contract.bidder, contract.bid, bidding, taken.points, taken.counts, earned, made, change,
        totals, sides, (), taken.assumed, missed, decides, sold, events, False, swept,
    )  # fmt: skip


def _side_with_all(taken: Taken) -> Side | None:
    """The side that has every point; None if no side has."""
    first, *others = {score.side for score in taken.points.values()}
    return None if others else first


def _results(
    table: Table, bid: int, special: Special | None, earned: dict[Side, int], bidding: Side, missed: tuple[str, ...]
) -> tuple[bool, dict[Side, int]]:
    """(bid was made, points that each side scores)"""
    settle, own = table.rules.settle, earned[bidding]
    if missed or (special is None and own < bid):
        if settle.defenders != "taken":
            earned = {side: bid + points if settle.defenders == "both" else bid for side, points in earned.items()}
        lost = 0 if settle.set == "nothing" else bid if settle.set == "bid" else bid - own
        return False, {**earned, bidding: -lost}
    if table.scores_difference(bid):
        first, second, *_ = sorted(earned.values(), reverse=True)
        return True, {side: points - second if points == first else 0 for side, points in earned.items()}
    made = special.made if special else "taken" if table.is_without_bid(bid) else settle.made
    return True, {**earned, bidding: bid if made == "bid" else own}


def _sold(table: Table, dealer: Seat, contract: Contract, sides: Sides) -> dict[Unit, int]:
    """The seller's points for a hand that is sold, if another side has bought it: the bid.

    They are scored at once, before a card is called: a seller who turns out to be the partner keeps them.
    """
    seller = table.next_seat(dealer)
    if not contract.bid or seller == contract.bidder:
        return {}
    own = sides.of_seat[seller] == sides.bidding and not table.calls_partner
    return {} if own else {table.unit_of[seller]: contract.bid}


def _set_scores(
    table: Table, special: Special, sides: Sides, before: Mapping[Unit, int], *, made: bool
) -> dict[Unit, int]:
    """Score changes of the bidding side where a special bid sets its scores to a number, or by the target."""
    effect, number = (special.made, special.made_to) if made else (special.failed, special.failed_to)
    target, change = table.rules.win.target, {}
    for unit in (unit for unit, side in sides.of_unit.items() if side == sides.bidding):
        score = before[unit]
        if effect == "set-to":
            change[unit] = (number or 0) - score
        elif made:
            change[unit] = -score if score < 0 else target - score
        else:
            change[unit] = -target
    return change


def _missed_needs(special: Special, side: Side, earned: int, contract: Contract, taken: Taken) -> tuple[str, ...]:
    """The unmet needs of a special bid; only the play shows whether another player won a trick for the side."""
    swept, alone = taken.sweep == side, taken.lone in (None, contract.bidder)
    met = {
        "every-trick": swept,
        "every-trick-alone": swept and alone,
        "every-point": _side_with_all(taken) == side,
    }
    missed = tuple(need for need in special.needs if not met[need])
    return (*missed, "points") if special.takes is not None and earned < special.takes else missed
