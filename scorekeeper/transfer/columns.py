"""Every column of the tables that a club's file holds, and what becomes of it there.

Writing, reading, matching and importing go by these lists, and a test compares them with the tables: a new column is
either in the file or has its reason for not being there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from scorekeeper.models import DETAILS, NAME_LENGTH, STATES, UID_LENGTH, tidy_name
from scorekeeper.scoring.problems import Problems

Line = dict[str, Any]  # of JSON, in a club file
# What becomes of a column when a game is brought in: the same in every copy of it; set when it is made; may change.
FIXED, MADE, CHANGES = ("fixed", "made", "changes")
# Why a column is not in the file.
HERE, LOG, COUNTED = ("of this database alone", "follows from the log", "counted from the games")
# Columns that refer to a row by its id; the file has its uid.
REFERENCE = "reference"


class Column(NamedTuple):
    """One column: its key in the file, how the value is written (see READ), and what becomes of it.

    Without a key it is not in the file, and `role` says why.
    """

    name: str
    key: str
    kind: str
    role: str


def _absent(why: str, *names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "", "", why) for name in names)


PLAYER = (
    Column("uid", "uid", "uid", MADE),
    Column("name", "name", "name", MADE),
    Column("guest", "guest", "flag", MADE),
    Column("retired", "retired", "flag", MADE),
    *_absent(HERE, "id", "club_id", "link_id"),
    *_absent(COUNTED, "mu", "sigma", "rated"),
)
SEASON = (
    Column("uid", "uid", "uid", MADE),
    Column("name", "name", "name", MADE),
    Column("starts", "starts", "day", MADE),
    Column("ends", "ends", "day or none", MADE),
    Column("settings", "settings", "object", MADE),
    Column("closed_at", "closed", "moment or none", MADE),
    Column("frozen", "frozen", "object or none", MADE),
    Column("pages", "pages", "object or none", MADE),
    Column("reopened", "reopened", "object or none", MADE),
    Column("league", "league", "object or none", MADE),
    Column("created_at", "created", "moment", MADE),
    *_absent(HERE, "id", "club_id"),
)
GAME = (
    Column("rules", "rules", "record", FIXED),
    Column("players", "players", "record", FIXED),
    Column("teams", "teams", "record", FIXED),
    Column("start", "start", "record", FIXED),
    Column("played", "played", "day", FIXED),
    Column("uid", "x-uid", "uid", MADE),
    Column("number", "x-number", "number", MADE),
    Column("season_id", "x-season", REFERENCE, CHANGES),
    Column("state", "x-state", "state", CHANGES),
    Column("plays_on", "x-plays-on", "flag", CHANGES),
    Column("left_out", "x-left-out", "flag or none", CHANGES),
    Column("detail", "x-detail", "detail", CHANGES),
    Column("auction", "x-auction", "flag", CHANGES),
    Column("options", "x-options", "object", MADE),
    Column("first_dealer", "x-first-dealer", "seat", FIXED),
    Column("previous_id", "x-previous", REFERENCE, MADE),
    Column("created_at", "x-created", "moment", MADE),
    Column("paper", "x-paper", "object or none", MADE),
    *_absent(HERE, "id", "club_id", "link_id"),
    *_absent(LOG, "version", "next_seats"),
)
GAME_SEASON = (
    Column("season_id", "x-also", REFERENCE, CHANGES),
    *_absent(HERE, "game_id"),
)
HAND = (
    Column("position", "hands", "place", CHANGES),
    Column("facts", "hands", "record", CHANGES),
    *_absent(HERE, "id", "game_id"),
    *_absent(LOG, "version"),
)


def in_file(columns: Sequence[Column]) -> Iterator[Column]:
    return (column for column in columns if column.key)


def with_role(columns: Sequence[Column], *roles: str) -> list[str]:
    """The names of the columns of which that becomes; not of references, which each have a rule of their own."""
    return [column.name for column in columns if column.role in roles and column.kind != REFERENCE]


GAME_COLUMNS = with_role(GAME, FIXED, MADE, CHANGES)


def written(columns: Sequence[Column], row: Any, given: Mapping[str, object] | None = None) -> Line:
    """A row as the file has it, by the file's keys; `given` are values to write in the place of a column's own."""
    values = {column.name: getattr(row, column.name) for column in in_file(columns)} | dict(given or {})
    return {column.key: _written(column, values[column.name]) for column in in_file(columns)}


def _written(column: Column, value: Any) -> object:
    if column.kind.startswith("moment"):
        return moment(value)
    if column.kind == "flag or none":
        return value or None
    return value.isoformat() if column.kind.startswith("day") and value else value


def moment(at: datetime | None) -> str | None:
    """A moment to the microsecond, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None


