"""Drafts of hands: what any phone has tapped so far, stored until the hand is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite

from scorekeeper.database.session import db, db_write, db_write_nondurable, now
from scorekeeper.models import EditingSession, Game, HandDraft

Fields = dict[str, list[str]]
LONGEST_VALUE = 1_000  # characters of a field value; all calls, or all cards played, are a few hundred


SESSION_EXPIRY = timedelta(days=1)  # retention of editing sessions, which are shown for minutes only

Insert = postgresql.Insert | sqlite.Insert


class EditingNote(NamedTuple):
    """Who is entering a hand, and on which device; `version` is the game's version on their page."""

    device: str
    by: str | None
    version: int


def _upserts(
    table: type[HandDraft | EditingSession], index: Sequence[str], columns: Sequence[str]
) -> dict[str, Insert]:
    inserts: dict[str, Insert] = {
        "sqlite": sqlite.insert(table).inline(),
        "postgresql": postgresql.insert(table).inline(),
    }
    return {
        dialect: insert.on_conflict_do_update(
            index_elements=index, set_={name: insert.excluded[name] for name in columns}
        )
        for dialect, insert in inserts.items()
    }


# Built once, because they run with every tap and every save.
UPSERT_DRAFT = _upserts(HandDraft, ("game_id", "position"), ("fields", "at"))
UPSERT_SESSION = _upserts(EditingSession, ("game_id", "device"), ("position", "version", "by", "at"))
DELETE_DRAFT = delete(HandDraft).where(HandDraft.game_id == bindparam("game"), HandDraft.position == bindparam("at"))


def keep(game_id: int, position: int, fields: Mapping[str, Sequence[str]], note: EditingNote | None = None) -> None:
    """Store the form fields of the hand at `position`, replacing its previous draft.

    This runs on every tap, so it does not wait for the disk: a power failure loses the last taps at worst. Fields that
    no page of ours sends are dropped (see `known_fields`). A `note` says who is entering the hand; it is sent with the
    first tap.
    """
    kept = known_fields(fields)
    with db_write_nondurable() as connection:
        row = {"game_id": game_id, "position": position, "fields": kept, "at": now()}
        connection.execute(UPSERT_DRAFT[connection.dialect.name], row)
        if note:
            noted = {"game_id": game_id, "position": position, "at": now(), **note._asdict()}
            connection.execute(UPSERT_SESSION[connection.dialect.name], noted)


def known_fields(fields: Mapping[str, Sequence[str]]) -> Fields:
    """Return only the fields that our pages can send: others could not be imported from a club file."""
    return {
        name: list(values)
        for name, values in fields.items()
        if all(len(value) <= LONGEST_VALUE and value.isprintable() for value in values)
    }


def drop(game_id: int, position: int) -> None:
    """Delete the draft of a hand, inside the transaction that saves it."""
    db.session.connection().execute(DELETE_DRAFT, {"game": game_id, "at": position})


def clear_hand(game: Game, position: int) -> None:
    """Clear a hand: delete its draft and its editing sessions."""
    with db_write(game) as session:
        drop(game.id, position)
        session.execute(
            delete(EditingSession).where(EditingSession.game_id == game.id, EditingSession.position == position)
        )


def delete_expired_sessions() -> None:
    """Delete expired editing sessions."""
    with db_write_nondurable() as connection:
        connection.execute(delete(EditingSession).where(EditingSession.at < now() - SESSION_EXPIRY))
