"""Setback for two to six (seed 001) as charts: each row cites the sentence it follows from."""

from tests.scoring.records import (
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

RULES = "shankar"


@chart(
    "source, piles, taken, counts",
    ("High need not be the ace", "High=the highest card in the trump suit (this may not be the ace)",
     {"A": ["QH", "9C"], "B": ["5H"]}, "high A, low B, jack not captured", "A 2, B 0"),
    ("Low goes to the taker", "For each of these cards you possess (you win), you get a point",
     {"A": ["QH", "5H"], "B": ["9C"]}, "high A, low A", "A 2, B 0"),
    ("Jack", "Jack=the Jack of the trump suit", {"A": ["QH", "5H"], "B": ["JH"]}, "jack B, game A", "A 2, B 1"),
    ("one card is all three", "High, Low, Jack: the highest, the lowest, the Jack", {"A": ["9C"], "B": ["JH"]},
     "high B, low B, jack B, game B", "A 0, B 1"),
    ("what cards count", "Ten 10, Ace 4, King 3, Queen 2, Jack 1 game points; all suits are equal",
     {"A": ["TS"], "B": ["AS", "KD", "QC", "JC"]}, "game tied", "A 10, B 10"),
    ("most", "Game/Most=the sum of game points", {"A": ["TS"], "B": ["AS", "KD", "QC", "JC", "JD"]}, "game B",
     "A 10, B 11"),
)  # fmt: skip
def test_who_has_each_point(source, piles, taken, counts):
    scored = score_hand(RULES, hand(1, 2, piles=piles))
    assert (points(scored, taken), plain(scored.counts)) == (taken, counts)


def test_the_jack_may_not_be_in_play():
    """Jack: may or may not even be in play. All 12 cards of a two-player hand, so the jack of hearts was not dealt."""
    facts = hand(1, 2, piles={"1": ["KH", "9H", "3H", "AS", "KS", "TS", "4D"], "2": ["8H", "AC", "JC", "5D", "2D"]})
    scored = score_hand(RULES, facts, players=2)
    assert points(scored) == "high 1, low 1, jack not dealt, game 1"
    assert plain(scored.counts) == "1 20, 2 5"


@chart(
    "source, dealer, auction, outcome",
    ("left of the dealer", "Bidding proceeds clockwise from the person to the left of the dealer", 4, "1:2 2:p 3:3 4:p",
     "3 at 3"),
    ("out of turn", "clockwise from the person to the left of the dealer", 4, "2:2", "refused at bids[0]"),
    ("once around", "The bid goes around only once", 4, "1:2 2:p 3:p 4:p 1:3", "refused at bids[4]"),
    ("no one", "A number: 2, 3, or 4", 4, "1:1", "refused at bids[0]"),
    ("no five", "A number: 2, 3, or 4", 4, "1:5", "refused at bids[0]"),
    ("four", "A number: 2, 3, or 4", 4, "1:p 2:4 3:p 4:p", "2 at 4"),
    ("not the same", "he can[not] make more points than the previous bidder", 4, "1:2 2:2", "refused at bids[1]"),
    ("nor the dealer", "he can[not] make more points than the previous bidder", 4, "1:p 2:4 3:p 4:4",
     "refused at bids[3]"),
    ("the dealer must bid", "if nobody else bids, the dealer must bid", 4, "1:p 2:p 3:p 4:p", "refused at bids[3]"),
    ("a forced two", "if nobody else bids, the dealer must bid", 4, "1:p 2:p 3:p 4:2", "4 at 2"),
    ("a forced four", "rules.md: any legal bid", 4, "1:p 2:p 3:p 4:4", "4 at 4"),
)  # fmt: skip
def test_the_bidding(source, dealer, auction, outcome):
    assert bidding(RULES, dealer, auction) == outcome


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
    game = score(RULES, hand(bidder, 2, took, dealer=players), players=players, teams=teams)
    assert (" ".join(game.totals), signed(game.hands[0].change), game.next_dealer) == (units, change, 1)


@chart(
    "source, players, teams, at",
    ("seven", "anywhere from two to six players", 7, 0, "players"),
    ("one", "anywhere from two to six players", 1, 0, "players"),
    ("five in teams", "rules.md: 2x2, 2x3, 3x2", 5, 2, "teams"),
    ("four in threes", "rules.md: 2x2, 2x3, 3x2", 4, 3, "teams"),
)
def test_tables_there_are_not(source, players, teams, at):
    assert [place for place, _ in refusals(record(RULES, players=players, teams=teams))] == [at]


@chart(
    "source, given, units",
    ("nothing said", "rules.md: 4: 2x2 by default", {}, "A B"),
    ("two players", "rules.md: solo", {"players": 2}, "1 2"),
    ("three players", "rules.md: solo", {"players": 3}, "1 2 3"),
    ("five players", "rules.md: solo", {"players": 5}, "1 2 3 4 5"),
)
def test_the_table_where_the_record_does_not_say(source, given, units):
    assert " ".join(score(RULES, **given).totals) == units


@chart(
    "source, counts, game",
    ("two at the top", "If more than one player (team) holds the highest number, nobody get the point",
     {"1": 20, "2": 20, "3": 10}, "game tied"),
    ("two below the top", "more than one player holds the highest number", {"1": 20, "2": 21, "3": 20}, "game 2"),
)  # fmt: skip
def test_game_among_three(source, counts, game):
    scored = score_hand(RULES, hand(1, 2, "1: high low", game_counts=counts), players=3)
    assert points(scored, game) == game


@chart(
    "source, start, took, outcome",
    ("the bidder first", "rules.md: bidder", (9, 10, 0), "1: high low; 2: jack game", "1 by bidder"),
    ("then the highest", "rules.md: highest", (0, 10, 10), "1: high; 2: jack game; 3: low", "2 by highest"),
    ("then nobody yet", "rules.md: play-on", (0, 10, 10), "1: high; 2: jack; 3: low", "goes on"),
)
def test_several_at_eleven_where_everyone_is_alone(source, start, took, outcome):
    scores = {str(seat): number for seat, number in enumerate(start, 1)}
    assert ended(score(RULES, hand(1, 2, took), players=3, start=scores)) == outcome
