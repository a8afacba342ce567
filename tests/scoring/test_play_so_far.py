"""A play followed card by card: whose turn it is, who has won, and what a card shows of an earlier one."""

from __future__ import annotations

import pytest

from scorekeeper.scoring.play_so_far import PlaySoFar, Shown
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table


@pytest.fixture(scope="module")
def table() -> Table:
    """Four at West Michigan: Ann 1, Bo 2, Cy 3, Di 4; hearts over A K Q J L XR XB T 9 2."""
    return Table(find_rules("west-michigan-4"))


def play(table: Table, cards: str, leader: int = 1) -> PlaySoFar:
    return PlaySoFar(table, table.trumps["H"], leader, cards.split())


# cards played | whose turn | what is led | who won each trick
TURNS = [
    ("", 1, None, []),
    ("AH", 2, "H", []),
    ("AH 9H TH", 4, "H", []),
    ("AH 9H TH 2S", 1, None, [1]),
    ("KS AS 9S QS", 2, None, [2]),  # Bo's ace
    ("KS AS 2H QS", 3, None, [3]),  # Cy's lowest trump is above any spade
    ("KS 2H JD QS", 3, None, [3]),  # the Left Jack is a trump, and above the two
    ("XB XR 2H TH", 2, None, [2]),  # the red joker over the black one
    ("JD KS", 3, "H", []),  # the Left Jack led is a heart led
    ("KS AS 9S QS TD KD", 4, "D", [2]),  # Bo leads the second trick
]


@pytest.mark.parametrize(("cards", "turn", "led", "winners"), TURNS)
def test_turns(table, cards, turn, led, winners):
    now = play(table, cards)
    assert (now.to_play, now.led, now.winners) == (turn, led, winners)


def test_who_played_what(table):
    assert play(table, "KS AS 9S QS TD").player_of == {"KS": 1, "AS": 2, "9S": 3, "QS": 4, "TD": 2}


# cards played | whose turn it is then | a card of theirs | what it shows of an earlier one
SHOWN = [
    ("AH 9H TH 2S KS JS AS", "9S", None),  # Di threw a spade away; spades may follow
    ("AH 9H TH 2S KS JS AS", "2H", Shown(0, 3, "2S")),  # but no heart
    ("AH 9H TH 2S KS JS AS", "JD", Shown(0, 3, "2S")),  # nor the Left Jack, which is one
    ("AH 9H TH 2S KS JS AS", "XR", Shown(0, 3, "2S")),
    ("KS 2H AS 9S", "AH", None),  # Bo trumped: that shows nothing
    ("KS 2H AS 9S 9H", "2S", None),
    ("KS TD AS 9S AD 9D 2D", "QS", Shown(0, 1, "TD")),  # Bo threw a diamond on spades, and has one after all
]


@pytest.mark.parametrize(("cards", "card", "shown"), SHOWN)
def test_what_a_card_shows(table, cards, card, shown):
    assert play(table, cards).revoked(card) == shown


def test_the_first_time_is_the_one_that_is_named(table):
    """Di follows neither the first heart nor the second."""
    now = play(table, "AH 9H TH 2S KH XB QH 9S QC KC AC")
    assert now.revoked("2H") == Shown(0, 3, "2S")


def test_a_hand_is_over_after_six_tricks(table):
    now = PlaySoFar(table, table.trumps["H"], 1, table.deck[:24])
    assert now.is_over
    assert len(now.winners) == 6
    assert not play(table, "AH 9H TH 2S").is_over
