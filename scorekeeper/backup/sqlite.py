"""Copies of an SQLite database, made with SQLite's backup API, and checks of backup files."""

from __future__ import annotations

import filecmp
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from flask import Flask
from sqlalchemy import URL

from scorekeeper.database.errors import DatabaseRefused, Trouble
from scorekeeper.database.session import now

from .check import Contents, app_on, bring_up_to_date, is_damaged, is_foreign
from .files import (
    RUNNING,
    BackupProblem,
    free_path,
    not_served,
    publish,
    stamp,
    to_disk,
    unfinished,
)

SUFFIX = ".sqlite"
HEADER = b"SQLite format 3\0"
OURS = {"alembic_version", "club", "game"}
WAIT_SECONDS = 10


class SqliteDatabase:
    """The current SQLite database."""

    suffix = SUFFIX

    def __init__(self, url: URL) -> None:
        if url.database in (None, "", ":memory:"):
            raise BackupProblem("The database is in memory only, so there is nothing to back up.")
        self.path = Path(str(url.database)).absolute()

    def copy_to(self, target: Path) -> None:
        """Copy a snapshot of the database, while others read and write, and check the copy.

        Everything is copied in one step, which is one read transaction and blocks no writer. In several steps, SQLite
        would start over after every write.
        """
        if not self.path.is_file():
            raise DatabaseRefused(Trouble.MISSING)
        with closing(open_existing(self.path, "rw")) as live, closing(sqlite3.connect(target)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # flushed when it is complete
            live.backup(copy)
        make_one_file(target)
        if found := damage(target):
            raise BackupProblem(f"The database is damaged, so it was not backed up: {found}. Restore an older backup.")

    def same(self, one: Path, other: Path) -> bool:
        """True if two copies are equal."""
        return filecmp.cmp(one, other, shallow=False)

    def size(self) -> int:
        """Return an upper bound of a copy's size in bytes."""
        files = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(file.stat().st_size for file in files if file.is_file())


def open_existing(path: Path, mode: str = "rw", seconds: float = WAIT_SECONDS) -> sqlite3.Connection:
    """Open an existing database, never creating one. `seconds` is how long to wait for locks."""
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=seconds, isolation_level=None)


def make_one_file(path: Path) -> None:
    """Merge the WAL file into the database file."""
    with closing(open_existing(path, "rw")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()


def damage(path: Path) -> str | None:
    """Return what is wrong with the file or with foreign keys; None if nothing is."""
    try:
        with closing(open_existing(path, "ro")) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                return str(found).splitlines()[-1]
            lost = connection.execute("PRAGMA foreign_key_check").fetchone()
            return f"a row of {lost[0]} refers to a row of {lost[2]} that is missing" if lost else None
    except sqlite3.DatabaseError as error:
        return str(error)


def is_ours(path: Path) -> bool:
    """True if a database has the tables of a Scorekeeper database."""
    with closing(open_existing(path, "ro")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} >= OURS


# --- restore sqlite --------------------------------------------------------------------------------------------------


JOURNAL_SUFFIXES = ("-wal", "-journal")  # suffixes of files with changes that are not yet in the database file
IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def restore(app: Flask, path: Path, file: Path) -> tuple[Contents, str | None]:
    """Like `command.restore`, for the database at `path`."""
    if path.exists() and path.samefile(file):
        raise BackupProblem(f"{file} is the database in use. Choose a backup.")
    with not_served(path), unfinished(path.parent, path.name) as new:
        with _alone(path):
            found = _make_ready(app, file, new)
        return found, _put_in_place(new, path)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock a database exclusively, with the WAL file merged into it; a damaged one is left as it is."""
    if not path.exists():
        yield
        return
    with closing(open_existing(path, seconds=1)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()  # fails if another process has it open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in IN_USE:
                raise BackupProblem(RUNNING) from None
        yield


def _make_ready(app: Flask, file: Path, new: Path) -> Contents:
    """Create a verified and migrated database at `new`, flushed to disk."""
    _copy(file, new)
    if why := damage(new):
        raise is_damaged(file, why)
    if not is_ours(new):
        raise is_foreign(file)
    found = bring_up_to_date(app_on(app, URL.create("sqlite", database=str(new))), file)
    make_one_file(new)
    to_disk(new)
    return found


def _copy(file: Path, new: Path) -> None:
    """Copy a backup, or a database with its WAL file; the original is not even opened as a database."""
    shutil.copyfile(file, new)
    for name in JOURNAL_SUFFIXES:
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{file}{name}", f"{new}{name}")
    with suppress(sqlite3.DatabaseError):  # `damage` reports the error
        make_one_file(new)


def _put_in_place(new: Path, path: Path) -> str | None:
    """Replace the database at `path` by `new`; return where the old one is kept. `path` always exists meanwhile."""
    # The server may run as another user than the administrator who restores: keep owner and permissions.
    old = path if path.exists() else path.parent
    if old.is_file():
        shutil.copymode(old, new)
    if sys.platform != "win32" and os.geteuid() == 0:
        os.chown(new, old.stat().st_uid, old.stat().st_gid)
    kept = _keep(path) if path.exists() else None
    publish(new, path)
    return str(kept) if kept else None


def _keep(path: Path) -> Path:
    """Give a database a second, dated name. Its WAL or journal moves too, as another database must not apply it."""
    kept = free_path(path.with_name(f"{path.stem}-before-restore-{stamp(now())}{path.suffix}"))
    try:
        os.link(path, kept)
    except OSError:  # a file system without hard links
        shutil.copyfile(path, kept)
        to_disk(kept)
    for name in JOURNAL_SUFFIXES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + name).replace(kept.with_name(kept.name + name))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    to_disk(path.parent)
    return kept
