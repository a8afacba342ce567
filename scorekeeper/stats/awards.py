"""Awards at a season's end: each with its number, the rule it is given by, and a least sample before anybody has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby
from math import sqrt
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .counts import PlayerId
from .profiles import Average, Estimate, errors_of, leaders
from .query import Choice, chosen_games
from .rating_model import NEWCOMER, NOISE, SHARPNESS, Rating, chances
from .ratings import LEAST_GAMES
from .records import Deed, Deeds, streaks
from .standings import Partnership

LEAST_BIDS = 20
LEAST_RATED = LEAST_GAMES
LEAST_STREAK = 3
LEAST_NIGHTS = 3
MOST_COMPARED = 2_000  # of more games, partners are compared by the latest
AWARDS = ("games", "iron", "best-bidder", "defender", "improved", "streak", "best-partners")
OLDER = ("bidder", "partners")  # of seasons closed before November 2026: who had the highest share, by luck or not
AS_RATED = Estimate(0, 0)
WIDTH = SHARPNESS * NOISE * sqrt(1 / 2)
Pair = tuple[PlayerId, PlayerId]  # the lower id first
SUMMED = ("games", "bids", "made", "inflicted")


@dataclass(frozen=True, slots=True)
class Part:
    """A player's part in a season: `nights` with a game that counts, `gained` rating (openskill's mu), None without."""

    games: int = 0
    nights: int = 0
    bids: int = 0
    made: int = 0
    inflicted: int = 0
    gained: float | None = None


Parts = Mapping[PlayerId, Part]


@dataclass(frozen=True)
class Award:
    """Who has it (equals share it), by which number, of how many; nobody where nobody has the least sample.

    Where nobody stands out, `of` is how many were compared.
    """

    key: str
    holders: tuple[PlayerId, ...] = ()
    value: Fraction = Fraction(0)
    of: int = 0


def most(key: str, values: Mapping[PlayerId, Fraction | int], of: Mapping[PlayerId, int] | None = None) -> Award:
    """The award of whoever has most; nobody's when that is nothing."""
    if not values or max(values.values()) <= 0:
        return Award(key)
    value = max(values.values())
    holders = tuple(sorted(player for player, mine in values.items() if mine == value))
    return Award(key, holders, Fraction(value), (of or {}).get(holders[0], 0))


def season_awards(
    club: Club, choice: Choice, members: Collection[PlayerId], done: Deeds, pairs: Sequence[Partnership]
) -> list[Award]:
    """All awards of the games chosen but the champion's; guests are given none."""
    rated = _rated(club, choice)
    parts = {player: part for player, part in _parts(club, choice, _gained(rated)).items() if player in members}
    return awards(parts, done.nights, streaks(done.runs), pairs, beyond_ratings(rated))


def awards(
    parts: Parts, nights: int, runs: Sequence[Deed], pairs: Sequence[Partnership], beyond: Mapping[Pair, Average]
) -> list[Award]:
    """All awards but the champion's; `nights` is how many there were, `runs` the winning streaks.

    `beyond` is what two partners won more than their ratings say.
    """
    return [
        most("games", {player: part.games for player, part in parts.items()}),
        _iron(parts, nights),
        _bidder(parts),
        most("defender", {player: part.inflicted for player, part in parts.items()}),
        _improved(parts),
        _streak(runs),
        best_partners(pairs, beyond),
    ]


def _parts(club: Club, choice: Choice, gained: Mapping[PlayerId, float]) -> dict[PlayerId, Part]:
    chosen = [*chosen_games(club, choice), Result.forfeits == 0]
    sums = [func.sum(getattr(Result, name)) for name in SUMMED]
    nights = func.count(Result.played.distinct()).filter(Result.games == 1)
    rows = db.session.execute(select(Result.player_id, nights, *sums).where(*chosen).group_by(Result.player_id))
    return {
        player: Part(games, there, bids, made, inflicted, gained.get(player))
        for player, there, games, bids, made, inflicted in rows
    }


class Rated(NamedTuple):
    """How a game that was played ended for a player, with the ratings before and after it; guests have none."""

    game_id: int
    player_id: PlayerId
    seat: int
    unit: str
    won: int
    shared: int
    mu_before: float | None
    mu: float | None
    sigma: float | None


def _rated(club: Club, choice: Choice) -> list[Rated]:
    """The results of the games chosen, in their order."""
    columns = [getattr(Result, name) for name in Rated._fields]
    played = *chosen_games(club, choice), Result.games == 1, Result.forfeits == 0
    rows = db.session.execute(select(*columns).where(*played).order_by(Result.played, Result.number))
    return [Rated(*row) for row in rows]


