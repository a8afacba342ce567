"""A club deleted by a manager, who types its name; and taken back."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.models import tidy_name
from scorekeeper.services import clubs
from scorekeeper.web.common.scope import scoped
from scorekeeper.web.wording import form_sentences as say

bp = scoped(Blueprint("deletion", __name__, url_prefix="/c/<key>/delete"))


@bp.get("")
def show() -> ResponseReturnValue:
    return _page()


@bp.post("")
def delete() -> ResponseReturnValue:
    typed = request.form.get("name", "")
    if tidy_name(typed).casefold() != g.club.name.casefold():
        return _page(typed, say.NOT_THE_NAME), 422
    clubs.delete(g.club)
    return redirect(url_for("clubs.home"), 303)


@bp.post("/take-back")
def take_back() -> ResponseReturnValue:
    clubs.take_back(g.club)
    flash(say.CLUB_TAKEN_BACK)
    return redirect(url_for("clubs.show", key=g.club.key), 303)


def _page(typed: str = "", wrong: str = "") -> str:
    return render_template("clubs/delete.html", club=g.club, typed=typed, wrong_with=wrong)
