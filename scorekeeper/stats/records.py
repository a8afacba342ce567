"""Records of the chosen games (highest, longest, furthest behind), and awards at a season's end.

The first to achieve a value holds the record. Records are by rule set: hands of 7 points and of 4 are not comparable. A
winning streak spans rule sets. Each award has its number, its rule, and a minimum sample.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import combinations, groupby
from math import sqrt
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .counting import BID_MADE, COMEBACK, COUNTED_DOWN, SWEEP, HandDeed, Pair, PlayerId
from .profiles import Average, Estimate, errors_of, leaders
from .query import Choice, Played, chosen_games, results
from .ratings import LEAST_GAMES, NEWCOMER, NOISE, PLAYED, SHARPNESS, Rating, chances, ratings_after
from .standings import Partnership

STREAK = "streak"


class Deed(NamedTuple):
    """An achievement of players in a game, in its `hand` if it was in a single one.

    A record is the first one of its value, with the number of later games that repeated it in `again`.
    """

    value: int
    played: date
    number: int
    players: tuple[PlayerId, ...] = ()
    hand: int = 0
    since: int = 0  # of a streak, the number of its first game; of a comeback, the hand after which it began
    again: int = 0


class FoundRecord(NamedTuple):
    """A record by its key, of games under one rule set; `rules_id` is empty if it spans rule sets."""

    key: str
    rules_id: str
    deed: Deed


@dataclass(frozen=True)
class Deeds:
    """Aggregate of the games so far, sufficient for their records and for adding later games.

    `runs` are the games that each player has won in a row up to now, alone or with partners; a tied game ends a run.
    `ended` has each player's longest ended runs only, in the order in which they ended.
    """

    nights: int = 0
    night: date | None = None  # the last one
    by_rules: Counter[str] = field(default_factory=Counter)  # number of games
    bests: dict[tuple[str, str], Deed] = field(default_factory=dict)  # by rule set and record
    runs: dict[PlayerId, Deed] = field(default_factory=dict)
    ended: list[Deed] = field(default_factory=list)


def add_deeds(before: Deeds, games: Iterable[Played], members: Collection[PlayerId]) -> Deeds:
    """`before` extended by later games, in their order, without modifying it. Guests hold no records."""
    by_rules, nights, night = before.by_rules.copy(), before.nights, before.night
    runs, ended = before.runs.copy(), before.ended.copy()
    done = defaultdict[tuple[str, str], list[Deed]](list, {one: [deed] for one, deed in before.bests.items()})
    for game in games:
        by_rules[game.rules_id] += 1
        nights, night = nights + (game.played != night), game.played
        _add_candidates(done, game, members)
        _add_run(runs, ended, game, members)
    bests = {one: deed for one, deeds in done.items() if (deed := best(deeds, lowest=one[1] == LOWEST))}
    longest = _lengths(ended)
    return Deeds(nights, night, by_rules, bests, runs, [run for run in ended if run.value == longest[run.players[0]]])


def records(deeds: Deeds) -> list[FoundRecord]:
    """All records: the streak, then those of each rule set, the one with most games first."""
    streak = best(streaks(deeds))
    found = [FoundRecord(STREAK, "", streak)] if streak else []
    for rules_id, _ in deeds.by_rules.most_common():
        mine = ((key, deeds.bests.get((rules_id, key))) for key in RECORDS)
        found += [FoundRecord(key, rules_id, deed) for key, deed in mine if deed]
    return found


def _add_candidates(done: Mapping[tuple[str, str], list[Deed]], game: Played, members: Collection[PlayerId]) -> None:
    """Add the members' deeds that equal or exceed all before them, by rule set and record.

    Guests are left out of a deed's players; deeds of guests only are left out.
    """
    for key, deeds in RECORDS.items():
        mine, sign = done[game.rules_id, key], -1 if key == LOWEST else 1
        for value, hand, players in deeds(game):
            if not mine or sign * value >= sign * mine[-1].value:
                here = tuple([player for player in players if player in members])
                if here or not players:
                    when = (0, hand) if key == COMEBACK else (hand, 0)
                    mine.append(Deed(value, game.played, game.number, here, *when))


def best(deeds: Sequence[Deed], *, lowest: bool = False) -> Deed | None:
    """The record among deeds, which are given in the order in which they were done.

    Sides and players with the same deed in the same game share it; a game counts once.
    """
    if not deeds:
        return None
    value = (min if lowest else max)([deed.value for deed in deeds])
    same = [deed for deed in deeds if deed.value == value]
    first = same[0]
    where = first.number, first.hand, first.since
    held = [player for deed in same if (deed.number, deed.hand, deed.since) == where for player in deed.players]
    again = first.again + len({deed.number for deed in same} - {first.number})
    return first._replace(players=tuple(dict.fromkeys(held)), again=again)


# --- of a game ----------------------------------------------------------------------------------------------------


DeedsOf = Callable[[Played], Iterable[HandDeed]]  # hand 0: not in a single hand


def scores(game: Played) -> list[HandDeed]:
    """The final score of every side; scores counted down to 0 make no record."""
    return [] if game.deeds.get(COUNTED_DOWN) else [[total, 0, players] for total, _, players in game.sides]


def margins(game: Played) -> list[HandDeed]:
    """The margin of a sole winner; none if the scores were tied and the bid decided."""
    second, first = sorted([total for total, _, _ in game.sides])[-2:]
    won = [[total - second, 0, players] for total, ended, players in game.sides if ended == "W" and total == first]
    return won if first > second else []


def sets(game: Played) -> list[HandDeed]:
    """The number of set bids in the game."""
    number = sum([taken - made for taken, made, *_ in game.bids.values()])
    return [[number, 0, ()]] if number else []


# The candidates for each record in a game; the highest value is the record, except for the lowest final score.
LOWEST = "lowest"
RECORDS: dict[str, DeedsOf] = {
    "highest": scores,
    LOWEST: scores,
    "margin": margins,
    COMEBACK: lambda game: filter(None, [game.deeds.get(COMEBACK)]),
    BID_MADE: lambda game: filter(None, [game.deeds.get(BID_MADE)]),
    SWEEP: lambda game: game.deeds.get(SWEEP, ()),
    "length": lambda game: [[game.hands, 0, ()]] if game.hands else [],  # includes hands that were passed out
    "sets": sets,
}


# --- of several games ---------------------------------------------------------------------------------------------


def _add_run(runs: dict[PlayerId, Deed], ended: list[Deed], game: Played, members: Collection[PlayerId]) -> None:
    """Continue, begin or end runs by a later game. Guests have no runs."""
    for _, letter, players in game.sides:
        for player in players:
            run = runs.get(player)
            if letter == "W" and player in members:
                value, since = (run.value + 1, run.since) if run else (1, game.number)
                runs[player] = Deed(value, game.played, game.number, (player,), since=since)
            elif run:
                ended.append(runs.pop(player))


def _lengths(runs: Iterable[Deed]) -> dict[PlayerId, int]:
    """The length of each player's longest run."""
    return {run.players[0]: run.value for run in sorted(runs, key=attrgetter("value"))}