def _gained(rated: Sequence[Rated]) -> dict[PlayerId, float]:
    """By how much everybody's rating is higher after the last game than before the first."""
    first: dict[PlayerId, Any] = {}
    last: dict[PlayerId, Any] = {}
    for row in rated:
        if row.mu is not None:
            first.setdefault(row.player_id, row.mu_before)
            last[row.player_id] = row.mu
    return {player: last[player] - first[player] for player in last}


def beyond_ratings(rated: Sequence[Rated]) -> dict[Pair, Average]:
    """What two partners won of a game more than the ratings say, on average; `rated` the results in their order.

    Those after the last of the games: earlier ones know too little, and would call strong players good partners.
    What is not known of them counts as luck, the same in every game.
    """
    now = {row.player_id: Rating(row.mu, row.sigma) for row in rated if row.mu is not None and row.sigma is not None}
    found: dict[Pair, list[tuple[float, float, float]]] = defaultdict(list)
    games = [list(game) for _, game in groupby(rated, key=attrgetter("game_id"))]
    for game in games[-MOST_COMPARED:]:
        for side, more in _foretold(game, now):
            for one, other in combinations(sorted((row.player_id, row.seat) for row in side), 2):
                if one[1] != other[1]:  # two who shared a seat did not play together
                    found[one[0], other[0]].append(more)
    return {pair: _average(*zip(*games, strict=True)) for pair, games in found.items()}


def _foretold(
    game: Sequence[Rated], now: Mapping[PlayerId, Rating]
) -> Iterator[tuple[list[Rated], tuple[float, float, float]]]:
    """Each side with what it won more than was foretold, the variance of that, and by how much it may be mistaken."""
    units: dict[str, list[Rated]] = defaultdict(list)
    for row in game:
        units[row.unit].append(row)
    sides = [(side, [now.get(row.player_id, NEWCOMER) for row in side]) for side in units.values()]
    foretold = chances([sum([one.mu for one in known]) / len(known) for _, known in sides], 1.0)
    for (side, known), chance in zip(sides, foretold, strict=True):
        variance = chance * (1 - chance)
        unsure = sqrt(sum([one.sigma * one.sigma for one in known])) / len(known)
        yield side, (side[0].won + side[0].shared / 2 - chance, variance, variance * unsure / WIDTH)


def _average(more: Sequence[float], variances: Sequence[float], errors: Sequence[float]) -> Average:
    games = len(more)
    return Average(sum(more), sum(one * one for one in more), games, (sum(variances) + sum(errors) ** 2) / games)


def _iron(parts: Parts, nights: int) -> Award:
    """Who was there on most nights."""
    if nights < LEAST_NIGHTS:
        return Award("iron")
    there = {player: part.nights for player, part in parts.items()}
    return most("iron", there, dict.fromkeys(there, nights))


def _bidder(parts: Parts) -> Award:
    """Who made more of the bids taken than the others, by more than luck explains; several have the share of all."""
    enough = {player: part for player, part in parts.items() if part.bids >= LEAST_BIDS}
    usual = _share(enough.values())
    spread = float(usual * (1 - usual))
    best = leaders(list(enough), lambda one: Average(enough[one].made, enough[one].made, enough[one].bids, spread))
    if not best:
        return Award("best-bidder", of=len(enough))
    mine = [enough[player] for player in best]
    return Award("best-bidder", best, _share(mine), sum(part.bids for part in mine))


def _share(parts: Collection[Part]) -> Fraction:
    """Bids made, of all bids of some players."""
    bids = sum(part.bids for part in parts)
    return Fraction(sum(part.made for part in parts), bids) if bids else Fraction(0)


def _improved(parts: Parts) -> Award:
    """Whose rating has gone up most from the first game to the last."""
    gained = {
        player: Fraction(part.gained)
        for player, part in parts.items()
        if part.gained is not None and part.games >= LEAST_RATED
    }
    return most("improved", gained, {player: part.games for player, part in parts.items()})


def _streak(runs: Sequence[Deed]) -> Award:
    """Who won most games in a row."""
    longest: dict[PlayerId, int] = defaultdict(int)
    for run in runs:
        if run.value >= LEAST_STREAK:
            longest[run.players[0]] = max(longest[run.players[0]], run.value)
    return most("streak", longest)


def best_partners(pairs: Sequence[Partnership], beyond: Mapping[Pair, Average]) -> Award:
    """Which two won more of their games than their ratings say, and than others did, by more than luck explains."""
    known = {pair: beyond[ids] for pair in pairs if pair.is_enough and (ids := (pair.one.id, pair.other.id)) in beyond}
    best = leaders(list(known), known.__getitem__)
    if len(best) != 1 or not known[best[0]].estimate().is_above(AS_RATED, errors_of(len(known))):
        return Award("best-partners", of=len(known))
    (pair,) = best
    return Award("best-partners", (pair.one.id, pair.other.id), pair.share, pair.games)
