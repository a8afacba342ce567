"""Filters games by season, rules, table, days and players, from the query string.

`season=3&rules=classic&table=6-2&from=2026-01-01&to=2026-03-31`, all optional.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from urllib.parse import urlencode

from sqlalchemy import func, select
from werkzeug.datastructures import MultiDict

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, GameCount, GameGroup, Player, Season
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from scorekeeper.services import custom_rules
from scorekeeper.stats.query import Choice, in_season
from scorekeeper.stats.schemes import BY, LADDER, WINS, Scheme
from scorekeeper.web.common.fields import A_DAY
from scorekeeper.web.common.numbers import day
from scorekeeper.web.common.words import listed, table_name
from scorekeeper.web.seasons.forms import LAST_BEFORE_FIRST
from scorekeeper.web.seasons.messages import SCHEMES

NAMES = ("season", "rules", "table", "from", "to")
ORDERS = {by: SCHEMES[by] for by in BY if by != LADDER}  # a ladder belongs to one season


def rules_by_id(club: Club, rules_ids: Iterable[str]) -> dict[str, RuleSet]:
    """Rule sets by id; a club's own as saved there or, if deleted, as in the latest game under them."""
    ids = set(rules_ids)
    found = {one: find_rules(one) for one in ids if one in CATALOGUE}
    if ids - found.keys():
        found |= {own.rules.id: own.rules for own in custom_rules.rules_of(club) if own.rules.id in ids}
    gone = ids - found.keys()
    if not gone:
        return found
    of_game = GameCount.game_id == Game.id
    under = select(func.max(Game.id)).join(GameCount, of_game).where(Game.club_id == club.id)
    latest = under.where(GameCount.rules_id.in_(gone)).group_by(GameCount.rules_id)
    rows = db.session.execute(select(GameCount.rules_id, Game.rules).join(Game, of_game).where(Game.id.in_(latest)))
    return found | {rules_id: RuleSet.from_dict(rules) for rules_id, rules in rows}


def rules_names(club: Club, rules_ids: Collection[str]) -> dict[str, str]:
    """Names of rule sets by id."""
    return {one: one for one in rules_ids} | {one: rules.name for one, rules in rules_by_id(club, rules_ids).items()}


class GameFilter:
    """Chosen values, available choices (labels by URL value), and errors by name."""

    season: Season | None = None  # restricts the choices to this season's games

    def __init__(self, club: Club, values: Mapping[str, str]) -> None:
        self.club = club
        self.typed = {name: values.get(name, "").strip() for name in NAMES}
        self.errors: dict[str, str] = {}
        self.choice = self._read()

    # --- choices ---

    @cached_property
    def seasons(self) -> dict[str, str]:
        return {str(season.id): season.name for season in self.club.seasons}

    @cached_property
    def rules(self) -> dict[str, str]:
        named = rules_names(self.club, [kind.rules_id for kind in self._groups]).items()
        return dict(sorted(named, key=lambda pair: pair[1].casefold()))

    @cached_property
    def tables(self) -> dict[str, str]:
        kinds = sorted({(kind.players, kind.teams) for kind in self._groups})
        return {f"{players}-{teams}": table_name(players, teams) for players, teams in kinds}

    @cached_property
    def _groups(self) -> list[GameGroup]:
        here = [in_season(self.season.id)] if self.season else []
        return list(db.session.scalars(select(GameGroup).where(GameGroup.club_id == self.club.id, *here)))

    @property
    def rules_looked_at(self) -> tuple[RuleSet, ...]:
        """The rule sets that the chosen games can have."""
        ids = [rules for rules in self.rules if self.choice.rules_id in (None, rules)]
        return tuple(rules_by_id(self.club, ids).values())

    # --- chosen values ---

    def _read(self) -> Choice:
        season, rules = self._one_of("season", self.seasons), self._one_of("rules", self.rules)
        table = self._one_of("table", self.tables)
        players, teams = map(int, table.split("-")) if table else (None, None)
        since, until = self._day("from"), self._day("to")
        if since and until and until < since:
            self.errors["to"], since, until = LAST_BEFORE_FIRST, None, None
        return Choice(int(season) if season else None, rules or None, players, teams, since, until)

    def _one_of(self, name: str, options: Collection[str]) -> str:
        text = self.typed[name]
        if text and text not in options:
            self.errors[name] = f"Choose {'rules' if name == 'rules' else f'a {name}'} from the list."
            return ""
        return text

    def _day(self, name: str) -> date | None:
        text = self.typed[name]
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            self.errors[name] = A_DAY
            return None

    @property
    def is_on(self) -> bool:
        """True if some games are left out."""
        return self.choice != Choice()

    @property
    def status(self) -> int:
        return 422 if self.errors else 200

    @property
    def args(self) -> dict[str, str]:
        """Query arguments for another page with the same filter."""
        return {name: text for name, text in self.typed.items() if text and name not in self.errors}

    @property
    def said(self) -> str:
        """The filter in words: "League; Classic; from Jan 1, 2026"."""
        options = {"season": self.seasons, "rules": self.rules, "table": self.tables}
        days = {"from": self.choice.since, "to": self.choice.until}
        parts = [some[self.args[name]] for name, some in options.items() if name in self.args]
        parts += [f"{word} {day(when)}" for word, when in days.items() if when]
        return "; ".join(parts) or "All games"


