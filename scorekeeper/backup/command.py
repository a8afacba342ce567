"""`scorekeeper backup`, `scorekeeper restore` and `scorekeeper move`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from scorekeeper import create_app

from .make import back_up_to_file, back_up_to_folder, backup_folder
from .move import move
from .restore import restore


def _parser(command: str, about: str, *names: str, **options: Any) -> argparse.ArgumentParser:
    """The parser of a command with one argument."""
    parser = argparse.ArgumentParser(prog=f"scorekeeper {command}", description=about)
    parser.add_argument(*names, **options)
    return parser


def backup(arguments: list[str]) -> int:
    """Make a backup and say where it is; the exit status."""
    where = "a new file, or a folder for backups with dated names (default: the folder in BACKUP_FOLDER)"
    options: dict[str, Any] = {"nargs": "?", "type": Path, "metavar": "FILE or FOLDER", "help": where}
    chosen = _parser("backup", "Make a backup while people score.", "place", **options).parse_args(arguments)
    with create_app().app_context():
        place: Path = chosen.place or backup_folder()
        made = back_up_to_folder(place) if place.is_dir() else back_up_to_file(place)
    sys.stdout.write(f"Backup made: {made}\n")
    return 0


def restore_file(arguments: list[str]) -> int:
    """Restore a backup and say what is in it; the exit status."""
    about = "Put a backup in the place of the database. The backup is checked first, and the database is kept."
    parser = _parser("restore", about, "file", type=Path, metavar="FILE", help="the backup")
    file = parser.parse_args(arguments).file
    found, kept = restore(create_app(), file)
    sys.stdout.write(f"Restored {file}: {found}.\n")
    if kept:
        sys.stdout.write(f"What was there before is kept: {kept}\n")
    return 0


def move_all(arguments: list[str]) -> int:
    """Move everything and say how to switch; the exit status."""
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
