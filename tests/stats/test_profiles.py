"""Profiles and streaks. The counts are invented, the expected values worked out by hand."""

from datetime import date
from fractions import Fraction

import pytest

from scorekeeper.stats.counting import BIDDER, DEFENDER, PARTNER, expected_share, wilson
from scorekeeper.stats.profiles import CoPlayer, Streak, best_paying, bids_of, extremes, profile, streaks

SUMS = {"games": 5, "won": 2, "shared": 1, "lost": 2, "hands": 40, "bids": 12, "made": 9, "sets": 5, "inflicted": 6}
DETAIL = {
    "hands:bidder": 12, "took:bidder": 30, "change:bidder": 21,
    "hands:partner": 8, "took:partner": 18, "change:partner": 10,
    "hands:defender": 20, "took:defender": 25, "change:defender": 25,
    "bid:2:taken": 7, "bid:2:made": 6, "bid:2:worth": 12, "bid:3:taken": 5, "bid:3:made": 3, "bid:3:worth": 4,
    "trump:H:taken": 6, "trump:H:made": 5, "trump:H:worth": 13, "trump:C:taken": 6, "trump:C:made": 4,
    "trump:C:worth": 3,
    "point:high:seen": 40, "point:high:got": 22, "point:jack:seen": 31, "point:jack:got": 16, "point:low:seen": 40,
    "with:3:hands": 30, "with:3:swing": -10, "with:3:games": 4, "with:3:won": 2, "with:3:lost": 2,
    "with:4:hands": 10, "with:4:swing": 8, "with:4:games": 1, "with:4:shared": 1,
    "vs:5:hands": 40, "vs:5:swing": -2, "out:2:2,2": 7,
}  # fmt: skip


def test_a_profile_has_its_parts_in_order():
    """Their values are compared with slow.py in test_credit.py and test_season_of_2000_games.py."""
    found = profile(SUMS, DETAIL)
    assert (found.made, found.suffered, found.inflicted) == ((9, 12), (5, 12 + 8), (6, 20))
    assert [role.name for role in found.roles] == [BIDDER, PARTNER, DEFENDER]
    assert [(bid.name, bid.set, bid.share) for bid in found.bids] == [
        ("2", 1, Fraction(6, 7)),
        ("3", 2, Fraction(3, 5)),
    ]
    assert [trump.name for trump in found.trumps] == ["C", "H"]
    assert [(point.key, *point.got) for point in found.points] == [("high", 22, 40), ("jack", 16, 31), ("low", 0, 40)]
    assert found.partners == (CoPlayer(3, 30, -10, 4, 2, 0, 2), CoPlayer(4, 10, 8, 1, 0, 1, 0))
    assert found.opponents == (CoPlayer(5, 40, -2, 0, 0, 0, 0),)


def test_nothing_is_nothing_and_bids_stand_in_the_order_of_their_size():
    found = profile({}, {})
    assert found.made.value is found.suffered.value is found.inflicted.value is None
    assert [role.took.value for role in found.roles] == [None] * 3
    assert found.bids == found.trumps == found.points == found.partners == found.opponents == found.favorites == ()
    detail = {f"bid:{bid}:taken": 1 for bid in (10, 9, 2)}
    assert [bid.name for bid in bids_of(detail)] == ["2", "9", "10"]


# --- no claims from small samples ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "favorites"),
    [
        ({"H": 19}, []),
        ({"H": 20}, ["H"]),
        ({"H": 16, "S": 2, "C": 2}, ["H"]),  # 14 more, of 18: luck explains 2.5 * sqrt(18) = 10.6
        ({"H": 10, "S": 9, "C": 1}, ["H", "S"]),  # 8 more, of 10: 7.9
        ({"H": 9, "S": 9, "C": 2}, []),  # 7 more, of 11: 8.3
        ({}, []),
    ],
)
def test_a_favorite_trump_is_named_from_twenty_bids_on(counts, favorites):
    detail = {f"trump:{suit}:taken": taken for suit, taken in counts.items()}
    assert [trump.name for trump in profile({}, detail).favorites] == favorites


