"""Precompiled queries for requests made with every tap, executed on the driver's connection directly.

The same query through a session and its transaction takes three times the CPU time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Dialect, Result, Select
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData

from .session import db, driver_errors, is_reading

if TYPE_CHECKING:
    Query = Select[*tuple[Any, ...]]
    Rows = Result[*tuple[Any, ...]]


class Reading:
    """A query that is compiled once per dialect and set of parameters."""

    def __init__(self, query: Query) -> None:
        self._compiled = lru_cache(maxsize=2)(partial(_compile, query))

    def ask(self, **asked: object) -> Rows:
        """Run the query: in the session's transaction if one has begun, otherwise on a separate connection."""
        dialect = db.engine.dialect
        with driver_errors(dialect), _connection() as connection:
            return self._compiled(dialect, *asked)(connection.cursor(), asked)


@contextmanager
def _connection() -> Iterator[Any]:
    if is_reading():
        yield db.session().connection().connection
        return
    connection = db.engine.raw_connection()
    driver: Any = connection.driver_connection
    has_transactions = db.engine.dialect.name != "sqlite"  # whose driver begins none: see session._open_sqlite
    try:
        if has_transactions:  # for one query, BEGIN and COMMIT would be two more round trips
            driver.autocommit = True
        yield connection
        if has_transactions:
            driver.autocommit = False
    except BaseException:
        connection.invalidate()
        raise
    finally:
        connection.close()


def _compile(query: Query, dialect: Dialect, *names: str) -> Callable[..., Rows]:
    """Return a function that runs `query` on a cursor of `dialect`, with parameters called `names`."""
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
