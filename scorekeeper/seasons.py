"""Seasons: begun, changed, closed, and which season a game belongs to."""

from __future__ import annotations

from datetime import date

from sqlalchemy import ColumnElement, and_, func, or_, select

from scorekeeper.db import db, db_write, now
from scorekeeper.models import Club, Division, Game, Season
from scorekeeper.stats import tallies
from scorekeeper.stats.frozen import FrozenTable
from scorekeeper.stats.query import Choice, games_by_season
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import standings


def running(club: Club, on: date) -> list[Season]:
    """The seasons that a game of that day can belong to, the one that began last first."""
    runs = or_(Season.ends.is_(None), Season.ends >= on)
    mine = select(Season).where(Season.club_id == club.id, Season.closed_at.is_(None), Season.starts <= on, runs)
    return list(db.session.scalars(mine.order_by(Season.starts.desc(), Season.id.desc())))


def season_for(club: Club, played: date) -> Season | None:
    """The season that a game of that day is taken to belong to: the one that began last of those that run."""
    return next(iter(running(club, played)), None)


def begin(club: Club, name: str, starts: date, ends: date | None, scheme: Scheme) -> Season:
    """A new season. The games played in its time that belong to none stay where they are; see `take_in`."""
    with db_write(club) as session:
        season = Season(club=club, name=name, starts=starts, ends=ends, settings=scheme.to_dict())
        session.add(season)
    return season


def change(season: Season, *, name: str, starts: date, ends: date | None, scheme: Scheme) -> None:
    """Change a season's name, its days, and how its table is made; its games are counted again where that takes it."""
    with db_write(season.club, season):
        before = scheme_of(season)
        season.name, season.starts, season.ends, season.settings = name, starts, ends, scheme.to_dict()
        if scheme.credit != before.credit:
            _count_again(season)


def _count_again(season: Season) -> None:
    """Count a season's games again; inside the transaction that changed whom they count for."""
    db.session.flush()
    writer = tallies.TallyWriter(season.club_id)
    for game in tallies.all_games(season.club, Game.season_id == season.id):
        writer.enter(game)
    writer.close()


def scheme_of(season: Season) -> Scheme:
    return Scheme.from_dict(season.settings)


# --- games --------------------------------------------------------------------------------------------------------


def move(game: Game, season: Season | None) -> None:
    """Let a game belong to another season, or to none."""
    with db_write(game.club, game):
        game.season = season
        tallies.update_tallies(game)


def _is_loose(season: Season) -> ColumnElement[bool]:
    """Whether a game of a season's time belongs to no season."""
    loose = and_(Game.club_id == season.club_id, Game.season_id.is_(None), Game.played >= season.starts)
    return loose if season.ends is None else and_(loose, Game.played <= season.ends)


def loose_games(season: Season) -> int:
    """How many games of a season's time belong to no season."""
    return db.session.scalar(select(func.count()).select_from(Game).where(_is_loose(season))) or 0


def take_in(season: Season) -> int:
    """Let all games of a season's time that belong to none belong to it; how many there were."""
    with db_write(season.club):
        games = list(db.session.scalars(select(Game).where(_is_loose(season))))
        writer = tallies.TallyWriter(season.club_id)
        for game in games:
            game.season = season
            db.session.flush()
            writer.enter(game)
        writer.close()
    return len(games)


# --- closing ------------------------------------------------------------------------------------------------------


def close(season: Season) -> None:
    """Close a season: its table stays as it is now, and whoever leads it has won it."""
    with db_write(season.club, season):
        table = standings(season.club, scheme_of(season), Choice(season_id=season.id))
        season.frozen = FrozenTable.of(table).to_dict()
        season.closed_at, season.reopened = now(), None


def reopen(season: Season) -> None:
    """Open a closed season again."""
    with db_write(season.club, season):
        season.closed_at = None
        season.reopened = {"at": now().isoformat(), "game": None}


def game_count(season: Season) -> int:
    """How many finished games count for a season."""
    return games_by_season(season.club, Division.season_id == season.id)[season.id]
