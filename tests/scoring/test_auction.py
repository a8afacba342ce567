"""The auction: legal calls, its end, its winner.

Charts by the documents' sentences, and every possible auction of small tables.
"""

from collections.abc import Iterator

import pytest

from scorekeeper.scoring.auction import Auction, Call, run_auction
from scorekeeper.scoring.problems import Problems, Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.rules.fields import AuctionRules, Special
from tests.scoring import reference

SMUDGE = Special("smudge", 5, ("every-trick", "every-point"))
GRAND = Special("grand", 9, ("every-trick",))
PLAIN = find_rules("classic").override({"auction.dealer": "outbid", "auction.all_pass": "redeal"}).auction


def rules(**changes: object) -> AuctionRules:
    return PLAIN._replace(**changes)


def said(text: str, auction: Auction) -> Auction:
    """Make the calls of a chart row, from the dealer's left: numbers, p for a pass."""
    for word in text.split():
        auction.call(None if word == "p" else int(word))
    return auction


# --- privileges of the dealer -------------------------------------------------------------------------------------

S = {"specials": (SMUDGE,)}


@pytest.mark.parametrize(
    ("privilege", "before", "legal", "source"),
    [
        ("outbid", "p 2 p", (3, 4, 5), "002: he has to bid one point higher than the last bid"),
        ("outbid", "p 4 p", (5,), "000 6.2: bids must be strictly higher than any previous bid"),
        ("outbid", "p 5 p", (), "000 6.2"),
        ("match", "p 2 p", (2, 3, 4, 5), "002: by bidding the same as the highest bid"),
        ("match", "p 4 p", (4, 5), "002"),
        ("match", "p 5 p", (5,), "002, a smudge as well"),
        ("match-below-max", "2 3 p", (3, 4, 5), "002: if other players have bid 2 or 3, but no one has bid 4"),
        ("match-below-max", "2 4 p", (5,), "002"),
        ("match-below-max", "2 5 p", (), "002"),
        ("match-max", "2 3 p", (4, 5), "004: a bid higher than the previous bids"),
        ("match-max", "2 4 p", (4, 5), '004: the dealer can always "steal" a four bid'),
        ("match-max", "2 5 p", (), "004"),
        ("match-not-special", "2 4 p", (4, 5), "rules.md: match-not-special"),
        ("match-not-special", "2 5 p", (), "rules.md: match-not-special forbids it"),
    ],
)
def test_the_dealers_privilege(privilege: str, before: str, legal: tuple[int, ...], source: str) -> None:
    auction = said(before, Auction(rules(dealer=privilege, **S), 4, 4))
    assert auction.legal_bids(4) == legal, source
    assert auction.may_pass(4)


def test_nobody_but_the_dealer_has_the_privilege() -> None:
    auction = said("2 p", Auction(rules(dealer="match"), 4, 4))
    assert auction.legal_bids(3) == (3, 4)
    assert not auction.may_match(3)
    assert auction.may_match(4)


def test_before_the_first_bid_there_is_nothing_to_match() -> None:
    assert not Auction(rules(dealer="match"), 4, 4).may_match(4)


def test_the_dealer_does_not_match_an_own_bid() -> None:
    """Until-passed: the dealer calls again, but only over another player's bid."""
    auction = said("2 p p 3 4 ", Auction(rules(dealer="match", rounds="until-passed"), 4, 4))
    assert auction.to_speak == 4
    assert auction.legal_bids(4) == (4,)
    auction = said("2 3", Auction(rules(dealer="match", rounds="until-passed"), 2, 2))
    assert not auction.may_match(2)


@pytest.mark.parametrize(
    ("changes", "least"),
    [
        ({"forced_bid": None}, 2),
        ({"forced_bid": None, "min": 0}, 2),
        ({"forced_bid": None, "min": 1}, 2),
        ({"forced_bid": None, "min": 3}, 3),
        ({"forced_bid": 3}, 3),
        ({"forced_bid": 0, "min": 0}, 0),
        ({"forced_bid": 4}, 4),
        ({"forced_bid": 2, "min": 3}, 2),
    ],
)
def test_a_forced_dealer_bids_at_least(changes: dict[str, int], least: int) -> None:
    """001: if nobody else bids, the dealer must bid; rules.md: auction.min, at least 2."""
    auction = said("p p p", Auction(rules(all_pass="dealer-forced", **changes), 4, 4))
    assert auction.is_forced(4)
    assert not auction.may_pass(4)
    assert not auction.is_over
    assert auction.legal_bids(4) == tuple(range(least, 5))


@pytest.mark.parametrize(
    ("all_pass", "before", "forced"),
    [
        ("dealer-forced", "p p p", True),
        ("dealer-forced", "p p", False),
        ("dealer-forced", "p 2 p", False),
        ("redeal", "p p p", False),
        ("next-dealer", "p p p", False),
    ],
)
def test_when_the_dealer_is_forced(all_pass: str, before: str, forced: bool) -> None:
    auction = said(before, Auction(rules(all_pass=all_pass), 4, 4))
    assert auction.is_forced(4) is forced
    assert not auction.is_forced(3)


