"""The pages: one module an area, registered here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    assets,
    board,
    clubs,
    errors,
    figures,
    games,
    hands,
    history,
    paper,
    phone,
    pieces,
    players,
    rulebook,
    season_pages,
    seasons,
    security,
    story,
    transfers,
    words,
)

if TYPE_CHECKING:
    from flask import Flask

AREAS = (clubs, games, hands, history, phone, board, players, rulebook, season_pages, seasons, story, transfers, paper)


def register(app: Flask) -> None:
    """Give `app` its pages, with what guards every one of them."""
    security.init_app(app)
    errors.init_app(app)
    assets.init_app(app)
    app.jinja_env.filters.update(words.FILTERS)
    app.jinja_env.filters.update(figures.FILTERS)
    pieces.init_app(app)
    for area in AREAS:
        app.register_blueprint(area.bp)
