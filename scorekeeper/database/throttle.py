"""What the worker processes share in files: counts of requests for rate limits, slots for expensive work, locks.

If the file cannot be read or written, no request is refused: counting must never stop a game.
"""

from __future__ import annotations

import hashlib
import logging
import math
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

MOST_ROWS = 20_000  # older rows are deleted beyond that: a few megabytes
LOCK_SECONDS = 5  # seconds to wait for another process's lock
SECONDS = {"minute": 60, "hour": 3600, "day": 86400}
LIMIT = re.compile(rf"([1-9][0-9]{{0,6}}) per ({'|'.join(SECONDS)})")
TABLE = """
CREATE TABLE IF NOT EXISTS seen (
  what TEXT NOT NULL, who TEXT NOT NULL, thing TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (what, who, thing)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seen_at ON seen (at);
"""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limit:
    """At most `most` different things in `seconds`."""

    most: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> Limit | None:
        """Parse the value of a setting, such as "30 per hour"; None if empty. Raises ValueError.

        >>> Limit.parse("30 per hour")
        Limit(most=30, seconds=3600)
        """
        if not text.strip():
            return None
        found = LIMIT.fullmatch(text.strip())
        if found is None:
            raise ValueError(f'"{text}" is not a limit. Write it like "30 per hour", or leave it empty.')
        return cls(int(found[1]), SECONDS[found[2]])


class Throttle:
    """Recent actions: kind (`what`), client (`who`) and object (`thing`); the same object counts once."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def seconds_left(self, limit: Limit, what: str, who: str) -> int:
        """Return the seconds that `who` must wait; 0 if the limit is not reached."""
        if not self.file.exists():
            return 0
        return self._ask(_seconds_left, limit, what, who)

    def count(self, limit: Limit, what: str, who: str, thing: str) -> int:
        """Count a thing and return 0, or, if the limit is already reached, return the seconds to wait."""
        return self._ask(_count, limit, what, who, thing)

    def _ask(self, question: Callable[..., int], *about: Limit | str) -> int:
        try:
            with closing(sqlite3.connect(self.file, timeout=LOCK_SECONDS, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = OFF")  # a count may be lost in a power failure
                return question(connection, *about)
        except sqlite3.Error as error:
            log.warning("requests are not throttled: %s: %s", self.file, error)
            if not isinstance(error, sqlite3.OperationalError):
                self.file.unlink(missing_ok=True)  # damaged, or no database
            return 0


def _count(connection: sqlite3.Connection, limit: Limit, what: str, who: str, thing: str) -> int:
    connection.executescript(TABLE)
    connection.execute("BEGIN IMMEDIATE")
    left = _seconds_left(connection, limit, what, who)
    if not left:
        kept = hashlib.blake2b(thing.encode(), digest_size=16).hexdigest()  # it may be nearly the right secret
        connection.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)", (what, who, kept, time.time()))
    # Delete expired rows, rows in the future (left by a clock that was set back), and rows beyond MOST_ROWS.
    now = time.time()
    connection.execute("DELETE FROM seen WHERE what = ? AND (at <= ? OR at > ?)", (what, now - limit.seconds, now))
    oldest = connection.execute("SELECT at FROM seen ORDER BY at DESC LIMIT 1 OFFSET ?", (MOST_ROWS,)).fetchone()
    if oldest:
        connection.execute("DELETE FROM seen WHERE at <= ?", oldest)
    connection.execute("COMMIT")
    return left


def _seconds_left(connection: sqlite3.Connection, limit: Limit, what: str, who: str) -> int:
    now = time.time()
    query = "SELECT count(*), min(at) FROM seen WHERE what = ? AND who = ? AND at > ? AND at <= ?"
    count, first = connection.execute(query, (what, who, now - limit.seconds, now)).fetchone()
    return math.ceil(first + limit.seconds - now) if count >= limit.most else 0


class SlotPool:
    """A limited number of slots for expensive work, shared by all processes; a name always maps to the same slot.

    So a name holds at most one slot, and expensive requests never fill the server. A process that dies releases its
    slots.
    """

    def __init__(self, folder: Path, places: int) -> None:
        self.folder = folder
        self.places = places

    def take(self, name: str) -> Callable[[], None] | None:
        """Return a function that releases the slot; None while it is taken."""
        place = hashlib.blake2b(name.encode()).digest()[0] % self.places
        slot = ExitStack()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            slot.enter_context(locked(self.folder / f"place{place}.lock"))
        except Locked:
            return None
        except OSError as error:
            log.warning("expensive requests are not limited: %s", error)
        return slot.close


# --- locks -----------------------------------------------------------------------------------------------------------


class Locked(Exception):
    """Another process, or another thread, holds the lock."""


@contextmanager
def locked(path: Path, *, shared: bool = False, wait: bool = False) -> Iterator[None]:
    """Hold a lock on the file `path`, which is created; raises `Locked` if it is held already and `wait` is false.

    A shared lock can be held by several. Processes forked meanwhile hold it too.
    """
    with path.open("ab") as file:
        try:
            _lock(file.fileno(), shared=shared, wait=wait)
        except (BlockingIOError, PermissionError):
            raise Locked(path) from None
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(number: int, *, shared: bool, wait: bool) -> None:
        """Windows has no shared locks: the first of several processes holds it for all."""
        try:
            msvcrt.locking(number, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            if not shared:
                raise
else:
    import fcntl

    def _lock(number: int, *, shared: bool, wait: bool) -> None:
        fcntl.flock(number, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
