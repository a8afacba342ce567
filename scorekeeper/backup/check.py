"""Checks before a database replaces another one: known schema, migrated, every game scored as before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from flask import Flask
from sqlalchemy import URL, func, select

from scorekeeper import create_app
from scorekeeper.database.errors import DatabaseRefused, Trouble
from scorekeeper.database.session import db, migrate_database
from scorekeeper.models import Club, Game, Hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.stats.verify import check_tallies, recount_older
from scorekeeper.web.common.numbers import counted

from .files import BackupProblem

ANOTHER = "Choose another backup."


class Contents(NamedTuple):
    """Numbers of rows in a database."""

    clubs: int
    games: int
    hands: int

    def __str__(self) -> str:
        return ", ".join((counted(self.clubs, "club"), counted(self.games, "game"), counted(self.hands, "hand")))


def is_foreign(file: Path) -> BackupProblem:
    return BackupProblem(f"{file} is not a Scorekeeper backup. {ANOTHER}")


def is_damaged(file: Path, why: str) -> BackupProblem:
    return BackupProblem(f"{file} is damaged: {why}. {ANOTHER}")


def app_on(app: Flask, url: URL) -> Flask:
    """Create the application on another database."""
    address = url.render_as_string(hide_password=False)
    return create_app({"INSTANCE": app.instance_path, "SECRET_KEY": app.secret_key, "DATABASE_URL": address})


def bring_up_to_date(app: Flask, file: Path) -> Contents:
    """Migrate and verify the database of `app`, which was restored from the backup `file`; return its contents.

    Statistics that differ from the hands are counted again: the hands are the original data.
    """
    try:
        with closed_afterwards(app):
            migrate_database(app)
            with app.app_context():
                recount_older()
                for club in db.session.scalars(select(Club).order_by(Club.id)).all():
                    name = club.name
                    try:
                        check_tallies(club, fix=True)
                    except Refused as refused:
                        why = f"{file} has a game of {name} that can't be scored: {refused}. {ANOTHER}"
                        raise BackupProblem(why) from None
                return contents()
    except DatabaseRefused as refused:
        if refused.trouble is not Trouble.NEWER:
            raise is_foreign(file) from None
        newer = f"{file} was made by a newer version of Scorekeeper"
        raise BackupProblem(f"{newer}. Install that version, then restore it.") from None


@contextmanager
def closed_afterwards(app: Flask) -> Iterator[None]:
    """Close all connections to the database of `app` at the end of the block."""
    try:
        yield
    finally:
        with app.app_context():
            db.session.remove()
            db.engine.dispose()


def contents() -> Contents:
    """Count the contents of the current database. Needs an application context."""
    return Contents(*(db.session.scalar(select(func.count()).select_from(table)) or 0 for table in (Club, Game, Hand)))
