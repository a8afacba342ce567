"""What each night of a player's is worth in a season, and how many of them count.

A night is worth its wins, or its points; the points for attendance come to every night with a game that was played. By
`Scheme.best` only a player's best nights count, however many there were. Bonus points come to that in a season ordered
by points.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .counts import PlayerId, wins
from .league import Bonus, ids_of, league_of
from .query import Choice, Extra, Record, chosen_games
from .schemes import POINTS, WINS, Scheme

Row = tuple[Any, date, int, int, int, int]  # who, the night, games won, shared, lost, and not played


class Night(NamedTuple):
    """One night of a player's: what it is worth, and whether anything was played."""

    day: date
    worth: Fraction
    attended: bool


class Nights:
    """The nights of everybody in the games chosen, by a scheme."""

    def __init__(self, scheme: Scheme, rows: Iterable[Row], bonuses: Iterable[tuple[PlayerId, Bonus]] = ()) -> None:
        self.scheme = scheme
        self._nights: dict[Any, list[Night]] = defaultdict(list)
        for player, day, won, shared, lost, forfeits in rows:
            attended = won + shared + lost > forfeits
            self._nights[player].append(Night(day, self._worth(won, shared, lost, attended), attended))
        self._bonuses: dict[Any, list[Bonus]] = defaultdict(list)
        for player, bonus in bonuses:
            self._bonuses[player].append(bonus)

    def _worth(self, won: int, shared: int, lost: int, attended: bool) -> Fraction:
        scheme = self.scheme
        if scheme.by == WINS:
            return wins(won, shared)
        played = won * scheme.won + shared * scheme.shared + lost * scheme.lost
        return Fraction(played + attended * scheme.attended)

    def give(self, records: Mapping[Any, Record], before: date | None = None) -> None:
        """Give every record what its nights are worth; of those before a day, where one is named."""
        for player, record in records.items():
            record.extra = self.extra_of(player, before)

    def extra_of(self, player: Any, before: date | None = None) -> Extra:
        nights = [night for night in self._nights.get(player, ()) if before is None or night.day < before]
        best = sorted((night.worth for night in nights), reverse=True)[: self.scheme.best or None]
        bonus = sum(one.points for one in self._bonuses_of(player) if before is None or one.day < before)
        return Extra(sum(best, Fraction(bonus)), sum(night.attended for night in nights), len(nights), len(best), bonus)

    def _bonuses_of(self, player: Any) -> list[Bonus]:
        """Those of a player; of a pair, those of both."""
        members = player if isinstance(player, tuple) else (player,)
        return [bonus for member in members for bonus in self._bonuses.get(member, ())]


def bonuses_in(club: Club, scheme: Scheme, choice: Choice) -> list[tuple[PlayerId, Bonus]]:
    """The bonuses that count in the games chosen, each with its player: of a season by points, up to the last day."""
    narrowed = choice.rules_id or choice.players or choice.since or choice.present
    if scheme.by != POINTS or narrowed:
        return []
    given = league_of(choice.season_id).counting
    ids = ids_of(club.id) if given else {}
    return [
        (ids[bonus.player], bonus)
        for bonus in given
        if bonus.player in ids and (choice.until is None or bonus.day <= choice.until)
    ]


def nights_of(club: Club, scheme: Scheme, choice: Choice) -> Nights | None:
    """The nights of the games chosen; None where the sums alone say what a record is worth."""
    bonuses = bonuses_in(club, scheme, choice)
    if not bonuses and not scheme.by_nights:
        return None
    return Nights(scheme, _by_night(club, choice), bonuses)


def _by_night(club: Club, choice: Choice) -> list[Row]:
    counted = (func.sum(getattr(Result, name)) for name in ("won", "shared", "lost", "forfeits"))
    asked = select(Result.player_id, Result.played, *counted).where(*chosen_games(club, choice), Result.games == 1)
    rows = db.session.execute(asked.group_by(Result.player_id, Result.played)).all()
    return [(player, day, *map(int, sums)) for player, day, *sums in rows]  # PostgreSQL adds up to a Decimal