def streaks(deeds: Deeds) -> list[Deed]:
    """The longest runs of two or more games, also current ones, in the order of their last games."""
    found = [run for run in (*deeds.ended, *deeds.runs.values()) if run.value > 1]
    return sorted(found, key=lambda run: (run.played, run.number))


# --- awards -----------------------------------------------------------------------------------------------------------


LEAST_BIDS = 20
LEAST_STREAK = 3
LEAST_NIGHTS = 3
MOST_COMPARED = 2_000  # with more games, partners are compared in the latest
AWARDS = ("games", "iron", "best-bidder", "defender", "improved", "streak", "best-partners")
OLDER = ("bidder", "partners")  # of seasons closed by earlier versions: the highest share, significant or not
WIDTH = SHARPNESS * NOISE * sqrt(1 / 2)


class SeasonPart(NamedTuple):
    """A player's part in a season: `nights` with a game that counts, `gained` rating (openskill's mu, None if none)."""

    games: int = 0
    nights: int = 0
    bids: int = 0
    made: int = 0
    inflicted: int = 0
    gained: float | None = None


class Award(NamedTuple):
    """An award: its holders (equals share it), the value, and its sample size; no holders below the minimum sample.

    If nobody stands out, `of` is the number of those compared.
    """

    key: str
    holders: tuple[PlayerId, ...] = ()
    value: Fraction = Fraction(0)
    of: int = 0


def highest_award(
    key: str, values: Mapping[PlayerId, Fraction | int], players: int, of: Mapping[PlayerId, int] | None = None
) -> Award:
    """The award for the highest value; it has no holder if that is not positive, or shared by all `players` but one."""
    if not values or max(values.values()) <= 0:
        return Award(key)
    value = max(values.values())
    holders = tuple(sorted(player for player, mine in values.items() if mine == value))
    if 1 < len(holders) >= players - 1:
        return Award(key)
    return Award(key, holders, Fraction(value), (of or {}).get(holders[0], 0))


def season_awards(
    club: Club, choice: Choice, members: Collection[PlayerId], deeds: Deeds, pairs: Sequence[Partnership]
) -> list[Award]:
    """All awards of the chosen games except the champion's; guests get none."""
    rated: list[RatedResult] = results(*chosen_games(club, choice), PLAYED, of=RatedResult)
    before = {row.player_id: row.mu_before for row in reversed(rated) if row.mu_before is not None}
    gained = {player: now.mu - before[player] for player, now in ratings_after(rated).items()}
    sums = map(func.sum, (Result.games, Result.bids, Result.made, Result.inflicted))
    nights = func.count(Result.played.distinct()).filter(Result.games == 1)
    mine = select(Result.player_id, nights, *sums).where(*chosen_games(club, choice), Result.forfeits == 0)
    rows: Any = db.session.execute(mine.group_by(Result.player_id))
    parts = {
        player: SeasonPart(games, there, bids, made, inflicted, gained.get(player))
        for player, there, games, bids, made, inflicted in rows
        if player in members
    }
    return awards(parts, deeds.nights, streaks(deeds), pairs, excess_over_ratings(rated))


