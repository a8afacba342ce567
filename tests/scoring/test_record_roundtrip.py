"""Game records read and written back: nothing is lost, changed or added."""

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.scoring.facts import NOT_GIVEN
from scorekeeper.scoring.game import Game, replay
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import parse, read_game, read_hand, score_record, write_game, write_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from tests.scoring.reference import Facts
from tests.scoring.test_properties import Setting, plain, play_game, races, randoms, settings_of


def dressed(rng: Random, setting: Setting, record: Facts) -> Facts:
    """A record with random optional keys of the game and its hands."""
    extras: Facts = {
        "names": [f"Player {seat}" for seat in range(1, setting.players + 1)],
        "played": rng.choice(["2026-11-21", "2026-11-21T20:15", "2026-11-21 20:15:30.5Z", "2026-11-21T20:15:00+01:00"]),
        "x-table": {"felt": ["green", None, 1.5]},
    }
    record = record | {key: extras[key] for key in extras if rng.random() < 0.6}
    for hand in record["hands"]:
        if rng.random() < 0.3:
            hand["x-note"] = {"said": "lucky"}
        for inner in (*hand.get("bids", ()), *hand.get("tricks", ())):
            if rng.random() < 0.1:
                inner["x-clock"] = "20:15"
        if rng.random() < 0.3:
            hand["note"] = rng.choice(["misdeal", "Ann's thumb ♠", "x" * 300])
        if rng.random() < 0.3:
            unit = "A" if setting.teams else "1"
            hand["adjustments"] = [{"unit": unit, "points": -1, "reason": "late", "x-by": "Bo"}]
        if rng.random() < 0.3:
            hand["names"] = {str(rng.randint(1, setting.players)): "Gil"}
    return record


@given(setting=settings_of() | races(), rng=randoms)
def test_a_record_is_written_back_as_it_was(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 4)
    record = dressed(rng, setting, copy.deepcopy(setting.record(game.facts, start=game.start)))
    given_record = copy.deepcopy(record)
    written = write_game(read_game(record))
    assert record == given_record
    wanted = record | {"hands": [plain(setting, facts) for facts in record["hands"]]}
    if not setting.options:
        del wanted["options"]
    assert written == wanted
    assert json.loads(json.dumps(written)) == wanted
    again = read_game(written)
    assert write_game(again) == written
    assert again.hands == read_game(record).hands
    assert replay(again) == replay(read_game(record))


@given(setting=settings_of(), rng=randoms)
def test_whole_rules_in_a_record_score_like_named_ones(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 3)
    named = setting.record(game.facts, start=game.start)
    whole = {key: value for key, value in named.items() if key != "options"} | {"rules": setting.rules}
    assert score_record(whole) == score_record(named)
    written = write_game(read_game(whole))
    assert written["rules"] == setting.rules
    assert "options" not in written


@given(setting=settings_of(), rng=randoms)
def test_options_on_whole_rules_are_written_into_them(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 2)
    record = setting.record(game.facts, start=game.start) | {"rules": find_rules(setting.rules_id).to_dict()}
    written = write_game(read_game(record))
    assert written["rules"] == setting.rules
    assert score_record(written) == score_record(record)


@given(setting=settings_of(), rng=randoms)
def test_tens_may_be_written_out(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 2)
    record = setting.record(game.facts)
    spelt = json.loads(json.dumps(record["hands"]).replace('"T', '"10'))
    assert read_game(record | {"hands": spelt}).hands == read_game(record).hands


SIX = Table(find_rules("west-michigan-6"))
FIVE = Table(find_rules("west-michigan-5"))


@pytest.mark.parametrize(
    ("facts", "partner"),
    [({"bidder": 1}, NOT_GIVEN), ({"bidder": 1, "partner": None}, None), ({"bidder": 1, "partner": 3}, 3)],
)
def test_a_partner_of_null_is_not_a_partner_left_out(facts: Facts, partner: Any) -> None:
    hand = read_hand(facts, FIVE)
    assert hand.partner is partner or hand.partner == partner
    assert write_hand(hand) == facts


