"""Copies of a PostgreSQL database, made with pg_dump and pg_restore."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path

from flask import Flask
from sqlalchemy import URL, Connection, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.database.session import db, now

from .check import Contents, app_on, bring_up_to_date, is_damaged, is_foreign
from .files import RUNNING, BackupProblem
from .sqlite import OURS

SUFFIX = ".dump"
HEADER = b"PGDMP"
CLOSING_SECONDS = 1  # seconds to wait for the connections of a server that was just stopped
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = :name AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


class ProgramFailed(BackupProblem):
    """A PostgreSQL program failed for `reason`."""

    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"{program} failed: {reason}. See whether the disk is full, then try again.")
        self.reason = reason


class PostgresDatabase:
    """The current PostgreSQL database. Needs an application context."""

    suffix = SUFFIX

    def __init__(self, url: URL) -> None:
        self.url = url

    def copy_to(self, target: Path) -> None:
        """Dump a snapshot of the database, while others read and write."""
        with db.engine.connect() as connection:
            require("pg_dump", connection)
        form = ("--format=custom", "--no-owner", "--no-privileges")
        run("pg_dump", *form, f"--file={target}", url=self.url)
        contents(target)

    def same(self, one: Path, other: Path) -> bool:
        """True if two dumps have equal contents; their bytes differ by their creation times."""
        first = _digest(one)
        return first is not None and first == _digest(other)

    def size(self) -> int:
        """Return an approximate upper bound of the dump's size in bytes."""
        with db.engine.connect() as connection:
            return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def is_in_use(connection: Connection, database: str) -> bool:
    """True if others are connected to a database of the same server; waits briefly for closing connections."""
    end = time.monotonic() + CLOSING_SECONDS
    while True:
        # Otherwise a transaction that has read the statistics before would get the same values again.
        connection.execute(text("SELECT pg_stat_clear_snapshot()"))
        if not connection.scalar(text(OTHERS), {"name": database}):
            return False
        if time.monotonic() > end:
            return True
        time.sleep(CLOSING_SECONDS / 50)


def require(program: str, connection: Connection) -> None:
    """Raise BackupProblem unless `program` is installed and at least as new as the server's major version."""
    server = int(connection.scalar(text("SHOW server_version_num")) or 0) // 10_000
    install = f"Install the client programs of PostgreSQL {server} or newer"
    if shutil.which(program) is None:
        raise BackupProblem(f"{program} is missing. {install}.")
    version = re.search(r"(\d+)", run(program, "--version").partition(b")")[2].decode())
    if version is None or int(version[1]) < server:
        had = version[1] if version else "unknown"
        raise BackupProblem(f"{program} is version {had}, too old for PostgreSQL {server}. {install}.")


def run(program: str, *arguments: str, url: URL | None = None) -> bytes:
    """Run a PostgreSQL program and return its output; `url` is the database to use."""
    path = shutil.which(program)
    if path is None:
        raise BackupProblem(f"{program} is missing. Install the client programs of PostgreSQL.")
    command, environment = [path, *arguments], dict(os.environ)
    if url is not None:  # the password must not appear in the list of processes
        address = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
        command[1:1] = "--no-password", f"--dbname={address.render_as_string()}"
        environment |= {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)  # noqa: S603
    if done.returncode:
        errors = [line for line in done.stderr.decode(errors="replace").splitlines() if "error:" in line]
        reason = errors[0].partition("error:")[2].strip().rstrip(".") if errors else "it gave no reason"
        raise ProgramFailed(program, reason)
    return done.stdout


def contents(dump: Path) -> bytes:
    """Return the table of contents of a dump; raises BackupProblem if it is unreadable."""
    return run("pg_restore", "--list", str(dump))


def _digest(dump: Path) -> bytes | None:
    """Return a digest of a dump's contents without comments and psql commands; None if unreadable."""
    path = shutil.which("pg_restore") or "pg_restore"
    command = [path, "--file=-", str(dump)]
    digest = hashlib.sha256()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as reading:  # noqa: S603
        for line in reading.stdout or ():
            if not line.startswith((b"--", b"\\")):
                digest.update(line)
    return None if reading.returncode else digest.digest()


# --- restore postgres ------------------------------------------------------------------------------------------------


LOCK = 7_365_746_262  # id of the advisory lock: arbitrary, but constant
LIKE = "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = :name"
LOCK_TIMEOUT = "3s"  # to wait for another restore: the server may need a moment to notice that one was killed
BUSY = "Another backup is being restored. Wait until that has finished, then try again."
NOT_ALLOWED, IN_USE, NO_LOCK = "42501", "55006", "55P03"


def restore(app: Flask, url: URL, file: Path) -> tuple[Contents, str | None]:
    """Like `command.restore`, for the database at `url`."""
    name = str(url.database)
    with _maintenance_connection(url) as connection:
        require("pg_restore", connection)
        try:
            tables = set(re.findall(r" TABLE \S+ (\S+) ", contents(file).decode(errors="replace")))
        except ProgramFailed as failed:
            raise is_damaged(file, failed.reason) from None
        if not tables >= OURS:
            raise is_foreign(file)
        if is_in_use(connection, name):
            raise BackupProblem(RUNNING)
        new = url.set(database=f"{name[:40]}_restoring")
        _drop(connection, str(new.database))
        found = connection.execute(text(LIKE), {"name": name}).first()
        options = "" if found is None else " ENCODING '{}' LC_COLLATE '{}' LC_CTYPE '{}'".format(*found)
        quoted = _quoted(connection, str(new.database))
        connection.execute(text(f"CREATE DATABASE {quoted} TEMPLATE template0{options}"))
        try:
            try:
                run("pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", str(file), url=new)
            except ProgramFailed as failed:
                raise is_damaged(file, failed.reason) from None
            made = bring_up_to_date(app_on(app, new), file)
            return made, _put_in_place(connection, str(new.database), name)
        finally:
            _drop(connection, str(new.database))


@contextmanager
def _maintenance_connection(url: URL) -> Iterator[Connection]:
    """Yield a connection to another database of the same server, locked for one restore at a time."""
    other = "postgres" if url.database != "postgres" else "template1"
    engine = create_engine(url.set(database=other), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection, _explained(url):
        connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
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
            raise BackupProblem(f"To restore, the database user must be allowed to make databases. {allow}") from None
        raise


def _put_in_place(connection: Connection, new: str, name: str) -> str | None:
    """Rename `new` to `name` and the old database to a dated name, atomically; return that name."""
    before = f"{name[:36]}_before_{now():%Y%m%d_%H%M%S}"
    names = chain([before], (f"{before}_{number}" for number in count(2)))
    kept = next(free for free in names if not _exists(connection, free))
    there = _exists(connection, name)
    new, name, old = (_quoted(connection, one) for one in (new, name, kept))
    renamed = [f"ALTER DATABASE {name} RENAME TO {old}"] if there else []
    try:
        for command in ("BEGIN", *renamed, f"ALTER DATABASE {new} RENAME TO {name}", "COMMIT"):
            connection.execute(text(command))
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
