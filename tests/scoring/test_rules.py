"""Rule sets as data: the documents' catalogue, the valid values of every field, overrides, and contradictions."""

import copy
import json
from typing import Any

import pytest

from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import (
    CATALOGUE,
    RuleSet,
    UnknownRulesError,
    catalogue,
    families,
    find_rules,
    team_formats,
    variations,
)
from scorekeeper.scoring.rules.fields import FIELDS, GROUPS, EarlyWin, Point, Scale, Special, group_of
from scorekeeper.scoring.rules.kinds import REQUIRED
from scorekeeper.scoring.rules.words import WORDS
from tests.scoring.records import DOCUMENTED
from tests.scoring.rule_values import EARLY, SPECIAL, VALUES

SIX = find_rules("west-michigan-6")
FULL = "AKQJT98765432"

# --- the catalogue as in rules.md -------------------------------------------------------------------------------

COLUMNS = {
    "players": lambda r: r.table.players,
    "sides": lambda r: r.table.sides,
    "teams": lambda r: r.table.teams,
    "ranks": lambda r: (r.deck.ranks, r.deck.jokers),
    "undealt": lambda r: (r.deck.undealt, r.deck.draw),
    "trump": lambda r: (r.trump.by, " ".join(r.trump.order)),
    "bids": lambda r: (r.auction.rounds, r.auction.min, r.auction.max),
    "dealer": lambda r: r.auction.dealer,
    "all_pass": lambda r: (r.auction.all_pass, r.auction.least_forced),
    "owners": lambda r: [(p.card, p.owner) for p in r.points],
    "game": lambda r: r.game.award,
    "settle": lambda r: (r.settle.made, r.settle.set),
    "target": lambda r: (r.win.target, r.win.eligible),
    "both": lambda r: r.win.both,
}
WEST_POINTS = [
    ("A", "taker"),
    ("lowest", "keeper"),
    ("J", "taker"),
    ("L", "taker"),
    ("XR", "taker"),
    ("XB", "taker"),
    ("game", "taker"),
]
FOUR_POINTS = [("highest", "taker"), ("lowest", "taker"), ("J", "taker"), ("game", "taker")]
DOUBLE_POINTS = [("highest", "holder"), ("lowest", "holder"), ("J", "taker"), ("L", "taker"), ("game", "taker")]
PLAIN_ORDER = ("lead", "A K Q J T 9 8 7 6 5 4 3 2")
ON = ("bidder", "highest", "play-on")
USUAL = ("taken", "bid")
CHART: dict[str, dict[str, Any]] = {
    "west-michigan-6": dict(zip(COLUMNS, (
     (6,), "teams", (2,), ("AKQJT9872", 2), ("buried", "none"), ("lead", "A K Q J L XR XB T 9 8 7 2"),
     ("single", 0, 7), "outbid", ("redeal", 2), WEST_POINTS, "most", USUAL, (21, "anyone"), ("bidder",)), strict=True)),
    "west-michigan-4": dict(zip(COLUMNS, (
     (4,), "teams", (2,), ("AKQJT92", 2), ("buried", "none"), ("lead", "A K Q J L XR XB T 9 2"),
     ("single", 0, 7), "outbid", ("redeal", 2), WEST_POINTS, "most", USUAL, (21, "anyone"), ("bidder",)), strict=True)),
    "west-michigan-5": dict(zip(COLUMNS, (
     (5,), "called-partner", (), ("AKQJT982", 2), ("buried", "none"), ("lead", "A K Q J L XR XB T 9 8 2"),
     ("single", 0, 7), "outbid", ("redeal", 2), WEST_POINTS, "most", USUAL, (21, "anyone"),
     ("bidder", "highest", "share")), strict=True)),
    "shankar": dict(zip(COLUMNS, ((4, 2, 3, 5, 6), "teams", (2, 3, 0), (FULL, 0), ("stock", "none"), PLAIN_ORDER,
     ("single", 2, 4), "outbid", ("dealer-forced", 2), FOUR_POINTS, "most", USUAL, (11, "anyone"), ON), strict=True)),
    "partnership": dict(zip(COLUMNS, ((4, 6), "teams", (2, 3), (FULL, 0), ("stock", "non-trump"), PLAIN_ORDER,
     ("single", 2, 4), "match", ("dealer-forced", 2), FOUR_POINTS, "most", USUAL, (21, "made-bid"),
     ("highest", "play-on")), strict=True)),
    "double-jack": dict(zip(COLUMNS, (
     (4,), "teams", (2,), ("AKQJT92", 0), ("buried", "none"), ("named", "A K Q J L T 9 2"),
     ("until-passed", 1, 5), "outbid", ("next-dealer", 2), DOUBLE_POINTS, "at-least", USUAL, (12, "anyone"), ON),
     strict=True)),
    "classic": dict(zip(COLUMNS, ((4,), "teams", (2,), (FULL, 0), ("stock", "none"), PLAIN_ORDER,
     ("single", 2, 4), "match-max", ("next-dealer", 2), FOUR_POINTS, "most", USUAL, (11, "anyone"),
     ("highest", "play-on")), strict=True)),
}  # fmt: skip


