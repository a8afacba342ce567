"""Who is in the tables: everybody but the guests; of a closed season, who was in its table when it was closed."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Player, Season

from .counts import PlayerId
from .query import Choice


class Person(NamedTuple):
    """A player as a table knows one; or a pair, whose `id` is those of both."""

    id: Any
    name: str
    retired: bool


def closed_season(choice: Choice) -> Season | None:
    """The season that a choice is about, where it is closed."""
    season = db.session.get(Season, choice.season_id) if choice.season_id else None
    return season if season and season.closed_at is not None else None


def members_of(club: Club, choice: Choice) -> dict[PlayerId, Person]:
    """The players of a table by their ids; those of a closed season under their names of then."""
    season = closed_season(choice)
    kept = [line for line in (season.frozen or {}).get("lines", ()) if line["player"]] if season else []
    if kept:  # a table of pairs keeps no players
        return {line["player"]: Person(line["player"], line["name"], False) for line in kept}
    columns = Player.id, Player.name, Player.retired
    rows = db.session.execute(select(*columns).where(Player.club_id == club.id, ~Player.guest))
    return {row.id: Person(*row) for row in rows}
