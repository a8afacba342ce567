"""Pages of a season, and all-time pages.

To add a page, write its class here, add it to PAGES, give its endpoint a role in web/common/scope.py, and copy
charts.html for its template: address, tab and tests follow from PAGES.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import ClassVar, NamedTuple

from flask import g, request, url_for
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, Player, Result, Season
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.services import seasons
from scorekeeper.stats import archive
from scorekeeper.stats.archive import Feats, Names, SeasonReport
from scorekeeper.stats.head_to_head import opponents_of, schedules_of
from scorekeeper.stats.league import bracket_of
from scorekeeper.stats.profiles import CoPlayer
from scorekeeper.stats.query import MOST_GAMES, Choice, Person, chosen_games, games_by_sides
from scorekeeper.stats.ratings import PLAYED
from scorekeeper.stats.records import FoundRecord
from scorekeeper.stats.schemes import LADDER, RATING, Scheme
from scorekeeper.stats.standings import (
    INACTIVE,
    LEAST_TOGETHER,
    Line,
    Partnership,
    Standings,
    climbs,
    partnerships,
    standings,
)
from scorekeeper.web.common.fields import parse_number
from scorekeeper.web.common.numbers import counted, day, rating_number
from scorekeeper.web.common.scope import find_season, owner_id
from scorekeeper.web.common.words import ended, listed
from scorekeeper.web.seasons import messages as say

from .charts import Charts, bid_name, charts_of
from .filters import TableFilter, rules_names
from .messages import ALL_RULES, AWARDS, RECORDS, anchor, deed_text, some_names
from .table import NO_VALUE, Made, Row, ShownTable, cached, games_of_night, shown_table

MOST_PAIRS = 100
MOST_CLIMBS = 10
MOST_NIGHTS = 400  # nights to step through, latest first: seven years of a weekly club
MOST_IN_TABLE = 12  # players; a table of sixty against each other would have 3,600 numbers
BID = "bid"
MOST_EQUALED = 5


class SeasonPage:
    """Common to all pages; `tab` is the end of the address, `name` the tab's label."""

    tab: ClassVar[str]
    name: ClassVar[str]
    template: ClassVar[str]

    def __init__(self, season_id: int | None) -> None:
        self.season: Season | None = find_season(season_id) if season_id else None
        self.filter = TableFilter(g.club, self.season, request.args)
        self.choice = self.filter.choice
        self.scheme: Scheme = seasons.scheme_of(self.season) if self.season else self.filter.scheme
        self.home = url_for("clubs.show")
        self.top = f"{self.home}seasons/{self.season.id}/" if self.season else f"{self.home}standings"
        self.here = self._address_of(self.tab)
        self.title = self.season.name if self.season else "Standings"
        self.when = say.span(self.season, g.club.zone) if self.season else "all time"
        self.is_closed = self.season is not None and self.season.closed_at is not None
        # True if the page shows the state when the season was closed.
        self.is_frozen = self.is_closed and not self.filter.is_on

    @property
    def cache_key(self) -> Hashable:
        """Cache key of the unfiltered page; None if it is not cached."""
        return None

    @property
    def tabs(self) -> list[tuple[str, str, bool]]:
        """Tabs: address, label, and whether it is the current page."""
        end = self.filter.address
        return [(f"{self._address_of(page.tab)}{end}", page.name, page.tab == self.tab) for page in PAGES]

    def _address_of(self, tab: str) -> str:
        return self.top if not tab else f"{self.top.rstrip('/')}/{tab}"

    def meaning_of(self, section: str, name: str) -> str:
        """Address of a column's explanation; the same on all pages of the club."""
        return f"{self.home}standings/columns#{anchor(section, name)}"

    @cached_property
    def kept(self) -> SeasonReport | None:
        """The report stored when the season was closed; None if there is none."""
        season = self.season
        if not self.is_frozen or season is None or season.pages is None:
            return None
        kept = season.pages
        return cached(g.club, ("kept pages", season.id, season.closed_at), lambda: archive.read(kept))

    @cached_property
    def names(self) -> Names:
        return self.kept.names if self.kept else archive.names_of(g.club, self.choice)

    @cached_property
    def table(self) -> ShownTable:
        def make() -> ShownTable:
            table, is_live = self.standings, not self.is_frozen
            ended = games_of_night(g.club, self.choice, table.night) if table.night and is_live else []
            shown = shown_table(table, self.scheme, ended)
            if is_live:
                return shown
            # Tables stored by older versions have the ids of players who were deleted since.
            here = set(db.session.scalars(select(Player.id).where(Player.club_id == g.club.id)))
            return shown._replace(rows=tuple(one if one.id in here else one._replace(id=0) for one in shown.rows))

        return cached(g.club, ("table", self.scheme, self.choice, self.is_frozen), make)

    @property
    def standings(self) -> Standings:
        """The table of players, for a closed season as stored."""
        if self.is_frozen and self.season:
            return archive.table_from_dict(self.season.frozen, self.scheme)
        return standings(g.club, self.scheme, self.choice)

    @cached_property
    def game_count(self) -> int:
        return sum(self._of_choice(games_by_sides).values())

    @property
    def games(self) -> str:
        """The number of games, or of other items shown, in words."""
        return counted(self.game_count, "game")

    def _of_choice(self, make: Callable[..., Made], *scheme: Scheme) -> Made:
        """Compute something from the chosen games, under a scheme if it depends on one; cached."""
        return cached(g.club, (make, *scheme, self.choice), lambda: make(g.club, *scheme, self.choice))