class TableFilter(GameFilter):
    """The filter of a season's table, or the all-time one; makes no query unless it is used."""

    orders = ORDERS

    def __init__(self, club: Club, season: Season | None, args: MultiDict[str, str]) -> None:
        self.season = season
        self.there = list(dict.fromkeys(text.strip() for text in args.getlist("there") if text.strip()))
        self.by = args.get("by", "").strip() if season is None else ""
        self.opened = "narrow" in args
        super().__init__(club, {name: args.get(name, "") for name in NAMES if name != "season"})

    seasons: dict[str, str] = {}  # no choice: the path names the season

    @cached_property
    def people(self) -> dict[str, str]:
        mine = select(Player.id, Player.name).where(Player.club_id == self.club.id).order_by(Player.name)
        return {str(number): name for number, name in db.session.execute(mine)}

    @property
    def is_on(self) -> bool:
        """True if some games are left out, or were to be by a filter with errors."""
        return bool(any(self.typed.values()) or self.there)

    @property
    def is_past_night(self) -> bool:
        """True if the only filter is an end day."""
        return not self.errors and not self.there and [name for name, text in self.typed.items() if text] == ["to"]

    def _read(self) -> Choice:
        if self.by and self.by not in ORDERS:
            self.errors["by"] = "Choose an order from the list."
        choice = super()._read() if self.is_on else Choice()
        here = self.season.id if self.season else None
        return replace(choice, season_id=here, present=self._present())

    def _present(self) -> frozenset[int]:
        known = self.people if self.there else {}
        if not known.keys() >= set(self.there):
            self.errors["there"] = "Choose players from the list."
        return frozenset(int(text) for text in self.there if text in known)

    @property
    def scheme(self) -> Scheme:
        """The scheme of the all-time table."""
        return Scheme(by=self.by if self.by in ORDERS else WINS)

    @property
    def address(self) -> str:
        """The filter as a query string: "?rules=classic"; empty if not used."""
        pairs = [(name, text) for name, text in self.typed.items() if text] + [("there", text) for text in self.there]
        query = urlencode([*pairs, ("by", self.by)] if self.by else pairs)
        return f"?{query}" if query else ""

    @property
    def said(self) -> str:
        """The filter in words: "Classic; from Jan 1, 2026; with Ann and Bo"."""
        there = [name for number, name in self.people.items() if number in self.there] if self.there else []
        some = super().said if any(self.typed.values()) else ""
        return "; ".join(filter(None, (some, f"with {listed(there)}" if there else "")))
