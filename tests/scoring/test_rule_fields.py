"""Fields of the rules: parsing form input, formatting, and which fields a form shows."""

from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.scoring.rules.fields import FIELDS, KINDS, POINT
from scorekeeper.scoring.rules.kinds import Kind, number_or_text

EARLY = {"at": 8, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}


def typed(values: dict[str, Any]) -> MultiDict[str, str]:
    return MultiDict([pair for name, value in values.items() for pair in FIELDS[name].kind.to_inputs(name, value)])


def read(inputs: MultiDict[str, str]) -> dict[str, Any]:
    return {name: field.kind.read(name, inputs) for name, field in FIELDS.items()}


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_what_is_typed_is_read_as_it_was(rules_id: str) -> None:
    for options in ({}, {"deck.deal": 9}, {"win.early": EARLY, "win.counted": "up"}):
        rules = find_rules("classic" if options else rules_id).override(options)
        again = read(typed(rules.values()))
        checked = {name: FIELDS[name].kind.check(value) for name, value in again.items()}
        assert checked == {name: FIELDS[name].kind.check(value) for name, value in rules.values().items()}


def test_numbers_by_players() -> None:
    kind = KINDS["deck.hand"]
    sent = MultiDict([("deck.hand", "6"), ("deck.hand-4", "9"), ("table.players", "4"), ("table.players", "6")])
    assert kind.read("deck.hand", sent) == {"4": 9, "6": 6}
    assert kind.read("deck.hand", MultiDict([("deck.hand-4", "9")])) == {"4": 9}
    assert list(kind.to_inputs("deck.hand", [[4, 9]])) == [("deck.hand-4", "9")]


def test_a_number_is_read_with_a_real_minus_and_anything_else_stays_text() -> None:
    assert [number_or_text(text) for text in ("−3", " 7", "many", "1234567")] == [-3, 7, "many", "1234567"]


def test_conditions_of_fields() -> None:
    flat = find_rules("classic").values()
    assert FIELDS["settle.sweep"].is_shown(flat)
    assert not FIELDS["settle.sweep"].is_shown(flat | {"auction.rounds": "none"})
    assert FIELDS["deck.ranks"].is_shown(flat)
    assert FIELDS["game.values"].is_shown(flat)
    assert not FIELDS["win.order"].is_shown(flat)
    assert (FIELDS["win.order"].control, FIELDS["points"].control) == ("in_order", "points")
    assert POINT.entries("points", typed({"points": flat["points"]})) == [f"points-{n}" for n in range(4)]


def test_each_kind_checks_and_describes_itself() -> None:
    for ask in (lambda: Kind().check(1), Kind().schema):
        with pytest.raises(NotImplementedError):
            ask()
