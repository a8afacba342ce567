"""West Michigan Setback, four players (seed 000 section 15.1), as charts."""

from tests.scoring.records import chart, hand, plain, points, score_hand

RULES = "west-michigan-4"


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
