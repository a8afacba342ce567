"""What was deleted long ago is removed for good, by the server itself.

Every process that serves looks once an hour (see serve.py). The first to find something removes it, a bounded
number of things in a transaction, so that no save waits for long; the others find nothing left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.services.clubs import remove_deleted
from scorekeeper.services.deleted_items import remove_for_good
from scorekeeper.services.drafts import forget_notes

if TYPE_CHECKING:
    from flask import Flask

MOST_TURNS = 50  # transactions in one look; the rest waits for the next one


def look(app: Flask) -> None:
    """Remove what may go."""
    forget_notes()
    removed = 0
    for _ in range(MOST_TURNS):
        some = remove_for_good() + remove_deleted()
        removed += some
        if not some:
            break
    if removed:
        app.logger.info("removed for good: %s", removed)
