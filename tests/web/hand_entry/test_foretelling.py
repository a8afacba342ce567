"""The phone's preview of a tap (static/settle.js) is the server's sentence, or empty."""

import json
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.replay_cache import GameText, replayed
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import CATALOGUE
from scorekeeper.scoring.table import Table
from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.hand_entry.draft import ALONE, NOBODY, SWEEP, Draft, bids_to_tap
from scorekeeper.web.hand_entry.editor import Editor, facts_of
from scorekeeper.web.hand_entry.offline_page import OfflinePage, demo_page
from tests.by_scripts import by_scripts

from .test_settle import any_draft, house_tables, tables

# Taps for each rule set; set SCOREKEEPER_SETTLE=10000 for a long run.
TAPS = int(os.environ.get("SCOREKEEPER_SETTLE", "150"))
TAPS_A_HAND = 15
HOUSE = "house rules"
FORETELL = """
const predict = (games) => games.map(({ rules, game, forms }) => forms.map((fields) =>
  settle.predict(rules, game, { fields, action: "/c/-/games/1/hands/new" }) ?? null));
"""
NAMES = ("Ann", "Bo", "Cy Young", "Di", "Ed", "Flo", "Gil", "Hal", "Ida", "Jo", "Kit", "Lou")
LONG = (
    "Christopher", "Maximiliane", "Bartholomew the 2nd", "Bartholomew the 3rd", "Wilhelmina", "Bo", "Šárka 🂡", "דוד",
)  # fmt: skip
Fields = dict[str, Any]


def any_taps(chance: random.Random, table: Table, dealer: int) -> Iterator[tuple[str, str]]:
    """Yield random taps: first those that make a hand, then any that change it."""
    trump, sides = table.rules.trump, Draft(table, 1).side_names
    usual: dict[str, Any] = {"bidder": table.seats, "bid": bids_to_tap(table), "trump": "SHDC"}
    if table.calls_partner:
        usual |= {"called": sorted(table.cards), "partner": [*table.seats, ALONE]}
    points: dict[str, Any] = {f"point-{key}": [*sides, NOBODY] for key in (*table.points, SWEEP)}
    points |= {f"by-{key}": sides for key in table.captured}
    seldom: dict[str, Any] = {"dealer": [dealer, *table.seats], "note": ["", "late"]}
    if trump.is_turned_up:
        seldom |= {"turned-0": [*trump.turned, "x"], "turned-1": [*trump.turned, "x"]}
        seldom |= {"beg": ["", *["gift"] * bool(trump.gift), *["run"] * bool(table.most_runs)]}
    other_ways = {"detail": ["cards", "points"], "by_seat": ["on", ""], f"count-{sides[0]}": ["30", ""]}
    buried = {"buried": table.deck} if table.buried else points
    for name in chance.sample([*usual], len(usual)):
        yield name, str(chance.choice(usual[name]))
    while True:
        [kind] = chance.choices([usual, points, buried, seldom, other_ways], [3, 9, 3, 2, 0.3])
        name = chance.choice([*kind])
        yield name, str(chance.choice(kind[name]))


def forms(chance: random.Random, table: Table, dealer: int, position: int) -> Iterator[Fields]:
    """Yield the fields of one hand's form after each tap."""
    fields: Fields = {"token": "a-token", "position": str(position), "dealer": str(dealer), "calls": "", "plays": ""}
    fields |= {"detail": "points", "was": "points"}
    for _, (name, value) in zip(range(TAPS_A_HAND), any_taps(chance, table, dealer), strict=False):
        fields[name] = sorted({*fields.get(name, ())} ^ {value}) if name == "buried" else value
        yield dict(fields)
        fields |= {name: "" for name in fields if name == "by_seat" or name.startswith("count-")}
        fields["detail"] = "points"


def a_game(chance: random.Random, table: Table) -> Snapshot:
    """Return a game that a hand may win, after some hands, with short or long names."""
    names = [*(chance.choice([NAMES, NAMES, LONG + NAMES]))[: table.players]]
    totals = {unit: chance.choice([0, 3, table.rules.win.target - 4, -3]) for unit in table.units}
    page = demo_page(table, names)
    text = GameText(json.dumps(table.rules.to_dict()), table.players, table.teams, json.dumps(totals), ())
    snapshot = replace(page.editor.snapshot, replayed=replayed(text))
    for _ in range(chance.randint(0, 3)):
        draft = any_draft(chance, table, snapshot.dealer_after(snapshot.length))
        with suppress(Refused):
            more = text._replace(hands=(*text.hands, json.dumps(facts_of(draft))))
            longer = replace(snapshot, replayed=replayed(more), length=len(more.hands))
            text, snapshot = (more, longer) if longer.takes_hands else (text, snapshot)
    return snapshot


def served(snapshot: Snapshot, fields: Fields) -> tuple[list[str], str | None, bool]:
    """Return the sentence of the server's response, the side of untapped points, and whether there are errors."""
    editor = Editor(snapshot, None, MultiDict(fields).to_dict(flat=False))
    assert editor.form is not None
    errors = editor.form.errors or editor.contradictions
    return [*editor.says(errors)], editor.draft.usual_side, bool(errors)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # the database is not used
@pytest.mark.parametrize("rules_id", [*CATALOGUE, HOUSE])
def test_the_phone_says_what_the_server_says_or_nothing(app: Flask, rules_id: str) -> None:
    chance = random.Random(rules_id)
    known = [*(house_tables(chance) if rules_id == HOUSE else tables(rules_id))]
    known = chance.sample(known, min(len(known), TAPS // 3))
    games, expected = [], []
    with app.test_request_context(method="POST"):
        for table in known:
            snapshot = a_game(chance, table)
            data = OfflinePage(snapshot).data
            hands = max(1, TAPS // TAPS_A_HAND // len(known))
            position, dealer = snapshot.length + 1, snapshot.dealer_after(snapshot.length)
            made = [fields for _ in range(hands) for fields in forms(chance, table, dealer, position)]
            sent = [[pair for pair in MultiDict(fields).items(multi=True) if pair[1]] for fields in made]
            games.append({"rules": data, "game": data["now"], "forms": sent})
            expected.append([(fields, served(snapshot, fields)) for fields in made])
    came = by_scripts(("settle.js",), FORETELL, "predict", games)
    said = 0
    for of_server, of_phone in zip(expected, came, strict=True):
        for (fields, (says, usual, is_wrong)), told in zip(of_server, of_phone, strict=True):
            if told is not None:
                assert (told["says"], told.get("usual")) == (says, usual), fields
                said += 1
            else:
                is_other = fields["detail"] != "points" or any(
                    value and name.startswith(("by_seat", "count-")) for name, value in fields.items()
                )
                assert is_wrong or is_other, json.dumps(fields)
    assert said > sum(map(len, expected)) / 4


def test_nothing_is_said_of_a_hand_that_another_phone_has_saved() -> None:
    """The form is of the hand before the game's current one: the server shows both versions."""
    form = [("position", "1"), ("detail", "points"), ("was", "points"), ("dealer", "1")]
    known = {"rules": {}, "game": {"position": 2}, "forms": [form]}
    assert by_scripts(("settle.js",), FORETELL, "predict", [known]) == [[None]]
