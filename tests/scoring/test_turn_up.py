"""Games without bidding, cards turned up for trump, begging, misdeals and captured points, worked out by hand.

Seat 1 deals, so seat 2 is the eldest: the player after the dealer. Seats 1 and 3 are A, 2 and 4 B. Hearts are trump.
"""

from typing import Any

import pytest

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_game, read_hand, score_output, score_record, write_game, write_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from tests.scoring.records import hand, record, refusals, score, signed, tricks

RULES = "trinidad-all-fours"
NO_MISDEAL = "under these rules a misdeal scores nothing: leave the hand out, and set dealer in the next one"
NO_BIDS = {"auction.rounds": "none", "auction.all_pass": "redeal", "win.both": ["play-on"]}
TURNS = {"trump.by": "turned-up", "trump.turned": {"J": 1}, "trump.gift": 2, "trump.run": 3}
SIX_TRICKS = tricks(
    "2: AH 2H 3H 4H", "2: JH QH 5H 6H", "3: KC 2C 3C 4C", "3: TS 2S 3S 4S", "3: AD 2D 3D 4D", "3: 9C 5C 6C 7C"
)


def refused(**facts: Any) -> list[tuple[str, str]]:
    found = refusals(record(RULES, hand(None, None, "A: high") | facts))
    return [(place.removeprefix("hands[0]."), text) for place, text in found]


@pytest.mark.parametrize(
    ("facts", "place", "text"),
    [
        ({"bids": [{"seat": 2, "bid": "pass"}]}, "bids", "there is no bidding under these rules"),
        ({"bid": 1}, "bid", "there is no bid of 1: there is no bidding under these rules"),
        ({"bidder": 1}, "bidder", "without a bid the player after the dealer plays: seat 2, not seat 1"),
        ({"turned_up": ["J"] * 4}, "turned_up", "at most 3 cards are turned up in a hand, not 4"),
        ({"gift": True, "turned_up": ["J", "6"]}, "gift", "the dealer gives points or turns up another card, not both"),
        ({"misdeal": True}, "misdeal", "after a misdeal nothing is played: leave out the misdeal or the play"),
        ({"played_by": {"high": "A"}}, "played_by.high",
         "high is worth the same whoever played it, so leave that out beside claims"),
        ({"played_by": {"jack": "A"}}, "played_by.jack", "nobody has jack, so leave out who played it"),
        ({"turned_up": []}, "turned_up", "turned_up must be a rank, or a list of ranks"),
        ({"turned_up": ""}, "turned_up", "turned_up must be a rank, or a list of ranks"),
        ({"turned_up": 9}, "turned_up", "turned_up must be a rank, or a list of ranks"),
        ({"turned_up": "1"}, "turned_up", "1 is not a rank, a joker or x"),
        ({"turned_up": ["1"]}, "turned_up[0]", "1 is not a rank, a joker or x"),
        ({"turned_up": [7]}, "turned_up[0]", "7 is not a rank, a joker or x"),
        ({"turned_up": ["6", "J", ["A"]]}, "turned_up[2]", "a list is not a rank, a joker or x"),
        ({"gift": 1}, "gift", "must be true or false"),
    ],
)  # fmt: skip
def test_what_cannot_be(facts: dict[str, Any], place: str, text: str) -> None:
    assert refused(**facts) == [(place, text)]


def test_what_is_said_of_a_hand_beside_other_problems() -> None:
    without_dealer = hand(None, None, "A: high", dealer=None)
    misdeal = {"dealer": 1, "misdeal": True, "partner": None}
    assert refusals(record(RULES, without_dealer))[0] == ("hands[0].dealer", "the first dealer is missing")
    assert refusals(record(RULES, misdeal))[-1][0] == "hands[0].partner"