# --- the table of players -----------------------------------------------------------------------------------------


def nights_of(club: Club, choice: Choice) -> tuple[date, ...]:
    """Days of the chosen games, latest first."""
    days = select(Result.played).where(*chosen_games(club, choice), PLAYED).distinct()
    return tuple(db.session.scalars(days.order_by(Result.played.desc()).limit(MOST_NIGHTS)))


class TablePage(SeasonPage):
    """The table of players."""

    tab, name, template = "", "Players", "standings/show.html"

    @property
    def cache_key(self) -> Hashable:
        """The tallies' version, the day and the season's settings; None while ratings are to be recalculated."""
        club, season = g.club, self.season
        if club.unrated_since is not None:
            return None
        set_up = season and (season.name, season.starts, season.ends, season.closed_at)
        told = season and (season.settings, season.league, season.reopened)
        return club.name, club.stats_version, club.zone, club.today, set_up, str(told)

    @cached_property
    def me(self) -> int:
        return owner_id()

    @cached_property
    def mine(self) -> Row | None:
        rows = (*self.table.rows, *self.table.hidden) if self.me else ()
        return next((row for row in rows if row.id == self.me), None)

    @property
    def of(self) -> int:
        """Number of ranked players in the table of this device's player."""
        mine = self.mine.division if self.mine else ""
        return sum(not row.waits and row.division == mine for row in self.table.rows)

    @property
    def divisions(self) -> list[tuple[str, tuple[Row, ...]]]:
        """Tables by heading; a single one without heading if there are no divisions."""
        found = self.table.divisions
        return [(say.division_name(name) if len(found) > 1 or name else "", rows) for name, rows in found]

    @property
    def head(self) -> str:
        return say.COLUMN_HEADS[self.scheme.by]

    @property
    def other_nights(self) -> list[tuple[str, str]]:
        """Links from the table up to a day: one night earlier and later, if any, and to now."""
        after, every_game = self.choice.until or g.club.today, Choice(season_id=self.choice.season_id)
        days = cached(g.club, ("nights", every_game), lambda: nights_of(g.club, every_game))
        by = f"by={self.filter.by}" if self.filter.by else ""
        now, up_to = f"{self.here}?{by}".rstrip("?"), f"{self.here}?{by}{by and '&'}to="
        earlier = [day for day in days if day <= after][1:2]  # the first of them is the night shown
        later = [day for day in days if day > after]
        found = [("One night earlier", f"{up_to}{day.isoformat()}") for day in earlier]
        if later:
            found.append(("One night later", f"{up_to}{later[-1].isoformat()}" if len(later) > 1 else now))
        return [*found, ("Now", now)]

    @cached_property
    def climbs(self) -> list[tuple[str, str]]:
        """The latest moves on a ladder, newest first: (when, what). Not stored for a closed season."""
        if self.is_frozen or self.scheme.by != LADDER:
            return []
        asked = "climbs", self.scheme, self.choice
        found = cached(g.club, asked, lambda: climbs(g.club, self.scheme, self.choice)[-MOST_CLIMBS:])
        return [
            (
                f"{day(step.game.played)}, game {step.game.number}",
                ended(f"{name} moved from rung {step.start} to rung {step.end}, past {past}"),
            )
            for step, name, past in reversed(found)
        ]

    @property
    def words(self) -> list[str]:
        """The table's rules in sentences."""
        scheme = self.scheme
        ordered = say.counting(scheme)
        if self.is_frozen and scheme.by == RATING:
            ordered = "Ordered by rating, less its margin of error, on the day the season was closed."
        credit = say.CREDIT_RULES[scheme.credit] if self.season or scheme.is_of_pairs else ""
        return [ordered, say.tie_breaks(scheme), credit]

    @cached_property
    def playoffs_won(self) -> str:
        """Winners of the season's playoffs; empty while undecided."""
        season = self.season
        if season is None or not season.league:
            return ""
        return cached(g.club, ("playoffs", season.id), lambda: say.playoffs_won(bracket_of(season)))

    @property
    def inactive(self) -> str:
        """The number of players hidden from a table of ratings."""
        players = counted(len(self.table.hidden), "inactive player")
        return f"{players}: retired, or no game for {INACTIVE.days} days"