@pytest.mark.parametrize(("rules_id", "column"), [(rules_id, column) for rules_id in CHART for column in COLUMNS])
def test_the_catalogue_says_what_the_documents_say(rules_id: str, column: str) -> None:
    assert COLUMNS[column](find_rules(rules_id)) == CHART[rules_id][column]


def test_the_catalogue_is_complete() -> None:
    assert list(DOCUMENTED) == list(CHART) == list(CATALOGUE[: len(CHART)])
    for rules in catalogue():
        assert rules.summary.endswith(".")
        assert rules.name[0].isupper()
        assert rules.source
    for rules in map(find_rules, DOCUMENTED):
        assert rules.deck.hand == 6
        assert all(point.worth == 1 for point in rules.points)
        assert rules.game.values == {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
        assert rules.win.early is None
        assert rules.auction.forced_bid in (None, 2)
        assert rules.source[:3] in ("000", "001", "002", "003", "004")


def test_every_rule_set_is_in_one_family() -> None:
    found = [rules.id for members in families().values() for rules in members]
    assert sorted(found) == sorted(CATALOGUE)
    assert next(iter(families().values()))[0].id == CATALOGUE[0]


def test_game_needs_41_where_it_needs_a_number_and_only_partnership_has_a_smudge() -> None:
    """003: in order to get the point for "game points", you must have at least forty one game points.

    002: smudge is really a bid of five.
    """
    assert find_rules("double-jack").game.at_least == 41
    specials = {rules: find_rules(rules).auction.specials for rules in DOCUMENTED}
    smudge = (Special("smudge", 5, ("every-trick", "every-point")),)
    assert specials == dict.fromkeys(DOCUMENTED, ()) | {"partnership": smudge}


@pytest.mark.parametrize("rules_id", ["west-michigan", "", "Classic", "../classic", "classic.toml"])
def test_a_rule_set_that_is_not_there(rules_id: str) -> None:
    with pytest.raises(UnknownRulesError) as error:
        find_rules(rules_id)
    assert str(error.value) == f"there is no rule set called {rules_id}"


def test_rule_sets_are_kept_and_do_not_change() -> None:
    assert find_rules("classic") is find_rules("classic")
    with pytest.raises(AttributeError):
        SIX.id = "other"  # type: ignore[misc]
    data = SIX.to_dict()  # the data of a rule set is its own
    data["game"]["values"]["T"] = 99
    data["points"].clear()
    assert (SIX.game.values["T"], len(SIX.points)) == (10, 7)


def test_a_part_of_the_rules_has_what_is_declared_and_nothing_else() -> None:
    low = Point("low", "lowest")
    assert low == Point(card="lowest", key="low", owner="taker") != low._replace(worth=2)
    assert (low == ("low", "lowest"), hash(low), low.worth) == (False, hash(Point("low", "lowest")), 1)
    assert repr(EarlyWin(9)) == "EarlyWin({'at': 9, 'others_at_most': 0, 'when': 'first-reach', 'eligible': 'anyone'})"
    for changes in ({"wroth": 2}, {"key": REQUIRED}):
        with pytest.raises(TypeError, match="Point has key, card, owner, worth, captured, called"):
            low._replace(**changes)


EVERY_VARIATION = [(rules_id, variation) for rules_id in CATALOGUE for variation in variations(rules_id)]


@pytest.mark.parametrize(("rules_id", "variation"), EVERY_VARIATION, ids=lambda value: getattr(value, "key", value))
def test_every_variation_is_a_change_with_its_words(rules_id: str, variation: Any) -> None:
    rules = find_rules(rules_id)
    assert rules.override(variation.options) != rules
    assert variation.label
    assert variation.source[:3] == rules.source[:3] or (variation.source and rules_id not in DOCUMENTED)
    assert [v.key for v in variations(rules_id)].count(variation.key) == 1


def test_the_bases_variations_hold_for_what_is_built_on_it() -> None:
    """000 15.1: all other rules remain the same."""
    assert variations("west-michigan-4") == variations("west-michigan-5") == variations("west-michigan-6") != ()


# --- serialization ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [SIX, *catalogue()[1:]], ids=lambda rules: rules.id)
def test_a_rule_set_goes_to_json_and_back(rules: RuleSet) -> None:
    data = json.loads(json.dumps(rules.to_dict()))
    again = RuleSet.from_dict(data)
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.to_dict() == data
    assert {rules: 1}[again] == 1


def test_what_is_left_out_has_its_default() -> None:
    least = {
        "table": {"players": [4], "sides": "solo"},
        "deck": {"ranks": FULL, "undealt": "stock"},
        "trump": {"order": "A K Q J T 9 8 7 6 5 4 3 2"},
        "auction": {"min": 2, "max": 4},
        "points": [{"key": "high", "card": "highest"}],
        "win": {"target": 11},
    }
    rules = RuleSet.from_dict(least)
    assert (rules.id, rules.name, rules.summary, rules.source) == ("custom", "House rules", "", "")
    assert (rules.table.teams, rules.table.partner_right) == ((), 2)
    assert (rules.deck.jokers, rules.deck.hand, rules.deck.draw) == (0, 6, "none")
    assert rules.trump.by == "lead"
    assert (rules.auction.rounds, rules.auction.specials, rules.auction.dealer) == ("single", (), "outbid")
    assert (rules.auction.all_pass, rules.auction.forced_bid, rules.auction.least_forced) == ("redeal", None, 2)
    assert rules.points == (Point("high", "highest", "taker", 1),)
    assert rules.game.values == {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
    assert (rules.game.award, rules.game.at_least) == ("most", 41)
    assert (rules.settle.made, rules.settle.set) == ("taken", "bid")
    assert (rules.win.eligible, rules.win.both, rules.win.early) == ("anyone", ("bidder", "highest", "play-on"), None)


def test_all_that_is_missing_is_said_at_once() -> None:
    required = [name for name, field in FIELDS.items() if field.default is REQUIRED]
    assert problems_of({}) == [Problem("missing-rule", name, f"{name} is missing") for name in required]


def problems_of(data: object) -> list[Problem]:
    with pytest.raises(Refused) as refused:
        RuleSet.from_dict(data)
    return list(refused.value.problems)


def changed(path: str, value: object) -> dict[str, Any]:
    """West Michigan's data with a value set at a place that an override cannot reach."""
    data = SIX.to_dict()
    section, _, inner = path.rpartition("/")
    (data[section] if section else data)[inner] = value
    return data


@pytest.mark.parametrize(
    ("data", "code", "at", "sentence"),
    [
        ([], "rule-shape", "", "a rule set must be an object"),
        (None, "rule-shape", "", "a rule set must be an object"),
        ("classic", "rule-shape", "", "a rule set must be an object"),
        (changed("colour", "red"), "unknown-rule", "colour", "there is no rule called colour"),
        (changed("auction/kitty", 1), "unknown-rule", "auction.kitty", "there is no rule called auction.kitty"),
        (changed("auction.min", 1), "unknown-rule", "auction.min", "auction.min belongs in an object of its own"),
        (changed("auction/x.y", 1), "unknown-rule", "auction.x.y", "there is no rule called auction.x.y"),
        (changed("deck", 7), "rule-shape", "deck", "deck must be an object of rules"),
        (changed("deck", 7), "missing-rule", "deck.ranks", "deck.ranks is missing"),
    ],
)
def test_data_that_is_no_rule_set(data: object, code: str, at: str, sentence: str) -> None:
    assert Problem(code, at, sentence) in problems_of(data)


@pytest.mark.parametrize("path", ["x-note", "x-a.b", "deck/x-note", "win/x-a.b"])
def test_keys_of_ones_own_are_let_through(path: str) -> None:
    assert RuleSet.from_dict(changed(path, {"any": "thing"})) == SIX


# --- all fields ---------------------------------------------------------------------------------------------------


def test_every_field_is_in_a_group_and_has_a_meaning_and_example_values() -> None:
    assert list(VALUES) == list(FIELDS)
    assert all(len(WORDS[name].meaning) > 10 for name in FIELDS)
    assert {name for name in FIELDS if group_of(name) is None} == {"id", "name", "summary", "source"}
    assert {group_of(name) for name in FIELDS} == {None, *GROUPS}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, row in VALUES.items() for value in row.good], ids=str
)
def test_a_good_value(name: str, value: Any) -> None:
    rules = RuleSet.from_dict(changed(name.replace(".", "/"), value))
    kept: Any = rules.values()[name]
    if isinstance(value, dict):
        assert kept.items() >= value.items()
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        assert [entry.items() >= given.items() for entry, given in zip(kept, value, strict=True)] == [True] * len(value)
    else:
        assert kept == json.loads(json.dumps(value))
    if name not in ("id", "source"):  # no house rule changes these
        assert SIX.override({name: value}) == rules


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [(name, value, sentence) for name, row in VALUES.items() for value, sentence in row.bad],
    ids=str,
)
def test_a_bad_value(name: str, value: object, sentence: str) -> None:
    found = problems_of(changed(name.replace(".", "/"), value))
    twice = isinstance(value, list) and len(value) == 2 and value[0] == value[1]
    assert [(problem.code, problem.at) for problem in found] == [("rule-twice" if twice else "rule-value", name)]
    assert found[0].message.startswith(f"{name} {sentence}")
    if name not in ("id", "source"):  # no house rule changes these
        with pytest.raises(Refused) as refused:
            SIX.override({name: value})
        assert list(refused.value.problems) == found


