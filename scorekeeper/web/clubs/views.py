"""Clubs: the first page, a club's own page, and starting one."""

from __future__ import annotations

from flask import Blueprint, abort, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.database.session import db_write, now
from scorekeeper.models import MANAGE, WATCH, Club
from scorekeeper.services import links
from scorekeeper.web.common import held, throttling
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.kept_pages import kept_page
from scorekeeper.web.common.scope import remembered, scoped
from scorekeeper.web.common.tokens import new_token
from scorekeeper.web.games.device import has_four_colors

from . import live
from .form import ClubForm
from .page import GAMES_ON_A_PAGE, games_of

LAST_PAGE = 1_000_000
NEW = "new_club"  # where the session keeps the link of a club that was just started, until it is saved
bp = scoped(Blueprint("clubs", __name__))


@bp.get("/")
def home() -> ResponseReturnValue:
    return render_template("clubs/home.html", form=ClubForm(formdata=None), clubs=remembered())


@bp.post("/clubs")
def create() -> ResponseReturnValue:
    form = ClubForm()
    if not form.validate():
        return render_template("clubs/home.html", form=form, clubs=remembered()), 422
    club = _just_started(form.name.data) or _start(form.name.data, form.phone_zone)
    return redirect(url_for("clubs.show", key=club.key), 303)


def _start(name: str, zone: str) -> Club:
    """Start a club, with a link to manage it for the browser that starts it, and one to watch for its board."""
    throttling.count(throttling.CLUBS)
    club = Club(name=name, zone=zone)
    first, board = links.new_link(club, MANAGE, links.FIRST_LABEL), links.new_link(club, WATCH, links.BOARD_LABEL)
    first.last_used_at = now()
    with db_write() as unit:
        unit.add_all([club, first, board])
    held.keep(club.key, first.uid)
    session[NEW] = club.key, first.uid
    return club


def _just_started(name: str) -> Club | None:
    """The club that a double tap has just started: this browser's latest, of that name and without a game."""
    latest = [link.club for link in remembered()[:1] if link.role == MANAGE]
    return next((club for club in latest if club.name == name and not club.games), None)


@bp.get("/c/<key>/")
def show() -> ResponseReturnValue:
    tag, last = live.tag(), live.last_change()

    def draw(token: str) -> str:
        return render_template("clubs/show.html", **live.shown(tag, last, token), **_first_link())

    # Ratings that are still to be worked out change nothing that the tag is made of.
    if NEW in session or g.is_asked or g.club.unrated_since is not None:
        return draw(new_token())
    return kept_page((tag, last, g.club.today, has_four_colors()), draw)


def _first_link() -> dict[str, str]:
    """The link of whoever has just started the club, until it is saved: its address, and its code."""
    key, uid = session.get(NEW, ("", ""))
    if key != g.club.key:
        return {}
    address = url_for("open_link.show", secret=links.secret_of(uid), _external=True)
    return {"address": address, "code": code(address)}


@bp.post("/c/<key>/saved")
def link_is_saved() -> ResponseReturnValue:
    """Whoever started the club has saved its link."""
    session.pop(NEW, None)
    return redirect(url_for("clubs.show", key=g.club.key), 303)


@bp.get("/c/<key>/games/")
def games() -> ResponseReturnValue:
    """All games of the club, a page at a time."""
    page = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE)
    found = games_of(g.club, (page - 1) * GAMES_ON_A_PAGE, GAMES_ON_A_PAGE + 1)
    if page > 1 and not found:
        abort(404)
    shown, has_older = found[:GAMES_ON_A_PAGE], len(found) > GAMES_ON_A_PAGE
    return render_template("clubs/games.html", club=g.club, games=shown, page=page, has_older=has_older)