def test_other_rules_know_none_of_it() -> None:
    """One card is turned up where nobody may run them."""
    passed = {"dealer": 1, "misdeal": True, "bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]}
    begged = [
        ("hands[0].turned_up", "under these rules no card is turned up for trump"),
        ("hands[0].gift", "under these rules nobody is given points for begging"),
    ]
    runs = hand(None, None, "A: high", turned_up=["J", "6"])
    most = [("hands[0].turned_up", "at most 1 card is turned up in a hand, not 2")]
    assert refusals(record("classic", hand(1, 2, "A: high low", turned_up=["J"], gift=True))) == begged
    assert refusals(record("classic", passed)) == [("hands[0].misdeal", NO_MISDEAL)]
    assert refusals(record(RULES, runs, options={"trump.run": 0})) == most


def test_one_may_beg_for_a_gift_or_for_another_trump() -> None:
    rules = find_rules("trinidad-all-fours")
    assert rules.override({"trump.run": 0}).trump.may_beg and rules.override({"trump.gift": 0}).trump.may_beg
    assert not rules.override({"trump.gift": 0, "trump.run": 0}).trump.may_beg


def test_a_hand_that_was_not_played_scores_what_happened_before() -> None:
    game = record(RULES, {"dealer": 1, "turned_up": ["J"], "gift": True}, {"misdeal": True}, {"turned_up": ["x", "6"]})
    scored = score_record(game)
    assert [signed(each.change) for each in scored.hands] == ["A +3, B +1", "A +0, B +1", "A +0, B +2"]
    assert [each.dealer for each in scored.hands] == [1, 1, 2]  # same dealer; after a misdeal, the next player
    assert scored.next_dealer == 2
    told = score_output(read_game(game), scored)["hands"]
    assert [each["events"] for each in told] == [{"A": 3, "B": 1}, {"B": 1}, {"B": 2}]


def test_one_card_that_was_turned_up_needs_no_list_and_a_ten_may_be_written_out() -> None:
    for told, read in ("9", "9"), ("J", "J"), ("10", "T"), ("x", "x"), ("XR", "XR"), (["10", "T", "x"], "T T x"):
        game, listed = (
            record(RULES, hand(None, None, "A: high", dealer=1, turned_up=cards)) for cards in (told, read.split())
        )
        assert read_game(game).hands[0].turned_up == tuple(read.split())
        assert write_game(read_game(game))["hands"][0]["turned_up"] == read.split()
        assert score_record(game) == score_record(listed)


def test_tricks_are_as_many_as_cards_were_dealt() -> None:
    facts = hand(None, None, tricks=SIX_TRICKS, turned_up=["9", "8"])
    assert refusals(record(RULES, facts)) == [("hands[0].tricks", "a hand has 9 tricks, not 6")]
    more = [*SIX_TRICKS, *tricks("3: TC 8C JC QC", "2: 5S 6S 7S 8S", "1: 5D 6D 7D 8D")]
    assert score(RULES, facts | {"tricks": more}).hands[0].counts is not None


@pytest.mark.parametrize(
    ("played_by", "change", "assumed"),
    [({"jack": "B"}, "A +4, B +0", ()), ({"jack": 3}, "A +2, B +0", ()), (None, "A +2, B +0", ("jack",))],
)
def test_a_claimed_jack_counts_by_who_played_it(played_by: Any, change: str, assumed: tuple[str, ...]) -> None:
    game = record(RULES, hand(None, None, "A: jack high", played_by=played_by))
    scored = score_record(game)
    assert (signed(scored.hands[0].change), scored.hands[0].assumed) == (change, assumed)
    told = score_output(read_game(game), scored)
    assert ("captured" in told["hands"][0]["points"]["jack"]) == (change == "A +4, B +0")


def test_piles_say_nothing_of_who_played_the_jack() -> None:
    assert score(RULES, hand(None, None, piles={"A": ["JH"]})).hands[0].assumed == ("low", "jack")


def test_unknown_cards_beside_a_captured_jack() -> None:
    known = [*SIX_TRICKS[:5], {"lead": 3, "cards": ["9C", "x", "6C", "7C"], "won": 3}]
    facts = hand(None, None, tricks=known, claims={"low": "A"}) | {"claims": {}}
    scored = score_record(record(RULES, facts) | {"format": "setback-game/1.1"}).hands[0]
    assert (scored.points["jack"].captured, scored.assumed) == (True, ())


@pytest.mark.parametrize(
    ("options", "places"),
    [
        ({"auction.all_pass": "dealer-forced"}, ["auction.all_pass"]),
        ({"auction.seller": "eldest"}, ["auction.seller"]),
        ({"table.sides": "called-partner"}, ["table.sides"]),
        ({"game.tie": "bidder"}, ["game.tie"]),
        ({"win.eligible": "made-bid"}, ["win.eligible"]),
        ({"win.all_points": "bidder"}, ["win.all_points"]),
        ({"trump.by": "named"}, ["trump.by"]),
        ({"deck.rob": "bidder"}, ["deck.rob"]),
        ({"win.both": ["bidder"]}, ["win.both"]),
        ({"win.early": {"at": 5, "eligible": "made-bid"}}, ["win.early"]),
        ({"deck.kitty": 2}, ["deck.kitty_to"]),
        ({"deck.kitty": 2, "deck.kitty_to": "nobody"}, []),
        ({"auction.pass_cost": 1}, ["auction.pass_cost"]),
        ({"auction.forced_bid": 3}, ["auction.forced_bid"]),
        ({"win.lost_sets": 3}, ["win.lost_sets"]),
        ({"auction.specials": [{"name": "smudge", "bid": 5}]}, ["auction.specials"]),
        ({"win.early": {"at": 5}}, []),
        ({"game.tie": "eldest"}, []),
        (TURNS, []),
    ],
)
def test_without_bidding_nothing_asks_for_a_bidder(options: dict[str, Any], places: list[str]) -> None:
    try:
        find_rules("classic").override(NO_BIDS | options)
        found: list[str] = []
    except Refused as refused:
        found = [problem.at for problem in refused.problems]
    assert found == places


@pytest.mark.parametrize(
    ("options", "at"),
    [
        *(({name: TURNS[name]}, name) for name in ("trump.turned", "trump.gift", "trump.run")),
        ({"points.game.captured": 3, "points.game.owner": "taker"}, "points"),
        ({"points.low.captured": 3, "points.low.owner": "holder"}, "points"),
    ],
)
def test_what_happens_at_the_turn_up_needs_one_and_a_captured_card_whoever_wins_it(
    options: dict[str, Any], at: str
) -> None:
    with pytest.raises(Refused, match="captured" if at == "points" else None) as problems:
        find_rules("classic").override(options)
    assert [problem.at for problem in problems.value.problems] == [at]


def test_a_card_can_be_turned_up_before_the_bidding_too() -> None:
    options = TURNS | {"auction.all_pass": "redeal"}
    scored = score("classic", hand(2, 2, "B: high low", turned_up=["J"], gift=True), options=options).hands[0]
    assert signed(scored.change) == "A +1, B +4"


def test_the_cards_run_as_long_as_the_pack_lasts() -> None:
    assert [Table(find_rules(RULES), players).most_runs for players in (4, 2)] == [2, 5]
    assert Table(find_rules("classic")).most_runs == 0
    shown = find_rules("classic").override(TURNS | {"deck.undealt": "buried"})
    assert [Table(shown).after_runs(runs).buried for runs in (0, 1, 2, 3)] == [28, 16, 4, 0]
    once = Table(shown).after_runs(1)
    assert (once.deal, once.hand, once.most_runs, once.after_runs(2).hand) == (9, 9, 1, 12)


def test_the_record_of_a_hand_is_written_as_it_is_read() -> None:
    facts = {"dealer": 1, "trump": "H", "turned_up": ["J", "x"], "gift": False, "misdeal": False, "claims": {}}
    assert write_hand(read_hand(facts, Table(find_rules(RULES)))) == facts
