"""Refused records (game-record.md): one row each, with place and part of the sentence; and malformed values."""

import copy
import json
from typing import Any

import pytest

from scorekeeper.scoring.game import check_game
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import parse, read_game, score_record
from tests.conftest import mostly_slow
from tests.scoring.records import calls, cards, chart, claims, grouped, hand, record, refusals, score, tricks
from tests.scoring.test_worked_examples import FIRST, FIRST_CLAIMS, FIRST_PILES, FIRST_PLAY

SIX = "west-michigan-6"

# One hand at the four levels of detail.
TOLD: dict[str, Any] = {**FIRST, "bids": calls("1:4 2:p 3:p 4:p 5:p 6:p")}
LEVELS: dict[str, dict[str, Any]] = {
    "claims": {**TOLD, "claims": FIRST_CLAIMS},
    "counts": {**TOLD, "claims": FIRST_CLAIMS, "game_counts": {"A": 78, "B": 2}},
    "piles": {**TOLD, "piles": FIRST_PILES, "low_by": "A", "high_by": "A"},
    "tricks": {**TOLD, "tricks": FIRST_PLAY},
}


def six(**facts: Any) -> dict[str, Any]:
    """A West Michigan record of one hand, bid 2 by seat 1 in hearts, dealt by seat 6."""
    bidder, bid = facts.pop("bidder", 1), facts.pop("bid", 2)
    return record(SIX, hand(bidder, bid, dealer=6, **facts))


def auction(rules: str, dealer: int, text: str, **facts: Any) -> dict[str, Any]:
    return record(rules, {"dealer": dealer, "bids": calls(text), **facts})


def play(rules: str, *lines: str, **facts: Any) -> dict[str, Any]:
    return record(rules, hand(1, 2, tricks=tricks(*lines), **facts))


def first_play(change: int, line: str) -> list[dict[str, Any]]:
    """The tricks of the first worked example with one trick replaced."""
    return [tricks(line)[0] if index == change else trick for index, trick in enumerate(FIRST_PLAY)]


CALL = {"bidder": 1, "bid": 2, "trump": "S"}
# Two players, hearts trump; seat 1: AH KH QH 9C 8C 7C, seat 2: 2H AC KC 3D 4D 5D.
PAIR = ("1: AH 2H", "1: KH 3D", "1: QH 4D", "1: 9C KC", "2: AC 8C", "2: 5D 7C")
WON = hand(1, 2, "A: high low", dealer=4)


