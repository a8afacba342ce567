"""Tells the service worker whose page it has: what a phone keeps of a club belongs to the role it was shown to."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

from flask import current_app, g, request

if TYPE_CHECKING:
    from flask import Flask, Response

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
    """A word that is the same for the pages of one club seen through the same links, and tells neither."""
    club: Any = g.get("club")
    links = None if club is None else _links()
    if links is None:
        return NOBODY
    seen = " ".join([club.key, *links])
    return hmac.new(current_app.config["SECRET_KEY"].encode(), seen.encode(), "sha256").hexdigest()[:16]


def _links() -> list[str] | None:
    """What this browser may do in the club, link by link; None where all of them were revoked."""
    access: Any = g.get("access")
    if access is None:
        return []
    return sorted(f"{link.uid} {link.role} {link.game}" for link in access.open) or None
