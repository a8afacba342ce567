"""The sentences on a game's end, checked on generated games."""

import re
from random import Random
from typing import Any

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
    "count-out": "the first to get there wins",
    "share": "they win together",
}
SMUDGE = {"name": "smudge", "bid": 9, "needs": ["every-trick"]}


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


@pytest.mark.parametrize(
    ("options", "title", "sentence"),
    [
        ({"auction.min": 4}, "Bidding", "The only bid is 4."),
        ({"auction.all_pass": "dealer-forced", "auction.forced_bid": 1}, "Bidding",
         "If all others pass, the dealer must bid, and may bid 1."),
        ({"auction.min": 0}, "Bidding", "The bids are 0 to 4. A bid of 0 promises no points, so it cannot be set."),
        ({}, "The cards", "the next player deals. After a misdeal the same dealer deals again."),
        ({"deck.rob": "dealer"}, "The cards", " The dealer looks through the rest of the deck and keeps the best"),
        ({"auction.min": 4, "auction.specials": [SMUDGE]}, "Bidding",
         "The bids are 4, and smudge, a bid of 9: win every"),
        ({"win.lost_sets": 1}, "Winning", "Set once, you lose the game."),
        ({"win.lost_in_a_row": 2, "table.sides": "seat-partner", "table.players": [5]}, "Winning",
         "Set in 2 hands in a row, as bidder or as partner, you lose the game."),
        ({"win.both": ["play-on", "share"]}, "Winning", "If both teams reach it in the same hand, play goes on."),
        ({"table.sides": "solo", "win.both": ["bidder"]}, "Winning",
         "the bidder wins. If that does not decide it, play goes on."),
    ],
)  # fmt: skip
def test_house_rules_in_sentences(options: dict[str, Any], title: str, sentence: str) -> None:
    assert sentence in said(find_rules("classic").override(options), title)


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