@chart(
    "game, at, sentence",
    # a card that the deck does not have, twice in one hand, or both buried and captured; more cards than were dealt
    ("not in the deck, captured", six(piles={"A": ["AH", "3H"]}), "hands[0].piles.A[1]", "3H is not in this deck"),
    ("not in the deck, played", record(SIX, {**FIRST, "tricks": first_play(0, "1: AH QH TH 8H 8C 6D")}),
     "hands[0].tricks[0].cards[5]", "6D is not in this deck"),
    ("not in the deck, buried", six(buried=["9C", "4C"]), "hands[0].buried[1]", "4C is not in this deck"),
    ("no such card", six(piles={"A": ["AH", "1H"]}), "hands[0].piles.A[1]", "1H is not a card"),
    ("a third joker", six(piles={"A": ["XW"]}), "hands[0].piles.A[0]", "XW is not a card"),
    ("a joker in a deck without", record("classic", hand(1, 2, piles={"A": ["XR"]})), "hands[0].piles.A[0]", "XR"),
    ("twice in one pile", six(piles={"A": ["AH", "9C", "AH"]}), "hands[0].piles.A[2]", "AH is also at piles.A[0]"),
    ("in two piles", six(piles={"A": ["AH"], "B": ["AH"]}), "hands[0].piles.B[0]", "AH is also at piles.A[0]"),
    ("in two spellings", six(piles={"A": ["TH", "10H"]}), "hands[0].piles.A[1]", "TH is also at piles.A[0]"),
    ("in two tricks", record(SIX, {**FIRST, "tricks": first_play(5, "1: JH AD 2C AC KC AH")}),
     "hands[0].tricks[5].cards[5]", "AH is also at tricks[0].cards[0]"),
    ("buried twice", six(buried=["9C", "9C"]), "hands[0].buried[1]", "9C is also at buried[0]"),
    ("buried and captured", record(SIX, *[LEVELS["claims"]] * 3, hand(
        2, 0, buried=["2D", "9H"], piles={"A": ["AH", "KH", "9H"]})), "hands[3].piles.A[2]", "9H is also buried"),
    ("buried and played", record(SIX, {**FIRST, "buried": ["9C", "AS"], "tricks": FIRST_PLAY}),
     "hands[0].tricks[3].cards[0]", "AS is also buried"),
    ("more captured than dealt", record("double-jack", hand(1, 2, trump="D", piles={
        "A": [r + s for s in "SHD" for r in "AKQJT92"], "B": cards("AC KC QC JC")})), "hands[0].piles", "24 cards"),
    ("more buried than there are", six(buried=["9C", "8C", "7C"]), "hands[0].buried", "only 2 cards are buried, not 3"),
    ("too many tricks", record(SIX, {**FIRST, "tricks": [*FIRST_PLAY, {"cards": cards("9C 2D 3C 4C 5C 6C")}]}),
     "hands[0].tricks[6].cards[0]", "9C is also buried"),
    ("seven tricks", play("classic", *PAIR, "1: 7S 8S"), "hands[0].tricks", "a hand has 6 tricks, not 7"),
    ("five tricks", record(SIX, {**FIRST, "tricks": FIRST_PLAY[:5]}), "hands[0].tricks", "a hand has 6 tricks, not 5"),
    ("a trick of five cards", record(SIX, {**FIRST, "tricks": first_play(5, "1: JH AD 2C AC KC")}),
     "hands[0].tricks[5].cards", "a trick has 6 cards"),
    ("an empty trick", record(SIX, {**FIRST, "tricks": first_play(0, "1:")}), "hands[0].tricks[0].cards", "6 cards"),
    # an auction out of turn, a bid not allowed there
    ("out of turn", auction(SIX, 6, "2:2", **CALL), "hands[0].bids[0]", "it was seat 1's turn to bid, not seat 2's"),
    ("no such special", auction("classic", 4, "1:smudge", **CALL), "hands[0].bids[0].bid", "there is no bid of smudge"),
    ("no such special, stated", record("classic", hand(1, "smudge")), "hands[0].bid", "there is no bid of smudge"),
    ("no such bid, stated", record("classic", hand(1, 5)), "hands[0].bid", "there is no bid of 5"),
    ("above the special", record("partnership", hand(1, 6)), "hands[0].bid", "2 to 4 and smudge (5)"),
    # no trump; trump that the first lead contradicts
    ("no trump, tricks", record(SIX, {k: v for k, v in LEVELS["tricks"].items() if k != "trump"}), "hands[0].trump",
     "trump is missing"),
    ("another trump led", play("shankar", *PAIR, trump="S"), "hands[0].trump", "the first lead is AH"),
    ("the left jack led is of its own suit", record(SIX, {**FIRST, "bidder": 2, "tricks": [
        FIRST_PLAY[2], FIRST_PLAY[1], FIRST_PLAY[0], *FIRST_PLAY[3:]]}), "hands[0].trump", "the first lead is JD"),
    # a trick led by the wrong seat; a card that may not be played
    ("not the winner's lead", record(SIX, {**FIRST, "tricks": first_play(2, "1: JD 9D 9S 8S JC 2H")}),
     "hands[0].tricks[2].lead", "seat 2 leads this trick, not seat 1"),
    ("a revoke", record("shankar", hand(1, 2, tricks=tricks(
        "1: AH 3D", "1: KH 2H", "1: QH 4D", "1: 9C KC", "2: AC 8C", "2: 5D 7C")), players=2),
     "hands[0].tricks[0].cards[1]", "seat 2 may not play 3D: hearts were led, and seat 2 still has 2H"),
    # a partner who does not hold the called card
    ("another holds the called card", record("west-michigan-5", hand(2, 4, trump="S", called="KS", partner=4, tricks=[
        {"cards": cards(line)} for line in ("AS KS 9D 8C 2C", "QS TH TD 9C 2D", "JS JH JD TC 8D", "TS QH QD QC 2H",
                                            "9S KH KD KC 8H", "8S AH AD AC 9H")])),
     "hands[0].partner", "the partner does not hold KS: seat 3 does"),
    ("a buried card has no holder", record("west-michigan-5", hand(2, 4, called="KS", buried=["KS"], partner=4)),
     "hands[0].partner", "the partner does not hold KS"),
    ("the bidder is no partner", record("west-michigan-5", hand(2, 4, called="KS", partner=2)), "hands[0].partner",
     "plays alone"),
    ("nobody said who the partner is", record("west-michigan-5", hand(2, 4, called="KS")), "hands[0].partner",
     "missing"),
    ("nothing said of the call", record("west-michigan-5", hand(2, 4)), "hands[0].partner", "missing"),
    ("a call where nobody calls", six(called="KS"), "hands[0].called", "nobody calls a partner"),
    ("a partner where nobody calls", six(partner=3), "hands[0].partner", "nobody calls a partner"),
    ("a called card that is in no deck", record("west-michigan-5", hand(2, 4, called="7S", partner=1)),
     "hands[0].called", "7S is not in this deck"),
    # a side or a point that the rules do not have
    ("no such seat, claims", six(claims={"high": 7}), "hands[0].claims.high", "there is no side 7"),
    ("no such side, piles", six(piles={"bidding": ["AH"]}), "hands[0].piles.bidding", "the sides are A, B"),
    ("no such side, counts", six(game_counts={"A": 4, "C": 3}), "hands[0].game_counts.C", "there is no side C"),
    ("no such side, low_by", six(piles={}, low_by="C"), "hands[0].low_by", "there is no side C"),
    ("no such side, high_by", six(piles={}, high_by="7"), "hands[0].high_by", "there is no side 7"),
    ("no such side, sweep", six(sweep="C"), "hands[0].sweep", "there is no side C"),
    ("teams in a game of sides", record("west-michigan-5", hand(1, 2, "A: high", partner=2)), "hands[0].claims.high",
     "the sides are bidding, defending"),
    ("no such point, nobody's", record("classic", hand(1, 2, "-: left_jack")), "hands[0].claims.left_jack", "no point"),
    # two of tricks, piles and claims at once
    ("piles and claims", six(piles={"A": ["AH"]}) | {"hands": [{**FIRST, "piles": {"A": ["AH"]}, "claims": {}}]},
     "hands[0].claims", "piles and claims tell the same thing twice"),
    ("tricks and claims", record(SIX, {**LEVELS["tricks"], "claims": {}}), "hands[0].claims", "tricks and claims"),
    ("tricks and piles", record(SIX, {**LEVELS["tricks"], "piles": {}}), "hands[0].piles", "tricks and piles"),
    ("counts with piles", six(piles={}, game_counts={"A": 3}), "hands[0].game_counts", "claims only"),
    ("High and Low of one card, each another's", record("double-jack", hand(
        1, 2, piles={"A": ["KH", "9C"], "B": ["TC"]}, high_by="A", low_by="B")), "hands[0].low_by",
     "KH is the only trump, so it cannot be the High of A and the Low of B"),
    ("the same, by seats, of a kept Low", six(piles={"A": ["KH", "9C"]}, high_by=2, low_by=3), "hands[0].low_by",
     "KH is the only trump, so it cannot be the High of B and the Low of A"),
    ("low_by with claims", six(low_by="A"), "hands[0].low_by", "piles only"),
    ("high_by with tricks", record(SIX, {**LEVELS["tricks"], "high_by": "A"}), "hands[0].high_by", "piles only"),
    ("sweep with tricks", record(SIX, {**LEVELS["tricks"], "sweep": "A"}), "hands[0].sweep", "piles or claims"),
    ("a sweep with points elsewhere", record("partnership", hand(1, 5, "A: high low; B: jack", sweep="A")),
     "hands[0].claims.jack", "A won every trick"),
    # game counts above the 80 of the deck less what is buried, or at odds with claims.game
    ("counts above 80", six(game_counts={"A": 50, "B": 31}), "hands[0].game_counts", "more than the 80"),
    ("counts above 80 less the buried", six(game_counts={"A": 50, "B": 17}, buried=["TC", "AC"]),
     "hands[0].game_counts",
     "more than the 66"),
    ("one count above it", six(game_counts={"A": 81}, buried=["9C", "2D"]), "hands[0].game_counts", "more than the 80"),
    ("a count left out, deck unknown", six(game_counts={"A": 40}), "hands[0].game_counts",
     "the card points of B are missing: A's 40 alone"),
    ("no count at all", six(game_counts={}), "hands[0].game_counts", "the card points of A and B are missing"),
    ("a count given twice", six(game_counts={"A": 50, "1": 20}), "hands[0].game_counts.1", "given twice"),
    # a winner, total or any other derived value
    ("a winner", record(SIX, winner="A"), "winner", "follows from the facts"),
    ("totals", record(SIX, totals={"A": 3}), "totals", "follows from the facts"),
    ("the next dealer", record(SIX, next_dealer=1), "next_dealer", "follows from the facts"),
    ("a hand's points", six(points={}), "hands[0].points", "follows from the facts"),
    ("a hand's change", six(change={"A": 3}), "hands[0].change", "follows from the facts"),
    ("made", six(made=True), "hands[0].made", "follows from the facts"),
    ("a hand's totals", six(totals={"A": 3}), "hands[0].totals", "follows from the facts"),
    ("earned", six(earned={"A": 3}), "hands[0].earned", "follows from the facts"),
    ("counts", six(counts={"A": 3}), "hands[0].counts", "follows from the facts"),
    ("status", six(status="scored"), "hands[0].status", "follows from the facts"),
    # unknown keys
    ("an unknown key of the game", record(SIX, place="Grand Rapids"), "place", "no key 'place'"),
    ("an unknown key of a hand", six(hands=1), "hands[0].hands", "no key 'hands'"),
    ("an unknown key of a call", auction(SIX, 6, "1:2", **CALL) | {"hands": [
        {"dealer": 6, "bids": [{"seat": 1, "bid": 2, "by": "Ann"}]}]}, "hands[0].bids[0].by", "no key 'by'"),
    ("an unknown key of a trick", six(tricks=[{"cards": [], "took": 3}]), "hands[0].tricks[0].took", "no key"),
    ("who won a known trick", six(tricks=[{"cards": [], "won": 3}]), "hands[0].tricks[0].won", "follows from"),
    ("an unknown option", record(SIX, options={"auction.nonsense": 1}), "options.auction.nonsense", "no rule"),
    ("an unknown rule set", record("west-michigan-7"), "rules", "no rule set called west-michigan-7"),
    # after the end, and before the beginning
    ("a hand after the game was won", record(SIX, WON, WON, start={"A": 19, "B": 0}), "hands[1]", "won in hand 1"),
    ("a passed-out hand after it",
     record(SIX, WON, {"bids": calls("6:p 1:p 2:p 3:p 4:p 5:p")}, start={"A": 19, "B": 0}),
     "hands[1]", "won in hand 1"),
    ("no first dealer", record(SIX, hand(1, 2, dealer=None)), "hands[0].dealer", "first dealer is missing"),
    ("no first dealer, bids", record(SIX, {"bids": calls("1:p")}), "hands[0].dealer", "first dealer is missing"),
    ("an empty hand", record(SIX, {}), "hands[0].dealer", "first dealer is missing"),
    # the table
    ("no such number of players", record(SIX, players=5), "players", "for 6 players, not 5"),
    ("no such teams", record("shankar", players=6, teams=1), "teams", "individually, not in 1 team"),
    ("names for others", record("classic", names=["Ann", "Bo", "Cy"]), "names", "there are 4 players, but 3 names"),
    ("a start for C", record("classic", start={"A": 3, "B": 0, "C": 1}), "start.C", "there is no C here"),
    ("a start for seats", record("west-michigan-5", start={"A": 3}), "start.A", "there is no A here"),
)  # fmt: skip
def test_what_is_refused(game, at, sentence):
    place, message = refusals(game)[0]
    assert place == at
    assert sentence in message


