"""Web layer: one folder per feature with its blueprints, registered here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask.templating import Environment

from scorekeeper.live import hub
from scorekeeper.services.links import still_open

from .clubs import link_views
from .clubs import views as clubs
from .common import assets, errors, narrator, numbers, page_cache, scope, security, words
from .games import board, device, history, live, story
from .games import messages as game_sentences
from .games import views as games
from .hand_entry import views as hand_entry
from .https import views as https
from .offline import views as offline
from .operation import views as operation
from .players import views as players
from .rulebook import messages as rule_messages
from .rulebook import own
from .rulebook import views as rulebook
from .seasons import views as seasons
from .standings import views as standings
from .transfers import paper
from .transfers import views as transfers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

AREAS = (
    clubs,
    link_views,
    games,
    hand_entry,
    history,
    device,
    board,
    live,
    players,
    rulebook,
    own,
    standings,
    seasons,
    story,
    transfers,
    paper,
    offline,
    https,
    operation,
)


class Templates(Environment):
    """Templates with their globals in one dict: each import in a template compares these, slowly in a ChainMap."""

    def make_globals(self, d: Mapping[str, Any] | None) -> dict[str, Any]:
        return {**self.globals, **(d or {})}


def register(app: Flask) -> None:
    """Register the blueprints, error handlers, template filters and request hooks on `app`."""
    app.jinja_environment = Templates
    hub.init_app(app)
    hub.hub_of(app).still_valid = still_open
    for part in (operation, security, scope, errors, assets):
        part.init_app(app)
    for saying in (*words.FILTERS, *numbers.FILTERS, *rule_messages.FILTERS, *game_sentences.FILTERS):
        app.add_template_filter(saying)
    app.jinja_env.globals |= {"game_now": live.game_now, "NO_HANDS": narrator.NO_HANDS}
    page_cache.init_app(app)
    for blueprint in (*[area.bp for area in AREAS], rulebook.of_game):
        app.register_blueprint(blueprint)
