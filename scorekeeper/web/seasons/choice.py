"""Which season a new game belongs to: the one that is suggested, and the one that was chosen."""

from __future__ import annotations

from scorekeeper.models import Game, Season
from scorekeeper.seasons import move

NONE = "none"


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
        move(game, season)