@pytest.mark.parametrize("empty", [{"buried": []}, {"piles": {}}, {"claims": {}}, {"game_counts": {}}, {"bids": []}])
def test_what_is_empty_is_not_what_is_missing(empty: Facts) -> None:
    hand = read_hand(empty, SIX)
    assert [getattr(hand, key) is not None for key in empty] == [True]
    assert write_hand(hand) == empty


def test_a_hand_by_itself_is_refused_with_places_in_it() -> None:
    with pytest.raises(Refused) as refused:
        read_hand({"bidder": 7, "buried": ["9C", "1C"]}, SIX)
    assert [problem.at for problem in refused.value.problems] == ["bidder", "buried[1]"]


def test_tricks_need_not_say_who_led() -> None:
    facts: Facts = {"tricks": [{"cards": ["AH", "10H"]}, {"lead": 2, "cards": []}]}
    assert write_hand(read_hand(facts, SIX)) == {"tricks": [{"cards": ["AH", "TH"]}, {"lead": 2, "cards": []}]}


def test_a_start_that_names_some_leaves_the_others_at_nothing() -> None:
    told = {"format": "setback-game/1", "rules": "shankar", "players": 3, "teams": 0, "start": {"2": -4}, "hands": []}
    assert score_record(told).totals == {"1": 0, "2": -4, "3": 0}
    assert write_game(read_game(told))["start"] == {"1": 0, "2": -4, "3": 0}
    assert score_record(told | {"start": {}}).totals == {"1": 0, "2": 0, "3": 0}


def test_a_game_made_without_a_record_can_be_written() -> None:
    table = Table(find_rules("classic"))
    assert write_game(Game(table)) == {
        "format": "setback-game/1",
        "rules": find_rules("classic").to_dict(),
        "players": 4,
        "teams": 2,
        "hands": [],
    }
    assert write_game(Game(table, rules_id="classic"))["rules"] == "classic"


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_json_is_parsed_as_json(value: Any) -> None:
    assert parse(json.dumps(value)) == value


@given(text=st.text(alphabet='{}[]",:0123456789eE.+-truefalsn \\u', max_size=30))
def test_any_text_is_json_or_refused(text: str) -> None:
    try:
        value = parse(text)
    except Refused as refused:
        assert [(problem.code, problem.at) for problem in refused.problems] == [("not-json", "")]
    else:
        assert json.dumps(value) == json.dumps(json.loads(text))


FACTS: list[Facts] = [
    {"claims": {"high": "A"}, "game_counts": {"A": 47}},
    {"piles": {"A": ["AH"]}, "played_by": {"low": "A"}, "names": {"1": "Gil"}, "x-note": 1},
    {"bids": [{"seat": 1, "bid": 2, "x-said": 1}], "tricks": [{"cards": ["AH"], "x-fast": 1}]},
    {"adjustments": [{"unit": "A", "points": 1, "reason": "late", "x-by": 1}]},
]


@pytest.mark.parametrize("facts", FACTS)
def test_a_hand_cannot_be_changed_not_even_through_its_record(facts: Facts) -> None:
    given_facts = copy.deepcopy(facts)
    hand = read_hand(given_facts, SIX)
    for key in ("claims", "game_counts", "piles", "played_by", "names"):
        if key in given_facts:
            given_facts[key].clear()
    assert write_hand(hand) == facts
    inner = (*(hand.bids or ()), *(hand.tricks or ()), *(hand.adjustments or ()), hand)
    for mapping in (hand.claims, hand.game_counts, hand.piles, hand.played_by, hand.names, *(x.extra for x in inner)):
        if mapping is not None:
            with pytest.raises(TypeError):
                mapping["high"] = "B"  # type: ignore[index]


def test_what_a_table_hands_out_cannot_be_changed() -> None:
    sides = SIX.sides(1)
    for mapping in (SIX.at_zero, sides.of_unit, sides.aliases):
        with pytest.raises(TypeError):
            mapping["A"] = 1  # type: ignore[index]
