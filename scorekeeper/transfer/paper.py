"""Import a season that was kept on paper, from a table that somebody has typed: parsed line by line, without guessing.

One line is one game. The first line names the columns: date, optionally season, team 1, score 1, team 2, score 2 and so
on, optionally winner.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from functools import cache, cached_property
from typing import NamedTuple

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import NAME_LENGTH, Club, Player, Result, Season, seated_twice, tidy_name, uid_from
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.services import club_log
from scorekeeper.services.games import PaperGame
from scorekeeper.services.seasons import running

from .columns import is_text, name_key

MOST_LINES = 2_000
MOST_NAMED = 12  # lines in one sentence
MOST_POINTS = 9999
FIRST_YEAR = 1900
DAY_FIRST, MONTH_FIRST = ORDERS = ("day", "month")
HEADER = (
    "The first line must name the columns: date, team 1, score 1, team 2, score 2 and so on. Add season and winner if "
    "you have them."
)
PAIRS = "Every team needs a score, and every score a team. Check the first line."
MIXED = "Some dates start with the day, others with the month. Write them like 2026-11-21."
# Column titles. Those of teams and scores may have a number or a letter.
TITLES = {
    "date": re.compile("date|day|played"),
    "season": re.compile("season"),
    "winner": re.compile("winners?|won"),
    "team": re.compile(r"(?:team|side|players?|names?)[ _-]*([1-6a-f]?)"),
    "score": re.compile(r"(?:scores?|points?|totals?)[ _-]*([1-6a-f]?)"),
}
NUMBERS = {key: number for number, keys in enumerate(zip("123456", "abcdef", strict=True), 1) for key in keys}
TOGETHER = re.compile(r"[&/+]|\sand\s", re.IGNORECASE)
ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})", re.ASCII)
DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})", re.ASCII)
SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})", re.ASCII)
MIDNIGHT = re.compile(r"[T ]0?0:00(:00)?")  # appended to dates by some spreadsheets
WHOLE = re.compile(r"[+-]?\d{1,5}", re.ASCII)


class Trouble(NamedTuple):
    """A problem in a line of the table; line 0 means the whole table."""

    line: int
    message: str


Column = tuple[str, int]  # kind, and number of the team; 0 if the column is not about a team


@dataclass(frozen=True)
class PaperLine:
    """A game as entered; `winners` are indexes of `teams`."""

    line: int
    played: date
    season: str
    teams: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass
class PaperSheet:
    """A parsed table; `notes` are remarks for the user, `unclear` is true if day and month could be swapped.

    With `lowest_wins`, scores count down: if a line names no winner, the lowest score wins. `odd_winners` are the lines
    that name a winner without the best score: a game can be conceded, or stopped early.
    """

    games: list[PaperLine] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unclear: bool = False
    lowest_wins: bool = False
    odd_winners: list[int] = field(default_factory=list)


class InvalidCell(Exception):
    """A cell, or the whole table, cannot be parsed; the message is a sentence."""


@contextmanager
def collecting_trouble(line: int, troubles: list[Trouble]) -> Iterator[None]:
    """Catch InvalidCell and record it as trouble of the line."""
    try:
        yield
    except InvalidCell as cannot:
        troubles.append(Trouble(line, str(cannot)))


def decode(content: bytes) -> tuple[str, str]:
    """Decode a file; return the text and a note for the user, or ""."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace"), ""
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        note = "The file isn’t UTF-8, so it was read as Windows text. Check the names."
        return content.decode("cp1252", "replace"), note


def read_sheet(text: str, order: str = "", today: date | None = None, *, lowest_wins: bool = False) -> PaperSheet:
    """Parse a table of games; `order` says whether dates like 3/4/2026 begin with day or month, "" if unknown."""
    sheet = PaperSheet(lowest_wins=lowest_wins)
    with collecting_trouble(0, sheet.troubles):
        rows = _rows(text, sheet)
        if not rows:
            raise InvalidCell(HEADER)
        columns = _columns(rows[0][1], sheet)
        if len(rows) > MOST_LINES:
            raise InvalidCell(f"That is more than {MOST_LINES:,} games. Import them in parts.")
        lines = [
            (number, {column: cells[index] if index < len(cells) else "" for column, index in columns.items()})
            for number, cells in rows[1:]
        ]
        dates = Dates([cells["date", 0] for _, cells in lines], order, today or date.today())
        for number, cells in lines:
            _read_line(number, cells, dates, sheet)
        sheet.unclear = dates.unclear
        if odd := sheet.odd_winners:
            told = f"The winner does not have the best score{in_lines(odd)}. If that is wrong, correct the table."
            sheet.notes.append(told)
        if not sheet.games and not sheet.troubles:
            raise InvalidCell("There are no games under the column names.")
    return sheet


