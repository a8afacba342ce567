"""Settings of this device: the player scoring on it, by club, stored with its changes; and the suit colors."""

from __future__ import annotations

from flask import Blueprint, flash, g, has_request_context, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.database.session import db
from scorekeeper.models import Club, Link, Player
from scorekeeper.services import links
from scorekeeper.services.games import latest_game
from scorekeeper.services.players import known_players
from scorekeeper.web.common.scope import (
    MOST_CLUBS,
    PHONES_COOKIE,
    by_rights,
    find_game,
    forget_club,
    go_to,
    link_address,
    owner_ids,
    render,
    scoped,
    scorer_name,
)
from scorekeeper.web.common.words import ended

from .setup import MOST_SHOWN

SUITS_COOKIE = "suits"
SUITS_SAID = {"two": "Suits are shown in two colors.", "four": "Suits are shown in four colors."}
FOUR_COLORS = "four"  # a key of SUITS_SAID
bp = scoped(Blueprint("device", __name__))


@bp.app_template_global()
def has_four_colors() -> bool:
    """True if this device shows every suit in its own color."""
    return has_request_context() and bool(session.get(SUITS_COOKIE) == FOUR_COLORS)


@bp.get("/c/<key>/device")
def show() -> ResponseReturnValue:
    """Show the settings of this device."""
    latest, known = latest_game(g.club), [player.name for player in known_players(g.club.id)[:MOST_SHOWN]]
    seated = [name for name in latest.names_next if name in known] if latest else []
    names = dict.fromkeys([*seated, *known])  # those of the latest game by seat, then the others
    return render("games/device.html", names=names, phone_owner=scorer_name(), address=_own_address())


def _own_address() -> str:
    """Address of the held link with the most rights; "" if its secret is not known."""
    mine = max(g.access.open, key=by_rights)
    return link_address(links.secret_to_show(db.session.get_one(Link, mine.id)))


@bp.post("/c/<key>/device")
@bp.post("/c/<key>/games/<int:number>/phone", endpoint="change_in_game")
def change(number: int | None = None) -> ResponseReturnValue:
    """Set or clear the player scoring on this device, or set the suit colors; return to the page, or score sheet."""
    if number is not None:
        find_game(number)
    if "whose" in request.form:
        whose = Player.club_id == g.club.id, Player.name == request.form["whose"]
        player = db.session.scalar(db.select(Player).where(*whose))
        remember_owner(player)
        flash(f"{player.name} is scoring on this device." if player else "No name is set on this device.")
    if request.form.get("suits") in SUITS_SAID:
        session[SUITS_COOKIE] = request.form["suits"]
        flash(SUITS_SAID[request.form["suits"]])
    return go_to("device.show") if number is None else go_to("games.sheet", number=number)


@bp.post("/c/<key>/leave")
def leave() -> ResponseReturnValue:
    """Drop all links of the club and clear its cached pages from this device."""
    forget_club(g.club.key)
    remember_owner(None)
    flash(f"This device has left {ended(g.club.name)}")
    response = redirect(url_for("clubs.home"), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def remember_owner(player: Player | None, club: Club | None = None) -> None:
    """Store in the session who is scoring in this club on this device; None clears it."""
    here = str((club or g.club).id)
    mine = {here: player.id} if player else {}
    others = [(club, owner) for club, owner in owner_ids().items() if club != here]
    session[PHONES_COOKIE] = dict([*mine.items(), *others][:MOST_CLUBS])
