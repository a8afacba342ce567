"""Notes and adjustments of a hand (docs/game-record.md): worked out by hand, and against the reference scorer."""

import json
from typing import Any

import pytest

from scorekeeper.scoring.facts import Adjustment
from scorekeeper.scoring.game import replay
from scorekeeper.scoring.record import read_game, score_output, score_record, write_game
from scorekeeper.scoring.rules import catalogue, find_rules
from scorekeeper.scoring.table import Table
from tests.scoring.records import calls, chart, claims, ended, record, refusals, score

PASSED = {"dealer": 4, "bids": calls("1:p 2:p 3:p 4:p")}


def adjusted(*entries: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"unit": unit, "points": points, "reason": "late"} for unit, points in entries]


def bid(bidder: int, amount: int, took: str, *entries: tuple[str, int], **more: Any) -> dict[str, Any]:
    facts = {"bidder": bidder, "bid": amount, "trump": "H", "claims": claims(took), **more}
    return facts | ({"adjustments": adjusted(*entries)} if entries else {})


def passed(*entries: tuple[str, int]) -> dict[str, Any]:
    return PASSED | ({"adjustments": adjusted(*entries)} if entries else {})


def game(start: str, *hands: dict[str, Any], rules: str = "classic", **options: Any) -> dict[str, Any]:
    """A record that starts at "9 0" for A and B; seat 4 deals."""
    scores = dict(zip("AB", map(int, start.split()), strict=True))
    first, *rest = hands
    named = {name.replace("__", "."): value for name, value in options.items()}
    return record(rules, {"dealer": 4, **first}, *rest, start=scores, options=named)


# --- scores of a hand -------------------------------------------------------------------------------------------


def test_the_change_of_the_cards_and_the_adjustment_are_told_apart() -> None:
    """A bid 2 and took three of the four points; two points off for being late: 3 - 2 = 1."""
    entries = [*adjusted(("A", -2)), {"unit": "B", "points": 5, "reason": "revoke: Ann's team loses the hand"}]
    hand = score("classic", {"dealer": 4, **bid(1, 2, "A: high low jack; B: game"), "adjustments": entries}).hands[0]
    assert (hand.change, hand.adjusted, hand.totals) == ({"A": 3, "B": 1}, {"A": -2, "B": 5}, {"A": 1, "B": 6})
    assert (hand.made, hand.earned) == (True, {"A": 3, "B": 1})
    assert hand.adjustments == (Adjustment("A", -2, "late"), Adjustment("B", 5, "revoke: Ann's team loses the hand"))


# --- winners ----------------------------------------------------------------------------------------------------

COUNTED_OUT = [rules.id for rules in catalogue() if "count-out" in rules.win.both]


@pytest.mark.parametrize("rules_id", COUNTED_OUT)
def test_where_points_are_counted_one_by_one_an_adjustment_counts_before_them(rules_id: str) -> None:
    """Two units need one point. One takes High, which is counted first; the other gets an adjustment of one point."""
    rules = find_rules(rules_id)
    first, other = ("A", "B") if rules.table.sides == "teams" else ("1", "2")
    start = dict.fromkeys(Table(rules).units, 0) | dict.fromkeys((first, other), rules.win.target - 1)
    bidding = {"bidder": 1, "bid": 1 if rules.auction.min == 1 else 2} if rules.auction.is_held else {}
    took = {"dealer": len(start) if rules.table.sides == "solo" else 4, "trump": "H"} | bidding
    for points, favored in (
        ({"high": first, "low": first}, other),  # against the bidder, if there is one
        ({"high": other, "low": first, "jack": first}, first),
    ):
        facts, wins = took | {"claims": points}, f"{favored} by count-out"
        assert ended(score(rules_id, facts, start=start)) != wins
        assert ended(score(rules_id, facts | {"adjustments": adjusted((favored, 1))}, start=start)) == wins


def test_an_adjustment_that_wins_ends_the_game_there() -> None:
    """At 13 all in Trinidad, it wins before the points."""
    played = game("8 0", bid(1, 2, "A: high low", ("A", 1)), bid(2, 2, "B: high low"))
    assert replay(read_game(played)).after_end == 1
    assert refusals(played) == [("hands[1]", "the game was won in hand 1")]
    facts = {"dealer": 4, "trump": "H", "claims": claims("A: high"), "adjustments": adjusted(("B", 1))}
    assert ended(score("trinidad-all-fours", facts, start={"A": 13, "B": 13})) == "B by count-out"


# --- the record -------------------------------------------------------------------------------------------------

NOTE = {"note": "misdeal, dealt again ♠"}


