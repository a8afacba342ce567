"""SQLite's database file: guards against its replacement, and a fair lock for its writers.

Opening a database never creates its file. A process that has a deleted or replaced file open can still write to it,
and those writes are lost. So every connection remembers the device and inode of its file and compares them with the
file now at that path.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DisconnectionError

from .errors import DatabaseRefused, Trouble, trouble_of

try:
    import fcntl
except ImportError:  # Windows, where there is one server process
    fcntl = None  # type: ignore[assignment]

MEMORY = ":memory:"  # SQLite's name for a database without a file
FILE_IDENTITY = "file"  # key in a connection's `info` for the identity of its open file


def watch(engine: Engine) -> None:
    """Make `engine` refuse to create the database file, and detect that it was deleted or replaced."""
    path = engine.url.database
    if not path or path == MEMORY or path.startswith("file:"):
        return

    def require_existing_file(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        """Prevent SQLite from creating a missing file. SQLAlchemy 2.0 passes the same `arguments` list every time."""
        here = Path(path).absolute()
        if file_identity(str(here)) is None:
            raise DatabaseRefused(Trouble.MISSING)
        arguments[0] = f"{here.as_uri()}?{'immutable=1' if _is_frozen(here) else 'mode=rw'}"
        options["uri"] = True

    def remember_file(_connection: object, record: Any) -> None:
        record.info[FILE_IDENTITY] = file_identity(path)

    def check(_connection: object, record: Any, _proxy: object) -> None:
        if record.info[FILE_IDENTITY] != file_identity(path):
            raise DisconnectionError("the database file was deleted or replaced")  # the pool opens another connection

    def check_again(connection: Connection) -> None:
        # A writer may have waited for seconds, in which a backup may have replaced the file.
        if connection.get_execution_options().get("writes") and connection.info[FILE_IDENTITY] != file_identity(path):
            raise DatabaseRefused(Trouble.MISSING)

    event.listen(engine, "do_connect", require_existing_file)
    event.listen(engine, "handle_error", _open_again_if_read_only)
    event.listen(engine, "connect", remember_file)
    event.listen(engine, "checkout", check)
    event.listen(engine, "begin", check_again)


def file_identity(path: str) -> tuple[int, int] | None:
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


# --- the queue of writers ------------------------------------------------------------------------------------------


QUEUE, WORK = 0, 1  # offsets of the locked bytes in the file
PAUSE = 0.0005  # seconds between attempts to get another process's lock


class Turns:
    """A fair lock for the writers of a database: they take turns in order of arrival.

    SQLite makes a blocked writer sleep and retry, so later writers overtake it. Here the threads of a process wait in a
    FIFO queue, and the first thread of each process competes with those of the others for two locks on bytes of a file:
    `queue`, which one process at a time holds while it waits, and `work`, which it waits for. A process that has just
    written must get `queue` again, which a waiting process holds.

    This is only for fairness: SQLite's own lock keeps writers apart. So a writer that has waited too long without any
    turn ending proceeds anyway. The file locks belong to the process: a thread without a turn must not release them.

    `path` is an empty file beside the database, `longest` the seconds to wait.
    """

    def __init__(self, path: str, longest: float) -> None:
        self.path = path
        self.longest = longest
        self._line: deque[Event] = deque()
        self._lock = Lock()
        self._file: int | None = None
        self._ended = 0  # number of turns that have ended

    @contextmanager
    def turn(self, longest: float | None = None) -> Iterator[None]:
        """Wait for the turn and hold it during the `with` block.

        Proceeds without it after `longest` seconds in which no turn ended.
        """
        longest = self.longest if longest is None else longest
        mine = self._queue()
        try:
            ended = -1
            while not mine.is_set() and ended != self._ended:  # while the queue moves
                ended = self._ended
                mine.wait(longest)
            deadline = time.monotonic() + longest
            if mine.is_set() and self._lock_byte(QUEUE, deadline):
                self._lock_byte(WORK, deadline)
                self._unlock_byte(QUEUE)
            yield
        finally:
            self._leave(mine)

    # --- among the threads of this process ---

    def _queue(self) -> Event:
        mine = Event()
        with self._lock:
            self._line.append(mine)
            self._line[0].set()
        return mine

    def _leave(self, mine: Event) -> None:
        with self._lock:
            if self._line[0] is mine:
                self._unlock_byte(WORK)
                self._ended += 1
            self._line.remove(mine)
            if self._line:
                self._line[0].set()

    # --- among processes ---

    def _lock_byte(self, byte: int, deadline: float) -> bool:
        """Wait for a lock; False on timeout, or if files cannot be locked."""
        file = self._open()
        while file is not None:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
                time.sleep(PAUSE)
            except OSError:  # a file system without locks
                return False
            else:
                return True
        return False

    def _unlock_byte(self, byte: int) -> None:
        if self._file is not None:
            with suppress(OSError):
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)

    def _open(self) -> int | None:
        """Return the file descriptor, or None. It is never closed: that would release the process's locks."""
        if self._file is None and fcntl is not None:
            with suppress(OSError):
                self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file
