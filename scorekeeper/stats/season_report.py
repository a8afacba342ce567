"""What the pages of a season show beside its table: charts, partners, records and awards, as numbers.

The pages themselves are in web/standings/pages.py.

They are computed on request; closing a season stores them (`Season.pages`), so that nothing that happens afterwards
changes one of them and not the others (see archive).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .counting import PlayerId
from .head_to_head import schedules_of
from .query import Choice, Entry, ResultRow, aggregate_bids, chosen_games, games, in_two_steps, members_of, placing_rows
from .records import Award, Deeds, FoundRecord, add_deeds, records, season_awards
from .schemes import Scheme
from .standings import Partnership, by_nights, partnerships, places_by_night

MOST_NIGHTS = 200
MOST_GAMES = 3_000  # in charts; of more, the latest nights
MOST_KEPT = 100  # players and pairs that are kept of a closed season
EVERYTHING = Choice()
Names = dict[PlayerId, str]
Rated = tuple[float, float] | None  # mu and sigma


@dataclass(frozen=True)
class ChartNumbers:
    """Everybody's place and rating after each night, and how bids have paid.

    `since` is the first of these nights, where not all are among them.
    """

    since: date | None
    nights: list[date]
    places: dict[Entry, list[int | None]]
    ratings: dict[PlayerId, list[Rated]]
    bids: Counter[str]


@dataclass(frozen=True)
class Feats:
    """The records of the games chosen, and the awards but the champion's."""

    records: list[FoundRecord]
    awards: list[Award]


@dataclass(frozen=True)
class SeasonReport:
    """All that is kept of a closed season; `names` are those of that time."""

    names: Names
    charts: ChartNumbers
    pairs: list[Partnership]
    feats: Feats
    schedules: dict[PlayerId, float]  # see head_to_head


def names_of(club: Club, choice: Choice = EVERYTHING) -> Names:
    """The names of who is in the tables of a choice."""
    return {number: person.name for number, person in members_of(club, choice).items()}


def feats_of(club: Club, choice: Choice, *, with_awards: bool) -> Feats:
    """The records of the games chosen and, where asked for, the awards."""
    members = names_of(club, choice)

    def with_games(before: Deeds, some: Choice) -> Deeds:
        return add_deeds(before, games(club, some), members)

    # Where there are too many games, the latest of them, and all of the latest day.
    done = in_two_steps(club, choice, ("deeds", frozenset(members)), Deeds(), with_games)
    given = season_awards(club, choice, members, done, partnerships(club, choice)) if with_awards else []
    return Feats(records(done), given)


def pages_of(club: Club, scheme: Scheme, choice: Choice) -> SeasonReport:
    """What there is to be kept of a season that is closed now."""
    charts, pairs = charted(club, scheme, choice), partnerships(club, choice)
    most = sorted(pairs, key=lambda pair: -pair.games)[:MOST_KEPT]
    kept = [pair for pair in pairs if pair in most]
    feats = feats_of(club, choice, with_awards=True)
    return SeasonReport(names_of(club, choice), charts, kept, feats, schedules_of(club, choice))


# --- charts -------------------------------------------------------------------------------------------------------


def charted(club: Club, scheme: Scheme, choice: Choice) -> ChartNumbers:
    """The numbers of the charts; of very many games, the places and ratings are those of the latest nights."""
    since = _since(club, choice)
    latest = replace(choice, since=since) if since else choice
    rows = placing_rows(club, latest, scheme)
    nights, places = places_by_night(club, scheme, latest, rows)
    return ChartNumbers(since, nights, places, _ratings(rows, names_of(club, choice)), aggregate_bids(club, choice))


def _since(club: Club, choice: Choice) -> date | None:
    """The day of the first game that is in the charts, where there are too many games or nights; None where all are."""
    here = *chosen_games(club, choice), Result.seat == 1  # whom it counts for, once or twice a game
    nights = select(Result.played, func.count(Result.game_id.distinct())).where(*here).group_by(Result.played)
    latest = db.session.execute(nights.order_by(Result.played.desc()).limit(MOST_NIGHTS + 1)).all()
    days, games = [night for night, _ in latest], 0
    for number, (_, played) in enumerate(latest):
        games += played
        if games > MOST_GAMES or number == MOST_NIGHTS:
            return days[max(0, number - 1)]
    return None


def _ratings(rows: Sequence[ResultRow], members: Names) -> dict[PlayerId, list[Rated]]:
    """Everybody's rating after each night, from the first game on."""
    ratings: dict[PlayerId, list[Rated]] = {}
    for number, (_, played) in enumerate(by_nights(rows)):
        rated = [row for row in played if row.player_id in members]
        after = {row.player_id: (row.mu, row.sigma) for row in rated if row.mu is not None and row.sigma is not None}
        for player in after.keys() - ratings.keys():
            ratings[player] = [None] * number
        for player, line in ratings.items():
            line.append(after.get(player, line[-1] if line else None))
    return ratings
