"""West Michigan Setback, six players (seed 000), as charts: each row cites the sentence it follows from."""

from tests.scoring.records import (
    beaten_in_order,
    bidding,
    chart,
    ended,
    hand,
    may_play,
    plain,
    points,
    score,
    score_hand,
    signed,
    wins,
)

RULES = "west-michigan-6"
ALL_TO_A = "A: high low right_jack left_jack right_joker left_joker game"


@chart(
    "source, trump, order",
    ("hearts", "5.1 Ace, King, Queen, Right Jack, Left Jack, Right Joker, Left Joker, 10, 9, 8, 7, 2", "H",
     "AH KH QH JH JD XR XB TH 9H 8H 7H 2H"),
    ("diamonds", "4.2 Left Jack: Jack of the same-color suit as trump", "D", "AD KD QD JD JH XR XB TD 9D 8D 7D 2D"),
    ("clubs", "4.2 If ♣ is trump → Right Jack = J♣, Left Jack = J♠", "C", "AC KC QC JC JS XR XB TC 9C 8C 7C 2C"),
    ("spades", "12.2 Trump cards from strongest to weakest", "S", "AS KS QS JS JC XR XB TS 9S 8S 7S 2S"),
    ("not trump", "5.2 A (high), K, Q, J, 10, 9, 8, 7, 2 (low)", "H", "AS KS QS JS TS 9S 8S 7S 2S"),
    ("the left jack's suit", "5.1 within trump: Left Jack (same-color Jack)", "H", "AD KD QD TD 9D 8D 7D 2D"),
)  # fmt: skip
def test_the_order_of_the_cards(source, trump, order):
    assert beaten_in_order(RULES, trump, order)


@chart(
    "source, trump, trick, winner",
    ("highest trump", "8.3 If any trump is played, the highest trump wins the trick", "H", "AS KS 2H AC 7H QS", "7H"),
    ("highest of the suit", "8.3 If no trump is played, the highest card of the led suit wins", "H",
     "9C AS KC TC 2C QD", "KC"),
    ("a joker is trump", "4.3 Jokers: Are always trump", "S", "AD KD XB QD TD 9D", "XB"),
    ("red over black joker", "4.3 Red Joker (higher Joker)", "S", "XB XR 7C 8C 9C TC", "XR"),
    ("black joker over ten", "5.1 Left Joker (Black), 10", "S", "TS XB 9S 8S 7S 2S", "XB"),
    ("left jack over red joker", "5.1 Left Jack (same-color Jack), Right Joker (Red)", "D", "XR JH XB TD 9D 8D", "JH"),
    ("left jack takes its old suit", "5.1 Left Jack within trump", "H", "AD JD KD QD TD 9D", "JD"),
    ("the other jacks are plain", "5.2 non-trump suits", "H", "AC JC KC JS QC TC", "AC"),
)  # fmt: skip
def test_who_wins_the_trick(source, trump, trick, winner):
    assert wins(RULES, trump, trick) == winner


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
    assert may_play(RULES, trump, led, held) == allowed


