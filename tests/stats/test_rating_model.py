"""Changes of ratings by a game: examples worked out by hand from docs/ratings.md, and properties of every game."""

from random import Random
from statistics import fmean

import pytest

from bench.ratings import CIRCLES, Seen, Trust
from scorekeeper.stats.ratings import NEWCOMER, Rating, Side, chances, differ_significantly, rate_game, results_of

ANN, BO, CY, DI, ED = range(1, 6)


def sides(*scores, winner=0, players=None):
    """Sides of one player each, or with the given players."""
    players = players or [[number] for number in range(1, len(scores) + 1)]
    return [
        Side(tuple((one,) for one in mine), score, place == winner)
        for place, (mine, score) in enumerate(zip(players, scores, strict=True))
    ]


def shown(rating):
    return 40 * rating.mu, 40 * rating.sigma


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        # 11 to 0: the margin over 1.1 times the winning score and the root of 2 is 1.2856; half of that plus half of 1.
        ((11, 0), (1.14282, -1.14282)),
        ((22, 0), (1.14282, -1.14282)),  # the target does not matter
        ((11, 10), (0.55844, -0.55844)),  # 1 / 11 * 1.41421 / 1.1 = 0.11688
        ((11, -30), (1.5, -1.5)),  # margins are capped at 2
        # Three sides, 10, 4 and 1: 10 - 2.5 over 1.1 * 10 / sqrt(3), and (2/3) * 3 / sqrt(2) for the win.
        ((10, 4, 1), (1.29758, -0.47165, -0.82593)),
    ],
)
def test_a_result_is_half_who_won_and_half_by_how_much(scores, expected):
    assert results_of(sides(*scores)) == pytest.approx(expected, abs=1e-5)


def test_no_margin_counts_where_the_winner_has_not_the_highest_score():
    """A special bid or sets decided: 16 won against 42."""
    assert results_of(sides(42, 16, winner=1)) == [-0.5, 0.5]
    assert rate_game(sides(42, 16, winner=1), {})[BO].mu > 25


def test_who_shares_a_win_has_part_of_it_and_nobody_loses_points_by_winning():
    """A win by one point from 140 points above the other: the result is worth 168."""
    both = [Side(((ANN,),), 11, True), Side(((BO,),), 11, True)]
    assert results_of(both) == [0, 0]
    assert rate_game(both, {})[ANN].mu == 25
    assert rate_game(sides(21, 20), {ANN: Rating(28.5, 1.0), BO: NEWCOMER})[ANN].mu > 28.5
    assert Rating(26.0, 1.25).safe == 22.0


def test_newcomers_after_a_game_of_two_and_partners_who_have_half_of_it_each():
    """Variance 75² + 4.5² = 5645.25 each, in 90,000 of luck plus twice that: 0.055735 of 342.847 points.

    The variance goes down by 5645.25 * 0.055735 = 314.63, to 5330.62. A partner has 5645.25 / 2 in the side; the sides
    2 * 5645.25 / 4 each: 2822.625 in 95,645.25 of 342.847 points.
    """
    after = rate_game(sides(11, 0), {})
    assert shown(after[ANN]) == pytest.approx((1019.108, 73.011), abs=1e-3)
    assert shown(after[BO]) == pytest.approx((980.892, 73.011), abs=1e-3)
    after = rate_game(sides(11, 0, players=[[ANN, CY], [BO, DI]]), {})
    assert after[ANN] == after[CY]
    assert shown(after[ANN])[0] == pytest.approx(1010.118, abs=1e-3)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_game_is_the_same_whoever_is_named_first_and_whatever_the_ids(players):
    chance = Random(players)
    ratings = {n: Rating(chance.uniform(23, 27), chance.uniform(0.8, 1.9)) for n in range(players)}
    game = sides(*[chance.randint(-5, 11) for _ in range(players - 1)], 12, winner=players - 1,
                 players=[[n] for n in range(players)])  # fmt: skip
    after = rate_game(game, ratings)
    turned = [
        Side(tuple((1000 - n,) for (n,) in side.seats), side.score, side.won) for side in game
    ]  # ids in reverse order
    assert rate_game(turned, {1000 - n: rating for n, rating in ratings.items()}) == {
        1000 - n: rating for n, rating in after.items()
    }
    backwards = rate_game(game[::-1], ratings)
    assert all(backwards[n] == pytest.approx(after[n], rel=1e-12) for n in after)


