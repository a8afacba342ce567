"""Drafts of hands: what any phone has tapped so far, kept until the hand is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite

from scorekeeper.db import db, db_write, db_write_nondurable, now
from scorekeeper.models import Game, Tapped

Fields = dict[str, list[str]]
LONGEST_VALUE = 1_000  # letters of one field: all calls, or all cards played, are a few hundred


def _upsert(insert: postgresql.Insert | sqlite.Insert) -> postgresql.Insert | sqlite.Insert:
    new = {"fields": insert.excluded.fields, "at": insert.excluded.at}
    return insert.on_conflict_do_update(index_elements=["game_id", "position"], set_=new)


# Put together once: they run with every tap and every save.
KEEP = {"sqlite": _upsert(sqlite.insert(Tapped)), "postgresql": _upsert(postgresql.insert(Tapped))}
DROP = delete(Tapped).where(Tapped.game_id == bindparam("game"), Tapped.position == bindparam("at"))


def keep(game_id: int, position: int, fields: Mapping[str, Sequence[str]]) -> None:
    """Keep the fields of the form of the hand at `position`, in the place of what was kept of it before.

    Every tap comes by here, so it is one statement that waits for no disk: at worst the last taps before a power cut
    are lost. What no page of ours sends is not kept (see `sensible`).
    """
    kept = sensible(fields)
    with db_write_nondurable() as connection:
        row = {"game_id": game_id, "position": position, "fields": kept, "at": now()}
        connection.execute(KEEP[connection.dialect.name], row)


def sensible(fields: Mapping[str, Sequence[str]]) -> Fields:
    """The fields with values such as a page sends; a club's file holds no others, and could not be brought in again."""
    return {name: list(values) for name, values in fields.items() if all(map(_is_sensible, values))}


def _is_sensible(value: str) -> bool:
    return len(value) <= LONGEST_VALUE and value.isprintable()


def drop(game_id: int, position: int) -> None:
    """Delete the draft of a hand; inside the transaction that saves it."""
    db.session.connection().execute(DROP, {"game": game_id, "at": position})


def throw_away(game: Game, position: int) -> None:
    """Clear a hand: delete its draft."""
    with db_write(game):
        drop(game.id, position)
