"""Whose phone this is: said by whoever holds it, kept in its cookie club by club, and put beside what it changes."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.db import db
from scorekeeper.models import Player
from scorekeeper.web.common.scope import MOST_CLUBS, find_game, scoped

COOKIE = "phones"
NOBODYS = ""
bp = scoped(Blueprint("phone", __name__))


def whose_phone() -> str | None:
    """The name of whose phone has sent this request, if it has been said."""
    player = db.session.get(Player, owner_id())
    return player.name if player is not None and player.club_id == g.club.id else None


def owner_id() -> int:
    """The id of whose phone has sent this request, if it has been said; else 0."""
    return _owners().get(str(g.club.id), 0)


@bp.post("/c/<key>/games/<int:number>/phone")
def say(number: int) -> ResponseReturnValue:
    """This phone is Ann's, or nobody's any more."""
    game = find_game(number)
    name = request.form.get("whose", NOBODYS)
    player = next((player for player in game.club.players if player.name == name), None)
    remember_owner(player)
    flash(f"This phone is {player.name}’s: the history says so." if player else "This phone is nobody’s.")
    return redirect(url_for("games.sheet", key=g.club.key, number=number), 303)


def remember_owner(player: Player | None) -> None:
    """Keep in the cookie whose phone this is in this club."""
    others = {club: owner for club, owner in _owners().items() if club != str(g.club.id)}
    mine = {str(g.club.id): player.id} if player else {}
    session[COOKIE] = dict([*mine.items(), *others.items()][:MOST_CLUBS])


def _owners() -> dict[str, int]:
    return session.get(COOKIE, {})
