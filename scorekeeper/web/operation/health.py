"""Whether the process is alive (/healthz) and whether it can work (/readyz): for Docker, systemd and load balancers.

Neither needs a club, sets a cookie or is ever throttled.
"""

from __future__ import annotations

from flask import Blueprint, Response

from scorekeeper.database.errors import TROUBLES, Trouble, trouble_of
from scorekeeper.database.session import check_is_current

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def alive() -> Response:
    """The process answers; the database is not asked."""
    return _plain("ok")


@bp.get("/readyz")
def ready() -> Response:
    """The database answers and its tables are those of this program; else 503 with the reason."""
    try:
        check_is_current()
    except TROUBLES as error:
        return _plain((trouble_of(error) or Trouble.AWAY).value, 503)
    return _plain("ok")


def _plain(text: str, status: int = 200) -> Response:
    return Response(f"{text}\n", status, {"Cache-Control": "no-store"}, mimetype="text/plain")
