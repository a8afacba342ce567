"""A link is opened: its page asks to join, and joining leaves a cookie and leads to an address without the secret.

Nothing happens by a GET. So a messenger's preview opens nothing, and the tap on Join comes from our own page: a strict
cookie is sent along with it, and the links that the browser holds already are kept.
"""

from __future__ import annotations

from flask import Blueprint, abort, current_app, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from scorekeeper import links
from scorekeeper.db import db
from scorekeeper.models import Link, Player
from scorekeeper.web.common import held, throttling
from scorekeeper.web.common.scope import take_over_old_cookie
from scorekeeper.web.common.scorer import owners
from scorekeeper.web.common.security import comes_from_here, csrf
from scorekeeper.web.games.device import remember_owner
from scorekeeper.web.wording.link_sentences import lets

bp = Blueprint("open_link", __name__, url_prefix="/l")


@bp.get("/<secret>")
def show(secret: str) -> ResponseReturnValue:
    link = _find(secret)
    take_over_old_cookie()
    if link.uid in held.held_of(link.club.key):
        return redirect(_address(link), 303)
    return render_template("clubs/join.html", club=link.club, lets=lets(link))


@bp.post("/<secret>")
@csrf.exempt
def join(secret: str) -> ResponseReturnValue:
    """Hold the link. It has no form token, for that would need a cookie: only our own page can send it."""
    if current_app.config["WTF_CSRF_ENABLED"] and not comes_from_here():
        abort(400)
    link = _find(secret)
    take_over_old_cookie()
    held.keep(link.club.key, link.uid)
    _remember_scorer(link)
    return redirect(_address(link), 303)


def _remember_scorer(link: Link) -> None:
    """A link that was made for a player says who is scoring on this device, where nobody has said so yet."""
    named = select(Player).where(Player.club_id == link.club_id, Player.name == link.label)
    if str(link.club_id) not in owners() and (player := db.session.scalar(named)):
        remember_owner(player, link.club)


def _find(secret: str) -> Link:
    """The link with that secret, or 404. Who tries many is asked to wait."""
    throttling.refuse_over(throttling.KEYS)
    link = links.find(secret)
    if link is None:
        throttling.count(throttling.KEYS, secret)
        abort(404)
    return link


def _address(link: Link) -> str:
    if link.game is not None:
        return url_for("games.sheet", key=link.club.key, number=link.game.number)
    return url_for("clubs.show", key=link.club.key)
