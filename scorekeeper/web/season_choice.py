"""To which season a game belongs: those that run, which one is usual, and the one that was chosen."""

from __future__ import annotations

from datetime import date

from sqlalchemy import or_, select

from scorekeeper.db import db
from scorekeeper.models import Club, Game, Season
from scorekeeper.seasons import keeping

NONE = "none"
NO_SEASON = "none: it counts in all games alone"


def running(club: Club, on: date) -> list[Season]:
    """The seasons that a game of that day can belong to, the one that began last first."""
    runs = or_(Season.ends.is_(None), Season.ends >= on)
    mine = select(Season).where(Season.club_id == club.id, Season.closed_at.is_(None), Season.starts <= on, runs)
    return list(db.session.scalars(mine.order_by(Season.starts.desc(), Season.id.desc())))


def usual(seasons: list[Season], previous: Game | None) -> Season | None:
    """The season that a game goes on with: the last game's, or the one that began last since.

    None also where the last game was kept out of it.
    """
    if not seasons:
        return None
    if previous is None or previous.created_at < seasons[0].created_at:
        return seasons[0]
    if previous.season_id is None:
        return None if previous.played >= seasons[0].starts else seasons[0]
    return next((season for season in seasons if season.id == previous.season_id), seasons[0])


def put_in(game: Game, season: Season | None) -> None:
    """Let a game that has just been started belong to a season, or to none."""
    if game.season_id != (season.id if season else None):
        keeping.move(game, season)
