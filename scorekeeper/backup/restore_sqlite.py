"""A backup of SQLite restored: made ready in a file beside the database, which takes its place in one step."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy import URL

from scorekeeper.database.session import now

from .check import app_on, bring_up_to_date, is_damaged, is_foreign
from .files import delete_unfinished, free_path, publish, stamp, to_disk, unfinished
from .in_use import RUNNING, not_served
from .problems import BackupProblem
from .sqlite import damage, is_ours, make_one_file, open_existing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from .check import Contents

BESIDE = ("-wal", "-journal")  # of a database: what was not yet written into its file
IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def restore(app: Flask, path: Path, file: Path) -> tuple[Contents, str | None]:
    """As `restore.restore`, for the database at `path`."""
    if path.exists() and path.samefile(file):
        raise BackupProblem(f"{file} is the database in use. Choose a backup.")
    with not_served(path):
        delete_unfinished(path.parent, path.name)
        new = unfinished(path.parent, path.name)
        try:
            with _alone(path):
                found = _make_ready(app, file, new)
            return found, _put_in_place(new, path)
        finally:
            delete_unfinished(path.parent, path.name)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep everybody else out of a database, with all of it in its one file; a damaged one is left as it is."""
    if not path.exists():
        yield
        return
    with closing(open_existing(path, seconds=1)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()  # only where nobody else has it open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in IN_USE:
                raise BackupProblem(RUNNING) from None
        yield


def _make_ready(app: Flask, file: Path, new: Path) -> Contents:
    """Have a good and up-to-date database at `new`, on the disk."""
    _copy(file, new)
    if why := damage(new):
        raise is_damaged(file, why)
    if not is_ours(new):
        raise is_foreign(file)
    found = bring_up_to_date(app_on(app, URL.create("sqlite", database=str(new))), file)
    make_one_file(new)
    to_disk(new)
    return found


def _copy(file: Path, new: Path) -> None:
    """Copy a backup, or a database that has a log beside it; the original is not even opened as a database."""
    shutil.copyfile(file, new)
    for name in BESIDE:
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{file}{name}", f"{new}{name}")
    with suppress(sqlite3.DatabaseError):  # `damage` says what is wrong
        make_one_file(new)


def _put_in_place(new: Path, path: Path) -> str | None:
    """Let `new` be the database at `path`; where the old one is kept. At every moment one of the two is at `path`."""
    _let_the_same_use_it(new, path if path.exists() else path.parent)
    kept = _keep(path) if path.exists() else None
    publish(new, path)
    return str(kept) if kept else None


def _let_the_same_use_it(new: Path, old: Path) -> None:
    """The server may run as another user than the administrator who restores; what it may do stays as it was."""
    if old.is_file():
        shutil.copymode(old, new)
    if sys.platform != "win32" and os.geteuid() == 0:
        os.chown(new, old.stat().st_uid, old.stat().st_gid)


def _keep(path: Path) -> Path:
    """Give a database a second, dated name. A log of a damaged one goes with it: it must not meet another database."""
    kept = free_path(path.with_name(f"{path.stem}-before-restore-{stamp(now())}{path.suffix}"))
    try:
        os.link(path, kept)
    except OSError:  # a file system without hard links
        shutil.copyfile(path, kept)
        to_disk(kept)
    for name in BESIDE:
        with suppress(FileNotFoundError):
            path.with_name(path.name + name).replace(kept.with_name(kept.name + name))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    to_disk(path.parent)
    return kept
