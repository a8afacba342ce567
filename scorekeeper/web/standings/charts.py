"""How bids have paid, and a season in charts: places and ratings night by night, bids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from scorekeeper import charts
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from scorekeeper.stats import profiles
from scorekeeper.stats.archive import ChartNumbers, Names
from scorekeeper.stats.counting import PlayerId
from scorekeeper.stats.profiles import LEAST_BIDS, BidStats
from scorekeeper.stats.standings import pair_name
from scorekeeper.web.common.numbers import MU_TIMES, SIGMA_TIMES, day
from scorekeeper.web.common.words import listed

from . import messages


class BidLine(NamedTuple):
    """One size of bid, as it is called."""

    name: str
    taken: BidStats


class Bids:
    """How the bids of one player, or of all, have paid."""

    least = LEAST_BIDS

    def __init__(self, taken: Sequence[BidStats], rules_ids: Iterable[str]) -> None:
        rules = [find_rules(rules_id) for rules_id in rules_ids if rules_id in CATALOGUE]
        self.lines = [BidLine(bid_name(int(bid.name), rules), bid) for bid in taken]
        self.under_several = len(rules) > 1
        self._best = profiles.best_paying(taken)

    @property
    def hands(self) -> int:
        return sum(line.taken.taken for line in self.lines)

    @property
    def has_few(self) -> bool:
        return any(line.taken.is_few for line in self.lines)

    @property
    def best(self) -> str:
        """Which bid pays best, or why none is named."""
        enough = [line for line in self.lines if not line.taken.is_few]
        if self.under_several:
            return messages.SEVERAL_RULES
        if len(enough) < 2:
            return messages.TOO_FEW_BIDS
        if not self._best:
            highest = max(enough, key=lambda line: line.taken.worth)
            over = messages.average_over(highest.taken.average)
            return f"No bid clearly pays best yet. Highest: {highest.name}, {over}."
        names = {line.taken.name: line.name for line in self.lines}
        said = "; ".join(messages.average_over(bid.average) for bid in self._best)
        best = listed([names[bid.name] for bid in self._best])
        return f"{best} {'pays' if len(self._best) == 1 else 'pay'} best: {said}."

    @cached_property
    def chart(self) -> charts.Chart:
        return charts.made_and_set([charts.BidCount(line.name, line.taken.made, line.taken.set) for line in self.lines])


def bid_name(bid: int, rules: Iterable[RuleSet]) -> str:
    """A bid as it is called: its number; or, where a rule set has a name for it, that."""
    auctions = [one.auction for one in rules]
    names = sorted({special.name for auction in auctions for special in auction.specials if special.bid == bid})
    is_number = any(auction.min <= bid <= auction.max for auction in auctions)
    return " or ".join([str(bid), *names] if is_number or not names else names)


# --- the charts of a season, or of other games --------------------------------------------------------------------


class Charts(NamedTuple):
    """Each chart by its name; `since` is the day from which on places and ratings are shown where not all are."""

    all: list[tuple[str, charts.Chart]]
    since: date | None


def charts_of(
    names: Names,
    numbers: ChartNumbers,
    rules_ids: Iterable[str],
    me: PlayerId,
    *,
    season: bool,
) -> Charts:
    """The line of the player `me` is marked; a player has the same tone in places and ratings."""
    over, nights = "over the season" if season else "over time", [day(night) for night in numbers.nights]
    places = {
        number: charts.Places(pair_name(number, names) if isinstance(number, tuple) else names[number], found)
        for number, found in numbers.places.items()
    }
    tones = [player.name for player in charts.by_place(list(places.values()))]
    chosen = list(places).index(me) if me in places else None
    drawn = {
        "places": charts.standings_over_time(
            nights, list(places.values()), chosen=chosen, tones=tones, title=f"Standings {over}"
        ),
        "ratings": _ratings(nights, numbers.ratings, names, me, tones, f"Rating {over}"),
        "bids": Bids(profiles.bids_of(numbers.bids), rules_ids).chart,
    }
    return Charts(list(drawn.items()), numbers.since)


def _ratings(
    nights: Sequence[str], ratings: Mapping[Any, Any], names: Names, me: PlayerId, tones: Sequence[str], title: str
) -> charts.Chart:
    """The lines of who has a tone in the chart of places; of a table of pairs, whose players have none, the highest."""
    order = sorted(ratings, key=lambda number: (names[number].casefold(), names[number]))
    players = [rating_line(names[number], ratings[number]) for number in order]
    mine = tones if {player.name for player in players}.intersection(tones) else ()
    chosen = names[me] if me in ratings else ""
    return charts.rating_over_time(nights, players, chosen=chosen, tones=mine, title=title)


def rating_line(name: str, values: Sequence[tuple[float, float] | None]) -> charts.Rating:
    """A player's ratings, each a mean and its uncertainty, in the numbers that are shown."""
    return charts.Rating(
        name,
        [None if value is None else MU_TIMES * value[0] for value in values],
        [0.0 if value is None else SIGMA_TIMES * value[1] for value in values],
    )
