"""Games from a paper table in a club: who is who, which table they sat at, and which of them are there already."""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Player, Result, Season
from scorekeeper.scoring.rules import RuleSet, team_formats
from scorekeeper.scoring.table import Table
from scorekeeper.services import club_log
from scorekeeper.services.games_from_paper import PaperGame
from scorekeeper.services.seasons import season_for
from scorekeeper.transfer.fields import known_as
from scorekeeper.transfer.paper import Cannot, PaperLine, PaperSheet, Trouble

NEW, KNOWN, TWICE = ("new", "known", "twice")
LIKE = 0.8  # how much alike two names are that may be meant to be one; 1 is the same
MOST_NEW = 300
Key = tuple[date, frozenset[tuple[frozenset[str], int]]]


@dataclass(frozen=True)
class NewName:
    """Somebody whom the club does not know; `like` is a name that may have been meant."""

    name: str
    like: str


@dataclass(frozen=True)
class Understood:
    """A game as it would be imported. `state` says if the same game is here already, or higher up (`same_as`).

    Its `totals` are as a game keeps them, `teams` has them as they were typed.
    """

    line: int
    table: Table
    names: tuple[str, ...]
    played: date
    totals: dict[str, int]
    winners: tuple[str, ...]
    season: Season | None
    state: str
    same_as: int = 0

    @property
    def teams(self) -> list[tuple[str, list[str], int, bool]]:
        """Each unit with its players, its score, and whether it won."""
        scale = self.table.rules.win.scale
        return [
            (unit, [self.names[s - 1] for s in self.table.seats_of(unit)], scale.score(total), unit in self.winners)
            for unit, total in self.totals.items()
        ]


