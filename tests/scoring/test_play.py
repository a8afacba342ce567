"""Tricks: legal cards, winners, and problems of illegal plays."""

import itertools

import pytest

from scorekeeper.scoring.play import Trick, play_out, trick_winner
from scorekeeper.scoring.problems import Problems
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from tests.scoring import reference


@pytest.mark.parametrize("rules_id", ["west-michigan-6", "double-jack", "classic"])
def test_every_pair_of_cards_is_won_as_the_order_says(rules_id: str) -> None:
    table, rules = Table(find_rules(rules_id)), find_rules(rules_id).to_dict()
    for trump in "SHDC":
        row = reference.trump_row(rules, trump)
        for pair in itertools.permutations(table.deck, 2):
            expected = reference.winning_place(list(pair), row, rules)
            assert trick_winner(pair, table.trumps[trump]) == expected, (trump, pair)


# --- a whole hand ---------------------------------------------------------------------------------------------------

THREE = Table(find_rules("west-michigan-4").override({"deck.hand": 3}))


def tricks(text: str) -> list[Trick]:
    """Parse tricks: `1 AH KH; 2 9D TD`, the leader first, - if it is not given."""
    groups = [group.split() for group in text.split(";")]
    return [Trick(None if lead == "-" else int(lead), tuple(cards)) for lead, *cards in groups]


def followed(text: str, bidder: int = 1) -> tuple[list[int] | None, list[tuple[str, str, str]]]:
    problems = Problems()
    play = play_out(THREE, THREE.trumps["H"], bidder, tricks(text), problems)
    return play and play.winners, [tuple(problem) for problem in problems]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 AH 2H KH TH; 2 9H XB TD 2D; 2 AS KS QS TS",
         [("wrong-lead", "tricks[1].lead", "seat 1 leads this trick, not seat 2")]),
        ("2 AH 2H KH TH; 1 9H XB TD 2D; 2 AS KS QS TS",
         [("wrong-lead", "tricks[0].lead", "seat 1 leads this trick, not seat 2")]),
        ("1 AH 2H KH TH; 1 9H XB TD 2D", [("tricks-missing", "tricks", "a hand has 3 tricks, not 2")]),
        ("1 AH 2H KH TH; 1 9H XB TD 2D; 2 AS KS QS TS; 2 AC KC QC TC",
         [("too-many-cards", "tricks", "a hand has 3 tricks, not 4")]),
        ("1 AH 2H KH; 1 9H XB TD 2D; 2 AS KS QS TS 2S", [
         ("trick-size", "tricks[0].cards", "a trick has 4 cards, one from everyone, not 3"),
         ("trick-size", "tricks[2].cards", "a trick has 4 cards, one from everyone, not 5")]),
        ("1 AH TD; 1 9H XB TD 2D", [("tricks-missing", "tricks", "a hand has 3 tricks, not 2"),
         ("trick-size", "tricks[0].cards", "a trick has 4 cards, one from everyone, not 2")]),
    ],
)  # fmt: skip
def test_a_play_that_cannot_be_followed(text: str, found: list[tuple[str, str, str]]) -> None:
    assert followed(text) == (None, found)


@pytest.mark.parametrize(
    ("what", "text", "found"),
    [
        ("trump was led, and 2 kept one", "1 AH 2D KH TH; 1 9H 2H TD 2C; 1 AS KS QS TS",
         [("tricks[0].cards[1]", 2, "2D", "hearts", "2H")]),
        ("what 2 kept is a joker", "1 AH 2D KH TH; 1 9H XB TD 2C; 2 AS KS QS TS",
         [("tricks[0].cards[1]", 2, "2D", "hearts", "XB")]),
        ("what 2 kept is the Left Jack", "1 AH 2D KH TH; 1 9H JD TD 2C; 2 AS KS QS TS",
         [("tricks[0].cards[1]", 2, "2D", "hearts", "JD")]),
        ("the Left Jack is no diamond to follow with", "1 AH 2H KH TH; 1 9D 2C TD AD; 4 AS 9S JD KS", []),
        ("any other diamond is", "1 AH 2H KH TH; 1 9D 2C TD AD; 4 AS 9S 2D KS",
         [("tricks[1].cards[1]", 2, "2C", "diamonds", "2D")]),
        ("trumping in with a diamond in hand", "1 AH 2H KH TH; 1 9D 9H TD AD; 2 2D 9S 2S QD", []),
        ("void, so anything goes", "1 AH 2C 2D 2S; 1 9H KC KD KS; 1 KH QC QD QS", []),
        ("two in one trick", "1 AH 2D KC TH; 1 9D 9H TD AD; 2 2S KH 9S QD",
         [("tricks[0].cards[1]", 2, "2D", "hearts", "9H"), ("tricks[0].cards[2]", 3, "KC", "hearts", "KH")]),
        ("two in two tricks", "1 AH 2D KH TH; 1 9D 2H TD AC; 2 QS KS AD 2S",
         [("tricks[0].cards[1]", 2, "2D", "hearts", "2H"), ("tricks[1].cards[3]", 4, "AC", "diamonds", "AD")]),
    ],
)  # fmt: skip
def test_a_revoke_is_named_with_its_place(what: str, text: str, found: list[tuple[str, int, str, str, str]]) -> None:
    """All five documents: follow suit or trump, anything else only when void."""
    winners, problems = followed(text)
    assert winners is not None
    assert problems == [
        ("revoke", at, f"seat {seat} may not play {card}: {suit} were led, and seat {seat} still has {kept}")
        for at, seat, card, suit, kept in found
    ]
