"""Backup files: names, newest and expired ones, safe writing, and the lock of a database in use."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from glob import escape
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from flask import Flask

from scorekeeper.database.session import db
from scorekeeper.database.throttle import Locked, locked

STAMP = "%Y-%m-%d-%H%M%SZ"
NAME = re.compile(r"scorekeeper-(\d{4}-\d\d-\d\d-\d{6}Z)(?:-(\d+))?(\.sqlite|\.dump)")
UNFINISHED = ".scorekeeper-unfinished"


class Backup(NamedTuple):
    """A backup with a dated name: when it was begun, and its number among those of the same second."""

    at: datetime
    number: int
    path: Path


def stamp(moment: datetime) -> str:
    """Format a time for file names: in UTC, so that names sort by time even when clocks are set back."""
    return moment.astimezone(UTC).strftime(STAMP)


def dated_backups(folder: Path, suffix: str) -> list[Backup]:
    """Return the backups with dated names and this suffix, oldest first."""
    found = (_read(path) for path in folder.glob(f"scorekeeper-*{suffix}"))
    return sorted(backup for backup in found if backup is not None)


def _read(path: Path) -> Backup | None:
    name = NAME.fullmatch(path.name)
    with suppress(ValueError):  # not a valid date
        if name:
            return Backup(datetime.strptime(name[1], STAMP).replace(tzinfo=UTC), int(name[2] or 1), path)
    return None


def new_path(folder: Path, suffix: str, moment: datetime) -> Path:
    """Return an unused dated name."""
    return free_path(folder / f"scorekeeper-{stamp(moment)}{suffix}")


def free_path(path: Path) -> Path:
    """Return `path`, or if it exists, the first unused name with a number from 2 on appended."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(free for free in chain([path], numbered) if not free.exists())


def newest(folder: Path, suffix: str, moment: datetime) -> Backup | None:
    """Return the latest backup made before `moment`; later dates come from a wrong clock. None if there is none."""
    return max((backup for backup in dated_backups(folder, suffix) if backup.at <= moment), default=None)


def delete_old(folder: Path, suffix: str, kept: int, made: Path) -> list[Path]:
    """Delete all but the newest `kept` backups, but never `made`; return the deleted paths. 0 keeps all."""
    backups = [backup.path for backup in dated_backups(folder, suffix)]
    old = [path for path in backups[:-kept] if path != made] if kept else []
    for path in old:
        path.unlink()
    return old


@contextmanager
def unfinished(folder: Path, name: str) -> Iterator[Path]:
    """Yield a temporary path for a file; deleted at the end, as are those left by a killed process."""
    _delete_unfinished(folder, name)
    try:
        yield folder / f"{UNFINISHED}-{name}"
    finally:
        _delete_unfinished(folder, name)


def _delete_unfinished(folder: Path, name: str) -> None:
    for path in folder.glob(f"{UNFINISHED}-{escape(name)}*"):
        path.unlink(missing_ok=True)


def publish(written: Path, path: Path) -> None:
    """Rename a file to `path` once it is on disk."""
    to_disk(written)
    written.replace(path)
    to_disk(path.parent)


def to_disk(path: Path) -> None:
    """Flush a file or a folder's entries to disk."""
    if sys.platform == "win32" and path.is_dir():  # folders cannot be opened there
        return
    number = os.open(path, os.O_RDONLY if sys.platform != "win32" else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


# --- problems --------------------------------------------------------------------------------------------------------


class BackupProblem(Exception):
    """A problem and its remedy, in one or two sentences."""


# --- in use ----------------------------------------------------------------------------------------------------------


RUNNING = "A server is running on this database. Stop it, then try again."
BUSY = "The database is being restored or moved. Wait until that has finished, then start the server."


@contextmanager
def serving(app: Flask) -> Iterator[None]:
    """Prevent restoring or moving the database of `app`; on PostgreSQL its connections show that it is in use."""
    with ExitStack() as held:
        with app.app_context():
            url = db.engine.url
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            try:
                held.enter_context(locked(_lock_of(Path(str(url.database))), shared=True))
            except Locked:
                raise BackupProblem(BUSY) from None
            except OSError:
                pass  # a read-only folder: nothing can be restored there either
        yield


@contextmanager
def not_served(path: Path) -> Iterator[None]:
    """Prevent servers from starting on the SQLite database at `path`; raises BackupProblem if one is running."""
    try:
        with locked(_lock_of(path)):
            yield
    except Locked:
        raise BackupProblem(RUNNING) from None


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-serving")
