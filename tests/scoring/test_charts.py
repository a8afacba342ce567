"""The rules of the five source documents as charts: each row cites the sentence it follows from."""

from typing import Any

import pytest

from scorekeeper.scoring.rules import find_rules
from tests.scoring.records import (
    beaten_in_order,
    bidding,
    cards,
    chart,
    ended,
    grouped,
    hand,
    may_play,
    plain,
    points,
    score,
    score_hand,
    signed,
    tricks,
    wins,
)


def charts(columns: str, **rows: list[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """Like `chart`, with rows by rule set."""
    return chart(
        f"rules, {columns}",
        *((f"{rules}: {row[0]}", rules.replace("_", "-"), *row[1:]) for rules in rows for row in rows[rules]),
    )


@charts(
    "source, trump, order",
    west_michigan_6=[
        ("hearts", "5.1 Ace, King, Queen, Right Jack, Left Jack, Right Joker, Left Joker, 10, 9, 8, 7, 2", "H",
         "AH KH QH JH JD XR XB TH 9H 8H 7H 2H"),
        ("diamonds", "4.2 Left Jack: Jack of the same-color suit as trump", "D", "AD KD QD JD JH XR XB TD 9D 8D 7D 2D"),
        ("clubs", "4.2 If ♣ is trump → Right Jack = J♣, Left Jack = J♠", "C", "AC KC QC JC JS XR XB TC 9C 8C 7C 2C"),
        ("spades", "12.2 Trump cards from strongest to weakest", "S", "AS KS QS JS JC XR XB TS 9S 8S 7S 2S"),
        ("not trump", "5.2 A (high), K, Q, J, 10, 9, 8, 7, 2 (low)", "H", "AS KS QS JS TS 9S 8S 7S 2S"),
        ("the left jack's suit", "5.1 within trump: Left Jack (same-color Jack)", "H", "AD KD QD TD 9D 8D 7D 2D"),
    ],
    double_jack=[
        ("hearts", "The value order of the hearts would be: A♥ K♥ Q♥ J♥ J♦ 10♥ 9♥ 2♥", "H", "AH KH QH JH JD TH 9H 2H"),
        ("clubs", "the jack of the same color as trump (left bower)", "C", "AC KC QC JC JS TC 9C 2C"),
        ("diamonds, hearts trump", "diamonds would be missing the jack from its normal order", "H",
         "AD KD QD TD 9D 2D"),
        ("spades, hearts trump", "The other suits are normal order", "H", "AS KS QS JS TS 9S 2S"),
    ],
)  # fmt: skip
def test_the_order_of_the_cards(rules, source, trump, order):
    assert beaten_in_order(rules, trump, order)


@charts(
    "source, trump, trick, winner",
    west_michigan_6=[
        ("highest trump", "8.3 If any trump is played, the highest trump wins the trick", "H", "AS KS 2H AC 7H QS",
         "7H"),
        ("highest of the suit", "8.3 If no trump is played, the highest card of the led suit wins", "H",
         "9C AS KC TC 2C QD", "KC"),
        ("a joker is trump", "4.3 Jokers: Are always trump", "S", "AD KD XB QD TD 9D", "XB"),
        ("red over black joker", "4.3 Red Joker (higher Joker)", "S", "XB XR 7C 8C 9C TC", "XR"),
        ("black joker over ten", "5.1 Left Joker (Black), 10", "S", "TS XB 9S 8S 7S 2S", "XB"),
        ("left jack over red joker", "5.1 Left Jack (same-color Jack), Right Joker (Red)", "D", "XR JH XB TD 9D 8D",
         "JH"),
        ("left jack takes its old suit", "5.1 Left Jack within trump", "H", "AD JD KD QD TD 9D", "JD"),
        ("the other jacks are plain", "5.2 non-trump suits", "H", "AC JC KC JS QC TC", "AC"),
    ],
    double_jack=[
        ("the left bower", "The jack of diamonds would be considered a heart for the purposes of suit", "H",
         "AD JD KD 2D", "JD"),
        ("the right bower", "they are in the middle of the deck rather than the highest cards", "H", "JD JH TH 2H",
         "JH"),
        ("queen over bowers", "they are in the middle of the deck rather than the highest cards", "H", "JH QH JD 2H",
         "QH"),
        ("no trump", "capturing tricks", "H", "9S AC TS KD", "TS"),
    ],
)  # fmt: skip
def test_who_wins_the_trick(rules, source, trump, trick, winner):
    assert wins(rules, trump, trick) == winner


@charts(
    "source, facts, taken, counts",
    west_michigan_6=[
        ("ace is High", "9.1 High is the Ace of trump, if it was dealt and captured", "A: AH 9C; B: KH 2H",
         "high A, low B, right_jack not captured, game A", "A 4, B 3"),
        ("ace buried", "9.1 If the Ace of trump is in the buried pile, no High point is awarded",
         {"trump": "S", "buried": cards("AS 9C"), "piles": grouped("A: KS QS; B: 2S")}, "high buried, low B, game A",
         "A 5, B 0"),
        ("two buried", "9.2 Consider only trump cards actually dealt (ignore buried cards)",
         {"buried": cards("2H 7H"), "piles": grouped("A: AH; B: 8H 9H")}, "high A, low B", "A 4, B 0"),
        ("Low stays with its player", "8.3 the player who played that card keeps it in their own team's pile",
         {"piles": grouped("A: AH 2H; B: KH"), "low_by": "B"}, "high A, low B", "A 4, B 3"),
        ("Low where it lies", "9.2 that card is set aside in that team's capture pile", "A: AH 2H; B: KH",
         "high A, low A", "A 4, B 3"),
        ("a ten as Low counts for its player", "9.2 still counts toward Game scoring as normal",
         {"piles": grouped("A: AH TH KC; B: KH QC"), "low_by": 2}, "low B, game B", "A 7, B 15"),
        ("a joker as Low", "5.1 this order is used to determine which trump card counts as Low",
         {"piles": grouped("A: AH XB; B: KH"), "low_by": "B"}, "low B, left_joker B, game A", "A 4, B 3"),
        ("the left jack as Low", "5.1 this order is used to determine which trump card counts as Low",
         {"piles": grouped("A: AH JD; B: KH"), "low_by": "B"}, "low B, left_jack B, game tied", "A 4, B 4"),
        ("one trump is High and Low", "9.1 and 9.2", {"piles": grouped("A: AH 9C; B: KC"), "low_by": "A"},
         "high A, low A, game A", "A 4, B 3"),
        ("clubs: both jacks", "4.2 If ♣ is trump → Right Jack = J♣, Left Jack = J♠",
         {"trump": "C", "piles": grouped("A: JC; B: JS")}, "right_jack A, left_jack B, game tied", "A 1, B 1"),
        ("both jokers", "9.4 If the Right Joker (Red Joker) was dealt and captured, its team scores 1",
         {"trump": "S", "piles": grouped("A: XR; B: XB")}, "right_joker A, left_joker B, low B", "A 0, B 0"),
        ("jack and joker buried", "9.3 If a Jack is buried, its point cannot be scored; 9.4 If a Joker is buried",
         {"trump": "D", "buried": cards("JH XR"), "piles": grouped("A: JD; B: XB")},
         "right_jack A, left_jack buried, right_joker buried, left_joker B", "A 1, B 0"),
        ("what cards count", "9.5 10 = 10, Ace = 4, King = 3, Queen = 2, Jack (any) = 1, all other and Jokers = 0",
         "A: TS AS KS QS JS; B: 9S 8S 7S 2S XR XB", "game A", "A 20, B 0"),
        ("Game tied", "9.5 If there is a tie, no Game point is awarded", "A: TS; B: AS AC QC", "game tied",
         "A 10, B 10"),
        ("claims with counts", "9.5 The team with the highest total scores the Game point",
         {"claims": {"high": 1}, "game_counts": {"A": 39, "B": 41}}, "high A, game B", "A 39, B 41"),
        ("one count from the other", "9.5; rules.md: the exact Game total (80 less what is buried)",
         {"claims": {}, "buried": cards("TC AC"), "game_counts": {"B": 20}}, "game A", "A 46, B 20"),
        ("counts tied", "9.5 If there is a tie, no Game point is awarded",
         {"claims": {}, "game_counts": {"A": 38, "B": 38}}, "game tied", "A 38, B 38"),
    ],
    west_michigan_4=[
        ("six buried", "15.1 there will be 6 cards buried; rules.md: 80 less what is buried",
         {"buried": cards("AH JH JD XR XB TH"), "game_counts": {"A": 40}},
         "high buried, right_jack buried, left_jack buried, right_joker buried, left_joker buried, game A",
         "A 40, B 24"),
        ("Low after burying", "15.1; 9.2", {"buried": cards("2H 9H TH XB 2C 2D"), "game_counts": {"A": 35}},
         "left_joker buried, game tied", "A 35, B 35"),
        ("the keeper of Low", "15.1; 8.3", {"piles": grouped("A: AH TH; B: KH"), "low_by": 4}, "low B, game B",
         "A 4, B 13"),
    ],
    shankar=[
        ("High need not be the ace", "High=the highest card in the trump suit (this may not be the ace)",
         "A: QH 9C; B: 5H", "high A, low B, jack not captured", "A 2, B 0"),
        ("Low goes to the taker", "For each of these cards you possess (you win), you get a point", "A: QH 5H; B: 9C",
         "high A, low A", "A 2, B 0"),
        ("Jack", "Jack=the Jack of the trump suit", "A: QH 5H; B: JH", "jack B, game A", "A 2, B 1"),
        ("one card is all three", "High, Low, Jack: the highest, the lowest, the Jack", "A: 9C; B: JH",
         "high B, low B, jack B, game B", "A 0, B 1"),
        ("what cards count", "Ten 10, Ace 4, King 3, Queen 2, Jack 1 game points; all suits are equal",
         "A: TS; B: AS KD QC JC", "game tied", "A 10, B 10"),
        ("most", "Game/Most=the sum of game points", "A: TS; B: AS KD QC JC JD", "game B", "A 10, B 11"),
    ],
    partnership=[
        ("High and Low in play", "rules.md: the highest and lowest trump in play", "A: KH 9C; B: 4H",
         "high A, low B, jack not captured, game A", "A 3, B 0"),
        ("Low is captured", "if the opponents capture the 2 of trump, the opponents score one for Low",
         "A: 2H 9C; B: AH", "high B, low A", "A 0, B 4"),
        ("Jack by capture", "rules.md: Jack by capture", "A: KH; B: JH", "jack B", "A 3, B 1"),
        ("Game by the most", "rules.md: Game by the most", "A: TS AS; B: AC KC QC JC", "game A", "A 14, B 10"),
        ("Game tied", "rules.md: tie nobody", "A: TS; B: AC KC QC JC", "game tied", "A 10, B 10"),
    ],
    double_jack=[
        ("High in your hand", "having the highest trump card (usually the ace) in your hand",
         {"piles": grouped("A: KH 9C; B: 9H"), "high_by": "B"}, "high B, low B", "A 3, B 0"),
        ("Low in your hand", "having the lowest trump card (usually the deuce) in your hand",
         {"piles": grouped("A: KH 9H; B: 9C"), "low_by": 2}, "high A, low B", "A 3, B 0"),
        ("Low where it lies", "game-record.md: without low_by, the pile it lies in has it", "A: KH 9H; B: 9C",
         "high A, low A", "A 3, B 0"),
        ("a held ten counts where it lies", "Game points are counted based on the cards you take in during tricks",
         {"piles": grouped("A: KH TH; B: 9C"), "low_by": "B"}, "low B", "A 13, B 0"),
        ("both bowers", "capturing the jack of trump (right); capturing the jack of the same color (left)",
         "A: JD; B: JH", "right_jack B, left_jack A", "A 1, B 1"),
        ("a bower as Low: held by one, captured by another", "having the lowest trump card; capturing the left bower",
         {"piles": grouped("A: AH JD; B: KH"), "low_by": "B"}, "low B, left_jack A", "A 5, B 3"),
        ("a buried bower", "it is possible for one (or both) of the bowers to be \"buried\"",
         {"buried": cards("JH JD"), "piles": grouped("A: AH; B: 2H")}, "right_jack buried, left_jack buried",
         "A 4, B 0"),
        ("the ace buried", "the highest trump card (usually the ace)",
         {"buried": cards("AH"), "piles": grouped("A: KH; B: 2H")}, "high A, low B", "A 3, B 0"),
        ("forty-one", "you must have at least forty one game points", {"claims": {}, "game_counts": {"A": 41, "B": 39}},
         "game A", "A 41, B 39"),
        ("tied at forty", "if you tie with forty, then nobody gets the game point",
         {"claims": {}, "game_counts": {"A": 40, "B": 40}}, "game tied", "A 40, B 40"),
        ("forty is not enough", "at least forty one; rules.md: literally, whatever is buried",
         {"claims": {}, "game_counts": {"A": 40, "B": 30}}, "game below threshold", "A 40, B 30"),
        ("what cards count", "Ace 4, King 3, Queen 2, Jack 1, Ten 10", "A: AS KS QS JS TS 9S 2S; B: TC TD TH AC AD KC",
         "game B", "A 20, B 41"),
    ],
    classic=[
        ("High", "Whichever team takes the High is awarded that point", "A: QH 9C; B: 5H", "high A, low B", "A 2, B 0"),
        ("Low", "Whichever team takes the Low is awarded that point", "A: QH 5H; B: 9C", "high A, low A", "A 2, B 0"),
        ("Jack", "Whichever team takes the Jack is awarded that point", "A: QH; B: JH", "jack B", "A 2, B 1"),
        ("the other jacks", "the Jack of trump", "A: QH; B: JD", "jack not captured", "A 2, B 1"),
        ("Game", "Whichever team takes the most game points is awarded the Game point", "A: TS; B: AC AD KD", "game B",
         "A 10, B 11"),
        ("Game tied", "If both teams take the same number of game points, no Game point is awarded",
         "A: TS JD; B: AC AD KD", "game tied", "A 11, B 11"),
    ],
)  # fmt: skip
def test_who_has_each_point(rules, source, facts, taken, counts):
    """A text gives the piles."""
    told = {"piles": grouped(facts)} if isinstance(facts, str) else facts
    scored = score_hand(rules, hand(1, find_rules(rules).auction.min, **told))
    assert (points(scored, taken), plain(scored.counts)) == (taken, counts)


@charts(
    "source, auction, outcome",
    west_michigan_6=[
        ("left of the dealer first", "6.2 Starting with the player to the dealer's left", "1:4 2:p 3:p 4:p 5:p 6:p",
         "1 at 4"),
        ("not at the dealer's left", "6.2 Starting with the player to the dealer's left", "2:4", "refused at bids[0]"),
        ("clockwise, the highest wins", "6.2 the highest bidder wins the bid", "1:2 2:3 3:p 4:p 5:4 6:p", "5 at 4"),
        ("strictly higher", "6.2 Bids must be strictly higher than any previous bid", "1:4 2:4", "refused at bids[1]"),
        ("the dealer too", "6.2 Bids must be strictly higher", "1:4 2:p 3:p 4:p 5:p 6:4", "refused at bids[5]"),
        ("the dealer outbids", "6.2 Bids must be strictly higher", "1:4 2:p 3:p 4:p 5:p 6:5", "6 at 5"),
        ("one round", "6.1 a single round of bidding is held", "1:p 2:3 3:p 4:p 5:p 6:p 1:4", "refused at bids[6]"),
        ("seven", "6.2 7 as the effective maximum bid", "1:p 2:p 3:p 4:p 5:p 6:7", "6 at 7"),
        ("not eight", "6.2 there are at most 7 points", "1:8", "refused at bids[0]"),
        ("nought", "13.3 Bid (0–7, strictly increasing bids)", "1:0 2:p 3:p 4:p 5:p 6:p", "1 at 0"),
        ("not below nought", "13.3 Bid (0–7)", "1:-1", "refused at bids[0]"),
        ("all pass", "6.2 or simply redeal the hand", "1:p 2:p 3:p 4:p 5:p 6:p", "passed out, 6 deals"),
        ("unfinished", "6.2 When all players bid or pass", "1:p 2:2", "refused at bids"),
    ],
    shankar=[
        ("left of the dealer", "Bidding proceeds clockwise from the person to the left of the dealer",
         "1:2 2:p 3:3 4:p", "3 at 3"),
        ("out of turn", "clockwise from the person to the left of the dealer", "2:2", "refused at bids[0]"),
        ("once around", "The bid goes around only once", "1:2 2:p 3:p 4:p 1:3", "refused at bids[4]"),
        ("no one", "A number: 2, 3, or 4", "1:1", "refused at bids[0]"),
        ("no five", "A number: 2, 3, or 4", "1:5", "refused at bids[0]"),
        ("four", "A number: 2, 3, or 4", "1:p 2:4 3:p 4:p", "2 at 4"),
        ("not the same", "he can[not] make more points than the previous bidder", "1:2 2:2", "refused at bids[1]"),
        ("nor the dealer", "he can[not] make more points than the previous bidder", "1:p 2:4 3:p 4:4",
         "refused at bids[3]"),
        ("the dealer must bid", "if nobody else bids, the dealer must bid", "1:p 2:p 3:p 4:p", "refused at bids[3]"),
        ("a forced two", "if nobody else bids, the dealer must bid", "1:p 2:p 3:p 4:2", "4 at 2"),
        ("a forced four", "rules.md: any legal bid", "1:p 2:p 3:p 4:4", "4 at 4"),
    ],
    partnership=[
        ("two", "The possible bids are two, three, four and smudge", "1:2 2:p 3:p 4:p", "1 at 2"),
        ("no one", "The possible bids are two, three, four and smudge", "1:1", "refused at bids[0]"),
        ("no six", "The possible bids are two, three, four and smudge", "1:6", "refused at bids[0]"),
        ("smudge", "smudge is really a bid of five", "1:4 2:smudge 3:p 4:p", "2 at 5"),
        ("smudge as a number", "smudge is really a bid of five", "1:4 2:5 3:p 4:p", "2 at 5"),
        ("higher", "Each player in turn either passes or bids higher than the previous bid", "1:3 2:3",
         "refused at bids[1]"),
        ("the dealer steals a two", "the dealer may \"steal the bid\" by bidding the same as the highest bid",
         "1:2 2:p 3:p 4:2", "4 at 2"),
        ("the dealer steals a four", "by bidding the same as the highest bid", "1:2 2:4 3:p 4:4", "4 at 4"),
        ("the dealer steals a smudge", "rules.md: matching a smudge is allowed as written", "1:smudge 2:p 3:p 4:smudge",
         "4 at 5"),
        ("not lower", "by bidding the same as the highest bid", "1:3 2:p 3:p 4:2", "refused at bids[3]"),
        ("only the dealer", "except for the dealer", "1:p 2:3 3:3", "refused at bids[2]"),
        ("one round", "There is one round of bidding", "1:2 2:p 3:p 4:p 1:3", "refused at bids[4]"),
        ("a force bid", "If the first three players pass, the dealer must bid at least the minimum bid of two",
         "1:p 2:p 3:p 4:2", "4 at 2"),
        ("more than forced", "at least the minimum bid of two", "1:p 2:p 3:p 4:smudge", "4 at 5"),
        ("forced may not pass", "the dealer must bid", "1:p 2:p 3:p 4:p", "refused at bids[3]"),
    ],
    double_jack=[
        ("left of the dealer", "the first player to the left of the dealer has the opportunity to bid",
         "1:2 2:p 3:p 4:p", "1 at 2"),
        ("around again",
         "It continues on in a clockwise manner until someone has bid five, or everyone else has passed",
         "1:1 2:2 3:p 4:p 1:3 2:4 1:p", "2 at 4"),
        ("who passed is out", "Once you have passed, you cannot bid any more", "1:p 2:1 3:2 4:p 1:3",
         "refused at bids[4]"),
        ("the passed are skipped", "Once you have passed, you cannot bid any more", "1:p 2:1 3:2 4:p 2:3 3:p",
         "2 at 3"),
        ("five ends it", "until someone has bid five", "1:1 2:5", "2 at 5"),
        ("nobody over five", "until someone has bid five", "1:5 2:6", "refused at bids[1]"),
        ("one is a bid", "rules.md: 1 as least bid", "1:p 2:p 3:p 4:1", "4 at 1"),
        ("nought is none", "rules.md: 1 as least bid", "1:0", "refused at bids[0]"),
        ("higher each time", "rules.md: dealer: outbid", "1:2 2:p 3:p 4:2", "refused at bids[3]"),
        ("all pass", "rules.md: next-dealer", "1:p 2:p 3:p 4:p", "passed out, 1 deals"),
        ("unfinished", "until everyone else has passed", "1:1 2:2 3:p 4:p", "refused at bids"),
        ("over", "until everyone else has passed", "1:1 2:p 3:p 4:p 1:2", "refused at bids[4]"),
    ],
    classic=[
        ("left of the dealer", "beginning with the player to the dealer's left and proceeding clockwise",
         "1:2 2:p 3:p 4:p", "1 at 2"),
        ("out of turn", "beginning with the player to the dealer's left", "4:2", "refused at bids[0]"),
        ("once each", "Each player bids once", "1:2 2:3 3:p 4:p 1:4", "refused at bids[4]"),
        ("no one", "rules.md: pass, 2, 3, 4", "1:1", "refused at bids[0]"),
        ("no five", "rules.md: pass, 2, 3, 4", "1:5", "refused at bids[0]"),
        ("higher", "Each player must either pass, or make a bid higher than the previous bids", "1:3 2:3",
         "refused at bids[1]"),
        ("the dealer steals a four", "the dealer can always \"steal\" a four bid", "1:p 2:4 3:p 4:4", "4 at 4"),
        ("not a three", "steal a four bid", "1:p 2:3 3:p 4:3", "refused at bids[3]"),
        ("not a two", "steal a four bid", "1:2 2:p 3:p 4:2", "refused at bids[3]"),
        ("only the dealer", "the dealer can always steal", "1:p 2:4 3:4", "refused at bids[2]"),
        ("the dealer passes a four", "the dealer can steal", "1:p 2:4 3:p 4:p", "2 at 4"),
        ("all pass", "If all four players pass, all hands are discarded and the deal moves clockwise",
         "1:p 2:p 3:p 4:p", "passed out, 1 deals"),
    ],
)  # fmt: skip
def test_the_bidding_with_the_last_seat_as_dealer(rules, source, auction, outcome):
    assert bidding(rules, find_rules(rules).table.players[0], auction) == outcome


@charts(
    "source, start, bidder, bid, took, outcome",
    partnership=[
        ("a made bid at 21", "a team needs at least 21 points, at the end of a hand in which they made their bid",
         (19, 0), 1, 2, "A: high low", "A by target"),
        ("20 is not enough", "a team needs at least 21 points", (18, 0), 1, 2, "A: high low", "goes on"),
        ("against the declarer", "A team which reaches 21 or more against the declarer does not win", (19, 0), 2, 2,
         "A: high low; B: jack game", "goes on"),
        ("declarer set", "against the declarer does not win", (19, 0), 2, 3, "A: high low; B: jack game", "goes on"),
        ("lost the contract at 21", "nor do they win if they bid and lose a contract, but still have 21 or more",
         (24, 0), 1, 3, "A: high low; B: game", "goes on"),
        ("fewer points win", "If we now bid 3 and make it, and they take 1 point, we win with 21 while they have 25",
         (18, 24), 1, 3, "A: high jack game; B: low", "A by target"),
        ("far above", "they can only win at the end of a hand in which they made their bid", (24, 3), 3, 2,
         "A: high low", "A by target"),
    ],
    classic=[
        ("eleven", "Whichever team takes 11 (or more) points first wins the game", (9, 0), 1, 2, "A: high low",
         "A by target"),
        ("ten", "Whichever team takes 11 (or more) points", (8, 0), 1, 2, "A: high low", "goes on"),
        ("both, the bidder behind", "Whichever team takes 11; rules.md: highest, play-on", (9, 10), 1, 2,
         "A: high low; B: jack game", "B by highest"),
        ("tied", "If the teams are tied, the game continues for at least one more deal", (9, 9), 1, 2,
         "A: high low; B: jack game", "goes on"),
        ("tied below eleven", "If the teams are tied, the game continues", (7, 7), 1, 2, "A: high low; B: jack game",
         "goes on"),
    ],
)  # fmt: skip
def test_the_winner(rules, source, start, bidder, bid, took, outcome):
    assert ended(score(rules, hand(bidder, bid, took), start=dict(zip("AB", start, strict=True)))) == outcome


# --- West Michigan, six players (seed 000) -------------------------------------------------------------------------

ALL_TO_A = "A: high low right_jack left_jack right_joker left_joker game"


@chart(
    "source, trump, led, held, allowed",
    ("follow or trump", "8.2 you may choose to play a trump card instead", "H", "AC", "KC 2H XR 9S", "KC 2H XR"),
    ("only following", "8.2 If you have cards of the led suit: You may follow suit", "H", "AC", "KC 2C 9S", "KC 2C"),
    ("void", "8.2 If you have no cards of the led suit: You may play any card", "H", "AC", "9S 2D 7H", "9S 2D 7H"),
    ("joker follows trump", "8.2 When trump is led, playing a Joker counts as following trump", "H", "AH", "XB KC 9S",
     "XB"),
    ("left jack follows trump", "5.1 Within trump: Left Jack", "H", "AH", "JD 9D KC", "JD"),
    ("left jack is no diamond", "5.1 Within trump: Left Jack", "H", "KD", "JD KC 9S", "JD KC 9S"),
    ("a joker led asks for trump", "8.2 Jokers count as trump cards for all purposes", "H", "XR", "7H KC", "7H"),
)  # fmt: skip
def test_which_card_may_be_played(source, trump, led, held, allowed):
    assert may_play("west-michigan-6", trump, led, held) == allowed


@chart(
    "source, bidder, bid, took, made, change",
    ("more than bid", "10.1 If Pbid ≥ B, the bidding team adds Pbid", 1, 4,
     "A: high low right_jack right_joker game; B: left_jack left_joker", True, "A +5, B +2"),
    ("exactly the bid", "10.1 Pbid ≥ B", 4, 2, "A: high; B: low game", True, "A +1, B +2"),
    ("set", "10.2 the bidding team subtracts B", 2, 5, "B: low right_jack left_joker; A: left_jack game", False,
     "A +2, B -5"),
    ("one short", "10.2 If Pbid < B", 1, 4, "A: high low game; B: right_jack", False, "A -4, B +1"),
    ("all seven", "9 up to 7 points", 3, 7, ALL_TO_A, True, "A +7, B +0"),
    ("nothing bid, nothing taken", "10.1 Pbid ≥ B; 13.3 Bid (0–7)", 1, 0, "B: high", True, "A +0, B +1"),
    ("set without a point", "10.2 subtracts B", 6, 7, ALL_TO_A, False, "A +7, B -7"),
)  # fmt: skip
def test_applying_the_bid(source, bidder, bid, took, made, change):
    scored = score_hand("west-michigan-6", hand(bidder, bid, took))
    assert (scored.made, signed(scored.change)) == (made, change)


@chart(
    "source, start, bidder, bid, took, outcome, totals",
    ("reach the target", "11 The first team to reach or exceed the target wins", (19, 5), 1, 2, "A: high low",
     "A by target", "A 21, B 5"),
    ("exceed the target", "11 reach or exceed", (19, 5), 1, 2, ALL_TO_A, "A by target", "A 26, B 5"),
    ("one below", "11 Common target score: 21", (18, 5), 1, 2, "A: high low", "goes on", "A 20, B 5"),
    ("defenders reach it", "11 The first team to reach", (19, 5), 2, 1, "A: high low; B: game", "A by target",
     "A 21, B 6"),
    ("both, A bid", "11 If multiple teams cross, the bidding team wins", (20, 19), 1, 2,
     "A: high low; B: right_jack left_jack game", "A by bidder", "A 22, B 22"),
    ("both, B bid and is behind", "11 If multiple teams cross, the bidding team wins", (20, 19), 2, 2,
     "A: high low right_jack; B: left_jack game", "B by bidder", "A 23, B 21"),
    ("set just before the end", "10.2 and 11", (20, 20), 1, 4, "A: high low game; B: right_jack", "B by target",
     "A 16, B 21"),
    ("below zero", "10.2 scores can go negative", (0, 0), 1, 5, "A: high; B: low", "goes on", "A -5, B 1"),
    ("further below zero", "10.2 scores can go negative", (-3, 0), 1, 5, "B: high", "goes on", "A -8, B 1"),
    ("scores carried over", "game-record.md start", (12, -4), 2, 0, "B: high", "goes on", "A 12, B -3"),
)  # fmt: skip
def test_the_totals_and_the_winner(source, start, bidder, bid, took, outcome, totals):
    game = score("west-michigan-6", hand(bidder, bid, took), start=dict(zip("AB", start, strict=True)))
    assert (ended(game), plain(game.totals)) == (outcome, totals)


# --- West Michigan, four players (section 15.1) --------------------------------------------------------------------


def test_low_can_be_a_joker():
    """9.2 and 15.1: with every trump from the ten down buried, Low is the lowest trump that was dealt."""
    facts = hand(1, 2, "A: low right_joker", buried=["XB", "TH", "9H", "2H", "2C", "2D"])
    assert score_hand("west-michigan-4", facts).points["low"].card == "XR"


# --- West Michigan, five players who call a partner (section 15.2) -------------------------------------------------

# Spades are trump, and the bidder, seat 2, holds every dealt spade but the king and leads from the ace down. The hands:
# 2 AS QS JS TS 9S 8S, 3 KS AH KH QH JH TH, 4 AD KD QD JD TD 9D, 5 AC KC QC TC 9C 8C, 1 9H 8H 2H 8D 2D 2C. Four cards
# are buried: XR XB JC 2S.
PLAY = tricks(
    "2: AS KS 9D 8C 2C",
    "2: QS TH TD 9C 2D",
    "2: JS JH JD TC 8D",
    "2: TS QH QD QC 2H",
    "2: 9S KH KD KC 8H",
    "2: 8S AH AD AC 9H",
)


@chart(
    "source, bidder, bid, call, took, change",
    ("a partner", "15.2 each teammate adds that total to their own score", 1, 3, {"called": "AS", "partner": 3},
     "bidding: high low game; defending: left_jack", "1 +3, 2 +1, 3 +3, 4 +1, 5 +1"),
    ("points by seats", "game-record.md: a seat number is read as the side of that seat", 1, 3,
     {"called": "AS", "partner": 3}, "3: high low; 1: game; 5: left_jack", "1 +3, 2 +1, 3 +3, 4 +1, 5 +1"),
    ("more than bid", "15.2 if they make the bid, every player on that team adds the points they earned", 4, 2,
     {"called": "XR", "partner": 5}, "bidding: high low game right_joker; defending: left_jack left_joker",
     "1 +2, 2 +2, 3 +2, 4 +4, 5 +4"),
    ("set together", "15.2 if they miss, every player on that team subtracts the full bid", 1, 4,
     {"called": "AS", "partner": 3}, "bidding: high low game; defending: left_jack", "1 -4, 2 +1, 3 -4, 4 +1, 5 +1"),
    ("called card buried, stated", "15.2 4 if the called card is buried", 2, 3,
     {"called": "KD", "buried": ["KD", "2C", "2D", "8S"]}, "bidding: high low game; defending: left_jack",
     "1 +1, 2 +3, 3 +1, 4 +1, 5 +1"),
    ("called card buried, nobody had it", "15.2 4 if the called card is buried", 2, 3,
     {"called": "KD", "partner": None},
     "bidding: high low; defending: left_jack", "1 +1, 2 -3, 3 +1, 4 +1, 5 +1"),
    ("a card of the own hand", "rules.md: a bidder who calls a card of their own hand plays alone", 5, 2,
     {"called": "AH", "partner": None}, "bidding: high low; defending: game", "1 +1, 2 +1, 3 +1, 4 +1, 5 +2"),
    ("the card left unsaid", "game-record.md: partner", 5, 2, {"partner": 2}, "2: high low; 1: game",
     "1 +1, 2 +2, 3 +1, 4 +1, 5 +2"),
)  # fmt: skip
def test_partners_share_a_hand_and_keep_their_own_scores(source, bidder, bid, call, took, change):
    scored = score_hand("west-michigan-5", hand(bidder, bid, took, **call))
    assert (scored.bidding_side, signed(scored.change)) == ("bidding", change)


@chart(
    "source, call, change",
    ("the player of the card", "15.2 Whoever holds that named card becomes the bidder's partner", {"called": "KS"},
     "1 +0, 2 +4, 3 +4, 4 +0, 5 +0"),
    ("said beside it", "15.2 Whoever holds that named card", {"called": "KS", "partner": 3},
     "1 +0, 2 +4, 3 +4, 4 +0, 5 +0"),
    ("another's card", "15.2 Whoever holds that named card", {"called": "2H"}, "1 +4, 2 +4, 3 +0, 4 +0, 5 +0"),
    ("a buried joker", "15.2 4 if the called card is buried; rules.md: a called card may be a joker", {"called": "XR"},
     "1 +0, 2 +4, 3 +0, 4 +0, 5 +0"),
    ("the bidder's own", "rules.md: plays alone", {"called": "JS"}, "1 +0, 2 +4, 3 +0, 4 +0, 5 +0"),
    ("the bidder's own, said", "game-record.md: partner null = buried, or the bidder's own",
     {"called": "JS", "partner": None}, "1 +0, 2 +4, 3 +0, 4 +0, 5 +0"),
)  # fmt: skip
def test_the_play_shows_the_partner(source, call, change):
    """High, Low (the 8 of spades: 2S is buried), Right Jack and Game go to seat 2's side; the others are buried."""
    scored = score_hand("west-michigan-5", hand(2, 4, trump="S", tricks=PLAY, buried=["XR", "XB", "JC", "2S"], **call))
    assert signed(scored.change) == change
    assert points(scored) == (
        "high bidding, low bidding, right_jack bidding, left_jack buried, right_joker buried, left_joker buried, "
        "game bidding"
    )
    # 80 less the buried jack of clubs; the bidder won every trick.
    assert plain(scored.counts) == "bidding 79, defending 0"


@chart(
    "source, bidder, call, start, took, outcome",
    ("alone at 21", "15.2 Play until a player reaches 21 points", 1, {"partner": None}, (19, 0, 0, 0, 0),
     "bidding: high low", "1 by target"),
    ("the bidder in the tie", "15.2 the highest bidder wins", 1, {"partner": None}, (19, 20, 20, 0, 0),
     "bidding: high low; defending: left_jack right_jack game", "1 by bidder"),
    ("bidder and partner", "rules.md: the partner's crossing together with the bidder: the bidder alone wins", 1,
     {"partner": 3}, (19, 0, 20, 0, 0), "bidding: high low", "1 by bidder"),
    ("the partner alone", "15.2 Play until a player reaches 21", 1, {"partner": 3}, (0, 0, 19, 0, 0),
     "bidding: high low", "3 by target"),
    ("highest of two", "15.2 If the highest bidder is not in the tie, the tied player with the highest total", 1,
     {"partner": None}, (0, 20, 19, 0, 0), "bidding: high; defending: left_jack right_jack", "2 by highest"),
    ("two of three tied", "15.2 If still tied, all tied players win together", 1, {"partner": None},
     (0, 20, 19, 20, 0), "bidding: high; defending: left_jack right_jack", "2 4 by share"),
    ("three win together", "15.2 If still tied, all tied players win together", 1, {"partner": 3},
     (0, 20, 0, 20, 20), "bidding: high; defending: left_jack", "2 4 5 by share"),
    ("all four defenders", "15.2 all tied players win together", 1, {"called": "XR", "partner": None},
     (20, 20, 20, 20, 20), "bidding: high; defending: left_jack", "2 3 4 5 by share"),
    ("nobody", "15.2 Play until a player reaches 21", 1, {"partner": 3}, (-8, 19, 3, 19, 19),
     "bidding: high; defending: left_jack", "goes on"),
)  # fmt: skip
def test_the_winner_with_a_called_partner(source, bidder, call, start, took, outcome):
    scores = {str(seat): number for seat, number in enumerate(start, 1)}
    assert ended(score("west-michigan-5", hand(bidder, 2, took, **call), start=scores)) == outcome


# --- Setback for two to six (seed 001) -----------------------------------------------------------------------------


def test_the_jack_may_not_be_in_play():
    """Jack: may or may not even be in play. All 12 cards of a two-player hand, so the jack of hearts was not dealt."""
    facts = hand(1, 2, piles={"1": ["KH", "9H", "3H", "AS", "KS", "TS", "4D"], "2": ["8H", "AC", "JC", "5D", "2D"]})
    scored = score_hand("shankar", facts, players=2)
    assert points(scored) == "high 1, low 1, jack not dealt, game 1"
    assert plain(scored.counts) == "1 20, 2 5"


@chart(
    "source, players, teams, units, bidder, took, change",
    ("two", "anywhere from two to six players", 2, 0, "1 2", 2, "2: high game; 1: low", "1 +1, 2 +2"),
    ("three", "anywhere from two to six players", 3, 0, "1 2 3", 2, "2: high game; 1: low", "1 +1, 2 +2, 3 +0"),
    ("four in pairs", "the bidder (he and his partner)", 4, 2, "A B", 2, "4: high; 2: game; 1: low", "A +1, B +2"),
    ("four alone", "rules.md: solo", 4, 0, "1 2 3 4", 2, "2: high game; 4: low", "1 +0, 2 +2, 3 +0, 4 +1"),
    ("five alone", "anywhere from two to six players", 5, 0, "1 2 3 4 5", 2, "2: high; 5: game",
     "1 +0, 2 -2, 3 +0, 4 +0, 5 +1"),
    ("six in threes", "rules.md: 2x3", 6, 2, "A B", 2, "6: high; 4: game; 1: low", "A +1, B +2"),
    ("six in pairs", "rules.md: 3x2", 6, 3, "A B C", 2, "5: high; 2: game; 6: low", "A +0, B +2, C +1"),
    ("six alone", "rules.md: solo", 6, 0, "1 2 3 4 5 6", 2, "2: high game; 6: low",
     "1 +0, 2 +2, 3 +0, 4 +0, 5 +0, 6 +1"),
)  # fmt: skip
def test_every_table(source, players, teams, units, bidder, took, change):
    game = score("shankar", hand(bidder, 2, took, dealer=players), players=players, teams=teams)
    assert (" ".join(game.totals), signed(game.hands[0].change), game.next_dealer) == (units, change, 1)


@chart(
    "source, counts, game",
    ("two at the top", "If more than one player (team) holds the highest number, nobody get the point",
     {"1": 20, "2": 20, "3": 10}, "game tied"),
    ("two below the top", "more than one player holds the highest number", {"1": 20, "2": 21, "3": 20}, "game 2"),
)  # fmt: skip
def test_game_among_three(source, counts, game):
    scored = score_hand("shankar", hand(1, 2, "1: high low", game_counts=counts), players=3)
    assert points(scored, game) == game


@chart(
    "source, start, took, outcome",
    ("the bidder first", "rules.md: bidder", (9, 10, 0), "1: high low; 2: jack game", "1 by bidder"),
    ("then the highest", "rules.md: highest", (0, 10, 10), "1: high; 2: jack game; 3: low", "2 by highest"),
    ("then nobody yet", "rules.md: play-on", (0, 10, 10), "1: high; 2: jack; 3: low", "goes on"),
)
def test_several_at_eleven_where_everyone_is_alone(source, start, took, outcome):
    scores = {str(seat): number for seat, number in enumerate(start, 1)}
    assert ended(score("shankar", hand(1, 2, took), players=3, start=scores)) == outcome


# --- Partnership Setback (seed 002) --------------------------------------------------------------------------------

EVERYTHING = cards("AS QS JS TS 2S AH KH 9H 4H 3H KD QD 8D 7D 6D 5D AC JC TC 9C 6C 4C 3C 2C")
# Seat 1 holds the six highest spades, seat 2 hearts, seat 3 diamonds, seat 4 clubs: team A wins every trick.
SWEEP = tricks(
    "1: AS 7H 7D 7C", "1: KS 6H 6D 6C", "1: QS 5H 5D 5C", "1: JS 4H 4D 4C", "1: TS 3H 3D 3C", "1: 9S 2H 2D 2C"
)
# Like SWEEP, but seat 2 has the two of spades: Low and the trick still go to A.
LOW_CAUGHT = tricks("1: AS 2S 7D 7C", *(f"{t['lead']}: {' '.join(t['cards'])}" for t in SWEEP[1:]))
# Seat 1's last card is a heart, which seat 2 beats: one trick is lost, but no point.
LAST_TRICK_LOST = tricks(
    *(f"{t['lead']}: {' '.join(t['cards'])}" for t in SWEEP[:3]), "1: JS 4H 4D 4C", "1: TS 3H 3D 3C", "1: 2H 8H 2D 2C"
)
# Without the jack of spades: every trick, and three points only.
NO_JACK = tricks(
    *(f"{t['lead']}: {' '.join(t['cards'])}" for t in SWEEP[:3]), "1: 8S 4H 4D 4C", "1: TS 3H 3D 3C", "1: 9S 2H 2D 2C"
)


@chart(
    "source, bid, facts, change",
    ("made, by claims", "to score five points (smudge), you need to actually bid smudge", "smudge",
     {"claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}, "sweep": "A"}, "A +5, B +0"),
    ("made, by complete piles", "actually win all the tricks, including the jack of trump", "smudge",
     {"piles": {"A": EVERYTHING}}, "A +5, B +0"),
    ("made, by the play", "actually win all the tricks, including the jack of trump", "smudge", {"tricks": SWEEP},
     "A +5, B +0"),
    ("made, the two caught", "actually win all the tricks, including the jack of trump", 5, {"tricks": LOW_CAUGHT},
     "A +5, B +0"),
    ("every point, a trick lost", "if a side that bids smudge loses a trick, the bid has failed, set back 5 points",
     "smudge", {"claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}, "A -5, B +0"),
    ("the last trick lost, by the play", "if a side that bids smudge loses a trick, the bid has failed", "smudge",
     {"tricks": LAST_TRICK_LOST}, "A -5, B +0"),
    ("no jack in play", "rules.md: A smudge with the Jack not in play fails", "smudge", {"tricks": NO_JACK},
     "A -5, B +0"),
    ("no jack, by claims", "rules.md: A smudge with the Jack not in play fails", "smudge",
     {"claims": {"high": "A", "low": "A", "game": "A"}, "sweep": 3}, "A -5, B +0"),
    ("defenders keep points", "the play must be continued to give the other side a chance to score points", "smudge",
     {"claims": {"high": "A", "low": "B", "jack": "B", "game": "A"}}, "A -5, B +2"),
    ("a four with every trick", "if you bid four, and actually win all the tricks, you still only score four", 4,
     {"tricks": SWEEP}, "A +4, B +0"),
    ("every trick, Game tied", "smudge: every trick and every point", "smudge",
     {"claims": {"high": "A", "low": "A", "jack": "A", "game": None}, "sweep": "A"}, "A -5, B +0"),
)  # fmt: skip
def test_the_smudge(source, bid, facts, change):
    assert signed(score_hand("partnership", hand(1, bid, trump="S", **facts)).change) == change


# --- Setback with both jacks (seed 003) ----------------------------------------------------------------------------


def test_any_card_may_be_led_to_the_first_trick():
    """The person who gets the bid names trump, and plays the first card: it need not be a trump."""
    lines = ["KH 2H 9H AH", "KS 9D AS JS", "AD KD TD 2D", "QD JH 2S QC", "JD QH JC AC", "TS TC KC TH"]
    leads = [2, 1, 2, 2, 2, 2]
    played = [{"lead": lead, "cards": line.split()} for lead, line in zip(leads, lines, strict=True)]
    scored = score_hand("double-jack", hand(2, 4, trump="D", tricks=played))
    assert points(scored) == "high B, low A, right_jack B, left_jack B, game B"


# --- seed 004 ------------------------------------------------------------------------------------------------------


@chart(
    "source, second, outcome, totals",
    ("tied again", "at least one more deal", "A: high low; B: jack game", "goes on", "A 13, B 13"),
    ("one ahead", "at least one more deal", "A: high low game; B: jack", "A by highest", "A 14, B 12"),
    ("one set back", "at least one more deal", "A: high; B: low", "B by target", "A 9, B 12"),
    ("both below", "at least one more deal", "A: high", "B by target", "A 9, B 11"),
)
def test_the_deals_after_a_tie(source, second, outcome, totals):
    """From 9 to 9, the first hand leads to 11 to 11, and seat 1 bids 2 in the second."""
    first = hand(1, 2, "A: high low; B: jack game")
    game = score("classic", first, hand(1, 2, second), start={"A": 9, "B": 9})
    assert (ended(game), plain(game.totals)) == (outcome, totals)