def in_lines(lines: Sequence[int]) -> str:
    """Text like " in lines 2, 5"."""
    more = " and more" if lines[MOST_NAMED:] else ""
    return f" in {'lines' if lines[1:] else 'line'} {', '.join(map(str, lines[:MOST_NAMED]))}{more}"


def _rows(text: str, sheet: PaperSheet) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with its first line number, up to one that cannot be read."""
    text = text.removeprefix("\ufeff").replace("\0", "")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max("\t;,", key=first.count)  # the one most frequent in the first line
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    rows, number = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((number, [cell.strip() for cell in cells]))
            number = reader.line_num + 1
    except csv.Error:
        sheet.troubles.append(Trouble(number, "This line can’t be read. Check for a missing quotation mark."))
    return rows


# --- columns ------------------------------------------------------------------------------------------------------


def _columns(header: Sequence[str], sheet: PaperSheet) -> dict[Column, int]:
    """Return the index of each column; raises InvalidCell."""
    columns: dict[Column, int] = {}
    unknown = []
    for index, title in enumerate(header):
        column = _column(title, columns)
        if title and (column is None or columns.setdefault(column, index) != index):
            unknown.append(title)
    teams, scores = ({number for what, number in columns if what == kind} for kind in ("team", "score"))
    if ("date", 0) not in columns or len(teams) < 2:
        raise InvalidCell(HEADER)
    if teams != scores:
        raise InvalidCell(PAIRS)
    if unknown:
        sheet.notes.append(f"Columns not used: {', '.join(unknown)}.")
    return columns


def _column(title: str, known: Collection[Column]) -> Column | None:
    """Return the column with that title; None if unknown. A team without a number is the next one."""
    for what, pattern in TITLES.items():
        if named := pattern.fullmatch(title.casefold()):
            following = sum(kind == what for kind, _ in known) + 1
            return what, NUMBERS.get(named[1], following) if pattern.groups else 0
    return None


# --- a line -------------------------------------------------------------------------------------------------------


def _read_line(line: int, cells: Mapping[Column, str], dates: Dates, sheet: PaperSheet) -> None:
    played = None
    with collecting_trouble(line, sheet.troubles):
        played = dates.read(cells["date", 0])
    with collecting_trouble(line, sheet.troubles):
        numbers = sorted(number for what, number in cells if what == "team")
        teams, scores = _read_teams([(number, cells["team", number], cells["score", number]) for number in numbers])
        best = (min if sheet.lowest_wins else max)(scores)
        winners = _read_winners(cells.get(("winner", 0), ""), teams, [score == best for score in scores])
        sheet.odd_winners += [line] if any(scores[index] != best for index in winners) else []
        if played:
            sheet.games.append(PaperLine(line, played, cells.get(("season", 0), ""), teams, scores, winners))


def _read_teams(pairs: list[tuple[int, str, str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Parse teams and scores; the last columns may be empty."""
    while pairs and not (pairs[-1][1] or pairs[-1][2]):
        pairs.pop()
    if len(pairs) < 2:
        raise InvalidCell("A game needs at least two teams, each with a score.")
    teams = tuple(_read_names(number, text) for number, text, _ in pairs)
    _check_once(teams)
    return teams, tuple(_read_score(number, text) for number, _, text in pairs)


def _check_once(teams: Sequence[Sequence[str]]) -> None:
    if name := seated_twice([name for team in teams for name in team]):
        raise InvalidCell(f"{name} plays twice.")


