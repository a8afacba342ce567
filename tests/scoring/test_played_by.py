"""The player or holder of a point's card (docs/game-record.md): by hand, and for any order of trump."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from scorekeeper.scoring.record import read_game, score_output, score_record
from scorekeeper.scoring.rules import find_rules
from tests.conftest import examples
from tests.scoring import deals
from tests.scoring.records import chart, grouped, hand, points, record, refusals, score, score_hand
from tests.scoring.test_properties import RULE_SETS, Setting, dealt_hand, expected, overridden, randoms, shape, sit_down

SIX, DOUBLE = "west-michigan-6", "double-jack"
# The deuce is Low although both jokers are lower trumps, and its player keeps it.
KEPT_DEUCE = {"trump.order": "A K Q J L T 9 8 7 2 XR XB", "points.low.card": "2"}
# Team A won the deuce of hearts in a trick, team B the left joker.
PILES = "A: AH 2H 9C; B: XB KH"


# --- low_by and high_by refer to a point's card -----------------------------------------------------------------


def test_who_played_a_buried_low_moves_no_other_card() -> None:
    """The deuce was not dealt, so low_by refers to no card in the piles."""
    options = KEPT_DEUCE | {"points.left_joker.owner": "keeper"}
    facts = hand(1, 2, piles=grouped("A: AH 9C; B: XB KH"), low_by="A", buried=["2H", "2C"])
    assert points(score_hand(SIX, facts, options=options), "low, left_joker") == "low buried, left_joker B"


# --- played_by --------------------------------------------------------------------------------------------------


def test_the_short_keys_and_played_by_may_say_the_same() -> None:
    both = hand(1, 2, piles=grouped(PILES), low_by="B", played_by={"low": 4, "high": 1}, high_by=3)
    short = hand(1, 2, piles=grouped(PILES), low_by="B")
    assert score_hand(SIX, both, options=KEPT_DEUCE) == score_hand(SIX, short, options=KEPT_DEUCE)


@chart(
    "rules, facts, options, at, sentence",
    ("low_by and played_by at odds", SIX, {"low_by": "A", "played_by": {"low": 2}}, KEPT_DEUCE, "played_by.low",
     "2H cannot be from B: low_by says A"),
    ("at odds where Low is nobody's own", "classic", {"low_by": "A", "played_by": {"low": 2}}, {}, "played_by.low",
     "2H cannot be from B: low_by says A"),
    ("two points on one card", "classic", {"played_by": {"high": 1, "top": "B"}},
     {"points": [{"key": "high", "card": "A", "owner": "holder"}, {"key": "top", "card": "highest"}]},
     "played_by.top", "AH cannot be from B: played_by.high says A"),
    ("a card in no pile", SIX, {"played_by": {"right_joker": 2}}, {}, "played_by.right_joker", "XR is in no pile"),
    ("no trump", DOUBLE, {"piles": {"A": ["9C"]}, "played_by": {"low": 2}}, {}, "played_by.low",
     "there is no trump in the piles"),
    ("no such point", SIX, {"played_by": {"jack": 2}}, {}, "played_by.jack", "these rules have no point called jack"),
    ("the Game point", SIX, {"played_by": {"game": 2}}, {}, "played_by.game", "game is not a card"),
    ("no such side", SIX, {"played_by": {"low": "C"}}, {}, "played_by.low", "there is no side C here"),
    ("no such seat", SIX, {"played_by": {"low": 0}}, {}, "played_by.low", "there is no side 0 here"),
    ("no object", SIX, {"played_by": ["A"]}, {}, "played_by", "must give points"),
    ("no side", SIX, {"played_by": {"low": None}}, {}, "played_by.low", "must be a side"),
    ("with claims", SIX, {"piles": None, "claims": {}, "played_by": {"low": "A"}}, {}, "played_by", "piles only"),
)  # fmt: skip
def test_what_is_refused(rules: str, facts: dict[str, Any], options: dict[str, Any], at: str, sentence: str) -> None:
    told = {"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "piles": grouped("A: AH 2H 9C; B: KH"), **facts}
    played = record(rules, {key: value for key, value in told.items() if value is not None}, options=options)
    found = refusals(played)
    assert [place for place, _ in found] == [f"hands[0].{at}"]
    assert sentence in found[0][1]


def test_a_trump_alone_is_high_and_low_and_its_two_players_are_one_problem() -> None:
    facts = hand(1, 2, piles=grouped("A: KH 9C; B: TC"), high_by="A", low_by="B", played_by={"low": "B"})
    assert [place for place, _ in refusals(record(DOUBLE, facts))] == ["hands[0].low_by"]


# --- unknown holders --------------------------------------------------------------------------------------------


@chart(
    "options, facts, assumed",
    ("neither end", {}, {}, ("high", "low")),
    ("High is said", {}, {"high_by": "B"}, ("low",)),
    ("Low is said", {}, {"played_by": {"low": 1}}, ("high",)),
    ("both are said", {}, {"high_by": "B", "low_by": 1}, ()),
    ("a card that is not captured", {"points.left_jack.owner": "holder"}, {"high_by": "B", "low_by": 1}, ()),
    ("a kept card lies with its player", {"points.low.owner": "keeper"}, {"high_by": "B"}, ()),
    ("a jack", {"points.right_jack.owner": "holder"}, {"high_by": "B", "low_by": 1}, ("right_jack",)),
)
def test_points_for_whoever_was_dealt_a_card_that_nobody_has_named(
    options: dict[str, Any], facts: dict[str, Any], assumed: tuple[str, ...]
) -> None:
    """They score for the side with the card in its pile, and `assumed` lists them."""
    told = record(DOUBLE, hand(1, 1, piles=grouped("A: KH JH 2H; B: 9C"), **facts), options=options)
    scored = score_record(told)
    assert scored.hands[0].assumed == assumed
    assert points(scored.hands[0], "low, right_jack") == "low A, right_jack A"
    assert score_output(read_game(told), scored)["hands"][0].get("assumed", []) == list(assumed)


def test_one_card_that_is_kept_and_held_is_known_by_its_pile() -> None:
    options = {"points.high.owner": "keeper"}
    scored = score_hand(DOUBLE, hand(1, 1, piles=grouped("A: KH; B: 9C")), options=options)
    assert (scored.assumed, points(scored, "high, low")) == ((), "high A, low A")


def test_nothing_is_assumed_where_the_play_or_the_claims_tell_it() -> None:
    claimed = score(DOUBLE, hand(1, 1, "A: high; B: low"))
    assert claimed.hands[0].assumed == ()


# --- any order of trump, any owner ------------------------------------------------------------------------------


@st.composite
def personal_tables(draw: st.DrawFn, rules_id: str) -> Setting:
    """A rule set with a random order of trump, and a random owner for each point with a card."""
    rules = find_rules(rules_id)
    options: dict[str, Any] = {"trump.order": " ".join(draw(st.permutations(rules.trump.order)))}
    for point in rules.points:
        if point.card != "game":
            options[f"points.{point.key}.owner"] = draw(st.sampled_from(["taker", "holder", "keeper"]))
    for key, end in (("high", "highest"), ("low", "lowest")):
        options[f"points.{key}.card"] = draw(st.sampled_from([end, *rules.trump.order]))
    assume(overridden(rules, options) is not None)  # jokers that are alike must be adjacent
    return sit_down(draw, rules_id, options)


@pytest.mark.parametrize("rules_id", RULE_SETS)
@given(data=st.data(), rng=randoms)
@settings(examples(40), suppress_health_check=[HealthCheck.filter_too_much])  # unknown holders are filtered out
def test_with_everybody_named_piles_score_as_the_play_does(rules_id: str, data: st.DataObject, rng: Random) -> None:
    """The cards are in the winners' piles; `played_by`, or `low_by` and `high_by`, give the rest."""
    setting = data.draw(personal_tables(rules_id))
    dealt, _, truth = dealt_hand(rng, setting)
    cards = deals.points_played(dealt, truth["taken_by"])
    by = {key: deals.written(rng, dealt, truth["dealt_to"][card]) for key, card in cards.items()}
    piles: dict[str, list[str]] = {}
    for card, side in truth["taken_by"].items():
        piles.setdefault(side, []).append(card)
    short = {f"{key}_by": by.pop(key) for key in ("low", "high") if key in by and rng.random() < 0.5}
    facts = deals.head(rng, dealt, partner=True) | {"piles": piles, "played_by": by, **short}
    facts |= {"sweep": truth["sweep"]} if truth["sweep"] else {}
    played = setting.record([facts])
    note(played)
    scored = score_record(played).hands[0]
    assert shape(scored) == expected(truth)
    assert scored.assumed == ()
