"""What the pages of a season show, and those of all games.

To add a page, write its class here, name it in PAGES, and begin its template as a copy of charts.html: its address, its
tab and its tests follow from PAGES.
"""

from __future__ import annotations

from functools import cached_property

from flask import g, url_for

from scorekeeper.stats import season_pages
from scorekeeper.stats.league import bracket_of
from scorekeeper.stats.query import Choice, games_by_sides
from scorekeeper.stats.schemes import LADDER, RATING, SHARE
from scorekeeper.stats.season_pages import Feats, Names
from scorekeeper.stats.standings import LEAST_TOGETHER, Partnership, climbs, partnerships
from scorekeeper.web.common.numbers import counted, day
from scorekeeper.web.common.scorer import owner_id
from scorekeeper.web.common.words import ended
from scorekeeper.web.wording.record_sentences import left_out
from scorekeeper.web.wording.season_sentences import (
    CLOSED_BY_RATING,
    HEADS,
    champions_text,
    chance_of_sides,
    climbed,
    counting,
    credit_rule,
    division_name,
    inactive,
    playoffs_won,
    reopened_text,
    tie_breaks,
)

from . import records
from .against import HeadToHeadPage
from .charts import Charted, Charts, charts_of
from .nights import Nights, nights_of
from .records import Feat, Group
from .season_page import SeasonPage
from .table import Row, Shown, frozen, game_count, keep, more_heads, shown

MOST_PAIRS = 100
MOST_CLIMBS = 10


class TablePage(SeasonPage):
    """The table of players."""

    tab, name, template = "", "Players", "standings/show.html"

    @cached_property
    def table(self) -> Shown:
        if self.is_frozen and self.season:
            return frozen(g.club, self.season, self.scheme)
        return shown(g.club, self.scheme, self.choice)

    @cached_property
    def me(self) -> int:
        return owner_id()

    @cached_property
    def mine(self) -> Row | None:
        return self.table.row_of(self.me) if self.me else None

    @property
    def of(self) -> int:
        """How many have a place where this phone's player has one."""
        mine = self.mine.division if self.mine else ""
        return sum(not row.waits and row.division == mine for row in self.table.rows)

    @property
    def divisions(self) -> list[tuple[str, tuple[Row, ...]]]:
        """Each table with its heading; one without a heading where the season has no divisions."""
        found = self.table.divisions
        return [(division_name(name) if len(found) > 1 or name else "", rows) for name, rows in found]

    @property
    def games(self) -> str:
        return counted(self.table.games, "game")

    @cached_property
    def nights(self) -> Nights:
        """The game nights that the table can be shown after."""
        asked = "nights", self.choice.season_id
        days = keep(g.club, asked, lambda: nights_of(g.club, Choice(season_id=self.choice.season_id)))
        return Nights(self.here, days, self.choice.until if self.filter.is_past_night else None, self.filter.by)

    @property
    def night(self) -> str:
        return day(self.table.night) if self.table.night else ""

    @property
    def head(self) -> str:
        return HEADS[self.scheme.by]

    @property
    def is_ladder(self) -> bool:
        return self.scheme.by == LADDER

    @cached_property
    def climbs(self) -> list[tuple[str, str]]:
        """The latest moves up a ladder, the latest first: when, and what it was. None are kept of a closed season."""
        if self.is_frozen or not self.is_ladder:
            return []
        asked = "climbs", self.scheme, self.choice
        found = keep(g.club, asked, lambda: climbs(g.club, self.scheme, self.choice)[-MOST_CLIMBS:])
        said = [(f"{day(step.bout.played)}, game {step.bout.number}", step, names) for step, *names in found]
        return [(when, ended(climbed(step, *names))) for when, step, names in reversed(said)]

    @property
    def entry(self) -> str:
        """What a line of the table is."""
        return "Pair" if self.scheme.is_of_pairs else "Player"

    @property
    def section(self) -> str:
        """Under which heading the page of columns has those of this table."""
        return "pairs" if self.scheme.is_of_pairs else "players"

    @property
    def is_rated(self) -> bool:
        return not self.scheme.is_of_pairs

    @property
    def heads(self) -> list[str]:
        """The heads of the columns behind what the table is ordered by, as table.row has their cells."""
        share = [] if self.scheme.by == SHARE else ["Win %"]
        rated = ["Rating"] if self.is_rated and self.scheme.by != RATING else []
        results = ["Games", "Won", "Lost", "Tied", *share, "For", "Against", "Margin"]
        return [*results, *rated, *more_heads(self.table.rows)]

    @property
    def words(self) -> list[str]:
        """How the table is made, in sentences."""
        ordered = CLOSED_BY_RATING if self.is_frozen and self.scheme.by == RATING else counting(self.scheme)
        if self.scheme.is_of_pairs:  # a pair has one other side
            return [ordered, tie_breaks(self.scheme), credit_rule(self.scheme)]
        sides = keep(g.club, ("sides", self.choice), lambda: games_by_sides(g.club, self.choice))
        credit = credit_rule(self.scheme) if self.season else ""
        return [ordered, tie_breaks(self.scheme), credit, chance_of_sides(sides)]

    @property
    def champions(self) -> str:
        """Who won the season when it was closed: "Ann won", "Ann and Cy won together"."""
        return champions_text(self.season) if self.season else ""

    @cached_property
    def playoffs_won(self) -> str:
        """Who won the playoffs of the season; empty while nobody has."""
        season = self.season
        if season is None or not season.league:
            return ""
        return keep(g.club, ("playoffs", season.id), lambda: playoffs_won(bracket_of(season)))

    @property
    def reopened(self) -> str:
        """Why a season that was closed is open again."""
        return reopened_text(self.season) if self.season else ""

    @property
    def inactive(self) -> str:
        return inactive(len(self.table.hidden))

    @property
    def players_at(self) -> str:
        """Where the players' pages begin."""
        return url_for("players.index", key=g.club.key)

    @property
    def spreadsheet(self) -> str:
        """Where the table is as CSV."""
        season_id = self.season.id if self.season else None
        table = url_for("transfers.standings_table", key=g.club.key, season_id=season_id)
        return f"{table}{self.filter.address}"


