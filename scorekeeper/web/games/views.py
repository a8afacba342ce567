"""Games: start, score sheet, undo and redo, rematch, adjust, edit, delete and share."""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Blueprint, Response, abort, flash, g, request
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from scorekeeper import charts
from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, FORFEIT, LATEST_FIRST, Game, Season, uid_from
from scorekeeper.scoring.facts import Adjustment
from scorekeeper.scoring.hand_facts import AdjustmentFacts
from scorekeeper.scoring.points import leaders
from scorekeeper.scoring.problems import Refused, refusal
from scorekeeper.services import custom_rules, games, links
from scorekeeper.services import hands as hand_service
from scorekeeper.services.game_reader import SheetSnapshot, Snapshot, read_sheet, read_snapshot
from scorekeeper.services.games import create_game, latest_game
from scorekeeper.services.players import known_players, names_in, replace_in, retired_of
from scorekeeper.services.seasons import running
from scorekeeper.undo import deletion
from scorekeeper.web.common.club_changes import day_outside
from scorekeeper.web.common.fields import (
    new_token,
    parse_number,
    posted_answer,
    posted_token,
    posted_version,
    token_or_new,
)
from scorekeeper.web.common.numbers import day
from scorekeeper.web.common.page_cache import cached_page
from scorekeeper.web.common.scope import (
    find_game,
    find_snapshot,
    flash_undoable,
    go_to,
    reads_game,
    render,
    says_reopened,
    scoped,
    scorer_name,
)
from scorekeeper.web.common.words import ended
from scorekeeper.web.seasons.forms import NO_SEASON, chosen_seasons, usual_season

from .board import last_rematch
from .device import has_four_colors
from .forms import AdjustForm, DayForm, SubstituteForm, WrongPlayerForm
from .history import History, change_message, short_message
from .live import live_sheet, others_entering, substitutes_for
from .score_sheet import RecordPage, SharedResult, Sheet
from .setup import SetupForm

bp = scoped(Blueprint("games", __name__))
WHOLE, MINUS = re.compile(r"[-+]?\d{1,4}", re.ASCII), re.compile("[−–]")
FROM_QUERY = ("rules", "players", "teams", "target", "house")  # beginnings of the names of inputs
STATES_SAID = {
    "open": "Game resumed.",
    "paused": "Game paused.",
    "abandoned": "Game abandoned.",
}


# --- starting ---


@bp.get("/c/<key>/games/new")
def new() -> ResponseReturnValue:
    like = parse_number(request.args.get("like", ""))
    setup = _setup_from(find_game(like) if like else _latest_game())
    if "rules" in request.args:
        setup.values = _values_from_query(setup.values)
        setup.seat_as_saved(custom_rules.seated(g.club))
    setup.leave_out(retired_of(g.club, setup.names))
    return _setup_page(setup)


def _values_from_query(values: MultiDict[str, str]) -> MultiDict[str, str]:
    """Rules, house rules, players and target from the query string, with the last game's seats."""
    kept = [(name, text) for name, text in values.items(multi=True) if name.startswith(("name-", "dealer"))]
    named = [(name, text) for name, text in request.args.items(multi=True) if name.startswith(FROM_QUERY)]
    return MultiDict([*kept, *named])


@bp.post("/c/<key>/games/new")
def create() -> ResponseReturnValue:
    seasons = running(g.club, g.club.today)
    offers = _offered(seasons, _latest_game())
    setup = SetupForm(MultiDict(request.form), known_players(g.club.id), offers, custom_rules.rules_of(g.club))
    if setup.has_changed_rules:
        setup.seat_as_saved(custom_rules.seated(g.club))
    if setup.take_step() or request.form.get("do") != "start" or setup.shown_before != setup.shown:
        return _setup_page(setup)
    rules = setup.built_rules() if setup.validate() else None
    if rules is None:
        return _setup_page(setup), 422
    season = next((season for season in seasons if str(season.id) == setup.season), None)
    return _begin(lambda: setup, lambda: create_game(
        g.club, names=setup.names, first_dealer=setup.dealer, options=setup.options, players=setup.players,
        teams=setup.teams, rules=rules, once=True, token=setup.token,
        seasons=chosen_seasons(season, [season for season in seasons if str(season.id) in setup.also]),
    ))  # fmt: skip


