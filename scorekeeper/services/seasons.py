"""Seasons: begun, changed, closed, and which season a game belongs to."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Date, and_, bindparam, func, or_, select

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import Club, Game, GameSeason, Season
from scorekeeper.services import club_log
from scorekeeper.services.club_log import NOBODY, Cause
from scorekeeper.stats import archive, ratings, tallies
from scorekeeper.stats.archive import FrozenTable
from scorekeeper.stats.league import Bonus, League, Playoffs
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import standings

_on = bindparam("on", type_=Date)
_runs = Season.closed_at.is_(None), Season.starts <= _on, or_(Season.ends.is_(None), Season.ends >= _on)
_mine = select(Season).where(Season.club_id == bindparam("club"), *_runs)
# Put together once: every club's page asks.
RUNNING = _mine.order_by(Season.starts.desc(), Season.created_at.desc(), Season.uid)


def running(club: Club, on: date) -> list[Season]:
    """The seasons that a game of that day can belong to, the one that began last first."""
    return list(db.session.scalars(RUNNING, {"club": club.id, "on": on}))


def season_for(club: Club, played: date) -> Season | None:
    """The season that a game of that day is taken to belong to: the one that began last of those that run."""
    return next(iter(running(club, played)), None)


def begin(club: Club, name: str, starts: date, ends: date | None, scheme: Scheme, by: str | None = None) -> Season:
    """A new season. The games played in its time that belong to none stay where they are; see `take_in`."""
    with db_write(club) as session:
        season = Season(club=club, name=name, starts=starts, ends=ends, settings=scheme.to_dict())
        session.add(season)
        session.flush()
        club_log.add(club.id, club_log.BEGIN, season.uid, None, {"name": name}, Cause(by))
    return season


def change(
    season: Season, *, name: str, starts: date, ends: date | None, scheme: Scheme, by: str | None = None
) -> None:
    """Change a season's name, its days, and how its table is made; its games are counted again where that takes it."""
    about = {"name": name, "starts": starts, "ends": ends, "settings": scheme.to_dict()}
    with db_write(season.club, season):
        put_settings(season, about, Cause(by))


def put_settings(season: Season, about: Mapping[str, Any], cause: Cause = NOBODY) -> None:
    """The same inside a transaction; `about` has the season's columns by name, its days as `date` or in ISO's way."""
    before, credit = settings_of(season), scheme_of(season).credit
    about = dict(about) | {key: _as_day(about[key]) for key in ("starts", "ends")}
    for key, value in about.items():
        setattr(season, key, value)
    after = settings_of(season)
    if after != before:
        club_log.add(season.club_id, club_log.SETTINGS, season.uid, before, after, cause)
    if scheme_of(season).credit != credit:
        _count_again(season)


def settings_of(season: Season) -> dict[str, Any]:
    """What can be changed of a season, as the log keeps it."""
    days = {key: day.isoformat() if (day := getattr(season, key)) else None for key in ("starts", "ends")}
    return {"name": season.name, **days, "settings": dict(season.settings)}


def _as_day(day: date | str | None) -> date | None:
    return date.fromisoformat(day) if isinstance(day, str) else day


def _count_again(season: Season) -> None:
    """Count a season's games again; inside the transaction that changed whom they count for."""
    db.session.flush()
    writer = tallies.TallyWriter(season.club_id, reopens=(season.id,))
    for game in tallies.all_games(season.club, or_(Game.season_id == season.id, Game.also.any(Season.id == season.id))):
        writer.enter(game)
    writer.close()


def scheme_of(season: Season) -> Scheme:
    return Scheme.from_dict(season.settings)


# --- games --------------------------------------------------------------------------------------------------------


def put_in_season(
    game: Game, season: Season | None, cause: Cause = NOBODY, also: Sequence[Season] | None = None
) -> None:
    """Let a game belong to another season, or to none; inside a transaction that has locked the club and the game.

    A game that counts in other seasons has one of them as its first, even where it is to have none. It goes on counting
    in the others, but where it is to count in just these `also`.
    """
    season = season or next(iter(game.also), None)
    if game.season == season:
        return
    before: dict[str, Any] = {"game": game.number, **_named(game.season)}
    others = [one for one in (game.also if also is None else also) if one != season]
    told = [[one.uid for one in _in_order(each)] for each in (game.also, others)]
    game.season, game.also = season, others
    tallies.update_tallies(game)
    after: dict[str, Any] = {"game": game.number, **_named(season)}
    if told[0] != told[1]:
        before, after = before | {"also": told[0]}, after | {"also": told[1]}
    club_log.add(game.club_id, club_log.MOVE, game.uid, before, after, cause)


