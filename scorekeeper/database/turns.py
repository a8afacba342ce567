"""Writers of one SQLite file take turns, in the order in which they came.

SQLite lets a writer who finds another one sleep for a while, and then try again: whoever comes meanwhile is let in
before. Here the threads of a process stand in a line, and the first of each process's line takes turns with those of
the others by two locks on a file: `queue`, which one process at a time holds while it waits, and `work`, which it
waits for. Whoever has just written has to get `queue` first, which somebody else holds who was waiting.

It is a courtesy: SQLite's own lock is what keeps writers apart. So whoever has waited too long, while nobody's turn
ended, goes on without. The locks belong to the process: a thread without a turn must not release them.
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
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]

QUEUE, WORK = 0, 1  # the bytes of the file that are locked
PAUSE = 0.0005  # seconds between two looks at a lock of another process


class Turns:
    """The line of the writers of one database; `path` is an empty file beside it, `longest` the seconds one waits."""

    def __init__(self, path: str, longest: float) -> None:
        self.path = path
        self.longest = longest
        self._line: deque[Event] = deque()
        self._lock = Lock()
        self._file: int | None = None
        self._ended = 0  # how many turns have ended

    @contextmanager
    def turn(self, longest: float | None = None) -> Iterator[None]:
        """Wait for one's turn, and have it until the end.

        Whoever has waited so many seconds in which nobody's turn ended goes on without.
        """
        longest = self.longest if longest is None else longest
        mine = self._stand_in_line()
        try:
            ended = -1
            while not mine.is_set() and ended != self._ended:  # while the line moves
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
        """Wait for a lock; False where it took too long, or there are no locks."""
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
        """The file, open for good: to close it would give back this process's locks. None where there can be none."""
        if self._file is None and fcntl is not None:
            with suppress(OSError):
                self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file