def _begin(setup: Callable[[], SetupForm], start: Callable[[], Game]) -> ResponseReturnValue:
    """Start a game and open its first hand; if it is refused, the page of `setup` says why."""
    try:
        game = start()
    except Refused as refused:
        refusing = setup()
        refusing.refuse(refused.problems)
        return _setup_page(refusing), 422
    links.make_for_board(g.club)
    return go_to("hands.new", number=game.number)


def _setup_from(game: Game | None) -> SetupForm:
    offered = known_players(g.club.id), _offered(running(g.club, g.club.today), game), custom_rules.rules_of(g.club)
    if game is None:
        return SetupForm(MultiDict(), *offered)
    return SetupForm.from_game(game, hand_service.next_dealer(game), *offered)


def _offered(seasons: list[Season], latest: Game | None) -> dict[str, str]:
    """Season names by id to choose from, default first; empty if none runs."""
    first = usual_season(seasons, latest)
    usual = str(first.id) if first else NO_SEASON
    offers = {str(season.id): season.name for season in seasons} | {NO_SEASON: "No season (all-time only)"}
    return {usual: offers[usual]} | offers if seasons else {}


def _setup_page(setup: SetupForm) -> str:
    if setup.is_choosing:
        setup.played = games.rules_played(g.club)
    return render("games/new.html", setup=setup)


def _latest_game() -> Game | None:
    """The game started last; if all are from paper, the latest of those."""
    listed = select(Game).where(Game.club_id == g.club.id).order_by(*LATEST_FIRST).limit(1)
    return latest_game(g.club) or db.session.scalar(listed)


@bp.post("/c/<key>/games/<int:number>/again")
def again(number: int) -> ResponseReturnValue:
    """Start a rematch with the same rules and seats and the deal moved on; redirect to an open one if there is one."""
    game = find_game(number)
    last = last_rematch(game)
    if last is not game and last.state != ABANDONED and last.score.outcome is None:
        return go_to("hands.new", number=last.number)
    if retired_of(g.club, game.names_next):
        return go_to("games.new", like=number)
    seasons = running(g.club, g.club.today)
    return _begin(lambda: _setup_from(game), lambda: create_game(
        g.club, names=game.names_next, first_dealer=hand_service.next_dealer(game), options=game.options,
        players=game.players, teams=game.teams, rules=game.table.rules, previous=game, once=True,
        seasons=chosen_seasons(usual_season(seasons, game), [one for one in seasons if one in game.also]),
        token=token_or_new(posted_token()),
    ))  # fmt: skip


# --- the score sheet ---


@bp.get("/c/<key>/games/<int:number>/")
@reads_game(read_sheet)
def sheet() -> ResponseReturnValue:
    game: SheetSnapshot = g.snapshot
    known = substitutes_for(game)
    of_device = scorer_name(), has_four_colors(), tuple(others_entering(game))
    return cached_page(
        (game.text, known and tuple(known), of_device),
        lambda token: render("games/sheet.html", token=token, **live_sheet(game, known)),
    )


def _not_substituted(number: int, form: SubstituteForm) -> ResponseReturnValue:
    game = read_sheet(g.club.key, number) or abort(404)
    return render("games/sheet.html", token=new_token(), **live_sheet(game, known_players(g.club.id), form)), 422


@bp.post("/c/<key>/games/<int:number>/undo")
@bp.post("/c/<key>/games/<int:number>/redo", endpoint="redo")
def undo(number: int) -> ResponseReturnValue:
    """Undo or redo, and report the result; nothing is changed if the page's version is out of date."""
    game, version, is_undo = find_game(number), posted_version("game_version"), request.endpoint == "games.undo"
    before, were_open = game.score, [season for season in game.seasons if season.closed_at is None]
    step = hand_service.undo if is_undo else hand_service.redo
    try:
        saved = step(game, token=posted_token(), game_version=version)
    except hand_service.Conflict:
        meanwhile = short_message(History(game).since(version or 0))
        flash(f"Another phone changed the game first, so nothing was {'undone' if is_undo else 'redone'}. {meanwhile}")
    except Refused as refused:
        flash(f"Nothing was changed: {refused.problems[0].message}.")
    else:
        if saved:
            flash(change_message(saved.change, before, game, were_open), "undone" if is_undo else "message")
        else:
            flash("Nothing to undo." if is_undo else "Nothing to redo.")
    endpoint = "hands.new" if request.form.get("back") == "hand" else "games.sheet"
    return go_to(endpoint, number=number)


