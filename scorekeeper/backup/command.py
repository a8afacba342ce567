"""`scorekeeper backup`, `scorekeeper restore` and `scorekeeper move`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper import create_app
from scorekeeper.database.session import db

from . import postgres, sqlite
from .check import Contents, is_foreign
from .files import BackupProblem
from .make import back_up_to_file, back_up_to_folder, backup_folder
from .move import move


def _parser(command: str, about: str, *names: str, **options: Any) -> argparse.ArgumentParser:
    """Create the parser of a command with one argument."""
    parser = argparse.ArgumentParser(prog=f"scorekeeper {command}", description=about)
    parser.add_argument(*names, **options)
    return parser


def backup(arguments: list[str]) -> int:
    """Make a backup and print its path; return the exit status."""
    where = "a new file, or a folder for backups with dated names (default: the folder in BACKUP_FOLDER)"
    options: dict[str, Any] = {"nargs": "?", "type": Path, "metavar": "FILE or FOLDER", "help": where}
    chosen = _parser("backup", "Make a backup while people score.", "place", **options).parse_args(arguments)
    with create_app().app_context():
        place: Path = chosen.place or backup_folder()
        made = back_up_to_folder(place) if place.is_dir() else back_up_to_file(place)
    sys.stdout.write(f"Backup made: {made}\n")
    return 0


def restore_file(arguments: list[str]) -> int:
    """Restore a backup and print its contents; return the exit status."""
    about = "Replace the database with a backup, which is checked first. The old database is kept."
    parser = _parser("restore", about, "file", type=Path, metavar="FILE", help="the backup")
    file = parser.parse_args(arguments).file
    found, kept = restore(create_app(), file)
    sys.stdout.write(f"Restored {file}: {found}.\n")
    if kept:
        sys.stdout.write(f"What was there before is kept: {kept}\n")
    return 0


def move_all(arguments: list[str]) -> int:
    """Move everything and print how to switch; return the exit status."""
    address = "the address of an empty database, as in DATABASE_URL"
    about = "Copy everything to another database, SQLite or PostgreSQL, and compare the two."
    parser = _parser("move", about, "--to", required=True, metavar="URL", help=address)
    moved = move(create_app(), parser.parse_args(arguments).to)
    sys.stdout.write(
        f"Moved {moved.found}. Every row is the same there, and so is every byte of each club's export.\n"
        f"To switch, set SCOREKEEPER_DATABASE_URL to {moved.address} and start the server.\n"
        "The database that you moved from is unchanged.\n"
    )
    return 0


# --- restore ----------------------------------------------------------------------------------------------------------


NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def restore(app: Flask, file: Path) -> tuple[Contents, str | None]:
    """Replace the database of `app` by the backup `file`; return its contents, and where the old database is kept.

    An older backup is migrated. Atomic: after any error or kill, the database is either the old one or the restored
    one. Raises `BackupProblem` with nothing changed.
    """
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise BackupProblem(f"Can't read {file}: {error.strerror}.") from None
    if head != sqlite.HEADER and not head.startswith(postgres.HEADER):
        raise is_foreign(file)
    kind = "sqlite" if head == sqlite.HEADER else "postgresql"
    with app.app_context():
        url = db.engine.url
        db.engine.dispose()
    if kind != url.get_backend_name():
        kinds = f"The database is {NAMES[url.get_backend_name()]}, and {file} is a backup of {NAMES[kind]}"
        raise BackupProblem(f"{kinds}. Restore it into a database of its kind, then run `scorekeeper move`.")
    if kind == "sqlite":
        return sqlite.restore(app, Path(str(url.database)), file)
    return postgres.restore(app, url, file)
