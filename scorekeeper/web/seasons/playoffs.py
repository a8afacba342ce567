"""The playoffs of a season: a bracket drawn from its table, and the game of each match."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.models import Season
from scorekeeper.services import seasons
from scorekeeper.stats.league import (
    SIZES,
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
from scorekeeper.stats.query import Choice
from scorekeeper.stats.standings import standings
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.scope import find_season, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.season_sentences import ROUNDS, playoffs_won

bp = scoped(Blueprint("playoffs", __name__, url_prefix="/c/<key>/seasons/<int:season_id>/playoffs"))
NO_GAME = "none"
LEAST_RANKED = {4: 2, 8: 5}  # players with a place; of fewer than five, a bracket of four leaves less empty


@dataclass(frozen=True)
class PlayoffsPage:
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
        return [(ROUNDS[len(matches)], matches) for matches in found]

    @property
    def winner(self) -> str:
        return playoffs_won(self.bracket)

    def games(self, match: Match) -> list[Played]:
        """The games that can be picked for a match; none while it is not known who plays it."""
        return [] if match.bye else candidates(self.season, match)


@bp.get("")
def show(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    page = PlayoffsPage(season, bracket_of(season))
    return render_template("seasons/playoffs.html", club=g.club, season=season, page=page)


@bp.post("")
def draw(season_id: int) -> ResponseReturnValue:
    """Draw the bracket from the table as it is now; one that is there already is kept."""
    season, size = find_season(season_id), number_in(request.form.get("size", ""))
    if size not in SIZES:
        flash(say.WHICH_SIZE)
    elif League.from_dict(season.league).playoffs is None:
        flash(_draw(season, size))
    return _back(season)


def _draw(season: Season, size: int) -> str:
    """Draw it, and what to say of that."""
    seeds = _seeds(season, size)
    if len(seeds) < LEAST_RANKED[size]:
        return say.too_few_seeds(size, LEAST_RANKED[size])
    seasons.set_playoffs(season, Playoffs(size, seeds), scorer_name())
    return say.PLAYOFFS_DRAWN


def _seeds(season: Season, size: int) -> tuple[Seed, ...]:
    """Who is in a bracket of a size, by the table as it is now."""
    table = standings(g.club, seasons.scheme_of(season), Choice(season_id=season.id))
    uids = {number: uid for uid, number in ids_of(g.club.id).items()}
    return seeds_of(table.lines, size, uids)


@bp.post("/remove")
def remove(season_id: int) -> ResponseReturnValue:
    season = find_season(season_id)
    seasons.set_playoffs(season, None, scorer_name())
    flash(say.PLAYOFFS_REMOVED)
    return _back(season)


@bp.post("/<match>")
def pick(season_id: int, match: str) -> ResponseReturnValue:
    """Pick the game of a match, or none."""
    season = find_season(season_id)
    bracket = bracket_of(season)
    found = bracket.match(match) if bracket else None
    if bracket is None or found is None:
        abort(404)
    uid = request.form.get("game", "")
    if uid not in (NO_GAME, *(game.uid for game in candidates(season, found))):
        flash(say.WHICH_GAME)
    else:
        picked = bracket.kept.with_game(match, None if uid == NO_GAME else uid)
        seasons.set_playoffs(season, picked, scorer_name())
        flash(say.GAME_PICKED)
    return _back(season)


def _back(season: Season) -> ResponseReturnValue:
    return redirect(url_for(".show", key=g.club.key, season_id=season.id), 303)
