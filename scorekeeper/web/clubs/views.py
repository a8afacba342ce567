"""Clubs: the first page, a club's own page, and starting one."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload

from scorekeeper import seasons
from scorekeeper.db import db, db_write
from scorekeeper.models import Club, Game, Seat
from scorekeeper.web.common.scope import remember, remembered, scoped
from scorekeeper.web.games.summary import Summary
from scorekeeper.web.games.views import LATEST_FIRST
from scorekeeper.web.standings.glance import Glance

from .form import ClubForm

MOST_GAMES = 30  # on one page
LAST_PAGE = 1_000_000
bp = scoped(Blueprint("clubs", __name__))


@bp.get("/")
def home() -> ResponseReturnValue:
    return render_template("clubs/home.html", form=ClubForm(formdata=None), clubs=remembered())


@bp.post("/clubs")
def create() -> ResponseReturnValue:
    form = ClubForm()
    if not form.validate():
        return render_template("clubs/home.html", form=form, clubs=remembered()), 422
    club = _just_started(form.name.data) or _start(form.name.data)
    remember(club)
    return redirect(url_for("clubs.show", key=club.key), 303)


def _start(name: str) -> Club:
    club = Club(name=name)
    with db_write() as session:
        session.add(club)
    return club


def _just_started(name: str) -> Club | None:
    """The club that a double tap has started already: this browser's latest, of that name and without a game."""
    latest = remembered()[:1]
    return next((club for club in latest if club.name == name and not club.games), None)


@bp.get("/c/<key>/")
def show() -> ResponseReturnValue:
    games, has_older = _page_of_games(1)
    running = next((game for game in games[:1] if game.goes_on), None)
    here = {"club": g.club, "games": games, "has_older": has_older, "running": running}
    latest = games[0] if games else None
    season = Glance(g.club, seasons.running(g.club, date.today()))
    return render_template("clubs/show.html", **here, latest=latest, season=season)


@bp.get("/c/<key>/games/")
def games() -> ResponseReturnValue:
    """Every game there has been, a page at a time."""
    page = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE)
    found, has_older = _page_of_games(page)
    if page > 1 and not found:
        abort(404)
    return render_template("clubs/games.html", club=g.club, games=found, page=page, has_older=has_older)


def _page_of_games(page: int) -> tuple[list[Summary], bool]:
    """The games of one page, those played last first, and whether there are older ones."""
    mine = select(Game).where(Game.club_id == g.club.id).order_by(*LATEST_FIRST)
    loading = selectinload(Game.hands), selectinload(Game.seats).options(joinedload(Seat.player))
    query = mine.options(*loading).offset((page - 1) * MOST_GAMES).limit(MOST_GAMES + 1)
    found = list(db.session.scalars(query))
    return [Summary(game) for game in found[:MOST_GAMES]], len(found) > MOST_GAMES
