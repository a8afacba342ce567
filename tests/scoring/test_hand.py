"""Single hands: all problems of a hand, and the reason for every point that no side has."""

from typing import Any

import pytest

from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.hand import check_hand, score_hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table

SIX = Table(find_rules("west-michigan-6"))
FOUR = Table(find_rules("west-michigan-4"))
FIVE = Table(find_rules("west-michigan-5"))
DOUBLE = Table(find_rules("double-jack"))
CLASSIC = Table(find_rules("classic"))
PARTNERSHIP = Table(find_rules("partnership"))

ALL = {"high": "A", "low": "A", "right_jack": "A", "left_jack": "A", "right_joker": "A", "left_joker": "A", "game": "A"}
BID = {"bidder": 1, "bid": 4, "trump": "H"}
PASSED = [{"seat": seat, "bid": "pass"} for seat in (1, 2, 3, 4, 5, 6)]


def hand_of(table: Table, facts: dict[str, Any]) -> Hand:
    return read_hand({"dealer": table.players} | facts, table)


def found(table: Table, facts: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The problems of a hand; asserts that scoring refuses it with the same ones."""
    hand = hand_of(table, facts)
    problems = check_hand(table, hand)
    with pytest.raises(Refused) as refused:
        score_hand(table, hand)
    assert refused.value.problems == problems
    return [tuple(problem) for problem in problems]


# --- hands that are passed out ------------------------------------------------------------------------------------


def test_a_passed_out_hand_is_all_zero() -> None:
    score = score_hand(SIX, Hand(bids=hand_of(SIX, {"bids": PASSED}).bids), 6, {"A": 7, "B": -3})
    assert score == (
        "passed-out", 6, None, None, None, {}, None, {}, False, {"A": 0, "B": 0}, {"A": 7, "B": -3},
        None, (), (), (), None, {}, {}, False, None,
    )  # fmt: skip
    assert check_hand(SIX, hand_of(SIX, {"bids": PASSED})) == ()


@pytest.mark.parametrize(
    "facts",
    [
        {"trump": "H"}, {"called": "AH"}, {"buried": []}, {"tricks": []}, {"piles": {}}, {"claims": {}},
        {"game_counts": {}}, {"low_by": "A"}, {"high_by": "A"}, {"played_by": {"low": "A"}},
        {"tricks_won": {"last": "A"}}, {"sweep": "A"}, {"partner": None}, {"partner": 2},
        {"trump": "H", "sweep": "A", "partner": None},
    ],
)  # fmt: skip
def test_a_passed_out_hand_has_nothing_else(facts: dict[str, Any]) -> None:
    """game-record.md: a hand in which everybody passes has only `dealer` and `bids`. All are named at once."""
    said = [("passed-out", name, f"everybody passed, so there is no {name}") for name in facts]
    assert found(SIX, {"bids": PASSED} | facts) == said


# --- problems --------------------------------------------------------------------------

NO_POINTS = ("no-points", "", "nobody said who took what: give claims, piles or tricks")
NO_BIDDER = ("no-bidder", "bidder", "the bidder is missing")
AUCTION = [{"seat": 1, "bid": 4}, *({"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 5, 6))]


@pytest.mark.parametrize(
    ("facts", "problems"),
    [
        ({}, [NO_BIDDER]),
        ({"dealer": 1, "bid": 4}, [NO_BIDDER]),
        ({"bidder": 1}, [("no-bid", "bid", "the bid is missing")]),
        ({"bidder": 1, "bid": 8}, [("no-such-bid", "bid", "there is no bid of 8: the bids are 0 to 7")]),
        ({"bidder": 1, "bid": -1}, [("no-such-bid", "bid", "there is no bid of -1: the bids are 0 to 7")]),
        ({"bidder": 1, "bid": 4, "claims": ALL}, [("no-trump", "trump", "trump is missing")]),
        (BID, [NO_POINTS]),
        ({"bidder": 1, "bid": 4}, [NO_POINTS, ("no-trump", "trump", "trump is missing")]),
        (BID | {"bids": AUCTION, "claims": ALL, "bidder": 2},
         [("bidder-contradicted", "bidder", "by the bids, seat 1 won the bidding at 4, not seat 2")]),
        (BID | {"bids": AUCTION, "claims": ALL, "bid": 3},
         [("bid-contradicted", "bid", "by the bids, seat 1 won the bidding at 4, not 3")]),
        ({"bids": PASSED, "bidder": 2, "bid": 4}, [
         ("bidder-contradicted", "bidder", "by the bids, everybody passed, not seat 2"),
         ("bid-contradicted", "bid", "by the bids, everybody passed, not 4")]),
        ({"bids": PASSED, "bid": 0}, [("bid-contradicted", "bid", "by the bids, everybody passed, not 0")]),
        (BID | {"claims": {"ace": "A"}}, [("no-such-point", "claims.ace", "these rules have no point called ace")]),
        (BID | {"claims": {"high": "C"}},
         [("no-such-side", "claims.high", "there is no side C here: the sides are A, B")]),
        (BID | {"claims": {"game": "A"}, "game_counts": {"A": 30, "B": 40}},
         [("game-at-odds", "claims.game", "the card points give Game to B, not to A")]),
        (BID | {"claims": {"game": None}, "game_counts": {"A": 30, "B": 40}},
         [("game-at-odds", "claims.game", "the card points give Game to B, not to nobody")]),
        (BID | {"claims": {"game": "A"}, "game_counts": {"A": 40, "B": 40}},
         [("game-at-odds", "claims.game", "the card points give Game to nobody, not to A")]),
        (BID | {"claims": {"high": "B"}, "buried": ["AH", "9C"]},
         [("buried-point", "claims.high", "AH is buried, so nobody has high")]),
        (BID | {"claims": {"left_jack": "B"}, "buried": ["JD"]},
         [("buried-point", "claims.left_jack", "JD is buried, so nobody has left_jack")]),
        (BID | {"piles": {"A": ["AH", "2H"], "B": ["KH"]}, "sweep": "A"},
         [("sweep", "sweep", "A cannot have won every trick: KH is in B's pile")]),
        (BID | {"piles": {"A": ["AH", "2H"], "B": ["KH"]}, "sweep": "B"},
         [("sweep", "sweep", "B cannot have won every trick: AH is in A's pile")]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_hand(facts: dict[str, Any], problems: list[tuple[str, str, str]]) -> None:
    assert found(SIX, facts) == problems


def test_without_a_dealer_all_the_rest_is_checked_too() -> None:
    nobody = ("no-dealer", "dealer", "the first dealer is missing")
    hand = Hand(bidder=1, bid=4, trump="H", claims=ALL)
    assert [tuple(problem) for problem in check_hand(SIX, hand)] == [nobody]
    assert [tuple(problem) for problem in check_hand(SIX, hand._replace(claims=None))] == [nobody, NO_POINTS]
    assert [tuple(problem) for problem in check_hand(SIX, hand._replace(bids=()))] == [nobody]
    assert check_hand(SIX, hand, 3) == ()
    with pytest.raises(Refused):
        score_hand(SIX, hand)


def test_the_hands_own_dealer_goes_before_the_expected_one() -> None:
    hand = hand_of(SIX, BID | {"claims": ALL, "dealer": 2})
    assert score_hand(SIX, hand, 5).dealer == 2
    assert score_hand(SIX, hand._replace(dealer=None), 5).dealer == 5


# --- two points on one card ---------------------------------------------------------------------

LOW_IS_XB = BID | {"buried": ["2H", "9H", "TH", "9C", "2C", "2D"]}


def points(**claims: str | None) -> dict[str, Any]:
    return {"claims": claims}


@pytest.mark.parametrize(
    ("table", "facts", "problems"),
    [
        (FOUR, LOW_IS_XB | points(low="A", left_joker="A"), []),
        (FOUR, LOW_IS_XB | points(low="A", left_joker="B"),
         [("same-card", "claims.left_joker", "XB is both low and left_joker, so one side has both")]),
        (FOUR, LOW_IS_XB | points(high="A", low="A"),
         [("same-card", "claims.left_joker", "XB is both low and left_joker, so one side has both")]),
        (FOUR, LOW_IS_XB | points(high="A", game="B"), []),
        (FOUR, BID | {"buried": ["2H", "9H", "TH", "9C", "2C"]} | points(low="A", left_joker="B"), []),
        # double-jack: High and Low score for the holder, the jacks for the taker
        (DOUBLE, BID | {"buried": ["AH", "KH", "QH", "9C"]} | points(high="A", right_jack="B", low="B"), []),
    ],
)  # fmt: skip
def test_two_points_on_one_card(table: Table, facts: dict[str, Any], problems: list[tuple[str, str, str]]) -> None:
    """rules.md: one card may be High, Low and Jack at once."""
    assert [tuple(problem) for problem in check_hand(table, hand_of(table, facts))] == problems


def test_two_points_on_one_card_behind_one_on_a_card_unknown_or_of_who_was_dealt_it() -> None:
    low, right, jack = {"key": "low", "card": "lowest"}, {"key": "right", "card": "J"}, {"key": "jack", "card": "J"}
    table = Table(find_rules("classic").override({"points": [low, right, jack]}))
    facts = {"bidder": 1, "bid": 2, "trump": "H"}
    assert found(table, facts | points(low="A", right="A", jack="B")) == [
        ("same-card", "claims.jack", "JH is both right and jack, so one side has both")
    ]
    dealt = {"deck.undealt": "buried", "points.high.owner": "holder", "points.low.owner": "holder"}
    table = Table(find_rules("classic").override(dealt))
    suits = [*(f"{rank}H" for rank in "AKQT98765432"), *(f"{rank}S" for rank in "AKQJT98765432")]
    facts |= {"buried": [*suits, "2C", "3C", "4C"]}
    assert check_hand(table, hand_of(table, facts | points(high="A", low="A", jack="B"))) == ()
    assert found(table, facts | points(high="A", low="B", jack="B")) == [
        ("same-card", "claims.low", "JH is both high and low, so one side has both")
    ]


def test_high_and_low_where_all_trumps_are_buried() -> None:
    table = Table(find_rules("classic").override({"deck.undealt": "buried"}))
    buried = [*(f"{rank}H" for rank in "AKQJT98765432"), *(f"{rank}S" for rank in "AKQJT98765432"), "2C", "3C"]
    facts = {"bidder": 1, "bid": 2, "trump": "H", "buried": buried} | points(high="A", game="B")
    assert found(table, facts) == [("buried-point", "claims.high", "every trump is buried, so nobody has high")]
    score = score_hand(table, hand_of(table, facts | points(game="B")))
    assert score.points == {
        "high": (None, None, "buried", False),
        "low": (None, None, "buried", False),
        "jack": (None, "JH", "buried", False),
        "game": ("B", None, None, False),
    }


# --- every trick ---------------------------------------------------------------------

SMUDGE = {"bidder": 1, "bid": "smudge", "trump": "H", "sweep": "A"}


@pytest.mark.parametrize(
    ("facts", "problems"),
    [
        (points(high="A", low="A", jack="A", game="A"), []),
        (points(high="A"), []),
        (points(high="B", low="A", jack="B"), [("sweep", "claims.high", "A won every trick, so B cannot have high"),
         ("sweep", "claims.jack", "A won every trick, so B cannot have jack")]),
        (points(game="B"), [("sweep", "claims.game", "A won every trick, so B cannot have game")]),
    ],
)  # fmt: skip
def test_who_won_every_trick_took_every_point(facts: dict[str, Any], problems: list[tuple[str, str, str]]) -> None:
    found_problems = check_hand(PARTNERSHIP, hand_of(PARTNERSHIP, SMUDGE | facts))
    assert [tuple(problem) for problem in found_problems] == problems


@pytest.mark.parametrize(
    ("table", "facts", "places"),
    [
        # High and Low score for the holder, whoever won the tricks
        (DOUBLE, points(high="B", low="B", right_jack="A"), []),
        (DOUBLE, points(high="B", low="B", right_jack="B", game="B"), ["claims.right_jack", "claims.game"]),
        # a Low kept by its player may be another point too, and may decide Game
        (SIX, points(low="B", high="B"), []),
        (SIX, points(low="B", high="B") | {"buried": ["9C"]}, []),
        (SIX, points(low="B", high="B") | {"buried": ["9C", "2D"]}, ["claims.high"]),
        (SIX, points(low="B", game="B") | {"buried": ["9C", "2D"]}, []),
        (
            SIX,
            points(low="B", left_jack="B", right_jack="B", game="B") | {"buried": ["9C", "2D"]},
            ["claims.right_jack", "claims.left_jack"],
        ),
        (FOUR, points(low="B", left_joker="B") | {"buried": LOW_IS_XB["buried"]}, []),
        (FOUR, points(low="B", left_joker="B", high="B") | {"buried": LOW_IS_XB["buried"]}, ["claims.high"]),
    ],
)
def test_a_sweep_leaves_others_only_what_does_not_go_by_tricks(
    table: Table, facts: dict[str, Any], places: list[str]
) -> None:
    hand = hand_of(table, BID | {"sweep": "A"} | facts)
    assert [(problem.code, problem.at) for problem in check_hand(table, hand)] == [("sweep", at) for at in places]


def test_a_point_on_the_kept_card_excuses_no_other() -> None:
    names = (("jack", "J"), ("ace", "A"), ("low", "lowest"))
    wanted = [{"key": key, "card": card, "owner": "keeper" if key == "low" else "taker"} for key, card in names]
    table = Table(find_rules("west-michigan-4").override({"points": wanted}))
    facts = BID | {"sweep": "A", "buried": ["2H", "9H", "TH", "XB", "XR", "JD"]}
    assert check_hand(table, hand_of(table, facts | points(jack="B", low="B"))) == ()
    assert [at for _, at, _ in found(table, facts | points(jack="B", ace="B", low="B"))] == ["claims.ace"]


# --- reasons for points without a side -----------------------------------------------------


def why(table: Table, facts: dict[str, Any]) -> dict[str, Any]:
    score = score_hand(table, hand_of(table, BID | facts))
    return {key: (point.card, point.why) for key, point in score.points.items() if point.side is None}


@pytest.mark.parametrize(
    ("table", "facts", "reasons"),
    [
        (SIX, points(), {"high": ("AH", "buried"), "low": (None, "not captured"), "right_jack": ("JH", "buried"),
         "left_jack": ("JD", "buried"), "right_joker": ("XR", "buried"), "left_joker": ("XB", "buried"),
         "game": (None, "tied")}),
        (SIX, points(game="B") | {"buried": ["XR", "9C"]}, {"high": ("AH", "not captured"),
         "low": ("2H", "not captured"), "right_jack": ("JH", "not captured"), "left_jack": ("JD", "not captured"),
         "right_joker": ("XR", "buried"), "left_joker": ("XB", "not captured")}),
        (SIX, points(game="B") | {"buried": ["2H", "9C"]}, {"high": ("AH", "not captured"),
         "low": ("7H", "not captured"), "right_jack": ("JH", "not captured"), "left_jack": ("JD", "not captured"),
         "right_joker": ("XR", "not captured"), "left_joker": ("XB", "not captured")}),
        (DOUBLE, points(), {"high": (None, "not captured"), "low": (None, "not captured"),
         "right_jack": ("JH", "buried"), "left_jack": ("JD", "buried"), "game": (None, "below threshold")}),
        (DOUBLE, points(high="A", low="A", right_jack="B", left_jack="B") | {"game_counts": {"A": 40, "B": 38}},
         {"game": (None, "below threshold")}),
        (DOUBLE, points(high="A", low="A", right_jack="B", left_jack="B") | {"game_counts": {"A": 40, "B": 40}},
         {"game": (None, "tied")}),
        (DOUBLE, points(high="A", low="A", right_jack="B", left_jack="B") | {"game_counts": {"A": 41, "B": 39}}, {}),
        (CLASSIC, points(), {"high": (None, "not captured"), "low": (None, "not captured"),
         "jack": ("JH", "not dealt"), "game": (None, "tied")}),
        (CLASSIC, {"piles": {"A": ["2C"], "B": ["3C"]}}, {"high": (None, "not captured"),
         "low": (None, "not captured"), "jack": ("JH", "not captured"), "game": (None, "tied")}),
        (SIX, {"piles": {"A": ["AH", "2H", "TC"], "B": ["XR"]}, "buried": ["XB"]},
         {"right_jack": ("JH", "not captured"), "left_jack": ("JD", "not captured"), "left_joker": ("XB", "buried")}),
    ],
)  # fmt: skip
def test_a_point_that_nobody_has_says_why(table: Table, facts: dict[str, Any], reasons: dict[str, Any]) -> None:
    assert why(table, facts) == reasons
    score = score_hand(SIX, hand_of(SIX, BID | {"claims": ALL}))
    assert {point[0::2] for point in score.points.values()} == {("A", None)}
    assert score.points["game"] == ("A", None, None, False)


# --- piles with a Low kept by its player ------------------------------------------------------------------

PILES = {"A": ["AH", "JH", "TC"], "B": ["2H", "KC"]}


@pytest.mark.parametrize(
    ("trumps", "said", "high", "low"),
    [
        (["KH"], {"high_by": "B", "low_by": "B"}, "B", "B"),
        (["KH"], {"high_by": "B", "low_by": 2}, "B", "B"),
        (["KH"], {"high_by": "B"}, "B", "B"),
        (["KH"], {"low_by": "B"}, "B", "B"),
        ([], {"high_by": "A", "low_by": "B"}, None, None),
        (["KH", "9H"], {"high_by": "A", "low_by": "B"}, "A", "B"),
    ],
)
def test_high_and_low_of_a_lone_trump_are_one_players(
    trumps: list[str], said: dict[str, Any], high: str | None, low: str | None
) -> None:
    """One trump was dealt, to one player; with none or several, the two may differ."""
    score = score_hand(DOUBLE, hand_of(DOUBLE, BID | {"piles": {"A": ["9C", *trumps], "B": ["TC"]}} | said))
    assert (score.points["high"].side, score.points["low"].side) == (high, low)


def test_who_played_low_means_nothing_where_the_taker_has_it() -> None:
    score = score_hand(CLASSIC, hand_of(CLASSIC, BID | {"piles": PILES, "low_by": "A", "high_by": "B"}))
    assert (score.points["high"].side, score.points["low"].side) == ("A", "B")


# --- partners ---------------------------------------------------------------------


def test_a_called_card_that_is_in_no_pile_is_buried() -> None:
    """Complete piles have every dealt card (game-record.md), and an undealt card has no holder."""
    dealt = [card for card in FIVE.deck if card not in ("9C", "8C", "2C", "KS")]
    facts = BID | {"called": "KS", "piles": {"bidding": dealt[:20], "defending": dealt[20:]}}
    assert score_hand(FIVE, hand_of(FIVE, facts)).change.keys() == set("12345")
    assert score_hand(FIVE, hand_of(FIVE, facts | {"partner": None})).sides == FIVE.sides(1)
    assert found(FIVE, facts | {"partner": 3}) == [
        ("wrong-partner", "partner", "the partner does not hold KS: it is buried, or the bidder's own")
    ]
    part = facts | {"piles": {"bidding": dealt[:20], "defending": dealt[20:-1]}}
    assert score_hand(FIVE, hand_of(FIVE, part | {"partner": 3})).sides == FIVE.sides(1, 3)
    assert [code for code, _, _ in found(FIVE, part)] == ["no-partner"]
