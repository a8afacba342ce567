"""The auction: what cannot be in one, and every possible auction of small tables; charts are by the documents."""

from collections.abc import Iterator

import pytest

from scorekeeper.scoring.auction import Auction, Call, run_auction
from scorekeeper.scoring.problems import Problems, Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.rules.fields import AuctionRules, Special
from tests.scoring import reference

SMUDGE = Special("smudge", 5, ("every-trick", "every-point"))
S = {"specials": (SMUDGE,)}
PLAIN = find_rules("classic").override({"auction.dealer": "outbid", "auction.all_pass": "redeal"}).auction


def rules(**changes: object) -> AuctionRules:
    return PLAIN._replace(**changes)


# --- invalid auctions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text", "code", "at", "fragment"),
    [
        ({}, "2:2", "out-of-turn", "bids[0]", "it was seat 1's turn to bid, not seat 2's"),
        ({}, "1:2 2:p 3:p 4:p 1:3", "auction-over", "bids[4]", "the bidding was over before seat 1 bid"),
        ({}, "1:3 2:3", "bid-too-low", "bids[1]", "3 does not beat the bid of 3"),
        ({}, "1:3 2:p 3:p 4:2", "bid-too-low", "bids[3]", "2 does not beat the bid of 3"),
        ({}, "1:3 2:p 3:p 4:3", "bid-too-low", "bids[3]", "the dealer has to bid more than 3"),
        ({"dealer": "match-max"}, "1:3 2:p 3:p 4:3", "bid-too-low", "bids[3]", "the dealer has to bid more than 3"),
        ({}, "1:5", "no-such-bid", "bids[0]", "there is no bid of 5: the bids are 2 to 4"),
        (S, "1:6", "no-such-bid", "bids[0]", "the bids are 2 to 4 and smudge (5)"),
        ({}, "1:2 2:p 3:p", "auction-unfinished", "bids", "the bidding is not over: seat 4 to bid"),
        ({}, "", "auction-unfinished", "bids", "the bidding is not over: seat 1 to bid"),
        ({"all_pass": "dealer-forced"}, "1:p 2:p 3:p 4:p", "forced-dealer", "bids[3]", "the dealer has to bid"),
        ({"all_pass": "dealer-forced", "forced_bid": 3}, "1:p 2:p 3:p 4:2", "bid-too-low", "bids[3]",
         "a forced dealer bids at least 3, not 2"),
        ({"all_pass": "dealer-forced", "forced_bid": 1}, "1:p 2:1", "no-such-bid", "bids[1]",
         "there is no bid of 1: the bids are 2 to 4"),
        ({"all_pass": "dealer-forced", "forced_bid": 1}, "1:2 2:p 3:p 4:1", "no-such-bid", "bids[3]",
         "there is no bid of 1: the bids are 2 to 4"),
        ({"rounds": "until-passed"}, "1:2 2:3 3:p 4:p 2:p", "out-of-turn", "bids[4]", "it was seat 1's turn"),
        ({"rounds": "until-passed"}, "1:p 2:2 3:p 4:p 1:3", "auction-over", "bids[4]", "over before seat 1 bid"),
    ],
)  # fmt: skip
def test_what_cannot_be_in_an_auction(changes: dict[str, object], text: str, code: str, at: str, fragment: str) -> None:
    calls = [
        Call(int(seat), None if bid == "p" else int(bid)) for seat, bid in (word.split(":") for word in text.split())
    ]
    problems = Problems()
    run_auction(rules(**changes), 4, 4, calls, problems)
    assert [(problem.code, problem.at) for problem in problems] == [(code, at)]
    assert fragment in problems[0].message


# --- all auctions --------------------------------------------------------------------------------------------------

PRIVILEGES = ("outbid", "match", "match-below-max", "match-max", "match-not-special")
SMALL = [
    (
        players,
        rules(rounds=rounds, min=low, max=3, specials=specials, dealer=privilege, all_pass=all_pass, forced_bid=forced),
    )
    for players in (2, 3)
    for rounds in ("single", "until-passed")
    for low, forced in ((1, None), (0, None), (2, 3), (3, 1))
    for specials in ((), (SMUDGE,))
    for privilege in PRIVILEGES
    for all_pass in ("redeal", "next-dealer", "dealer-forced")
    if players == 2 or rounds == "single" or (low, len(specials)) == (2, 0)
]


def every_auction(auction: dict[str, object], players: int, dealer: int) -> Iterator[list[tuple[int, int | None]]]:
    """Every prefix of every legal auction."""
    waiting: list[list[tuple[int, int | None]]] = [[]]
    while waiting:
        calls = waiting.pop()
        yield calls
        seat, sayings = reference.next_to_say(auction, players, dealer, calls)
        waiting.extend([*calls, (seat, bid)] for bid in sayings if seat is not None)


def test_in_every_small_auction_the_bids_offered_are_the_bids_accepted() -> None:
    walked = 0
    for players, rule in SMALL:
        plain = rule._asdict() | {"specials": [special._asdict() for special in rule.specials]}
        dealer = 1 + (rule.min + players) % players
        for calls in every_auction(plain, players, dealer):
            walked += 1
            auction = Auction(rule, players, dealer)
            for _, bid in calls:
                auction.call(bid)
            agree_on(auction, plain, players, dealer, calls)
    assert walked > 5000


def agree_on(
    auction: Auction, plain: dict[str, object], players: int, dealer: int, calls: list[tuple[int, int | None]]
) -> None:
    seat, sayings = reference.next_to_say(plain, players, dealer, calls)
    assert auction.to_speak == seat
    assert auction.is_over == reference.is_settled(plain, players, dealer, calls)
    holder, high = reference.won_by(calls)
    assert (auction.high and auction.high[:2]) == ((holder, high) if holder else None)
    assert auction.passed_out == (seat is None and holder is None)
    assert not auction.may_match(holder or dealer)  # an own bid, or none
    if seat is not None:
        assert [*([None] if auction.may_pass(seat) else []), *auction.legal_bids(seat)] == sayings
    for speaker in range(1, players + 1):
        for bid in (None, 0, 1, 2, 3, 4, 5) if speaker == seat else (None, 3):
            problems = Problems()
            run_auction(auction.rules, players, dealer, [Call(*call) for call in [*calls, (speaker, bid)]], problems)
            accepted = not problems or problems[0].code == "auction-unfinished"
            assert accepted == (speaker == seat and bid in sayings), (calls, speaker, bid)


@pytest.mark.parametrize(
    ("rules_id", "options", "text"),
    [
        ("double-jack", {}, "auction.max_again can be anyone only where each bids once, and nobody sells the hand"),
        ("classic", {"auction.seller": "eldest", "auction.dealer": "outbid"},
         "auction.max_again can be anyone only where each bids once, and nobody sells the hand"),
        ("trinidad-all-fours", {}, "auction.max_again cannot be anyone without bidding"),
    ],
)  # fmt: skip
def test_the_highest_bid_again_needs_one_bid_each(rules_id: str, options: dict[str, str], text: str) -> None:
    """If bids go around, two players could repeat the highest bid forever."""
    with pytest.raises(Refused) as refused:
        find_rules(rules_id).override(options | {"auction.max_again": "anyone"})
    assert [(problem.at, problem.message) for problem in refused.value.problems] == [("auction.max_again", text)]