@pytest.mark.parametrize("name", [name for name in FIELDS if FIELDS[name].default is None])
@pytest.mark.parametrize("nothing", [None, False])
def test_what_may_be_nothing(name: str, nothing: object) -> None:
    rules = RuleSet.from_dict(changed(name.replace(".", "/"), nothing))
    section, _, inner = name.partition(".")
    assert getattr(getattr(rules, section), inner) is None


# --- contradictory rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "at", "sentence"),
    [
        ({"deck.hand": 7}, "deal", "deck.hand", "6 players with 7 cards each need more than the 38 of the deck"),
        ({"table.players": [4, 7], "table.teams": [0]}, "deal", "deck.hand", "7 players with 6 cards each"),
        ({"deck.deal": 7}, "deal", "deck.deal", "6 players with 7 cards each need more than the 38 of the deck"),
        ({"deck.kitty": 3}, "deal", "deck.hand", "6 players with 6 cards each and a kitty of 3 need more than the 38"),
        ({"deck.deal": 5, "deck.hand": 7}, "deal", "deck.hand", "6 players cannot all play with 7 cards"),
        ({"deck.hand": {"4": 6}}, "deal", "deck.hand", "deck.hand needs a number for 6 players"),
        ({"deck.kitty": {"4": 6}}, "deal", "deck.kitty", "deck.kitty needs a number for 6 players"),
        ({"trump.jokers": "first", "trump.order": "A K Q J XR L XB T 9 8 7 2"}, "trump-order", "trump.order",
         "jokers that are alike must be next to each other in trump.order"),
        ({"trump.order": "A K Q J L XR XB T 9 8 7 2 L3"}, "trump-order", "trump.order", "names L3, which is not in"),
        ({"game.tie": "points"}, "points", "game.tie_points", "must name the points that decide a tied Game"),
        ({"game.tie_points": ["ten"]}, "points", "game.tie_points", "there is no point called ten"),
        ({"win.order": ["ten"]}, "points", "win.order", "there is no point called ten"),
        ({"points": [{"key": "spade", "card": "3S"}]}, "points", "points", "Spade: 3S is not in the deck"),
        ({"points": [{"key": "last", "card": "last-trick", "owner": "keeper"}]}, "points", "points",
         "Last: last-trick is no card that somebody is dealt or keeps"),
        ({"points": [{"key": "last", "card": "last-trick"}, {"key": "end", "card": "last-trick"}]}, "points",
         "points", "points must not have two points for last-trick"),
        ({"auction.specials": [{**SPECIAL, "needs": []}]}, "bids", "auction.specials",
         "moon has to need something, or to take a number of points"),
        ({"auction.specials": [{**SPECIAL, "made": "set-to"}]}, "bids", "auction.specials",
         "moon needs a number where its outcome is set-to, and only there"),
        ({"deck.jokers": 1}, "trump-order", "trump.order", "trump.order names XB, which is not in the deck"),
        ({"deck.ranks": "AKQJT9873"}, "trump-order", "trump.order", "trump.order leaves out 3, which is in the deck"),
        ({"deck.ranks": "AKQJT9873"}, "trump-order", "trump.order", "trump.order names 2, which is not in the deck"),
        ({"trump.order": "A K Q J L XR T 9 8 7 2"}, "trump-order", "trump.order", "leaves out XB"),
        ({"deck.ranks": "AKQT98732", "trump.order": "A K Q L XR XB T 9 8 7 3 2"}, "trump-order", "trump.order",
         "trump.order names L, which is not in the deck"),
        ({"auction.min": 8}, "bids", "auction.max", "auction.max must not be below auction.min"),
        ({"auction.specials": [{"name": "smudge", "bid": 7}]}, "bids", "auction.specials", "smudge must be worth more"),
        ({"auction.specials": [{"name": "pass", "bid": 8}]}, "bids", "auction.specials",
         "a special needs a name of its own"),
        ({"auction.specials": [{"name": "", "bid": 8}]}, "bids", "auction.specials", "a special needs a name"),
        ({"auction.specials": [SPECIAL, {**SPECIAL, "bid": 10}]}, "bids", "auction.specials",
         "two specials must not have the same name"),
        ({"auction.specials": [SPECIAL, {**SPECIAL, "name": "slam"}]}, "bids", "auction.specials",
         "two specials must not have the same bid"),
        ({"auction.forced_bid": 8}, "bids", "auction.forced_bid",
         "the dealer is stuck for 8, but the highest bid is 7"),
        ({"auction.max": 1, "auction.all_pass": "dealer-forced"}, "bids", "auction.forced_bid",
         "the dealer is stuck for 2, but the highest bid is 1"),
        ({"points": [{"key": "high", "card": "A"}, {"key": "high", "card": "K"}]}, "points", "points",
         "points must not name a key twice"),
        ({"points": [{"key": "high", "card": "A", "called": "Jick"}, {"key": "jick", "card": "J"}]}, "points",
         "points", "points must not have two points of one name"),
        ({"points": [{"key": "three", "card": "3"}]}, "points", "points", "Three: 3 is not a trump in this deck"),
        ({"points": [{"key": "game", "card": "game"}, {"key": "most", "card": "game"}]}, "points", "points",
         "points must not have two points for game"),
        ({"table.teams": [4]}, "teams", "table.teams", "6 players cannot be divided into any of these teams"),
        ({"table.teams": [1]}, "teams", "table.teams", "6 players cannot be divided"),
        ({"table.teams": [6]}, "teams", "table.teams", "6 players cannot be divided"),
        ({"table.teams": []}, "teams", "table.teams", "6 players cannot be divided"),
        ({"table.players": [6, 5]}, "teams", "table.teams", "5 players cannot be divided"),
        ({"win.early": {"at": 5, "others_at_most": 5}}, "early", "win.early", "others_at_most must be below at"),
    ],
)  # fmt: skip
def test_rules_that_do_not_fit_together(options: dict[str, object], code: str, at: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        SIX.override(options)
    assert [(p.code, p.at) for p in refused.value.problems if sentence in p.message] == [(code, at)]


@pytest.mark.parametrize(
    "options",
    [
        {"auction.specials": [{"name": "smudge", "bid": 8}]},
        {"auction.max": 2, "auction.all_pass": "dealer-forced"},
        {"auction.max": 1, "auction.all_pass": "dealer-forced", "auction.forced_bid": 1},
        {"auction.max": 1},
        {"auction.forced_bid": 7},
        {"auction.forced_bid": 0},
        {"auction.forced_bid": 1, "auction.min": 2},
        {"auction.min": 7},
        {"win.early": {"at": 5, "others_at_most": 4}},
        {"table.sides": "solo", "table.teams": []},
        {"deck.jokers": 0, "trump.order": "A K Q J T 9 8 7 2", "points": [{"key": "jack", "card": "J"}]},
    ],
    ids=str,
)
def test_rules_that_just_fit(options: dict[str, object]) -> None:
    assert SIX.override(options).id == "west-michigan-6"


@pytest.mark.parametrize(
    ("players", "teams", "formats"),
    [
        (6, (2, 3, 0), (2, 3, 0)),
        (6, (6, 1), ()),
        (5, (2, 3, 0), (0,)),
        (4, (3, 2), (2,)),
        (2, (2, 0), (0,)),
        (12, (4, 5, 6), (4, 6)),
    ],
)
def test_which_teams_a_number_of_players_can_form(
    players: int, teams: tuple[int, ...], formats: tuple[int, ...]
) -> None:
    assert team_formats(players, teams) == formats


# --- overrides ------------------------------------------------------------------------------------------------------

PARTNERSHIP = find_rules("partnership")


@pytest.mark.parametrize(
    ("rules", "options", "where", "value"),
    [
        (SIX, {"auction.all_pass": "dealer-forced"}, lambda r: r.auction.all_pass, "dealer-forced"),
        (SIX, {"points.low.owner": "holder"}, lambda r: r.points[1], Point("low", "lowest", "holder", 1)),
        (SIX, {"points.left_joker.worth": 2}, lambda r: r.points[5], Point("left_joker", "XB", "taker", 2)),
        (SIX, {"points.high.card": "highest"}, lambda r: r.points[0].card, "highest"),
        (SIX, {"game.values.T": 11}, lambda r: r.game.values["T"], 11),
        (SIX, {"name": "Ours"}, lambda r: r.name, "Ours"),
        (SIX, {"win.early": EARLY}, lambda r: r.win.early, EarlyWin(11, 0, "first-reach", "anyone")),
        (SIX, {"win.early": EARLY, "win.early.when": "any-hand"}, lambda r: r.win.early,
         EarlyWin(11, 0, "any-hand", "anyone")),
        (PARTNERSHIP, {"auction.specials.smudge.bid": 6}, lambda r: r.auction.specials[0].bid, 6),
        (PARTNERSHIP, {"auction.specials.smudge.needs": ["every-trick"]}, lambda r: r.auction.specials[0].needs,
         ("every-trick",)),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)  # fmt: skip
def test_one_field_changed(rules: RuleSet, options: dict[str, Any], where: Any, value: object) -> None:
    before, given = rules.to_dict(), copy.deepcopy(options)
    assert where(rules.override(options)) == value
    assert rules.to_dict() == before
    assert options == given


def test_no_options_change_nothing() -> None:
    assert SIX.override({}) is SIX


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "kitty", "auction", "auction.", "auction.kitty", "auction.min.max", "points.ace.owner",
        "points.low.suit", "points.low", "points.0.owner", "id", "source", "win.early.when", "game.values.3",
        "trump.order.A", "deck.ranks.A.x", "auction.specials.smudge.bid", "table.players.0",
    ],
)  # fmt: skip
def test_there_is_no_such_rule_to_change(name: str) -> None:
    with pytest.raises(Refused) as refused:
        SIX.override({name: 1})
    assert list(refused.value.problems) == [Problem("unknown-rule", name, f"there is no rule called {name}")]


