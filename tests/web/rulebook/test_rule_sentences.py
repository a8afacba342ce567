"""The sentences on a game's end, checked on generated games."""

import re
from random import Random

import pytest
from hypothesis import given, note

from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import RuleSet, find_rules
from scorekeeper.web.common.narrator import tie_rule
from scorekeeper.web.rulebook.messages import chapters
from tests.conftest import examples
from tests.scoring.test_properties import Setting, play_game, races, randoms, settings_of

DECIDES = {
    "bidder": "the bidder wins",
    "highest": "the highest score wins",
    "count-out": "The first to get there wins",
    "share": "they win together",
}


def said(rules: RuleSet, title: str) -> str:
    """Return the text of one chapter, with its table."""
    (chapter,) = [chapter for chapter in chapters(rules) if chapter.title == title]
    return " ".join([*chapter.sentences, *(f"{name}: {value}." for name, value in chapter.table)])


@given(setting=races(), rng=randoms)
@examples(200)
def test_how_several_at_the_target_are_told_apart(setting: Setting, rng: Random) -> None:
    record = setting.record((game := play_game(rng, setting, 8)).facts, start=game.start)
    score, ending = score_record(record), said(find_rules(setting.rules_id).override(setting.options), "Winning")
    note(ending)
    if score.still_open is not None and score.still_open.reason in ("several", "tie"):
        assert "play goes on" in ending
    if score.outcome is not None:
        assert DECIDES.get(score.outcome.reason, "") in ending


@given(setting=settings_of() | races())
def test_every_sentence_begins_with_a_capital(setting: Setting) -> None:
    for chapter in chapters(find_rules(setting.rules_id).override(setting.options)):
        assert [one for one in chapter.sentences if re.search(r"^[a-z]|[.] [a-z]", one)] == []


def test_jokers_that_count_are_named_and_no_card_that_is_not_in_the_deck_counts() -> None:
    options = {"game.values": {"T": 10, "XR": 5, "XB": 3}}
    assert "10: 10. Red Joker: 5." in said(find_rules("auction-pitch-joker").override(options), "Card points")
    assert "Joker" not in said(find_rules("classic").override(options), "Card points")


@pytest.mark.parametrize("rules_id", ["west-michigan-5", "call-partner-ten-point"])
def test_a_tie_for_game_is_told_where_a_partner_is_called(rules_id: str) -> None:
    rules = find_rules(rules_id)
    assert tie_rule(rules.override({"game.tie": "dealer"})) == "A tie goes to the dealer."
    assert tie_rule(rules) == "A tie counts for nobody."


def test_of_two_teams_at_the_target_the_bidders_wins_and_nothing_is_left_to_decide() -> None:
    assert said(find_rules("ten-point"), "Winning").endswith("the bidder wins.")
