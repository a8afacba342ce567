"""Setback with both jacks (seed 003) as charts: each row cites the sentence it follows from."""

from tests.scoring.records import beaten_in_order, bidding, chart, hand, plain, points, score_hand, wins

RULES = "double-jack"


@chart(
    "source, trump, order",
    ("hearts", "The value order of the hearts would be: A♥ K♥ Q♥ J♥ J♦ 10♥ 9♥ 2♥", "H", "AH KH QH JH JD TH 9H 2H"),
    ("clubs", "the jack of the same color as trump (left bower)", "C", "AC KC QC JC JS TC 9C 2C"),
    ("diamonds, hearts trump", "diamonds would be missing the jack from its normal order", "H", "AD KD QD TD 9D 2D"),
    ("spades, hearts trump", "The other suits are normal order", "H", "AS KS QS JS TS 9S 2S"),
)
def test_the_order_of_the_cards(source, trump, order):
    assert beaten_in_order(RULES, trump, order)


@chart(
    "source, trick, winner",
    ("the left bower", "The jack of diamonds would be considered a heart for the purposes of suit", "AD JD KD 2D",
     "JD"),
    ("the right bower", "they are in the middle of the deck rather than the highest cards", "JD JH TH 2H", "JH"),
    ("queen over bowers", "they are in the middle of the deck rather than the highest cards", "JH QH JD 2H", "QH"),
    ("no trump", "capturing tricks", "9S AC TS KD", "TS"),
)  # fmt: skip
def test_who_wins_the_trick(source, trick, winner):
    assert wins(RULES, "H", trick) == winner


@chart(
    "source, facts, taken, counts",
    ("High in your hand", "having the highest trump card (usually the ace) in your hand",
     {"piles": {"A": ["KH", "9C"], "B": ["9H"]}, "high_by": "B"}, "high B, low B", "A 3, B 0"),
    ("Low in your hand", "having the lowest trump card (usually the deuce) in your hand",
     {"piles": {"A": ["KH", "9H"], "B": ["9C"]}, "low_by": 2}, "high A, low B", "A 3, B 0"),
    ("Low where it lies", "game-record.md: without low_by, the pile it lies in has it",
     {"piles": {"A": ["KH", "9H"], "B": ["9C"]}}, "high A, low A", "A 3, B 0"),
    ("a held ten counts where it lies", "Game points are counted based on the cards you take in during tricks",
     {"piles": {"A": ["KH", "TH"], "B": ["9C"]}, "low_by": "B"}, "low B", "A 13, B 0"),
    ("both bowers", "capturing the jack of trump (right); capturing the jack of the same color (left)",
     {"piles": {"A": ["JD"], "B": ["JH"]}}, "right_jack B, left_jack A", "A 1, B 1"),
    ("a bower as Low: held by one, captured by another", "having the lowest trump card; capturing the left bower",
     {"piles": {"A": ["AH", "JD"], "B": ["KH"]}, "low_by": "B"}, "low B, left_jack A", "A 5, B 3"),
    ("a buried bower", "it is possible for one (or both) of the bowers to be \"buried\"",
     {"buried": ["JH", "JD"], "piles": {"A": ["AH"], "B": ["2H"]}}, "right_jack buried, left_jack buried", "A 4, B 0"),
    ("the ace buried", "the highest trump card (usually the ace)",
     {"buried": ["AH"], "piles": {"A": ["KH"], "B": ["2H"]}}, "high A, low B", "A 3, B 0"),
    ("forty-one", "you must have at least forty one game points", {"claims": {}, "game_counts": {"A": 41, "B": 39}},
     "game A", "A 41, B 39"),
    ("tied at forty", "if you tie with forty, then nobody gets the game point",
     {"claims": {}, "game_counts": {"A": 40, "B": 40}}, "game tied", "A 40, B 40"),
    ("forty is not enough", "at least forty one; rules.md: literally, whatever is buried",
     {"claims": {}, "game_counts": {"A": 40, "B": 30}}, "game below threshold", "A 40, B 30"),
    ("what cards count", "Ace 4, King 3, Queen 2, Jack 1, Ten 10",
     {"piles": {"A": ["AS", "KS", "QS", "JS", "TS", "9S", "2S"], "B": ["TC", "TD", "TH", "AC", "AD", "KC"]}}, "game B",
     "A 20, B 41"),
)  # fmt: skip
def test_who_has_each_point(source, facts, taken, counts):
    scored = score_hand(RULES, hand(1, 1, **facts))
    assert (points(scored, taken), plain(scored.counts)) == (taken, counts)


@chart(
    "source, dealer, auction, outcome",
    ("left of the dealer", "the first player to the left of the dealer has the opportunity to bid", 4,
     "1:2 2:p 3:p 4:p", "1 at 2"),
    ("around again", "It continues on in a clockwise manner until someone has bid five, or everyone else has passed", 4,
     "1:1 2:2 3:p 4:p 1:3 2:4 1:p", "2 at 4"),
    ("who passed is out", "Once you have passed, you cannot bid any more", 4, "1:p 2:1 3:2 4:p 1:3",
     "refused at bids[4]"),
    ("the passed are skipped", "Once you have passed, you cannot bid any more", 4, "1:p 2:1 3:2 4:p 2:3 3:p", "2 at 3"),
    ("five ends it", "until someone has bid five", 4, "1:1 2:5", "2 at 5"),
    ("nobody over five", "until someone has bid five", 4, "1:5 2:6", "refused at bids[1]"),
    ("one is a bid", "rules.md: 1 as least bid", 4, "1:p 2:p 3:p 4:1", "4 at 1"),
    ("nought is none", "rules.md: 1 as least bid", 4, "1:0", "refused at bids[0]"),
    ("higher each time", "rules.md: dealer: outbid", 4, "1:2 2:p 3:p 4:2", "refused at bids[3]"),
    ("all pass", "rules.md: next-dealer", 3, "4:p 1:p 2:p 3:p", "passed out, 4 deals"),
    ("unfinished", "until everyone else has passed", 4, "1:1 2:2 3:p 4:p", "refused at bids"),
    ("over", "until everyone else has passed", 4, "1:1 2:p 3:p 4:p 1:2", "refused at bids[4]"),
)  # fmt: skip
def test_the_bidding(source, dealer, auction, outcome):
    assert bidding(RULES, dealer, auction) == outcome


def test_any_card_may_be_led_to_the_first_trick():
    """The person who gets the bid names trump, and plays the first card: it need not be a trump."""
    lines = ["KH 2H 9H AH", "KS 9D AS JS", "AD KD TD 2D", "QD JH 2S QC", "JD QH JC AC", "TS TC KC TH"]
    leads = [2, 1, 2, 2, 2, 2]
    played = [{"lead": lead, "cards": line.split()} for lead, line in zip(leads, lines, strict=True)]
    scored = score_hand(RULES, hand(2, 4, trump="D", tricks=played))
    assert points(scored) == "high B, low A, right_jack B, left_jack B, game B"
