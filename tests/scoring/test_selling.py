"""Hands that are sold, hands without a bid, and made bids that score the difference, worked out by hand.

Seat 4 deals, so seat 1 is the eldest: the player at the dealer's left, who sells. Seats 1 and 3 are A, 2 and 4 B.
"""

from typing import Any

import pytest

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_game, score_output, score_record
from scorekeeper.scoring.rules import find_rules
from tests.scoring.records import calls, ended, hand, record, refusals, score, signed

SELLS = {"auction.seller": "eldest", "auction.dealer": "outbid"}
ALONE = {"table.sides": "solo"}
FREE = {"auction.all_pass": "eldest-plays"}
AROUND = {"auction.rounds": "until-passed"}


def won(text: str, **options: Any) -> str:
    """The player who has the hand and the bid, or the place and sentence of the refusal."""
    facts = {"dealer": 4, "bids": calls(text), "trump": "H", "claims": {}}
    if all(call["bid"] == "pass" for call in facts["bids"]) and options.get("auction.all_pass") != "eldest-plays":
        facts = {"dealer": 4, "bids": facts["bids"]}
    try:
        scored = score("classic", facts, options=SELLS | options).hands[0]
    except Refused as refused:
        return f"{refused.problems[0].at.removeprefix('hands[0].')}: {refused.problems[0].message}"
    return f"{scored.bidder} at {scored.bid}" if scored.bidder else scored.status


@pytest.mark.parametrize(
    ("said", "options", "outcome"),
    [
        ("2:2 3:p 4:3 1:p", {}, "4 at 3"),  # the eldest calls last, and sells
        ("2:2 3:p 4:3 1:3", {}, "1 at 3"),  # or takes it at that bid
        ("2:2 3:p 4:3 1:4", {}, "bids[3]: the seller speaks last and takes the hand at 3 or passes"),
        ("1:2 2:3 3:p 4:p", {}, "bids[0]: it was seat 2's turn to bid, not seat 1's"),
        ("2:2 3:p 4:2 1:p", {}, "bids[2]: under these rules the dealer has to bid more than 2"),
        ("2:2 3:p 4:p", {}, "bids: the bidding is not over: seat 1 to bid"),
        ("2:4 3:p 4:p 1:4", {}, "1 at 4"),
        ("2:p 3:p 4:p 1:p", {}, "passed-out"),
        ("2:p 3:p 4:p", {}, "passed-out"),  # the seller could only pass
        ("2:p 3:p 4:p 1:2", {}, "bids[3]: the seller speaks last and can only pass"),
        ("2:p 3:p 4:p 1:p", FREE, "1 at 0"),
        ("2:p 3:p 4:p", FREE, "1 at 0"),
        # bids go around: an outbid player may bid again, and the seller waits for the last bid
        ("2:2 3:3 4:p 2:4 3:p 1:p", AROUND, "2 at 4"),
        ("2:2 3:3 4:p 2:p 1:3", AROUND, "1 at 3"),
        ("2:2 3:3 4:p 2:p 1:3 3:4", AROUND, "bids[5]: the bidding was over before seat 3 bid"),
        ("2:p 3:p 4:p 1:p", AROUND, "passed-out"),
    ],
)  # fmt: skip
def test_the_eldest_sells_or_keeps_the_hand(said: str, options: dict[str, Any], outcome: str) -> None:
    assert won(said, **options) == outcome


def test_nobody_may_bid_so_much_that_the_seller_would_be_there() -> None:
    """To 11, the seller at 8: 2 leaves it at 10.

    At 12, which wins by a made bid only, no bid of another keeps it below, and it can play without a bid.
    """
    short = SELLS | ALONE | FREE | {"auction.cap": "seller-short"}
    start, there = ({"1": score, "2": 0, "3": 0, "4": 0} for score in (8, 12))
    made = short | {"win.eligible": "made-bid"}
    for bidder, amount, took, options, before, change in (
        (2, 2, "2: high low", short, start, "1 +2, 2 +2, 3 +0, 4 +0"),
        (1, 0, "1: high; 2: low", made, there, "1 +1, 2 +1, 3 +0, 4 +0"),
    ):
        scored = score("classic", hand(bidder, amount, took, dealer=4), options=options, start=before)
        assert signed(scored.hands[0].change) == change
    for amount, took, options, before, most, has in (
        (3, "2: high low jack", short, start, 2, 8),
        (2, "2: high low", made, there, 0, 12),
    ):
        over = record("classic", hand(2, amount, took, dealer=4), options=options, start=before)
        said = f"nobody may bid more than {most}: seat 1 sells the hand and has {has} of 11"
        assert refusals(over) == [("hands[0].bid", said)]


def test_what_is_got_for_the_hand_counts_before_its_points() -> None:
    """The seller had 9 and got 2: it is there before the bidder's High takes the bidder from 10 to 11."""
    count = SELLS | ALONE | {"win.both": ["count-out"]}
    start = {"1": 9, "2": 9, "3": 0, "4": 0}
    assert ended(score("classic", hand(2, 2, "2: high low", dealer=4), options=count, start=start)) == "1 by count-out"


