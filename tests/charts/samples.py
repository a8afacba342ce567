"""Charts of little and much data, with short and long names, for the tests of sizes and of the browser."""

import random
from collections.abc import Callable, Iterator
from functools import cache, partial

from scorekeeper.charts import (
    BidCount,
    ChanceSeries,
    Chart,
    PlayerSeries,
    ScoreSeries,
    made_and_set,
    rating_over_time,
    score_by_hand,
    standings_over_time,
    win_chance,
)

TEAMS = ["Ann & Bo", "Cy & Di", "Ed & Flo"]
FIRST = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou"]
NAMES = [first + last for last in ("", " Oak", " Elm", " Ash", " Yew") for first in FIRST]
Draw = Callable[[], Chart]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def long_names(number: int) -> list[str]:
    """Names of 60 letters, some of them wide."""
    rest = "Featherstonehaugh-Cholmondeley of Great Missenden Abbey"
    return [f"{'WwmM@%'[index % 6] * 4}{index} {rest}"[:60] for index in range(number)]


def days(number: int) -> list[str]:
    return [f"{MONTHS[index // 4 % 12]} {1 + index * 7 % 28}, 2026" for index in range(number)]


def game(chance: random.Random, names: list[str], hands: int) -> list[ScoreSeries]:
    changes = [[chance.choice([-4, 0, 1, 2, 3]) for _ in range(hands)] for _ in names]
    return [
        ScoreSeries(name, [sum(row[:hand]) for hand in range(1, hands + 1)], [i for i, n in enumerate(row, 1) if n < 0])
        for name, row in zip(names, changes, strict=True)
    ]


def chances(chance: random.Random, names: list[str], hands: int) -> list[ChanceSeries]:
    rows = [[chance.random() + 0.05 for _ in names] for _ in range(hands + 1)]
    return [ChanceSeries(name, [row[unit] / sum(row) for row in rows]) for unit, name in enumerate(names)]


def ratings(chance: random.Random, names: list[str], number: int) -> list[PlayerSeries]:
    values = [[1500 + chance.gauss(0, 40) for _ in range(number)] for _ in names]
    return [PlayerSeries(name, row, [60.0] * number) for name, row in zip(names, values, strict=True)]


def places(chance: random.Random, names: list[str], nights: int) -> list[PlayerSeries]:
    orders = [chance.sample(range(len(names)), len(names)) for _ in range(nights)]
    return [PlayerSeries(name, [order.index(player) + 1 for order in orders]) for player, name in enumerate(names)]


def little() -> Iterator[tuple[str, Draw]]:
    yield "score-one-hand", partial(score_by_hand, [ScoreSeries("A", [3]), ScoreSeries("B", [-2], [1])], 11)
    yield "score-equal", partial(score_by_hand, [ScoreSeries(name, [2] * 6) for name in NAMES[:4]], 52)
    yield "chance-before", partial(win_chance, [ChanceSeries("A", [0.5]), ChanceSeries("B", [0.5])])
    yield "rating-equal", partial(rating_over_time, days(5), [PlayerSeries("A", [25.0] * 5)])
    yield (
        "places-two",
        partial(standings_over_time, days(3), [PlayerSeries("A", [1, 2, 1]), PlayerSeries("B", [2, 1, 2])], chosen=1),
    )
    yield "bids-one", partial(made_and_set, [BidCount("4", 1, 0)])


def usual(chance: random.Random) -> Iterator[tuple[str, Draw]]:
    yield "score-teams", partial(score_by_hand, game(chance, TEAMS, 14), 21)
    yield "chance-two", partial(win_chance, chances(chance, TEAMS[:2], 9))
    yield "chance-six", partial(win_chance, chances(chance, NAMES[:6], 12))
    yield "rating-one", partial(rating_over_time, days(30), ratings(chance, ["Ann"], 30))
    yield "rating-six", partial(rating_over_time, days(12), ratings(chance, NAMES[:6], 12))
    yield "places-ten", partial(standings_over_time, days(12), places(chance, NAMES[:10], 12), chosen=8)
    yield (
        "bids-four",
        partial(made_and_set, [BidCount("2", 41, 2), BidCount("3", 66, 19), BidCount("shoot the moon", 1, 3)]),
    )


def much(chance: random.Random) -> Iterator[tuple[str, Draw]]:
    yield "score-300", partial(score_by_hand, game(chance, long_names(6), 300), 500)
    yield "chance-two-300", partial(win_chance, chances(chance, long_names(2), 300))
    yield "chance-six-300", partial(win_chance, chances(chance, long_names(6), 300))
    yield "rating-one-300", partial(rating_over_time, days(300), ratings(chance, long_names(1), 300))
    yield "rating-60-300", partial(rating_over_time, days(300), ratings(chance, long_names(60), 300))
    yield "places-15-60", partial(standings_over_time, days(60), places(chance, long_names(15), 60), chosen=3)
    yield "places-60-60", partial(standings_over_time, days(60), places(chance, long_names(60), 60), chosen=40)
    yield "places-60-300", partial(standings_over_time, days(300), places(chance, long_names(60), 300), chosen=40)
    yield (
        "bids-60",
        partial(made_and_set, [BidCount(f"{name}", 90_000 + i, 8_000) for i, name in enumerate(long_names(60))]),
    )


def all_charts() -> list[tuple[str, Draw]]:
    """Pairs of name and draw function; drawing is lazy, as drawing all takes seconds."""
    chance = random.Random(20)
    return [(name, cache(draw)) for name, draw in (*little(), *usual(chance), *much(chance))]


def without_data() -> list[Chart]:
    return [
        score_by_hand([], 11),
        score_by_hand([ScoreSeries("Ann", []), ScoreSeries("Bo", [])], 11),
        win_chance([]),
        win_chance([ChanceSeries("Ann", []), ChanceSeries("Bo", [])]),
        rating_over_time([], []),
        rating_over_time(days(2), [PlayerSeries("Ann", [None, None])]),
        standings_over_time([], []),
        standings_over_time(days(1), [PlayerSeries("Ann", [None])], chosen=0),
        made_and_set([]),
        made_and_set([BidCount("4", 0, 0)]),
    ]
