"""The starting order of a ladder: who is on which rung before the first game."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.services import seasons
from scorekeeper.stats.league import League
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.scope import find_season, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import form_sentences as say

from .bonus import members

bp = scoped(Blueprint("start_order", __name__, url_prefix="/c/<key>/seasons/<int:season_id>/start"))
MOST = 999


@bp.get("")
def show(season_id: int) -> ResponseReturnValue:
    start = League.from_dict(find_season(season_id).league).start
    return _page(season_id, {uid: str(rung) for rung, uid in enumerate(start, 1)})


def _page(season_id: int, rungs: Mapping[str, str], wrong: str = "") -> str:
    about = {"names": members(), "rungs": rungs, "wrong_with": wrong}
    return render_template("seasons/start_order.html", club=g.club, season=find_season(season_id), **about)


@bp.post("")
def save(season_id: int) -> ResponseReturnValue:
    """Whoever is given no rung starts at the bottom with the first game; rungs left out between are closed up."""
    season, known = find_season(season_id), members()
    typed = {uid: text.strip() for uid, text in request.form.items() if uid in known and text.strip()}
    rungs = {uid: number_in(text) for uid, text in typed.items()}
    if season.closed_at is not None:
        flash(say.SEASON_IS_CLOSED)
    elif len(set(rungs.values())) < len(rungs) or not all(0 < (rung or 0) <= MOST for rung in rungs.values()):
        return _page(season_id, typed, say.WHICH_RUNG), 422
    else:
        seasons.set_start(season, sorted(rungs, key=lambda uid: rungs[uid] or 0), scorer_name())
        flash(say.START_SAVED)
    return redirect(url_for("standings.show", key=g.club.key, season_id=season.id), 303)