def awards(
    parts: Mapping[PlayerId, SeasonPart],
    nights: int,
    runs: Sequence[Deed],
    pairs: Sequence[Partnership],
    excess: Mapping[Pair, Average],
) -> list[Award]:
    """All awards except the champion's; `nights` is the total number of nights, `runs` the winning streaks.

    `excess` is by how much partners won more than their ratings predict.
    """
    games, players = {player: part.games for player, part in parts.items()}, len(parts)
    there = {player: part.nights for player, part in parts.items()} if nights >= LEAST_NIGHTS else {}
    gained = {
        player: Fraction(part.gained)
        for player, part in parts.items()
        if part.gained is not None and part.games >= LEAST_GAMES
    }
    return [
        highest_award("games", games, players),
        highest_award("iron", there, players, dict.fromkeys(there, nights)),
        _bidder(parts),
        highest_award("defender", {player: part.inflicted for player, part in parts.items()}, players),
        highest_award("improved", gained, players, games),
        highest_award("streak", _lengths(run for run in runs if run.value >= LEAST_STREAK), players),
        best_partners(pairs, excess),
    ]


class RatedResult(NamedTuple):
    """A player's result in a game that was played, with the ratings before and after it; guests have none."""

    game_id: int
    player_id: PlayerId
    seat: int
    unit: str
    won: int
    shared: int
    mu_before: float | None
    mu: float | None
    sigma: float | None


def excess_over_ratings(rated: Sequence[RatedResult]) -> dict[Pair, Average]:
    """Average excess of two partners' result in a game over the prediction of ratings; `rated` is in order of play.

    Uses the ratings after the last game: earlier ones are less certain, and would count strong players as good
    partners. The uncertainty of ratings is added to the variance, fully correlated between games.
    """
    now = ratings_after(rated)
    found: dict[Pair, list[tuple[float, float, float]]] = defaultdict(list)
    games = [list(game) for _, game in groupby(rated, key=attrgetter("game_id"))]
    for game in games[-MOST_COMPARED:]:
        for side, more in _predicted(game, now):
            for one, other in combinations(sorted((row.player_id, row.seat) for row in side), 2):
                if one[1] != other[1]:  # two who shared a seat did not play together
                    found[one[0], other[0]].append(more)
    beyond = {}
    for pair, told in found.items():
        gains = [gain for gain, _, _ in told]
        variance = (sum(luck for _, luck, _ in told) + sum(error for _, _, error in told) ** 2) / len(told)
        beyond[pair] = Average(sum(gains), sum(gain * gain for gain in gains), len(told), variance)
    return beyond


def _predicted(
    game: Sequence[RatedResult], now: Mapping[PlayerId, Rating]
) -> Iterator[tuple[list[RatedResult], tuple[float, float, float]]]:
    """Each side with its result minus the prediction, the variance of that, and the prediction's standard error."""
    units: dict[str, list[RatedResult]] = defaultdict(list)
    for row in game:
        units[row.unit].append(row)
    sides = [(side, [now.get(row.player_id, NEWCOMER) for row in side]) for side in units.values()]
    foretold = chances([sum([one.mu for one in known]) / len(known) for _, known in sides], 1.0)
    for (side, known), chance in zip(sides, foretold, strict=True):
        variance = chance * (1 - chance)
        unsure = sqrt(sum([one.sigma * one.sigma for one in known])) / len(known)
        yield side, (side[0].won + side[0].shared / 2 - chance, variance, variance * unsure / WIDTH)


def _bidder(parts: Mapping[PlayerId, SeasonPart]) -> Award:
    """The award for making a significantly higher share of bids than others; `value` is the holders' joint share."""
    enough = {player: part for player, part in parts.items() if part.bids >= LEAST_BIDS}
    usual = _share(enough.values())
    spread = float(usual * (1 - usual))
    best = leaders(list(enough), lambda one: Average(enough[one].made, enough[one].made, enough[one].bids, spread))
    if not best:
        return Award("best-bidder", of=len(enough))
    mine = [enough[player] for player in best]
    return Award("best-bidder", best, _share(mine), sum(part.bids for part in mine))


def _share(parts: Collection[SeasonPart]) -> Fraction:
    """Bids made, as a share of all bids of these players."""
    bids = sum(part.bids for part in parts)
    return Fraction(sum(part.made for part in parts), bids) if bids else Fraction(0)


def best_partners(pairs: Sequence[Partnership], excess: Mapping[Pair, Average]) -> Award:
    """The award for the pair that won significantly more games than ratings predict, and than other pairs did."""
    known = {pair: excess[ids] for pair in pairs if pair.is_enough and (ids := (pair.one.id, pair.other.id)) in excess}
    best = leaders(list(known), known.__getitem__)
    if len(best) != 1 or not known[best[0]].estimate().is_above(Estimate(0, 0), errors_of(len(known))):
        return Award("best-partners", of=len(known))
    (pair,) = best
    return Award("best-partners", (pair.one.id, pair.other.id), pair.share, pair.games)
