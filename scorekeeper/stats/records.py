"""Records: the highest, the longest, the furthest behind, from what each game came to; and awards at a season's end.

Whoever did it first holds a record. Rule sets have records of their own: 7 points a hand and 4 are not compared. A
winning streak goes on from one rule set to another. Each award has its number, the rule it is given by, and a least
sample.
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

from .counting import BID_MADE, COMEBACK, COUNTED_DOWN, SWEEP, Pair, PlayerId
from .profiles import Average, Estimate, errors_of, leaders
from .query import Choice, Played, chosen_games, results
from .ratings import LEAST_GAMES, NEWCOMER, NOISE, PLAYED, SHARPNESS, Rating, chances
from .standings import Partnership

STREAK = "streak"


class Deed(NamedTuple):
    """What somebody did in a game, in that `hand` of it where it was done in one.

    Of a record it is the first one, done `again` in so many later games.
    """

    value: int
    played: date
    number: int
    players: tuple[PlayerId, ...] = ()
    hand: int = 0
    since: int = 0  # of a streak, the game in which it began; of a comeback, the hand after which it did
    again: int = 0


class FoundRecord(NamedTuple):
    """A record by its key, of games under one rule set; `rules_id` is empty where that makes no difference."""

    key: str
    rules_id: str
    deed: Deed


class Runs(NamedTuple):
    """Games that players have won one after another, alone or with partners; a tied game ends it.

    Of those that have ended the longest of each player, in the order in which they did.
    """

    going_on: dict[PlayerId, Deed]
    ended: list[Deed]


@dataclass(frozen=True)
class Deeds:
    """What the games so far came to: as much as it takes to say their records, and to go on with later games."""

    nights: int = 0
    night: date | None = None  # the last one
    by_rules: Counter[str] = field(default_factory=Counter)  # how many games
    bests: dict[tuple[str, str], Deed] = field(default_factory=dict)  # by rule set and record
    runs: Runs = field(default_factory=lambda: Runs({}, []))


def add_deeds(before: Deeds, games: Sequence[Played], members: Collection[PlayerId]) -> Deeds:
    """The same with later games, in their order. Guests hold no records; nothing in `before` is changed."""
    members = frozenset(members)
    by_rules, bests = before.by_rules.copy(), before.bests.copy()
    for rules_id, number in Counter(game.rules_id for game in games).items():
        by_rules[rules_id] += number
        mine = [game for game in games if game.rules_id == rules_id]
        for key, deeds in RECORDS.items():
            lowest = key == LOWEST
            record = best(_farthest(bests.get((rules_id, key)), mine, deeds, members, lowest=lowest), lowest=lowest)
            if record:
                bests[rules_id, key] = record
    new = len({game.played for game in games} - {before.night})
    last = games[-1].played if games else before.night
    return Deeds(before.nights + new, last, by_rules, bests, add_runs(before.runs, games, members))


def records(done: Deeds) -> list[FoundRecord]:
    """All records: the streak, then each rule set's, the one with most games first."""
    streak = best(streaks(done.runs))
    found = [FoundRecord(STREAK, "", streak)] if streak else []
    for rules_id, _ in done.by_rules.most_common():
        mine = ((key, done.bests.get((rules_id, key))) for key in RECORDS)
        found += [FoundRecord(key, rules_id, deed) for key, deed in mine if deed]
    return found


def _farthest(
    before: Deed | None, games: Iterable[Played], deeds: DeedsOf, members: frozenset[PlayerId], *, lowest: bool
) -> list[Deed]:
    """The record so far, and the members' deeds in later games that went as far as any before them, in their order.

    Who is named did it, but for guests; what guests alone have done is left out.
    """
    done = [before] if before else []
    sign = -1 if lowest else 1
    for game in games:
        for value, players, hand, since in deeds(game):
            if not done or sign * value >= sign * done[-1].value:
                here = tuple(player for player in players if player in members)
                if here or not players:
                    done.append(Deed(value, game.played, game.number, here, hand, since))
    return done


