"""Seasons: starting, changing, closing, reopening; their games, bonuses, divisions, ladder, playoffs, forfeits.

The pages that show a season are in web/standings/pages.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import Blueprint, abort, flash, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug import Response

from scorekeeper.database.session import db
from scorekeeper.models import Game, GameGroup, Season
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import games, seasons
from scorekeeper.stats.league import (
    DIVISIONS,
    SIZES,
    Bonus,
    bracket_of,
    candidates,
    league_of,
)
from scorekeeper.stats.query import games_by_season, in_season
from scorekeeper.stats.schemes import IN_POINTS, Scheme
from scorekeeper.undo import deletion
from scorekeeper.web.common import club_changes
from scorekeeper.web.common.fields import new_token, parse_number, posted_token, sentence_of
from scorekeeper.web.common.numbers import counted, points_said
from scorekeeper.web.common.scope import find_game, find_season, flash_undoable, go_to, render, says_reopened, scoped
from scorekeeper.web.common.words import ended, listed, table_name

from . import messages
from .forms import NO_SEASON, BonusForm, ForfeitForm, SeasonForm, members

ELSEWHERE = "elsewhere"  # form value for adding games of other seasons
NO_GAME = "none"  # form value for a match without a game
LAST_RUNG = 999
TableKind = tuple[str, int, int]  # rule set id, players, teams
bp = scoped(Blueprint("seasons", __name__))


def _to(season: Season, end: str = "") -> Response:
    return redirect(url_for("standings.show", season_id=season.id) + end, 303)


def _find_open(season_id: int, end: str = "") -> Season:
    """The season, if open; otherwise redirect to its page `end` with an explanation."""
    season = find_season(season_id)
    if season.closed_at is not None:
        flash(seasons.CLOSED)
        abort(_to(season, end))
    return season


@bp.errorhandler(Refused)
def show_refusal(refused: Refused) -> ResponseReturnValue:
    """Back to the page of the form, where another phone may have changed the season meanwhile."""
    flash(sentence_of(refused.problems[0]))
    return _to(find_season((request.view_args or {})["season_id"]), request.path.split("/")[5])


# --- the list -----------------------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/")
def index() -> ResponseReturnValue:
    """List seasons, open ones first, newest first: state, days and number of games."""
    games = games_by_season(g.club)
    latest = sorted(g.club.seasons, key=lambda season: season.closed_at is not None)
    entries = [(one, _state_of(one), messages.span(one, g.club.zone), counted(games[one.id], "game")) for one in latest]
    return render("seasons/index.html", entries=entries)


def _state_of(season: Season) -> str:
    if season.closed_at is not None:
        return f"Closed: {messages.champions_text(season)}"
    if season.reopened:
        return messages.reopened_text(season).partition(".")[0]
    today = season.club.today
    if season.starts > today:
        return "Not started"
    return "Ended, not closed" if season.ends and season.ends < today else "Running"


# --- starting and changing ----------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/new")
def new() -> ResponseReturnValue:
    return _form_page(SeasonForm.of(Scheme(), today=g.club.today))


@bp.post("/c/<key>/seasons/new")
def create() -> ResponseReturnValue:
    form = SeasonForm({season.name for season in g.club.seasons})
    if again := _just_begun(form):
        return _to(again)
    if not form.validate():
        return _form_page(form), 422
    try:
        season = seasons.begin(g.club, **form.arguments)
    except Refused:  # a concurrent request used the name
        form.name.errors = [messages.NAME_TWICE]
        return _form_page(form), 422
    flash(f"{season.name} started.")
    return _to(season, "change" if seasons.games_outside(season) else "")


def _just_begun(form: SeasonForm) -> Season | None:
    """The season a double tap has already started: the club's latest, equal to the form and still empty."""
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
    season = _find_open(season_id, "change")
    form = SeasonForm({one.name for one in g.club.seasons} - {season.name})
    if not form.validate():
        return _form_page(form, season), 422
    try:
        seasons.change(season, **form.arguments)
    except Refused as refused:
        if refused.problems[0].code != seasons.NAME_TWICE:
            raise
        form.name.errors = [messages.NAME_TWICE]
        return _form_page(form, find_season(season_id)), 422
    flash("Season saved.")
    return _to(season)


