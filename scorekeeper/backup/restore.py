"""A backup put in the place of the database, once it is known to be good. What was there is kept."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from scorekeeper.backup import postgres, sqlite
from scorekeeper.backup.files import BackupProblem
from scorekeeper.database.session import db

from .check import Contents, is_foreign

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def restore(app: Flask, file: Path) -> tuple[Contents, str | None]:
    """Put the backup `file` in the place of the database of `app`; what is in it, and where the old one is kept.

    An older backup is migrated. Whatever goes wrong, or kills the process, the database is either the old one or the
    restored one. Raises `BackupProblem` with nothing changed.
    """
    kind = _kind_of(file)
    with app.app_context():
        url = db.engine.url
        db.engine.dispose()
    if kind != url.get_backend_name():
        kinds = f"The database is {NAMES[url.get_backend_name()]}, and {file} is a backup of {NAMES[kind]}"
        raise BackupProblem(f"{kinds}. Restore it into a database of its kind, then run `scorekeeper move`.")
    if kind == "sqlite":
        return sqlite.restore(app, Path(str(url.database)), file)
    return postgres.restore(app, url, file)


def _kind_of(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise BackupProblem(f"Can't read {file}: {error.strerror}.") from None
    if head == sqlite.HEADER:
        return "sqlite"
    if head.startswith(postgres.HEADER):
        return "postgresql"
    raise is_foreign(file)
