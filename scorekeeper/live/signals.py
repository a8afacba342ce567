"""Whether anything was written to the database since the last look, by whichever process: asked many times a second.

Neither way costs those who write anything. SQLite counts in its file what others commit; PostgreSQL says which
transactions are over. Its NOTIFY would make all who write wait for one another at the end: such commits go one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.database.file import file_at

if TYPE_CHECKING:
    from sqlalchemy import Engine


class Signal:
    """Asked by one thread alone, on a connection of its own: what answers `QUESTION` changes with every write."""

    QUESTION: str

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seen: object = None
        self._connection: Any = None

    def has_changed(self) -> bool:
        """Whether something was written since this was asked last; also the first time."""
        if self._connection is None:
            self._connection = self._connect()
        try:
            before, self._seen = self._seen, self._connection.execute(self.QUESTION).fetchone()
        except Exception:
            self.close()  # the database was away: the next time another connection is made
            raise
        return before != self._seen

    def _connect(self) -> Any:
        """A connection of the driver that is never given back."""
        pooled = self._engine.raw_connection()
        driver = pooled.driver_connection
        pooled.detach()
        return driver

    def close(self) -> None:
        self._seen = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class SqliteSignal(Signal):
    """Has a connection that never writes: its `data_version` counts the commits of all others, in 5 microseconds."""

    QUESTION = "PRAGMA data_version"
    _file: object = None

    def has_changed(self) -> bool:
        file = file_at(str(self._engine.url.database))
        if self._file != file:  # a backup may have been put in its place
            self.close()
            self._file = file
        return super().has_changed()


class PostgresSignal(Signal):
    """Has a connection that asks which transactions are over and which are under way: whoever writes changes that.

    Those of other databases of the same server do, too; so does each that begins. Both cost a look that finds nothing.
    """

    QUESTION = "SELECT pg_current_snapshot()::text"  # its text alone is of a type that any driver knows

    def _connect(self) -> Any:
        connection = super()._connect()
        connection.rollback()  # the pool may have tried it
        connection.autocommit = True
        return connection


def signal_of(engine: Engine) -> Signal:
    return PostgresSignal(engine) if engine.dialect.name == "postgresql" else SqliteSignal(engine)