# --- malformed values -------------------------------------------------------------------------------------------

NAN, INFINITY, HUGE = float("nan"), float("inf"), 10**300
NO_SEATS = [0, 7, -1, True, 1.0, "1", NAN, HUGE, [], {}]
NO_NUMBERS = [True, 1.0, "1", NAN, INFINITY, [], {}, None]
NO_LISTS = [5, "AH", {}, True, 1.5, None]
NO_OBJECTS = [5, "A", [], True, 1.5, None]
NO_CARDS = ["", "A", "H", "ah", "1H", "AHH", "XX", 5, True, None, ["AH"], {}, NAN]
NO_SIDES = [True, 1.0, NAN, [], {}, "", "a", "C", 0, 7, HUGE]

GAME_SHAPES: dict[str, list[object]] = {
    "format": [None, 1, "setback-game/2", "SETBACK-GAME/1", ["setback-game/1"], True],
    "rules": [None, 5, True, [], "", "nothing", "../west-michigan-6", NAN],
    "options": [5, "x", [], True, NAN],
    "players": [*NO_NUMBERS, 0, -6, 5, HUGE],
    "teams": [*NO_NUMBERS, 1, -2, 3, HUGE],
    "names": [5, "AB", {}, ["Ann"], [1, 2, 3, 4, 5, 6], ["", "b", "c", "d", "e", "f"], [None] * 6, True],
    "start": [5, "A", [], True],
    "start.A": [*NO_NUMBERS, 1.5, "x", 10**9, -(10**9)],
    "played": [5, True, [], {}, "", "yesterday", "2026-13-01", "2026-02-30", "21.11.2026", "2026-11-21T25:00",
               "٢026-11-21"],
    "hands": NO_LISTS,
    "hands[0]": [5, "x", [], True, None, NAN],
}  # fmt: skip
HAND_SHAPES: dict[str, list[object]] = {
    "dealer": NO_SEATS,
    "bidder": NO_SEATS,
    "bid": [True, 4.0, "4", "pass", "smudge", None, [], {}, NAN, INFINITY, 8, -1, HUGE],
    "trump": ["", "X", "h", "HH", "SHDC", "hearts", 5, True, None, [], {}],
    "bids": NO_LISTS,
    "bids[0]": [5, "1:2", [], None, {}, {"seat": 1}, {"bid": 2}],
    "bids[0].seat": NO_SEATS,
    "bids[0].bid": [True, 4.0, "4", "PASS", None, [], {}, NAN],
    "called": NO_CARDS,
    "partner": NO_SEATS,
    "buried": NO_LISTS,
    "buried[0]": NO_CARDS,
    "names": NO_OBJECTS,
    "names.1": [5, True, None, "", [], {}],
    "names.7": ["Gil"],
    "names.one": ["Gil"],
}
LEVEL_SHAPES: dict[str, dict[str, list[object]]] = {
    "claims": {"claims": NO_OBJECTS, "claims.high": NO_SIDES, "sweep": NO_SIDES},
    "counts": {"claims": NO_OBJECTS, "game_counts": NO_OBJECTS,
     "game_counts.A": [-1, True, 41.0, "41", None, NAN, [], {}], "game_counts.C": [3]},
    "piles": {"piles": NO_OBJECTS, "piles.A": NO_LISTS, "piles.A[0]": NO_CARDS, "piles.C": [[]], "low_by": NO_SIDES,
     "high_by": NO_SIDES, "played_by": NO_OBJECTS, "played_by.low": [*NO_SIDES, None], "sweep": NO_SIDES},
    "tricks": {"tricks": NO_LISTS, "tricks[0]": [5, "AH", [], None, {}, {"lead": 1}], "tricks[0].lead": NO_SEATS,
     "tricks[0].cards": NO_LISTS, "tricks[0].cards[0]": NO_CARDS},
}  # fmt: skip


