"""The divisions of a season: which player is in which."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.services import seasons
from scorekeeper.stats.league import DIVISIONS, League
from scorekeeper.web.common.scope import find_season, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import form_sentences as say

from .bonus import members

bp = scoped(Blueprint("divisions", __name__, url_prefix="/c/<key>/seasons/<int:season_id>/divisions"))


@bp.get("")
def show(season_id: int) -> ResponseReturnValue:
    return _page(season_id, League.from_dict(find_season(season_id).league).division_of)


def _page(season_id: int, division_of: dict[str, str], wrong: str = "") -> str:
    about = {"names": members(), "division_of": division_of, "letters": DIVISIONS, "wrong_with": wrong}
    return render_template("seasons/divisions.html", club=g.club, season=find_season(season_id), **about)


@bp.post("")
def save(season_id: int) -> ResponseReturnValue:
    season, known = find_season(season_id), members()
    typed = {name: letter for name, letter in request.form.items() if name in known and letter}
    if season.closed_at is not None:
        flash(say.SEASON_IS_CLOSED)
    elif not set(typed.values()) <= set(DIVISIONS):
        return _page(season_id, typed, say.WHICH_DIVISION), 422
    else:
        seasons.set_divisions(season, typed, scorer_name())
        flash(say.DIVISIONS_SAVED)
    return redirect(url_for("standings.show", key=g.club.key, season_id=season.id), 303)
