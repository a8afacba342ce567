"""Ratings: how a game changes them, what they predict, and how they are stored with the results.

The model, how its numbers were fitted and what it was compared with are in `docs/ratings.md`. Updates use only sums,
products, quotients and square roots, which every computer rounds alike: the same games give the same ratings.

Players who are credited with a game are rated by it. If two are credited in one seat, the seat is to all others as
strong as the average of the two, and each of the two is rated as if alone in it. A guest is a newcomer in every game
and gets no rating. When a game changes, all later ones are rated again: at once, or, if there are many, by `catch_up`
before they are read. Nothing depends on a database id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from math import exp, sqrt
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, func, select, tuple_, update

from scorekeeper.database.session import db, db_write, in_slices
from scorekeeper.models import LATEST_RESULT_FIRST, Club, Player, Result

from .counting import PlayerId, is_played

# --- the model --------------------------------------------------------------------------------------------------------


# In units of 40 points (see numbers.MU_TIMES), so that a rating of 25 is shown as 1000.
START = 25.0  # a newcomer's rating
SPREAD = 1.875  # standard deviation of the players' strengths in a club: 75 points
NOISE = 7.5  # standard deviation of luck in the result of a game: 300 points
ERRORS = 3.2  # standard deviations in a margin: two are too few where players differ by more than SPREAD
DRIFT = 0.1125  # standard deviation of a player's change of strength between games: 4.5 points
MARGINS = 1.1  # times the winning score, over the root of the number of sides: the usual margin
MOST_MARGIN = 2.0  # times that: larger margins are cut off
WON = 0.5  # weight of winning in a result; the rest is the margin
SHARPNESS = sqrt(6) / 3.141592653589793  # steepness of a logistic curve as wide as a normal one of standard deviation 1


class Rating(NamedTuple):
    """A player's estimated strength, and its standard deviation."""

    mu: float
    sigma: float

    @property
    def margin(self) -> float:
        """The half-width of its error interval."""
        return ERRORS * self.sigma

    @property
    def safe(self) -> float:
        """The lower end of its error interval."""
        return self.mu - self.margin


def ratings_after(rows: Iterable[Any]) -> dict[PlayerId, Rating]:
    """The last rating of each player in some results, which are in the order of the games."""
    return {row.player_id: Rating(row.mu, row.sigma) for row in rows if row.mu is not None}


def differ_significantly(one: Rating, other: Rating) -> bool:
    """True if it is known which is stronger: they differ by two standard deviations of the difference."""
    apart = one.mu - other.mu
    return apart * apart > 4 * (one.sigma * one.sigma + other.sigma * other.sigma)


NEWCOMER = Rating(START, SPREAD)


class Side(NamedTuple):
    """A side of a game: the players credited with each of its seats, its score, and whether it won or shared."""

    seats: tuple[tuple[PlayerId, ...], ...]
    score: int
    won: bool


class Strength(NamedTuple):
    """The average strength of a side's seats, and its variance."""

    mu: float
    variance: float


def rate_game(sides: Sequence[Side], before: Mapping[PlayerId, Rating]) -> dict[PlayerId, Rating]:
    """The ratings of a game's players after it, from those before it; players without one are newcomers."""
    seats = [[_seat([before.get(player, NEWCOMER) for player in seat]) for seat in side.seats] for side in sides]
    strengths = [_strength(side) for side in seats]
    results = results_of(sides)
    after: dict[PlayerId, Rating] = {}
    for number, side in enumerate(sides):
        others = strengths[:number] + strengths[number + 1 :]
        for place, players in enumerate(side.seats):
            for player in players:
                mine = _seat([before.get(player, NEWCOMER)])
                own = _strength([*seats[number][:place], mine, *seats[number][place + 1 :]])
                after[player] = _updated_rating(mine, len(side.seats), own, others, results[number])
    return after


def _seat(ratings: Sequence[Rating]) -> Rating:
    """The strength of a seat, the average of its players; DRIFT adds to the uncertainty since the last game."""
    count = len(ratings)
    sigmas = [sqrt(one.sigma * one.sigma + DRIFT * DRIFT) for one in ratings]
    return Rating(sum(one.mu for one in ratings) / count, sum(sigmas) / count)


def _strength(seats: Sequence[Rating]) -> Strength:
    count = len(seats)
    variance = sum(seat.sigma * seat.sigma for seat in seats) / (count * count)
    return Strength(sum(seat.mu for seat in seats) / count, variance)


def _updated_rating(rating: Rating, seats: int, own: Strength, others: Sequence[Strength], result: float) -> Rating:
    """A rating after a game: moved towards the result in proportion to its uncertainty."""
    count = len(others)
    edge = own.mu - sum(other.mu for other in others) / count
    around = own.variance + sum(other.variance for other in others) / (count * count)
    mine_in_it = rating.sigma * rating.sigma / seats
    gain = mine_in_it / (NOISE * NOISE + around)
    return Rating(rating.mu + gain * (NOISE * result - edge), sqrt(rating.sigma * rating.sigma - gain * mine_in_it))


