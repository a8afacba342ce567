"""Whether anything was written to the database since the last look, by whichever process: asked many times a second.

Neither way costs those who write a look at who listens. SQLite counts in its file what others commit; PostgreSQL is
told by each writer in its own transaction (see db.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.database.file import file_at
from scorekeeper.db import CHANNEL

if TYPE_CHECKING:
    from sqlalchemy import Engine


class Signal(Protocol):
    """Asked by one thread alone."""

    def has_changed(self) -> bool:
        """Whether something was written since this was asked last; also the first time."""

    def close(self) -> None: ...


def signal_of(engine: Engine) -> Signal:
    return PostgresSignal(engine) if engine.dialect.name == "postgresql" else SqliteSignal(engine)


def _own_connection(engine: Engine) -> Any:
    """A connection of the driver that is never given back."""
    pooled = engine.raw_connection()
    driver = pooled.driver_connection
    pooled.detach()
    return driver


class SqliteSignal:
    """Has a connection that never writes: its `data_version` counts the commits of all others, in 5 microseconds."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._path = str(engine.url.database)
        self._seen: object = None
        self._connection: Any = None
        self._file: object = None

    def has_changed(self) -> bool:
        if self._connection is None or self._file != file_at(self._path):  # a backup may have been put in its place
            self.close()
            self._connection, self._file = _own_connection(self._engine), file_at(self._path)
        before, self._seen = self._seen, self._connection.execute("PRAGMA data_version").fetchone()
        return before != self._seen

    def close(self) -> None:
        self._seen = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class PostgresSignal:
    """Has a connection that listens."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None

    def has_changed(self) -> bool:
        if self._connection is None:
            self._connect()
            return True
        try:
            return bool(list(self._connection.notifies(timeout=0)))
        except Exception:
            self.close()  # the server was away: the next time another connection is made
            raise

    def _connect(self) -> None:
        connection = _own_connection(self._engine)
        connection.rollback()  # the pool may have tried it
        connection.autocommit = True
        connection.execute(f"LISTEN {CHANNEL}")
        self._connection = connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
