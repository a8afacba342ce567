"""The pages: a folder an area, each with its blueprints, registered here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.live import hub
from scorekeeper.services.links import still_open

from .clubs import access_views
from .clubs import views as clubs
from .common import access, after_response, assets, errors, numbers, page_cache, security, words
from .games import board, device, history, live, story
from .games import messages as game_sentences
from .games import views as games
from .hand_entry import views as hand_entry
from .https import views as https
from .offline import page_owner
from .offline import views as offline
from .operation import health, metrics, requests
from .players import views as players
from .rulebook import edit as edit_rules
from .rulebook import game_rules, own, shared
from .rulebook import messages as rule_messages
from .rulebook import views as rulebook
from .seasons import views as seasons
from .standings import views as standings
from .transfers import paper
from .transfers import views as transfers

if TYPE_CHECKING:
    from flask import Flask

AREAS = (
    clubs,
    access_views,
    games,
    hand_entry,
    history,
    device,
    board,
    live,
    players,
    rulebook,
    game_rules,
    own,
    edit_rules,
    shared,
    standings,
    seasons,
    story,
    transfers,
    paper,
    offline,
    health,
    metrics,
    https,
)


def register(app: Flask) -> None:
    """Give `app` its pages, with what guards every one of them."""
    hub.init_app(app)
    hub.hub_of(app).still_valid = still_open
    requests.init_app(app)
    security.init_app(app)
    access.init_app(app)
    after_response.init_app(app)
    errors.init_app(app)
    assets.init_app(app)
    page_owner.init_app(app)
    app.jinja_env.filters.update(words.FILTERS)
    app.jinja_env.filters.update(rule_messages.FILTERS)
    app.jinja_env.filters.update(game_sentences.FILTERS)
    app.jinja_env.filters.update(numbers.FILTERS)
    app.jinja_env.globals["game_now"] = live.game_now
    page_cache.init_app(app)
    of_a_game = board.asked, games.adjusting, games.editing, games.recorded, games.sharing
    for blueprint in (*[area.bp for area in AREAS], *of_a_game):
        app.register_blueprint(blueprint)
