"""The passphrase of a club: set by a manager, and typed by one who has lost every link."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.services import passphrases
from scorekeeper.web.common import held, throttling
from scorekeeper.web.common.scope import scoped, take_over_old_cookie
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording import link_sentences

from .links import new_until

bp = scoped(Blueprint("passphrase", __name__))


@bp.get("/c/<key>/passphrase")
def show() -> ResponseReturnValue:
    return _page()


@bp.post("/c/<key>/passphrase")
def change() -> ResponseReturnValue:
    typed = "" if "remove" in request.form else request.form.get("passphrase", "").strip()
    if "remove" not in request.form and not passphrases.SHORTEST <= len(typed) <= passphrases.LONGEST:
        return _page(say.WORDS_LENGTH), 422
    if new_until():
        return _page(), 422
    passphrases.set_passphrase(g.club, typed, scorer_name())
    flash(say.WORDS_SAVED if typed else say.WORDS_REMOVED)
    return redirect(url_for("club_settings.show", key=g.club.key), 303)


def _page(wrong_with: str = "") -> str:
    until = new_until()
    too_new = link_sentences.too_new(until, g.club.zone) if until else ""
    return render_template("clubs/passphrase.html", club=g.club, wrong_with=wrong_with, too_new=too_new)


@bp.get("/come-back")
def ask() -> ResponseReturnValue:
    return render_template("clubs/come_back.html", name="", wrong_with="")


@bp.post("/come-back")
def come_back() -> ResponseReturnValue:
    """Who tries many is asked to wait, in every worker."""
    name, typed = request.form.get("name", ""), request.form.get("passphrase", "")
    throttling.count(throttling.KEYS, f"{name}\n{typed}")
    link = passphrases.come_back(name, typed)
    if link is None:
        return render_template("clubs/come_back.html", name=name[:80], wrong_with=say.NO_SUCH_WORDS), 422
    take_over_old_cookie()
    held.keep(link.club.key, link.uid)
    return redirect(url_for("clubs.show", key=link.club.key), 303)
