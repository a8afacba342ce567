"""How the scores of some games are shown, for lists that read results, which are kept counted up, without the rules."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Row, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game
from scorekeeper.scoring.scale import Scale

_win = Game.rules["win"]
SCALE = _win["target"].as_integer().label("target"), _win["counted"].as_string().label("counted")


def scale_in(row: Row[Any]) -> Scale:
    """What the columns SCALE say in a row. Rules that were saved before there was a choice count up."""
    return Scale(row.target if row.counted == "down" else None)


def scales_of(club: Club, numbers: Collection[int]) -> dict[int, Scale]:
    """By the games' numbers."""
    asked = select(Game.number, *SCALE).where(Game.club_id == club.id, Game.number.in_(numbers))
    return {row.number: scale_in(row) for row in db.session.execute(asked)}
