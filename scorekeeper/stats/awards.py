"""Awards at a season's end: each with its number, the rule it is given by, and a least sample before anybody has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import func, select

from scorekeeper.db import db
from scorekeeper.models import Club, Result

from .counts import PlayerId
from .profiles import Average, leaders
from .query import Choice, chosen_games
from .ratings import LEAST_GAMES
from .records import Deed, Deeds, streaks
from .standings import Partnership

LEAST_BIDS = 20
LEAST_RATED = LEAST_GAMES
LEAST_STREAK = 3
LEAST_NIGHTS = 3
AWARDS = ("games", "iron", "best-bidder", "defender", "improved", "streak", "best-partners")
OLDER = ("bidder", "partners")  # of seasons closed before November 2026: who had the highest share, by luck or not
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
    parts = {player: part for player, part in _parts(club, choice).items() if player in members}
    return awards(parts, done.nights, streaks(done.runs), pairs)


def awards(parts: Parts, nights: int, runs: Sequence[Deed], pairs: Sequence[Partnership]) -> list[Award]:
    """All awards but the champion's; `nights` is how many there were, `runs` the winning streaks."""
    return [
        most("games", {player: part.games for player, part in parts.items()}),
        _iron(parts, nights),
        _bidder(parts),
        most("defender", {player: part.inflicted for player, part in parts.items()}),
        _improved(parts),
        _streak(runs),
        _partners(pairs),
    ]


def _parts(club: Club, choice: Choice) -> dict[PlayerId, Part]:
    chosen = [*chosen_games(club, choice), Result.forfeits == 0]
    sums = [func.sum(getattr(Result, name)) for name in SUMMED]
    nights = func.count(Result.played.distinct()).filter(Result.games == 1)
    rows = db.session.execute(select(Result.player_id, nights, *sums).where(*chosen).group_by(Result.player_id))
    gained = _gained(club, choice)
    return {
        player: Part(games, there, bids, made, inflicted, gained.get(player))
        for player, there, games, bids, made, inflicted in rows
    }


def _gained(club: Club, choice: Choice) -> dict[PlayerId, float]:
    """By how much everybody's rating is higher after the last game than before the first."""
    columns = Result.player_id, Result.mu_before, Result.mu
    rated = select(*columns).where(*chosen_games(club, choice), Result.games == 1, Result.mu.is_not(None))
    first: dict[PlayerId, Any] = {}
    last: dict[PlayerId, Any] = {}
    for player, before, after in db.session.execute(rated.order_by(Result.played, Result.number)):
        first.setdefault(player, before)
        last[player] = after
    return {player: last[player] - first[player] for player in last}


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


def _partners(pairs: Sequence[Partnership]) -> Award:
    """Which two won more of their games than others did, beyond chance, and by more than luck explains."""
    enough = [pair for pair in pairs if pair.is_enough]
    best = leaders(enough, _beyond_chance)
    if len(best) != 1:
        return Award("best-partners", of=len(enough))
    (pair,) = best
    return Award("best-partners", (pair.one.id, pair.other.id), pair.share, pair.games)


def _beyond_chance(pair: Partnership) -> Average:
    """What two partners won of a game more than chance gives, on average."""
    chance, won = float(pair.chance), pair.won + pair.shared / 2
    squares = pair.won * (1 - chance) ** 2 + pair.shared * (0.5 - chance) ** 2 + pair.lost * chance**2
    return Average(won - chance * pair.games, squares, pair.games, chance * (1 - chance))
