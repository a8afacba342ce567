"""A season that was kept on paper, as a table somebody has typed: read line by line, nothing guessed.

A line a game. Its columns are named in the first line: date, season (or none), team 1, score 1, team 2, score 2 and so
on, winner (or none).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, ParamSpec, TypeVar

from scorekeeper.models import NAME_LENGTH, tidy_name
from scorekeeper.transfer.fields import is_text, known_as

MOST_LINES = 2_000
MOST_POINTS = 9999
FIRST_YEAR = 1900
DAY_FIRST, MONTH_FIRST = ORDERS = ("day", "month")
HEADER = (
    "The first line must name the columns: date, team 1, score 1, team 2, score 2 and so on. Add season and winner if "
    "you have them."
)
PAIRS = "Every team needs a score, and every score a team. Check the first line."
MIXED = "Some dates start with the day, others with the month. Write them like 2026-11-21."
TEAM = re.compile(r"(?:team|side|players?|names?)[ _-]*([1-6a-f]?)")
SCORE = re.compile(r"(?:scores?|points?|totals?)[ _-]*([1-6a-f]?)")
TOGETHER = re.compile(r"[&/+]|\sand\s", re.IGNORECASE)
ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", re.ASCII)
SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})", re.ASCII)
MIDNIGHT = re.compile(r"[T ]0?0:00(:00)?")  # as some spreadsheets write a day
P = ParamSpec("P")
T = TypeVar("T")
WHOLE = re.compile(r"[+-]?\d{1,5}", re.ASCII)


class Trouble(NamedTuple):
    """What is wrong in a line of the table; line 0 is the table as a whole."""

    line: int
    message: str


@dataclass(frozen=True)
class PaperLine:
    """A game as it was kept; `winners` are the indexes of the teams that won."""

    line: int
    played: date
    season: str
    teams: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass
class PaperSheet:
    """A table that was read; `notes` are remarks for its reader, `unclear` if day and month could be swapped.

    With `lowest_wins` its scores count down: where a line names no winner, the lowest has won.
    """

    games: list[PaperLine] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unclear: bool = False
    lowest_wins: bool = False


class Cannot(Exception):
    """Why a cell cannot be read, in a sentence."""


def decode(content: bytes) -> tuple[str, str]:
    """The text of a file, and what is worth knowing of how it was read."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace"), ""
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return content.decode(
            "cp1252", "replace"
        ), "The file isn't UTF-8, so it was read as Windows text. Check the names."


def read_sheet(text: str, order: str = "", today: date | None = None, *, lowest_wins: bool = False) -> PaperSheet:
    """A table of games; `order` says whether dates like 3/4/2026 begin with the day or the month, if that is known."""
    sheet = PaperSheet(lowest_wins=lowest_wins)
    rows = _rows(text, sheet)
    if not rows:
        sheet.troubles.append(Trouble(0, HEADER))
        return sheet
    columns = Columns(rows[0][1], sheet)
    if sheet.troubles:
        return sheet
    if len(rows) > MOST_LINES:
        sheet.troubles.append(Trouble(0, f"That is more than {MOST_LINES:,} games. Import them in parts."))
        return sheet
    dates = Dates([columns.date(cells) for _, cells in rows[1:]], order, today or date.today())
    for number, cells in rows[1:]:
        _read_line(number, cells, columns, dates, sheet)
    sheet.unclear = dates.unclear
    if not sheet.games and not sheet.troubles:
        sheet.troubles.append(Trouble(0, "There are no games under the column names."))
    return sheet


