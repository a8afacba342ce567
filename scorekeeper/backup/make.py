"""Backups made: when asked for, before a migration, and once a day. Each needs the application's context."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from flask import Flask, current_app
from sqlalchemy import inspect, select

from scorekeeper.database.errors import DatabaseRefused, Trouble
from scorekeeper.database.session import db, is_older, now
from scorekeeper.models import Club

from .files import (
    BackupProblem,
    Locked,
    delete_old,
    locked,
    new_path,
    newest,
    publish,
    unfinished,
)
from .postgres import PostgresDatabase
from .sqlite import SqliteDatabase

Database = SqliteDatabase | PostgresDatabase
A_DAY = timedelta(days=1)
LEFT_FREE = 50_000_000  # bytes: a backup that nobody asked for leaves room to save hands


def database_in_use() -> Database:
    url = db.engine.url
    return SqliteDatabase(url) if db.engine.dialect.name == "sqlite" else PostgresDatabase(url)


def backup_folder() -> Path:
    """Where the backups are that are made automatically; made if it is missing, for the owner alone."""
    folder = Path(current_app.instance_path, current_app.config["BACKUP_FOLDER"])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def check_folder() -> None:
    """Raise BackupProblem where the server makes backups and its folder cannot be written."""
    if not kept():
        return
    why = "no permission"
    try:
        if os.access(backup_folder(), os.W_OK):
            return
    except OSError as error:
        why = str(error.strerror)
    folder, way_out = current_app.config["BACKUP_FOLDER"], "or set SCOREKEEPER_BACKUPS_KEPT to 0 for no backups"
    raise BackupProblem(f"Can't write backups to {folder}: {why}. Correct SCOREKEEPER_BACKUP_FOLDER, {way_out}.")


def kept() -> int:
    """How many backups are kept; 0: all, and none is made automatically."""
    return int(current_app.config["BACKUPS_KEPT"])


def back_up_to_file(path: Path) -> Path:
    """Make a backup with a name of one's own."""
    if path.exists():
        raise BackupProblem(f"{path} exists. Choose another name, or a folder for backups with dated names.")
    with _explained(path), unfinished(path.parent, path.name) as written:
        database_in_use().copy_to(written)
        publish(written, path)
    return path


def back_up_to_folder(folder: Path, *, only_if_new: bool = False, wait: bool = True) -> Path | None:
    """Make a backup with a dated name, then delete the oldest of more than are kept.

    With `only_if_new` nothing is kept of it, and None given, if it is the same as the newest one there. Backups in one
    folder are made one after the other; without `wait`, `Locked` is raised while another is being made.
    """
    with _explained(folder), locked(folder / ".scorekeeper-lock", wait=wait):
        database = database_in_use()
        moment = now()
        with unfinished(folder, "backup") as written:
            database.copy_to(written)
            last = newest(folder, database.suffix, moment)
            if only_if_new and last and database.same(written, last.path):
                os.utime(last.path)  # it is as good as one made now: see `is_due`
                return None
            path = new_path(folder, database.suffix, moment)
            publish(written, path)
        delete_old(folder, database.suffix, kept(), path)
    return path


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """What the disk or the database objects to, as a sentence."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise DatabaseRefused(Trouble.FOREIGN) from None
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BackupProblem(f"No backup could be written to {place}: {why}. Older backups are unchanged.") from None


# --- automatically ----------------------------------------------------------------------------------------------------


def back_up_before_migrating() -> Path | None:
    """Make a backup if a migration is going to change a database with something in it."""
    if not kept() or not is_older():
        return None
    try:
        return _back_up_automatically(wait=True)
    except BackupProblem as problem:
        way_out = "To update without a backup, set SCOREKEEPER_BACKUPS_KEPT to 0."
        raise BackupProblem(f"The database was not updated. {problem} {way_out}") from None


def back_up_daily() -> Path | None:
    """Make a backup if the newest is a day old and something has changed since; None if not."""
    if not kept():
        return None
    with db.engine.connect() as connection:
        has_clubs = inspect(connection).has_table("club") and connection.scalar(select(Club.id).limit(1)) is not None
    return _back_up_automatically(wait=False) if has_clubs and is_due(now()) else None


def is_due(moment: datetime) -> bool:
    """Whether it is a day since the newest backup was made, or found to be the same as the database."""
    last = newest(backup_folder(), database_in_use().suffix, moment)
    if last is None:
        return True
    age = moment - datetime.fromtimestamp(last.path.stat().st_mtime, UTC)
    return not timedelta(0) <= age < A_DAY  # a file from the future says nothing


def _back_up_automatically(*, wait: bool) -> Path | None:
    folder = backup_folder()
    size, free = database_in_use().size(), shutil.disk_usage(folder).free
    if free < size + LEFT_FREE:
        need = f"There's no room for a backup in {folder}: {(size + LEFT_FREE) // 1_000_000} MB must be free"
        raise BackupProblem(f"{need}. Free some space, or set SCOREKEEPER_BACKUP_FOLDER to another folder.")
    return back_up_to_folder(folder, only_if_new=True, wait=wait)


# --- daily -----------------------------------------------------------------------------------------------------------


def look(app: Flask) -> None:
    """Make a backup if one is due."""
    with suppress(Locked):  # another worker is at it
        made = back_up_daily()
        if made:
            app.logger.info("backup made: %s", made)
