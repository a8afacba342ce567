"""A link is opened: its page asks to join, and joining leaves a cookie and leads to an address without the secret.

Nothing happens by a GET. So a messenger's preview opens nothing, and the tap on Join comes from our own page: a strict
cookie is sent along with it, and the links that the browser holds already are kept.
"""

from __future__ import annotations

import re

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Link, Player
from scorekeeper.services import links
from scorekeeper.web.common import held, throttling
from scorekeeper.web.common.scope import remembered, take_over_old_cookie
from scorekeeper.web.common.scorer import owners
from scorekeeper.web.common.security import comes_from_here, csrf
from scorekeeper.web.games.device import remember_owner
from scorekeeper.web.wording import link_sentences as say

from .form import ClubForm

IN_A_LINK = re.compile(r"/l/([\w-]+)", re.ASCII)  # the secret, whatever stands around it
A_CLUB = re.compile(r"/c/[\w-]", re.ASCII)
# The browsers of other apps, by what their user agents contain: none shares its cookies with Safari or Chrome.
APPS = (
    ("Messenger", re.compile(r"Messenger(ForiOS|Lite)|Orca-Android|FB_IAB/MESSENGER")),
    ("Instagram", re.compile("Instagram")),
    ("Facebook", re.compile(r"FBA[NV]/|FB_IAB")),
    ("WhatsApp", re.compile("WhatsApp")),
    ("WeChat", re.compile("MicroMessenger")),
    ("LINE", re.compile(r"\bLine/")),
    ("Snapchat", re.compile("Snapchat")),
    ("Telegram", re.compile("Telegram")),
    ("KakaoTalk", re.compile("KAKAOTALK")),
    ("Viber", re.compile("Viber")),
    ("Threads", re.compile("Barcelona")),
    ("TikTok", re.compile("musical_ly|TikTok|Bytedance")),
    ("another app", re.compile(r"; wv\)")),  # any other one on Android
)
LONGEST_SHOWN = 300  # letters of a text that was no link

bp = Blueprint("open_link", __name__, url_prefix="/l")


@bp.get("/<secret>")
def show(secret: str) -> ResponseReturnValue:
    link = _find(secret)
    take_over_old_cookie()
    if link.uid in held.held_of(link.club.key):
        return redirect(_address(link), 303)
    agent = request.user_agent.string
    app = next((name for name, tokens in APPS if tokens.search(agent)), "")
    address = url_for(".show", secret=secret, _external=True) if app else ""
    return render_template("clubs/join.html", club=link.club, lets=say.lets(link), app=app, address=address)


@bp.post("/<secret>")
@csrf.exempt
def join(secret: str) -> ResponseReturnValue:
    """Hold the link. It has no form token, for that would need a cookie: only our own page can send it."""
    if current_app.config["WTF_CSRF_ENABLED"] and not comes_from_here():
        abort(400)
    return _hold(_find(secret))


@bp.post("/")
def paste() -> ResponseReturnValue:
    """Hold a link that was pasted on the first page: an app on an iPhone's home screen gets no link that is tapped.

    Only the secret is read of it. Where it leads is an address of ours, whatever host the text names.
    """
    throttling.refuse_over(throttling.KEYS)
    pasted = request.form.get("link", "")
    found = IN_A_LINK.search(pasted)
    link = links.find(found[1]) if found else None
    if link is not None:
        return _hold(link)
    if found:
        throttling.count(throttling.KEYS, found[1])
    wrong = say.NOT_A_LINK if found or not A_CLUB.search(pasted) else say.ADDRESS_OF_A_CLUB
    about = {"pasted": pasted[:LONGEST_SHOWN], "wrong_link": wrong}
    return render_template("clubs/home.html", form=ClubForm(formdata=None), clubs=remembered(), **about), 422


def _hold(link: Link) -> ResponseReturnValue:
    """Hold a link from now on, and go where it leads."""
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