def put(data: Any, path: str, value: object) -> None:
    """Set the value at a place such as `hands[0].piles.A[2]`, creating lists and objects as needed."""
    steps = path.replace("[", ".[").split(".")
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        key: Any = int(step[1:-1]) if step.startswith("[") else step
        if following is None:
            data[key] = value
        elif isinstance(data, dict):
            data = data.setdefault(key, [{}] if following.startswith("[") else {})
        else:
            data = data[key]


def malformed(shapes: dict[str, list[object]]) -> list[Any]:
    return [
        pytest.param(path, value, id=f"{path} {str(value)[:20]}") for path, values in shapes.items() for value in values
    ]


def check_refused_there(game: dict[str, Any], path: str, value: object) -> None:
    score_record(game)  # valid without the change
    broken = copy.deepcopy(game)
    put(broken, path, value)
    problems = refusals(broken)
    assert any(at == path or at.startswith((f"{path}.", f"{path}[")) for at, _ in problems), problems
    assert all(message and len(message) < 500 for _, message in problems)


@pytest.mark.parametrize(("path", "value"), malformed(GAME_SHAPES))
def test_malformed_games(path, value):
    start = {"start": {"A": 0, "B": 0}} if path == "start.A" else {}
    check_refused_there(record(SIX, LEVELS["claims"], **start), path, value)