@chart(
    "source, trump, facts, taken, counts",
    ("ace is High", "9.1 High is the Ace of trump, if it was dealt and captured", "H",
     {"piles": {"A": ["AH", "9C"], "B": ["KH", "2H"]}}, "high A, low B, right_jack not captured, game A", "A 4, B 3"),
    ("ace buried", "9.1 If the Ace of trump is in the buried pile, no High point is awarded", "S",
     {"buried": ["AS", "9C"], "piles": {"A": ["KS", "QS"], "B": ["2S"]}}, "high buried, low B, game A", "A 5, B 0"),
    ("two buried", "9.2 Consider only trump cards actually dealt (ignore buried cards)", "H",
     {"buried": ["2H", "7H"], "piles": {"A": ["AH"], "B": ["8H", "9H"]}}, "high A, low B", "A 4, B 0"),
    ("Low stays with its player", "8.3 the player who played that card keeps it in their own team's pile", "H",
     {"piles": {"A": ["AH", "2H"], "B": ["KH"]}, "low_by": "B"}, "high A, low B", "A 4, B 3"),
    ("Low where it lies", "9.2 that card is set aside in that team's capture pile", "H",
     {"piles": {"A": ["AH", "2H"], "B": ["KH"]}}, "high A, low A", "A 4, B 3"),
    ("a ten as Low counts for its player", "9.2 still counts toward Game scoring as normal", "H",
     {"piles": {"A": ["AH", "TH", "KC"], "B": ["KH", "QC"]}, "low_by": 2}, "low B, game B", "A 7, B 15"),
    ("a joker as Low", "5.1 this order is used to determine which trump card counts as Low", "H",
     {"piles": {"A": ["AH", "XB"], "B": ["KH"]}, "low_by": "B"}, "low B, left_joker B, game A", "A 4, B 3"),
    ("the left jack as Low", "5.1 this order is used to determine which trump card counts as Low", "H",
     {"piles": {"A": ["AH", "JD"], "B": ["KH"]}, "low_by": "B"}, "low B, left_jack B, game tied", "A 4, B 4"),
    ("one trump is High and Low", "9.1 and 9.2", "H",
     {"piles": {"A": ["AH", "9C"], "B": ["KC"]}, "low_by": "A"}, "high A, low A, game A", "A 4, B 3"),
    ("clubs: both jacks", "4.2 If ♣ is trump → Right Jack = J♣, Left Jack = J♠", "C",
     {"piles": {"A": ["JC"], "B": ["JS"]}}, "right_jack A, left_jack B, game tied", "A 1, B 1"),
    ("both jokers", "9.4 If the Right Joker (Red Joker) was dealt and captured, its team scores 1", "S",
     {"piles": {"A": ["XR"], "B": ["XB"]}}, "right_joker A, left_joker B, low B", "A 0, B 0"),
    ("jack and joker buried", "9.3 If a Jack is buried, its point cannot be scored; 9.4 If a Joker is buried", "D",
     {"buried": ["JH", "XR"], "piles": {"A": ["JD"], "B": ["XB"]}},
     "right_jack A, left_jack buried, right_joker buried, left_joker B", "A 1, B 0"),
    ("what cards count", "9.5 10 = 10, Ace = 4, King = 3, Queen = 2, Jack (any) = 1, all other and Jokers = 0", "H",
     {"piles": {"A": ["TS", "AS", "KS", "QS", "JS"], "B": ["9S", "8S", "7S", "2S", "XR", "XB"]}}, "game A",
     "A 20, B 0"),
    ("Game tied", "9.5 If there is a tie, no Game point is awarded", "H",
     {"piles": {"A": ["TS"], "B": ["AS", "AC", "QC"]}}, "game tied", "A 10, B 10"),
    ("claims with counts", "9.5 The team with the highest total scores the Game point", "H",
     {"claims": {"high": 1}, "game_counts": {"A": 39, "B": 41}}, "high A, game B", "A 39, B 41"),
    ("one count from the other", "9.5; rules.md: the exact Game total (80 less what is buried)", "H",
     {"claims": {}, "buried": ["TC", "AC"], "game_counts": {"B": 20}}, "game A", "A 46, B 20"),
    ("counts tied", "9.5 If there is a tie, no Game point is awarded", "H",
     {"claims": {}, "game_counts": {"A": 38, "B": 38}}, "game tied", "A 38, B 38"),
)  # fmt: skip
def test_who_has_each_point(source, trump, facts, taken, counts):
    scored = score_hand(RULES, hand(1, 0, trump=trump, **facts))
    assert points(scored, taken) == taken
    assert plain(scored.counts) == counts


@chart(
    "source, dealer, auction, outcome",
    ("left of the dealer first", "6.2 Starting with the player to the dealer's left", 6, "1:4 2:p 3:p 4:p 5:p 6:p",
     "1 at 4"),
    ("not at the dealer's left", "6.2 Starting with the player to the dealer's left", 6, "2:4", "refused at bids[0]"),
    ("clockwise, the highest wins", "6.2 the highest bidder wins the bid", 3, "4:2 5:3 6:p 1:p 2:4 3:p", "2 at 4"),
    ("strictly higher", "6.2 Bids must be strictly higher than any previous bid", 6, "1:4 2:4", "refused at bids[1]"),
    ("the dealer too", "6.2 Bids must be strictly higher", 6, "1:4 2:p 3:p 4:p 5:p 6:4", "refused at bids[5]"),
    ("the dealer outbids", "6.2 Bids must be strictly higher", 6, "1:4 2:p 3:p 4:p 5:p 6:5", "6 at 5"),
    ("one round", "6.1 a single round of bidding is held", 6, "1:p 2:3 3:p 4:p 5:p 6:p 1:4", "refused at bids[6]"),
    ("seven", "6.2 7 as the effective maximum bid", 6, "1:p 2:p 3:p 4:p 5:p 6:7", "6 at 7"),
    ("not eight", "6.2 there are at most 7 points", 6, "1:8", "refused at bids[0]"),
    ("nought", "13.3 Bid (0–7, strictly increasing bids)", 6, "1:0 2:p 3:p 4:p 5:p 6:p", "1 at 0"),
    ("not below nought", "13.3 Bid (0–7)", 6, "1:-1", "refused at bids[0]"),
    ("all pass", "6.2 or simply redeal the hand", 6, "1:p 2:p 3:p 4:p 5:p 6:p", "passed out, 6 deals"),
    ("unfinished", "6.2 When all players bid or pass", 6, "1:p 2:2", "refused at bids"),
)  # fmt: skip
def test_the_bidding(source, dealer, auction, outcome):
    assert bidding(RULES, dealer, auction) == outcome


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
    scored = score_hand(RULES, hand(bidder, bid, took))
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
    game = score(RULES, hand(bidder, bid, took), start=dict(zip("AB", start, strict=True)))
    assert (ended(game), plain(game.totals)) == (outcome, totals)
