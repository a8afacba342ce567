"""Partnership Setback (seed 002) as charts: each row cites the sentence it follows from."""

from tests.scoring.records import bidding, cards, chart, ended, hand, plain, points, score, score_hand, signed, tricks

RULES = "partnership"
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
    "source, piles, taken, counts",
    ("High and Low in play", "rules.md: the highest and lowest trump in play", {"A": ["KH", "9C"], "B": ["4H"]},
     "high A, low B, jack not captured, game A", "A 3, B 0"),
    ("Low is captured", "if the opponents capture the 2 of trump, the opponents score one for Low",
     {"A": ["2H", "9C"], "B": ["AH"]}, "high B, low A", "A 0, B 4"),
    ("Jack by capture", "rules.md: Jack by capture", {"A": ["KH"], "B": ["JH"]}, "jack B", "A 3, B 1"),
    ("Game by the most", "rules.md: Game by the most", {"A": ["TS", "AS"], "B": ["AC", "KC", "QC", "JC"]}, "game A",
     "A 14, B 10"),
    ("Game tied", "rules.md: tie nobody", {"A": ["TS"], "B": ["AC", "KC", "QC", "JC"]}, "game tied", "A 10, B 10"),
)  # fmt: skip
def test_who_has_each_point(source, piles, taken, counts):
    scored = score_hand(RULES, hand(1, 2, piles=piles))
    assert (points(scored, taken), plain(scored.counts)) == (taken, counts)


@chart(
    "source, auction, outcome",
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
)  # fmt: skip
def test_the_bidding_with_seat_4_as_dealer(source, auction, outcome):
    assert bidding(RULES, 4, auction) == outcome


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
    assert signed(score_hand(RULES, hand(1, bid, trump="S", **facts)).change) == change


@chart(
    "source, start, bidder, bid, took, outcome",
    ("a made bid at 21", "a team needs at least 21 points, at the end of a hand in which they made their bid", (19, 0),
     1, 2, "A: high low", "A by target"),
    ("20 is not enough", "a team needs at least 21 points", (18, 0), 1, 2, "A: high low", "goes on"),
    ("against the declarer", "A team which reaches 21 or more against the declarer does not win", (19, 0), 2, 2,
     "A: high low; B: jack game", "goes on"),
    ("declarer set", "against the declarer does not win", (19, 0), 2, 3, "A: high low; B: jack game", "goes on"),
    ("lost the contract at 21", "nor do they win if they bid and lose a contract, but still have 21 or more", (24, 0),
     1, 3, "A: high low; B: game", "goes on"),
    ("fewer points win", "If we now bid 3 and make it, and they take 1 point, we win with 21 while they have 25",
     (18, 24), 1, 3, "A: high jack game; B: low", "A by target"),
    ("far above", "they can only win at the end of a hand in which they made their bid", (24, 3), 3, 2, "A: high low",
     "A by target"),
)  # fmt: skip
def test_the_winner(source, start, bidder, bid, took, outcome):
    assert ended(score(RULES, hand(bidder, bid, took), start=dict(zip("AB", start, strict=True)))) == outcome
