"""Games that were kept on paper: a table of dates, players and scores, previewed and then imported."""

from __future__ import annotations

from flask import Blueprint, flash, g, request
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import catalogue
from scorekeeper.services.games import record_paper_games
from scorekeeper.web.common.fields import new_token
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.scope import go_to, render, scoped

from .form import PaperForm

bp = scoped(Blueprint("paper", __name__))


@bp.get("/c/<key>/transfers/paper")
def show() -> ResponseReturnValue:
    latest = select(Game).where(Game.club_id == g.club.id).order_by(Game.number.desc()).limit(1)
    game = db.session.scalar(latest)
    values = MultiDict({"rules": game.rules["id"]} if game else {})
    if game and game.rules["win"].get("counted") == "down":
        values["down"] = "yes"
    return _page(PaperForm(g.club, values, None, new_token()), first=True)


@bp.post("/c/<key>/transfers/paper")
def bring() -> ResponseReturnValue:
    """Preview a table, or import what was previewed."""
    form = PaperForm(g.club, MultiDict(request.form), request.files.get("file"), new_token())
    if not form.validate():
        return _page(form, wrong=True), 422
    if request.form.get("do") != "bring" or not form.was_seen or not form.plan:
        return _page(form)
    try:
        games = form.plan.paper_games(form.token + form.digest, form.again.data)
        count = record_paper_games(g.club, games)
    except Refused as refused:  # somebody changed a name, or took a seat, since the preview
        return _page(form, refused=str(refused)), 422
    flash(f"{counted(count, 'game')} imported from paper." if count else "These games were already imported.")
    return go_to("transfers.index")


def _page(form: PaperForm, *, first: bool = False, wrong: bool = False, refused: str = "") -> str:
    """The form: empty at first, then with what is wrong, or with the preview."""
    changed = not wrong and request.form.get("do") == "bring" and not form.was_seen
    about = {"form": form, "first": first, "wrong_at": wrong, "refused": refused, "changed": changed}
    return render("transfers/paper.html", catalogue=catalogue(), **about)
