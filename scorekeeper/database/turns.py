"""A fair lock for the writers of an SQLite file: they take turns in order of arrival.

SQLite makes a blocked writer sleep and retry, so later writers overtake it. Here the threads of a process wait in a
FIFO queue, and the first thread of each process competes with those of the others for two locks on bytes of a file:
`queue`, which one process at a time holds while it waits, and `work`, which it waits for. A process that has just
written must get `queue` again, which a waiting process holds.

This is only for fairness: SQLite's own lock keeps writers apart. So a writer that has waited too long without any turn
ending proceeds anyway. The file locks belong to the process: a thread without a turn must not release them.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock

try:
    import fcntl
except ImportError:  # Windows, where there is one server process
    fcntl = None  # type: ignore[assignment]

QUEUE, WORK = 0, 1  # offsets of the locked bytes in the file
PAUSE = 0.0005  # seconds between attempts to get another process's lock


class Turns:
    """The writers' queue of one database; `path` is an empty file beside it, `longest` the seconds to wait."""

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
        mine = self._stand_in_line()
        try:
            ended = -1
            while not mine.is_set() and ended != self._ended:  # while the queue moves
                ended = self._ended
                mine.wait(longest)
            deadline = time.monotonic() + longest
            if mine.is_set() and self._take(QUEUE, deadline):
                self._take(WORK, deadline)
                self._give_back(QUEUE)
            yield
        finally:
            self._leave(mine)

    # --- among the threads of this process ---

    def _stand_in_line(self) -> Event:
        mine = Event()
        with self._lock:
            self._line.append(mine)
            self._line[0].set()
        return mine

    def _leave(self, mine: Event) -> None:
        with self._lock:
            if self._line[0] is mine:
                self._give_back(WORK)
                self._ended += 1
            self._line.remove(mine)
            if self._line:
                self._line[0].set()

    # --- among processes ---

    def _take(self, byte: int, deadline: float) -> bool:
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

    def _give_back(self, byte: int) -> None:
        if self._file is not None:
            with suppress(OSError):
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)

    def _open(self) -> int | None:
        """Return the file descriptor, or None. It is never closed: that would release the process's locks."""
        if self._file is None and fcntl is not None:
            with suppress(OSError):
                self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file