def test_a_note_and_adjustments_are_read_and_written_back() -> None:
    entries = [*adjusted(("A", -2)), {"unit": "B", "points": 999, "reason": "🙂", "x-by": "Ann"}]
    facts = {"dealer": 4, **bid(1, 2, "A: high low"), **NOTE, "adjustments": entries}
    played = record("classic", facts, {**PASSED, **NOTE, "adjustments": []}, players=4, teams=2)
    read = read_game(played)
    assert read.hands[0].note == "misdeal, dealt again ♠"
    assert read.hands[0].adjustments == (Adjustment("A", -2, "late"), Adjustment("B", 999, "🙂", {"x-by": "Ann"}))
    assert (read.hands[1].note, read.hands[1].adjustments) == (read.hands[0].note, ())
    assert write_game(read) == played
    assert read_game(json.loads(json.dumps(write_game(read)))) == read


def test_the_answer_has_what_was_adjusted_where_something_was() -> None:
    read = read_game(game("0 0", bid(1, 2, "A: high low", ("A", -3)), passed(("B", 1)), bid(3, 2, "A: high low")))
    hands = score_output(read, replay(read))["hands"]
    assert [hand.get("adjusted") for hand in hands] == [{"A": -3}, {"B": 1}, None]
    assert list(hands[1]) == ["status", "change", "adjusted", "totals", "dealer"]
    assert [hand["totals"] for hand in hands] == [{"A": -1, "B": 0}, {"A": -1, "B": 1}, {"A": 1, "B": 1}]


POINTS = "must be a whole number from -999 to 999, and not 0"
LINE = "must be one line of text with at most 300 letters"
SHAPE = "an adjustment is an object with unit, points and reason"


def entry(**change: Any) -> dict[str, Any]:
    return {"unit": "A", "points": -2, "reason": "late"} | change


@chart(
    "facts, at, sentence",
    ("a note over two lines", {"note": "mis\ndeal"}, "note", LINE),
    ("a note that is empty", {"note": ""}, "note", LINE),
    ("a note of blanks", {"note": "  "}, "note", LINE),
    ("a note that is too long", {"note": "x" * 301}, "note", LINE),
    ("a note that is no text", {"note": 5}, "note", LINE),
    ("a note of nothing", {"note": None}, "note", LINE),
    ("a note with a control character", {"note": "a\x00b"}, "note", LINE),
    ("a note with half a character", {"note": "a\ud83d"}, "note", LINE),
    ("adjustments that are no list", {"adjustments": entry()}, "adjustments",
     "adjustments must be a list of objects with unit, points and reason"),
    ("too many", {"adjustments": [entry()] * 21}, "adjustments", "a hand has at most 20 adjustments, not 21"),
    ("no object", {"adjustments": [entry(), ["A", -2]]}, "adjustments[1]", SHAPE),
    ("no reason", {"adjustments": [{"unit": "A", "points": -2}]}, "adjustments[0]", SHAPE),
    ("an empty reason", {"adjustments": [entry(reason="")]}, "adjustments[0].reason", LINE),
    ("a reason of two lines", {"adjustments": [entry(reason="a\r\nb")]}, "adjustments[0].reason", LINE),
    ("zero", {"adjustments": [entry(points=0)]}, "adjustments[0].points", POINTS),
    ("too much", {"adjustments": [entry(points=1000)]}, "adjustments[0].points", POINTS),
    ("too little", {"adjustments": [entry(points=-1000)]}, "adjustments[0].points", POINTS),
    ("true", {"adjustments": [entry(points=True)]}, "adjustments[0].points", POINTS),
    ("text", {"adjustments": [entry(points="-2")]}, "adjustments[0].points", POINTS),
    ("no such unit", {"adjustments": [entry(), entry(unit="C")]}, "adjustments[1].unit",
     "there is no C here: scores are kept for A, B"),
    ("a unit that is no text", {"adjustments": [entry(unit=["A"])]}, "adjustments[0].unit", "there is no a list"),
    ("a seat", {"adjustments": [entry(unit=1)]}, "adjustments[0].unit", "there is no 1 here"),
    ("another key", {"adjustments": [entry(because="late")]}, "adjustments[0].because", "'because'"),
)  # fmt: skip
def test_what_is_refused(facts: dict[str, Any], at: str, sentence: str) -> None:
    for hand in (bid(1, 2, "A: high low"), passed()):
        places = refusals(game("0 0", {**hand, **facts}))
        assert [place for place, _ in places] == [f"hands[0].{at}"]
        assert sentence in places[0][1]


def test_the_most_that_is_allowed() -> None:
    """But what was adjusted is not said twice."""
    entries = [entry(points=999), entry(points=-999), *[entry(points=1)] * 18]
    facts = {**bid(1, 2, "A: high low"), "note": "x" * 300, "adjustments": entries}
    assert score_record(game("0 0", facts)).hands[0].adjusted == {"A": 18}
    assert refusals(game("0 0", facts | {"adjusted": {"A": 18}}))[0][0] == "hands[0].adjusted"
