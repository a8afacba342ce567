"""The two worked examples of seed 000 (section 14), from claims, from piles and from tricks.

The second prints 2 + 3 − 5 = 0 for Team B, although section 10.2 says that a set team subtracts its bid. Both readings
are tested: the rule (2 − 5 = −3) by default, the printed sum under the house rule `settle.set = "bid-less-taken"`.
"""

import pytest

from tests.scoring.records import claims, grouped, plain, points, score, signed, tricks

RULES = "west-michigan-6"
AS_PRINTED = {"settle.set": "bid-less-taken"}

# 14.1. Seat 1 holds AH KH JH 9H 2H XR; seat 2 QH JD XB AS 7S AD; seat 3 TH 7H KS 9D TC 2C; seat 4 8H TS 9S KD AC 7C;
# seat 5 QS 8S TD 8D KC 8C; seat 6 JS 2S QD 7D QC JC. 9C and 2D are buried.
FIRST_PLAY = tricks(
    "1: AH QH TH 8H 8C 7D",  # A takes 4 + 2 + 10 = 16
    "1: 9H XB 7H 7C 8D 2S",  # seat 2's black joker takes 0
    "2: JD 9D 9S 8S JC 2H",  # seat 2's left jack takes 1 + 1 = 2, but not the Low that seat 1 plays and keeps
    "2: AS KS TS QS JS XR",  # seat 1's red joker takes 4 + 3 + 10 + 2 + 1 = 20
    "1: KH 7S TC KD TD QD",  # A takes 3 + 10 + 3 + 10 + 2 = 28
    "1: JH AD 2C AC KC QC",  # A takes 1 + 4 + 4 + 3 + 2 = 14
)
# The piles after that: A 16 + 20 + 28 + 14 = 78, B 2; no buried card counts, and 78 + 2 = 80.
FIRST_PILES = grouped(
    "A: AH QH TH 8H 8C 7D 2H AS KS TS QS JS XR KH 7S TC KD TD QD JH AD 2C AC KC QC;B: 9H XB 7H 7C 8D 2S JD 9D 9S 8S JC"
)
FIRST_CLAIMS = claims("A: high low right_jack right_joker game; B: left_jack left_joker")
FIRST_POINTS = "high A, low A, right_jack A, left_jack B, right_joker A, left_joker B, game A"

# 14.2. Seat 2 holds KS QS JS XB 7S 2S; seat 3 JC TS 9S AH 8C AD; seat 4 KH 9H KD 9C 7C 2C; seat 5 8S QH TD 8D AC TH;
# seat 6 JH 8H QD 7D KC 9D; seat 1 7H 2H JD 2D QC TC. AS and the red joker are buried.
SECOND_PLAY = tricks(
    "2: KS 9S 2C 8S 7D 2D",  # B takes 3
    "2: 2S TS 7C TD 8H TC",  # seat 3 takes 10 + 10 + 10 = 30, but the Low stays with B
    "3: AH 9H QH JH 7H XB",  # seat 2's black joker takes 4 + 2 + 1 = 7
    "2: 7S JC 9C TH 9D QC",  # seat 3's left jack takes 1 + 10 + 2 = 13
    "3: AD KD 8D QD JD JS",  # seat 2's right jack takes 4 + 3 + 2 + 1 + 1 = 11
    "2: QS 8C KH AC KC 2H",  # B takes 2 + 3 + 4 + 3 = 12
)
# A 30 + 13 = 43, B 3 + 7 + 11 + 12 = 33; the buried ace is worth 4, and 43 + 33 + 4 = 80.
SECOND_PILES = grouped(
    "A: TS 7C TD 8H TC 7S JC 9C TH 9D QC;B: KS 9S 2C 8S 7D 2D 2S AH 9H QH JH 7H XB AD KD 8D QD JD JS QS 8C KH AC KC 2H"
)
# The same, with the Low still in A's pile and B recorded as its player.
SECOND_UNSORTED = {
    "piles": {"A": [*SECOND_PILES["A"], "2S"], "B": [card for card in SECOND_PILES["B"] if card != "2S"]},
    "low_by": "B",
}
SECOND_CLAIMS = claims("B: low right_jack left_joker; A: left_jack game")
SECOND_POINTS = "high buried, low B, right_jack B, left_jack A, right_joker buried, left_joker B, game A"

