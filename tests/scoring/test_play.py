"""Tricks: legal cards, winners, and problems of illegal plays."""

import itertools

import pytest

from scorekeeper.scoring.play import Trick, legal_cards, play_out, trick_winner
from scorekeeper.scoring.problems import Problems
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from tests.scoring import reference

WEST = Table(find_rules("west-michigan-6"))
CLASSIC = Table(find_rules("classic"))
DOUBLE = Table(find_rules("double-jack"))


@pytest.mark.parametrize(
    ("table", "trump", "led", "hand", "legal", "source"),
    [
        (CLASSIC, "H", None, "AS 2H 9C", "AS 2H 9C", "004: any card may be played first on a trick"),
        (CLASSIC, "H", "KS", "AS 2S 9C", "AS 2S", "004: either follow the suit led"),
        (CLASSIC, "H", "KS", "AS 2H 9C", "AS 2H", "004: or play a trump"),
        (CLASSIC, "H", "KS", "2H 9C 4D", "2H 9C 4D", "004: if a player cannot follow suit, any card"),
        (CLASSIC, "H", "KH", "2H 9C AS", "2H", "trump led is followed by trump"),
        (CLASSIC, "H", "KH", "9C AS", "9C AS", "nothing to follow with"),
        (CLASSIC, "H", "KD", "JD 9C", "JD", "without a Left Jack, the jack is of its own suit"),
        (WEST, "H", "KH", "JD 9C", "JD", "000 4.2: the Left Jack is trump"),
        (WEST, "H", "KD", "JD 9C", "JD 9C", "and so not a diamond: nobody has to follow with it"),
        (WEST, "H", "KD", "JD 9D 9C", "JD 9D", "but it may be played as trump"),
        (WEST, "H", "JD", "9D 9H 9C", "9H", "led, it calls for trump"),
        (WEST, "H", "XB", "AH 9D XR", "AH XR", "000 8.2: a joker counts as trump"),
        (WEST, "H", "AH", "XB 9D", "XB", "000 8.2: playing a Joker counts as following trump"),
        (WEST, "H", "9D", "XB 7D 9C", "XB 7D", "000 8.2: allowed to trump even if you could follow suit"),
        (WEST, "C", "AC", "JS 2S", "JS", "000 4.2: if clubs are trump, the Left Jack is the jack of spades"),
        (DOUBLE, "H", "AD", "JD KD 2C", "JD KD", "003: the jack of diamonds would be considered a heart"),
    ],
)
def test_follow_suit_or_trump(table: Table, trump: str, led: str | None, hand: str, legal: str, source: str) -> None:
    assert legal_cards(hand.split(), led, table.trumps[trump]) == legal.split(), source


@pytest.mark.parametrize(
    ("table", "trump", "cards", "winner", "source"),
    [
        (CLASSIC, "H", "9S AS 2S KC", "AS", "004: the highest card of the suit led"),
        (CLASSIC, "H", "9S AC KC AD", "9S", "a higher card of another suit takes nothing"),
        (CLASSIC, "H", "AS 2H KS QS", "2H", "001: even the lowliest trump can beat an Ace"),
        (CLASSIC, "H", "AS 2H TH 9H", "TH", "004: the highest trump played"),
        (CLASSIC, "H", "2H 3H 4H 5H", "5H", "004"),
        (WEST, "H", "QH JH JD XR XB TH", "QH", "000 5.1: A K Q right left red black 10"),
        (WEST, "H", "TH XB JD XR 9H 2H", "JD", "000 5.1: the Left Jack beats both jokers"),
        (WEST, "H", "JD JH 2H 7H 8H 9H", "JH", "000 5.1: the Right Jack beats the Left"),
        (WEST, "H", "TH XB 9H 8H 7H 2H", "XB", "000 5.1: the Black Joker beats the ten"),
        (WEST, "H", "XB XR TH 9H 8H 7H", "XR", "000 5.1: the Red Joker beats the Black"),
        (WEST, "H", "AD KD QD 2D XB 7C", "XB", "000 5.2: jokers are always trump"),
        (WEST, "H", "AD KD JD TD 9D 8D", "JD", "the Left Jack takes a trick of its own printed suit"),
        (WEST, "S", "AD KD JD TD 9D 8D", "AD", "under other trumps it is a plain jack"),
        (WEST, "S", "7D 8D JD TD 9D 2D", "JD", "000 5.2: A K Q J 10 9 8 7 2"),
    ],
)
def test_who_wins_a_trick(table: Table, trump: str, cards: str, winner: str, source: str) -> None:
    played = cards.split()
    assert played[trick_winner(played, table.trumps[trump])] == winner, source


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


def followed(text: str, bidder: int = 1, trump: str = "H") -> tuple[list[int] | None, list[tuple[str, str, str]]]:
    problems = Problems()
    play = play_out(THREE, THREE.trumps[trump], bidder, tricks(text), problems)
    return play and play.winners, [tuple(problem) for problem in problems]


@pytest.mark.parametrize(
    ("bidder", "text", "winners"),
    [
        (1, "1 AH 2H KH TH; 1 9H XB TD 2D; 2 AS KS QS TS", [1, 2, 2]),
        (1, "- AH 2H KH TH; - 9H XB TD 2D; - AS KS QS TS", [1, 2, 2]),
        (3, "3 AH 2H KH TH; 3 9H XB TD 2D; 4 AS KS QS TS", [3, 4, 4]),
        (4, "4 2H AH KH TH; 1 9D AD TD 2D; 2 AS XB QS TS", [1, 2, 3]),
    ],
)
def test_the_bidder_leads_and_then_whoever_won(bidder: int, text: str, winners: list[int]) -> None:
    """000 8.1: first trick by the highest bidder, each subsequent trick by the player who won the previous one."""
    assert followed(text, bidder) == (winners, [])


def test_each_card_has_its_player() -> None:
    play = play_out(THREE, THREE.trumps["H"], 3, tricks("3 AH 2H KH TH; 3 9H XB TD 2D; 4 AS KS QS TS"), Problems())
    assert play is not None
    assert list(play.player_of.values()) == [
        3, 4, 1, 2, 3, 4, 1, 2, 4, 1, 2, 3,
    ]  # fmt: skip


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