@pytest.mark.parametrize("level", mostly_slow(LEVELS))
@pytest.mark.parametrize(("path", "value"), malformed(HAND_SHAPES))
def test_malformed_hands(level, path, value):
    check_refused_there(record(SIX, LEVELS[level]), f"hands[0].{path}", value)


@pytest.mark.parametrize(
    ("level", "path", "value"),
    [
        pytest.param(level, *case.values, id=f"{level} {case.id}")
        for level in LEVELS
        for case in malformed(LEVEL_SHAPES[level])
    ],
)
def test_malformed_evidence(level, path, value):
    check_refused_there(record(SIX, LEVELS[level]), f"hands[0].{path}", value)


@pytest.mark.parametrize("game", [None, True, 5, 1.5, "x", [], [{}], NAN])
def test_a_record_is_an_object(game):
    assert refusals(game) == [("", "a game record is a JSON object")]


@pytest.mark.parametrize("key", ["format", "rules", "hands"])
def test_what_a_record_cannot_lack(key):
    game = record(SIX)
    del game[key]
    assert [at for at, _ in refusals(game)] == [key]


# --- options and whole rule sets --------------------------------------------------------------------------------


@chart(
    "options, at, sentence",
    ("no such word", {"auction.all_pass": "again"}, "options.auction.all_pass", "must be one of"),
    ("a number too large", {"win.target": 10**9}, "options.win.target", "whole number from 1 to"),
    ("no number", {"win.target": NAN}, "options.win.target", "whole number"),
    ("its own name", {"id": "mine"}, "options.id", "no rule called id"),
    ("no point where one is changed", {"points": [{"key": "high", "card": "A"}, ["low"]], "points.low.owner": "taker"},
     "options.points.low.owner", "no rule called points.low.owner"),
    ("a section for a rule", {"win": {"target": 7}}, "options.win", "no rule called win"),
)  # fmt: skip
def test_options_that_are_no_rules(options, at, sentence):
    """Their place in a record; test_rules.py has all values."""
    place, message = refusals(record(SIX, options=options))[0]
    assert (place, sentence in message) == (at, True), message


