"""The tallies of all clubs: counted again where an older version counted them, and compared with the hands."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import undefer

from scorekeeper.db import db, db_write
from scorekeeper.models import COUNTING, Club, Division, Player, Result, Tally
from scorekeeper.scoring.problems import Refused

from . import tallies
from .counts import SUMS

LOG = logging.getLogger(__name__)
RATING = "mu_before", "sigma_before", "mu", "sigma"


def recount_older() -> None:
    """Count the games again of clubs whose games an older version counted; a club that cannot be counted is left."""
    for club in db.session.scalars(select(Club).where(Club.counted != COUNTING)).all():
        name = club.name
        try:
            with db_write(club):
                if club.counted != COUNTING:  # no other server was quicker
                    tallies.rebuild(club)
        except Refused as refused:
            LOG.warning("%s was not counted again: %s", name, refused)


class Checked(NamedTuple):
    """How many games of a club count, and where the tallies differ from the hands."""

    games: int
    wrong: tuple[str, ...]


def check_tallies(club: Club, *, fix: bool = False) -> Checked:
    """Count everything again and compare; `fix` corrects what is wrong."""
    with db_write(club) as session:
        kept = _contents(club)
        tallies.rebuild(club)
        again = _contents(club)
        games = sum(key[0] == "game" for key in again)
        wrong = tuple(_differences(kept, again))
        if not (fix and wrong):
            session.rollback()
    return Checked(games, wrong)


Contents = dict[tuple[Any, ...], Any]


def _contents(club: Club) -> Contents:
    """All tallies of a club by what they are about, without the database's ids."""
    db.session.flush()
    db.session.expire_all()
    found: Contents = {}
    for result, name in db.session.execute(_rows(Result, club)):
        numbers = {key: getattr(result, key) for key in ("seat", "unit", "place", *SUMS, *RATING)}
        found["game", result.number] = result.played
        found["result", result.number, name] = numbers | {"played": result.played, "detail": result.detail}
    for tally, name, division in db.session.execute(_rows(Tally, club).add_columns(Division)):
        kind = division.season_id, division.rules_id, division.players, division.teams
        numbers = {key: getattr(tally, key) for key in ("form", "beaten", "last_played", *SUMS)}
        found[("tally", *kind, name)] = numbers | {"detail": tally.detail}
    for player in db.session.scalars(select(Player).where(Player.club_id == club.id)):
        found["player", player.name] = player.mu, player.sigma, player.rated
    return found


def _rows(table: type[Result] | type[Tally], club: Club) -> Any:
    rows = select(table, Player.name).join(Player, Player.id == table.player_id)
    mine = rows.join(Division, Division.id == table.division_id).where(Division.club_id == club.id)
    return mine.options(undefer(table.detail))


def _differences(kept: Contents, again: Contents) -> Iterator[str]:
    for key in sorted(kept.keys() | again.keys(), key=str):
        if key not in again:
            yield f"{_named(key)} is counted and should not be"
        elif key not in kept:
            yield f"{_named(key)} is not counted and should be"
        elif kept[key] != again[key]:
            yield f"{_named(key)} is counted wrongly"


def _named(key: tuple[Any, ...]) -> str:
    kind, *what = (str(part) for part in key if part is not None)
    return f"{kind} {', '.join(what)}"
