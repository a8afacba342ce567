"""The tallies of all clubs: recounted after an upgrade of the counting, and compared with the hands.

For a comparison everything is recounted in memory, from one snapshot of the database, while others may write.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import TALLY_VERSION, Club, Game, GameCount, GameGroup, Json, Player, Result, Tally
from scorekeeper.scoring.problems import Refused

from . import archive, ratings, tallies
from .counting import SUMS, PlayerId
from .league import ids_of, league_of
from .query import also_in
from .ratings import RATING_COLUMNS, Rating

LOG = logging.getLogger(__name__)


def recount_older() -> None:
    """Recount clubs that an older version counted; clubs that cannot be counted are skipped with a warning."""
    for club in db.session.scalars(select(Club).where(Club.counted != TALLY_VERSION)).all():
        name = club.name
        try:
            with db_write(club):
                if club.counted != TALLY_VERSION:  # another server may have been faster
                    tallies.rebuild(club)
                    archive.store_missing_pages(club.seasons)
        except Refused as refused:
            LOG.warning("%s was not counted again: %s", name, refused)


class Checked(NamedTuple):
    """The number of a club's games that count, and the differences between tallies and hands."""

    games: int
    wrong: tuple[str, ...]


def check_tallies(club: Club, *, fix: bool = False) -> Checked:
    """Recount a club in memory and compare; with `fix`, rebuild if there are differences. Catches up ratings first.

    Others may write during the comparison, but not during the rebuild.
    """
    ratings.catch_up(club)
    db.session.rollback()
    kept, again = _contents(club), _recounted(club)
    games = sum(key[0] == "game" for key in again)
    checked = Checked(games, (*_differences(kept, again), *_wrong_seasons(club)))
    db.session.rollback()
    if fix and checked.wrong:
        with db_write(club):
            tallies.rebuild(club)
            archive.store_missing_pages(club.seasons)
            for season in club.seasons:
                season.league = league_of(season).of(ids_of(club.id)).to_dict()
    return checked


Key = tuple[Any, ...]
Contents = dict[Key, Any]


# --- the stored tallies -------------------------------------------------------------------------------------------


def _contents(club: Club) -> Contents:
    """All stored tallies of a club by their subject, without database ids."""
    found: Contents = {}
    for row in _rows(Result, club):
        found["game", row["number"]] = row["played"]
        found["result", row["number"], row["credit"], row["name"]] = _about_result(row)
    also = also_in(club.id)
    for row in _rows(Tally, club):
        kind = row["season_id"], row["rules_id"], row["players"], row["teams"], also[row["group_id"]], row["rule"]
        told = {name: row[name] for name in ("form", "beaten", "last_played", "detail", *SUMS)}
        found[("tally", *kind, row["name"])] = told
    mine = select(Game.id).where(Game.club_id == club.id)
    for whole in db.session.execute(select(*GameCount.__table__.columns).where(GameCount.game_id.in_(mine))):
        found["whole game", whole.number, whole.credit] = dict(whole._mapping)
    columns = Player.name, Player.mu, Player.sigma, Player.rated
    for name, *rating in db.session.execute(select(*columns).where(Player.club_id == club.id)):
        found["player", name] = tuple(rating)
    return found


def _about_result(row: Json) -> Json:
    return {name: row[name] for name in ("seat", "unit", "place", "played", "detail", *SUMS, *RATING_COLUMNS)}


def _rows(table: type[Result] | type[Tally], club: Club) -> Iterator[Json]:
    """The rows of a table, each with its group and its player's name; no objects, which the session would keep."""
    group = GameGroup.season_id, GameGroup.rules_id, GameGroup.players, GameGroup.teams, GameGroup.credit.label("rule")
    found = select(*table.__table__.columns, *group, Player.name).join(Player, Player.id == table.player_id)
    mine = found.join(GameGroup, GameGroup.id == table.group_id).where(GameGroup.club_id == club.id)
    return (dict(row._mapping) for row in db.session.execute(mine))


# --- the recounted tallies ----------------------------------------------------------------------------------------


def _recounted(club: Club) -> Contents:
    """All tallies of a club, recounted in memory."""
    found: Contents = {}
    columns = Player.id, Player.name, Player.guest
    players = db.session.execute(select(*columns).where(Player.club_id == club.id)).all()
    names = {player.id: player.name for player in players}
    guests = {player.id for player in players if player.guest}
    current: dict[PlayerId, Rating | None] = {}
    rated = dict.fromkeys(names, 0)
    totals = tallies.Totals()  # a group is identified by its kind
    ids = tallies.ids_by_name(names.items())
    credits, _ = tallies.seasons_of(club.id)
    for game in filter(tallies.counts, tallies.all_games(club)):
        parts = tallies.counted_of(game, ids, credits)
        results = [SimpleNamespace(**row, group_id=part.kind) for part in parts for row in part.results]
        ratings.rate_last(results, current, guests)
        found["game", game.number] = game.played
        for part in parts:
            found["whole game", game.number, part.whole["credit"]] = part.whole
        for result in results:
            totals.count(result)
            found["result", game.number, result.credit, names[result.player_id]] = _about_result(vars(result))
            rated[result.player_id] += result.mu is not None and not result.credit
    for (kind, player), added in totals.added.items():
        sums = {name: added.sums[name] for name in SUMS}
        if sums["games"] or sums["hands"]:
            found[("tally", *kind, names[player])] = sums | tallies.from_sums(added.detail, added.form or [])
    for number, name in names.items():
        found["player", name] = *(current.get(number) or (None, None)), rated[number]
    return found


# --- the differences ----------------------------------------------------------------------------------------------


def _differences(stored: Contents, recounted: Contents) -> Iterator[str]:
    for key in sorted(stored.keys() | recounted.keys(), key=str):
        if key not in recounted:
            yield f"{_named(key)} is counted and should not be"
        elif key not in stored:
            yield f"{_named(key)} is not counted and should be"
        elif stored[key] != recounted[key]:
            yield f"{_named(key)} is counted wrongly"


def _wrong_seasons(club: Club) -> Iterator[str]:
    """Stored data of seasons that no page, or no import, could read."""
    here = ids_of(club.id)
    for season in sorted(club.seasons, key=lambda season: season.id):
        if season.pages and archive.read(season.pages) is None:
            yield f"season {season.name}: its pages cannot be read"
        if not league_of(season).players <= here.keys():
            yield f"season {season.name}: it names a player who is not in the club"


def _named(key: Key) -> str:
    kind, *what = (str(part) for part in key if part not in (None, (), ""))
    return f"{kind} {', '.join(what)}"
