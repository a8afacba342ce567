"""Pairs as the entries of a table: two players who sat in one team of two are one, in every game in which they did.

Nobody has to put them together: a pair is whoever played as one. A team of three or more is no pair.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby, product
from typing import Any

from .counts import PlayerId
from .league import Bonus
from .nights import Nights
from .query import Rated
from .schemes import Scheme

Pair = tuple[PlayerId, PlayerId]
EACH = "hands", "bids", "made"  # of both players together
WHOSE = "sets", "inflicted"  # of the side: each of the two has the same, but where one had a substitute


def pair_rows(rows: Sequence[Any]) -> list[Any]:
    """The results of the pairs, from those of the players in the order in which the games were played."""
    found = []
    for _, game in groupby((row for row in rows if row.games), key=lambda row: row.game_id):
        teams: dict[str, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for row in game:
            teams[row.unit][row.seat].append(row)
        for seats in teams.values():
            if len(seats) == 2:
                found += [_together(one, other) for one, other in product(*seats.values())]
    return found


def _together(one: Any, other: Any) -> Any:
    """The result of two players in one team. It has no rating: a pair has none."""
    pair = tuple(sorted((one.player_id, other.player_id)))
    sums = {name: getattr(one, name) + getattr(other, name) for name in EACH}
    sums |= {name: max(getattr(one, name), getattr(other, name)) for name in WHOSE}
    unrated = dict.fromkeys(("mu_before", "sigma_before", "mu", "sigma"))
    return Rated(*one)._replace(player_id=pair, **sums, **unrated)


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
