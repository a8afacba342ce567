"""What the pages of a season show, and those of all games.

To add a page, write its class here, name it in PAGES, give its address a role in web/common/roles.py, and begin its
template as a copy of charts.html: its address, its tab and its tests follow from PAGES.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import ClassVar, NamedTuple

from flask import g, request, url_for
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, Result, Season
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.services import seasons
from scorekeeper.stats import archive
from scorekeeper.stats.archive import Feats, Names, SeasonReport
from scorekeeper.stats.head_to_head import HeadToHead, Meeting, head_to_head
from scorekeeper.stats.league import bracket_of
from scorekeeper.stats.query import MOST_GAMES, Choice, Person, chosen_games, games_by_sides
from scorekeeper.stats.ratings import PLAYED
from scorekeeper.stats.records import FoundRecord
from scorekeeper.stats.schemes import LADDER, RATING, SHARE, Scheme
from scorekeeper.stats.standings import INACTIVE, LEAST_TOGETHER, Line, Partnership, climbs, partnerships, standings
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.numbers import counted, day, rating_number
from scorekeeper.web.common.scope import find_season
from scorekeeper.web.common.scorer import owner_id
from scorekeeper.web.common.words import ended, listed
from scorekeeper.web.seasons import messages as say

from .charts import Charts, bid_name, charts_of
from .filters import TableFilter, rules_names
from .messages import ALL_RULES, AWARDS, RECORDS, anchor, deed_text, some_names
from .table import NOTHING, Made, Row, Shown, cached, frozen, game_count, more_heads, shown

MOST_PAIRS = 100
MOST_CLIMBS = 10
MOST_NIGHTS = 400  # that one can step through, the latest: as many as seven years of a weekly club have
MOST_IN_TABLE = 12  # of more, the first: a page with everybody of sixty against everybody has 3,600 numbers
BID = "bid"
MOST_EQUALED = 5


class SeasonPage:
    """What all pages of a season, or of all games, have: `tab` ends the address, `name` is the text of the tab.

    Each page has `games`, too: how many games or what else it shows, in words.
    """

    tab: ClassVar[str]
    name: ClassVar[str]
    template: ClassVar[str]

    def __init__(self, season_id: int | None) -> None:
        self.season: Season | None = find_season(season_id) if season_id else None
        self.filter = TableFilter(g.club, self.season, request.args)
        self.choice = self.filter.choice
        self.scheme: Scheme = seasons.scheme_of(self.season) if self.season else self.filter.scheme
        self.home = url_for("clubs.show", key=g.club.key)
        self.top = f"{self.home}seasons/{self.season.id}/" if self.season else f"{self.home}standings"
        self.here = self._address_of(self.tab)
        self.title = self.season.name if self.season else "Standings"
        self.when = say.span(self.season) if self.season else "all time"
        self.is_closed = self.season is not None and self.season.closed_at is not None
        # Whether the page is shown as it was when the season was closed.
        self.is_frozen = self.is_closed and not self.filter.is_on

    @property
    def tabs(self) -> list[tuple[str, str, bool]]:
        """Where each page is, its name, and whether it is this one."""
        end = self.filter.address
        return [(f"{self._address_of(page.tab)}{end}", page.name, page.tab == self.tab) for page in PAGES]

    def _address_of(self, tab: str) -> str:
        return self.top if not tab else f"{self.top.rstrip('/')}/{tab}"

    def meaning_of(self, section: str, name: str) -> str:
        """The address of what a column means; the same on every page of the club."""
        return f"{self.home}standings/columns#{anchor(section, name)}"

    @cached_property
    def kept(self) -> SeasonReport | None:
        """What was kept of the season when it was closed."""
        season = self.season if self.is_frozen else None
        if season is None or season.pages is None:
            return None
        kept = season.pages
        return cached(g.club, ("kept pages", season.id, season.closed_at), lambda: archive.read(kept))

    @cached_property
    def names(self) -> Names:
        return self.kept.names if self.kept else archive.names_of(g.club, self.choice)

    @cached_property
    def table(self) -> Shown:
        if self.is_frozen and self.season:
            return frozen(g.club, self.season, self.scheme)
        return shown(g.club, self.scheme, self.choice)

    def _of_choice(self, make: Callable[[Club, Choice], Made]) -> Made:
        """What is made of the games chosen, cached."""
        return cached(g.club, (make, self.choice), lambda: make(g.club, self.choice))

    @property
    def sides(self) -> Mapping[int, int]:
        """How many of the games have how many sides."""
        return self._of_choice(games_by_sides)


# --- the table of players -----------------------------------------------------------------------------------------


def nights_of(club: Club, choice: Choice) -> tuple[date, ...]:
    """The days on which the games chosen were played, the latest first."""
    days = select(Result.played).where(*chosen_games(club, choice), PLAYED).distinct()
    return tuple(db.session.scalars(days.order_by(Result.played.desc()).limit(MOST_NIGHTS)))


class Nights(NamedTuple):
    """The game nights that the table can be shown after, the latest first; `after` is the day up to which it is."""

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
        following = [day for day in self.days if self.after is not None and day > self.after]
        if not following:
            return ""
        return self._address(following[-1]) if len(following) > 1 else self.now

    @property
    def now(self) -> str:
        """The address of the table of all games."""
        return f"{self.here}?by={self.by}" if self.by else self.here

    def _address(self, day: date) -> str:
        return f"{self.here}?{f'by={self.by}&' if self.by else ''}to={day.isoformat()}"


class TablePage(SeasonPage):
    """The table of players."""

    tab, name, template = "", "Players", "standings/show.html"

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
        return [(say.division_name(name) if len(found) > 1 or name else "", rows) for name, rows in found]

    @property
    def games(self) -> str:
        return counted(self.table.games, "game")

    @cached_property
    def nights(self) -> Nights:
        """The game nights that the table can be shown after."""
        asked = "nights", self.choice.season_id
        days = cached(g.club, asked, lambda: nights_of(g.club, Choice(season_id=self.choice.season_id)))
        return Nights(self.here, days, self.choice.until if self.filter.is_past_night else None, self.filter.by)

    @property
    def head(self) -> str:
        return say.HEADS[self.scheme.by]

    @cached_property
    def climbs(self) -> list[tuple[str, str]]:
        """The latest moves up a ladder, the latest first: when, and what it was. None are kept of a closed season."""
        if self.is_frozen or self.scheme.by != LADDER:
            return []
        asked = "climbs", self.scheme, self.choice
        found = cached(g.club, asked, lambda: climbs(g.club, self.scheme, self.choice)[-MOST_CLIMBS:])
        return [
            (f"{day(step.game.played)}, game {step.game.number}", ended(say.climbed(step, *names)))
            for step, *names in reversed(found)
        ]

    @property
    def heads(self) -> list[str]:
        """The heads of the columns behind what the table is ordered by, as table.row has their cells."""
        share = [] if self.scheme.by == SHARE else ["Win %"]
        rated = [] if self.scheme.is_of_pairs or self.scheme.by == RATING else ["Rating"]
        results = ["Games", "Won", "Lost", "Tied", *share, "For", "Against", "Margin"]
        return [*results, *rated, *more_heads(self.table.rows)]

    @property
    def words(self) -> list[str]:
        """How the table is made, in sentences."""
        scheme = self.scheme
        ordered = say.CLOSED_BY_RATING if self.is_frozen and scheme.by == RATING else say.counting(scheme)
        if scheme.is_of_pairs:  # a pair has one other side
            return [ordered, say.tie_breaks(scheme), say.CREDIT_RULES[scheme.credit]]
        credit = say.CREDIT_RULES[scheme.credit] if self.season else ""
        return [ordered, say.tie_breaks(scheme), credit]

    @property
    def champions(self) -> str:
        """Who won the season when it was closed: "Ann won", "Ann and Cy won together"."""
        return say.champions_text(self.season) if self.season else ""

    @cached_property
    def playoffs_won(self) -> str:
        """Who won the playoffs of the season; empty while nobody has."""
        season = self.season
        if season is None or not season.league:
            return ""
        return cached(g.club, ("playoffs", season.id), lambda: say.playoffs_won(bracket_of(season)))

    @property
    def reopened(self) -> str:
        """Why a season that was closed is open again."""
        return say.reopened_text(self.season) if self.season else ""

    @property
    def inactive(self) -> str:
        """Who is left out of a table of ratings."""
        players = counted(len(self.table.hidden), "inactive player")
        return f"{players}: retired, or no game for {INACTIVE.days} days"


# --- partners, and head to head -----------------------------------------------------------------------------------


class PartnersPage(SeasonPage):
    """How partners do, two by two."""

    tab, name, template = "partners", "Partners", "standings/partners.html"
    least, most = LEAST_TOGETHER, MOST_PAIRS

    @cached_property
    def pairs(self) -> list[Partnership]:
        if self.kept:
            return self.kept.pairs
        return self._of_choice(partnerships)

    @cached_property
    def enough(self) -> list[Partnership]:
        """The pairs with enough games together to be compared, by what they won at least more than chance."""
        return sorted((pair for pair in self.pairs if pair.is_enough), key=lambda pair: -pair.safe)

    @property
    def games(self) -> str:
        return counted(len(self.enough), "pair")


class HeadToHeadPage(SeasonPage):
    """The first players of the table against each other, or one against everybody."""

    tab, name, template = "head-to-head", "Head to head", "standings/head_to_head.html"

    @cached_property
    def _lines(self) -> Sequence[Line]:
        scheme = self.scheme.of_players
        if self.is_frozen and self.season and not self.scheme.is_of_pairs:
            return [line for line in archive.table_of(self.season.frozen, scheme).lines if line.player.id]
        table = cached(g.club, ("lines", scheme, self.choice), lambda: standings(g.club, scheme, self.choice))
        return (*table.lines, *table.hidden)

    @cached_property
    def _met(self) -> HeadToHead:
        return self._of_choice(head_to_head)

    @property
    def games(self) -> str:
        return counted(len(self.people), "player")

    @property
    def has_three_sides(self) -> bool:
        """Whether some of the games have more sides than two, so that one's loss is not the other's win."""
        return max(self.sides, default=0) > 2

    @cached_property
    def people(self) -> list[Person]:
        """Everybody in the table, in its order."""
        return [line.player for line in self._lines if line.record.games]

    @property
    def in_table(self) -> list[Person]:
        return self.people[:MOST_IN_TABLE]

    @cached_property
    def player(self) -> Person | None:
        """Who was chosen, if anybody."""
        wanted = number_in(request.args.get("player", ""))
        return next((one for one in self.people if one.id == wanted), None)

    @property
    def opponents(self) -> list[tuple[str, Meeting]]:
        """All opponents of that player, those met most often first."""
        if self.player is None:
            return []
        names = {one.id: one.name for one in self.people}
        met = self._met.meetings.get(self.player.id, {})
        found = [(names[who], one) for who, one in met.items() if who in names]
        return sorted(found, key=lambda one: (-one[1].games, one[0].casefold()))

    def between(self, one: Person, other: Person) -> Meeting:
        return self._met.meeting(one.id, other.id)

    def schedule(self, player: Person) -> str:
        """The strength of a player's schedule as a rating; that of a closed season does not change."""
        strength = (self.kept.schedules if self.kept else self._met.schedules).get(player.id)
        return NOTHING if strength is None else str(rating_number(strength))


