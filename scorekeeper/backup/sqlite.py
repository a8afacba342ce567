"""Copies of an SQLite database, by SQLite's own backup API, and what makes one a database of ours."""

from __future__ import annotations

import filecmp
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.database.errors import DatabaseRefused, Trouble

from .problems import BackupProblem

if TYPE_CHECKING:
    from sqlalchemy import URL

SUFFIX = ".sqlite"
HEADER = b"SQLite format 3\0"
OURS = {"alembic_version", "club", "game"}
WAIT_SECONDS = 10


class SqliteDatabase:
    """The database in use, where it is SQLite's."""

    suffix = SUFFIX

    def __init__(self, url: URL) -> None:
        if url.database in (None, "", ":memory:"):
            raise BackupProblem("The database is in memory only, so there is nothing to back up.")
        self.path = Path(str(url.database)).absolute()

    def copy_to(self, target: Path) -> None:
        """Copy the database as it is at one moment, while others read and write; the copy is checked.

        All of it is copied in one step: a reader's view of one moment, which holds up no writer. In several steps
        SQLite would start again after every write.
        """
        if not self.path.is_file():
            raise DatabaseRefused(Trouble.MISSING)
        with closing(open_existing(self.path, "rw")) as live, closing(sqlite3.connect(target)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # it is written to the disk when it is complete
            live.backup(copy)
        make_one_file(target)
        if found := damage(target):
            raise BackupProblem(f"The database is damaged, so it was not backed up: {found}. Restore an older backup.")

    def same(self, one: Path, other: Path) -> bool:
        """Whether two copies hold the same."""
        return filecmp.cmp(one, other, shallow=False)

    def size(self) -> int:
        """How many bytes a copy may have."""
        files = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(file.stat().st_size for file in files if file.is_file())


def open_existing(path: Path, mode: str = "rw", seconds: float = WAIT_SECONDS) -> sqlite3.Connection:
    """Open a database that is there: none is made. `seconds` is how long to wait for others."""
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=seconds, isolation_level=None)


def make_one_file(path: Path) -> None:
    """Have all of a database in its one file, with no log beside it."""
    with closing(open_existing(path, "rw")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()


def damage(path: Path) -> str | None:
    """What is wrong with a database's file, or with what its rows refer to; None if nothing is."""
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
    """Whether a database has the tables that ours have."""
    with closing(open_existing(path, "ro")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} >= OURS