# --- turns and end ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "before", "turn"),
    [(4, "", 1), (1, "", 2), (3, "", 4), (4, "p", 2), (4, "2 p p", 4), (2, "p p", 1), (4, "p p p 2", None)],
)
def test_each_speaks_once_from_the_dealers_left(dealer: int, before: str, turn: int | None) -> None:
    """000 6.2: starting with the player to the dealer's left and proceeding clockwise."""
    assert said(before, Auction(PLAIN, 4, dealer)).to_speak == turn


@pytest.mark.parametrize(
    ("before", "turn", "over"),
    [
        ("1 2 p p", 1, False),
        ("1 2 p p 3", 2, False),
        ("1 2 p p 3 p", None, True),
        ("p 1 p 2", 2, False),
        ("p p p 1", None, True),
        ("p p p", 4, False),
        ("p p p p", None, True),
        ("5", 2, True),
        ("1 2 3 5", 1, True),
        ("1 2 3 4 p p", 3, False),
        ("1 2 3 4 p p p", None, True),
        ("5 p p", 4, True),
    ],
)
def test_until_passed_goes_round_until_five_or_all_others_have_passed(
    before: str, turn: int | None, over: bool
) -> None:
    """003: until someone has bid five, or everyone else has passed; once you have passed, you cannot bid any more."""
    auction = said(before, Auction(rules(rounds="until-passed", min=1, max=5), 4, 4))
    assert (auction.to_speak, auction.is_over) == (turn, over)


@pytest.mark.parametrize(
    ("before", "over", "out"),
    [("4", True, False), ("p 4", True, False), ("3", False, False), ("p p p", False, False), ("p p p p", True, True)],
)
def test_a_single_round_is_over_when_only_passes_are_left(before: str, over: bool, out: bool) -> None:
    auction = said(before, Auction(PLAIN, 4, 4))
    assert (auction.is_over, auction.passed_out) == (over, out)


def test_the_highest_bid_is_not_the_end_while_the_dealer_may_take_it() -> None:
    assert not said("4 p p", Auction(rules(dealer="match-max"), 4, 4)).is_over
    assert said("4 p p 4", Auction(rules(dealer="match-max"), 4, 4)).high == Call(4, 4)


def test_an_auction_keeps_its_calls() -> None:
    auction = said("p 2 p 3", Auction(PLAIN, 4, 1))
    assert auction.calls == [Call(2, None), Call(3, 2), Call(4, None), Call(1, 3)]
    assert auction.high == Call(1, 3)


def test_specials_are_bids_above_the_numbers() -> None:
    """002: smudge is really a bid of five."""
    assert rules(specials=(GRAND, SMUDGE)).levels == (2, 3, 4, 5, 9)
    assert said("4", Auction(rules(specials=(GRAND, SMUDGE)), 4, 4)).legal_bids(2) == (5, 9)


# --- invalid auctions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text", "code", "at", "fragment"),
    [
        ({}, "2:2", "out-of-turn", "bids[0]", "it was seat 1's turn to bid, not seat 2's"),
        ({}, "1:2 3:p", "out-of-turn", "bids[1]", "it was seat 2's turn to bid, not seat 3's"),
        ({}, "1:2 2:p 3:p 4:p 1:3", "auction-over", "bids[4]", "the bidding was over before seat 1 bid"),
        ({}, "1:3 2:3", "bid-too-low", "bids[1]", "3 does not beat the bid of 3"),
        ({}, "1:3 2:2", "bid-too-low", "bids[1]", "2 does not beat the bid of 3"),
        ({}, "1:3 2:p 3:p 4:2", "bid-too-low", "bids[3]", "2 does not beat the bid of 3"),
        ({}, "1:3 2:p 3:p 4:3", "bid-too-low", "bids[3]", "the dealer has to bid more than 3"),
        ({"dealer": "match-max"}, "1:3 2:p 3:p 4:3", "bid-too-low", "bids[3]", "the dealer has to bid more than 3"),
        ({}, "1:5", "no-such-bid", "bids[0]", "there is no bid of 5: the bids are 2 to 4"),
        ({}, "1:1", "no-such-bid", "bids[0]", "there is no bid of 1: the bids are 2 to 4"),
        (S, "1:6", "no-such-bid", "bids[0]", "the bids are 2 to 4 and smudge (5)"),
        ({}, "1:2 2:p 3:p", "auction-unfinished", "bids", "the bidding is not over: seat 4 to bid"),
        ({}, "", "auction-unfinished", "bids", "the bidding is not over: seat 1 to bid"),
        ({"all_pass": "dealer-forced"}, "1:p 2:p 3:p 4:p", "forced-dealer", "bids[3]", "the dealer has to bid"),
        ({"all_pass": "dealer-forced"}, "1:p 2:p 3:p", "auction-unfinished", "bids",
         "the bidding is not over: seat 4 to bid"),
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
