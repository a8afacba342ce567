"""This device: who is scoring on it, kept in its cookie club by club and put beside what it changes; and its suits."""

from __future__ import annotations

from flask import Blueprint, flash, g, has_request_context, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.database.session import db
from scorekeeper.models import ROLES, Club, Link, Player
from scorekeeper.services import links
from scorekeeper.services.players import known_players
from scorekeeper.web.common import link_cookie
from scorekeeper.web.common.link_cookie import MOST_CLUBS
from scorekeeper.web.common.scope import find_game, go_to, render, scoped
from scorekeeper.web.common.scorer import COOKIE, owners, scorer_name
from scorekeeper.web.common.words import ended
from scorekeeper.web.games.messages import SUITS_SAID
from scorekeeper.web.games.setup import Roster

SUITS_COOKIE = "suits"
FOUR_COLORS = "four"  # a key of SUITS_SAID
bp = scoped(Blueprint("device", __name__))


@bp.app_context_processor
def suits() -> dict[str, object]:
    """What every page has to know of this device: whether each suit has a color of its own."""
    return {"four_colors": has_request_context() and has_four_colors()}


def has_four_colors() -> bool:
    """Whether this device shows each suit in a color of its own."""
    return bool(session.get(SUITS_COOKIE) == FOUR_COLORS)


@bp.get("/c/<key>/device")
def show() -> ResponseReturnValue:
    """The settings of this device."""
    roster = Roster(known_players(g.club.id), is_open=True)
    about = {"players": roster.shown, "phone_owner": scorer_name(), "address": _own_address()}
    return render("games/device.html", **about)


def _own_address() -> str:
    """The address of the link with which this device may do most; empty where its secret is not known here."""
    mine = max(g.access.open, key=lambda link: (link.game is None, ROLES.index(link.role)))
    secret = links.secret_to_show(db.session.get_one(Link, mine.id))
    return url_for("links.open_link", secret=secret, _external=True) if secret else ""


@bp.post("/c/<key>/device")
def change() -> ResponseReturnValue:
    _change()
    return go_to("device.show")


@bp.post("/c/<key>/games/<int:number>/phone")
def change_in_game(number: int) -> ResponseReturnValue:
    """The same from a game's page, and back to it."""
    find_game(number)
    _change()
    return go_to("games.sheet", number=number)


@bp.post("/c/<key>/leave")
def leave() -> ResponseReturnValue:
    """Hold no link of the club any more, and keep nothing of its pages on this device."""
    link_cookie.forget(g.club.key)
    session[COOKIE] = {club: owner for club, owner in owners().items() if club != str(g.club.id)}
    flash(f"This device has left {ended(g.club.name)}")
    response = redirect(url_for("clubs.home"), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def _change() -> None:
    """Set who is scoring, or the colors of the suits, whichever was sent."""
    if "whose" in request.form:
        _set_scorer(request.form["whose"])
    if request.form.get("suits") in SUITS_SAID:
        session[SUITS_COOKIE] = request.form["suits"]
        flash(SUITS_SAID[request.form["suits"]])


def _set_scorer(name: str) -> None:
    """Remember who is scoring on this device, or that nobody is."""
    player = db.session.scalar(db.select(Player).where(Player.club_id == g.club.id, Player.name == name))
    remember_owner(player)
    flash(f"{player.name if player else 'Nobody'} is scoring on this device.")


def remember_owner(player: Player | None, club: Club | None = None) -> None:
    """Keep in the cookie who is scoring in this club on this device."""
    here = str((club or g.club).id)
    others = {club: owner for club, owner in owners().items() if club != here}
    mine = {here: player.id} if player else {}
    session[COOKIE] = dict([*mine.items(), *others.items()][:MOST_CLUBS])
