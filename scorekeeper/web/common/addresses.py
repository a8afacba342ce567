"""Addresses in templates: put together once, for a page has dozens of them and they are the same each time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import request, url_for

if TYPE_CHECKING:
    from flask import Flask

MOST_KEPT = 4096  # a game's pages have some thirty


def init_app(app: Flask) -> None:
    """Let templates call it by the name of Flask's own."""

    @lru_cache(MOST_KEPT)
    def kept(_root: str, endpoint: str, **values: Any) -> str:
        return url_for(endpoint, **values)

    def address_of(endpoint: str, **values: Any) -> str:
        if endpoint[0] == "." or any(name[0] == "_" for name in values):
            return url_for(endpoint, **values)  # it follows from the page that is asked for, or from the host
        return kept(request.script_root, endpoint, **values)

    app.jinja_env.globals["url_for"] = address_of
