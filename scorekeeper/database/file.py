"""SQLite's file: opened only where there is one, and watched, so that nobody writes into a file that was deleted.

A deleted file, or one that another was put in the place of, can still be written to by whoever had it open; what is
saved there is lost. So every connection knows which file it has open, and compares it with the one that is there now.
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

MEMORY = ":memory:"  # what SQLite calls a database without a file
OPENED = "file"  # under which a connection keeps the file that it has open


def watch(engine: Engine) -> None:
    """Let `engine` open its file only where there is one, and notice when it is gone or another one."""
    path = engine.url.database
    if not path or path == MEMORY or path.startswith("file:"):
        return

    def only_what_is_there(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        """SQLite would make an empty file where there is none. SQLAlchemy 2.0 gives the same list every time."""
        here = Path(path).absolute()
        if file_at(str(here)) is None:
            raise DatabaseRefused(Trouble.MISSING)
        arguments[0] = f"{here.as_uri()}?{'immutable=1' if _is_frozen(here) else 'mode=rw'}"
        options["uri"] = True

    def note(_connection: object, record: Any) -> None:
        record.info[OPENED] = file_at(path)

    def check(_connection: object, record: Any, _proxy: object) -> None:
        if record.info[OPENED] != file_at(path):
            raise DisconnectionError("the database file was deleted or replaced")  # another connection is opened

    def check_again(connection: Connection) -> None:
        # A writer may have waited for its turn for seconds, and a backup may have been put in the file's place.
        if connection.get_execution_options().get("writes") and connection.info[OPENED] != file_at(path):
            raise DatabaseRefused(Trouble.MISSING)

    event.listen(engine, "do_connect", only_what_is_there)
    event.listen(engine, "handle_error", _open_again_if_read_only)
    event.listen(engine, "connect", note)
    event.listen(engine, "checkout", check)
    event.listen(engine, "begin", check_again)


def file_at(path: str) -> tuple[int, int] | None:
    """Which file is at `path` now, by its device and inode; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  (for every request: twice as quick as Path.stat)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_frozen(path: Path) -> bool:
    """Whether nobody writes: then SQLite reads the file only if told so, for it could not make its log beside it."""
    may_write = os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    return not (may_write or Path(f"{path}-wal").exists())


def _open_again_if_read_only(context: ExceptionContext) -> None:
    """A connection stays read-only as it was opened, also when the file is so no more: the next one is a new one."""
    if trouble_of(context.sqlalchemy_exception or context.original_exception) is Trouble.READ_ONLY:
        context.is_disconnect = True


def make_file(engine: Engine) -> None:
    """Make the empty file that the tables are put into, where there is none; nothing on PostgreSQL."""
    if engine.dialect.name == "sqlite" and (path := engine.url.database or MEMORY) != MEMORY:
        Path(path).touch(0o644)


def set_up(connection: sqlite3.Connection) -> None:
    """Tell a new connection how to write; a file that is read-only is left as it is."""
    try:
        connection.execute("PRAGMA journal_mode = WAL").close()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()