# --- fields ----------------------------------------------------------------------------------------------------------


MOST = 999_999_999  # the longest number of an address
LONGEST_DAY = len("2026-11-21")
LONGEST_TEXT = 1_000
YEARS = range(1900, 3000)  # so that one can reckon with every day


def known_as(name: str) -> str:
    """What somebody is known by: capitals, and the way in which accents are written, make nobody another."""
    return tidy_name(name).casefold()


def is_text(value: object, most: int) -> bool:
    """Whether something is text that every database takes, on one line, of one letter or more."""
    if not isinstance(value, str) or not 0 < len(value) <= most:
        return False
    return not any(one < " " or one == "\x7f" or "\ud800" <= one <= "\udfff" for one in value)


class Fields:
    """An object of a file; whatever cannot be read is None, and why goes to `problems`."""

    def __init__(self, data: Line, problems: Problems, at: str = "") -> None:
        self.data, self.problems = data, problems
        self._at = f"{at}." if at else ""

    def wrong(self, key: str, message: str) -> None:
        self.problems.add("cannot-be", f"{self._at}{key}", message)

    def only(self, known: Collection[str]) -> None:
        """Refuse keys that nothing here would keep."""
        for key in self.data:
            if key not in known:
                self.wrong(key, f"there is no {key} here")

    def text(self, key: str, most: int = UID_LENGTH) -> str:
        value = self.data.get(key)
        if is_text(value, most):
            return str(value)
        self.wrong(key, f"must be text on one line, of at most {most} letters")
        return ""

    def maybe_text(self, key: str, most: int = UID_LENGTH) -> str | None:
        return None if self.data.get(key) is None else self.text(key, most)

    def whole(self, key: str, least: int, most: int) -> int:
        value = self.data.get(key)
        if type(value) is int and least <= value <= most:
            return value
        self.wrong(key, f"must be a whole number from {least} to {most}")
        return least

    def flag(self, key: str) -> bool:
        value = self.data.get(key)
        if not isinstance(value, bool):
            self.wrong(key, "must be true or false")
        return value is True

    def choice(self, key: str, allowed: Collection[str]) -> str:
        value = self.data.get(key)
        if isinstance(value, str) and value in allowed:
            return value
        self.wrong(key, f"must be one of {', '.join(allowed)}")
        return ""

    def mapping(self, key: str) -> Line:
        value = self.data.get(key)
        if isinstance(value, dict):
            return value
        self.wrong(key, "must be an object")
        return {}

    def listed(self, key: str) -> list[Any]:
        value = self.data.get(key)
        if isinstance(value, list):
            return value
        self.wrong(key, "must be a list")
        return []

    def day(self, key: str) -> date:
        value = self.data.get(key)
        try:
            if isinstance(value, str) and len(value) == LONGEST_DAY:
                read = date.fromisoformat(value)
                if read.year in YEARS:
                    return read
        except ValueError:
            pass
        self.wrong(key, "must be a date like 2026-11-21")
        return date.min

    def moment(self, key: str) -> datetime:
        value = self.data.get(key)
        try:
            read = datetime.fromisoformat(value if isinstance(value, str) else "")
            if read.tzinfo and read.year in YEARS:
                return read.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        self.wrong(key, "must be a date and time like 2026-11-21T20:15:00.000000+00:00")
        return datetime.min.replace(tzinfo=UTC)


def _or_none(read: Callable[[Fields, str], Any]) -> Callable[[Fields, str], Any]:
    return lambda fields, key: None if fields.data.get(key) is None else read(fields, key)


# How a column is read, by its kind. Those that are not here are read where they are checked.
READ: dict[str, Callable[[Fields, str], Any]] = {
    "uid": lambda fields, key: fields.text(key),
    "name": lambda fields, key: fields.text(key, NAME_LENGTH),
    "number": lambda fields, key: fields.whole(key, 1, MOST),
    "flag": Fields.flag,
    "flag or none": lambda fields, key: fields.data.get(key) is not None and fields.flag(key),
    "state": lambda fields, key: fields.choice(key, STATES),
    "detail": lambda fields, key: fields.choice(key, DETAILS),
    "object": Fields.mapping,
    "object or none": _or_none(Fields.mapping),
    "day": Fields.day,
    "day or none": _or_none(Fields.day),
    "moment": Fields.moment,
    "moment or none": _or_none(Fields.moment),
    REFERENCE: Fields.maybe_text,
}


def read_columns(fields: Fields, columns: Sequence[Column]) -> Line:
    """The values of a line by the names of their columns; what cannot be read goes to the problems of `fields`."""
    return {column.name: READ[column.kind](fields, column.key) for column in in_file(columns) if column.kind in READ}
