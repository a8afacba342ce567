"""Ratings: Plackett-Luce as openskill has it, from the games that count, in the order in which they were played.

Every unit is a team, somebody alone a team of one, ranked by how it came out: the winners first (equals where they
share), the others by their scores. Who is credited with a game is rated by it. Where two are credited in one seat, the
seat is to all others as strong as the average of the two, and each of the two is rated as if alone in it. A rating
does not fade. A guest is met as a newcomer in every game and is given no rating. When a game changes, all that came
after it are rated again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, func, select, tuple_, update

from scorekeeper.db import db
from scorekeeper.models import Player, Result

from .counts import PlayerId

LEAST_GAMES = 8  # before that a rating is provisional
CHUNK = 2_000  # results that are read at once


SeatOf = tuple[str, int]  # its unit, its number


class Rating(NamedTuple):
    """The strength that a player is thought to have, and how unsure that is, in openskill's own units."""

    mu: float
    sigma: float


class Seated(NamedTuple):
    """A player credited with a game: what a rating needs to know."""

    player: PlayerId
    seat: int
    unit: str
    place: int


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # here: it takes longer to import than a page to make

    return PlackettLuce()


def newcomer() -> Rating:
    """The rating of somebody who has not played yet."""
    fresh = _model().rating()
    return Rating(fresh.mu, fresh.sigma)


def rate_game(seated: Sequence[Seated], before: dict[PlayerId, Rating]) -> dict[PlayerId, Rating]:
    """The ratings of the players of a game after it, from those before it; who has none is a newcomer."""
    places = {(one.unit, one.seat): one.place for one in seated}
    sharing: dict[SeatOf, list[PlayerId]] = {seat: [] for seat in sorted(places)}
    for one in seated:
        sharing[one.unit, one.seat].append(one.player)
    known = {one.player: before.get(one.player) or newcomer() for one in seated}
    seats = {seat: _average([known[player] for player in players]) for seat, players in sharing.items()}
    together = _rate(seats, places)
    return {
        player: together[seat] if len(players) == 1 else _rate(seats | {seat: known[player]}, places)[seat]
        for seat, players in sharing.items()
        for player in players
    }


def _average(ratings: Sequence[Rating]) -> Rating:
    """How strong a seat is that several played in."""
    return Rating(sum(one.mu for one in ratings) / len(ratings), sum(one.sigma for one in ratings) / len(ratings))


def _rate(seats: Mapping[SeatOf, Rating], places: Mapping[SeatOf, int]) -> dict[SeatOf, Rating]:
    """The ratings of seats, in order by unit, after a game in which they came out at these places."""
    model = _model()
    teams = [list(team) for _, team in groupby(seats, key=lambda seat: seat[0])]
    rated = [[model.rating(*seats[seat]) for seat in team] for team in teams]
    after = model.rate(rated, ranks=[places[team[0]] for team in teams])
    return {
        seat: Rating(new.mu, new.sigma)
        for team, news in zip(teams, after, strict=True)
        for seat, new in zip(team, news, strict=True)
    }


# --- kept with the results ----------------------------------------------------------------------------------------


def said(results: Iterable[Result]) -> list[tuple[Any, ...]]:
    """What the ratings follow from."""
    return sorted((r.played, r.number, r.player_id, r.seat, r.unit, r.place) for r in results if not r.forfeits)


def copy(before: Iterable[Result], after: Iterable[Result]) -> None:
    """Carry the ratings over to the same results counted again."""
    old = {result.player_id: result for result in before}
    for result in (one for one in after if not one.forfeits):
        same = old[result.player_id]
        result.mu_before, result.sigma_before = same.mu_before, same.sigma_before
        result.mu, result.sigma = same.mu, same.sigma


def rate(club_id: int, since: tuple[date, int], players: set[PlayerId]) -> None:
    """Rate a club's games again from the place `since` on; `players` are those to be looked at in any case."""
    guests = set(db.session.scalars(select(Player.id).where(Player.club_id == club_id, Player.guest)))
    current: dict[PlayerId, Rating | None] = {}
    touched = set(players)
    for game in _games_since(club_id, since):
        for row in game:
            if row.player_id not in current:
                current[row.player_id] = None if row.player_id in guests else _before(row.player_id, since)
        known = {player: rating for player, rating in current.items() if rating is not None}
        after = rate_game([Seated(row.player_id, row.seat, row.unit, row.place) for row in game], known)
        _keep(game, known, after, guests)
        current |= {player: rating for player, rating in after.items() if player not in guests}
        touched |= after.keys()
    _keep_current(touched, guests)


def _games_since(club_id: int, since: tuple[date, int]) -> Iterator[list[Row[Any]]]:
    """The results of each game from there on, as rows, a few thousand at a time in memory."""
    columns = Result.game_id, Result.player_id, Result.played, Result.number, Result.seat, Result.unit, Result.place
    ordered = select(*columns).where(Result.club_id == club_id, Result.games > Result.forfeits)
    ordered = ordered.order_by(Result.played, Result.number, Result.seat).limit(CHUNK)
    place = tuple_(Result.played, Result.number)
    rows: Any = db.session.execute(ordered.where(place >= tuple_(*since))).all()
    while rows:
        games = [list(game) for _, game in groupby(rows, key=lambda row: row.game_id)]
        whole = games if len(rows) < CHUNK else games[:-1]  # the last one may be cut in two
        yield from whole
        last = whole[-1][0]
        rows = db.session.execute(ordered.where(place > tuple_(last.played, last.number))).all()


def _before(player_id: PlayerId, since: tuple[date, int]) -> Rating | None:
    earlier = tuple_(Result.played, Result.number) < tuple_(*since)
    return _latest(select(Result.mu, Result.sigma).where(Result.player_id == player_id, earlier))


def _latest(query: Any) -> Rating | None:
    last = query.where(Result.mu.is_not(None)).order_by(Result.played.desc(), Result.number.desc()).limit(1)
    row = db.session.execute(last).first()
    return Rating(*row) if row else None


RATE_RESULT = (
    update(Result)
    .where(Result.game_id == bindparam("game"), Result.player_id == bindparam("player"))
    .values(mu_before=bindparam("m0"), sigma_before=bindparam("s0"), mu=bindparam("m1"), sigma=bindparam("s1"))
)


def _keep(
    game: Sequence[Row[Any]], before: dict[PlayerId, Rating], after: dict[PlayerId, Rating], guests: set[PlayerId]
) -> None:
    rows = []
    for row in game:
        guest = row.player_id in guests
        old, new = before.get(row.player_id, newcomer()), after[row.player_id]
        kept = (None,) * 4 if guest else (*old, *new)
        names = ("m0", "s0", "m1", "s1")
        rows.append({"game": row.game_id, "player": row.player_id, **dict(zip(names, kept, strict=True))})
    connection = db.session.connection()
    connection.execute(RATE_RESULT, rows)


def _keep_current(players: Iterable[PlayerId], guests: set[PlayerId]) -> None:
    """Save each player's current rating with the player."""
    for number in sorted(players):
        mine = select(Result.mu, Result.sigma).where(Result.player_id == number)
        current = None if number in guests else _latest(mine)
        rated = select(func.count()).where(Result.player_id == number, Result.mu.is_not(None)).scalar_subquery()
        mu, sigma = current or (None, None)
        db.session.execute(update(Player).where(Player.id == number).values(mu=mu, sigma=sigma, rated=rated))
