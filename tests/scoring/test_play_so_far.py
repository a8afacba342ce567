"""A play followed card by card: the turn, the winners, and revokes shown by later cards."""

import pytest

from scorekeeper.scoring.play import OffSuitPlay, PlaySoFar, Trick, steps_of
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table


@pytest.fixture(scope="module")
def table() -> Table:
    """Four at West Michigan: Ann 1, Bo 2, Cy 3, Di 4; hearts over A K Q J L XR XB T 9 2."""
    return Table(find_rules("west-michigan-4"))


def play(table: Table, cards: str, leader: int = 1) -> PlaySoFar:
    return PlaySoFar(table, table.trumps["H"], leader, cards.split())


# cards played | whose turn | suit led | winners of the tricks
TURNS = [
    ("", 1, None, []),
    ("AH", 2, "H", []),
    ("AH 9H TH", 4, "H", []),
    ("AH 9H TH 2S", 1, None, [1]),
    ("KS AS 9S QS", 2, None, [2]),  # Bo's ace
    ("KS AS 2H QS", 3, None, [3]),  # Cy's lowest trump beats any spade
    ("KS 2H JD QS", 3, None, [3]),  # the Left Jack is a trump that beats the two
    ("XB XR 2H TH", 2, None, [2]),  # the red joker beats the black one
    ("JD KS", 3, "H", []),  # the Left Jack counts as a heart led
    ("KS AS 9S QS TD KD", 4, "D", [2]),  # Bo leads the second trick
]


@pytest.mark.parametrize(("cards", "turn", "led", "winners"), TURNS)
def test_turns(table, cards, turn, led, winners):
    now = play(table, cards)
    assert (now.to_play, now.led, now.winners) == (turn, led, winners)


def test_who_played_what(table):
    assert play(table, "KS AS 9S QS TD").player_of == {"KS": 1, "AS": 2, "9S": 3, "QS": 4, "TD": 2}


# cards played | whose turn | a card of that player | the revoke it shows
SHOWN = [
    ("AH 9H TH 2S KS JS AS", "9S", None),  # Di threw a spade away, so a spade shows nothing
    ("AH 9H TH 2S KS JS AS", "2H", OffSuitPlay(0, 3, "2S")),  # but a heart does
    ("AH 9H TH 2S KS JS AS", "JD", OffSuitPlay(0, 3, "2S")),  # and so does the Left Jack, which is a heart
    ("AH 9H TH 2S KS JS AS", "XR", OffSuitPlay(0, 3, "2S")),
    ("KS 2H AS 9S", "AH", None),  # Bo trumped, which shows nothing
    ("KS 2H AS 9S 9H", "2S", None),
    ("KS TD AS 9S AD 9D 2D", "QS", OffSuitPlay(0, 1, "TD")),  # Bo threw a diamond on spades, and has a spade after all
]


@pytest.mark.parametrize(("cards", "card", "shown"), SHOWN)
def test_what_a_card_shows(table, cards, card, shown):
    assert play(table, cards).revoked(card) == shown


def test_the_first_time_is_the_one_that_is_named(table):
    """Di follows neither the first heart nor the second."""
    now = play(table, "AH 9H TH 2S KH XB QH 9S QC KC AC")
    assert now.revoked("2H") == OffSuitPlay(0, 3, "2S")


def test_a_hand_is_over_after_six_tricks(table):
    now = PlaySoFar(table, table.trumps["H"], 1, table.deck[:24])
    assert now.is_over
    assert len(now.winners) == 6
    assert not play(table, "AH 9H TH 2S").is_over


# --- trumps only ------------------------------------------------------------------------------------------------

# cards played ("-3": seat 3 has no trump left) | whose turn | players out | winners of the tricks
SHORT = [
    ("AH", 2, [], []),
    ("AH -2", 3, [2], []),  # Bo is out, and Cy plays
    ("AH -2 3H", 4, [2], []),
    ("AH -2 3H -4", 1, [2, 4], [1]),  # Di is out too: the trick ends, and Ann won it
    ("AH -2 3H 4H KH", 3, [2], [1]),  # Bo is skipped from now on
    ("-1 AH", 3, [1], []),  # the leader has no trump: the next player leads
    ("-1 -2 -3 -4", 1, [1, 2, 3, 4], []),
    ("3H AH 2H -4 -2 KH", 1, [2, 4], [2]),  # Bo won with his last trump: Cy leads in his place
    ("3H AH 2H -4 -2 KH 4H", 3, [2, 4], [2, 3]),
]


@pytest.mark.parametrize(("cards", "turn", "out", "winners"), SHORT)
def test_turns_where_whoever_has_no_trump_is_out(cards, turn, out, winners):
    now = play(Table(find_rules("ten-point")), cards)
    assert (now.to_play, sorted(now.out), now.winners) == (turn, out, winners)
    assert now.is_over == (len(out) == 4)


def test_a_short_trick_says_who_played_it_and_leaving_shows_nothing():
    now = play(Table(find_rules("ten-point")), "AH -2 3H -4")
    assert now.tricks == [Trick(1, ("AH", "3H"), seats=(1, 3))]
    assert now.revoked("-1") is None


def test_nobody_leaves_a_hand_that_everybody_plays_out(table):
    assert (play(table, "AH -2").to_play, play(table, "AH -2").out) == (2, frozenset())


# tricks as in a record | the same as single cards
STEPS = [
    ([Trick(1, ("AH", "2H", "9H", "KH"))], "AH 2H 9H KH"),
    ([Trick(1, ("AH", "9H"), seats=(1, 3))], "AH -2 9H -4"),
    ([Trick(2, ("AH", "9H"), seats=(2, 3))], "-1 AH 9H -4"),
    ([Trick(1, ("3H", "AH", "2H", "9H")), Trick(3, ("KH", "7H"), seats=(3, 4))], "3H AH 2H 9H -2 KH 7H -1"),
]


@pytest.mark.parametrize(("tricks", "steps"), STEPS)
def test_tricks_card_by_card_name_who_is_out(tricks, steps):
    table = Table(find_rules("ten-point"))
    told = steps_of(table, table.trumps["H"], tricks, leader=1)
    left = [f"-{seat}" for seat in tricks[-1].seats or (1, 2, 3, 4)]  # the hand ended early: no one had another
    assert list(told) == steps.split() + sorted(left)
    assert PlaySoFar(table, table.trumps["H"], 1, told).tricks == [
        Trick(trick.lead, trick.cards, seats=trick.seats) for trick in tricks
    ]
