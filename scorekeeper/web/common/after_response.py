"""What a change has left for later: ratings (see stats.ratings). Done soon after its answer, or by who reads them next.

Where the process ends meanwhile, nothing is lost: what is left is noted in the database.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING

from flask import current_app, request
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.stats import ratings

if TYPE_CHECKING:
    from flask import Flask, Response

SECONDS = 1.0  # after the answer: the phone asks for its next page first, and a second correction may follow
READER_SECONDS = 1.0  # that whoever opens a page waits for other writers


def init_app(app: Flask) -> None:
    app.after_request(_begin)


def _begin(response: Response) -> Response:
    club_id = db.session.info.pop(ratings.LEFT, None) if request.method == "POST" else None
    if club_id is not None:
        later = Timer(SECONDS, rate, (current_app._get_current_object(), club_id))  # type: ignore[attr-defined]
        later.daemon = True
        later.start()
    return response


def rate(app: Flask, club_id: int) -> None:
    """Rate what was left of a club."""
    with app.app_context(), suppress(*TROUBLES, SQLAlchemyError):
        club = db.session.get(Club, club_id)
        if club is not None:
            ratings.catch_up(club)


def catch_up(club: Club) -> None:
    """Rate what was left, before somebody reads it. What goes wrong keeps nobody from reading; the next one tries.

    Nor does somebody who keeps the database locked: the page is shown with the ratings there are.
    """
    with suppress(*TROUBLES, SQLAlchemyError):
        ratings.catch_up(club, READER_SECONDS)
