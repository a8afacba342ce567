"""The game nights of a season: its table can be shown as it was after each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result
from scorekeeper.stats.query import Choice, chosen_games

MOST_NIGHTS = 400  # that one can step through, the latest: as many as seven years of a weekly club have


def nights_of(club: Club, choice: Choice) -> tuple[date, ...]:
    """The days on which the games chosen were played, the latest first."""
    days = select(Result.played).where(*chosen_games(club, choice), Result.games > Result.forfeits).distinct()
    return tuple(db.session.scalars(days.order_by(Result.played.desc()).limit(MOST_NIGHTS)))


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights, the latest first; `after` is the day up to which games are shown, None for all of them."""

    here: str
    days: Sequence[date]
    after: date | None
    by: str = ""  # how a table of all games is ordered, where that was chosen

    @property
    def night(self) -> date | None:
        """The night that is shown: the last one up to that day."""
        return next((day for day in self.days if self.after and day <= self.after), None)

    @property
    def before(self) -> str:
        """The address of the table one night earlier; empty where there is none."""
        shown = self.night or self.after
        earlier = [day for day in self.days if shown is None or day < shown]
        if shown is None:
            earlier = earlier[1:]
        return self._address(earlier[0]) if earlier else ""

    @property
    def later(self) -> str:
        """The address of the table one night later; the one of all games after the last night but one."""
        if self.after is None:
            return ""
        following = [day for day in self.days if day > self.after]
        if not following:
            return ""
        return self._address(following[-1]) if len(following) > 1 else self.now

    @property
    def now(self) -> str:
        """The address of the table of all games."""
        return f"{self.here}?by={self.by}" if self.by else self.here

    def _address(self, day: date) -> str:
        return f"{self.here}?{f'by={self.by}&' if self.by else ''}to={day.isoformat()}"
