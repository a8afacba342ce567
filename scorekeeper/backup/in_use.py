"""Whether a server is running on an SQLite database: each holds a shared lock on a file beside it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.database.session import db

from .locks import locked
from .problems import BackupProblem, Locked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

RUNNING = "A server is running on this database. Stop it, then try again."
BUSY = "The database is being restored or moved. Wait until that has finished, then start the server."


@contextmanager
def serving(app: Flask) -> Iterator[None]:
    """Let nobody restore or move the database of `app`; on PostgreSQL its connections say that it is in use."""
    with ExitStack() as held:
        with app.app_context():
            url = db.engine.url
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            _hold(held, Path(str(url.database)))
        yield


def _hold(held: ExitStack, path: Path) -> None:
    try:
        held.enter_context(locked(_lock_of(path), shared=True))
    except Locked:
        raise BackupProblem(BUSY) from None
    except OSError:
        pass  # a folder that is read-only: nobody can restore anything there either


@contextmanager
def not_served(path: Path) -> Iterator[None]:
    """Let no server start on the SQLite database at `path`; raises a problem if one is running."""
    try:
        with locked(_lock_of(path)):
            yield
    except Locked:
        raise BackupProblem(RUNNING) from None


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-serving")
