"""Results by bid; charts of places, ratings and bids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import cached_property, partial
from typing import NamedTuple

from scorekeeper import charts
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, variations
from scorekeeper.stats import profiles
from scorekeeper.stats.archive import ChartNumbers, Names
from scorekeeper.stats.counting import PlayerId
from scorekeeper.stats.profiles import LEAST_BIDS, BidStats
from scorekeeper.stats.query import Entry, players_in
from scorekeeper.stats.standings import entry_name
from scorekeeper.web.common.narrator import in_a_sentence
from scorekeeper.web.common.numbers import MU_SCALE, SIGMA_SCALE, day
from scorekeeper.web.common.words import cut_names, listed, short_names

from .messages import average_over

SPECIALS = "auction.specials"
LABEL_LETTERS = 14  # of a name at the end of a line


class Bids:
    """Results of one player's bids, or of all, by the name of the bid under these rules or their house rules."""

    least = LEAST_BIDS

    def __init__(self, taken: Sequence[BidStats], rules: Collection[RuleSet]) -> None:
        offered = [(one, own) for one in rules if one.id in CATALOGUE for own in variations(one.id)]
        house = [one.override(own.options) for one, own in offered if SPECIALS in own.options]
        self.lines = [bid._replace(name=bid_name(int(bid.name), [*rules, *house])) for bid in taken]
        self.under_several = len(rules) > 1

    @property
    def best(self) -> str:
        """The bid that pays best, or why none is named."""
        best, enough = profiles.best_paying(self.lines), [bid for bid in self.lines if not bid.is_few]
        if self.under_several:
            return "Filter by rules to see which bid pays best."
        if len(enough) < 2:
            return f"Needs two different bids with {LEAST_BIDS} hands each."
        if not best:
            highest = max(enough, key=lambda bid: bid.worth)
            return f"No bid clearly pays best yet. Highest: {highest.name}, {average_over(highest.average)}."
        said = "; ".join(average_over(bid.average) for bid in best)
        return f"{listed([bid.name for bid in best])} {'pays' if len(best) == 1 else 'pay'} best: {said}."

    @cached_property
    def chart(self) -> charts.Chart:
        return charts.made_and_set([charts.BidCount(bid.name, bid.made, bid.set) for bid in self.lines])


def bid_name(bid: int, rules: Iterable[RuleSet]) -> str:
    """A bid's number; its name if the rules have a special of that worth; both if it can be either."""
    auctions = [one.auction for one in rules]
    names = sorted({special.name for auction in auctions for special in auction.specials if special.bid == bid})
    is_number = any(auction.min <= bid <= auction.max for auction in auctions)
    return " or ".join([str(bid), *names] if is_number or not names else names)


# --- the charts of a season, or of other games --------------------------------------------------------------------


class Charts(NamedTuple):
    """Charts by name; `since` is the first day of places and ratings if earlier ones are left out."""

    all: list[tuple[str, charts.Chart]]
    since: date | None


def charts_of(
    names: Names,
    numbers: ChartNumbers,
    rules: Collection[RuleSet],
    me: PlayerId,
    *,
    season: bool,
) -> Charts:
    """Build the charts. Marks the line of player `me`; a player has the same color in places and ratings."""
    names = {number: in_a_sentence(name) for number, name in names.items()}
    over, nights = "over the season" if season else "over time", [day(night) for night in numbers.nights]
    shorts = dict(zip(names, short_names([*names.values()]), strict=True))

    def label(number: Entry) -> str:
        """The name at a line end; cut on demand, because it is compared with all others."""
        shown = players_in(number)
        cut = cut_names([shorts[one] for one in shown], LABEL_LETTERS, [*shorts.values()])
        return entry_name(number, dict(zip(shown, cut, strict=True)))

    places = {
        number: charts.PlayerSeries(entry_name(number, names), found, short=partial(label, number))
        for number, found in numbers.places.items()
    }
    tones = [player.name for player in charts.by_place(list(places.values()))]
    chosen = list(places).index(me) if me in places else None
    order = sorted(numbers.ratings, key=lambda number: (names[number].casefold(), names[number]))
    rated = [rating_line(names[one], numbers.ratings[one])._replace(short=partial(label, one)) for one in order]
    # Players with a color in the chart of places. A table of pairs has none; then the highest-rated get colors.
    same_tones = tones if {player.name for player in rated}.intersection(tones) else ()
    mine = names[me] if me in numbers.ratings else ""
    drawn = {
        "places": charts.standings_over_time(nights, list(places.values()), chosen=chosen, title=f"Standings {over}"),
        "ratings": charts.rating_over_time(nights, rated, chosen=mine, tones=same_tones, title=f"Rating {over}"),
        "bids": Bids(profiles.bids_of(numbers.bids), rules).chart,
    }
    return Charts(list(drawn.items()), numbers.since)


def rating_line(name: str, values: Sequence[tuple[float, float] | None]) -> charts.PlayerSeries:
    """A player's ratings (mean, uncertainty) converted to displayed numbers."""
    return charts.PlayerSeries(
        name,
        [None if value is None else MU_SCALE * value[0] for value in values],
        [0.0 if value is None else SIGMA_SCALE * value[1] for value in values],
    )