# --- partners, head to head ---------------------------------------------------------------------------------------


class PartnersPage(SeasonPage):
    """Results of pairs of partners."""

    tab, name, template = "partners", "Partners", "standings/partners.html"
    least, most = LEAST_TOGETHER, MOST_PAIRS

    @cached_property
    def pairs(self) -> list[Partnership]:
        return self.kept.pairs if self.kept else self._of_choice(partnerships)

    @property
    def by_games(self) -> list[list[Partnership]]:
        """The pairs with enough games, then the others; each sorted by the lower bound of their wins beyond chance."""
        ordered = sorted(self.pairs, key=lambda pair: -pair.safe)
        return [[pair for pair in ordered if pair.is_enough == enough] for enough in (True, False)]

    @property
    def games(self) -> str:
        return counted(len(self.pairs), "pair")


class HeadToHeadPage(SeasonPage):
    """The top players against each other, or one against all."""

    tab, name, template = "head-to-head", "Head to head", "standings/head_to_head.html"

    @cached_property
    def _lines(self) -> Sequence[Line]:
        players = replace(self.scheme, pairs=False)
        is_kept = self.is_frozen and not self.scheme.is_of_pairs
        table = self.standings if is_kept else self._of_choice(standings, players)
        return [line for line in (*table.lines, *table.hidden) if line.player.id]

    @cached_property
    def _opponents(self) -> dict[int, dict[int, CoPlayer]]:
        return self._of_choice(opponents_of)

    @cached_property
    def _schedules(self) -> dict[int, float]:
        return self.kept.schedules if self.kept else self._of_choice(schedules_of)

    @property
    def games(self) -> str:
        return counted(len(self.people), "player")

    @property
    def has_three_sides(self) -> bool:
        """True if some games have more than two sides, so that one's loss is not the other's win."""
        return max(self._of_choice(games_by_sides), default=0) > 2

    @cached_property
    def people(self) -> list[Person]:
        """All players of the table, in its order."""
        return [line.player for line in self._lines if line.record.games]

    @property
    def in_table(self) -> list[Person]:
        return self.people[:MOST_IN_TABLE]

    @cached_property
    def player(self) -> Person | None:
        """The chosen player, or None."""
        wanted = parse_number(request.args.get("player", ""))
        return next((one for one in self.people if one.id == wanted), None)

    @property
    def opponents(self) -> list[tuple[str, CoPlayer]]:
        """Opponents of the chosen player, those met most often first."""
        if self.player is None:
            return []
        names = {one.id: one.name for one in self.people}
        met = self._opponents.get(self.player.id, {})
        found = [(names[who], one) for who, one in met.items() if who in names]
        return sorted(found, key=lambda one: (-one[1].games, one[0].casefold()))

    def between(self, one: Person, other: Person) -> CoPlayer | None:
        return self._opponents.get(one.id, {}).get(other.id)

    def schedule(self, player: Person) -> str:
        """Strength of a player's schedule as a rating; fixed for a closed season."""
        strength = self._schedules.get(player.id)
        return NO_VALUE if strength is None else str(rating_number(strength))


