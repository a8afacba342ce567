"""Queries that run with every tap: compiled once, and asked of the driver itself.

In a session, with its transaction, the same takes the processor three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Dialect, Result, Select
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError

from .session import db

if TYPE_CHECKING:
    Query = Select[*tuple[Any, ...]]
    Rows = Result[*tuple[Any, ...]]


class Reading:
    """A query, put together and compiled once."""

    def __init__(self, query: Query) -> None:
        self._compiled = lru_cache(maxsize=2)(partial(_compile, query))

    def ask(self, **asked: object) -> Rows:
        """What it finds: in the session's transaction where one has begun; else by itself, as it is at this moment."""
        dialect = db.engine.dialect
        driver_error = dialect.loaded_dbapi.Error
        try:
            with _connection() as connection:
                return self._compiled(dialect, *asked)(connection.cursor(), asked)
        except driver_error as error:
            raise DBAPIError.instance(None, None, error, driver_error, dialect=dialect) from error


@contextmanager
def _connection() -> Iterator[Any]:
    if db.session.registry.has() and db.session().in_transaction():
        yield db.session().connection().connection
        return
    connection = db.engine.raw_connection()
    try:
        yield connection
        connection.commit()  # see session.end_reading
    except BaseException:
        connection.invalidate()
        raise
    finally:
        connection.close()


def _compile(query: Query, dialect: Dialect, *names: str) -> Callable[..., Rows]:
    """How a query is asked of one kind of database, with values of these names."""
    state = query.compile(dialect=dialect).construct_expanded_state(dict.fromkeys(names))
    columns = query.selected_columns
    row_names = SimpleResultMetaData(columns.keys())
    to_python = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]

    def fetch(cursor: Any, asked: dict[str, object]) -> Rows:
        values = {**state.parameters, **asked}
        values |= {name: process(values[name]) for name, process in state.processors.items()}
        in_order = [values[name] for name in state.positiontup] if state.positiontup else values
        dialect.do_execute(cursor, state.statement, in_order)
        found = [
            tuple([process(value) if process else value for process, value in zip(to_python, row, strict=True)])
            for row in cursor.fetchall()
        ]
        return IteratorResult(row_names, iter(found))

    return fetch