@pytest.mark.parametrize(
    ("bidder", "took"),
    [
        (4, "4: nine; 3: high low"),  # set, and another player takes the one point needed
        (4, "4: nine; 3: high low five"),
        (1, "1: nine; 3: high"),
        (3, "3: nine high"),  # the bidder makes it too, but the game was won before the first lead
    ],
)
def test_whoever_has_the_target_by_selling_the_hand_wins_before_it_is_played(bidder: int, took: str) -> None:
    """Commercial Pitch: "Eldest hand immediately scores the amount of the bid": 45 and 8 are 53 of 50."""
    start = {"1": 20, "2": 45, "3": 49, "4": 0}
    told = record("pedro-sancho", hand(bidder, 8, took, dealer=1), start=start)
    sold = score_record(told)
    assert score_output(read_game(told), sold)["hands"][0]["sold"] == sold.hands[0].sold == {"2": 8}
    assert sold.totals["2"] == 53
    assert ended(sold) == "2 by count-out"


def test_only_the_eldest_plays_without_a_bid_and_wins_no_game_by_a_made_bid() -> None:
    bad = record("classic", hand(2, 0, "A: high", dealer=4), options=FREE)
    assert refusals(bad)[0] == (
        "hands[0].bidder",
        "without a bid the player after the dealer plays: seat 1, not seat 2",
    )
    made = FREE | {"win.eligible": "made-bid"}
    near = {"A": 10, "B": 0}
    assert ended(score("classic", hand(1, 0, "A: high", dealer=4), options=made, start=near)) == "goes on"
    assert ended(score("classic", hand(1, 2, "A: high low", dealer=4), options=made, start=near)) == "A by target"


@pytest.mark.parametrize(
    ("took", "end"), [("1: low; 2: high", "2 by count-out"), ("1: high; 2: low five nine", "1 by count-out")]
)
def test_where_nobody_has_bid_nobody_wins_as_the_bidder(took: str, end: str) -> None:
    """All passed and the eldest pitched: both have 50, and the points are counted in order."""
    start = {"1": 49, "2": 49, "3": 0, "4": 0}
    free = hand(None, None, took, dealer=4, bids=calls("2:p 3:p 4:p 1:p"))
    assert ended(score("pedro-sancho", free, start=start)) == end
    assert ended(score("pedro-sancho", hand(1, 0, took, dealer=4), start=start)) == end


@pytest.mark.parametrize(("dealer", "change"), [(4, "A +0, B -2"), (1, "A -2, B +0")])
def test_the_dealers_side_pays_where_all_pass(dealer: int, change: str) -> None:
    seats = [seat % 4 + 1 for seat in range(dealer, dealer + 4)]
    passed = {"dealer": dealer, "bids": calls(" ".join(f"{seat}:p" for seat in seats))}
    assert signed(score("classic", passed, options={"auction.pass_cost": 2}).hands[0].change) == change
    options = {"auction.pass_cost": 2, "win.lost_at": -5}
    payer, other = ("B", "A") if dealer == 4 else ("A", "B")
    for before, end in (-3, f"{other} by lost"), (-2, "goes on"):
        assert ended(score("classic", passed, options=options, start={other: 0, payer: before})) == end


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (FREE | {"auction.min": 0}, "auction.min"),
        ({"auction.all_pass": "dealer-forced", "auction.pass_cost": 2}, "auction.pass_cost"),
        (FREE | {"auction.pass_cost": 2}, "auction.pass_cost"),
        ({"auction.seller": "eldest", "auction.dealer": "match"}, "auction.dealer"),
        (SELLS | {"auction.all_pass": "dealer-forced"}, "auction.all_pass"),
        ({"auction.cap": "seller-short"}, "auction.cap"),
        # With both near the target no one may bid, and the hand would be dealt again forever.
        (SELLS | {"auction.cap": "seller-short", "auction.all_pass": "redeal"}, "auction.cap"),
        (SELLS | {"auction.cap": "seller-short", "auction.all_pass": "next-dealer"}, "auction.cap"),
        # The seller pays nothing if the same dealer deals again.
        (SELLS | {"auction.cap": "seller-short", "auction.all_pass": "redeal", "auction.pass_cost": 1}, "auction.cap"),
    ],
)
def test_rules_that_do_not_fit_are_refused_beside_the_field(options: dict[str, Any], place: str) -> None:
    with pytest.raises(Refused) as refused:
        find_rules("classic").override(options)
    assert [problem.at for problem in refused.value.problems] == [place]


def test_bids_kept_down_need_a_way_on() -> None:
    """With A at 10 and B at 9 of 11, neither may bid 2: passes cost the dealer's side until one of them may."""
    short = SELLS | {"auction.cap": "seller-short"}
    options = short | {"auction.all_pass": "next-dealer", "auction.pass_cost": 2}
    passed = [
        {"dealer": 4, "bids": calls("2:p 3:p 4:p 1:p")},
        {"dealer": 1, "bids": calls("3:p 4:p 1:p 2:p")},
        hand(2, 2, "B: high low", dealer=2),
    ]
    scored = score("classic", *passed, options=options, start={"A": 10, "B": 9})
    assert [signed(each.change) for each in scored.hands] == ["A +0, B -2", "A -2, B +0", "A +2, B +2"]
    assert find_rules("classic").override(short | FREE).auction.cap == "seller-short"