def results_of(sides: Sequence[Side]) -> list[float]:
    """The result of each side, half by winning and half by the margin; 1 is a usual win of one against one.

    Where no winner has the highest score, because a special bid or a loss by sets decided, margins count as 0.
    """
    count, winners = len(sides), sum(side.won for side in sides)
    by_score = not winners or max(side.score for side in sides) in [side.score for side in sides if side.won]
    unit = MARGINS * max(1, *(side.score for side in sides if side.won), 1) / sqrt(count)
    total = sum(side.score for side in sides)
    results = []
    for side in sides:
        margin = (side.score - (total - side.score) / (count - 1)) / unit if by_score else 0.0
        share = (1 / winners if side.won else 0.0) if winners else 1 / count
        ended = (share - 1 / count) * count / sqrt(count - 1)
        results.append(WON * ended + (1 - WON) * min(MOST_MARGIN, max(-MOST_MARGIN, margin)))
    return results


# --- forecasts ----------------------------------------------------------------------------------------------------


def chances(strengths: Sequence[float], trust: float) -> list[float]:
    """Each side's probability of winning, from the sides' average ratings."""
    count = len(strengths)
    width = SHARPNESS * NOISE * sqrt((count - 1) / count)
    highest = max(strengths)
    weights = [exp(trust * (own - highest) / width) for own in strengths]
    return [weight / sum(weights) for weight in weights]


# --- the games of a club ----------------------------------------------------------------------------------------------


RATING_COLUMNS = "mu_before", "sigma_before", "mu", "sigma"  # the columns of a result
PLAYED = is_played(Result)
LEAST_GAMES = 8  # with fewer a rating is provisional
# The columns that ratings depend on.
RATING_INPUTS = "game_id", "player_id", "played", "number", "seat", "unit", "place", "points_for"
CHUNK = 2_000  # results read, and written, at once
MOST_NOW = 1_000  # results after a change that are rated in its transaction, while a phone waits
DEFERRED_KEY = "ratings_left"  # key in session.info for the club whose ratings were left for later


def sides_of(game: Sequence[Any]) -> list[Side]:
    """The sides of a game from its results, in order of seats."""
    units: dict[str, dict[int, list[PlayerId]]] = {}
    told = {row.unit: row for row in game}
    for row in sorted(game, key=lambda row: row.seat):
        units.setdefault(row.unit, {}).setdefault(row.seat, []).append(row.player_id)
    return [
        Side(tuple(tuple(seat) for seat in seats.values()), told[unit].points_for, told[unit].place == 1)
        for unit, seats in units.items()
    ]


RatingRow = tuple[Any, ...]  # numbers or None, in the order of RATING_COLUMNS
UNRATED: RatingRow = (None,) * len(RATING_COLUMNS)


def rate_next(
    game: Sequence[Any], current: dict[PlayerId, Rating | None], guests: Collection[PlayerId]
) -> dict[PlayerId, RatingRow]:
    """The ratings before and after the next game, of all players except guests; updates `current`.

    `game` are the results of those whom it is credited to; empty if it was not played.
    """
    known = {row.player_id: current.get(row.player_id) or NEWCOMER for row in game}
    after = rate_game(sides_of(game), known) if game else {}
    rated = {player: (*known[player], *rating) for player, rating in after.items() if player not in guests}
    current.update({player: after[player] for player in rated})
    return rated


# --- stored with the results --------------------------------------------------------------------------------------


def rating_inputs(results: Iterable[Any]) -> list[tuple[Any, ...]]:
    """The inputs of the ratings, sorted, to compare them."""
    counted = [r for r in results if not r.forfeits and not r.credit]
    return sorted(map(attrgetter(*RATING_INPUTS), counted))


def copy_ratings(before: Iterable[Any], after: Iterable[Any]) -> None:
    """Copy the ratings to the same results after a recount."""
    old = {result.player_id: result for result in before if not result.credit}
    for result in (one for one in after if not one.forfeits):
        same = old[result.player_id]
        for name in RATING_COLUMNS:
            setattr(result, name, getattr(same, name))


def rate_last(results: Collection[Any], current: dict[PlayerId, Rating | None], guests: Collection[PlayerId]) -> None:
    """Rate the results of a game after all others, before they are stored; updates `current`."""
    game = [result for result in results if is_played(result) and not result.credit]
    rated = rate_next(game, current, guests)
    for result in results:  # also for seasons that credit other players
        result.mu_before, result.sigma_before, result.mu, result.sigma = rated.get(result.player_id, UNRATED)


def rate(club_id: int, since: tuple[date, int], players: set[PlayerId]) -> None:
    """Rate a club's games again from `since` on; updates the current rating of `players` in any case."""
    guests = set(db.session.scalars(select(Player.id).where(Player.club_id == club_id, Player.guest)))
    current: dict[PlayerId, Rating | None] = {}
    for games in _games_since(club_id, since):
        new = {row.player_id for game in games for row in game} - current.keys()
        current |= dict.fromkeys(new) | ratings_before(new.difference(guests), since)  # guests have none
        values = []
        for game in games:
            rated = rate_next(game, current, guests)
            values += [(row.game_id, row.player_id, *rated.get(row.player_id, UNRATED)) for row in game]
        changes = [dict(zip(OF_RATE_RESULT, each, strict=True)) for each in values]
        db.session.connection().execute(RATE_RESULT, changes)
    keep_current(club_id, players | current.keys())


