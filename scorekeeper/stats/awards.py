"""Awards at a season's end: each with its number, the rule it is given by, and a least sample before anybody has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import Row

from .counts import PlayerId
from .ratings import LEAST_GAMES
from .records import streaks
from .standings import Partnership

LEAST_BIDS = 20
LEAST_RATED = LEAST_GAMES
LEAST_STREAK = 3
LEAST_NIGHTS = 3
SUMMED = ("games", "bids", "made", "inflicted")

Rows = Sequence[Row[Any]]


@dataclass(frozen=True)
class Award:
    """Who has it (equals share it), by which number, of how many; nobody where nobody has the least sample."""

    key: str
    holders: tuple[PlayerId, ...] = ()
    value: Fraction = Fraction(0)
    of: int = 0


def most(key: str, values: Mapping[PlayerId, Fraction | int], of: Mapping[PlayerId, int] | None = None) -> Award:
    """The award of whoever has most; nobody's when that is nothing."""
    if not values or max(values.values()) <= 0:
        return Award(key)
    value = max(values.values())
    holders = tuple(player for player, mine in values.items() if mine == value)
    return Award(key, holders, Fraction(value), (of or {}).get(holders[0], 0))


def awards(rows: Rows, members: Iterable[PlayerId], pairs: Sequence[Partnership]) -> list[Award]:
    """All awards but the champion's, from the results of a season; guests are given none."""
    people = set(members)
    mine = [row for row in rows if row.player_id in people]
    sums = _sums(mine)
    return [
        most("games", {player: one["games"] for player, one in sums.items()}),
        _iron(mine),
        _bidder(sums),
        _defender(sums),
        _improved(mine),
        _streak(mine),
        _partners(pairs),
    ]


def _sums(rows: Rows) -> dict[PlayerId, dict[str, int]]:
    sums: dict[PlayerId, dict[str, int]] = defaultdict(lambda: dict.fromkeys(SUMMED, 0))
    for row in rows:
        for name in SUMMED:
            sums[row.player_id][name] += getattr(row, name)
    return sums


def _iron(rows: Rows) -> Award:
    """Who was there on most nights."""
    nights: dict[PlayerId, set[Any]] = defaultdict(set)
    for row in rows:
        if row.games:
            nights[row.player_id].add(row.played)
    all_nights = len({row.played for row in rows if row.games})
    if all_nights < LEAST_NIGHTS:
        return Award("iron")
    there = {player: len(days) for player, days in nights.items()}
    return most("iron", there, dict.fromkeys(there, all_nights))


def _bidder(sums: Mapping[PlayerId, Mapping[str, int]]) -> Award:
    """Who made most of the bids taken."""
    enough = {player: one for player, one in sums.items() if one["bids"] >= LEAST_BIDS}
    shares = {player: Fraction(one["made"], one["bids"]) for player, one in enough.items()}
    return most("bidder", shares, {player: one["bids"] for player, one in enough.items()})


def _defender(sums: Mapping[PlayerId, Mapping[str, int]]) -> Award:
    """Whose opponents were set most often."""
    return most("defender", {player: one["inflicted"] for player, one in sums.items()})


def _improved(rows: Rows) -> Award:
    """Whose rating has gone up most from the first game to the last."""
    first: dict[PlayerId, float] = {}
    last: dict[PlayerId, float] = {}
    games: dict[PlayerId, int] = defaultdict(int)
    for row in rows:
        if row.mu is not None and row.games:
            first.setdefault(row.player_id, row.mu_before)
            last[row.player_id] = row.mu
            games[row.player_id] += 1
    gained = {
        player: Fraction(last[player]) - Fraction(first[player]) for player in last if games[player] >= LEAST_RATED
    }
    return most("improved", gained, games)


def _streak(rows: Rows) -> Award:
    """Who won most games in a row."""
    longest: dict[PlayerId, int] = defaultdict(int)
    for deed in streaks(rows):
        if deed.value >= LEAST_STREAK:
            longest[deed.players[0]] = max(longest[deed.players[0]], deed.value)
    return most("streak", longest)


def _partners(pairs: Sequence[Partnership]) -> Award:
    """Which two won most of the games in which they were partners."""
    enough = [pair for pair in pairs if pair.is_enough]
    if not enough or not enough[0].share:
        return Award("partners")
    return Award("partners", (enough[0].one.id, enough[0].other.id), enough[0].share, enough[0].games)
