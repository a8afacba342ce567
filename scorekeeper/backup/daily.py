"""One backup a day, by the server itself.

Every process that serves has a thread that looks once an hour if a backup is due. A lock on the folder lets one of
them make it: there may be several workers, and any of them may die. The copying is done by SQLite outside Python's
lock, or by pg_dump, so that no save waits for it.
"""

from __future__ import annotations

import time
from threading import Thread
from typing import TYPE_CHECKING

from scorekeeper.database_errors import sentence_of

from .make import back_up_daily
from .problems import BackupProblem, Locked

if TYPE_CHECKING:
    from flask import Flask

SECONDS = 3600


def start(app: Flask) -> None:
    """Begin to look; call it in the process that serves, after it was forked."""
    Thread(target=_watch, args=(app,), name="daily-backup", daemon=True).start()


def _watch(app: Flask) -> None:
    while True:
        look(app)
        time.sleep(SECONDS)


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