@bp.post("/c/<key>/games/<int:number>/state")
def set_state(number: int) -> ResponseReturnValue:
    """Pause, abandon or resume a game."""
    game, state = find_game(number), request.form.get("state", "")
    if state in STATES_SAID:
        try:
            if state == ABANDONED and game.score.outcome:
                raise refusal("game-over", "the game is over", "state")
            hand_service.set_state(game, state)
        except Refused as refused:
            flash(f"Nothing was changed: {refused.problems[0].message}.")
        else:
            flash(STATES_SAID[state])
    return _to_sheet(game)


@bp.post("/c/<key>/games/<int:number>/seat")
def substitute(number: int) -> ResponseReturnValue:
    """Substitute a player from the next hand on."""
    game, form = find_game(number), SubstituteForm()
    if not form.validate():
        return _not_substituted(number, form)
    seat, before = int(form.seat.data or 0), game.score
    try:
        if game.paper is None and game.score.outcome:  # a substitution would have no effect
            raise refusal("game-over", "the game is over", "seat")
        saved = hand_service.substitute(game, seat, form.name)
    except Refused as refused:
        form.refuse(refused.problems)
        return _not_substituted(number, form)
    if saved:
        flash(change_message(saved.change, before, game), "saved")
    else:
        flash(f"{game.names_next[seat - 1]} has that seat already.")
    return _to_sheet(game)


def _to_sheet(game: Game | Snapshot) -> ResponseReturnValue:
    return go_to("games.sheet", number=game.number)


# --- score adjustments: stored with the latest hand -------------------------------------------------------------------


@bp.get("/c/<key>/games/<int:number>/adjust")
def show_adjust(number: int, form: AdjustForm | None = None) -> str:
    game, form = find_snapshot(number), form or AdjustForm(formdata=None)
    return render("games/adjust.html", game=game, sheet=Sheet(game), form=form, token=new_token())


@bp.post("/c/<key>/games/<int:number>/adjust")
@says_reopened
def adjust(number: int) -> ResponseReturnValue:
    """Adjust a score with the latest hand; nothing is changed if the form's version is out of date."""
    game, form = find_game(number), AdjustForm()
    if not form.validate():
        return show_adjust(number, form), 422
    change = form.adjustment(game.table.rules.win.scale)
    try:
        _adjust(game, change)
    except Refused as refused:
        form.refuse(refused.problems)
        return show_adjust(number, form), 422
    except hand_service.Conflict:
        flash("Another phone changed this game. Look at the score, then adjust it again.")
        return go_to(".show_adjust", number=number)
    sheet = Sheet(find_snapshot(number))
    flash(f"Score adjusted. {sheet.narrator_of(sheet.game.length).adjustment(change)}")
    return _to_sheet(game)


def _adjust(game: Game, change: Adjustment) -> None:
    """Save the adjustment. Raises Refused, or Conflict if the latest hand is not the one shown by the form."""
    if not game.hands:
        raise refusal("no-hand", "enter the first hand, then adjust the score")
    hand = game.hands[-1]
    added = AdjustmentFacts(unit=change.unit, points=change.points, reason=change.reason)
    adjustments = [*hand.facts.get("adjustments", []), added]
    version, token = posted_version("hand_version"), posted_token()
    hand_service.adjust(
        game, hand.position, adjustments, hand_version=-1 if version is None else version,
        token=token and uid_from(token, added),  # the same form with other content is another one
    )  # fmt: skip


# --- its day, whether it counts, deletion -----------------------------------------------------------------------------


@bp.get("/c/<key>/games/<int:number>/edit")
def show_edit(
    number: int, form: DayForm | None = None, wrong_player: WrongPlayerForm | None = None, wrong_score: str = ""
) -> str:
    game = find_snapshot(number)
    form = form or DayForm(formdata=None, data={"played": game.played})
    stored = find_game(number)
    wrong_player = wrong_player or WrongPlayerForm(names_in(stored), None)
    about = {"form": form, "wrong_player": wrong_player, "wrong_score": wrong_score, "known": known_players(g.club.id)}
    closed = [season.name for season in stored.seasons if season.closed_at]
    return render("games/edit.html", game=game, sheet=Sheet(game), closed=closed, **about)


@bp.post("/c/<key>/games/<int:number>/edit/day")
@says_reopened
def correct_day(number: int) -> ResponseReturnValue:
    """Change the day; report seasons whose days no longer include it."""
    game, form = find_game(number), DayForm()
    if not form.validate():
        return show_edit(number, form), 422
    games.set_day(game, form.played.data or game.played)
    flash(f"Game {number} was played on {day(game.played)}.")
    for season in games.outside_of(game):
        flash(day_outside(season.name))
    return _to_sheet(game)