def test_all_that_is_wrong_with_options_is_said_at_once() -> None:
    with pytest.raises(Refused) as refused:
        SIX.override({"kitty": 1, "win.target": 11, "widow": 2})
    assert [problem.at for problem in refused.value.problems] == ["kitty", "widow"]
    with pytest.raises(Refused) as refused:
        SIX.override({"auction.dealer": "steal", "deck.hand": 0})
    assert [problem.at for problem in refused.value.problems] == ["deck.hand", "auction.dealer"]
    assert str(refused.value).startswith("deck.hand: deck.hand must be a whole number from 1 to 26; auction.dealer: ")


@pytest.mark.parametrize("counts", [[[4, 9], ["4", 8]], [[4, 9], [4, 9]], {4: 9, "4": 9}])
def test_no_number_of_players_is_named_twice(counts: Any) -> None:
    with pytest.raises(Refused, match=r"deck\.hand must not name a number of players twice"):
        find_rules("classic").override({"deck.hand": counts, "table.players": [4]})


def test_names_and_summaries_have_the_apostrophes_of_print() -> None:
    assert [rules.id for rules in catalogue() if "'" in rules.name + rules.summary] == []


MOON = {"name": "moon", "bid": 9, "needs": ["every-point"]}


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"win.early": {"at": 8}}, "win.early"),
        ({"win.lost_at": -7}, "win.lost_at"),
        ({"auction.specials": [MOON | {"made": "set-to", "made_to": 0}]}, "auction.specials"),
        ({"auction.specials": [MOON | {"failed": "set-to", "failed_to": -5}]}, "auction.specials"),
        ({"auction.specials": [MOON | {"least_score": 0}]}, "auction.specials"),
    ],
)
def test_where_scores_count_down_no_other_rule_names_a_score(options: dict[str, Any], place: str) -> None:
    rules = find_rules("classic").override(options)
    with pytest.raises(Refused) as refused:
        rules.override({"win.counted": "down"})
    assert [(problem.code, problem.at) for problem in refused.value.problems] == [("counted-down", place)]


def test_a_number_of_hands_or_of_sets_and_outcomes_without_a_number_go_with_it() -> None:
    outcomes = [MOON | {"made": "target", "failed": "target"}, MOON | {"name": "smudge", "bid": 10, "made": "win"}]
    options = {"win.hands": 6, "win.lost_sets": 3, "win.all_points": "anyone", "auction.specials": outcomes}
    rules = find_rules("classic").override({**options, "win.counted": "down"})
    assert rules.win.scale == Scale(11)
    assert find_rules("classic").override(options).win.scale == Scale(None)
