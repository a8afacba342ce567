"""The hands that the chances of a game are made with: the first ones that the club played before it, and no others.

They are the same whatever is played later, so an old game's chances stay as they were. Their number goes up by
doubling: many games share one solution, and no page reads more than so many.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, Text, cast, select, tuple_

from scorekeeper.database.session import db
from scorekeeper.models import GameGroup, Result
from scorekeeper.scoring.table import Table

from . import settled
from .query import latest_day
from .settled import HasMark
from .win_probability import outcomes_in

NUMBERS = (10, 25, 50, 100, 200, 400, 800)  # so many hands are taken, as soon as there are so many
played_at = tuple_(Result.played, Result.number)


class Known(NamedTuple):
    """How some hands came out, and whether they are as many as ever are taken: up to that game."""

    outcomes: Counter[str]
    last: tuple[date, int] | None = None
    is_all: bool = False


def known_before(club: HasMark, table: Table, place: tuple[date, int]) -> Counter[str]:
    """How the first hands at tables like that one came out, of the games played before a place: a day and a number.

    Whole games are taken, until there are as many hands as the largest of NUMBERS that the club had by then; none
    before the first 10. Nobody changes what is given back: what came before the latest day is kept (see settled).
    """
    latest = latest_day(club.id) if club.settled else None
    if latest is not None:
        asked = "known", table.rules.id, table.players, table.teams
        first = settled.keep(club, asked, lambda: _known(club.id, table, (latest, 0)))
        if first.last and first.is_all and first.last < place:
            return first.outcomes
    return _known(club.id, table, place).outcomes


def _known(club_id: int, table: Table, place: tuple[date, int]) -> Known:
    mine = _before(club_id, table, place)
    first = mine.with_only_columns(Result.played, Result.number, Result.bids).order_by(Result.played, Result.number)
    results = db.session.execute(first.limit(NUMBERS[-1])).all()  # of a hand or more each
    played = sum(result.bids for result in results)
    wanted = max((number for number in NUMBERS if number <= played), default=0)
    if not wanted:
        return Known(Counter())
    outcomes: Counter[str] = Counter()
    last = _last_needed(results, wanted)
    details = mine.with_only_columns(cast(Result.detail, Text)).where(played_at <= last)
    for detail in json.loads(f"[{','.join(db.session.scalars(details))}]"):
        outcomes.update(outcomes_in(detail))
    return Known(outcomes, last, wanted == NUMBERS[-1])


def _before(club_id: int, table: Table, place: tuple[date, int]) -> Select[Any]:
    """The results of bidders at tables like that one, of the games before a place."""
    alike = GameGroup.rules_id == table.rules.id, GameGroup.players == table.players, GameGroup.teams == table.teams
    groups = select(GameGroup.id).where(GameGroup.club_id == club_id, GameGroup.credit == "", *alike)
    # By the index of a club's games, in whose order they are read: the first ones are found however many there are.
    mine = Result.club_id == club_id, Result.group_id.in_(groups), Result.bids > 0
    return select(Result).where(*mine, played_at < place)


def _last_needed(results: Sequence[Row[date, int, int]], wanted: int) -> tuple[date, int]:
    """The day and the number of the game by which there were so many hands."""
    found = 0
    for result in results:
        found += result.bids
        if found >= wanted:
            break
    return result.played, result.number
