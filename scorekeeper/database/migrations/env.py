"""Runs the migrations, all of them in one transaction. Called by `scorekeeper migrate`."""

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

LOCK = 7_365_746_261  # any number, always the same


@contextmanager
def writing() -> Iterator[Connection]:
    """A connection to migrate on. SQLite's foreign keys are off meanwhile.

    Changing a table there means dropping and making it again, and the drop
    would take along every row that refers to it.
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
    """Two servers may be started at once; SQLite's own lock is taken when the transaction begins."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def check_references(connection: Connection) -> None:
    if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise RuntimeError("a migration left a row that refers to nothing")


def check_schema(connection: Connection) -> None:
    """Raise DatabaseRefused where the tables are not those of the models: the migrations began from other tables."""
    differences = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), db.metadata)
    if differences:
        raise DatabaseRefused(Trouble.DIFFERS)


with writing() as connection:
    context.configure(
        connection=connection,
        target_metadata=db.metadata,
        transactional_ddl=True,  # ours begins its transactions itself
        render_as_batch=connection.dialect.name == "sqlite",
        compare_server_default=True,
    )
    with context.begin_transaction():
        one_at_a_time(connection)
        before = context.get_context().get_current_heads()
        try:
            context.run_migrations()
        except (OperationalError, ProgrammingError) as error:  # no such table, no such column
            if trouble_of(error) is not None:
                raise
            raise DatabaseRefused(Trouble.DIFFERS) from error
        check_references(connection)
        after = context.get_context().get_current_heads()
        if after != before and set(after) == set(context.get_head_revisions()):
            check_schema(connection)
