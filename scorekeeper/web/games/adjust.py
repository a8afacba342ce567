"""A score adjusted by a number, with a reason: the latest hand says it, so it is undone like any change of a hand."""

from __future__ import annotations

from flask import Blueprint, flash, request
from flask.typing import ResponseReturnValue
from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import Game
from scorekeeper.scoring.facts import Adjustment
from scorekeeper.scoring.hand_facts import AdjustmentFacts
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import MOST_ADJUSTED, MOST_LETTERS
from scorekeeper.scoring.rules.fields import Scale
from scorekeeper.services import hands as ledger
from scorekeeper.web.common.fields import (
    ChoiceField,
    PageForm,
    clean_name,
    new_token,
    posted_token,
    posted_version,
    signed_number,
)
from scorekeeper.web.common.scope import find_game, find_snapshot, go_to, render, scoped
from scorekeeper.web.common.scorer import scorer_name

from .score_sheet import Sheet

WHICH_UNIT = "Tap whose score changes."
WHAT_NUMBER = f"Enter a whole number from −{MOST_ADJUSTED} to {MOST_ADJUSTED}, and not 0."
bp = scoped(Blueprint("adjust", __name__, url_prefix="/c/<key>/games/<int:number>/adjust"))


class AdjustForm(PageForm):
    """Whose score changes, by how much, and why."""

    SENTENCES = {"no-such-unit": WHICH_UNIT}
    FIELDS = {"no-such-unit": "unit", "": "reason"}
    unit = ChoiceField(str)
    points = ChoiceField(signed_number(MOST_ADJUSTED, WHAT_NUMBER))
    reason = StringField(filters=[clean_name])

    def validate_unit(self, field: ChoiceField) -> None:
        if not field.data:
            raise ValidationError(WHICH_UNIT)

    def validate_points(self, field: ChoiceField) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(WHAT_NUMBER)

    def validate_reason(self, field: StringField) -> None:
        if not field.data:
            raise ValidationError("Say why, for example: revoke.")
        if len(field.data) > MOST_LETTERS:
            raise ValidationError(f"Use at most {MOST_LETTERS} letters.")

    def adjustment(self, scale: Scale) -> Adjustment:
        """What is to change, typed as the score is shown; of a form that is valid."""
        return Adjustment(str(self.unit.data), scale.change(int(self.points.data or 0)), self.reason.data or "")


@bp.get("")
def show(number: int) -> ResponseReturnValue:
    return _page(number, AdjustForm(formdata=None))


def _page(number: int, form: AdjustForm) -> str:
    game = find_snapshot(number)
    typed = {name: request.form.get(name, "") for name in ("unit", "points", "reason")}
    about = {"sheet": Sheet(game), "form": form, "typed": typed, "token": new_token()}
    return render("games/adjust.html", game=game, **about)


@bp.post("")
def adjust(number: int) -> ResponseReturnValue:
    """Adjust a score with the latest hand; a form that is behind the game changes nothing."""
    game, form = find_game(number), AdjustForm()
    if not form.validate():
        return _page(number, form), 422
    change = form.adjustment(game.table.rules.win.scale)
    try:
        _save(game, change)
    except Refused as refused:
        form.refuse(refused.problems)
        return _page(number, form), 422
    except ledger.Conflict:
        flash("Somebody else has changed this game. Look at the score, then adjust it again.")
        return go_to(".show", number=number)
    flash(f"Score adjusted. {Sheet(find_snapshot(number)).narrator.adjustment(change)}")
    return go_to("games.sheet", number=number)


def _save(game: Game, change: Adjustment) -> None:
    """Raises Refused, and Conflict when the latest hand is not the one that the form showed."""
    if not game.hands:
        raise Refused([Problem("no-hand", "", "enter the first hand, then adjust the score")])
    hand = game.hands[-1]
    added = AdjustmentFacts(unit=change.unit, points=change.points, reason=change.reason)
    adjustments = [*hand.facts.get("adjustments", []), added]
    version = posted_version("hand_version")
    ledger.adjust(
        game, hand.position, adjustments, hand_version=-1 if version is None else version, token=posted_token(),
        by=scorer_name(),
    )  # fmt: skip