@pytest.mark.parametrize(
    ("bids", "best"),
    [
        ({2: (19, 190)}, []),
        ({2: (20, 10), 3: (19, 190)}, []),  # no other opponent to compare with
        ({2: (20, 10), 3: (40, 21)}, []),
        ({2: (20, 10), 3: (40, 80)}, ["3"]),  # 1.5 a hand more: luck explains 2.5 * sqrt(1/20 + 1/40) = 0.68
        ({2: (20, 10), 3: (40, 80, 800)}, []),  # a hand differs by 4 (20 - 2 * 2): 2.5 * sqrt(1/20 + 16/40) = 1.68
        ({2: (20, -20), 3: (20, -21)}, []),
        ({2: (40, 80), 3: (40, 76), 4: (40, 0)}, ["2", "3"]),
    ],
)
def test_a_bid_pays_best_if_it_is_told_apart_from_another_with_twenty_hands(bids, best):
    detail = {
        f"bid:{bid}:{what}": number
        for bid, numbers in bids.items()
        for what, number in zip(("taken", "worth", "squares"), numbers, strict=False)
    }
    assert [bid.name for bid in best_paying(bids_of(detail))] == best


def company(*hands_and_swings):
    return [CoPlayer(number, *both, 0, 0, 0, 0) for number, both in enumerate(hands_and_swings, 1)]


@pytest.mark.parametrize(
    ("pairs", "best", "worst", "nearest"),  # the hands with opponents 1, 2, ... and their swings; squares of 1 a hand
    [
        ([], [], [], None),
        ([(0, 0)], [], [], None),  # they met in games from paper only
        ([(29, 90), (12, 1)], [], [], 1),
        ([(30, -3), (29, 90)], [], [], None),  # only one opponent
        ([(30, 30), (60, -6), (31, 0)], [1], [2], None),
        # 1 and 2 are not far enough above the others: 0.43 and 0.30; 3 is 0.75 below, and luck explains 0.48.
        ([(30, 30), (60, 60), (40, 10)], [], [3], None),
        ([(30, 30), (60, 60)], [], [], None),
        ([(400, 400), (400, 380), (400, 0)], [1, 2], [3], None),  # 1 and 2 are best, and not significantly different
    ],
)
def test_who_stands_out_has_thirty_hands(pairs, best, worst, nearest):
    found = extremes(company(*pairs))
    assert [one.player for one in found.best] == best
    assert [one.player for one in found.worst] == worst
    assert (found.nearest and found.nearest.player) == nearest


# --- shares -------------------------------------------------------------------------------------------------------


def test_what_chance_would_win_and_the_interval_of_a_share():
    """One game of two sides and one of six players alone: the mean of 1/2 and 1/6.

    6 of 10 with two standard errors: (0.6 + 0.2) / 1.4, and 2 * sqrt(0.024 + 0.01) / 1.4 to either side.
    """
    assert expected_share({2: 1, 6: 1}) == Fraction(1, 3)
    assert expected_share({}) == 0
    assert wilson(0.6, 10) == pytest.approx(0.30802, abs=1e-5)


# --- streaks ------------------------------------------------------------------------------------------------------


def played(letters):
    return [(date(2026, 1, 1), number, letter) for number, letter in enumerate(letters, 1)]


@pytest.mark.parametrize(
    ("letters", "won", "lost", "current"),
    [
        ("", None, None, None),
        ("W", (1, 1, 1), None, ("W", 1)),
        ("S", None, None, None),
        ("WWSWL", (2, 1, 2), (1, 5, 5), ("L", 1)),
        ("WWLWW", (2, 4, 5), (1, 3, 3), ("W", 2)),  # of two equal streaks, the later one
        ("LLLWWWWS", (4, 4, 7), (3, 1, 3), None),
        ("LLSLL", None, (2, 4, 5), ("L", 2)),
    ],
)
def test_streaks(letters, won, lost, current):
    found = streaks(played(letters))
    assert found.won == (won and Streak("W", *won))
    assert found.lost == (lost and Streak("L", *lost))
    assert (found.current and (found.current.letter, found.current.length)) == current
    later = streaks([(day, 20 - number, letter) for day, number, letter in played(letters)])  # named by their numbers
    assert later.won == (won and Streak("W", won[0], 20 - won[1], 20 - won[2]))
