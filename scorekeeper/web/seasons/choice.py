"""Which seasons a new game counts in: the one that is suggested, and those that were chosen."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.models import Game, Season
from scorekeeper.seasons import count_in

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


def put_in(game: Game, season: Season | None, also: Sequence[Season]) -> None:
    """Let a game that has just been started count in a season, or in none, and in others."""
    if game.season != season or game.also or also:
        count_in(game, season, also)
