"""Hands on their way in: what any phone has tapped so far, kept until the hand is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select

from scorekeeper.db import db, db_write
from scorekeeper.models import Game, Tapped

Fields = dict[str, list[str]]


def keep(game: Game, position: int, fields: Mapping[str, Sequence[str]]) -> None:
    """Keep the fields of the form of the hand at `position`, in the place of what was kept of it before."""
    kept = {name: list(values) for name, values in fields.items()}
    if find(game, position) == kept:
        return
    with db_write(game) as session:
        row = _row(game, position) or Tapped(game_id=game.id, position=position)
        row.fields = kept
        session.add(row)


def find(game: Game, position: int) -> Fields | None:
    """What is kept of the hand at `position`, or None."""
    row = _row(game, position)
    return row.fields if row else None


def drop(game: Game, position: int) -> None:
    """Forget what was kept of a hand; inside the transaction that saves it."""
    db.session.execute(delete(Tapped).where(Tapped.game_id == game.id, Tapped.position == position))


def throw_away(game: Game, position: int) -> None:
    """Begin a hand anew: forget what was kept of it."""
    with db_write(game):
        drop(game, position)


def _row(game: Game, position: int) -> Tapped | None:
    return db.session.scalar(select(Tapped).where(Tapped.game_id == game.id, Tapped.position == position))
