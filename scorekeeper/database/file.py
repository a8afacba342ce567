"""Guards for the SQLite database file: never created by opening it, and checked for deletion and replacement.

A process that has a deleted or replaced file open can still write to it, and those writes are lost. So every connection
remembers the device and inode of its file and compares them with the file now at that path.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DisconnectionError

from .errors import DatabaseRefused, Trouble, trouble_of

MEMORY = ":memory:"  # SQLite's name for a database without a file
OPENED = "file"  # key in a connection's `info` for the identity of its open file


def watch(engine: Engine) -> None:
    """Make `engine` refuse to create the database file, and detect that it was deleted or replaced."""
    path = engine.url.database
    if not path or path == MEMORY or path.startswith("file:"):
        return

    def only_what_is_there(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        """Prevent SQLite from creating a missing file. SQLAlchemy 2.0 passes the same `arguments` list every time."""
        here = Path(path).absolute()
        if file_at(str(here)) is None:
            raise DatabaseRefused(Trouble.MISSING)
        arguments[0] = f"{here.as_uri()}?{'immutable=1' if _is_frozen(here) else 'mode=rw'}"
        options["uri"] = True

    def note(_connection: object, record: Any) -> None:
        record.info[OPENED] = file_at(path)

    def check(_connection: object, record: Any, _proxy: object) -> None:
        if record.info[OPENED] != file_at(path):
            raise DisconnectionError("the database file was deleted or replaced")  # the pool opens another connection

    def check_again(connection: Connection) -> None:
        # A writer may have waited for seconds, in which a backup may have replaced the file.
        if connection.get_execution_options().get("writes") and connection.info[OPENED] != file_at(path):
            raise DatabaseRefused(Trouble.MISSING)

    event.listen(engine, "do_connect", only_what_is_there)
    event.listen(engine, "handle_error", _open_again_if_read_only)
    event.listen(engine, "connect", note)
    event.listen(engine, "checkout", check)
    event.listen(engine, "begin", check_again)


def file_at(path: str) -> tuple[int, int] | None:
    """Return device and inode of the file now at `path`; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 (called for every request: twice as fast as Path.stat)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_frozen(path: Path) -> bool:
    """True if no process can write. SQLite must then be told so (immutable=1), as it cannot create its WAL file."""
    may_write = os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    return not (may_write or Path(f"{path}-wal").exists())


def _open_again_if_read_only(context: ExceptionContext) -> None:
    """Discard a read-only connection: it stays read-only even after the file has become writable."""
    if trouble_of(context.sqlalchemy_exception or context.original_exception) is Trouble.READ_ONLY:
        context.is_disconnect = True


def make_file(engine: Engine) -> None:
    """Create the empty SQLite file for the tables if it is missing; does nothing on PostgreSQL."""
    if engine.dialect.name == "sqlite" and (path := engine.url.database or MEMORY) != MEMORY:
        Path(path).touch(0o644)


def set_up(connection: sqlite3.Connection) -> None:
    """Set the pragmas of a new connection; journal mode stays unchanged on a read-only file."""
    try:
        connection.execute("PRAGMA journal_mode = WAL").close()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()