# --- charts -------------------------------------------------------------------------------------------------------


class ChartsPage(SeasonPage):
    """Charts of places, ratings and bids."""

    tab, name, template = "charts", "Charts", "standings/charts.html"

    @cached_property
    def charts(self) -> Charts:
        me, rules = owner_id(), self.filter.rules_looked_at

        def draw() -> Charts:
            numbers = self.kept.charts if self.kept else archive.chart_numbers_of(g.club, self.scheme, self.choice)
            return charts_of(self.names, numbers, rules, me, season=bool(self.season))

        return cached(g.club, ("charts", self.scheme, self.choice, rules, me, self.is_frozen), draw)

    @property
    def games(self) -> str:
        since = self.charts.since
        return f"{super().games}; standings and ratings since {day(since)}" if since else super().games


# --- records and awards; guests are excluded, as from all tables and charts ---------------------------------------


class Feat(NamedTuple):
    """A record or award to display; `number` is the game it links to, `said` the text beside it."""

    title: str
    value: str
    who: str
    said: str
    number: int | None = None


class RecordsPage(SeasonPage):
    """The records, and a season's awards."""

    tab, name, template = "records", "Records", "standings/records.html"
    most_equaled = MOST_EQUALED

    @cached_property
    def _feats(self) -> Feats:
        return self.kept.feats if self.kept else self._of_choice(archive.feats_of)

    @property
    def leaves_out(self) -> bool:
        """True if there are records that were equaled too often to be shown."""
        return any(one.deed.again > MOST_EQUALED for one in self._feats.records)

    @cached_property
    def records(self) -> list[tuple[str, list[Feat]]]:
        """Records under each rule set and under any, by title; without those equaled often."""
        found = [one for one in self._feats.records if one.deed.again <= MOST_EQUALED]
        titles = {"": ALL_RULES} | rules_names(g.club, [one.rules_id for one in found if one.rules_id])
        numbers = [one.deed.number for one in found if one.key == BID]
        asked = select(Game.number, Game.rules).where(Game.club_id == g.club.id, Game.number.in_(numbers))
        rules = {number: RuleSet.from_dict(rules) for number, rules in db.session.execute(asked)}
        return [
            (titles[rules_id], [self._record(one, rules) for one in group])
            for rules_id, group in groupby(found, key=lambda one: one.rules_id)
        ]

    def _record(self, found: FoundRecord, rules: Mapping[int, RuleSet]) -> Feat:
        """A record with its value; a bid by its name in that game."""
        words, deed = RECORDS[found.key], found.deed
        value = words.value(deed.value)
        if found.key == BID and deed.number in rules:
            value = bid_name(deed.value, [rules[deed.number]])
        who = listed([self.names[player] for player in deed.players if player in self.names])
        return Feat(words.title, value, who, deed_text(found), deed.number)

    @cached_property
    def awards(self) -> list[Feat]:
        if not self.season or not self.game_count:
            return []
        divisions = [(name, rows) for name, rows in self.table.divisions if name] or [("", self.table.rows)]
        rule, champions = say.counting(self.scheme), []
        for name, rows in divisions:
            first = [row for row in rows if row.place == "1"]
            if first:
                worth, who = say.worth_said(first[0].worth, self.scheme), some_names(row.name for row in first)
                champions.append(Feat(f"Champion, division {name}" if name else "Champion", worth, who, rule))
        awards = [
            Feat(words.title, words.value(award), some_names(self.names[one] for one in award.holders), words.rule)
            for award in self._feats.awards
            if award.holders and (words := AWARDS[award.key])
        ]
        return [*champions, *awards]

    @property
    def games_left_out(self) -> str:
        return f"From about the latest {MOST_GAMES:,} games." if self.game_count > MOST_GAMES else ""


PAGES: tuple[type[SeasonPage], ...] = (TablePage, PartnersPage, HeadToHeadPage, ChartsPage, RecordsPage)