def best(deeds: Sequence[Deed], *, lowest: bool = False) -> Deed | None:
    """The record among some deeds, which are in the order in which they were done.

    Sides and players who did the same in the same game hold it together; a game counts once.
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


HandDeed = tuple[int, Sequence[PlayerId], int, int]  # the value, who did it, the hand, and since when: see Deed
DeedsOf = Callable[[Played], list[HandDeed]]


def scores(game: Played) -> list[HandDeed]:
    """The final score of every side; one that counts down to 0 is neither a high nor a low one."""
    return [] if game.deeds.get(COUNTED_DOWN) else [(total, players, 0, 0) for total, _, players in game.sides]


def margins(game: Played) -> list[HandDeed]:
    """By how much it was won, where one side alone won it; a tie that the bid decided has no margin."""
    second, first = sorted([total for total, *_ in game.sides])[-2:]
    won = [(total - second, players, 0, 0) for total, ended, players in game.sides if ended == "W" and total == first]
    return won if first > second else []


def sets(game: Played) -> list[HandDeed]:
    """How many of its bids were set."""
    number = sum([taken - made for taken, made, *_ in game.bids.values()])
    return [(number, (), 0, 0)] if number else []


def bids(game: Played) -> list[HandDeed]:
    """The highest bid that was made."""
    done = game.deeds.get(BID_MADE)
    return [(done[0], done[2], done[1], 0)] if done else []


def comebacks(game: Played) -> list[HandDeed]:
    """How far behind the winner was."""
    done = game.deeds.get(COMEBACK)
    return [(done[0], done[2], 0, done[1])] if done else []


# What each kind of record is about in a game; the highest is the record, but for the lowest final score.
LOWEST = "lowest"
RECORDS: dict[str, DeedsOf] = {
    "highest": scores,
    LOWEST: scores,
    "margin": margins,
    "comeback": comebacks,
    "bid": bids,
    # hands in which one side took every point
    "sweep": lambda game: [(value, players, hand, 0) for value, hand, players in game.deeds.get(SWEEP, ())],
    "length": lambda game: [(game.hands, (), 0, 0)] if game.hands else [],  # also hands that everybody passed
    "sets": sets,
}


# --- of many games ------------------------------------------------------------------------------------------------


def add_runs(before: Runs, games: Iterable[Played], members: Collection[PlayerId]) -> Runs:
    """The same after later games; nothing in `before` is changed. Guests have none."""
    runs, ended = before.going_on.copy(), before.ended.copy()
    for game in games:
        for _, letter, players in game.sides:
            for player in players:
                run = runs.get(player)
                if letter == "W" and player in members:
                    value, since = (run.value + 1, run.since) if run else (1, game.number)
                    runs[player] = Deed(value, game.played, game.number, (player,), since=since)
                elif run:
                    ended.append(runs.pop(player))
    longest = _lengths(ended)
    return Runs(runs, [run for run in ended if run.value == longest[run.players[0]]])


def _lengths(runs: Iterable[Deed]) -> dict[PlayerId, int]:
    """How long the longest of each player is."""
    return {run.players[0]: run.value for run in sorted(runs, key=attrgetter("value"))}


def streaks(runs: Runs) -> list[Deed]:
    """The longest runs of two or more games, also those that go on, in the order of their last games."""
    found = [run for run in (*runs.ended, *runs.going_on.values()) if run.value > 1]
    return sorted(found, key=lambda run: (run.played, run.number))


# --- awards -----------------------------------------------------------------------------------------------------------


LEAST_BIDS = 20
LEAST_RATED = LEAST_GAMES
LEAST_STREAK = 3
LEAST_NIGHTS = 3
MOST_COMPARED = 2_000  # of more games, partners are compared by the latest
AWARDS = ("games", "iron", "best-bidder", "defender", "improved", "streak", "best-partners")
OLDER = ("bidder", "partners")  # of seasons closed before November 2026: who had the highest share, by luck or not
WIDTH = SHARPNESS * NOISE * sqrt(1 / 2)


class Part(NamedTuple):
    """A player's part in a season: `nights` with a game that counts, `gained` rating (openskill's mu), None without."""

    games: int = 0
    nights: int = 0
    bids: int = 0
    made: int = 0
    inflicted: int = 0
    gained: float | None = None


class Award(NamedTuple):
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
    rated: list[RatedResult] = results(*chosen_games(club, choice), PLAYED, of=RatedResult)
    before: dict[PlayerId, float] = {}
    after: dict[PlayerId, float] = {}
    for row in rated:
        if row.mu is not None and row.mu_before is not None:
            before.setdefault(row.player_id, row.mu_before)
            after[row.player_id] = row.mu
    gained = {player: after[player] - before[player] for player in after}
    sums = map(func.sum, (Result.games, Result.bids, Result.made, Result.inflicted))
    nights = func.count(Result.played.distinct()).filter(Result.games == 1)
    mine = select(Result.player_id, nights, *sums).where(*chosen_games(club, choice), Result.forfeits == 0)
    rows: Any = db.session.execute(mine.group_by(Result.player_id))
    parts = {
        player: Part(games, there, bids, made, inflicted, gained.get(player))
        for player, there, games, bids, made, inflicted in rows
        if player in members
    }
    return awards(parts, done.nights, streaks(done.runs), pairs, beyond_ratings(rated))


def awards(
    parts: Mapping[PlayerId, Part],
    nights: int,
    runs: Sequence[Deed],
    pairs: Sequence[Partnership],
    beyond: Mapping[Pair, Average],
) -> list[Award]:
    """All awards but the champion's; `nights` is how many there were, `runs` the winning streaks.

    `beyond` is what two partners won more than their ratings say.
    """
    games = {player: part.games for player, part in parts.items()}
    there = {player: part.nights for player, part in parts.items()} if nights >= LEAST_NIGHTS else {}
    gained = {
        player: Fraction(part.gained)
        for player, part in parts.items()
        if part.gained is not None and part.games >= LEAST_RATED
    }
    return [
        most("games", games),
        most("iron", there, dict.fromkeys(there, nights)),
        _bidder(parts),
        most("defender", {player: part.inflicted for player, part in parts.items()}),
        most("improved", gained, games),
        most("streak", _lengths(run for run in runs if run.value >= LEAST_STREAK)),
        best_partners(pairs, beyond),
    ]


class RatedResult(NamedTuple):
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


def beyond_ratings(rated: Sequence[RatedResult]) -> dict[Pair, Average]:
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
    beyond = {}
    for pair, told in found.items():
        gains = [gain for gain, _, _ in told]
        variance = (sum(luck for _, luck, _ in told) + sum(error for _, _, error in told) ** 2) / len(told)
        beyond[pair] = Average(sum(gains), sum(gain * gain for gain in gains), len(told), variance)
    return beyond


def _foretold(
    game: Sequence[RatedResult], now: Mapping[PlayerId, Rating]
) -> Iterator[tuple[list[RatedResult], tuple[float, float, float]]]:
    """Each side with what it won more than was foretold, the variance of that, and by how much it may be mistaken."""
    units: dict[str, list[RatedResult]] = defaultdict(list)
    for row in game:
        units[row.unit].append(row)
    sides = [(side, [now.get(row.player_id, NEWCOMER) for row in side]) for side in units.values()]
    foretold = chances([sum([one.mu for one in known]) / len(known) for _, known in sides], 1.0)
    for (side, known), chance in zip(sides, foretold, strict=True):
        variance = chance * (1 - chance)
        unsure = sqrt(sum([one.sigma * one.sigma for one in known])) / len(known)
        yield side, (side[0].won + side[0].shared / 2 - chance, variance, variance * unsure / WIDTH)


def _bidder(parts: Mapping[PlayerId, Part]) -> Award:
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


def best_partners(pairs: Sequence[Partnership], beyond: Mapping[Pair, Average]) -> Award:
    """Which two won more of their games than their ratings say, and than others did, by more than luck explains."""
    known = {pair: beyond[ids] for pair in pairs if pair.is_enough and (ids := (pair.one.id, pair.other.id)) in beyond}
    best = leaders(list(known), known.__getitem__)
    if len(best) != 1 or not known[best[0]].estimate().is_above(Estimate(0, 0), errors_of(len(known))):
        return Award("best-partners", of=len(known))
    (pair,) = best
    return Award("best-partners", (pair.one.id, pair.other.id), pair.share, pair.games)
