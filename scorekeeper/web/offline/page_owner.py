"""Tells the service worker whose page it has: what a phone keeps of a club belongs to the role it was shown to."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from flask import current_app, g, request

if TYPE_CHECKING:
    from flask import Flask, Response

    from scorekeeper.web.common.access import Access

HEADER = "X-Kept-For"
NOBODY = "-"  # a page of ours that belongs to no club: also the answer to who may not see the club, or not any more


def init_app(app: Flask) -> None:
    """Mark every page, so that the worker neither keeps a hotel's login page nor another role's."""
    app.after_request(_mark)


def _mark(response: Response) -> Response:
    if response.mimetype in ("text/html", "application/json") and request.method in ("GET", "POST"):
        response.headers[HEADER] = owner()
    return response


def owner() -> str:
    """A word that is the same for the pages of one club seen through the same links, and tells neither.

    It asks the database nothing: the page may be the one that says that the database is gone.
    """
    access: Access | None = g.get("access")
    # Where there is none left, all of them were revoked.
    links = sorted(f"{link.uid} {link.role} {link.game}" for link in access.open) if access else []
    if access is None or not links:
        return NOBODY
    seen = " ".join([access.key, *links])
    return hmac.new(current_app.config["SECRET_KEY"].encode(), seen.encode(), "sha256").hexdigest()[:16]
