"""Database errors that are not bugs of the program, classified by the driver's error codes."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Mapping
from enum import Enum

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class Trouble(Enum):
    """A problem with the database; the value is the message that a command prints."""

    FULL = "The disk is full. Nothing was lost. Free some space, then try again."
    DISK = "The disk can't be written to. Nothing was lost. See whether it is full or damaged, then try again."
    READ_ONLY = "The database can't be changed: its file or folder is read-only. Make both writable, then try again."
    BUSY = "Another program keeps the database locked. Close that program, then try again."
    MISSING = "There is no database file. Put it back, or run `scorekeeper migrate` to start a new one."
    CLOSED = "The database file can't be opened. Make it and its folder readable, then try again."
    AWAY = "The database server doesn't answer. Start it, or correct DATABASE_URL."
    FOREIGN = "That file is no Scorekeeper database, or it is damaged. Correct DATABASE_URL, or restore a backup."
    NEWER = "This database is from a newer version of Scorekeeper. Install that version, then try again."
    OLDER = "This database is not up to date. Run `scorekeeper migrate`, then try again."
    DIFFERS = (
        "The database was not updated, and nothing in it was changed: its tables are not those of any released version."
        " Export its clubs with the version that made it, then import them into a new database."
    )
    NO_URL = "DATABASE_URL is not the address of an SQLite or PostgreSQL database. Correct it, then try again."


class DatabaseRefused(Exception):
    """The database cannot be used, for the reason in `trouble`."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble


TROUBLES = (DatabaseRefused, DBAPIError, PoolTimeout, OSError)  # exceptions that `trouble_of` may classify
FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# https://www.sqlite.org/rescode.html; by extended code, or by its lowest byte, the primary code.
SQLITE: Mapping[int, Trouble] = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: Trouble.FULL,
    sqlite3.SQLITE_IOERR: Trouble.DISK,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
    sqlite3.SQLITE_CANTOPEN: Trouble.CLOSED,
    sqlite3.SQLITE_NOTADB: Trouble.FOREIGN,
    sqlite3.SQLITE_CORRUPT: Trouble.FOREIGN,
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html; by SQLSTATE, or by its two-character class.
POSTGRESQL: Mapping[str, Trouble] = {
    "53100": Trouble.FULL,
    "40": Trouble.BUSY,
    "25006": Trouble.READ_ONLY,
    "42501": Trouble.READ_ONLY,
    "08": Trouble.AWAY,
    "28": Trouble.AWAY,
    "3D": Trouble.AWAY,
    "53": Trouble.BUSY,
    "55P03": Trouble.BUSY,
    "57": Trouble.AWAY,
}


def trouble_of(error: BaseException) -> Trouble | None:
    """Classify an error of the database or the disk; None for any other error."""
    if isinstance(error, DatabaseRefused):
        return error.trouble
    if isinstance(error, PoolTimeout):
        return Trouble.BUSY
    if isinstance(error, (ArgumentError, NoSuchModuleError)):
        return Trouble.NO_URL
    if isinstance(error, DBAPIError):
        return _of_driver(error)
    return Trouble.FULL if isinstance(error, OSError) and error.errno in FULL_DISK else None


def _of_driver(error: DBAPIError) -> Trouble | None:
    if isinstance(error.orig, sqlite3.Error):
        number = getattr(error.orig, "sqlite_errorcode", 0)
        return SQLITE.get(number) or SQLITE.get(number & 0xFF)
    if error.connection_invalidated:
        return Trouble.AWAY
    code = getattr(error.orig, "sqlstate", None)
    if code is None:  # no SQLSTATE from the server: the connection failed or was lost
        return Trouble.AWAY if type(error.orig).__name__ == "OperationalError" else None
    return POSTGRESQL.get(code) or POSTGRESQL.get(code[:2])


def sentence_of(error: BaseException) -> str | None:
    """Return the message for an error of the database, a file or a folder; None for a bug."""
    trouble = trouble_of(error)
    if trouble:
        return trouble.value
    if isinstance(error, OSError) and error.filename is not None:
        return f"Can't use {error.filename}: {error.strerror}."
    return None