def count_in(game: Game, season: Season | None, also: Sequence[Season] = (), by: str | None = None) -> None:
    """Let a game count in a season, which says whom it counts for, and in others; without one the first other is it."""
    first = season or next(iter(also), None)
    with db_write(game.club, game):
        put_in_season(game, first, Cause(by))
        put_also(game, also, Cause(by))


def put_also(game: Game, also: Sequence[Season], cause: Cause = NOBODY) -> None:
    """Let a game count in these seasons besides its own; inside a transaction that has locked the club and the game."""
    if game.season is None and also:
        put_in_season(game, also[0], Cause(cause.by) if also[1:] else cause)
    also = [one for one in also if one != game.season]
    if set(game.also) == set(also):
        return
    was = _others(game)
    game.also = list(also)
    tallies.update_tallies(game)
    club_log.add(game.club_id, club_log.ALSO, game.uid, was, _others(game), cause)


def _others(game: Game) -> dict[str, Any]:
    also = _in_order(game.also)
    return {"game": game.number, "also": [one.uid for one in also], "names": [one.name for one in also]}


def _in_order(seasons: Sequence[Season]) -> list[Season]:
    return sorted(seasons, key=lambda one: (one.created_at, one.uid))


def _named(season: Season | None) -> dict[str, str | None]:
    return {"season": season.uid if season else None, "name": season.name if season else None}


def _is_loose(season: Season) -> ColumnElement[bool]:
    """Whether a game of a season's time belongs to no season."""
    return and_(Game.club_id == season.club_id, Game.season_id.is_(None), *_in_time(season))


def _in_time(season: Season) -> list[ColumnElement[bool]]:
    """Whether a game was played in a season's time."""
    return [Game.played >= season.starts, *([Game.played <= season.ends] if season.ends else [])]


def loose_games(season: Season) -> int:
    """How many games of a season's time belong to no season."""
    return db.session.scalar(select(func.count()).select_from(Game).where(_is_loose(season))) or 0


def _is_elsewhere(season: Season) -> ColumnElement[bool]:
    """Whether a game of a season's time counts in other seasons, and not in this one."""
    also = select(GameSeason.game_id).where(GameSeason.season_id == season.id)
    elsewhere = Game.season_id != season.id, Game.id.not_in(also)
    return and_(Game.club_id == season.club_id, *_in_time(season), *elsewhere)


def games_elsewhere(season: Season) -> int:
    """How many games of a season's time count in other seasons only."""
    return db.session.scalar(select(func.count()).select_from(Game).where(_is_elsewhere(season))) or 0


def take_in(season: Season, by: str | None = None, *, elsewhere: bool = False) -> int:
    """Let all games of a season's time that are in none count in it, or those of other seasons, too; how many."""
    which = _is_elsewhere(season) if elsewhere else _is_loose(season)
    with db_write(season.club):
        games = list(db.session.scalars(select(Game).where(which)))
        put_games_in(season, games, Cause(by))
    return len(games)


def put_games_in(season: Season, games: Sequence[Game], cause: Cause = NOBODY) -> None:
    """Let these games count in a season, too; inside a transaction."""
    count_again(games, lambda game: _join(game, season))
    if games:
        told = {"name": season.name, "games": [game.uid for game in games]}
        club_log.add(season.club_id, club_log.TAKE_IN, season.uid, None, told, cause)


def put_games_out(season: Season, games: Sequence[Game], cause: Cause = NOBODY) -> None:
    """Take these games out of a season; inside a transaction."""
    count_again(games, lambda game: leave(game, season))
    told = {"name": season.name, "games": [game.uid for game in games]}
    club_log.add(season.club_id, club_log.TAKE_IN, season.uid, told, None, cause)


def _join(game: Game, season: Season) -> None:
    if game.season is None:
        game.season = season
    elif season not in game.seasons:
        game.also.append(season)


def leave(game: Game, season: Season) -> None:
    """Let a game count in a season no longer; the next one that it counts in is its first then."""
    if season in game.also:
        game.also.remove(season)
    elif game.season == season:
        game.season = game.also.pop(0) if game.also else None


def count_again(
    games: Sequence[Game], change: Callable[[Game], None], *, reopens: Container[int] | None = None
) -> None:
    """Count games again, each with a change of its seasons; inside a transaction, without an entry in the log."""
    if not games:
        return
    writer = tallies.TallyWriter(games[0].club_id, reopens=reopens)
    for game in games:
        change(game)
        db.session.flush()
        writer.enter(game)
    writer.close()


# --- closing ------------------------------------------------------------------------------------------------------


