"""Make backups: on request, before a migration, and once a day. Each needs an application context."""

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
from scorekeeper.database.throttle import Locked, locked
from scorekeeper.models import Club

from .files import (
    BackupProblem,
    delete_old,
    new_path,
    newest,
    publish,
    unfinished,
)
from .postgres import PostgresDatabase
from .sqlite import SqliteDatabase

Database = SqliteDatabase | PostgresDatabase
A_DAY = timedelta(days=1)
MIN_FREE_BYTES = 50_000_000  # bytes: an automatic backup must leave room to save hands


def database_in_use() -> Database:
    url = db.engine.url
    return SqliteDatabase(url) if db.engine.dialect.name == "sqlite" else PostgresDatabase(url)


def backup_folder() -> Path:
    """Return the folder of automatic backups; created if missing, accessible to the owner only."""
    folder = Path(current_app.instance_path, current_app.config["BACKUP_FOLDER"])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def check_folder() -> None:
    """Raise BackupProblem if automatic backups are enabled and their folder is not writable."""
    if not backups_to_keep():
        return
    why = "no permission"
    try:
        if os.access(backup_folder(), os.W_OK):
            return
    except OSError as error:
        why = str(error.strerror)
    folder, way_out = current_app.config["BACKUP_FOLDER"], "or set SCOREKEEPER_BACKUPS_KEPT to 0 for no backups"
    raise BackupProblem(f"Can't write backups to {folder}: {why}. Correct SCOREKEEPER_BACKUP_FOLDER, {way_out}.")


def backups_to_keep() -> int:
    """Return the number of backups to keep; 0: all, and no automatic backups."""
    return int(current_app.config["BACKUPS_KEPT"])


def back_up_to_file(path: Path) -> Path:
    """Make a backup at `path`, which must not exist."""
    if path.exists():
        raise BackupProblem(f"{path} exists. Choose another name, or a folder for backups with dated names.")
    with _explained(path), unfinished(path.parent, path.name) as written:
        database_in_use().copy_to(written)
        publish(written, path)
    return path


def back_up_to_folder(folder: Path, *, only_if_new: bool = False, wait: bool = True) -> Path | None:
    """Make a backup with a dated name, then delete the oldest beyond the number to keep.

    With `only_if_new`, returns None without a new backup if the newest one is equal. Backups in one folder are made one
    at a time; without `wait`, raises `Locked` while another one is being made.
    """
    with _explained(folder), locked(folder / ".scorekeeper-lock", wait=wait):
        database = database_in_use()
        moment = now()
        with unfinished(folder, "backup") as written:
            database.copy_to(written)
            last = newest(folder, database.suffix, moment)
            if only_if_new and last and database.same(written, last.path):
                os.utime(last.path)  # equal to a backup made now: see `is_due`
                return None
            path = new_path(folder, database.suffix, moment)
            publish(written, path)
        delete_old(folder, database.suffix, backups_to_keep(), path)
    return path


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Convert errors of the disk or the database to BackupProblem."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise DatabaseRefused(Trouble.FOREIGN) from None
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BackupProblem(f"No backup could be written to {place}: {why}. Older backups are unchanged.") from None


# --- automatic backups ------------------------------------------------------------------------------------------------


def back_up_before_migrating() -> Path | None:
    """Make a backup if a migration will change a database that may contain data; return its path or None."""
    if not backups_to_keep() or not is_older():
        return None
    try:
        return _back_up_automatically(wait=True)
    except BackupProblem as problem:
        way_out = "To update without a backup, set SCOREKEEPER_BACKUPS_KEPT to 0."
        raise BackupProblem(f"The database was not updated. {problem} {way_out}") from None


def back_up_daily() -> Path | None:
    """Make a backup if the newest one is a day old and something has changed since; else return None."""
    if not backups_to_keep():
        return None
    with db.engine.connect() as connection:
        has_clubs = inspect(connection).has_table("club") and connection.scalar(select(Club.id).limit(1)) is not None
    return _back_up_automatically(wait=False) if has_clubs and is_due(now()) else None


def is_due(moment: datetime) -> bool:
    """True if the newest backup was made, or found equal to the database, at least a day ago."""
    last = newest(backup_folder(), database_in_use().suffix, moment)
    if last is None:
        return True
    age = moment - datetime.fromtimestamp(last.path.stat().st_mtime, UTC)
    return not timedelta(0) <= age < A_DAY  # a date in the future proves nothing


def _back_up_automatically(*, wait: bool) -> Path | None:
    folder = backup_folder()
    size, free = database_in_use().size(), shutil.disk_usage(folder).free
    if free < size + MIN_FREE_BYTES:
        need = f"There's no room for a backup in {folder}: {(size + MIN_FREE_BYTES) // 1_000_000} MB must be free"
        raise BackupProblem(f"{need}. Free some space, or set SCOREKEEPER_BACKUP_FOLDER to another folder.")
    return back_up_to_folder(folder, only_if_new=True, wait=wait)


# --- daily -----------------------------------------------------------------------------------------------------------


def look(app: Flask) -> None:
    """Make a backup if one is due."""
    with suppress(Locked):  # another worker makes it
        made = back_up_daily()
        if made:
            app.logger.info("backup made: %s", made)
