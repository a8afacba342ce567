"""Pieces of a page that are kept once they are drawn.

With a tap, most of a hand's form stays as it was; with a hand, all the others on the score sheet.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

TEMPLATE = "macros/pieces.html"
MOST_KEPT = 2048  # of each kind; a piece is a few hundred letters


def init_app(app: Flask) -> None:
    """Let every template call the macros of `TEMPLATE`; their arguments are all that they may depend on."""
    pieces = app.jinja_env.get_template(TEMPLATE).module
    for name in pieces.__dict__:
        macro = getattr(pieces, name)
        if callable(macro) and name.startswith(("pick_", "point", "hand_row")):
            app.jinja_env.globals[name] = macro if app.debug else lru_cache(MOST_KEPT)(macro)
