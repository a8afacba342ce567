"""The hands that the chances of a game are made with: the first ones that the club played before it, and no others.

They are the same whatever is played later, so an old game's chances stay as they were. Their number goes up by
doubling: many games share one solution, and no page reads more than so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

from sqlalchemy import Row, Select, func, select, tuple_

from scorekeeper.db import db
from scorekeeper.models import GameGroup, Result
from scorekeeper.scoring.table import Table

from .win_probability import outcomes_in

NUMBERS = (10, 25, 50, 100, 200, 400, 800)  # so many hands are taken, as soon as there are so many


def known_before(club_id: int, table: Table, place: tuple[date, int]) -> Counter[str]:
    """How the first hands at tables like that one came out, of the games played before a place: a day and a number.

    Whole games are taken, until there are as many hands as the largest of NUMBERS that the club had by then; none
    before the first 10.
    """
    mine = _before(club_id, table, place)
    played = db.session.scalar(mine.with_only_columns(func.sum(Result.bids))) or 0
    wanted = max((number for number in NUMBERS if number <= played), default=0)
    outcomes: Counter[str] = Counter()
    if wanted:
        last = _last_needed(mine, wanted)
        details = mine.with_only_columns(Result.detail).where(tuple_(Result.played, Result.number) <= last)
        for detail in db.session.scalars(details):
            outcomes.update(outcomes_in(detail))
    return outcomes


def _before(club_id: int, table: Table, place: tuple[date, int]) -> Select[Any]:
    """The results of bidders at tables like that one, of the games before a place."""
    alike = GameGroup.rules_id == table.rules.id, GameGroup.players == table.players, GameGroup.teams == table.teams
    groups = select(GameGroup.id).where(GameGroup.club_id == club_id, *alike)
    earlier = tuple_(Result.played, Result.number) < place
    return select(Result).where(Result.group_id.in_(groups), Result.bids > 0, earlier)


def _last_needed(mine: Select[Any], wanted: int) -> Any:
    """The day and the number of the game by which there were so many hands."""
    hands = mine.with_only_columns(Result.played, Result.number, func.sum(Result.bids).label("hands"))
    games = hands.group_by(Result.played, Result.number).order_by(Result.played, Result.number).limit(wanted)
    *_, last = _until(db.session.execute(games), wanted)
    return tuple_(last.played, last.number)


def _until(games: Any, wanted: int) -> Iterator[Row[Any]]:
    found = 0
    for game in games:
        yield game
        found += game.hands
        if found >= wanted:
            return
