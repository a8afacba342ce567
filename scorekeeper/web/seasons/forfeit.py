"""A forfeit: a game of a season that was not played, with the players who win and lose it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import GameGroup, Season
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import CATALOGUE, find_rules, team_formats
from scorekeeper.scoring.table import Table
from scorekeeper.services.games_from_paper import record_forfeit
from scorekeeper.stats.query import in_season
from scorekeeper.web.common.fields import PageForm
from scorekeeper.web.common.scope import find_season, scoped
from scorekeeper.web.common.tokens import new_token, posted_token
from scorekeeper.web.common.words import listed
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.game_sentences import FORMATS

from .bonus import members
from .day import Day

bp = scoped(Blueprint("forfeit", __name__, url_prefix="/c/<key>/seasons/<int:season_id>/forfeit"))
Kind = tuple[str, int, int]  # a rule set's id, players, teams


def kinds(season: Season) -> list[Kind]:
    """The tables that can be chosen: those of the season's games, else of the club's, else the usual ones."""
    columns = select(GameGroup.rules_id, GameGroup.players, GameGroup.teams)
    for here in (in_season(season.id), GameGroup.club_id == g.club.id):
        rows = db.session.execute(columns.where(here).distinct()).all()
        if found := sorted((rules, players, teams) for rules, players, teams in rows if rules in CATALOGUE):
            return found
    return [_usual(rules_id) for rules_id in CATALOGUE]


def _usual(rules_id: str) -> Kind:
    rules = find_rules(rules_id)
    players = rules.table.players[0]
    formats = team_formats(players, rules.table.teams) if rules.table.sides == "teams" else (0,)
    return rules_id, players, formats[0]


def _value(kind: Kind) -> str:
    return "-".join(map(str, kind))


class ForfeitForm(PageForm):
    """Who wins and who loses, and on which day. Its seats follow from the table."""

    day = Day()

    def __init__(self, table: Table, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        first = table.seats_of(table.units[0])
        self.seats = {
            "winner": [f"winner-{n}" for n in range(1, len(first) + 1)],
            "loser": [f"loser-{n}" for n in range(1, len(table.seats) - len(first) + 1)],
        }
        self.who = {name: request.form.get(name, "") for names in self.seats.values() for name in names}
        self.seat_errors: list[str] = []

    def validate(self, *args: Any, **kwargs: Any) -> bool:
        valid = super().validate(*args, **kwargs)
        if self.day.data is None and not self.day.errors:
            self.day.errors = [say.A_DAY]
        chosen, known = list(self.who.values()), members(guests=True)
        if any(uid not in known for uid in chosen):
            self.seat_errors = [say.EVERY_SEAT]
        elif len(set(chosen)) < len(chosen):
            self.seat_errors = [say.NAME_IN_TWO_SEATS]
        return valid and not (self.seat_errors or self.day.errors)

    def names(self, side: str) -> list[str]:
        """The names of those who win, or lose; of a form that is valid."""
        known = members(guests=True)
        return [known[self.who[name]] for name in self.seats[side]]


@bp.get("")
def show(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    kind = _kind(season, request.args.get("table", ""))
    return _page(season, kind, ForfeitForm(_table(kind), formdata=None, data={"day": g.club.today}))


def _kind(season: Season, text: str) -> Kind:
    """The table that was chosen, else the first."""
    there = {_value(kind): kind for kind in kinds(season)}
    return there.get(text) or next(iter(there.values()))


def _label(kind: Kind) -> str:
    rules_id, players, teams = kind
    return f"{find_rules(rules_id).name}, {players} players, {FORMATS.get(teams, f'{teams} teams')}"


def _table(kind: Kind) -> Table:
    return find_table(*kind)


def _page(season: Season, kind: Kind, form: ForfeitForm) -> str:
    about = {
        "options": [(_value(one), _label(one)) for one in kinds(season)],
        "chosen": _value(kind),
        "names": members(guests=True),
        "token": posted_token() or new_token(),
    }
    return render_template("seasons/forfeit.html", club=g.club, season=season, form=form, **about)


@bp.post("")
def save(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    kind = _kind(season, request.form.get("table", ""))
    form = ForfeitForm(_table(kind))
    if season.closed_at is not None:
        flash(say.SEASON_IS_CLOSED)
    elif not form.validate():
        return _page(season, kind, form), 422
    else:
        winners, losers = form.names("winner"), form.names("loser")
        day = form.day.data or g.club.today
        record_forfeit(g.club, _table(kind), winners, losers, played=day, season=season, token=posted_token())
        flash(say.forfeit_saved(listed(winners)))
    return redirect(url_for("standings.show", key=g.club.key, season_id=season.id), 303)