@chart(
    "change, at",
    ("a field missing", {"deck": {"ranks": "AKQ", "undealt": "stock"}, "trump": {}}, "rules.trump.order"),
    ("an unknown field", {"deck": {"ranks": "AKQ", "undealt": "stock", "colour": "blue"}}, "rules.deck.colour"),
    ("an unknown section", {"weather": "fine"}, "rules.weather"),
    ("a section that is none", {"win": 21}, "rules.win"),
)
def test_whole_rule_sets_that_are_none(change, at):
    assert at in [place for place, _ in refusals({"format": "setback-game/1", "rules": change, "hands": []})]


POINTLESS = {"points": [{"key": "high", "card": "highest"}, {"key": "five", "card": "5", "worth": 5}]}


def test_game_counts_where_there_is_no_game_point():
    counted = hand(1, 2, "A: high; B: five", game_counts={"A": 3, "B": 0})
    assert refusals(record("classic", counted, options=POINTLESS)) == [
        ("hands[0].game_counts", "these rules have no Game point")
    ]
    told = [hand(1, 2, "A: high; B: five"), hand(1, 2, piles=grouped("A: AH TS; B: 5H"))]
    assert [score("classic", facts, options=POINTLESS).totals for facts in told] == [{"A": -2, "B": 5}] * 2


