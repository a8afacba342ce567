"""What a page says when the database or the disk is in the way: what is wrong, that nothing was lost, what to do."""

from __future__ import annotations

from flask import current_app
from sqlalchemy.exc import OperationalError

from scorekeeper.database.errors import Trouble, trouble_of

RETRY_AFTER = 5  # seconds

NOT_SAVED = {
    Trouble.FULL: "The disk is full. Nothing was lost. Free some space and save again.",
    Trouble.DISK: "The disk can't be written to. Nothing was lost. Check it, then save again.",
    Trouble.READ_ONLY: "The database file is read-only. Nothing was lost. Make it writable and save again.",
    Trouble.BUSY: "Another program keeps the database locked. Nothing was lost. Save again in a moment.",
    Trouble.MISSING: "The database file is gone. Put it back and save again.",
    Trouble.CLOSED: "The database file can't be opened. Make it readable and save again.",
    Trouble.AWAY: "The database doesn't answer. Nothing was lost. Save again in a moment.",
    Trouble.FOREIGN: "The database file is damaged. Restore a backup.",
}
NOT_READ = {
    Trouble.FULL: "The disk is full. Nothing was lost. Free some space and reload the page.",
    Trouble.MISSING: "The database file is gone. Put it back and reload the page.",
    Trouble.CLOSED: "The database file can't be opened. Make it readable and reload the page.",
    Trouble.FOREIGN: "The database file is damaged. Restore a backup.",
}
NOT_NOW = "The database doesn't answer. Nothing was lost. Reload the page in a moment."


def why_not_saved(error: Exception) -> str:
    """Why something could not be saved, in a sentence; an error that is none of the database is raised again."""
    trouble = _trouble(error)
    return NOT_SAVED.get(trouble, NOT_SAVED[Trouble.AWAY])


def why_not_read(error: Exception) -> str:
    """Why a page cannot be shown; raises like `why_not_saved`."""
    return NOT_READ.get(_trouble(error), NOT_NOW)


def _trouble(error: Exception) -> Trouble:
    trouble = trouble_of(error)
    if trouble is None and not isinstance(error, OperationalError):
        raise error
    current_app.logger.error("the database or the disk is in the way: %s", error)
    return trouble or Trouble.AWAY