def _games_since(club_id: int, since: tuple[date, int]) -> Iterator[list[list[Row[Any]]]]:
    """The results of the games from `since` on, one list of rows per game, CHUNK rows at a time in memory."""
    ordered = select(*(getattr(Result, name) for name in RATING_INPUTS)).where(
        Result.club_id == club_id, PLAYED, Result.credit == ""
    )
    ordered = ordered.order_by(Result.played, Result.number, Result.seat).limit(CHUNK)
    while True:
        rows: Any = db.session.execute(ordered.where(tuple_(Result.played, Result.number) >= tuple_(*since))).all()
        games = [list(game) for _, game in groupby(rows, key=lambda row: row.game_id)]
        if len(rows) < CHUNK:
            break
        last = games.pop()[0]  # it may be incomplete, and is read again
        since = last.played, last.number
        yield games
    if games:
        yield games


def ratings_before(players: Iterable[PlayerId], since: tuple[date, int]) -> dict[PlayerId, Rating]:
    """The players' ratings before `since`; players without one are missing."""
    rated = Result.player_id == Player.id, Result.mu.is_not(None)
    earlier = *rated, tuple_(Result.played, Result.number) < tuple_(*since)
    mu = select(Result.mu).where(*earlier).order_by(*LATEST_RESULT_FIRST).limit(1)
    each = [last.correlate(Player).scalar_subquery() for last in (mu, mu.with_only_columns(Result.sigma))]
    found: dict[PlayerId, Rating] = {}
    for some in in_slices(players, AT_ONCE):
        rows = db.session.execute(select(Player.id, *each).where(Player.id.in_(some)))
        found |= {player: Rating(mu, sigma) for player, mu, sigma in rows if mu is not None}
    return found


# Built once, because they run with every game that ends.
OF_RATE_RESULT = ("game", "player", *(f"new_{name}" for name in RATING_COLUMNS))
RATE_RESULT = (  # for all seasons, also those that credit other players
    update(Result)
    .where(Result.game_id == bindparam("game"), Result.player_id == bindparam("player"))
    .values({name: bindparam(f"new_{name}") for name in RATING_COLUMNS})
)
_mine = Result.player_id == Player.id, Result.mu.is_not(None), Result.credit == ""
_last = select(Result.mu).where(*_mine).order_by(*LATEST_RESULT_FIRST).limit(1)
_now = {
    "mu": _last,
    "sigma": _last.with_only_columns(Result.sigma),
    "rated": select(func.count()).select_from(Result).where(*_mine),
}
KEEP_CURRENT = update(Player).values({name: now.correlate(Player).scalar_subquery() for name, now in _now.items()})
AT_ONCE = 500  # players in one statement; with more, all of the club are updated


def keep_current(club_id: int, players: Collection[PlayerId]) -> None:
    """Store each player's current rating, and its number of games, with the player."""
    wanted = [Player.id.in_(players)] if len(players) <= AT_ONCE else []
    changed = KEEP_CURRENT.where(Player.club_id == club_id, *wanted)
    db.session.execute(changed.execution_options(synchronize_session="fetch"))


# --- deferred rating ----------------------------------------------------------------------------------------------


def rate_or_defer(club_id: int, since: tuple[date, int], players: set[PlayerId]) -> None:
    """Rate now if few results follow; otherwise set `unrated_since` for `catch_up`."""
    left = _deferred_since(club_id)
    since = min(since, (left, 0)) if left else since
    later = Result.club_id == club_id, tuple_(Result.played, Result.number) >= tuple_(*since)
    if db.session.execute(select(Result.game_id).where(*later).offset(MOST_NOW).limit(1)).first():
        _set_deferred_since(club_id, since[0])
        db.session.info[DEFERRED_KEY] = club_id
    elif left:
        _set_deferred_since(club_id, since[0])  # may be earlier than what was left
        rate_deferred(club_id)
    else:
        rate(club_id, since, players)


def catch_up(club: Club, longest: float | None = None) -> None:
    """Rate what was left for later, so that readers get current ratings; outside of a transaction.

    Waits for other writers as `db_write` does.
    """
    if club.unrated_since is not None:
        with db_write(club, longest=longest):
            rate_deferred(club.id)


def rate_deferred(club_id: int) -> None:
    """Like `catch_up`, inside a transaction that has locked the club."""
    left = _deferred_since(club_id)
    if left is not None:
        everybody = db.session.scalars(select(Player.id).where(Player.club_id == club_id))
        rate(club_id, (left, 0), set(everybody))
        _set_deferred_since(club_id, None)


def _deferred_since(club_id: int) -> date | None:
    return db.session.scalar(select(Club.unrated_since).where(Club.id == club_id))


def _set_deferred_since(club_id: int, since: date | None) -> None:
    db.session.execute(update(Club).where(Club.id == club_id).values(unrated_since=since))
