"""Seasons: begun, changed, closed and opened again; their games, bonuses, divisions, ladder, playoffs and forfeits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from flask import Blueprint, abort, flash, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from scorekeeper.database.session import db
from scorekeeper.models import Game, GameGroup, Season
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import CATALOGUE, find_rules, team_formats
from scorekeeper.services import games, seasons
from scorekeeper.services.games import record_forfeit
from scorekeeper.stats.league import (
    DIVISIONS,
    MOST_BONUSES,
    SIZES,
    Bonus,
    Bracket,
    League,
    Match,
    Played,
    Playoffs,
    Seed,
    bracket_of,
    candidates,
    ids_of,
    seeds_of,
)
from scorekeeper.stats.query import Choice, games_by_season, in_season
from scorekeeper.stats.schemes import POINTS, Scheme
from scorekeeper.stats.standings import standings
from scorekeeper.undo import deletion
from scorekeeper.web.common import club_changes
from scorekeeper.web.common.fields import new_token, number_in, posted_token
from scorekeeper.web.common.numbers import counted, points_said
from scorekeeper.web.common.scope import find_game, find_season, go_to, render, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.common.words import ended, listed, table_name

from . import messages
from .forms import NO_SEASON, BonusForm, ForfeitForm, SeasonForm, members

ELSEWHERE = "elsewhere"  # the games of other seasons, when a season takes games in
NO_GAME = "none"  # picked for a match that has not been played
LEAST_RANKED = {4: 2, 8: 5}  # players with a place; of fewer than five, a bracket of four leaves less empty
LAST_RUNG = 999
TableKind = tuple[str, int, int]  # a rule set's id, players, teams
bp = scoped(Blueprint("seasons", __name__))


def _to(season: Season, end: str = "") -> ResponseReturnValue:
    return redirect(url_for("standings.show", key=g.club.key, season_id=season.id) + end, 303)


def _is_closed(season: Season) -> bool:
    """Whether a season can no longer be changed; then the next page says so."""
    if season.closed_at is not None:
        flash("The season is closed. Reopen it first.")
    return season.closed_at is not None


# --- the list -----------------------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/")
def index() -> ResponseReturnValue:
    """The seasons that are open first, the latest first: each with its state, its days and how many games it has."""
    games = games_by_season(g.club)
    latest = sorted(g.club.seasons, key=lambda season: season.closed_at is not None)
    entries = [(one, _state_of(one), messages.span(one), counted(games[one.id], "game")) for one in latest]
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


# --- beginning and changing ---------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/new")
def new() -> ResponseReturnValue:
    return _form_page(SeasonForm.of(Scheme(), today=g.club.today))


@bp.post("/c/<key>/seasons/new")
def create() -> ResponseReturnValue:
    form = SeasonForm({season.name for season in g.club.seasons})
    again = _just_begun(form)
    if again is not None:
        return _to(again)
    if not form.validate():
        return _form_page(form), 422
    try:
        season = seasons.begin(g.club, **form.what, by=scorer_name())
    except IntegrityError:  # another phone was quicker by a moment
        form.name.errors = [messages.NAME_TWICE]
        return _form_page(form), 422
    flash(f"{season.name} started.")
    return _to(season, "change" if seasons.games_outside(season) else "")


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
    if _is_closed(season):
        return _to(season, "change")
    form = SeasonForm({one.name for one in g.club.seasons} - {season.name})
    if not form.validate():
        return _form_page(form, season), 422
    try:
        seasons.change(season, **form.what, by=scorer_name())
    except IntegrityError:
        form.name.errors = [messages.NAME_TWICE]
        return _form_page(form, find_season(season_id)), 422
    flash("Season saved.")
    return _to(season)


def _form_page(form: SeasonForm, season: Season | None = None) -> str:
    loose = elsewhere = 0
    if season and season.closed_at is None:
        loose, elsewhere = seasons.games_outside(season), seasons.games_outside(season, elsewhere=True)
    about = {"form": form, "season": season, "loose": loose, "elsewhere": elsewhere}
    return render("seasons/form.html", say=messages, **about)


# --- its games, its end -------------------------------------------------------------------------------------------


@bp.post("/c/<key>/seasons/<int:season_id>/take-in")
def take_in(season_id: int) -> ResponseReturnValue:
    """Add the games of its days that are in no season, or those of other seasons."""
    season, elsewhere = find_season(season_id), request.form.get("which") == ELSEWHERE
    if season.closed_at is None:
        games = seasons.take_in(season, scorer_name(), elsewhere=elsewhere)
        flash(ended(f"{counted(games, 'game')} added to {season.name}"))
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/close")
def close(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is None:
        seasons.close(season, scorer_name())
        flash(f"{season.name} is closed. Its standings are final.")
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/reopen")
def reopen(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    if season.closed_at is not None:
        seasons.reopen(season, scorer_name())
        flash(f"{season.name} is open again.")
    return _to(season)


@bp.post("/c/<key>/seasons/<int:season_id>/delete")
def delete(season_id: int) -> ResponseReturnValue:
    """Delete a season; its games stay."""
    season = find_season(season_id)
    name = season.name
    deletion.delete_season(season, scorer_name())
    flash(club_changes.season_deleted(name))
    return go_to("seasons.index")


@bp.post("/c/<key>/games/<int:number>/season")
def move(number: int) -> ResponseReturnValue:
    """Let a game count in another season, in several, or in none."""
    game, chosen = find_game(number), request.form.get("season", "")
    season = None if chosen == NO_SEASON else find_season(number_in(chosen) or 0)
    also = [find_season(number_in(text) or 0) for text in dict.fromkeys(request.form.getlist("also"))]
    before = set(game.seasons), game.season
    seasons.count_in(game, season, also, scorer_name())
    if (set(game.seasons), game.season) != before:
        flash(ended(f"The game now counts for {listed([one.name for one in game.seasons]) or 'no season'}"))
        for one in games.outside_of(game):
            flash(club_changes.day_outside(one.name))
    return go_to("games.sheet", number=number)


# --- bonus and penalty points -------------------------------------------------------------------------------------


@bp.get("/c/<key>/seasons/<int:season_id>/bonus")
def show_bonuses(season_id: int) -> ResponseReturnValue:
    form = BonusForm(formdata=None, data={"day": g.club.today, "token": new_token()})
    return _bonus_page(find_season(season_id), form)


def _bonus_page(season: Season, form: BonusForm) -> str:
    names, given = members(), reversed(League.from_dict(season.league).bonuses)
    lines = [(one, points_said(one.points), names.get(one.player, messages.SOMEBODY_GONE)) for one in given]
    about = {"lines": lines, "names": names, "counts": seasons.scheme_of(season).by == POINTS, "form": form}
    return render("seasons/bonus.html", season=season, **about)


@bp.post("/c/<key>/seasons/<int:season_id>/bonus")
def give_bonus(season_id: int) -> ResponseReturnValue:
    season, form = find_season(season_id), BonusForm()
    if not _is_closed(season):
        if not form.validate():
            return _bonus_page(season, form), 422
        flash(_give(season, form.bonus))
    return _to(season, "bonus")


def _give(season: Season, bonus: Bonus) -> str:
    """Give it, and what to say of it."""
    given = League.from_dict(season.league).bonuses
    if len(given) >= MOST_BONUSES:
        return "This season has as many bonuses as it can take."
    if bonus.uid not in [one.uid for one in given]:
        seasons.set_bonus(season, bonus, scorer_name())
    return f"{points_said(bonus.points)} for {_name_in(bonus)}."


def _name_in(bonus: Bonus) -> str:
    return members().get(bonus.player, messages.SOMEBODY_GONE)


@bp.post("/c/<key>/seasons/<int:season_id>/bonus/<uid>/<any(undo, restore):what>")
def undo_bonus(season_id: int, uid: str, what: str) -> ResponseReturnValue:
    """Undo a bonus, or restore it."""
    season = find_season(season_id)
    found = League.from_dict(season.league).find(uid)
    if _is_closed(season):
        pass
    elif not found:
        flash("That bonus no longer exists.")
    else:
        seasons.set_bonus(season, replace(found, undone=what == "undo"), scorer_name())
        flash(f"The bonus for {_name_in(found)} was {'undone' if what == 'undo' else 'restored'}.")
    return _to(season, "bonus")


# --- divisions, and the starting order of a ladder ----------------------------------------------------------------


@bp.get("/c/<key>/seasons/<int:season_id>/divisions")
def show_divisions(season_id: int) -> ResponseReturnValue:
    return _players_page("divisions", season_id, League.from_dict(find_season(season_id).league).division_of)


def _players_page(page: str, season_id: int, typed: Mapping[str, str], wrong: str = "") -> str:
    """A line a player, with what was typed or chosen for each."""
    about = {"names": members(), "typed": typed, "letters": DIVISIONS, "wrong_with": wrong}
    return render(f"seasons/{page}.html", season=find_season(season_id), **about)


def _typed_by_player() -> dict[str, str]:
    known = members()
    return {uid: text.strip() for uid, text in request.form.items() if uid in known and text.strip()}


@bp.post("/c/<key>/seasons/<int:season_id>/divisions")
def save_divisions(season_id: int) -> ResponseReturnValue:
    season, typed = find_season(season_id), _typed_by_player()
    if not _is_closed(season):
        if not set(typed.values()) <= set(DIVISIONS):
            return _players_page("divisions", season_id, typed, "Choose a division from the list."), 422
        seasons.set_divisions(season, typed, scorer_name())
        flash("Divisions saved.")
    return _to(season)


@bp.get("/c/<key>/seasons/<int:season_id>/start")
def show_start_order(season_id: int) -> ResponseReturnValue:
    start = League.from_dict(find_season(season_id).league).start
    return _players_page("start_order", season_id, {uid: str(rung) for rung, uid in enumerate(start, 1)})


@bp.post("/c/<key>/seasons/<int:season_id>/start")
def save_start_order(season_id: int) -> ResponseReturnValue:
    """Players without a rung start at the bottom with their first game; rungs left out between are closed up."""
    season, typed = find_season(season_id), _typed_by_player()
    rungs = {uid: number_in(text) or 0 for uid, text in typed.items()}
    if not _is_closed(season):
        if len(set(rungs.values())) < len(rungs) or not all(0 < rung <= LAST_RUNG for rung in rungs.values()):
            return _players_page("start_order", season_id, typed, messages.WHICH_RUNG), 422
        seasons.set_start(season, sorted(rungs, key=rungs.__getitem__), scorer_name())
        flash("Starting order saved.")
    return _to(season)


# --- playoffs: a bracket drawn from the table, and the game of each match -----------------------------------------


class PlayoffsPage(NamedTuple):
    """What the page shows: the bracket round by round, or that there is none."""

    season: Season
    bracket: Bracket | None

    @property
    def sizes(self) -> list[int]:
        """The sizes that can be drawn from the table as it is now."""
        ranked = len(_seeds(self.season, max(SIZES)))
        return [size for size in SIZES if ranked >= LEAST_RANKED[size]]

    @property
    def rounds(self) -> list[tuple[str, list[Match]]]:
        found = self.bracket.rounds if self.bracket else []
        return [(messages.ROUNDS[len(matches)], matches) for matches in found]

    @property
    def winner(self) -> str:
        return messages.playoffs_won(self.bracket)

    def games(self, match: Match) -> list[Played]:
        """The games that can be picked for a match; none while it is not known who plays it."""
        return [] if match.bye else candidates(self.season, match)


@bp.get("/c/<key>/seasons/<int:season_id>/playoffs")
def show_playoffs(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    page = PlayoffsPage(season, bracket_of(season))
    return render("seasons/playoffs.html", season=season, page=page)


@bp.post("/c/<key>/seasons/<int:season_id>/playoffs")
def draw_playoffs(season_id: int) -> ResponseReturnValue:
    """Draw the bracket from the table as it is now; one that is there already is kept."""
    season, size = find_season(season_id), number_in(request.form.get("size", ""))
    if size not in SIZES:
        flash("Choose how many players are in the playoffs.")
    elif League.from_dict(season.league).playoffs is None:
        seeds, least = _seeds(season, size), LEAST_RANKED[size]
        if len(seeds) < least:
            flash(f"Playoffs of the top {size} need at least {least} ranked players. The table does not have them yet.")
        else:
            seasons.set_playoffs(season, Playoffs(size, seeds), scorer_name())
            flash("Playoffs drawn.")
    return _to(season, "playoffs")


def _seeds(season: Season, size: int) -> tuple[Seed, ...]:
    """Who is in a bracket of a size, by the table as it is now."""
    table = standings(g.club, seasons.scheme_of(season), Choice(season_id=season.id))
    uids = {number: uid for uid, number in ids_of(g.club.id).items()}
    return seeds_of(table.lines, size, uids)


@bp.post("/c/<key>/seasons/<int:season_id>/playoffs/remove")
def remove_playoffs(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    seasons.set_playoffs(season, None, scorer_name())
    flash("Playoffs removed.")
    return _to(season, "playoffs")


@bp.post("/c/<key>/seasons/<int:season_id>/playoffs/<match>")
def pick_game(season_id: int, match: str) -> ResponseReturnValue:
    """Pick the game of a match, or none."""
    season = find_season(season_id)
    bracket = bracket_of(season)
    found = bracket.match(match) if bracket else None
    if bracket is None or found is None:
        abort(404)
    uid = request.form.get("game", "")
    if uid not in (NO_GAME, *(game.uid for game in candidates(season, found))):
        flash("Choose a game from the list.")
    else:
        picked = bracket.kept.with_game(match, None if uid == NO_GAME else uid)
        seasons.set_playoffs(season, picked, scorer_name())
        flash("Saved.")
    return _to(season, "playoffs")


# --- forfeits: games that were not played, with the players who win and lose them ---------------------------------


def _table_kinds(season: Season) -> dict[str, TableKind]:
    """The tables that can be chosen: those of the season's games, else of the club's, else the usual ones."""
    columns = select(GameGroup.rules_id, GameGroup.players, GameGroup.teams)
    found: list[TableKind] = []
    for here in (in_season(season.id), GameGroup.club_id == g.club.id):
        rows = db.session.execute(columns.where(here).distinct()).all()
        found = found or sorted((rules, players, teams) for rules, players, teams in rows if rules in CATALOGUE)
    return {"-".join(map(str, kind)): kind for kind in found or map(_usual_kind, CATALOGUE)}


def _usual_kind(rules_id: str) -> TableKind:
    table = find_rules(rules_id).table
    players = table.players[0]
    return rules_id, players, team_formats(players, table.teams)[0] if table.sides == "teams" else 0


def _chosen_kind(season: Season, text: str) -> TableKind:
    """The table that was chosen, else the first."""
    kinds = _table_kinds(season)
    return kinds.get(text) or next(iter(kinds.values()))


@bp.get("/c/<key>/seasons/<int:season_id>/forfeit")
def show_forfeit(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    kind = _chosen_kind(season, request.args.get("table", ""))
    return _forfeit_page(season, kind, ForfeitForm(find_table(*kind), formdata=None, data={"day": g.club.today}))


def _forfeit_page(season: Season, kind: TableKind, form: ForfeitForm) -> str:
    kinds = _table_kinds(season)
    about = {
        "options": [
            (value, f"{find_rules(rules).name}, {table_name(*rest)}") for value, (rules, *rest) in kinds.items()
        ],
        "chosen": "-".join(map(str, kind)),
        "names": members(guests=True),
        "token": posted_token() or new_token(),
    }
    return render("seasons/forfeit.html", season=season, form=form, **about)


@bp.post("/c/<key>/seasons/<int:season_id>/forfeit")
def save_forfeit(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    kind = _chosen_kind(season, request.form.get("table", ""))
    table = find_table(*kind)
    form = ForfeitForm(table)
    if not _is_closed(season):
        if not form.validate():
            return _forfeit_page(season, kind, form), 422
        winners, losers = form.names("winner"), form.names("loser")
        day = form.day.data or g.club.today
        record_forfeit(g.club, table, winners, losers, played=day, season=season, token=posted_token())
        flash(ended(f"Forfeit saved: a win for {listed(winners)}"))
    return _to(season)