class PaperPlan:
    """A paper table compared with a club. `same` are new names that mean the player they resemble."""

    def __init__(self, club: Club, sheet: PaperSheet, rules: RuleSet, same: Collection[str] = ()) -> None:
        self.club, self.sheet, self.rules = club, sheet, rules
        self.troubles = list(sheet.troubles)
        self._known: dict[str, str] = {known_as(p.name): p.name for p in db.session.scalars(_of(Player, club))}
        self._once, self._unclear = _former_names(club, self._known)
        self._seasons: dict[str, Season] = {known_as(s.name): s for s in db.session.scalars(_of(Season, club))}
        self._spelled: dict[str, str] = {}  # the new names, as they are written first
        self._by_day: dict[date, Season | None] = {}
        self.people = self._find_people()
        self._stand_for = {known_as(new.name): new.like for new in self.people if new.like and new.name in same}
        self.games = [game for line in sheet.games if (game := self._understand(line))]
        self.troubles.sort(key=lambda trouble: trouble.line)

    # --- people ---

    def _find_people(self) -> list[NewName]:
        """The names that the club does not know, in the order in which they come."""
        for name in (name for line in self.sheet.games for team in line.teams for name in team):
            if known_as(name) not in self._known and known_as(name) not in self._once:
                self._spelled.setdefault(known_as(name), name)
        new = list(self._spelled.values())
        if len(new) > MOST_NEW:
            self.troubles.append(Trouble(0, f"That would be {len(new):,} new players. Check the columns."))
            return []
        found = _with_likes(list(self._known.values()), new)
        return [replace(new, like=self._unclear.get(known_as(new.name), new.like)) for new in found]

    @property
    def otherwise(self) -> list[tuple[str, str]]:
        """Who has another name here than in the table: the name there, and the one here."""
        names = dict.fromkeys(name for line in self.sheet.games for team in line.teams for name in team)
        return [(name, self._once[known_as(name)]) for name in names if known_as(name) in self._once]

    @property
    def likes(self) -> list[NewName]:
        """The new names that may be meant for another one."""
        return [new for new in self.people if new.like]

    @property
    def strangers(self) -> list[str]:
        """The new names that are like no other."""
        return [new.name for new in self.people if not new.like]

    @property
    def newcomers(self) -> int:
        """How many players will be new to the club, without the new names that mean a known player."""
        return len(self.people) - len(self._stand_for)

    def name_of(self, name: str) -> str:
        """What somebody is called in the club."""
        key = known_as(name)
        while key in self._stand_for:  # a new name may be like another new one, which is like one that is known
            key = known_as(self._stand_for[key])
        return self._known.get(key) or self._once.get(key) or self._spelled[key]

    # --- games ---

    def _understand(self, line: PaperLine) -> Understood | None:
        teams = [[self.name_of(name) for name in team] for team in line.teams]
        try:
            _check_once(teams)
            table, season = fit(self.rules, teams), self._season(line)
        except Cannot as cannot:
            self.troubles.append(Trouble(line.line, str(cannot)))
            return None
        names = tuple(teams[(seat - 1) % len(teams)][(seat - 1) // len(teams)] for seat in table.seats)
        scores = list(map(self.rules.win.scale.score, line.scores))
        totals = dict(zip(table.units, scores, strict=True))
        winners = tuple(table.units[index] for index in line.winners)
        state, same_as = self._met(line.line, _key(line.played, zip(teams, scores, strict=True)))
        return Understood(line.line, table, names, line.played, totals, winners, season, state, same_as)

    def _season(self, line: PaperLine) -> Season | None:
        """The season that is named, else the one that ran then."""
        if line.season:
            found = self._seasons.get(known_as(line.season))
            if found is None:
                raise Cannot(f"There is no season called {line.season[:80]}. Start it first, or leave the cell empty.")
            return found
        if line.played not in self._by_day:
            self._by_day[line.played] = season_for(self.club, line.played)
        return self._by_day[line.played]

    def _met(self, line: int, key: Key) -> tuple[str, int]:
        """Whether a game is here already, or is in the table twice; with the line where it is first."""
        if self._here[key] > 0:
            self._here[key] -= 1
            return KNOWN, 0
        first = self._first.setdefault(key, line)
        return (NEW, 0) if first == line else (TWICE, first)

    @cached_property
    def _first(self) -> dict[Key, int]:
        return {}

    @cached_property
    def _here(self) -> Counter[Key]:
        """The games that count in the club on the days of the table, by what there is to know them by."""
        days = {line.played for line in self.sheet.games}
        rows = select(Result.game_id, Result.played, Result.unit, Result.points_for, Player.name)
        rows = rows.join(Player, Player.id == Result.player_id)
        found = rows.where(Result.club_id == self.club.id, Result.games == 1, Result.played.in_(days))
        found = found.where(Result.credit == "")
        games: dict[int, tuple[date, dict[str, tuple[list[str], int]]]] = {}
        for game_id, played, unit, total, name in db.session.execute(found):
            _, units = games.setdefault(game_id, (played, {}))
            units.setdefault(unit, ([], total))[0].append(name)
        return Counter(_key(played, units.values()) for played, units in games.values())

    # --- what comes of it ---

    def wanted(self, again: bool) -> list[Understood]:
        """The games that would be brought in; with `again`, those too that seem to be here."""
        return [game for game in self.games if again or game.state == NEW]

    def paper_games(self, form: str, again: bool) -> list[PaperGame]:
        """The games for the ledger. `form` names the form: sent twice, it imports them once."""
        return [
            PaperGame(_uid(form, one.line), one.table, one.names, one.played, one.totals, one.winners, one.season)
            for one in self.wanted(again)
        ]


def _of(table: type[Player] | type[Season], club: Club) -> Any:
    return select(table).where(table.club_id == club.id)


def _uid(form: str, line: int) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(f"{form}:{line}".encode()).digest())[:22].decode()


def _key(played: date, teams: Iterable[tuple[Iterable[str], int]]) -> Key:
    """What a game is known by: the day, who played together, and the scores."""
    return played, frozenset((frozenset(known_as(name) for name in names), total) for names, total in teams)


def _check_once(teams: Sequence[Sequence[str]]) -> None:
    names = [name for team in teams for name in team]
    for name in names:
        if names.count(name) > 1:
            raise Cannot(f"{name} plays twice.")


def _former_names(club: Club, known: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Players by a name that they once had and nobody has now; and, where several had it, one of them to ask about."""
    names = {player.uid: player.name for player in db.session.scalars(_of(Player, club))}
    one: dict[str, str] = {}
    unclear: dict[str, str] = {}
    for name, uids in club_log.former(club.id).names.items():
        now = sorted(names[uid] for uid in uids if uid in names)
        if now and name not in known:
            (one if len(now) == 1 else unclear)[name] = now[0]
    return one, unclear


# --- names that are nearly the same -------------------------------------------------------------------------------


def _with_likes(known: Sequence[str], new: Sequence[str]) -> list[NewName]:
    """New names, each with one that it is like: somebody of the club, or another new one further up."""
    found: list[NewName] = []
    others = {_bare(name): name for name in reversed(known)}
    for name in new:
        like = get_close_matches(_bare(name), others, n=1, cutoff=LIKE)
        found.append(NewName(name, others[like[0]] if like else ""))
        others.setdefault(_bare(name), name)
    return found


def _bare(name: str) -> str:
    """A name without capitals and accents."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


# --- the table they sat at ----------------------------------------------------------------------------------------


def fit(rules: RuleSet, teams: Sequence[Sequence[str]]) -> Table:
    """The table at which such teams play by these rules; raises Cannot."""
    sizes = {len(team) for team in teams}
    if len(sizes) > 1:
        raise Cannot("All teams must be the same size.")
    players, count = sum(len(team) for team in teams), 0 if sizes == {1} else len(teams)
    if players not in rules.table.players:
        raise Cannot(f"{rules.name} is for {_players(rules)} players, not {players}.")
    formats = team_formats(players, rules.table.teams) if rules.table.sides == "teams" else (0,)
    if count not in formats:
        raise Cannot(f"In {rules.name}, {players} players play {_either(map(_format, formats))}, not {_format(count)}.")
    return Table(rules, players, count)


def _players(rules: RuleSet) -> str:
    """How many can play: 4, 4 or 6, 2 to 6."""
    counts = sorted(rules.table.players)
    in_a_row = len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1))
    return f"{counts[0]} to {counts[-1]}" if in_a_row else _either(counts)


def _either(values: Iterable[object]) -> str:
    return " or ".join(map(str, values))


def _format(teams: int) -> str:
    return f"in {teams} teams" if teams else "individually"
