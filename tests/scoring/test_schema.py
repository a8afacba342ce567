"""The JSON Schema of game records compared with the reader.

The schema accepts every record that the reader accepts, and refuses all that the reader refuses by a value's form.

SCOREKEEPER_SCHEMA is the number of generated records, valid and broken, that are compared: 20,000 take some minutes.
"""

import copy
import json
import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator, validators

from scorekeeper.cli import main
from scorekeeper.scoring.game import check_game
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import FORMAT, WITH_UNKNOWN, parse, read_game
from scorekeeper.scoring.rules import CATALOGUE, find_rules, variations
from scorekeeper.scoring.rules.fields import FIELDS
from scorekeeper.scoring.rules.schema import schema
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.scoring.table import Table
from tests.broken import JUNK, places, spoil, spoiled
from tests.scoring import deals
from tests.scoring.records import hand, record
from tests.scoring.reference import judge

# The codes of what the reader refuses by a value's look alone, but for those at `options`, which change other values.
SHAPE = frozenset(
    (
        "shape", "format", "unknown-key", "derived", "not-a-number", "not-a-line", "no-such-card", "no-such-suit",
        "unknown-card", "no-such-rank", "not-yes-or-no", "names", "played", "hands", "options", "rules", "start",
        "too-many-adjustments", "rule-shape", "missing-rule", "rule-value", "unknown-rule",
    )
)  # fmt: skip

HOW_MANY = int(os.environ.get("SCOREKEEPER_SCHEMA", "300"))


def validator() -> Any:
    """A validator with strict integers: JSON Schema and Python's library accept 1.0, the reader does not."""
    whole = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return validators.extend(Draft202012Validator, type_checker=whole)(schema())


VALID = validator()


def problems(data: object) -> list[Problem]:
    """All problems that the reader finds in a record."""
    try:
        return list(check_game(read_game(data)))
    except Refused as refused:
        return list(refused.problems)


def by_shape(problem: Problem) -> bool:
    """True if a schema can express it; it cannot express what options change in other values."""
    return problem.code in SHAPE and (problem.code == "options" or not problem.at.startswith("options"))


# --- generated records ----------------------------------------------------------------------------------------------


def good_record(rng: Random) -> dict[str, Any]:
    """A record of one or two hands at any level of detail, with random optional keys."""
    rules_id = rng.choice(CATALOGUE)
    options = rng.choice([{}, *(variation.options for variation in variations(rules_id))])
    rules = find_rules(rules_id).override(options)
    table = Table(rules, rng.choice(rules.table.players))
    data = rules.to_dict()
    told = []
    for dealer in range(1, rng.choice((2, 2, 3))):
        dealt = deals.deal(rng, data, table.players, table.teams, dealer)
        facts = deals.tricks_record(rng, dealt)
        named = {special["name"]: special["bid"] for special in data["auction"]["specials"]}
        truth = judge(data, table.players, table.teams, facts | {"bid": named.get(facts.get("bid"), facts.get("bid"))})
        levels = deals.records(rng, dealt, truth) if truth else {"tricks": facts}
        told.append(levels[rng.choice(sorted(levels))] | beside(rng, table))
    whole = rng.random() < 0.4
    game = record(rules_id, *told, players=table.players, teams=table.teams)
    game |= {"rules": data} if whole else {"options": options}
    if rng.random() < 0.3:
        game |= {"names": list("ABCDEFGHIJKL")[: table.players], "played": "2026-11-21T19:00", "x-from": [1]}
        game["start"] = dict.fromkeys(table.units, -3)
    return game


def beside(rng: Random, table: Table) -> dict[str, Any]:
    if rng.random() < 0.7:
        return {}
    adjustment = {"unit": table.units[0], "points": -1, "reason": "late", "x-by": "Bo"}
    return {"note": "cut twice", "names": {"2": "Gil"}, "adjustments": [adjustment], "x-table": {"lamp": None}}


def any_record(rng: Random) -> Any:
    """A valid record or one broken at a random place, with or without unknown cards."""
    game = good_record(rng)
    if rng.random() < 0.3:
        game["format"] = rng.choice((WITH_UNKNOWN, WITH_UNKNOWN, FORMAT))
        for told in game["hands"]:
            for trick in told.get("tricks", ()):
                if rng.random() < 0.3:
                    trick["cards"][0] = "x"
                    trick |= rng.choice(({}, {"won": 1}))
    way = rng.random()
    if way < 0.25:
        return game
    if way < 0.5 and isinstance(game["rules"], dict):  # as most places of a record are in its hands
        spoil(rng, game["rules"], rng.choice(JUNK))
        return game
    try:
        return parse(spoiled(rng, game))
    except Refused:  # not JSON
        return game


