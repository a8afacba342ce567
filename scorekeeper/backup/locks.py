"""Locks between processes: on a file, and gone with the process that holds them, however it ends."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .problems import Locked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def locked(path: Path, *, shared: bool = False, wait: bool = False) -> Iterator[None]:
    """Hold a lock on the file `path`, which is made; raise `Locked` if another process has it and `wait` is false.

    A shared one can be held by several at once. Processes that are forked meanwhile hold it too.
    """
    with path.open("ab") as file:
        try:
            _lock(file.fileno(), shared=shared, wait=wait)
        except OSError:
            raise Locked(f"Another process holds {path}. Wait until it has finished, then try again.") from None
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(number: int, *, shared: bool, wait: bool) -> None:
        """Windows knows no shared lock: of several who want one, the first has it for all."""
        try:
            msvcrt.locking(number, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            if not shared:
                raise
else:
    import fcntl

    def _lock(number: int, *, shared: bool, wait: bool) -> None:
        fcntl.flock(number, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