def _read_names(number: int, text: str) -> tuple[str, ...]:
    names = tuple(map(tidy_name, TOGETHER.split(text)))
    if not all(names):
        raise InvalidCell(f"Who is team {number}? Write its players with & between them.")
    for name in names:
        if not is_text(name, NAME_LENGTH):
            raise InvalidCell(f"Use at most {NAME_LENGTH} letters, on one line, for a name in team {number}.")
    return names


def _read_score(number: int, text: str) -> int:
    text = text.replace("−", "-").replace("–", "-")
    if not WHOLE.fullmatch(text) or abs(int(text)) > MOST_POINTS:
        raise InvalidCell(f"Team {number}’s score must be a whole number." if text else f"Team {number} has no score.")
    return int(text)


def _read_winners(text: str, teams: Sequence[Sequence[str]], are_best: Sequence[bool]) -> tuple[int, ...]:
    """Return the winners named, each by a player, a number or a letter; without names, those with the best score."""
    if not text:
        return tuple(index for index, is_best in enumerate(are_best) if is_best)
    team_of = {name_key(name): index for index, team in enumerate(teams) for name in team}
    found = set()
    for wanted in map(name_key, TOGETHER.split(text)):
        index = team_of.get(wanted, NUMBERS.get(wanted.removeprefix("team "), 0) - 1)
        if not 0 <= index < len(teams):
            message = f"{text} is not one of the teams. Write the winner as in the team columns, or the team’s number."
            raise InvalidCell(message)
        found.add(index)
    return tuple(sorted(found))


# --- dates --------------------------------------------------------------------------------------------------------


class Dates:
    """Parses the dates of one table; day or month first, as soon as one date shows which."""

    def __init__(self, texts: Sequence[str], order: str, today: date) -> None:
        self.today, self.unclear = today, False
        slashed = [found for text in texts if (found := SLASHED.fullmatch(text))]
        large = {(int(found[1]) > 12, int(found[2]) > 12) for found in slashed}
        self.shown = {DAY_FIRST for first, second in large if first and not second}
        self.shown |= {MONTH_FIRST for first, second in large if second and not first}
        told = self.shown or {order}
        self.order = next(iter(told)) if len(told) == 1 else ""

    def read(self, text: str) -> date:
        if not text:
            raise InvalidCell("The date is missing.")
        played = self._day(MIDNIGHT.sub("", text))
        if played.year < FIRST_YEAR:
            raise InvalidCell(f"{text} is too long ago.")
        if played.toordinal() > self.today.toordinal() + 1:  # it may be tomorrow already in the time zone of the game
            raise InvalidCell(f"{text} is in the future.")
        return played

    def _day(self, text: str) -> date:
        for pattern in (ISO, DOTTED):
            if found := pattern.fullmatch(text):
                return _date(text, **found.groupdict())
        found = SLASHED.fullmatch(text)
        if not found:
            raise InvalidCell(f"{text[:40]} is not a date. Write it like 2026-11-21 or 11/21/2026.")
        first, second, year = found.groups()
        if int(first) > 12 or (int(second) <= 12 and self.order == DAY_FIRST):
            return _date(text, year, second, first)
        if int(second) > 12 or int(first) == int(second) or self.order == MONTH_FIRST:
            return _date(text, year, first, second)
        if len(self.shown) == 2:
            raise InvalidCell(f"{text} can be two dates. {MIXED}")
        self.unclear = True
        one, other = _date(text, year, second, first), _date(text, year, first, second)
        raise InvalidCell(
            f"{text} can be {one:%B} {one.day} or {other:%B} {other.day}. Choose below how the dates are written."
        )


def _date(text: str, year: str, month: str, day: str) -> date:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        raise InvalidCell(f"There is no date {text}.") from None


# --- paper games -----------------------------------------------------------------------------------------------------


NEW, KNOWN, CORRECTED, TWICE = ("new", "known", "corrected", "twice")
SIMILARITY = 0.8  # similarity from which two names may mean one player; 1 means equal
MOST_NEW = 300
MOST_COMPARED = 50  # new names compared with all others, because each comparison takes time
Key = tuple[date, frozenset[tuple[frozenset[str], int]]]


class NewName(NamedTuple):
    """A name that the club does not know; `like` is a similar name that may be meant, or ""."""

    name: str
    like: str


