"""The rules of seed 004 as charts: each row cites the sentence it follows from."""

from tests.scoring.records import bidding, chart, ended, hand, plain, points, score, score_hand

RULES = "classic"


@chart(
    "source, piles, taken, counts",
    ("High", "Whichever team takes the High is awarded that point", {"A": ["QH", "9C"], "B": ["5H"]}, "high A, low B",
     "A 2, B 0"),
    ("Low", "Whichever team takes the Low is awarded that point", {"A": ["QH", "5H"], "B": ["9C"]}, "high A, low A",
     "A 2, B 0"),
    ("Jack", "Whichever team takes the Jack is awarded that point", {"A": ["QH"], "B": ["JH"]}, "jack B", "A 2, B 1"),
    ("the other jacks", "the Jack of trump", {"A": ["QH"], "B": ["JD"]}, "jack not captured", "A 2, B 1"),
    ("Game", "Whichever team takes the most game points is awarded the Game point",
     {"A": ["TS"], "B": ["AC", "AD", "KD"]},
     "game B", "A 10, B 11"),
    ("Game tied", "If both teams take the same number of game points, no Game point is awarded",
     {"A": ["TS", "JD"], "B": ["AC", "AD", "KD"]}, "game tied", "A 11, B 11"),
)  # fmt: skip
def test_who_has_each_point(source, piles, taken, counts):
    scored = score_hand(RULES, hand(1, 2, piles=piles))
    assert (points(scored, taken), plain(scored.counts)) == (taken, counts)


@chart(
    "source, auction, outcome",
    ("left of the dealer", "beginning with the player to the dealer's left and proceeding clockwise", "1:2 2:p 3:p 4:p",
     "1 at 2"),
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
    ("all pass", "If all four players pass, all hands are discarded and the deal moves clockwise", "1:p 2:p 3:p 4:p",
     "passed out, 1 deals"),
)  # fmt: skip
def test_the_bidding_with_seat_4_as_dealer(source, auction, outcome):
    assert bidding(RULES, 4, auction) == outcome


@chart(
    "source, start, bidder, took, outcome",
    ("eleven", "Whichever team takes 11 (or more) points first wins the game", (9, 0), 1, "A: high low", "A by target"),
    ("ten", "Whichever team takes 11 (or more) points", (8, 0), 1, "A: high low", "goes on"),
    ("both, the bidder behind", "Whichever team takes 11; rules.md: highest, play-on", (9, 10), 1,
     "A: high low; B: jack game", "B by highest"),
    ("tied", "If the teams are tied, the game continues for at least one more deal", (9, 9), 1,
     "A: high low; B: jack game", "goes on"),
    ("tied below eleven", "If the teams are tied, the game continues", (7, 7), 1, "A: high low; B: jack game",
     "goes on"),
)  # fmt: skip
def test_the_winner(source, start, bidder, took, outcome):
    assert ended(score(RULES, hand(bidder, 2, took), start=dict(zip("AB", start, strict=True)))) == outcome


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
    game = score(RULES, first, hand(1, 2, second), start={"A": 9, "B": 9})
    assert (ended(game), plain(game.totals)) == (outcome, totals)