class PartnersPage(SeasonPage):
    """How partners do, two by two."""

    tab, name, template = "partners", "Partners", "standings/partners.html"

    @cached_property
    def pairs(self) -> list[Partnership]:
        if self.kept:
            return self.kept.pairs
        return keep(g.club, ("pairs", self.choice), lambda: partnerships(g.club, self.choice))

    @property
    def least(self) -> int:
        return LEAST_TOGETHER

    @cached_property
    def enough(self) -> list[Partnership]:
        """The pairs with enough games together to be compared, by what they won at least more than chance."""
        return sorted((pair for pair in self.pairs if pair.is_enough), key=lambda pair: -pair.safe)

    @cached_property
    def few(self) -> list[Partnership]:
        """The others, who was together most often first."""
        others = [pair for pair in self.pairs if not pair.is_enough]
        return sorted(others, key=lambda pair: (-pair.games, -2 * pair.won - pair.shared))  # then by win %

    @property
    def games(self) -> str:
        return counted(len(self.pairs), "pair")

    most = MOST_PAIRS


class ChartsPage(SeasonPage):
    """Places, ratings, bids and partners as charts."""

    tab, name, template = "charts", "Charts", "standings/charts.html"

    @cached_property
    def charts(self) -> Charts:
        me, rules = owner_id(), self.filter.rules_looked_at
        asked = "charts", self.scheme, self.choice, me, self.is_frozen
        return keep(g.club, asked, lambda: charts_of(self._charted, rules, me, season=self.season is not None))

    @property
    def _charted(self) -> Charted:
        if self.kept:
            return self.kept.names, self.kept.charts, self.kept.pairs
        return season_pages.names_of(g.club, self.choice), *season_pages.charted(g.club, self.scheme, self.choice)

    @property
    def games(self) -> str:
        games = counted(game_count(g.club, self.choice), "game")
        return f"{games}; standings and ratings since {day(self.charts.since)}" if self.charts.since else games

    @property
    def bids_at(self) -> str:
        """The address of the page about bids that pay."""
        return url_for("players.bids", key=g.club.key, season=self.season.id if self.season else None)


class RecordsPage(SeasonPage):
    """The records, and a season's awards."""

    tab, name, template = "records", "Records", "standings/records.html"

    @cached_property
    def game_count(self) -> int:
        return game_count(g.club, self.choice)

    @property
    def games(self) -> str:
        return counted(self.game_count, "game")

    @cached_property
    def records(self) -> list[Group]:
        return records.grouped(self._feats.records, self._names, g.club)

    @cached_property
    def awards(self) -> list[Feat]:
        if not self.season or not self.game_count:
            return []
        champions = records.champions(self._table, self.scheme)
        return [*champions, *records.given(self._feats.awards, self._names)]

    @cached_property
    def _names(self) -> Names:
        return self.kept.names if self.kept else season_pages.names_of(g.club, self.choice)

    @cached_property
    def _feats(self) -> Feats:
        if self.kept:
            return self.kept.feats
        with_awards = self.season is not None
        asked = "feats", self.choice
        return keep(g.club, asked, lambda: season_pages.feats_of(g.club, self.choice, with_awards=with_awards))

    @property
    def _table(self) -> Shown:
        if self.is_frozen and self.season:
            return frozen(g.club, self.season, self.scheme)
        return shown(g.club, self.scheme, self.choice)

    @property
    def games_left_out(self) -> str:
        return left_out(self.game_count)


PAGES: tuple[type[SeasonPage], ...] = (TablePage, PartnersPage, HeadToHeadPage, ChartsPage, RecordsPage)
SeasonPage.pages = PAGES
