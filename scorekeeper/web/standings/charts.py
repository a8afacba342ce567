"""A season in charts: places and ratings night by night, bids, partners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Any

from sqlalchemy import select

from scorekeeper import charts
from scorekeeper.db import db
from scorekeeper.models import Club, Player, Result
from scorekeeper.stats.counts import PlayerId
from scorekeeper.stats.detail import BID, added
from scorekeeper.stats.pairs import pair_name
from scorekeeper.stats.profiles import bids_of
from scorekeeper.stats.query import Choice, chosen_games, gather_details, gather_games
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import LEAST_TOGETHER, Partnership, partnerships, places_by_night
from scorekeeper.web.common.numbers import MU_TIMES, SIGMA_TIMES, day

from .bids import Bids

MOST_NIGHTS = 200
MOST_GAMES = 3_000
MOST_PARTNERS = 24


@dataclass(frozen=True)
class Charts:
    """The charts of a season; `since` is the day from which on games are in them where not all are."""

    places: charts.Chart
    ratings: charts.Chart
    bids: charts.Chart
    partners: charts.Chart
    since: date | None

    @property
    def all(self) -> list[tuple[str, charts.Chart]]:
        named = (("places", self.places), ("ratings", self.ratings), ("bids", self.bids), ("partners", self.partners))
        return list(named)


def charts_of(club: Club, scheme: Scheme, choice: Choice, rules_ids: Iterable[str], me: PlayerId) -> Charts:
    """The charts of the games chosen; of very many, those of the latest."""
    since = _since(club, choice)
    choice = replace(choice, since=since) if since else choice
    detail = added(gather_details(club, choice).values(), BID)
    bids = Bids(bids_of(detail), rules_ids).chart
    return Charts(_places(club, scheme, choice, me), _ratings(club, choice), bids, _partners(club, choice), since)


def _since(club: Club, choice: Choice) -> date | None:
    """The day of the first game that is in the charts, where there are too many; None where all are."""
    here = *chosen_games(club, choice), Result.games == 1
    games = select(Result.played, Result.number).where(*here).distinct()
    nights = select(Result.played).where(*here).distinct()
    too_early = [
        _after(games.order_by(Result.played.desc(), Result.number.desc()), MOST_GAMES),
        _after(nights.order_by(Result.played.desc()), MOST_NIGHTS),
    ]
    return max((found for found in too_early if found), default=None)


def _after(ordered: Any, most: int) -> date | None:
    """The day of the last that is still in, where there are more."""
    rows = db.session.execute(ordered.offset(most - 1).limit(2)).all()
    return rows[0].played if len(rows) > 1 else None


def _over(what: str, choice: Choice) -> str:
    return f"{what} over the season" if choice.season_id else f"{what} over time"


def _places(club: Club, scheme: Scheme, choice: Choice, me: PlayerId) -> charts.Chart:
    nights, places = places_by_night(club, scheme, choice)
    names = _names(club)
    ids = list(places)
    players = [charts.Places(_named(number, names), places[number]) for number in ids]
    chosen = ids.index(me) if me in ids else None
    return charts.standings_over_time(
        [day(night) for night in nights], players, chosen=chosen, title=_over("Standings", choice)
    )


def _named(number: Any, names: Mapping[PlayerId, str]) -> str:
    return pair_name(number, names) if isinstance(number, tuple) else names[number]


def _ratings(club: Club, choice: Choice) -> charts.Chart:
    """Everybody's rating after each night, from the first game on."""
    names = _names(club)
    nights: list[date] = []
    values: dict[PlayerId, list[tuple[float, float] | None]] = {}
    for night, rows in groupby(gather_games(club, choice).rows, key=lambda row: row.played):
        after = {row.player_id: (row.mu, row.sigma) for row in rows if row.mu is not None and row.player_id in names}
        for number in after.keys() - values.keys():
            values[number] = [None] * len(nights)
        nights.append(night)
        for number, row in values.items():
            row.append(after.get(number, row[-1] if row else None))
    players = [_rating(names[number], values[number]) for number in sorted(values)]
    return charts.rating_over_time([day(night) for night in nights], players, title=_over("Rating", choice))


def _names(club: Club) -> dict[PlayerId, str]:
    """Who is in the tables: everybody but the guests."""
    rows = db.session.execute(select(Player.id, Player.name).where(Player.club_id == club.id, ~Player.guest))
    return {row.id: row.name for row in rows}


def _rating(name: str, values: Sequence[tuple[float, float] | None]) -> charts.Rating:
    return charts.Rating(
        name,
        [None if value is None else MU_TIMES * value[0] for value in values],
        [0.0 if value is None else SIGMA_TIMES * value[1] for value in values],
    )


def _partners(club: Club, choice: Choice) -> charts.Chart:
    """How pairs do that have played enough games; of many players the best and the worst pair's, then by games."""
    everybody = partnerships(club, choice)
    pairs = [pair for pair in everybody if pair.is_enough]
    games: Counter[PlayerId] = Counter()
    for pair in pairs:
        games.update({pair.one.id: pair.games, pair.other.id: pair.games})
    named = [number for pair in (*pairs[:1], *pairs[-1:]) for number in (pair.one.id, pair.other.id)]
    wanted = list(dict.fromkeys([*named, *(number for number, _ in games.most_common())]))[:MOST_PARTNERS]
    index = {number: place for place, number in enumerate(sorted(wanted, key=lambda number: -games[number]))}
    names = {person.id: person.name for pair in pairs for person in (pair.one, pair.other)}
    shown = _pairs(pairs, index) or [charts.Pair(0, 1, 0, 1) for _ in everybody[:1]]  # too few is not none
    return charts.partner_map([names[number] for number in index], shown, least=LEAST_TOGETHER)


def _pairs(pairs: Iterable[Partnership], index: Mapping[PlayerId, int]) -> list[charts.Pair]:
    return [
        charts.Pair(index[pair.one.id], index[pair.other.id], float(pair.share), pair.games)
        for pair in pairs
        if pair.one.id in index and pair.other.id in index
    ]
