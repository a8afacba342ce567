"""Corners of the newer rules that games seldom come to: odd tricks, a trick that scores nothing, a bid too low."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.hand import check_hand, score_hand
from scorekeeper.scoring.play import legal_cards
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import RuleSet, find_rules, variations
from scorekeeper.scoring.table import Table

CLASSIC = find_rules("classic")
LAST_TRICK = RuleSet.from_dict(
    CLASSIC.to_dict() | {"points": [*CLASSIC.to_dict()["points"], {"key": "last", "card": "last-trick"}]}
)
PILES = {"A": ("AH", "2H"), "B": ("KH", "JH")}


def codes(rules: RuleSet, **facts: Any) -> list[str]:
    hand = Hand(dealer=4, bidder=1, bid=2, trump="H", **facts)
    return [problem.code for problem in check_hand(Table(rules), hand)]


def test_a_trick_that_scores_nothing_is_nobodys_to_have_won() -> None:
    assert "no-such-point" in codes(CLASSIC, piles=PILES, tricks_won={"last": "A"})


def test_a_trick_is_won_by_a_side_that_there_is() -> None:
    assert codes(LAST_TRICK, piles=PILES, tricks_won={"last": "Z"}) != []


@pytest.mark.parametrize("facts", [{"tricks": [{"cards": ["AH"], "seats": []}]}, {"piles": {}, "tricks_won": []}])
def test_who_played_and_who_won_are_lists_and_objects(facts: dict[str, Any]) -> None:
    hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H"} | facts
    with pytest.raises(Refused, match=r"must be a list of seats|tricks_won must give"):
        score_record({"format": "setback-game/1", "rules": "classic", "hands": [hand]})


def test_with_follow_suit_a_trump_is_only_for_who_is_void() -> None:
    hearts = Table(CLASSIC.override({"play.follow": "follow"})).trumps["H"]
    assert legal_cards(["KC", "2D", "3H"], "AC", hearts) == ["KC"]
    assert legal_cards(["2D", "3H"], "AC", hearts) == ["2D", "3H"]


def test_where_everybody_plays_to_every_trick_the_seats_follow_each_other() -> None:
    hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H"}
    hand |= {"tricks": [{"lead": 1, "cards": ["AH", "2H", "3H", "4H"], "seats": [1, 3, 2, 4]}]}
    with pytest.raises(Refused, match="everybody plays to every trick"):
        score_record({"format": "setback-game/1", "rules": "classic", "hands": [hand]})


def test_a_house_rule_of_a_document_is_quoted_and_another_is_in_our_words() -> None:
    assert variations("west-michigan-6")[0].said.startswith("“House Rule Option")
    ours = next(one for rules in ("cinch", "pidro", "ten-point") for one in variations(rules))
    assert ours.said.endswith(".")
    assert "“" not in ours.said[:1]


def test_a_special_may_ask_for_a_score_that_one_has() -> None:
    moon = {"name": "moon", "bid": 5, "least_score": 0}
    table = Table(CLASSIC.override({"auction.specials": [moon]}))
    hand = Hand(dealer=4, bidder=1, bid=5, trump="H", claims={})
    with pytest.raises(Refused, match="only a side with 0 or more may bid moon"):
        score_hand(table, hand, before={"A": -1, "B": 0})