# --- charts -------------------------------------------------------------------------------------------------------


class ChartsPage(SeasonPage):
    """Places, ratings, bids and partners as charts."""

    tab, name, template = "charts", "Charts", "standings/charts.html"

    @cached_property
    def charts(self) -> Charts:
        me, rules = owner_id(), self.filter.rules_looked_at
        asked = "charts", self.scheme, self.choice, me, self.is_frozen
        return cached(g.club, asked, lambda: charts_of(self.names, self._charted, rules, me, season=bool(self.season)))

    @property
    def _charted(self) -> archive.ChartNumbers:
        if self.kept:
            return self.kept.charts
        return archive.charted(g.club, self.scheme, self.choice)

    @property
    def games(self) -> str:
        games = counted(game_count(g.club, self.choice), "game")
        return f"{games}; standings and ratings since {day(self.charts.since)}" if self.charts.since else games


# --- records and awards. Guests hold none: they are named in no table, chart or record ----------------------------


class Feat(NamedTuple):
    """A record or an award, ready to be shown; `number` is the game it links to, `said` the text beside it."""

    title: str
    value: str
    who: str
    said: str
    number: int | None = None


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
    def _feats(self) -> Feats:
        if self.kept:
            return self.kept.feats
        with_awards = self.season is not None
        asked = "feats", self.choice
        return cached(g.club, asked, lambda: archive.feats_of(g.club, self.choice, with_awards=with_awards))

    @cached_property
    def records(self) -> list[tuple[str, list[Feat]]]:
        """The records under each rule set, and under any: a title, and those that were not equaled often."""
        found = [one for one in self._feats.records if one.best.again <= MOST_EQUALED]
        titles = {"": ALL_RULES} | rules_names(g.club, [one.rules_id for one in found if one.rules_id])
        numbers = [one.best.deed.number for one in found if one.key == BID]
        asked = select(Game.number, Game.rules).where(Game.club_id == g.club.id, Game.number.in_(numbers))
        rules = {number: RuleSet.from_dict(rules) for number, rules in db.session.execute(asked)}
        return [
            (titles[rules_id], [self._record(one, rules) for one in group])
            for rules_id, group in groupby(found, key=lambda one: one.rules_id)
        ]

    def _record(self, found: FoundRecord, rules: Mapping[int, RuleSet]) -> Feat:
        """A record with its number; a bid as it was called in that game."""
        words, deed = RECORDS[found.key], found.best.deed
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
        leaders = {name: [row for row in rows if row.place == "1"] for name, rows in divisions}
        rule, champions = say.counting(self.scheme), []
        for name, first in leaders.items():
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
