"""Pairs as the entries of a table: two players who sat in one team of two are one, in every game in which they did.

Nobody has to put them together: a pair is whoever played as one. A team of three or more is no pair.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby, product
from operator import itemgetter
from typing import Any

from .counts import INFLICTED, SETS, PlayerId
from .game_counts import TOGETHER
from .league import Bonus
from .nights import Nights
from .query import NAMES, PLAYER_AT, Rated
from .schemes import Scheme

Pair = tuple[PlayerId, PlayerId]
EACH = "hands", "bids", "made"  # of both players together
OF_SIDE = SETS, INFLICTED  # in the hands that both played in one team
# Where they are in a row: there are thousands of rows, and a name is slow to look up.
GAME, UNIT, SEAT, GAMES = (NAMES.index(name) for name in ("game_id", "unit", "seat", "games"))
BOTH = [NAMES.index(name) for name in EACH]
SIDES = [(NAMES.index(name), TOGETHER.index(name)) for name in OF_SIDE]
RATINGS = [NAMES.index(name) for name in ("mu_before", "sigma_before", "mu", "sigma")]


def pair_rows(rows: Sequence[Any], together: Mapping[int, Mapping[Pair, Sequence[int]]]) -> list[Any]:
    """The results of the pairs, from those of the players in the order in which the games were played.

    `together` is what each two players in one team did in each game, by its id: the numbers of TOGETHER.
    """
    found = []
    for game_id, game in groupby((row for row in rows if row[GAMES]), key=itemgetter(GAME)):
        teams: dict[str, dict[int, list[Any]]] = {}
        for row in game:
            teams.setdefault(row[UNIT], {}).setdefault(row[SEAT], []).append(row)
        for seats in teams.values():
            if len(seats) == 2:
                found += [_together(one, other, together[game_id]) for one, other in product(*seats.values())]
    return found


def _together(one: Any, other: Any, together: Mapping[Pair, Sequence[int]]) -> Any:
    """The result of two players in one team. It has no rating: a pair has none."""
    row = list(one)
    pair = row[PLAYER_AT] = tuple(sorted((one[PLAYER_AT], other[PLAYER_AT])))
    for each in BOTH:
        row[each] += other[each]
    done = together.get(pair)  # nothing where the two never sat there at the same time
    for at, number in SIDES:
        row[at] = done[number] if done else 0
    for rating in RATINGS:
        row[rating] = None
    return Rated._make(row)


def pair_name(pair: Pair, names: Mapping[PlayerId, str]) -> str:
    """Both names, in the order of the alphabet."""
    return " and ".join(sorted((names[number] for number in pair), key=str.casefold))


def pair_nights(rows: Sequence[Any], scheme: Scheme, bonuses: Iterable[tuple[PlayerId, Bonus]]) -> Nights:
    """The nights of the pairs; a bonus of one of the two is the pair's."""
    sums: dict[tuple[Any, date], Counter[str]] = defaultdict(Counter)
    for row in rows:
        sums[row.player_id, row.played].update({name: getattr(row, name) for name in ENDED})
    told = ((pair, day, *(found[name] for name in ENDED)) for (pair, day), found in sums.items())
    return Nights(scheme, told, bonuses)


ENDED = ("won", "shared", "lost", "forfeits")
