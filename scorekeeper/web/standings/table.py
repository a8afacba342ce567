"""The table of players as displayed: computed once for the current tallies, then cached."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from markupsafe import Markup
from sqlalchemy import select

from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, Player, Result, Season
from scorekeeper.services import seasons
from scorekeeper.stats.query import Choice, PlayerStats, chosen_games
from scorekeeper.stats.ratings import LEAST_GAMES, PLAYED
from scorekeeper.stats.schemes import IN_POINTS, RATING, SHARE, WINS, Scheme
from scorekeeper.stats.standings import Line, Standings, standings
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.numbers import (
    figure,
    percent,
    rating_at_least,
    rating_said,
    signed,
    swing,
)
from scorekeeper.web.common.numbers import record as said_record
from scorekeeper.web.seasons.messages import COLUMN_HEADS, waits, worth

from .messages import Ended, night_story, table_story

FIRST = 3  # places in a summary
NO_VALUE = "–"
MOST_KEPT = 64
_cache: BoundedCache[Any] = BoundedCache(MOST_KEPT)
Made = TypeVar("Made")


def cached(club: Club, what: Hashable, make: Callable[[], Made]) -> Made:
    """A value computed from a club's tallies, cached until those change.

    Not cached while ratings are to be recalculated, since ratings change without the tallies.
    """
    if club.unrated_since is not None:
        return make()
    return _cache.get_or_make((club.key, club.stats_version, what), make)


class Row(NamedTuple):
    """A displayed line of the table; `id` is 0 for a deleted player.

    `moved` is the places gained or lost on the last night, `form` the letters of the last games. `part` explains
    `worth`: a rating less its margin of error, or a bonus. `cells` are the columns after it, as (heading, text).
    """

    id: int
    name: str
    place: str
    moved: int | None
    waits: str
    part: str
    worth: str
    record: Markup
    form: str
    cells: tuple[tuple[str, str], ...]
    rating: str
    division: str = ""


class ShownTable(NamedTuple):
    """The table with its story; `night` is the day of the last game."""

    rows: tuple[Row, ...]
    hidden: tuple[Row, ...]
    night: date | None
    story: str

    @property
    def divisions(self) -> list[tuple[str, tuple[Row, ...]]]:
        """Rows by division, those without a division last; a single group "" if there are none."""
        names = dict.fromkeys(row.division for row in self.rows)
        return [(name, tuple(row for row in self.rows if row.division == name)) for name in names]


def shown_table(table: Standings, scheme: Scheme, ended: Sequence[Ended]) -> ShownTable:
    """A table with the story of its last night; `ended` are the games of that, none for a table without a story."""
    rows, hidden = (tuple([row(line, scheme) for line in lines]) for lines in (table.lines, table.hidden))
    first = "" if any(row.division for row in (*rows, *hidden)) or not ended else table_story(table, scheme)
    story = f"{night_story(ended)} {first}".strip() if ended else ""
    return ShownTable(rows, hidden, table.night, story)


def games_of_night(club: Club, choice: Choice, night: date) -> list[Ended]:
    """The games of a night in order."""
    columns = Result.number, Result.unit, Result.won, Result.shared, Player.name
    rows = select(*columns).join(Player, Player.id == Result.player_id).where(*chosen_games(club, choice), PLAYED)
    found = db.session.execute(rows.where(Result.played == night).order_by(Result.number, Result.seat)).all()
    games = [list(game) for _, game in groupby(found, key=attrgetter("number"))]
    ended = [_ended(game) for game in games]
    if len(games) > 1:
        return ended
    only = db.session.scalars(select(Game).where(Game.club_id == club.id, Game.number == games[0][0].number)).one()
    return [ended[0]._replace(line=Narrator(only.table, ended[0].there).result_line(only.score))]


def _ended(game: Sequence[Any]) -> Ended:
    winning = [row for row in game if row.won or row.shared]
    names = tuple(row.name for row in winning)
    return Ended(tuple(row.name for row in game), names, len({row.unit for row in winning}) > 1)


class SeasonSummary:
    """The top three of the running season started last, or of all games if none is running."""

    def __init__(self, club: Club, running: Sequence[Season]) -> None:
        self.club, self.others = club, running[1:]
        self.season = running[0] if running else None
        scheme = seasons.scheme_of(self.season) if self.season else Scheme()
        choice = Choice(season_id=self.season.id if self.season else None)
        # Only the first rows are formatted: a club's page is requested more often than its table.
        self.rows = cached(club, ("first", scheme, choice), lambda: self._rows(scheme, choice))
        self.name, self.head = self.season.name if self.season else "All-time standings", COLUMN_HEADS[scheme.by]

    def _rows(self, scheme: Scheme, choice: Choice) -> tuple[Row, ...]:
        """The leader of each division; without divisions, the first of the table. At most six."""
        lines = standings(self.club, scheme, choice).lines
        leaders = [line for line in lines if line.place == 1] if any(line.division for line in lines) else []
        return tuple([row(line, scheme) for line in (leaders or lines)[: 2 * FIRST]])

    @property
    def first(self) -> list[Row]:
        """The top three with ties for third; with divisions, the leader of each. At most six."""
        placed = [row for row in self.rows if not row.waits]
        top = {one.place for one in placed[:FIRST]}
        return [row for row in placed if row.place in top]


# --- a row --------------------------------------------------------------------------------------------------------


def row(line: Line, scheme: Scheme) -> Row:
    record, sums = line.record, line.record.sums
    has_rating = scheme.by != RATING and not scheme.is_of_pairs
    rating = "" if not has_rating else rating_said(*record.rating) if record.rating else NO_VALUE
    part = ""
    if scheme.by == RATING and record.rating:
        part = f"at least {rating_at_least(*record.rating)}"
    elif scheme.by in IN_POINTS and record.extra and record.extra.bonus:
        part = f"bonus {signed(record.extra.bonus)}"
    return Row(
        line.player.id if isinstance(line.player.id, int) else 0,  # a pair has no page
        line.player.name,
        NO_VALUE if line.place is None else str(line.place),
        line.moved,
        waits(line, scheme),
        part,
        worth(line, scheme),
        said_record(sums["won"], sums["lost"], sums["shared"]),
        line.form,
        _cells(record, scheme, rating),
        rating,
        line.division,
    )


def _cells(record: PlayerStats, scheme: Scheme, rating: str) -> tuple[tuple[str, str], ...]:
    sums, extra = record.sums, record.extra
    cells = {"Games": sums["games"], "Won": sums["won"], "Lost": sums["lost"], "Tied": sums["shared"]}
    if scheme.by == WINS:  # the table's own column says them, with half of the ties
        del cells["Won"]
    found = {head: f"{number:,}" for head, number in cells.items()}
    if scheme.by != SHARE:
        found["Win %"] = percent(record.share)
    found |= {"For": figure(sums["points_for"]), "Against": figure(sums["points_against"])}
    found["Margin"] = swing(record.margin, 1)
    if rating:
        is_provisional = record.rating and record.played < LEAST_GAMES
        found["Rating"] = (
            Markup('{} <small class="soft">provisional</small>').format(rating) if is_provisional else rating
        )
    if extra:  # in a table that counts nights or bonus points
        found["Nights"] = f"{extra.counted} of {extra.days}" if extra.counted < extra.days else str(extra.days)
        if scheme.by in IN_POINTS:
            found["Bonus"] = signed(extra.bonus) if extra.bonus else NO_VALUE
    return tuple(found.items())
