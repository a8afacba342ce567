"""What a club's own page shows: the games that are open, the latest ones, and how many there are."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, func, select

from scorekeeper.db import db
from scorekeeper.models import BEGUN_LAST, Club, Game
from scorekeeper.snapshot import read_games
from scorekeeper.web.common.tokens import new_token
from scorekeeper.web.games.score_sheet import Cell, score_cells
from scorekeeper.web.games.summary import Summary
from scorekeeper.web.games.views import LATEST_FIRST

LATEST_GAMES = 5  # on the club's own page
GAMES_ON_A_PAGE = 30

Order = tuple[ColumnElement[Any], ...]
Asked = ColumnElement[bool]


class ClubGame(Summary):
    """A game in the club's list, with its scores for the head of the page while it is open."""

    @property
    def cells(self) -> list[Cell]:
        last = self.score.hands[-1] if self.score.hands else None
        return score_cells(self.game.table, self.names, self.score.totals, last)


class ClubPage:
    """A club's own page."""

    def __init__(self, club: Club) -> None:
        self.club = club

    @cached_property
    def games(self) -> list[ClubGame]:
        return games_of(self.club, 0, LATEST_GAMES)

    @cached_property
    def _begun(self) -> list[ClubGame]:
        """The games begun last: on which day they were played does not matter. If all are from paper, the latest."""
        on_paper, listed = Game.paper.is_not(None), {game.number: game for game in self.games}
        mine = select(Game.number).where(Game.club_id == self.club.id, ~on_paper).order_by(*BEGUN_LAST)
        numbers = list(db.session.scalars(mine.limit(LATEST_GAMES)))
        if not listed.keys() >= set(numbers):
            return games_of(self.club, 0, LATEST_GAMES, BEGUN_LAST, ~on_paper)
        return [listed[number] for number in numbers] or self.games

    @property
    def latest(self) -> ClubGame | None:
        return self._begun[0] if self._begun else None

    @cached_property
    def open_games(self) -> list[ClubGame]:
        """Those of the games begun last that wait for their next hand."""
        return [game for game in self._begun if game.goes_on]

    @property
    def is_resumed(self) -> bool:
        """Whether the latest game is open: then the main button resumes it, and does not start another."""
        return self._begun[:1] == self.open_games[:1] != []

    @cached_property
    def token(self) -> str:
        """Names the form that plays the latest game again."""
        return new_token()

    @cached_property
    def count(self) -> int:
        return db.session.scalar(select(func.count()).where(Game.club_id == self.club.id)) or 0


def games_of(club: Club, skipped: int, most: int, order: Order = LATEST_FIRST, *asked: Asked) -> list[ClubGame]:
    """At most so many games of a club in that order, without the first few; all, or some."""
    return [ClubGame(game) for game in read_games(club.id, order, skipped, most, *asked)]
