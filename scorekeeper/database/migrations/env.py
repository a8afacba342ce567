"""Run all pending migrations in one transaction. Called by `scorekeeper migrate`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import context
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from scorekeeper.database.errors import DatabaseRefused, Trouble, trouble_of
from scorekeeper.database.session import db, write_options

LOCK = 7_365_746_261  # id of the advisory lock: arbitrary, but constant


@contextmanager
def writing() -> Iterator[Connection]:
    """Yield a connection to migrate on, with SQLite's foreign keys disabled.

    On SQLite, altering a table drops and recreates it, and the drop would delete all rows that refer to it.
    """
    with db.engine.connect() as connection:
        connection = connection.execution_options(**write_options(connection.dialect.name))
        raw = connection.connection.dbapi_connection
        if connection.dialect.name != "sqlite":
            yield connection
            return
        raw.execute("PRAGMA foreign_keys = OFF")
        try:
            yield connection
        finally:
            raw.rollback()
            raw.execute("PRAGMA foreign_keys = ON")


def one_at_a_time(connection: Connection) -> None:
    """Serialize migrations of servers started at once; on SQLite the transaction's own lock does."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def check_references(connection: Connection) -> None:
    if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise RuntimeError("a migration left a row that refers to nothing")


def check_schema(connection: Connection) -> None:
    """Raise DatabaseRefused if the tables differ from the models: the migrations started from other tables."""
    differences = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), db.metadata)
    if differences:
        raise DatabaseRefused(Trouble.DIFFERS)


with writing() as connection:
    context.configure(
        connection=connection,
        target_metadata=db.metadata,
        transactional_ddl=True,  # `_begin_sqlite` begins transactions on SQLite
        render_as_batch=connection.dialect.name == "sqlite",
        compare_server_default=True,
    )
    with context.begin_transaction():
        one_at_a_time(connection)
        before = context.get_context().get_current_heads()
        try:
            context.run_migrations()
        except (OperationalError, ProgrammingError) as error:  # no such table or column
            if trouble_of(error) is not None:
                raise
            raise DatabaseRefused(Trouble.DIFFERS) from error
        check_references(connection)
        after = context.get_context().get_current_heads()
        if after != before and set(after) == set(context.get_head_revisions()):
            check_schema(connection)
