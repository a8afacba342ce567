"""Move everything to another database, SQLite or PostgreSQL, and verify the copy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import URL, Column, Connection, Table, bindparam, func, insert, inspect, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from scorekeeper.database.errors import DatabaseRefused, Trouble, trouble_of
from scorekeeper.database.session import check_is_current, database_url, db, db_write, migrate_database, write_options
from scorekeeper.models import Club
from scorekeeper.transfer.club_writer import write_club

from .check import Contents, app_on, closed_afterwards, contents
from .files import RUNNING, BackupProblem, not_served
from .postgres import is_in_use

BATCH = 500  # rows in memory at once
NO_URL = "That is not the address of an SQLite or PostgreSQL database. Correct it, then try again."
NO_DRIVER = "PostgreSQL needs another package. Run `pip install 'setback-scorekeeper[postgres]'`, then try again."
NOT_EMPTY = "The database to move to isn't empty. Choose an empty one."


class Moved(NamedTuple):
    """What was moved, and the URL of its new database, without the password."""

    found: Contents
    address: str


def move(app: Flask, to: str) -> Moved:
    """Copy everything from the database of `app` to the empty one at the URL `to`, in one transaction.

    Before the commit, all rows are read back and compared, and so are the bytes of every club's export. The database of
    `app` is locked against changes meanwhile and stays as it is. Raises `BackupProblem` with nothing moved.
    """
    target = _app_at(app, to)
    url = _url(app)
    free = not_served(Path(str(url.database))) if url.get_backend_name() == "sqlite" else nullcontext()
    with closed_afterwards(app), closed_afterwards(target), free, app.app_context():
        check_is_current()
        if _is_same(url, _url(target)):
            raise BackupProblem("That is the database in use. Choose another one.")
        with _explained():
            _make_ready(target)
        read = _locked_source()
        found, exports = contents(), _exports()
        with target.app_context(), db_write() as session:
            write = session.connection()
            for table in db.metadata.sorted_tables:
                _copy(read, write, table)
            _go_on_numbering(write)
            _compare(read, write, exports)
            return Moved(found, db.engine.url.render_as_string())


def _app_at(app: Flask, to: str) -> Flask:
    try:
        return app_on(app, make_url(database_url(to)))
    except (ArgumentError, DatabaseRefused):
        raise BackupProblem(NO_URL) from None
    except ModuleNotFoundError as missing:
        raise BackupProblem(NO_DRIVER if missing.name == "psycopg" else NO_URL) from None


def _url(app: Flask) -> URL:
    with app.app_context():
        return db.engine.url


def _is_same(one: URL, other: URL) -> bool:
    if one.get_backend_name() == other.get_backend_name() == "sqlite":
        return Path(str(one.database)).resolve() == Path(str(other.database)).resolve()
    return one == other


# --- the database to move to ------------------------------------------------------------------------------------------


def _make_ready(target: Flask) -> None:
    """Create our tables in the target, which must have no rows."""
    with target.app_context():
        path = Path(str(db.engine.url.database))
        is_missing = db.engine.dialect.name == "sqlite" and not path.exists()
        tables = [] if is_missing else inspect(db.engine).get_table_names()
        if set(tables) - {"alembic_version"} - set(db.metadata.tables):
            raise BackupProblem(NOT_EMPTY)
    migrate_database(target)
    with target.app_context(), db.engine.connect() as connection:
        if any(connection.execute(select(table).limit(1)).first() for table in db.metadata.sorted_tables):
            raise BackupProblem(NOT_EMPTY)


@contextmanager
def _explained() -> Iterator[None]:
    """Convert errors of the target to BackupProblem, because their own messages are about the database in use."""
    try:
        yield
    except (DBAPIError, DatabaseRefused) as error:
        trouble = trouble_of(error)
        if trouble is Trouble.AWAY:
            raise BackupProblem("The database to move to doesn't answer. Start it, or correct its address.") from None
        if trouble in (Trouble.FOREIGN, Trouble.NEWER):
            raise BackupProblem(NOT_EMPTY) from None
        if trouble is None:
            raise
        raise BackupProblem(f"The database to move to can't be used. {trouble.value}") from None


# --- the rows ---------------------------------------------------------------------------------------------------------


def _locked_source() -> Connection:
    """Return the session's connection, in a transaction that prevents others from writing."""
    session = db.session()
    session.rollback()
    if db.engine.dialect.name == "sqlite":
        return session.connection(execution_options=write_options("sqlite"))
    connection = session.connection()
    quote = connection.dialect.identifier_preparer.quote_identifier
    connection.execute(text(f"LOCK TABLE {', '.join(map(quote, db.metadata.tables))} IN SHARE MODE"))
    if is_in_use(connection, str(db.engine.url.database)):
        raise BackupProblem(RUNNING)
    return connection