@bp.post("/c/<key>/games/<int:number>/edit/player")
@says_reopened
def replace_player(number: int) -> ResponseReturnValue:
    """Put right who played a finished game."""
    game = find_game(number)
    if game.score.outcome is None:
        flash("Finish the game first.")
        return _to_sheet(game)
    form = WrongPlayerForm(names_in(game))
    try:
        if not form.validate():
            return show_edit(number, wrong_player=form), 422
        was, player = replace_in(game, str(form.was.data), str(form.who.data))
    except Refused as refused:
        form.refuse(refused.problems)
        return show_edit(number, wrong_player=form), 422
    flash(ended(f"{player} replaced {was} in game {number}"))
    return _to_sheet(game)


@bp.post("/c/<key>/games/<int:number>/edit/score")
@says_reopened
def correct_score(number: int) -> ResponseReturnValue:
    """Correct the score of a game from paper, typed as the game shows it, and who won it."""
    game = find_game(number)
    if game.paper is None or game.paper.get(FORFEIT):
        flash("Nothing was changed: only a game from paper has a typed score.")
        return _to_sheet(game)
    units, scale = game.table.units, game.table.rules.win.scale
    typed = {unit: MINUS.sub("-", request.form.get(f"score-{unit}", "").strip()) for unit in units}
    winners = [unit for unit in units if unit in request.form.getlist("won")]
    if not winners or not all(WHOLE.fullmatch(text) for text in typed.values()):
        return show_edit(number, wrong_score="Enter each score as a whole number, and check who won."), 422
    totals = {unit: scale.score(int(text)) for unit, text in typed.items()}
    best, before = ([unit for unit in units if unit in leaders(scores)] for scores in (totals, game.paper["totals"]))
    follows = winners == before != best  # they won because of their score, which is not the best any more
    games.set_paper(game, {"totals": totals, "winners": best if follows else winners})
    flash(f"The score of game {number} was corrected{', and so was the winner' if follows else ''}.")
    return _to_sheet(game)


@bp.post("/c/<key>/games/<int:number>/edit/counts")
@says_reopened
def set_counts(number: int) -> ResponseReturnValue:
    """Set whether a finished game counts."""
    game, wanted = find_game(number), posted_answer()
    if game.score.outcome is None and not game.left_out:
        flash("Finish the game first.")
    else:
        games.set_counts(game, wanted)
        flash(f"Game {number} {'counts again' if wanted else 'no longer counts'}.")
    return _to_sheet(game)


@bp.post("/c/<key>/games/<int:number>/edit/delete")
@says_reopened
def delete(number: int) -> ResponseReturnValue:
    game = find_game(number)
    uid = game.uid
    try:
        deletion.delete_game(game)
    except Refused as refused:
        flash(f"{refused.problems[0].message}.")
        return _to_sheet(game)
    flash_undoable(f"Game {number} was deleted. For 30 days you can take it back under Changes.", uid)
    return go_to("clubs.show")


# --- its record, sharing its result -----------------------------------------------------------------------------------


@bp.get("/c/<key>/games/<int:number>/record")
def show_record(number: int) -> ResponseReturnValue:
    game, left = find_snapshot(number), parse_number(request.args.get("after", "")) or 0
    return render("games/record.html", game=game, page=RecordPage(game, find_game(number), left))


@bp.get("/c/<key>/games/<int:number>/share")
@reads_game(read_snapshot)
def share() -> ResponseReturnValue:
    """The page with the text to copy and the picture to save or share."""
    result = SharedResult(g.snapshot)
    if result.winner is None:
        return _to_sheet(g.snapshot)
    return render("games/share.html", game=result.game, result=result)


@bp.get("/c/<key>/games/<int:number>/share.svg")
@reads_game(read_snapshot)
def picture() -> ResponseReturnValue:
    result = SharedResult(g.snapshot)
    if (won := result.winner) is None:
        return _to_sheet(g.snapshot)
    title = f"{g.club.name}, game {g.snapshot.number}"
    size = charts.UPRIGHT if request.args.get("shape") == "upright" else charts.WIDE
    svg = charts.result_picture(title, won.headline, won.reason, result.lines, result.footer, size)
    return Response(svg, mimetype="image/svg+xml")
