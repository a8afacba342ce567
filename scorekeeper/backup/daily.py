"""One backup a day, by the server itself.

Every process that serves looks once an hour (see serve.py) if a backup is due. A lock on the folder lets one of
them make it: there may be several workers, and any of them may die. The copying is done by SQLite outside Python's
lock, or by pg_dump, so that no save waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.database.errors import sentence_of

from .make import back_up_daily
from .problems import BackupProblem, Locked

if TYPE_CHECKING:
    from flask import Flask


def look(app: Flask) -> None:
    """Make a backup if one is due. Nothing that goes wrong stops the server: it is logged."""
    try:
        with app.app_context():
            made = back_up_daily()
            if made:
                app.logger.info("backup made: %s", made)
    except Locked:
        pass  # another worker is at it
    except Exception as error:
        sentence = str(error) if isinstance(error, BackupProblem) else sentence_of(error)
        app.logger.warning("no daily backup: %s", sentence, exc_info=None if sentence else error)