def _form_page(form: SeasonForm, season: Season | None = None) -> str:
    loose = elsewhere = 0
    if season and season.closed_at is None:
        loose, elsewhere = seasons.games_outside(season), seasons.games_outside(season, elsewhere=True)
    return render("seasons/form.html", say=messages, form=form, season=season, loose=loose, elsewhere=elsewhere)


# --- games, closing -----------------------------------------------------------------------------------------------


@bp.post("/c/<key>/seasons/<int:season_id>/take-in")
def take_in(season_id: int) -> ResponseReturnValue:
    """Add the games on its days that are in no season, or those of other seasons."""
    season, elsewhere = find_season(season_id), request.form.get("which") == ELSEWHERE
    if season.closed_at is None:
        games = seasons.take_in(season, elsewhere=elsewhere)
        flash(ended(f"{counted(games, 'game')} added to {season.name}"))
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/close")
def close(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is None:
        seasons.close(season)
        flash(f"{season.name} is closed. Its standings are final.")
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/reopen")
def reopen(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is not None:
        seasons.reopen(season)
        flash(f"{season.name} is open again.")
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/delete")
def delete(season_id: int) -> ResponseReturnValue:
    """Delete a season; its games are kept."""
    season = find_season(season_id)
    said = f"{season.name} was deleted. Its games stay. For 30 days you can take it back under Changes."
    uid = season.uid
    deletion.delete_season(season)
    flash_undoable(said, uid)
    return go_to("seasons.index")


@bp.post("/c/<key>/games/<int:number>/season")
@says_reopened
def move(number: int) -> ResponseReturnValue:
    """Set the seasons a game counts in, possibly several or none."""
    game, chosen = find_game(number), request.form.get("season", "")
    season = None if chosen == NO_SEASON else find_season(parse_number(chosen) or 0)
    also = [find_season(parse_number(text) or 0) for text in dict.fromkeys(request.form.getlist("also"))]
    before = set(game.seasons), game.season
    seasons.count_in(game, season, also)
    if (set(game.seasons), game.season) != before:
        flash(ended(f"The game now counts for {listed([one.name for one in game.seasons]) or 'no season'}"))
        for one in games.outside_of(game):
            flash(club_changes.day_outside(one.name))
    return go_to("games.sheet", number=number)


# --- bonus and penalty points -------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/<int:season_id>/bonus")
def show_bonuses(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    usual = {"day": max(season.starts, min(g.club.today, season.ends or g.club.today)), "token": new_token()}
    return _bonus_page(season, BonusForm(season, formdata=None, data=usual))


def _bonus_page(season: Season, form: BonusForm) -> str:
    known, given = members(guests=True), reversed(league_of(season).bonuses)
    lines = [(one, points_said(one.points), known.get(one.player, messages.DELETED_PLAYER)) for one in given]
    about = {"lines": lines, "names": members(), "counts": seasons.scheme_of(season).by in IN_POINTS, "form": form}
    return render("seasons/bonus.html", season=season, **about)


@bp.post("/c/<key>/seasons/<int:season_id>/bonus")
def give_bonus(season_id: int) -> ResponseReturnValue:
    season = _find_open(season_id, "bonus")
    form = BonusForm(season)
    if not form.validate():
        return _bonus_page(season, form), 422
    bonus = form.bonus
    seasons.set_bonus(season, bonus)
    flash(f"{points_said(bonus.points)} for {_name_in(bonus)}.")
    return _to(season, "bonus")


def _name_in(bonus: Bonus) -> str:
    return members(guests=True).get(bonus.player, messages.DELETED_PLAYER)


@bp.post("/c/<key>/seasons/<int:season_id>/bonus/<uid>/<any(undo, restore):what>")
def undo_bonus(season_id: int, uid: str, what: str) -> ResponseReturnValue:
    """Undo or restore a bonus."""
    season = _find_open(season_id, "bonus")
    found = league_of(season).find(uid)
    if not found:
        flash("That bonus no longer exists.")
    else:
        seasons.set_bonus(season, replace(found, undone=what == "undo"))
        flash(f"The bonus for {_name_in(found)} was {'undone' if what == 'undo' else 'restored'}.")
    return _to(season, "bonus")


# --- divisions, starting order of a ladder ------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/<int:season_id>/divisions")
def show_divisions(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    return _players_page("divisions", season, league_of(season).division_of)


def _players_page(page: str, season: Season, typed: Mapping[str, str], wrong: str = "") -> str:
    """A page with an input for each player; `typed` has values by player uid."""
    return render(
        f"seasons/{page}.html", season=season, names=members(), typed=typed, letters=DIVISIONS, wrong_with=wrong
    )


def _typed_by_player() -> dict[str, str]:
    known = members()
    return {uid: text.strip() for uid, text in request.form.items() if uid in known and text.strip()}


@bp.post("/c/<key>/seasons/<int:season_id>/divisions")
def save_divisions(season_id: int) -> ResponseReturnValue:
    season, typed = _find_open(season_id), _typed_by_player()
    if not set(typed.values()) <= set(DIVISIONS):
        return _players_page("divisions", season, typed, "Choose a division from the list."), 422
    seasons.set_divisions(season, typed)
    flash("Divisions saved.")
    return _to(season)


@bp.get("/c/<key>/seasons/<int:season_id>/start")
def show_start_order(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    start = league_of(season).start
    return _players_page("start_order", season, {uid: str(rung) for rung, uid in enumerate(start, 1)})


@bp.post("/c/<key>/seasons/<int:season_id>/start")
def save_start_order(season_id: int) -> ResponseReturnValue:
    """Save the starting order. Players without a rung join at the bottom with their first game; gaps are closed."""
    season, typed = _find_open(season_id), _typed_by_player()
    rungs = {uid: parse_number(text) or 0 for uid, text in typed.items()}
    if len(set(rungs.values())) < len(rungs) or not all(0 < rung <= LAST_RUNG for rung in rungs.values()):
        wrong = f"Give each player a different rung, 1 to {LAST_RUNG}, or none."
        return _players_page("start_order", season, typed, wrong), 422
    seasons.set_start(season, sorted(rungs, key=rungs.__getitem__))
    flash("Starting order saved.")
    return _to(season)


# --- playoffs: drawing a bracket from the table, choosing the games of matches ------------------------------------


@bp.get("/c/<key>/seasons/<int:season_id>/playoffs")
def show_playoffs(season_id: int) -> ResponseReturnValue:
    """The bracket by round, with the games that can be chosen for each match; without one, the sizes available."""
    season = find_season(season_id)
    bracket = bracket_of(season)
    if bracket is None:
        ranked = len(seasons.seeds(season, max(SIZES)))
        sizes = {
            size: f"the top {size}" if ranked >= size else f"all {ranked}"
            for size in SIZES
            if ranked >= seasons.LEAST_RANKED[size]
        }
        return render("seasons/playoffs.html", season=season, sizes=sizes)
    rounds = [
        (messages.ROUNDS[len(matches)], [(match, [] if match.bye else candidates(season, match)) for match in matches])
        for matches in bracket.rounds
    ]
    about = {"winner": messages.playoffs_won(bracket), "drawn": bracket.kept.drawn or season.starts}
    return render("seasons/playoffs.html", season=season, rounds=rounds, **about)


@bp.post("/c/<key>/seasons/<int:season_id>/playoffs")
def draw_playoffs(season_id: int) -> ResponseReturnValue:
    """Draw the bracket from the current table, unless there is one."""
    season, size = find_season(season_id), parse_number(request.form.get("size", ""))
    if size not in SIZES:
        flash("Choose how many players are in the playoffs.")
    elif seasons.draw_playoffs(season, size):
        flash("Playoffs started.")
    return _to(season, "playoffs")


@bp.post("/c/<key>/seasons/<int:season_id>/playoffs/remove")
def remove_playoffs(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    seasons.set_playoffs(season, None)
    flash("Playoffs removed.")
    return _to(season, "playoffs")


@bp.post("/c/<key>/seasons/<int:season_id>/playoffs/<match>")
def pick_game(season_id: int, match: str) -> ResponseReturnValue:
    """Set or clear the game of a match."""
    season = find_season(season_id)
    bracket = bracket_of(season)
    found = bracket.match(match) if bracket else None
    if found is None:
        abort(404)
    uid = request.form.get("game", "")
    if uid not in (NO_GAME, *(game.uid for game in candidates(season, found))):
        flash("Choose a game from the list.")
    else:
        seasons.pick_game(season, match, None if uid == NO_GAME else uid)
        flash("Saved.")
    return _to(season, "playoffs")


# --- forfeits: unplayed games with winners and losers -------------------------------------------------------------


def _table_kinds(season: Season) -> tuple[dict[str, TableKind], str]:
    """Kinds of tables by form value, and the chosen value, by default the first.

    The kinds are those of the season's games, otherwise of the club's, otherwise the usual ones.
    """
    columns = select(GameGroup.rules_id, GameGroup.players, GameGroup.teams)
    found: list[TableKind] = []
    for here in (in_season(season.id), GameGroup.club_id == g.club.id):
        rows = db.session.execute(columns.where(here).distinct()).all()
        found = found or sorted((rules, players, teams) for rules, players, teams in rows if rules in CATALOGUE)
    usual = (Table(find_rules(rules_id)) for rules_id in CATALOGUE)
    found = found or [(table.rules.id, table.players, table.teams) for table in usual]
    kinds = {"-".join(map(str, kind)): kind for kind in found}
    chosen = request.values.get("table", "")
    return kinds, chosen if chosen in kinds else next(iter(kinds))


@bp.get("/c/<key>/seasons/<int:season_id>/forfeit")
def show_forfeit(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    kinds, chosen = _table_kinds(season)
    form = ForfeitForm(find_table(*kinds[chosen]), formdata=None, data={"day": g.club.today})
    return _forfeit_page(season, kinds, chosen, form)


def _forfeit_page(season: Season, kinds: Mapping[str, TableKind], chosen: str, form: ForfeitForm) -> str:
    options = [
        (value, f"{find_rules(rules).name.partition(',')[0]}, {table_name(*rest)}")
        for value, (rules, *rest) in kinds.items()
    ]
    about = {"options": options, "chosen": chosen, "names": members(guests=True)}
    return render("seasons/forfeit.html", season=season, form=form, token=posted_token() or new_token(), **about)


@bp.post("/c/<key>/seasons/<int:season_id>/forfeit")
def save_forfeit(season_id: int) -> ResponseReturnValue:
    season = _find_open(season_id)
    kinds, chosen = _table_kinds(season)
    table = find_table(*kinds[chosen])
    form = ForfeitForm(table)
    if not form.validate():
        return _forfeit_page(season, kinds, chosen, form), 422
    winners, losers = form.names("winner"), form.names("loser")
    day = form.day.data or g.club.today
    games.record_forfeit(g.club, table, winners, losers, played=day, season=season, token=posted_token())
    flash(ended(f"Forfeit saved: a win for {listed(winners)}"))
    if not season.starts <= day <= (season.ends or day):
        flash(club_changes.day_outside(season.name))
    return _to(season)
