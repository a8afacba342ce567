"""Games without bidding, cards turned up for trump, begging, misdeals and captured points, worked out by hand.

Seat 1 deals, so seat 2 is the eldest: the player after the dealer. Seats 1 and 3 are A, 2 and 4 B. Hearts are trump.
"""

from typing import Any

import pytest

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_game, read_hand, score_output, score_record, write_game, write_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from tests.scoring.records import hand, points, record, refusals, score, signed, tricks

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


def test_the_player_after_the_dealer_leads_and_has_no_bid() -> None:
    scored = score(RULES, hand(None, None, "A: high; B: low game")).hands[0]
    assert (scored.bidder, scored.bid, scored.made, scored.change) == (2, 0, True, {"A": 1, "B": 2})
    assert score(RULES, hand(2, 0, "A: high; B: low game")).hands[0] == scored


@pytest.mark.parametrize(
    ("facts", "place", "text"),
    [
        ({"bids": [{"seat": 2, "bid": "pass"}]}, "bids", "there is no bidding under these rules"),
        ({"bid": 1}, "bid", "there is no bid of 1: there is no bidding under these rules"),
        ({"bidder": 1}, "bidder", "without a bid seat 2 plays, at the dealer's left, not seat 1"),
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


def test_rules_with_bidding_know_none_of_it() -> None:
    found = refusals(record("classic", hand(1, 2, "A: high low", turned_up=["J"], gift=True)))
    assert found == [
        ("hands[0].turned_up", "under these rules no card is turned up for trump"),
        ("hands[0].gift", "under these rules nobody is given points for begging"),
    ]
    passed = {"dealer": 1, "misdeal": True, "bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]}
    assert refusals(record("classic", passed)) == [("hands[0].misdeal", NO_MISDEAL)]


def test_one_card_is_turned_up_where_nobody_may_run_them() -> None:
    facts = hand(None, None, "A: high", turned_up=["J", "6"])
    text = "at most 1 card is turned up in a hand, not 2"
    assert refusals(record(RULES, facts, options={"trump.run": 0})) == [("hands[0].turned_up", text)]


def test_one_may_beg_for_a_gift_or_for_another_trump() -> None:
    rules = find_rules("trinidad-all-fours")
    assert rules.override({"trump.run": 0}).trump.may_beg and rules.override({"trump.gift": 0}).trump.may_beg
    assert not rules.override({"trump.gift": 0, "trump.run": 0}).trump.may_beg


def test_the_first_dealer_has_to_be_known() -> None:
    facts = hand(None, None, "A: high", dealer=None)
    assert refusals(record(RULES, facts))[0] == ("hands[0].dealer", "the first dealer is missing")


def test_a_hand_that_was_not_played_scores_what_happened_before() -> None:
    game = record(RULES, {"dealer": 1, "turned_up": ["J"], "gift": True}, {"misdeal": True}, {"turned_up": ["x", "6"]})
    scored = score_record(game)
    assert [signed(each.change) for each in scored.hands] == ["A +3, B +1", "A +0, B +1", "A +0, B +2"]
    assert [each.dealer for each in scored.hands] == [1, 1, 2]  # same dealer; after a misdeal, the next player
    assert scored.next_dealer == 2
    told = score_output(read_game(game), scored)["hands"]
    assert [each["events"] for each in told] == [{"A": 3, "B": 1}, {"B": 1}, {"B": 2}]


@pytest.mark.parametrize(
    ("told", "read"), [("9", ("9",)), ("J", ("J",)), ("10", ("T",)), ("x", ("x",)), ("XR", ("XR",))]
)
def test_one_card_that_was_turned_up_needs_no_list(told: str, read: tuple[str, ...]) -> None:
    game = record(RULES, hand(None, None, "A: high", dealer=1, turned_up=told))
    assert read_game(game).hands[0].turned_up == read
    assert write_game(read_game(game))["hands"][0]["turned_up"] == list(read)
    assert score_record(game) == score_record(record(RULES, hand(None, None, "A: high", dealer=1, turned_up=[*read])))


def test_a_ten_that_was_turned_up_may_be_written_out() -> None:
    game = record(RULES, hand(None, None, "A: high", dealer=1, turned_up=["10", "T", "x"]))
    assert read_game(game).hands[0].turned_up == ("T", "T", "x")


def test_nothing_that_belongs_to_the_play_goes_with_a_misdeal() -> None:
    facts = {"dealer": 1, "misdeal": True, "partner": None}
    assert [place for place, _ in refusals(record(RULES, facts))][-1] == "hands[0].partner"


def test_a_captured_jack_in_the_play() -> None:
    """Seat 2 leads the Jack, and seat 3 captures it with the Queen."""
    scored = score(RULES, hand(None, None, tricks=SIX_TRICKS)).hands[0]
    assert scored.points["jack"] == ("A", "JH", None, True)
    # A has the Jack, 3, Low, dealt to seat 3, and Game with 20 to 4; B has High.
    assert (scored.earned, scored.counts, scored.assumed) == ({"A": 5, "B": 1}, {"A": 20, "B": 4}, ())
    assert points(scored, "high, low, game") == "high B, low A, game A"


def test_tricks_are_as_many_as_cards_were_dealt() -> None:
    facts = hand(None, None, tricks=SIX_TRICKS, turned_up=["9", "8"])
    assert refusals(record(RULES, facts)) == [("hands[0].tricks", "a hand has 9 tricks, not 6")]
    more = [*SIX_TRICKS, *tricks("3: TC 8C JC QC", "2: 5S 6S 7S 8S", "1: 5D 6D 7D 8D")]
    try:
        scored = score(RULES, hand(None, None, tricks=more, turned_up=["9", "8"])).hands[0]
    except Refused as problem:
        pytest.fail(str(problem.problems))
    assert scored.counts is not None


@pytest.mark.parametrize(
    ("played_by", "change", "assumed"),
    [({"jack": "B"}, "A +4, B +0", ()), ({"jack": 3}, "A +2, B +0", ()), (None, "A +2, B +0", ("jack",))],
)
def test_a_claimed_jack_counts_by_who_played_it(played_by: Any, change: str, assumed: tuple[str, ...]) -> None:
    scored = score(RULES, hand(None, None, "A: jack high", played_by=played_by)).hands[0]
    assert (signed(scored.change), scored.assumed) == (change, assumed)
    told = score_output(read_game(record(RULES, hand(None, None, "A: jack high", played_by=played_by))),
                  score(RULES, hand(None, None, "A: jack high", played_by=played_by)))  # fmt: skip
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


@pytest.mark.parametrize("name", ["trump.turned", "trump.gift", "trump.run"])
def test_what_happens_at_the_turn_up_needs_one(name: str) -> None:
    with pytest.raises(Refused) as problems:
        find_rules("classic").override({name: TURNS[name]})
    assert [problem.at for problem in problems.value.problems] == [name]


@pytest.mark.parametrize(("key", "card"), [("game", "game"), ("low", "lowest")])
def test_only_a_card_for_whoever_wins_it_can_be_captured(key: str, card: str) -> None:
    owner = "holder" if key == "low" else "taker"
    with pytest.raises(Refused, match="captured"):
        find_rules("classic").override({f"points.{key}.captured": 3, f"points.{key}.owner": owner})


def test_a_card_can_be_turned_up_before_the_bidding_too() -> None:
    options = TURNS | {"auction.all_pass": "redeal"}
    scored = score("classic", hand(2, 2, "B: high low", turned_up=["J"], gift=True), options=options).hands[0]
    assert signed(scored.change) == "A +1, B +4"


def test_the_cards_run_as_long_as_the_pack_lasts() -> None:
    assert [Table(find_rules(RULES), players).most_runs for players in (4, 2)] == [2, 5]
    assert Table(find_rules("classic")).most_runs == 0
    shown = find_rules("classic").override(TURNS | {"deck.undealt": "buried"})
    assert [Table(shown).after_runs(runs).buried for runs in (0, 1, 2)] == [28, 16, 4]


def test_the_record_of_a_hand_is_written_as_it_is_read() -> None:
    facts = {"dealer": 1, "trump": "H", "turned_up": ["J", "x"], "gift": False, "misdeal": False, "claims": {}}
    assert write_hand(read_hand(facts, Table(find_rules(RULES)))) == facts