def test_the_schema_refuses_what_the_reader_refuses_by_its_look() -> None:
    tally: Counter[str] = Counter()
    for number in range(HOW_MANY):
        data = any_record(Random(f"schema {number}"))
        found = problems(data)
        wrong = next(VALID.iter_errors(data), None)
        where = f"record {number}: {wrong and (wrong.json_path, wrong.message[:200])}, {found[:3]}"
        if wrong is not None:
            assert found, f"the schema refuses what the reader takes: {where}"
        elif any(by_shape(problem) for problem in found):
            raise AssertionError(f"the schema takes what the reader refuses by its look: {where}")
        tally["both refuse" if wrong else "beyond the schema" if found else "both take"] += 1
    print(f"\n{dict(tally)}")
    assert len(tally) == 3


# --- the schema itself ----------------------------------------------------------------------------------------------


def test_it_is_a_schema_with_every_field_of_the_rules() -> None:
    Draft202012Validator.check_schema(schema())
    rules = schema()["$defs"]["rules"]["properties"]
    for name in FIELDS:
        section, _, inner = name.rpartition(".")
        told = rules[section]["properties"][inner] if section else rules[inner]
        assert told["description"] == WORDS[name].meaning


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema()
    assert main(["schema", "more"]) == 2
    assert capsys.readouterr().err == "usage: scorekeeper schema\n"


GOOD = record("classic", hand(1, 2, "A: high", dealer=4))


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        ({}, True),
        ({"rules": "whist"}, True),  # only the program knows the catalogue
        ({"rules": 1}, False),
        ({"format": "setback-game/2"}, False),
        ({"played": "2026-02-30"}, True),  # a schema knows no calendar
        ({"played": "2026-02-30\n"}, False),
        ({"played": "today"}, False),
        ({"winner": "A"}, False),
        ({"x-winner": "A"}, True),
        ({"names": ["Ann", ""]}, False),
        ({"start": {"A": 10_000}}, False),
        ({"options": {"win.target": 0}}, False),
        ({"options": {"win.target": 15, "points.low.owner": "keeper"}}, True),
        ({"hands": [GOOD["hands"][0] | {"trump": "X"}]}, False),
        ({"hands": [GOOD["hands"][0] | {"dealer": 13}]}, False),
        ({"hands": [GOOD["hands"][0] | {"note": "two\nlines"}]}, False),
        ({"hands": [GOOD["hands"][0] | {"tricks": [{"cards": ["x"]}]}]}, False),
        ({"format": WITH_UNKNOWN, "hands": [{"tricks": [{"cards": ["x"], "won": 1}]}]}, True),
        ({"format": WITH_UNKNOWN, "hands": [{"tricks": [{"cards": ["AH"], "won": 1}]}]}, False),
    ],
)
def test_what_it_takes(change: dict[str, Any], taken: bool) -> None:
    assert VALID.is_valid(GOOD | change) == taken


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_every_rule_set_of_the_catalogue_fits_it(rules_id: str) -> None:
    assert VALID.is_valid(record("") | {"rules": find_rules(rules_id).to_dict()})


def rules_with(**change: Any) -> dict[str, Any]:
    data = copy.deepcopy(find_rules("classic").to_dict())
    for name, value in change.items():
        section, _, inner = name.partition("__")
        data[section][inner] = value
    return record("") | {"rules": data}


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        ({"deck__ranks": "AKQ"}, True),
        ({"deck__ranks": "AQK"}, False),
        ({"deck__ranks": ""}, False),
        ({"trump__order": "A K  Q"}, True),
        ({"trump__order": "A K A"}, False),
        ({"trump__order": "L LA L"}, False),
        ({"trump__order": "A ?"}, False),
        ({"deck__hand": {"4": 6, "12": 2}}, True),
        ({"deck__hand": [[4, 6], ["5", 6]]}, True),
        ({"deck__hand": {"13": 6}}, False),
        ({"deck__hand": {" 4": 6}}, False),
        ({"deck__hand": []}, False),
        ({"win__early": False}, True),
        ({"win__early": {"at": 7, "than": 1}}, False),
        ({"game__values": {"T": 101}}, False),
        ({"game__values": {"L": 1}}, False),
    ],
)
def test_what_it_says_of_a_field(change: dict[str, Any], taken: bool) -> None:
    told = rules_with(**change)
    assert VALID.is_valid(told) == taken
    shapes = [problem for problem in problems(told) if by_shape(problem)]
    assert (not shapes) == taken


def test_the_places_that_are_broken_are_everywhere() -> None:
    """All keys of a hand are among the places that are broken."""
    rng = Random("keys")
    keys = {key for _ in range(60) for _, key in places(good_record(rng)) if isinstance(key, str)}
    assert {"bids", "tricks", "piles", "claims", "game_counts", "played_by", "seats", "adjustments", "order"} <= keys
