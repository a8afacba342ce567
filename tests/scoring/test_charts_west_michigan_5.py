"""West Michigan Setback, five players who call a partner (seed 000 section 15.2), as charts."""

from tests.scoring.records import chart, ended, hand, plain, points, score, score_hand, signed, tricks

RULES = "west-michigan-5"

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
    scored = score_hand(RULES, hand(bidder, bid, took, **call))
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
    scored = score_hand(RULES, hand(2, 4, trump="S", tricks=PLAY, buried=["XR", "XB", "JC", "2S"], **call))
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
def test_the_winner(source, bidder, call, start, took, outcome):
    scores = {str(seat): number for seat, number in enumerate(start, 1)}
    assert ended(score(RULES, hand(bidder, 2, took, **call), start=scores)) == outcome
