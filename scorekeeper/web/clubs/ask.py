"""A phone asks for a link that allows more, and waits: once a manager grants it, it goes on by itself."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.models import SCORE, Game
from scorekeeper.services import links
from scorekeeper.web.common import held
from scorekeeper.web.common.roles import Needs
from scorekeeper.web.common.scope import find_game, scoped
from scorekeeper.web.wording import link_sentences as say

from .link_form import LabelForm

bp = scoped(Blueprint("ask", __name__, url_prefix="/c/<key>"))
SECONDS = 5  # between two looks


@bp.get("/ask/<any(score, manage):role>")
def show(role: str) -> ResponseReturnValue:
    return _open(role, None)


@bp.post("/ask/<any(score, manage):role>")
def ask(role: str) -> ResponseReturnValue:
    return _ask(role, None)


@bp.get("/games/<int:number>/ask")
def show_in_game(number: int) -> ResponseReturnValue:
    return _open(SCORE, number)


@bp.post("/games/<int:number>/ask")
def ask_in_game(number: int) -> ResponseReturnValue:
    return _ask(SCORE, find_game(number))


def _ask(role: str, game: Game | None) -> ResponseReturnValue:
    form, number = LabelForm(), game.number if game else None
    if g.access.waits:
        return _again(role, number)
    if not form.validate():
        return _refused(role, number, form)
    try:
        link = links.ask(g.club, role, form.label.data, game=game)
    except links.TooMany:
        form.label.errors = [say.TOO_MANY_REQUESTS]
        return _refused(role, number, form)
    held.keep(g.club.key, link.uid)
    return _again(role, number)


def _open(role: str, number: int | None) -> ResponseReturnValue:
    """The form that asks; while this phone waits, that it does; and once it may, on to where it was going."""
    if g.access.allows(Needs(role, in_game=number is not None)):
        flash(say.YOU_MAY[role])
        return redirect(_home(number), 303)
    return _page(role, number, LabelForm(formdata=None))


def _refused(role: str, number: int | None, form: LabelForm) -> ResponseReturnValue:
    return _page(role, number, form), 422


def _page(role: str, number: int | None, form: LabelForm) -> str:
    about = {"role": role, "number": number, "form": form, "home": _home(number), "say": say, "seconds": SECONDS}
    return render_template("links/ask.html", club=g.club, waits=g.access.waits, **about)


def _again(role: str, number: int | None) -> ResponseReturnValue:
    if number is not None:
        return redirect(url_for(".show_in_game", key=g.club.key, number=number), 303)
    return redirect(url_for(".show", key=g.club.key, role=role), 303)


def _home(number: int | None) -> str:
    if number is None:
        return url_for("clubs.show", key=g.club.key)
    return url_for("games.sheet", key=g.club.key, number=number)