def close(season: Season, by: str | None = None) -> None:
    """Close a season: all its pages stay as they are now, and whoever leads its table has won it."""
    with db_write(season.club, season):
        ratings.rate_left(season.club_id)
        season.frozen = _table_now(season)
        archive.keep(season)
        season.reopened = None
        put_closed(season, now(), Cause(by))


def _table_now(season: Season) -> dict[str, Any]:
    return FrozenTable.of(standings(season.club, scheme_of(season), Choice(season_id=season.id))).to_dict()


def is_as_kept(season: Season) -> bool:
    """Whether closing an open season would keep what it keeps since it was closed before."""
    ratings.rate_left(season.club_id)
    return season.frozen == _table_now(season) and archive.are_as_kept(season)


def put_closed(season: Season, at: datetime | None, cause: Cause = NOBODY) -> None:
    """Say that a season is closed since then, or that it is open; its table stays as it was kept.

    Inside a transaction. The log keeps the mark of the club's tables, by which it is seen whether they have changed.
    """
    before, after = (
        {"name": season.name, "closed": moment.isoformat() if moment else None, "books": season.club.books}
        for moment in (season.closed_at, at)
    )
    season.closed_at = at
    club_log.add(season.club_id, club_log.CLOSE, season.uid, before, after, cause)


# --- bonus points and divisions -----------------------------------------------------------------------------------


def set_bonus(season: Season, bonus: Bonus, by: str | None = None) -> None:
    """Give a bonus, or put it in the place of the one of its uid: undone, restored."""
    with db_write(season.club, season):
        put_bonus(season, bonus.to_dict(), Cause(by))


def put_bonus(season: Season, told: Mapping[str, Any], cause: Cause = NOBODY) -> None:
    """The same inside a transaction."""
    league, bonus = League.from_dict(season.league), Bonus.from_dict(told)
    was = league.find(bonus.uid)
    if was == bonus:
        return
    _keep_league(season, league.with_bonus(bonus))
    before, after = (
        {"name": season.name, "bonus": one.to_dict()} for one in (was or replace(bonus, undone=True), bonus)
    )
    club_log.add(season.club_id, club_log.BONUS, season.uid, before, after, cause)


def set_divisions(season: Season, division_of: Mapping[str, str], by: str | None = None) -> None:
    """Put players, by their uids, into divisions, and everybody else into none."""
    with db_write(season.club, season):
        put_divisions(season, division_of, Cause(by))


def put_divisions(season: Season, division_of: Mapping[str, str], cause: Cause = NOBODY) -> None:
    """The same inside a transaction."""
    league = League.from_dict(season.league)
    before, after = ({"name": season.name, "divisions": dict(one)} for one in (league.division_of, division_of))
    if before != after:
        _keep_league(season, league.with_divisions(division_of))
        club_log.add(season.club_id, club_log.DIVISIONS, season.uid, before, after, cause)


def set_start(season: Season, start: Sequence[str], by: str | None = None) -> None:
    """Put players, by their uids, on the rungs of a ladder before its first game, the first at the top."""
    with db_write(season.club, season):
        put_start(season, start, Cause(by))


def put_start(season: Season, start: Sequence[str], cause: Cause = NOBODY) -> None:
    """The same inside a transaction."""
    league = League.from_dict(season.league)
    before, after = ({"name": season.name, "start": list(one)} for one in (league.start, start))
    if before != after:
        _keep_league(season, replace(league, start=tuple(start)))
        club_log.add(season.club_id, club_log.START, season.uid, before, after, cause)


def set_playoffs(season: Season, playoffs: Playoffs | None, by: str | None = None) -> None:
    """Keep a bracket, or none."""
    with db_write(season.club, season):
        put_playoffs(season, playoffs.to_dict() if playoffs else None, Cause(by))


def put_playoffs(season: Season, told: Mapping[str, Any] | None, cause: Cause = NOBODY) -> None:
    """The same inside a transaction."""
    league, playoffs = League.from_dict(season.league), Playoffs.from_dict(told)
    if league.playoffs == playoffs:
        return
    sides = (one.to_dict() if one else None for one in (league.playoffs, playoffs))
    before, after = ({"name": season.name, "playoffs": one} for one in sides)
    _keep_league(season, replace(league, playoffs=playoffs))
    club_log.add(season.club_id, club_log.PLAYOFFS, season.uid, before, after, cause)


def _keep_league(season: Season, league: League) -> None:
    season.league = league.to_dict()
    tallies.mark_changed(season.club_id)


def reopen(season: Season, by: str | None = None) -> None:
    """Open a closed season again."""
    with db_write(season.club, season):
        put_open(season, Cause(by))


def put_open(season: Season, cause: Cause = NOBODY) -> None:
    """The same inside a transaction."""
    put_closed(season, None, cause)
    season.reopened = {"at": now().isoformat(), "game": None}
