"""Which games a page of numbers is about: by season, rules, table and time, as its address says.

`season=3&rules=classic&table=6-2&from=2026-01-01&to=2026-03-31`, each of them or none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, GameCount, GameGroup
from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.services import custom_rules as our_rules
from scorekeeper.stats.query import Choice
from scorekeeper.web.common.numbers import day
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.game_sentences import FORMATS

NAMES = ("season", "rules", "table", "from", "to")
WRONG = {
    "season": say.SEASON_LISTED,
    "rules": say.RULES_LISTED,
    "table": say.TABLE_LISTED,
    "from": say.A_DAY,
    "to": say.A_DAY,
}


class Option(NamedTuple):
    """What can be chosen: its value in the address, and its label."""

    value: str
    label: str


def rules_names(club: Club, rules_ids: Iterable[str]) -> dict[str, str]:
    """What rule sets are called; of a club's own, what they are called there, or in a game under them."""
    ids = set(rules_ids)
    found = {one: find_rules(one).name for one in ids if one in CATALOGUE}
    if ids - found.keys():
        found |= {own.rules.id: own.name for own in our_rules.rules_of(club) if own.rules.id in ids}
    gone = ids - found.keys()
    return found | {one: one for one in gone} | _names_in_games(club, gone) if gone else found


def _names_in_games(club: Club, rules_ids: Collection[str]) -> dict[str, str]:
    """What rules are called that the club has no longer, as its latest game under each has it."""
    of_game = GameCount.game_id == Game.id
    under = select(func.max(Game.id)).join(GameCount, of_game).where(Game.club_id == club.id)
    latest = under.where(GameCount.rules_id.in_(rules_ids)).group_by(GameCount.rules_id)
    rows = db.session.execute(select(GameCount.rules_id, Game.rules).join(Game, of_game).where(Game.id.in_(latest)))
    return {rules_id: str(rules["name"]) for rules_id, rules in rows}


def table_name(players: int, teams: int) -> str:
    return f"{players} players, {FORMATS.get(teams, f'{teams} teams')}"


class GameFilter:
    """What was chosen, what there is to choose, and what is wrong with it."""

    def __init__(self, club: Club, values: Mapping[str, str]) -> None:
        self.club = club
        self.typed = {name: values.get(name, "").strip() for name in NAMES}
        self.errors: dict[str, str] = {}
        self.choice = self._read()

    # --- what there is to choose ---

    @cached_property
    def seasons(self) -> list[Option]:
        return [Option(str(season.id), season.name) for season in self.club.seasons]

    @cached_property
    def rules(self) -> list[Option]:
        return _options(rules_names(self.club, [kind.rules_id for kind in self._groups]).items())

    @cached_property
    def tables(self) -> list[Option]:
        kinds = sorted({(kind.players, kind.teams) for kind in self._groups})
        return [Option(f"{players}-{teams}", table_name(players, teams)) for players, teams in kinds]

    @cached_property
    def _groups(self) -> list[GameGroup]:
        return list(db.session.scalars(select(GameGroup).where(GameGroup.club_id == self.club.id)))

    @property
    def rules_looked_at(self) -> list[str]:
        """The ids of the rule sets of the games that can be among those chosen."""
        wanted = self.choice.rules_id
        return [option.value for option in self.rules if wanted in (None, option.value)]

    # --- what was chosen ---

    def _read(self) -> Choice:
        season, rules = self._one_of("season", self.seasons), self._one_of("rules", self.rules)
        table = self._one_of("table", self.tables)
        players, teams = map(int, table.split("-")) if table else (None, None)
        since, until = self._day("from"), self._day("to")
        if since and until and until < since:
            self.errors["to"], since, until = say.LAST_BEFORE_FIRST, None, None
        return Choice(int(season) if season else None, rules or None, players, teams, since, until)

    def _one_of(self, name: str, options: list[Option]) -> str:
        text = self.typed[name]
        if text and text not in (option.value for option in options):
            self.errors[name] = WRONG[name]
            return ""
        return text

    def _day(self, name: str) -> date | None:
        text = self.typed[name]
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            self.errors[name] = WRONG[name]
            return None

    @property
    def is_all(self) -> bool:
        """Whether all games are looked at."""
        return self.choice == Choice()

    @property
    def status(self) -> int:
        return 422 if self.errors else 200

    @property
    def args(self) -> dict[str, str]:
        """What was chosen, for the address of another page that looks at the same games."""
        return {name: text for name, text in self.typed.items() if text and name not in self.errors}

    @property
    def said(self) -> str:
        """The choice in words: "League; Classic; from Jan 1, 2026"."""
        options = {"season": self.seasons, "rules": self.rules, "table": self.tables}
        parts = [
            option.label for name, some in options.items() for option in some if option.value == self.args.get(name)
        ]
        parts += [
            f"{word} {day(when)}" for word, when in (("from", self.choice.since), ("to", self.choice.until)) if when
        ]
        return "; ".join(parts) or "All games"


def _options(pairs: Iterable[tuple[str, str]]) -> list[Option]:
    return sorted({Option(*pair) for pair in pairs}, key=lambda option: option.label.casefold())
