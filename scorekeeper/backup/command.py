"""`scorekeeper backup`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .make import back_up_to_file, back_up_to_folder, backup_folder


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
