"""`scorekeeper backup` and `scorekeeper restore`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .make import back_up_to_file, back_up_to_folder, backup_folder
from .restore import restore

if TYPE_CHECKING:
    from flask import Flask


def backup_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scorekeeper backup", description="Make a backup while people score.")
    where = "a new file, or a folder for backups with dated names (default: the folder in BACKUP_FOLDER)"
    parser.add_argument("place", nargs="?", type=Path, metavar="FILE or FOLDER", help=where)
    return parser


def backup(chosen: argparse.Namespace) -> int:
    """Make a backup and say where it is; the exit status. Needs the application's context."""
    place: Path = chosen.place or backup_folder()
    made = back_up_to_folder(place) if place.is_dir() else back_up_to_file(place)
    sys.stdout.write(f"Backup made: {made}\n")
    return 0


def restore_parser() -> argparse.ArgumentParser:
    about = "Put a backup in the place of the database. The backup is checked first, and the database is kept."
    parser = argparse.ArgumentParser(prog="scorekeeper restore", description=about)
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    return parser


def restore_file(app: Flask, chosen: argparse.Namespace) -> int:
    """Restore a backup and say what is in it; the exit status."""
    found, kept = restore(app, chosen.file)
    sys.stdout.write(f"Restored {chosen.file}: {found}.\n")
    if kept:
        sys.stdout.write(f"What was there before is kept: {kept}\n")
    return 0
