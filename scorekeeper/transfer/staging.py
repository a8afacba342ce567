"""Clubs that are being imported: written a slice at a time, and seen by nobody before all of it is there.

Such a club has its own players, seasons and games, and no row of another club refers to them. Its `importing` says when
something was written into it last. One that nothing is written into any more was left by a process that died.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import Club, Game
from scorekeeper.scoring.problems import Problem, Refused

LONGEST_PAUSE = timedelta(minutes=10)  # between two slices of an import that is alive
GAMES_DELETED = 200  # in one transaction


class GivenUp(Refused):
    """The club is gone: somebody took this import for dead, which did nothing for long."""

    def __init__(self) -> None:
        super().__init__(
            [Problem("given-up", "", "The import took too long. Nothing was changed. Import the file again.")]
        )


def begin(name: str) -> int:
    """A club to import into, inside a transaction; its id."""
    club = Club(name=name, importing=now())
    db.session.add(club)
    db.session.flush()
    return club.id


def go_on(club_id: int) -> None:
    """Say, inside a transaction, that the import is alive. Raises GivenUp."""
    alive = update(Club).where(Club.id == club_id, Club.importing.is_not(None)).values(importing=now())
    if not db.session.connection().execute(alive).rowcount:
        raise GivenUp


def drop(club_id: int) -> None:
    """Delete a club that was not imported after all, some games at a time: others write in between."""
    some = select(Game.id).where(Game.club_id == club_id).limit(GAMES_DELETED)
    more = True
    while more:
        with db_write() as session:
            ids = session.scalars(some).all()
            session.connection().execute(delete(Game).where(Game.id.in_(ids)))
            more = bool(ids)
    with db_write() as session:
        session.connection().execute(delete(Club).where(Club.id == club_id, Club.importing.is_not(None)))


def try_to_drop(club_id: int) -> None:
    """The same while something else is wrong already: what cannot be deleted now is deleted later."""
    with suppress(SQLAlchemyError):
        drop(club_id)


def tidy() -> None:
    """Delete what imports left that were stopped in the middle."""
    found = db.session.execute(select(Club.id, Club.importing).where(Club.importing.is_not(None))).all()
    db.session.rollback()
    for club_id, since in found:
        if since and abs(now() - since) > LONGEST_PAUSE:  # either way: the clock may have been set back
            drop(club_id)
