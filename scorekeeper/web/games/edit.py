"""A game's page for what is changed of it besides its hands: its day, whether it counts, and deleting it."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, abort, flash, g, request
from flask.typing import ResponseReturnValue
from wtforms.validators import ValidationError

from scorekeeper.models import Game
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import games
from scorekeeper.undo import deleted_items as deletion
from scorekeeper.web.common import club_changes as changes
from scorekeeper.web.common.fields import Day, PageForm
from scorekeeper.web.common.scope import find_game, find_snapshot, go_to, render, scoped
from scorekeeper.web.common.scorer import scorer_name

from .score_sheet import Sheet

bp = scoped(Blueprint("edit", __name__, url_prefix="/c/<key>/games/<int:number>/edit"))

YES, NO = "yes", "no"
A_DAY = timedelta(days=1)  # a table may be elsewhere than its club


class DayForm(PageForm):
    """The day on which a game was played."""

    played = Day()

    def validate_played(self, field: Day) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError("Enter the day on which the game was played.")
        if field.data and field.data > g.club.today + A_DAY:
            raise ValidationError("That day is still to come.")


@bp.get("")
def show(number: int) -> ResponseReturnValue:
    return _page(number)


def _page(number: int, form: DayForm | None = None) -> str:
    game = find_snapshot(number)
    form = form or DayForm(formdata=None, data={"played": game.played})
    return render("games/edit.html", game=game, sheet=Sheet(game), form=form)


@bp.post("/day")
def correct_day(number: int) -> ResponseReturnValue:
    """Correct the day; a game that is now outside its season's days says so."""
    game, form = find_game(number), DayForm()
    if not form.validate():
        return _page(number, form), 422
    games.set_day(game, form.played.data or game.played, scorer_name())
    flash(changes.day_corrected(number, game.played))
    for season in games.outside_of(game):
        flash(changes.day_outside(season.name))
    return _to_sheet(number)


@bp.post("/counts")
def set_counts(number: int) -> ResponseReturnValue:
    """Let a finished game count, or not."""
    game, wanted = find_game(number), request.form.get("is")
    if wanted not in (YES, NO):
        abort(422)
    if _is_open(game):
        flash(changes.NOT_FINISHED)
    else:
        games.set_counts(game, wanted == YES, scorer_name())
        flash(changes.now_counts(number, counts=wanted == YES))
    return _to_sheet(number)


def _is_open(game: Game) -> bool:
    return game.score().outcome is None and not game.left_out


@bp.post("/delete")
def delete(number: int) -> ResponseReturnValue:
    try:
        deletion.delete_game(find_game(number), scorer_name())
    except Refused as refused:
        flash(f"{refused.problems[0].message}.")
        return _to_sheet(number)
    flash(changes.game_deleted(number))
    return go_to("clubs.show")


def _to_sheet(number: int) -> ResponseReturnValue:
    return go_to("games.sheet", number=number)