# --- evidence is kept -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_keys_that_begin_with_x_are_kept_and_ignored(level):
    note = {"weather": [1, None, json.loads("[" * 900 + "]" * 900)]}
    game = record(SIX, {**LEVELS[level], "x-note": note}, **{"x-app": note, "options": {"x-why": note}})
    read = read_game(game)
    assert (read.extra, read.hands[0].extra) == ({"x-app": note}, {"x-note": note})
    assert score_record(game) == score(SIX, LEVELS[level])


def test_x_keys_of_calls_and_tricks_are_ignored():
    bids = [{**call, "x-said": "aloud"} for call in calls("1:4 2:p 3:p 4:p 5:p 6:p")]
    played = [{**trick, "x-fast": True} for trick in FIRST_PLAY]
    assert score(SIX, {**FIRST, "bids": bids, "tricks": played}).totals == {"A": 5, "B": 2}


@pytest.mark.parametrize(
    "played",
    ["2026-11-21", "2026-11-21T20:15", "2026-11-21 20:15:30", "2026-11-21T20:15:30.5Z", "2024-02-29T23:59+01:00"],
)
def test_dates_and_times_that_are_kept(played):
    assert read_game(record(SIX, played=played)).played == played


# --- text that is not a record ----------------------------------------------------------------------------------


@chart(
    "text, sentence",
    ("nothing", "", "not JSON"),
    ("half an object", '{"format": ', "not JSON"),
    ("two objects", "{} {}", "not JSON"),
    ("not quite JSON", "{'format': 1}", "not JSON"),
    ("a key twice", '{"format": "setback-game/1", "rules": "classic", "rules": "shankar", "hands": []}',
     "'rules' twice"),
    ("a key twice, deep down", '{"hands": [{"claims": {"high": "A", "high": "B"}}]}', "'high' twice"),
    ("nested too deeply", "[" * 100_000, "nested too deep"),
    ("a key twice among many", json.dumps(dict.fromkeys(map(str, range(60_000)), 0))[:-1] + ', "59999": 0}',
     "'59999' twice"),
    ("a number of too many digits", "9" * 5000, "not JSON: a number has too many digits"),
)  # fmt: skip
def test_text_that_is_no_record(text, sentence):
    with pytest.raises(Refused) as refused:
        parse(text)
    assert sentence in refused.value.problems[0].message


