"""Seasons: begun, changed, closed and opened again; which games belong to them."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from scorekeeper.database.session import db
from scorekeeper.models import Game, Season
from scorekeeper.services import game_settings as corrections
from scorekeeper.services import seasons
from scorekeeper.stats.query import games_by_season
from scorekeeper.stats.schemes import Scheme
from scorekeeper.undo import deleted_items as deletion
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.scope import find_game, find_season, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import club_change_sentences
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.season_sentences import champions_text, reopened_text, span

from .choice import NONE
from .form import SeasonForm

ELSEWHERE = "elsewhere"  # the games of other seasons, when a season takes games in
bp = scoped(Blueprint("seasons", __name__))


@dataclass(frozen=True, slots=True)
class ListedSeason:
    """What the list says of a season."""

    season: Season
    state: str
    when: str
    games: str


@bp.get("/c/<key>/seasons/")
def index() -> ResponseReturnValue:
    return render_template("seasons/index.html", club=g.club, entries=_entries())


def _entries() -> list[ListedSeason]:
    """The seasons that are open first, the latest first."""
    games = games_by_season(g.club)
    latest = sorted(g.club.seasons, key=lambda season: season.closed_at is not None)
    return [ListedSeason(one, state_of(one), span(one), counted(games[one.id], "game")) for one in latest]


def state_of(season: Season) -> str:
    """How a season is doing, in a few words."""
    if season.closed_at is not None:
        return f"Closed: {champions_text(season)}"
    if season.reopened:
        return reopened_text(season).partition(".")[0]
    today = season.club.today
    if season.starts > today:
        return "Not started"
    return "Ended, not closed" if season.ends and season.ends < today else "Running"


# --- beginning and changing ---------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/new")
def new() -> ResponseReturnValue:
    return _form_page(SeasonForm.of(Scheme(), today=g.club.today))


@bp.post("/c/<key>/seasons/new")
def create() -> ResponseReturnValue:
    form = SeasonForm(_names())
    again = _just_begun(form)
    if again is not None:
        return _to(again)
    if not form.validate():
        return _form_page(form), 422
    try:
        season = seasons.begin(g.club, **form.what, by=scorer_name())
    except IntegrityError:  # another phone was quicker by a moment
        form.name.errors = [say.NAME_TWICE]
        return _form_page(form), 422
    flash(say.season_started(season.name))
    return _to(season, "change" if seasons.loose_games(season) else "")


def _just_begun(form: SeasonForm) -> Season | None:
    """The season that a double tap has begun already: the club's latest, just like this one and still empty."""
    mine = select(Season).where(Season.club_id == g.club.id).order_by(Season.created_at.desc(), Season.uid)
    latest = db.session.scalar(mine.limit(1))
    if latest is None or latest.name != form.name.data or not form.is_like(latest):
        return None
    return None if db.session.scalar(select(Game.id).where(Game.season_id == latest.id).limit(1)) else latest


@bp.get("/c/<key>/seasons/<int:season_id>/change")
def edit(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    return _form_page(SeasonForm.of(seasons.scheme_of(season), season), season)


@bp.post("/c/<key>/seasons/<int:season_id>/change")
def change(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is not None:
        flash(say.SEASON_IS_CLOSED)
        return _to(season, "change")
    form = SeasonForm(_names() - {season.name})
    if not form.validate():
        return _form_page(form, season), 422
    try:
        seasons.change(season, **form.what, by=scorer_name())
    except IntegrityError:
        form.name.errors = [say.NAME_TWICE]
        return _form_page(form, find_season(season_id)), 422
    flash(say.SEASON_SAVED)
    return _to(season)


def _names() -> set[str]:
    return {season.name for season in g.club.seasons}


def _form_page(form: SeasonForm, season: Season | None = None) -> str:
    loose = seasons.loose_games(season) if season and season.closed_at is None else 0
    elsewhere = seasons.games_elsewhere(season) if season and season.closed_at is None else 0
    about = {"form": form, "season": season, "loose": loose, "elsewhere": elsewhere}
    return render_template("seasons/form.html", club=g.club, **about)


# --- its games, its end -------------------------------------------------------------------------------------------


@bp.post("/c/<key>/seasons/<int:season_id>/take-in")
def take_in(season_id: int) -> ResponseReturnValue:
    """Add the games of its days that are in no season, or those of other seasons."""
    season, elsewhere = find_season(season_id), request.form.get("which") == ELSEWHERE
    if season.closed_at is None:
        flash(say.games_added(seasons.take_in(season, scorer_name(), elsewhere=elsewhere), season.name))
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/close")
def close(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is None:
        seasons.close(season, scorer_name())
        flash(say.season_closed(season.name))
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/reopen")
def reopen(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is not None:
        seasons.reopen(season, scorer_name())
        flash(say.season_reopened(season.name))
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/delete")
def delete(season_id: int) -> ResponseReturnValue:
    """Delete a season; its games stay."""
    season = find_season(season_id)
    name = season.name
    deletion.delete_season(season, scorer_name())
    flash(club_change_sentences.season_deleted(name))
    return redirect(url_for("seasons.index", key=g.club.key), 303)


def _to(season: Season, end: str = "") -> ResponseReturnValue:
    return redirect(url_for("standings.show", key=g.club.key, season_id=season.id) + end, 303)


@bp.post("/c/<key>/games/<int:number>/season")
def move(number: int) -> ResponseReturnValue:
    """Let a game count in another season, in several, or in none."""
    game, chosen = find_game(number), request.form.get("season", "")
    season = None if chosen == NONE else find_season(number_in(chosen) or 0)
    also = [find_season(number_in(text) or 0) for text in dict.fromkeys(request.form.getlist("also"))]
    before = set(game.seasons), game.season
    seasons.count_in(game, season, also, scorer_name())
    if (set(game.seasons), game.season) != before:
        flash(say.counts_for([one.name for one in game.seasons]))
        for one in corrections.outside_of(game):
            flash(club_change_sentences.day_outside(one.name))
    return redirect(url_for("games.sheet", key=g.club.key, number=number), 303)
