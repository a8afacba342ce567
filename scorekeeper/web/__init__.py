"""The pages: one module an area, registered here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import assets, board, clubs, errors, games, hands, history, phone, pieces, rulebook, security, words

if TYPE_CHECKING:
    from flask import Flask

AREAS = (clubs, games, hands, history, phone, board, rulebook)


def register(app: Flask) -> None:
    """Give `app` its pages, with what guards every one of them."""
    security.init_app(app)
    errors.init_app(app)
    assets.init_app(app)
    app.jinja_env.filters.update(words.FILTERS)
    pieces.init_app(app)
    for area in AREAS:
        app.register_blueprint(area.bp)
