"""Copies of a PostgreSQL database, by its own pg_dump and pg_restore."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

from sqlalchemy import URL, text

from scorekeeper.database.session import db

from .problems import BackupProblem

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

SUFFIX = ".dump"
HEADER = b"PGDMP"
LEAVING = 1  # second in which the connections of a server that was just stopped come to their end
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = :name AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


class ProgramFailed(BackupProblem):
    """A program of PostgreSQL's has failed, with its `reason`."""

    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"{program} failed: {reason}. See whether the disk is full, then try again.")
        self.reason = reason


class PostgresDatabase:
    """The database in use, where it is PostgreSQL's. Needs the application's context."""

    suffix = SUFFIX

    def __init__(self, url: URL) -> None:
        self.url = url

    def copy_to(self, target: Path) -> None:
        """Dump the database as it is at one moment, while others read and write."""
        with db.engine.connect() as connection:
            require("pg_dump", server_version(connection))
        form = ("--format=custom", "--no-owner", "--no-privileges")
        run("pg_dump", *form, f"--file={target}", url=self.url)
        contents(target)

    def same(self, one: Path, other: Path) -> bool:
        """Whether two dumps hold the same; their bytes differ by the time at which they were made."""
        first = _digest(one)
        return first is not None and first == _digest(other)

    def size(self) -> int:
        """How many bytes a dump may have, at most about."""
        with db.engine.connect() as connection:
            return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def is_in_use(connection: Connection, database: str) -> bool:
    """Whether anybody else is connected to a database of the same server; who is about to leave is waited for."""
    end = time.monotonic() + LEAVING
    while _others(connection, database):
        if time.monotonic() > end:
            return True
        time.sleep(LEAVING / 50)
    return False


def _others(connection: Connection, database: str) -> int:
    """How many other connections there are at this moment, also to a transaction that has asked before."""
    connection.execute(text("SELECT pg_stat_clear_snapshot()"))
    return int(connection.scalar(text(OTHERS), {"name": database}) or 0)


def server_version(connection: Connection) -> int:
    """The major version of the server."""
    return int(connection.scalar(text("SHOW server_version_num")) or 0) // 10_000


def require(program: str, server: int) -> None:
    """Raise a problem unless `program` is there and no older than the server, whose major version is given."""
    install = f"Install the client programs of PostgreSQL {server} or newer"
    if shutil.which(program) is None:
        raise BackupProblem(f"{program} is missing. {install}.")
    version = re.search(r"(\d+)", run(program, "--version").partition(b")")[2].decode())
    if version is None or int(version[1]) < server:
        had = version[1] if version else "unknown"
        raise BackupProblem(f"{program} is version {had}, too old for PostgreSQL {server}. {install}.")


def run(program: str, *arguments: str, url: URL | None = None) -> bytes:
    """What one of PostgreSQL's programs prints; `url` is the database that it works on."""
    path = shutil.which(program)
    if path is None:
        raise BackupProblem(f"{program} is missing. Install the client programs of PostgreSQL.")
    options, environment = ((), os.environ) if url is None else _connection(url)
    command = [path, *options, *arguments]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)  # noqa: S603
    if done.returncode:
        raise ProgramFailed(program, _reason(done.stderr))
    return done.stdout


def _connection(url: URL) -> tuple[tuple[str, ...], dict[str, str]]:
    """The database for a program of PostgreSQL's; the password is in nobody's list of processes."""
    address = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
    environment = os.environ | ({"PGPASSWORD": str(url.password)} if url.password else {})
    return ("--no-password", f"--dbname={address.render_as_string()}"), environment


def _reason(printed: bytes) -> str:
    lines = [line for line in printed.decode(errors="replace").splitlines() if "error:" in line]
    return lines[0].partition("error:")[2].strip().rstrip(".") if lines else "it gave no reason"


def contents(dump: Path) -> bytes:
    """The list of what is in a dump; a problem if it cannot be read."""
    return run("pg_restore", "--list", str(dump))


def _digest(dump: Path) -> bytes | None:
    """The same number for all dumps of the same content, without comments and psql's commands; None if unreadable."""
    path = shutil.which("pg_restore") or "pg_restore"
    command = [path, "--file=-", str(dump)]
    digest = hashlib.sha256()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as reading:  # noqa: S603
        for line in reading.stdout or ():
            if not line.startswith((b"--", b"\\")):
                digest.update(line)
    return None if reading.returncode else digest.digest()
