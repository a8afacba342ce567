"""Bonus and penalty points of a season: given with a reason, undone and restored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.database.session import db
from scorekeeper.models import Player, Season
from scorekeeper.services import seasons
from scorekeeper.stats.league import LONGEST_REASON, MOST_BONUSES, Bonus, League
from scorekeeper.stats.schemes import POINTS
from scorekeeper.web.common.fields import PageForm, Pick, Token, clean_name, signed_number
from scorekeeper.web.common.scope import find_season, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.common.tokens import new_token
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.season_sentences import points_said

from .day import Day

bp = scoped(Blueprint("bonus", __name__, url_prefix="/c/<key>/seasons/<int:season_id>/bonus"))


def members(*, guests: bool = False) -> dict[str, str]:
    """The club's players, with its guests or without: their names by uid, in the order of the names."""
    mine = select(Player.uid, Player.name).where(Player.club_id == g.club.id)
    rows = db.session.execute((mine if guests else mine.where(~Player.guest)).order_by(Player.name))
    return {row.uid: row.name for row in rows}


class BonusForm(PageForm):
    """Who is given how many points, for what, and on which day."""

    player = Pick(str)
    points = Pick(signed_number(say.MOST, say.BONUS_POINTS))
    reason = StringField(filters=[clean_name])
    day = Day()
    token = Token()

    def validate_player(self, field: Pick) -> None:
        if field.data not in members():
            raise ValidationError(say.WHICH_PLAYER)

    def validate_points(self, field: Pick) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(say.BONUS_POINTS)

    def validate_reason(self, field: StringField) -> None:
        if not field.data:
            raise ValidationError(say.WHY_BONUS)
        if len(field.data) > LONGEST_REASON:
            raise ValidationError(say.bonus_too_long(LONGEST_REASON))

    def validate_day(self, field: Day) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(say.A_DAY)

    @property
    def bonus(self) -> Bonus:
        """What is given; of a form that is valid. Its token names it, so that a double tap gives it once."""
        token = str(self.token.data)
        points, day = self.points.data or 0, self.day.data or g.club.today
        return Bonus(str(self.player.data), points, str(self.reason.data), day, uid=token)


@dataclass(frozen=True, slots=True)
class BonusLine:
    """A bonus as the list shows it."""

    uid: str
    name: str
    points: str
    reason: str
    day: date
    undone: bool


def _line(bonus: Bonus, names: dict[str, str]) -> BonusLine:
    name = names.get(bonus.player, say.SOMEBODY_GONE)
    return BonusLine(bonus.uid, name, points_said(bonus.points), bonus.reason, bonus.day, bonus.undone)


@bp.get("")
def show(season_id: int) -> ResponseReturnValue:
    form = BonusForm(formdata=None, data={"day": g.club.today, "token": new_token()})
    return _page(find_season(season_id), form)


def _page(season: Season, form: BonusForm) -> str:
    names = members()
    given = League.from_dict(season.league).bonuses
    lines = [_line(one, names) for one in reversed(given)]
    counts = seasons.scheme_of(season).by == POINTS
    about: dict[str, Any] = {"lines": lines, "names": names, "counts": counts}
    return render_template("seasons/bonus.html", club=g.club, season=season, form=form, **about)


@bp.post("")
def give(season_id: int) -> ResponseReturnValue:
    season, form = find_season(season_id), BonusForm()
    if season.closed_at is not None:
        flash(say.SEASON_IS_CLOSED)
    elif not form.validate():
        return _page(season, form), 422
    else:
        flash(_give(season, form.bonus))
    return _back(season)


def _give(season: Season, bonus: Bonus) -> str:
    """Give it, and what to say of it."""
    given = League.from_dict(season.league).bonuses
    if len(given) >= MOST_BONUSES:
        return say.TOO_MANY_BONUSES
    if bonus.uid not in [one.uid for one in given]:
        seasons.set_bonus(season, bonus, scorer_name())
    return say.bonus_given(points_said(bonus.points), _name(bonus))


def _name(bonus: Bonus) -> str:
    return members().get(bonus.player, say.SOMEBODY_GONE)


@bp.post("/<uid>/<any(undo, restore):what>")
def undo(season_id: int, uid: str, what: str) -> ResponseReturnValue:
    """Undo a bonus, or restore it."""
    season = find_season(season_id)
    found = League.from_dict(season.league).find(uid)
    if season.closed_at is not None:
        flash(say.SEASON_IS_CLOSED)
    elif not found:
        flash(say.BONUS_IS_GONE)
    else:
        undone = what == "undo"
        seasons.set_bonus(season, replace(found, undone=undone), scorer_name())
        flash(say.bonus_undone(_name(found), undone=undone))
    return _back(season)


def _back(season: Season) -> ResponseReturnValue:
    return redirect(url_for(".show", key=g.club.key, season_id=season.id), 303)
