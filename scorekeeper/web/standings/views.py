"""Routes of a season's pages and of the all-time pages; pages.py lists them."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, flash, g, request
from flask.typing import ResponseReturnValue

from scorekeeper.services.seasons import running
from scorekeeper.web.common.fields import parse_number
from scorekeeper.web.common.page_cache import cached_page
from scorekeeper.web.common.scope import find_player, find_season, go_to, owner_id, render, scoped
from scorekeeper.web.games.device import has_four_colors, remember_owner
from scorekeeper.web.seasons import messages

from .messages import SECTIONS, anchor
from .pages import PAGES, SeasonPage, TablePage

bp = scoped(Blueprint("standings", __name__))


def _view_of(page_class: type[SeasonPage]) -> Callable[..., ResponseReturnValue]:
    def view(season_id: int | None = None) -> ResponseReturnValue:
        page = page_class(season_id)
        cache_key = page.cache_key

        def draw(_token: str = "") -> str:
            return render(page.template, page=page, say=messages)

        if cache_key is None:
            return draw(), page.filter.status
        return cached_page((cache_key, owner_id(), has_four_colors()), draw), page.filter.status

    return view


VIEWS = {one: _view_of(one) for one in PAGES}
for one, view in VIEWS.items():
    end = f"/{one.tab}" if one.tab else ""
    bp.add_url_rule(f"/c/<key>/standings{end}", one.tab or "show", view)
    bp.add_url_rule(f"/c/<key>/seasons/<int:season_id>/{one.tab}", one.tab or "show", view)


@bp.get("/c/<key>/standings/now")
def now() -> ResponseReturnValue:
    """The standings of the season that runs; of all time where none does."""
    season = next(iter(running(g.club, g.club.today)), None)
    return VIEWS[TablePage](season.id if season else None)


@bp.get("/c/<key>/standings/columns")
def columns() -> ResponseReturnValue:
    """Explain the columns of the standings."""
    return render("standings/columns.html", sections=SECTIONS, anchor=anchor)


# --- this device --------------------------------------------------------------------------------------------------


@bp.post("/c/<key>/me")
def say_who() -> ResponseReturnValue:
    """Set which player this phone belongs to; that player's row is marked."""
    whose, season_id = (parse_number(request.form.get(name, "")) for name in ("whose", "season"))
    player = find_player(whose) if whose else None
    remember_owner(player)
    flash(f"{player.name if player else 'Nobody'} is marked on this phone.")
    season = find_season(season_id) if season_id else None
    return go_to("standings.show", season_id=season.id if season else None)