def test_two_are_told_apart_by_two_standard_deviations_of_the_difference():
    """Standard deviations 1 and 0.75 combine to 1.25; two of those are 2.5, or 100 points."""
    assert differ_significantly(Rating(27.51, 1.0), Rating(25, 0.75))
    assert differ_significantly(Rating(25, 0.75), Rating(27.51, 1.0))
    assert not differ_significantly(Rating(27.49, 1.0), Rating(25, 0.75))


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, id=kind.name, marks=() if kind.is_paired else pytest.mark.slow) for kind in CIRCLES]
)
def test_nine_of_ten_margins_of_error_have_the_true_strength_in_them(kind):
    """After 5, 20 and all games; with two standard deviations it was three of four in clubs of very unequal players."""
    clubs = [Seen(kind, seed, games=120) for seed in range(20)]
    for games in (5, 20, 0):
        assert fmean(within for club in clubs for within in club.covered(games)) >= 0.9


@pytest.mark.slow
def test_a_hundred_points_more_win_65_games_of_100_where_the_page_says_so():
    """For clubs whose players differ neither much nor little (docs/ratings.md)."""
    won = {kind: [part for seed in range(20) for part in Seen(kind, seed).favored] for kind in CIRCLES}
    so = [kind for kind in CIRCLES if 0.05 <= kind.skill <= 0.06]
    assert [kind.skill for kind in so] == [0.06, 0.06, 0.05]
    assert all((0.62 <= fmean(won[kind]) <= 0.70) == (kind in so) for kind in CIRCLES)


# --- forecasts ----------------------------------------------------------------------------------------------------


def test_a_hundred_points_more_win_65_games_of_100():
    """100 points are 2.5 in stored units: the logistic of 100 / (300 * sqrt(1/2) * sqrt(6) / pi), which is 0.6046."""
    assert chances([27.5, 25.0], 1.0) == pytest.approx([0.6467, 0.3533], abs=1e-4)
    assert chances([25.0] * 5, 1.0) == [0.2] * 5
    assert chances([27.0, 24.0, 25.0], 0.0) == pytest.approx([1 / 3] * 3)


def trusted(right, wrong=0):
    """The trust after `right` games with edge 0.4 (3 / 7.5) and that result, then `wrong` with the opposite one."""
    trust = Trust()
    for sign, games in ((1, right), (-1, wrong)):
        for _ in range(games):
            trust.add([26.5, 23.5], [0.4 * sign, -0.4 * sign])
    return trust.share


def test_ratings_foretell_nothing_until_results_have_proven_that_players_differ():
    """The log likelihood ratios rise by 0.06, 0.08 and 0 a game, for the SHARES 0.5, 1 and 2 of rating differences.

    The result of a game is 0.4, its square 0.16. After 14 games luck is (20 + 2.24) / 34, and the likelihood ratios are
    3.6118, 5.5413 and 1, on average 3.4. After 40 games luck is 26.4 / 60, and they are 233.79, 1440.5 and 1.
    """
    assert trusted(0) == trusted(14) == 0
    assert trusted(40) == pytest.approx((0.5 * 233.79 + 1440.5 + 2) / (233.79 + 1440.5 + 1), abs=1e-4)


def test_ratings_are_trusted_until_results_are_no_likelier():
    """A wrong game costs 0.1, 0.24 and 0.64. After 15 of them, ratios of 10.420, 0.35287 and 0 are left, on average
    3.6.

    After 20 they are 2.948, 0.0132 and 0: on average less than 1. A club with thousands of games is trusted.
    """
    assert trusted(40, 15) == pytest.approx((0.5 * 10.420 + 0.35287) / (10.420 + 0.35287), abs=1e-4)
    assert trusted(40, 20) == trusted(40, 200) == 0
    assert trusted(20_000) == pytest.approx(1.0)


def test_trust_knows_that_of_five_sides_four_results_are_free():
    """Edges and results of 0.5 and four times -0.125, share 1: (0.3125 - 0.15625) * 4 / 5; one result is dependent."""
    trust = Trust()
    trust.add([25 + 3.75, 25, 25, 25, 25], [0.5, -0.125, -0.125, -0.125, -0.125])
    assert trust.evidence[1] == pytest.approx((0.3125 - 0.15625) * 4 / 5)
