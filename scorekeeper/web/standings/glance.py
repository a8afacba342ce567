"""A club's season at a glance: the first three of the one that runs, for the club's own page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from flask import url_for

from scorekeeper.models import Club, Season
from scorekeeper.services import seasons
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.wording.season_sentences import HEADS

from .table import Row, Shown, shown

FIRST = 3
ALL_GAMES = "All games"


class Glance:
    """The running season that began last, or all games if none is running."""

    def __init__(self, club: Club, running: Sequence[Season]) -> None:
        self.club, self.others = club, running[1:]
        self.season = running[0] if running else None
        self.scheme = seasons.scheme_of(self.season) if self.season else Scheme()

    @cached_property
    def table(self) -> Shown:
        return shown(self.club, self.scheme, Choice(season_id=self.season.id if self.season else None))

    @property
    def name(self) -> str:
        return self.season.name if self.season else ALL_GAMES

    @property
    def first(self) -> list[Row]:
        """The first three with a place; more if several share the third. Of divisions who leads each."""
        if any(row.division for row in self.table.rows):
            return [row for row in self.table.rows if row.place == "1"][: 2 * FIRST]
        placed = [row for row in self.table.rows if not row.waits]
        return [row for row in placed if row.place in {one.place for one in placed[:FIRST]}][: 2 * FIRST]

    @property
    def head(self) -> str:
        return HEADS[self.scheme.by]

    def address(self, season: Season | None) -> str:
        return url_for("standings.show", key=self.club.key, season_id=season.id if season else None)
