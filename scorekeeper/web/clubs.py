"""Clubs: the first page, a club's own page, and starting one."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload

from scorekeeper.db import db, db_write
from scorekeeper.models import Club, Game, Seat

from .club_form import ClubForm
from .scope import remember, remembered, scoped
from .season_choice import running as running_seasons
from .season_glance import Glance
from .summary import Summary

MOST_GAMES = 30
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
    games = [Summary(game) for game in _latest_games()]
    running = next((game for game in games[:1] if game.goes_on), None)
    here = {"club": g.club, "games": games, "latest": games[0] if games else None, "running": running}
    return render_template("clubs/show.html", **here, season=Glance(g.club, running_seasons(g.club, date.today())))


def _latest_games() -> list[Game]:
    query = select(Game).where(Game.club_id == g.club.id).order_by(Game.number.desc()).limit(MOST_GAMES)
    loading = selectinload(Game.hands), selectinload(Game.seats).options(joinedload(Seat.player))
    return list(db.session.scalars(query.options(*loading)))
