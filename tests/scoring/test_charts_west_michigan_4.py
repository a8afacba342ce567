"""West Michigan Setback, four players (seed 000 section 15.1), as printed charts."""

from tests.scoring.records import (
    beaten_in_order,
    bidding,
    chart,
    ended,
    hand,
    plain,
    points,
    record,
    refusals,
    score,
    score_hand,
    signed,
)

RULES = "west-michigan-4"


@chart(
    "source, trump, order",
    ("spades", "15.1 cut all 3s-8s; 5.1", "S", "AS KS QS JS JC XR XB TS 9S 2S"),
    ("hearts", "15.1 All other rules remain the same; 4.2", "H", "AH KH QH JH JD XR XB TH 9H 2H"),
    ("not trump", "15.1; 5.2", "H", "AC KC QC JC TC 9C 2C"),
)
def test_the_order_of_the_cards(source, trump, order):
    assert beaten_in_order(RULES, trump, order)


@chart(
    "source, facts, taken, counts",
    ("six buried", "15.1 there will be 6 cards buried; rules.md: 80 less what is buried",
     {"buried": ["AH", "JH", "JD", "XR", "XB", "TH"], "game_counts": {"A": 40}},
     "high buried, right_jack buried, left_jack buried, right_joker buried, left_joker buried, game A", "A 40, B 24"),
    ("Low after burying", "15.1; 9.2", {"buried": ["2H", "9H", "TH", "XB", "2C", "2D"], "game_counts": {"A": 35}},
     "left_joker buried, game tied", "A 35, B 35"),
    ("the keeper of Low", "15.1; 8.3", {"piles": {"A": ["AH", "TH"], "B": ["KH"]}, "low_by": 4}, "low B, game B",
     "A 4, B 13"),
)  # fmt: skip
def test_who_has_each_point(source, facts, taken, counts):
    scored = score_hand(RULES, hand(1, 0, **facts))
    assert (points(scored, taken), plain(scored.counts)) == (taken, counts)


def test_low_can_be_a_joker():
    """9.2 and 15.1: with every trump from the ten down buried, Low is the lowest trump that was dealt."""
    facts = hand(1, 2, "A: low right_joker", buried=["XB", "TH", "9H", "2H", "2C", "2D"])
    assert score_hand(RULES, facts).points["low"].card == "XR"


@chart(
    "source, facts, at",
    ("no eights", "15.1 cut all 3s-8s", {"piles": {"A": ["8H"]}}, "piles.A[0]"),
    ("no sevens", "15.1 cut all 3s-8s", {"buried": ["7C"]}, "buried[0]"),
    ("seven buried", "15.1 6 cards buried", {"buried": ["2C", "2D", "2H", "2S", "9C", "9D", "9H"]}, "buried"),
)
def test_what_the_deck_does_not_have(source, facts, at):
    assert refusals(record(RULES, hand(1, 2, **facts)))[0][0] == f"hands[0].{at}"


@chart(
    "source, dealer, auction, outcome",
    ("one round", "15.1; 6.2", 4, "1:p 2:3 3:p 4:4", "4 at 4"),
    ("strictly higher", "15.1; 6.2", 4, "1:p 2:3 3:p 4:3", "refused at bids[3]"),
    ("all pass", "15.1; 6.2 or simply redeal the hand", 2, "3:p 4:p 1:p 2:p", "passed out, 2 deals"),
)
def test_the_bidding(source, dealer, auction, outcome):
    assert bidding(RULES, dealer, auction) == outcome


@chart(
    "source, bidder, bid, took, change",
    ("made", "15.1; 10.1", 3, 3, "A: high low game; B: left_jack", "A +3, B +1"),
    ("set", "15.1; 10.2", 4, 5, "B: high low; A: game", "A +1, B -5"),
)
def test_applying_the_bid(source, bidder, bid, took, change):
    assert signed(score_hand(RULES, hand(bidder, bid, took)).change) == change


@chart(
    "source, start, bidder, took, outcome",
    ("one there", "15.1; 11 Common target score: 21", (20, 3), 1, "A: high", "A by target"),
    ("both there", "15.1; 11 the bidding team wins", (20, 20), 2, "A: high low; B: game", "B by bidder"),
    ("nobody there", "15.1; 11", (19, 19), 2, "A: high; B: game", "goes on"),
)
def test_the_winner(source, start, bidder, took, outcome):
    assert ended(score(RULES, hand(bidder, 1, took), start=dict(zip("AB", start, strict=True)))) == outcome


def test_four_seats_alternate_and_the_deal_rotates():
    """15.1: Seating order should still alternate by team: A, B, A, B around the table; 12.1 Rotate dealer."""
    games = [score(RULES, hand(seat, 0, dealer=seat)) for seat in range(1, 5)]
    assert [(game.hands[0].bidding_side, game.next_dealer) for game in games] == [
        ("A", 2),
        ("B", 3),
        ("A", 4),
        ("B", 1),
    ]