@dataclass(frozen=True)
class PlannedGame(PaperGame):
    """A game as it would be imported. `state` says if it is in the club already, or in an earlier line (`same_as`).

    It is CORRECTED if the club has a game of that day and these teams with a score that is not in the table.
    `totals` are scores as stored, `teams` has them as typed.
    """

    line: int = 0
    state: str = NEW
    same_as: int = 0

    @property
    def teams(self) -> list[tuple[str, list[str], int, bool]]:
        """Each unit with its player names, its score as typed, and whether it won."""
        scale = self.table.rules.win.scale
        return [
            (unit, [self.names[s - 1] for s in self.table.seats_of[unit]], scale.score(total), unit in self.winners)
            for unit, total in self.totals.items()
        ]


class PaperPlan:
    """A paper table compared with a club. `same` are new names that mean the player they resemble."""

    def __init__(self, club: Club, sheet: PaperSheet, rules: RuleSet, same: Collection[str] = ()) -> None:
        self.club, self.sheet, self.rules = club, sheet, rules
        self.troubles = list(sheet.troubles)
        names = dict(db.session.execute(select(Player.uid, Player.name).where(Player.club_id == club.id)).all())
        self._known = {name_key(name): name for name in names.values()}
        # Players by former names that are free now; if several players had one, the first of them, to ask about.
        self._once: dict[str, str] = {}
        self._unclear: dict[str, str] = {}
        for name, uids in club_log.former(club.id).names.items():
            now = sorted(names[uid] for uid in uids if uid in names)
            if now and name not in self._known:
                (self._once if len(now) == 1 else self._unclear)[name] = now[0]
        self._seasons = {name_key(season.name): season for season in club.seasons}
        self._running = cache(lambda day: next(iter(running(club, day)), None))
        self._spelled: dict[str, str] = {}  # the new names in their first spelling, by key
        self._first: dict[Key, int] = {}  # the first line of each game
        self.people = self._find_people()
        self._stand_for = {name_key(new.name): new.like for new in self.people if new.like and new.name in same}
        self.games: list[PlannedGame] = []
        for line in sheet.games:
            with collecting_trouble(line.line, self.troubles):
                self.games.append(self._plan_game(line))
        self._find_corrected()
        self.troubles.sort(key=lambda trouble: trouble.line)

    # --- people ---

    def _find_people(self) -> list[NewName]:
        """Return the names that the club does not know, in order of appearance.

        Each with a similar name, if any, of a player of the club or of an earlier new name.
        """
        for name in self._names():
            if name_key(name) not in self._known and name_key(name) not in self._once:
                self._spelled.setdefault(name_key(name), name)
        if len(self._spelled) > MOST_NEW:
            self.troubles.append(Trouble(0, f"That would be {len(self._spelled):,} new players. Check the columns."))
            return []
        people: list[NewName] = []
        others = {_bare(name): name for name in reversed(self._known.values())}
        for key, name in self._spelled.items():
            compared = others if len(people) < MOST_COMPARED else ()
            close = get_close_matches(_bare(name), compared, n=1, cutoff=SIMILARITY)
            people.append(NewName(name, self._unclear.get(key) or (others[close[0]] if close else "")))
            others.setdefault(_bare(name), name)
        return people

    def _names(self) -> Iterator[str]:
        return (name for line in self.sheet.games for team in line.teams for name in team)

    @property
    def otherwise(self) -> list[tuple[str, str]]:
        """Players with another name here than in the table: name there, name here."""
        return [
            (name, self._once[name_key(name)]) for name in dict.fromkeys(self._names()) if name_key(name) in self._once
        ]

    @property
    def newcomers(self) -> int:
        """Number of new players, without new names that mean a known player."""
        return len(self.people) - len(self._stand_for)

    def name_of(self, name: str) -> str:
        """Return the name in the club of a player in the table."""
        key = name_key(name)
        while key in self._stand_for:  # a new name may resemble another new one, which resembles a known one
            key = name_key(self._stand_for[key])
        return self._known.get(key) or self._once.get(key) or self._spelled[key]

    # --- games ---

    def _plan_game(self, line: PaperLine) -> PlannedGame:
        """Convert a game of the table for the club; raises InvalidCell."""
        teams = [[self.name_of(name) for name in team] for team in line.teams]
        _check_once(teams)
        table, season = fit(self.rules, teams), self._season(line)
        names = tuple(teams[(seat - 1) % len(teams)][(seat - 1) // len(teams)] for seat in table.seats)
        scores = list(map(self.rules.win.scale.score, line.scores))
        totals = dict(zip(table.units, scores, strict=True))
        winners = tuple(table.units[index] for index in line.winners)
        state, same_as = self._state_of(line.line, _key(line.played, zip(teams, scores, strict=True)))
        return PlannedGame(
            "", table, names, line.played, totals, winners, season, line=line.line, state=state, same_as=same_as
        )

    def _season(self, line: PaperLine) -> Season | None:
        """Return the named season, or the one that ran on that day; raises InvalidCell."""
        if not line.season:
            return self._running(line.played)
        found = self._seasons.get(name_key(line.season))
        if found is None:
            raise InvalidCell(f"There is no season called {line.season[:80]}. Start it first, or leave the cell empty.")
        return found

    def _state_of(self, line: int, key: Key) -> tuple[str, int]:
        """Return the state of a game, and, if it is in the table twice, its first line."""
        if self._games_in_club[key] > 0:
            self._games_in_club[key] -= 1
            return KNOWN, 0
        first = self._first.setdefault(key, line)
        return (NEW, 0) if first == line else (TWICE, first)

    def _find_corrected(self) -> None:
        """Mark those of the new games that may be a game of the club which is not in the table."""
        known = self._games_in_club.elements()
        left = Counter((day, frozenset(names for names, _ in teams)) for day, teams in known)
        for index, game in enumerate(self.games):
            key = game.played, frozenset(frozenset(map(name_key, names)) for _, names, _, _ in game.teams)
            if game.state == NEW and left[key] > 0:
                left[key] -= 1
                self.games[index] = replace(game, state=CORRECTED)

    @cached_property
    def _games_in_club(self) -> Counter[Key]:
        """The club's games that count on the days of the table, counted by key; without those found in the table."""
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

    # --- results of the plan ---

    def wanted(self, again: bool) -> list[PlannedGame]:
        """Return the games to import; with `again`, also those that seem to be in the club."""
        return [game for game in self.games if again or game.state == NEW]

    @property
    def short(self) -> list[int]:
        """The lines of games in which no score reaches the target of the rules."""
        return [game.line for game in self.games if max(game.totals.values()) < self.rules.win.target]

    def paper_games(self, form: str, again: bool) -> list[PaperGame]:
        """Return the games for services/games.py; uids derive from the id `form`, so a form sent twice imports once."""
        return [replace(one, uid=uid_from(form, one.line)) for one in self.wanted(again)]


def _key(played: date, teams: Iterable[tuple[Iterable[str], int]]) -> Key:
    """Return what identifies a game: the day, the teams, and the scores."""
    return played, frozenset((frozenset(name_key(name) for name in names), total) for names, total in teams)


def _bare(name: str) -> str:
    """Return a name without case and accents."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


# --- the table of a game ------------------------------------------------------------------------------------------


def fit(rules: RuleSet, teams: Sequence[Sequence[str]]) -> Table:
    """Return the table for these teams by these rules; raises InvalidCell."""
    sizes = {len(team) for team in teams}
    if len(sizes) > 1:
        raise InvalidCell("All teams must be the same size.")
    players, count = sum(len(team) for team in teams), 0 if sizes == {1} else len(teams)
    if players not in rules.table.players:
        raise InvalidCell(f"{rules.name} is for {_players(rules)} players, not {players}.")
    formats = rules.table.formats(players)
    if count not in formats:
        raise InvalidCell(
            f"In {rules.name}, {players} players play {_either(map(_format, formats))}, not {_format(count)}."
        )
    return Table(rules, players, count)


def _players(rules: RuleSet) -> str:
    """Return the possible numbers of players: 4, 4 or 6, 2 to 6."""
    counts = sorted(rules.table.players)
    in_a_row = len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1))
    return f"{counts[0]} to {counts[-1]}" if in_a_row else _either(counts)


def _either(values: Iterable[object]) -> str:
    return " or ".join(map(str, values))


def _format(teams: int) -> str:
    return f"in {teams} teams" if teams else "individually"