@pytest.mark.parametrize("depth", [50, 300, 600, 900, 950, 990])
@pytest.mark.parametrize(
    "place", ["hands", "hands[0].bid", "hands[0].claims", "hands[0].piles", "hands[0].trump", "hands[0].called",
              "names", "start", "options", "options.points", "options.auction.dealer", "options.win.early", "rules",
              "players", "played"]
)  # fmt: skip
def test_deep_nesting_is_refused_in_any_place(place, depth):
    game = record(SIX, hand(1, 2))
    if place.startswith("options."):
        game["options"] = {place.removeprefix("options."): "HERE"}
    else:
        put(game, place, "HERE")
    text = json.dumps(game).replace('"HERE"', '{"a": [' * (depth // 2) + "]}" * (depth // 2))
    with pytest.raises(Refused):
        score_record(parse(text))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1", "1.0", "9" * 4000])
@pytest.mark.parametrize("place", ["dealer", "bidder", "bid", "partner", "game_counts", "low_by"])
def test_numbers_that_are_none(place, number):
    game = record(SIX, {**LEVELS["counts"], place: "HERE"})
    with pytest.raises(Refused):
        score_record(parse(json.dumps(game).replace('"HERE"', number)))


# --- several problems -------------------------------------------------------------------------------------------


def test_every_problem_of_every_hand_at_once():
    game = record(
        SIX,
        hand(1, 2, claims={"high": "C", "jack": "A"}),
        LEVELS["claims"],
        hand(1, 2, piles={"A": ["3H", "AH"], "B": ["AH"]}, buried=["9C", "8C", "7C"]),
        {"bids": calls("1:2 2:2")},
        hand(2, 9),
        {**LEVELS["tricks"], "tricks": first_play(2, "1: JD 9D 9S 8S JC 2H")},
    )
    assert sorted(at for at, _ in refusals(game)) == [
        "hands[0].claims.high", "hands[0].claims.jack", "hands[2].buried", "hands[2].piles.A[0]",
        "hands[2].piles.B[0]", "hands[3].bids[0]", "hands[4].bid", "hands[5].tricks[2].lead",
    ]  # fmt: skip
    assert sorted(problem.at for problem in check_game(read_game(game))) == sorted(at for at, _ in refusals(game))


def test_every_malformed_value_at_once():
    game = {
        "format": "setback-game/2",
        "rules": SIX,
        "names": [],
        "played": "soon",
        "winner": "A",
        "hands": [{"dealer": 9, "bidder": True, "trump": "X", "buried": ["9C", "1C", 5]}, 5, {"claims": []}],
    }
    assert sorted(at for at, _ in refusals(game)) == [
        "format", "hands[0].bidder", "hands[0].buried[1]", "hands[0].buried[2]", "hands[0].dealer", "hands[0].trump",
        "hands[1]", "hands[2].claims", "names", "played", "winner",
    ]  # fmt: skip


def test_every_revoke_of_a_hand_at_once():
    """Seat 2 holds 2H AC KC 3D 4D 5D, and throws diamonds on hearts and on clubs."""
    played = tricks("1: AH 3D", "1: KH 4D", "1: 9C 5D", "1: QH 2H", "1: 8C KC", "2: AC 7C")
    game = record("shankar", hand(1, 2, tricks=played), players=2)
    assert [at for at, _ in refusals(game)] == [
        "hands[0].tricks[0].cards[1]",
        "hands[0].tricks[1].cards[1]",
        "hands[0].tricks[2].cards[1]",
    ]


def test_problems_come_in_one_order_whatever_the_hash_seed():
    game = record(SIX, **dict.fromkeys(("zebra", "winner", "apple", "totals", "mango"), 1))
    assert [at for at, _ in refusals(game)] == ["zebra", "winner", "apple", "totals", "mango"]


def test_a_refusal_reads_as_a_place_and_a_sentence():
    with pytest.raises(Refused, match=r"^hands\[0\]\.piles\.A\[2\]: 9H is also buried$"):
        score_record(record(SIX, hand(2, 0, buried=["2D", "9H"], piles=grouped("A: AH KH 9H"))))


@chart(
    "facts",
    ("a kept Low", {"claims": claims("A: high; B: low"), "buried": ["9C", "2D"]}),
    ("Low may be anything", {"claims": claims("A: high; B: low left_joker")}),
)
def test_whoever_won_every_trick_may_lack_what_its_player_kept(facts):
    """8.3: the player who played the Low card keeps it, even if another team wins the trick."""
    assert score(SIX, hand(1, 0, sweep="A", **facts)).totals["A"] == 1


def test_claims_of_a_side_by_its_seat_are_no_refusal():
    """Wherever a side is expected, a seat number (1 or "1") is read as the side of that seat."""
    written = [claims("A: high low; B: game"), claims("3: high; 5: low; 6: game"), {"high": 1, "low": 3, "game": 2}]
    changes = [score(SIX, hand(1, 2, claims=facts)).totals for facts in written]
    assert changes == [{"A": 2, "B": 1}] * 3
