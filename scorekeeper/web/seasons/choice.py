"""Which seasons a new game counts in: the one that is suggested, and those that were chosen."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.models import Game, Season

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


def chosen(season: Season | None, also: Sequence[Season]) -> list[Season]:
    """The seasons that a new game counts in, the first one first, each once."""
    return list(dict.fromkeys([*([season] if season else []), *also]))
