"""A season in charts: places and ratings night by night, bids, partners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from scorekeeper import charts
from scorekeeper.stats.counting import PlayerId
from scorekeeper.stats.profiles import bids_of
from scorekeeper.stats.season_pages import ChartNumbers, Names
from scorekeeper.stats.standings import LEAST_TOGETHER, Partnership, pair_name
from scorekeeper.web.common.numbers import MU_TIMES, SIGMA_TIMES, day

from .bids import Bids

MOST_PARTNERS = 24
Charted = tuple[Names, ChartNumbers, Sequence[Partnership]]


@dataclass(frozen=True)
class Charts:
    """The charts of a season; `since` is the day from which on places and ratings are shown where not all are."""

    places: charts.Chart
    ratings: charts.Chart
    bids: charts.Chart
    partners: charts.Chart
    since: date | None

    @property
    def all(self) -> list[tuple[str, charts.Chart]]:
        named = (("places", self.places), ("ratings", self.ratings), ("bids", self.bids), ("partners", self.partners))
        return list(named)


def charts_of(shown: Charted, rules_ids: Iterable[str], me: PlayerId, *, season: bool) -> Charts:
    """The charts of a season, or of other games; the line of the player `me` is marked."""
    names, numbers, pairs = shown
    bids = Bids(bids_of(numbers.bids), rules_ids).chart
    places = {number: charts.Places(_named(number, names), numbers.places[number]) for number in numbers.places}
    tones = [player.name for player in charts.by_place(list(places.values()))]
    return Charts(
        _places(numbers, places, me, tones, _over("Standings", season=season)),
        _ratings(numbers, names, me, tones, _over("Rating", season=season)),
        bids,
        _partners(pairs),
        numbers.since,
    )


def _over(what: str, *, season: bool) -> str:
    return f"{what} over the season" if season else f"{what} over time"


def _places(
    numbers: ChartNumbers, places: Mapping[Any, charts.Places], me: PlayerId, tones: Sequence[str], title: str
) -> charts.Chart:
    chosen, nights = list(places).index(me) if me in places else None, [day(night) for night in numbers.nights]
    return charts.standings_over_time(nights, list(places.values()), chosen=chosen, tones=tones, title=title)


def _named(number: Any, names: Mapping[PlayerId, str]) -> str:
    return pair_name(number, names) if isinstance(number, tuple) else names[number]


def _ratings(numbers: ChartNumbers, names: Names, me: PlayerId, tones: Sequence[str], title: str) -> charts.Chart:
    """The lines of who has a tone in the chart of places; of a table of pairs, whose players have none, the highest."""
    order = sorted(numbers.ratings, key=lambda number: (names[number].casefold(), names[number]))
    players = [_rating(names[number], numbers.ratings[number]) for number in order]
    rated, chosen = {player.name for player in players}, names[me] if me in numbers.ratings else ""
    nights, mine = [day(night) for night in numbers.nights], tones if rated.intersection(tones) else ()
    return charts.rating_over_time(nights, players, chosen=chosen, tones=mine, title=title)


def _rating(name: str, values: Sequence[tuple[float, float] | None]) -> charts.Rating:
    return charts.Rating(
        name,
        [None if value is None else MU_TIMES * value[0] for value in values],
        [0.0 if value is None else SIGMA_TIMES * value[1] for value in values],
    )


def _partners(everybody: Sequence[Partnership]) -> charts.Chart:
    """How pairs do that have played enough games; of many players the best and the worst pair's, then by games."""
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
        charts.Pair(index[pair.one.id], index[pair.other.id], float(pair.share), pair.games, float(pair.chance))
        for pair in pairs
        if pair.one.id in index and pair.other.id in index
    ]
