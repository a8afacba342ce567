"""A dump of PostgreSQL restored: made ready in a database of its own, which then takes the other's name."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.database.session import now

from .check import app_on, bring_up_to_date, is_damaged, is_foreign
from .files import first_free
from .in_use import RUNNING
from .postgres import ProgramFailed, contents, is_in_use, require, run, server_version
from .problems import BackupProblem
from .sqlite import OURS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from sqlalchemy import URL, Connection

    from .check import Contents

LOCK = 7_365_746_262  # any number, always the same
LIKE = "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = :name"
PATIENCE = "3s"  # for another restore: the server may take a moment to see that one was killed
BUSY = "Another backup is being restored. Wait until that has finished, then try again."
NOT_ALLOWED, IN_USE, NO_LOCK = "42501", "55006", "55P03"


def restore(app: Flask, url: URL, file: Path) -> tuple[Contents, str | None]:
    """As `restore.restore`, for the database at `url`."""
    name = str(url.database)
    with _beside(url) as connection:
        require("pg_restore", server_version(connection))
        _check_list(file)
        if is_in_use(connection, name):
            raise BackupProblem(RUNNING)
        new = url.set(database=f"{name[:40]}_restoring")
        _make_empty(connection, str(new.database), name)
        try:
            found = _make_ready(app, new, file)
            return found, _put_in_place(connection, str(new.database), name)
        finally:
            _drop(connection, str(new.database))


@contextmanager
def _beside(url: URL) -> Iterator[Connection]:
    """A connection to another database of the same server, for one restore at a time."""
    other = "postgres" if url.database != "postgres" else "template1"
    engine = create_engine(url.set(database=other), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection, _explained(url):
        connection.execute(text(f"SET lock_timeout = '{PATIENCE}'"))
        connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.execute(text("SET lock_timeout = 0"))
        yield connection


@contextmanager
def _explained(url: URL) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        code = getattr(error.orig, "sqlstate", None)
        if code == NO_LOCK:
            raise BackupProblem(BUSY) from None
        if code == IN_USE:
            raise BackupProblem(RUNNING) from None
        if code == NOT_ALLOWED:
            allow = f"Run `ALTER ROLE {url.username or 'NAME'} CREATEDB` as its administrator, then try again."
            raise BackupProblem(f"To restore, the database user has to make databases, and may not. {allow}") from None
        raise


def _check_list(file: Path) -> None:
    """Raise a problem unless the dump can be read and has our tables."""
    try:
        tables = set(re.findall(r" TABLE \S+ (\S+) ", contents(file).decode(errors="replace")))
    except ProgramFailed as failed:
        raise is_damaged(file, failed.reason) from None
    if not tables >= OURS:
        raise is_foreign(file)


def _make_empty(connection: Connection, new: str, like: str) -> None:
    _drop(connection, new)
    found = connection.execute(text(LIKE), {"name": like}).first()
    options = "" if found is None else " ENCODING '{}' LC_COLLATE '{}' LC_CTYPE '{}'".format(*found)
    connection.execute(text(f"CREATE DATABASE {_quoted(connection, new)} TEMPLATE template0{options}"))


def _make_ready(app: Flask, new: URL, file: Path) -> Contents:
    """Have a good and up-to-date database at `new`."""
    try:
        run("pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", str(file), url=new)
    except ProgramFailed as failed:
        raise is_damaged(file, failed.reason) from None
    return bring_up_to_date(app_on(app, new), file)


def _put_in_place(connection: Connection, new: str, name: str) -> str | None:
    """Let `new` be the database `name`; what the old one is called now. Both are renamed, or neither."""
    before = f"{name[:36]}_before_{now():%Y%m%d_%H%M%S}"
    kept = first_free(before, lambda number: f"{before}_{number}", lambda other: _exists(connection, other))
    there = _exists(connection, name)
    commands = [f"ALTER DATABASE {_quoted(connection, new)} RENAME TO {_quoted(connection, name)}"]
    if there:
        commands.insert(0, f"ALTER DATABASE {_quoted(connection, name)} RENAME TO {_quoted(connection, kept)}")
    connection.execute(text("BEGIN"))
    try:
        for command in commands:
            connection.execute(text(command))
        connection.execute(text("COMMIT"))
    except BaseException:
        connection.execute(text("ROLLBACK"))
        raise
    return f"the database {kept}" if there else None


def _exists(connection: Connection, name: str) -> bool:
    return connection.execute(text(LIKE), {"name": name}).first() is not None


def _drop(connection: Connection, name: str) -> None:
    connection.execute(text(f"DROP DATABASE IF EXISTS {_quoted(connection, name)} WITH (FORCE)"))


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote_identifier(name)