def _copy(read: Connection, write: Connection, table: Table) -> None:
    """Copy the rows of a table. References to rows of the same table are filled in after all rows are copied."""
    own = [key.parent for key in table.foreign_keys if key.column.table is table]
    empty: dict[str, object] = {column.name: None for column in own}
    try:
        for rows in _batches(read, table):
            write.execute(insert(table), [dict(row) | empty for row in rows])
        for column in own:
            _fill_in(read, write, table, column)
    except DBAPIError as error:
        if trouble_of(error):
            raise
        why = str(error.orig).splitlines()[0].rstrip(".")
        raise BackupProblem(f"A row of {table.name} doesn't fit: {why}. Nothing was moved.") from None


def _batches(connection: Connection, table: Table) -> Iterator[Any]:
    rows = select(table).order_by(*table.primary_key)
    yield from connection.execute(rows, execution_options={"yield_per": BATCH}).mappings().partitions()


def _fill_in(read: Connection, write: Connection, table: Table, column: Column[Any]) -> None:
    (key,) = table.primary_key
    filled = update(table).where(key == bindparam("row")).values({column: bindparam("value")})
    rows = select(key.label("row"), column.label("value")).where(column.is_not(None)).order_by(key)
    for found in read.execute(rows, execution_options={"yield_per": BATCH}).mappings().partitions():
        write.execute(filled, [dict(row) for row in found])


def _go_on_numbering(write: Connection) -> None:
    """Set PostgreSQL's sequences past the copied ids; SQLite needs no such step."""
    if write.dialect.name != "postgresql":
        return
    quote = write.dialect.identifier_preparer.quote_identifier
    for table in db.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            last = write.scalar(select(func.max(column)))
            sequence = func.pg_get_serial_sequence(quote(table.name), column.name)
            write.execute(select(func.setval(sequence, last or 1, last is not None)))


# --- comparison -------------------------------------------------------------------------------------------------------


def _compare(read: Connection, write: Connection, exports: dict[str, str]) -> None:
    """Raise BackupProblem unless all rows and all exports are equal."""
    for table in db.metadata.sorted_tables:
        if _digest(read, table) != _digest(write, table):
            raise BackupProblem(f"The rows of {table.name} are not the same after moving. Nothing was moved.")
    if _exports() != exports:
        raise BackupProblem("The clubs' exports are not the same after moving. Nothing was moved.")


def _digest(connection: Connection, table: Table) -> str:
    digest = hashlib.sha256()
    for rows in _batches(connection, table):
        for row in rows:
            digest.update(f"{tuple(row.values())!r}\n".encode())
    return digest.hexdigest()


def _exports() -> dict[str, str]:
    """Return the checksum of each club's export by club key, in the current application context's database."""
    found = {}
    for club in db.session.scalars(select(Club).order_by(Club.id)):
        digest = hashlib.sha256()
        for line in write_club(club):
            digest.update(line.encode())
        found[club.key] = digest.hexdigest()
    return found
