"""A club's file brought into a club: all of it or, where a line is wrong, nothing.

The file is read, checked, scored and counted while others write. What comes of it is written a slice at a time into a
club of its own that nobody sees (see staging); then one short transaction makes it part of the club, or a club.
"""

from __future__ import annotations

from typing import BinaryIO

from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.transfer import staging
from scorekeeper.transfer.preview import Progress, Report
from scorekeeper.transfer.reader import ClubFile
from scorekeeper.transfer.writer import ClubChanged, Writer

TRIES = 3  # to import into a club in which people meanwhile change what was matched
CHANGED = "The club was changed while the file was read. Nothing was imported. Import the file again."


def import_into_club(club: Club, file: BinaryIO, progress: Progress | None = None) -> Report:
    """Import a file into a club, all of it or nothing; an empty club takes the file's name. Raises LineRefused.

    Where the club is changed meanwhile in a way that matters, the file is read again, if it can be; else, and where
    that happens again and again, Refused is raised.
    """
    staging.tidy()
    for _ in range(TRIES if file.seekable() else 1):
        if file.seekable():
            file.seek(0)
        try:
            return Writer(club, ClubFile(file), progress).write()
        except ClubChanged:
            db.session.rollback()
    raise Refused([Problem("changed", "", CHANGED)])


def import_as_new_club(name: str | None, file: BinaryIO, progress: Progress | None = None) -> tuple[Club, Report]:
    """A new club made of a file, all of it or nothing; it has the file's name unless it is given another."""
    staging.tidy()
    writer = Writer(None, ClubFile(file), progress, name)
    report = writer.write()
    return db.session.get_one(Club, writer.staged), report