def _rows(text: str, sheet: PaperSheet) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its first line."""
    text = text.removeprefix("\ufeff").replace("\0", "")
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), skipinitialspace=True, strict=True)
    rows, number = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((number, [cell.strip() for cell in cells]))
            number = reader.line_num + 1
    except csv.Error:
        sheet.troubles.append(Trouble(number, "This line can't be read. Check for a missing quotation mark."))
        return []
    return rows


def _delimiter(header: str) -> str:
    """What the columns are parted by: whatever the first line has most of."""
    return max("\t;,", key=header.count)


# --- columns ------------------------------------------------------------------------------------------------------


class Columns:
    """Which column is what."""

    def __init__(self, header: Sequence[str], sheet: PaperSheet) -> None:
        self.names: dict[str, int] = {}
        self.teams: dict[int, int] = {}
        self.scores: dict[int, int] = {}
        unknown = [title for index, title in enumerate(header) if title and not self._place(index, title)]
        if "date" not in self.names or len(self.teams) < 2:
            sheet.troubles.append(Trouble(0, HEADER))
        elif self.teams.keys() != self.scores.keys():
            sheet.troubles.append(Trouble(0, PAIRS))
        elif unknown:
            sheet.notes.append(f"Columns not used: {', '.join(unknown)}.")

    def _place(self, index: int, title: str) -> bool:
        """Find out what a column is; whether it is anything."""
        title = title.casefold()
        title = {"day": "date", "winners": "winner", "won": "winner", "played": "date"}.get(title, title)
        if title in ("date", "season", "winner"):
            return self.names.setdefault(title, index) == index
        for pattern, found in ((TEAM, self.teams), (SCORE, self.scores)):
            if named := pattern.fullmatch(title):
                return found.setdefault(_team_number(named[1]) or len(found) + 1, index) == index
        return False

    def date(self, cells: Sequence[str]) -> str:
        return self.cell(cells, "date")

    def cell(self, cells: Sequence[str], name: str) -> str:
        return _at(cells, self.names.get(name))

    def pairs(self, cells: Sequence[str]) -> Iterator[tuple[int, str, str]]:
        """The teams with their scores, by number."""
        for number in sorted(self.teams):
            yield number, _at(cells, self.teams[number]), _at(cells, self.scores[number])


def _team_number(text: str) -> int:
    """1 for 1 and for a; 0 for nothing."""
    if not text:
        return 0
    return int(text) if text.isdigit() else ord(text) - ord("a") + 1


def _at(cells: Sequence[str], index: int | None) -> str:
    return cells[index] if index is not None and index < len(cells) else ""


# --- a line -------------------------------------------------------------------------------------------------------


def _read_line(number: int, cells: list[str], columns: Columns, dates: Dates, sheet: PaperSheet) -> None:
    played = _tried(number, sheet, dates.read, columns.date(cells))
    told = _tried(number, sheet, _read_teams, list(columns.pairs(cells)))
    best = min if sheet.lowest_wins else max
    winners = _tried(number, sheet, _read_winners, columns.cell(cells, "winner"), *told, best) if told else None
    if played and told and winners:
        sheet.games.append(PaperLine(number, played, columns.cell(cells, "season"), *told, winners=winners))


def _tried(number: int, sheet: PaperSheet, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """What a cell says, or None with the trouble put down."""
    try:
        return read(*args, **kwargs)
    except Cannot as cannot:
        sheet.troubles.append(Trouble(number, str(cannot)))
        return None


def _read_teams(pairs: list[tuple[int, str, str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Who played together, and their scores; the last columns may be empty."""
    while pairs and not (pairs[-1][1] or pairs[-1][2]):
        pairs.pop()
    if len(pairs) < 2:
        raise Cannot("A game needs at least two teams, each with a score.")
    teams = tuple(_read_names(number, text) for number, text, _ in pairs)
    seen: set[str] = set()
    for name in (name for team in teams for name in team):
        if known_as(name) in seen:
            raise Cannot(f"{name} plays twice.")
        seen.add(known_as(name))
    return teams, tuple(_read_score(number, text) for number, _, text in pairs)


def _read_names(number: int, text: str) -> tuple[str, ...]:
    names = tuple(map(tidy_name, TOGETHER.split(text)))
    if not all(names):
        raise Cannot(f"Who is team {number}? Write its players with & between them.")
    for name in names:
        if not is_text(name, NAME_LENGTH):
            raise Cannot(f"Use at most {NAME_LENGTH} letters, on one line, for a name in team {number}.")
    return names


def _read_score(number: int, text: str) -> int:
    text = text.replace("−", "-").replace("–", "-")
    if not WHOLE.fullmatch(text) or abs(int(text)) > MOST_POINTS:
        raise Cannot(f"Team {number}'s score must be a whole number." if text else f"Team {number} has no score.")
    return int(text)


def _read_winners(
    text: str, teams: Sequence[Sequence[str]], scores: Sequence[int], best: Callable[[Sequence[int]], int]
) -> tuple[int, ...]:
    """The winner that the line names; else the best score, and several who have it tie."""
    if not text:
        return tuple(index for index, score in enumerate(scores) if score == best(scores))
    found = {_find_team(part.strip(), teams, text) for part in TOGETHER.split(text)}
    return tuple(sorted(found))


def _find_team(part: str, teams: Sequence[Sequence[str]], said: str) -> int:
    """A team by one of its players, its number or its letter."""
    wanted = known_as(part)
    for index, team in enumerate(teams):
        if wanted in {known_as(name) for name in team}:
            return index
    if named := re.fullmatch(r"(?:team )?([1-6a-f])", wanted):
        index = _team_number(named[1]) - 1
        if index < len(teams):
            return index
    raise Cannot(f"{said} is not one of the teams. Write the winner as in the team columns, or the team's number.")


# --- dates --------------------------------------------------------------------------------------------------------


class Dates:
    """How the dates of one table are written: where one of them shows whether the day or the month comes first."""

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
            raise Cannot("The date is missing.")
        played = self._day(MIDNIGHT.sub("", text))
        if played.year < FIRST_YEAR:
            raise Cannot(f"{text} is too long ago.")
        if played.toordinal() > self.today.toordinal() + 1:  # it may be tomorrow already where the game was played
            raise Cannot(f"{text} is in the future.")
        return played

    def _day(self, text: str) -> date:
        if found := ISO.fullmatch(text):
            return _date(text, found[1], found[2], found[3])
        if found := DOTTED.fullmatch(text):
            return _date(text, found[3], found[2], found[1])
        if found := SLASHED.fullmatch(text):
            return self._slashed(text, found)
        raise Cannot(f"{text[:40]} is not a date. Write it like 2026-11-21 or 11/21/2026.")

    def _slashed(self, text: str, found: re.Match[str]) -> date:
        first, second, year = found[1], found[2], found[3]
        if int(first) > 12 or (int(second) <= 12 and self.order == DAY_FIRST):
            return _date(text, year, second, first)
        if int(second) > 12 or int(first) == int(second) or self.order == MONTH_FIRST:
            return _date(text, year, first, second)
        if len(self.shown) == 2:
            raise Cannot(f"{text} can be two dates. {MIXED}")
        self.unclear = True
        one, other = _date(text, year, second, first), _date(text, year, first, second)
        raise Cannot(
            f"{text} can be {one:%B} {one.day} or {other:%B} {other.day}. Choose below how the dates are written."
        )


def _date(text: str, year: str, month: str, day: str) -> date:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        raise Cannot(f"There is no date {text}.") from None
