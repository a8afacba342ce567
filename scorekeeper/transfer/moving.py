"""A club that was imported is shown, or becomes part of another one, inside one transaction and in few statements.

Its rows keep their ids: most of them change their club and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import and_, bindparam, delete, select, update

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, GameGroup, GameSeason, GroupSeason, Player, Result, Season, Seat
from scorekeeper.stats.query import also_in

LINK = update(Game).where(Game.id == bindparam("game")).values(previous_id=bindparam("previous"))


def link(games: Iterable[tuple[int, int]]) -> None:
    """Say of games, by id, which one came before."""
    rows = [{"game": game, "previous": previous} for game, previous in games]
    if rows:
        db.session.connection().execute(LINK, rows)


def show(club_id: int, **about: Any) -> None:
    """Make a club one that people see; `about` are its columns."""
    _update(Club, Club.id == club_id, importing=None, **about)


def meet(one: int, other: int | None) -> bool:
    """Whether two clubs have games with the same uid or number."""
    for column in (Game.uid, Game.number):
        mine = select(column).where(Game.club_id == one)
        if db.session.scalar(select(Game.id).where(Game.club_id == other, column.in_(mine)).limit(1)):
            return True
    return False


def move(club_id: int, home: int, players: Mapping[int, int], seasons: Mapping[int, int]) -> dict[int, int]:
    """Make a club part of another one. `players` and `seasons` are those that it has already: its ids, by the other's.

    The ids of the groups there, by what they were.
    """
    for mine, ours in players.items():
        _update(Seat, Seat.player_id == mine, player_id=ours)
        _update(Result, Result.player_id == mine, player_id=ours)
    for mine, ours in seasons.items():
        for table in (Game, GameSeason):
            _update(table, table.season_id == mine, season_id=ours)
    groups = _move_groups(club_id, home, seasons)
    kept: tuple[tuple[Any, Mapping[int, int]], ...] = (Player, players), (Season, seasons)
    for table, known in kept:
        for first in range(0, len(known), 500):
            _delete(table, table.id.in_(list(known)[first : first + 500]))
        _update(table, table.club_id == club_id, club_id=home)
    _update(Game, Game.club_id == club_id, club_id=home)
    _delete(Club, Club.id == club_id)
    db.session.expire_all()
    return groups


def _move_groups(club_id: int, home: int, seasons: Mapping[int, int]) -> dict[int, int]:
    columns = GameGroup.season_id, GameGroup.rules_id, GameGroup.players, GameGroup.teams, GameGroup.credit
    rows = select(GameGroup.id, *columns)
    also_here, also_there = also_in(home), also_in(club_id)
    here: dict[tuple[Any, ...], int] = {
        (*kind, also_here[number]): number
        for number, *kind in db.session.execute(rows.where(GameGroup.club_id == home))
    }
    moved: dict[int, int] = {}
    for number, was, *kind in db.session.execute(rows.where(GameGroup.club_id == club_id)).all():
        season = was and seasons.get(was, was)
        also = also_there[number]
        key = season, *kind, tuple(sorted(seasons.get(one, one) for one in also))
        moved[number] = here.get(key, number)
        _update(Result, Result.group_id == number, club_id=home, group_id=moved[number])
        if moved[number] == number:
            _update(GameGroup, GameGroup.id == number, club_id=home, season_id=season)
            for one in set(also) & seasons.keys():
                _update(
                    GroupSeason,
                    and_(GroupSeason.group_id == number, GroupSeason.season_id == one),
                    season_id=seasons[one],
                )
        else:
            _delete(GameGroup, GameGroup.id == number)
    return moved


def _update(table: Any, which: Any, **values: Any) -> None:
    db.session.connection().execute(update(table).where(which).values(values))


def _delete(table: Any, which: Any) -> None:
    db.session.connection().execute(delete(table).where(which))