FIRST = {"dealer": 6, "bidder": 1, "bid": 4, "trump": "H", "buried": ["9C", "2D"]}
SECOND = {"dealer": 1, "bidder": 2, "bid": 5, "trump": "S", "buried": ["AS", "XR"]}

LEVELS = pytest.mark.parametrize(
    ("first", "second", "counted"),
    [
        pytest.param({"claims": FIRST_CLAIMS}, {"claims": SECOND_CLAIMS}, False, id="claims"),
        pytest.param({"claims": FIRST_CLAIMS, "game_counts": {"A": 78}},
         {"claims": SECOND_CLAIMS, "game_counts": {"B": 33}}, True, id="claims and a count"),
        pytest.param({"piles": FIRST_PILES}, {"piles": SECOND_PILES}, True, id="piles"),
        pytest.param({"piles": FIRST_PILES, "low_by": "A"}, SECOND_UNSORTED, True, id="piles and who played Low"),
        pytest.param({"tricks": FIRST_PLAY}, {"tricks": SECOND_PLAY}, True, id="tricks"),
    ],
)  # fmt: skip


@LEVELS
def test_both_examples_by_the_rule(first, second, counted):
    """10.2: If Pbid < B, the bidding team subtracts B from its score."""
    game = score(RULES, {**FIRST, **first}, {**SECOND, **second})
    one, two = game.hands
    assert (points(one), signed(one.change), plain(one.totals)) == (FIRST_POINTS, "A +5, B +2", "A 5, B 2")
    assert (points(two), signed(two.change), plain(two.totals)) == (SECOND_POINTS, "A +2, B -5", "A 7, B -3")
    assert (one.made, plain(one.earned)) == (True, "A 5, B 2")
    assert (two.made, plain(two.earned)) == (False, "A 2, B 3")
    assert (one.counts and plain(one.counts)) == ("A 78, B 2" if counted else None)
    assert (two.counts and plain(two.counts)) == ("A 43, B 33" if counted else None)
    assert game.next_dealer == 2


@LEVELS
def test_both_examples_as_printed(first, second, counted):
    """14.2: Team A: previous 5 + 2 = 7; Team B: previous 2 + 3 − 5 = 0."""
    game = score(RULES, {**FIRST, **first}, {**SECOND, **second}, options=AS_PRINTED)
    assert [signed(scored.change) for scored in game.hands] == ["A +5, B +2", "A +2, B -2"]
    assert plain(game.totals) == "A 7, B 0"


def test_the_bidding_of_both_examples():
    """14.1: Player 1 bids 4, all others pass or cannot top 4. 14.2: Player 2 bids 5, no one can or wants to top 5."""
    passes = [{"seat": seat, "bid": "pass"} for seat in (3, 4, 5, 6)]
    first = [{"seat": 1, "bid": 4}, {"seat": 2, "bid": "pass"}, *passes]
    second = [{"seat": 2, "bid": 5}, *passes, {"seat": 1, "bid": "pass"}]
    game = score(
        RULES, {**FIRST, "bids": first, "claims": FIRST_CLAIMS}, {**SECOND, "bids": second, "claims": SECOND_CLAIMS}
    )
    assert [(scored.bidder, scored.bid) for scored in game.hands] == [(1, 4), (2, 5)]


def test_the_cards_of_both_examples():
    """14.1: A♥ is High, 2♥ Low. 14.2: 2♠ is the lowest trump in play."""
    game = score(RULES, {**FIRST, "claims": FIRST_CLAIMS}, {**SECOND, "claims": SECOND_CLAIMS})
    named = [{key: point.card for key, point in scored.points.items()} for scored in game.hands]
    same = {"right_joker": "XR", "left_joker": "XB", "game": None}
    assert named == [
        {"high": "AH", "low": "2H", "right_jack": "JH", "left_jack": "JD", **same},
        {"high": "AS", "low": "2S", "right_jack": "JS", "left_jack": "JC", **same},
    ]
