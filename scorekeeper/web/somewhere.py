"""Whether there is a page at an address: areas may be there or not."""

from __future__ import annotations

from functools import cache

from flask import Flask, current_app
from werkzeug.exceptions import HTTPException


def leads_somewhere(path: str) -> bool:
    """Whether somebody answers to an address of a club of this application."""
    _, _, _, *rest = path.split("/")
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return _answers(app, "/".join(rest))


@cache
def _answers(app: Flask, rest: str) -> bool:
    try:
        app.url_map.bind("").match(f"/c/key/{rest}", method="GET")
    except HTTPException:
        return False
    return True
