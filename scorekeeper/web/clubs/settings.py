"""A club's settings: its name and its time zone."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.services import clubs
from scorekeeper.web.common.scope import scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import form_sentences as say

from .form import SettingsForm

bp = scoped(Blueprint("club_settings", __name__))


@bp.get("/c/<key>/settings")
def show() -> ResponseReturnValue:
    return _page(SettingsForm(formdata=None, data={"name": g.club.name, "zone": g.club.zone}))


@bp.post("/c/<key>/settings")
def change() -> ResponseReturnValue:
    form = SettingsForm()
    if not form.validate():
        return _page(form), 422
    clubs.set_about(g.club, str(form.name.data), str(form.zone.data), scorer_name())
    flash(say.CLUB_SAVED)
    return redirect(url_for("club_settings.show", key=g.club.key), 303)


def _page(form: SettingsForm) -> str:
    return render_template("clubs/settings.html", club=g.club, form=form)
