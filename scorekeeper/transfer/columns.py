"""The columns of all tables in a club file, and how each is treated.

Writing, reading, matching and importing use these lists, and a test compares them with the tables: a new column is
either in the file, or has a role that says why not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple, TypeVar, cast

from sqlalchemy import JSON, Boolean, Date, Integer, String

from scorekeeper.database.session import Model, UtcDateTime
from scorekeeper.models import (
    DETAILS,
    KINDS,
    ON_SERVER,
    STATES,
    UID_LENGTH,
    Change,
    Facts,
    Game,
    Player,
    Season,
    tidy_name,
)
from scorekeeper.scoring.problems import Problems
from scorekeeper.services.change_log import NAMES

Line = dict[str, Any]  # a JSON object in a club file
# Roles of a column when a game is imported: equal in every copy; set on creation; may change later.
FIXED, MADE, CHANGES = ("fixed", "made", "changes")
# Any other role says why a column is not in the file: local to this database, derived from the log, or a statistic.


T = TypeVar("T")


class Column(NamedTuple):
    """A database column, its key in the file, and its role; its type determines how it is parsed.

    Without a key it is not in the file, and `role` says why.
    """

    column: Any
    name: str
    key: str
    role: str

    @property
    def is_reference(self) -> bool:
        """True if it refers to a row by id; the file has the row's uid."""
        return bool(self.column.foreign_keys)


RECORD = ("rules", "players", "teams", "start", "played")  # of a game, under the record's own keys


def _columns(table: type[Model], prefix: str = "", **roles: str) -> tuple[Column, ...]:
    """Return the columns of a table in the order of a line; `roles` maps roles to space-separated column names."""
    found = []
    for role, names in roles.items():
        for name in names.split():
            key = name.removesuffix("_id").removesuffix("_at").replace("_", "-")
            key = key if name in RECORD else prefix + key
            key = key if role in (FIXED, MADE, CHANGES) else ""
            found.append(Column(table.__table__.columns[name], name, key, role))
    return tuple(found)


PLAYER = _columns(Player, made="uid name guest retired", here="id club_id link_id", counted="mu sigma rated")
SEASON = _columns(
    Season,
    made="uid name starts ends settings closed_at frozen pages reopened league created_at",
    here="id club_id",
)
GAME = _columns(
    Game,
    "x-",
    fixed=f"{' '.join(RECORD)} first_dealer",
    made="uid number options previous_id created_at paper",
    changes="season_id state plays_on left_out detail auction",
    here="id club_id link_id",
    log="version next_seats",
)
CHANGE = _columns(
    Change,
    made="kind position before after undoes token by at",
    here="id game_id link_id",
    log="seq",  # the place in the list
)


def in_file(columns: Sequence[Column]) -> Iterator[Column]:
    return (column for column in columns if column.key)


def columns_of(columns: Sequence[Column]) -> list[Any]:
    """Return the columns to select for a line."""
    return [column.column for column in in_file(columns)]


def with_role(columns: Sequence[Column], *roles: str) -> list[str]:
    """Return the names of the columns with these roles, without references, which are handled individually."""
    return [column.name for column in columns if column.role in roles and not column.is_reference]


GAME_COLUMNS = with_role(GAME, FIXED, MADE, CHANGES)


def written(columns: Sequence[Column], row: Any, given: Mapping[str, object] | None = None) -> Line:
    """Return a row as in the file, by the file's keys; `given` replaces values, by column name."""
    values = dict(given or {})
    return {
        one.key: _written(one, values[one.name] if one.name in values else getattr(row, one.name))
        for one in in_file(columns)
    }


def _written(column: Column, value: Any) -> object:
    if isinstance(value, datetime):
        return moment(value)
    if column.name == "left_out":  # missing in older files
        return value or None
    return value.isoformat() if isinstance(value, date) else value


def moment(at: datetime | None) -> str | None:
    """Format a time with microseconds, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None


# --- fields ----------------------------------------------------------------------------------------------------------


MOST_INTEGER = 999_999_999  # the largest number in a URL
LONGEST_DAY = len("2026-11-21")
LONGEST_TEXT = 1_000
YEARS = range(1900, 3000)  # leaves room for date arithmetic


def name_key(name: str) -> str:
    """Return the key by which names are compared: case and the encoding of accents are ignored."""
    return tidy_name(name).casefold()


def is_text(value: object, most: int) -> bool:
    """True if `value` is a string of 1 to `most` characters on one line that every database accepts."""
    if not isinstance(value, str) or not 0 < len(value) <= most:
        return False
    return not any(one < " " or one == "\x7f" or "\ud800" <= one <= "\udfff" for one in value)


class Fields:
    """A parsed object of a file; invalid values are reported to `problems` and replaced by an empty value."""

    def __init__(self, data: Line, problems: Problems, at: str = "") -> None:
        self.data, self.problems = data, problems
        self._at = f"{at}." if at else ""

    def wrong(self, key: str, message: str) -> None:
        self.problems.add("cannot-be", f"{self._at}{key}", message)

    def only(self, known: Collection[str]) -> None:
        """Report keys that are not in `known`."""
        for key in self.data:
            if key not in known:
                self.wrong(key, f"there is no {key} here")

    def check(self) -> None:
        """Raise Refused if there are problems."""
        self.problems.check()

    def _value(self, key: str, fits: Callable[[Any], bool], message: str, empty: T) -> T:
        value = self.data.get(key)
        if fits(value):
            return cast("T", value)
        self.wrong(key, f"must be {message}")
        return empty

    def text(self, key: str, most: int = UID_LENGTH) -> str:
        def fits(one: Any) -> bool:  # of a name something must be seen
            return is_text(one, most) and (key != "name" or tidy_name(one) != "")

        return self._value(key, fits, f"text on one line, of at most {most} letters", "")

    def optional_text(self, key: str, most: int = UID_LENGTH) -> str | None:
        return None if self.data.get(key) is None else self.text(key, most)

    def integer(self, key: str, least: int, most: int) -> int:
        def fits(one: Any) -> bool:
            return type(one) is int and least <= one <= most

        return self._value(key, fits, f"a whole number from {least} to {most}", least)

    def flag(self, key: str) -> bool:
        return self._value(key, lambda one: isinstance(one, bool), "true or false", False)

    def choice(self, key: str, allowed: Collection[str]) -> str:
        return self._value(key, lambda one: isinstance(one, str) and one in allowed, f"one of {', '.join(allowed)}", "")

    def mapping(self, key: str) -> Line:
        return self._value(key, lambda one: isinstance(one, dict), "an object", {})

    def facts(self, key: str) -> Facts:
        facts = cast("Facts", self.mapping(key))
        if not isinstance(facts.get(NAMES, {}), dict):  # replaying the log reads them
            self.wrong(f"{key}.{NAMES}", "must be names by seat number")
        return facts

    def listed(self, key: str) -> list[Any]:
        return self._value(key, lambda one: isinstance(one, list), "a list", [])

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


CHOICES = {"state": STATES, "detail": DETAILS, "kind": KINDS}
READ_WITH_RECORD = {*RECORD, "first_dealer"} - {"played"}  # columns of a game that are parsed where they are checked
READ: dict[type, Callable[[Fields, str], Any]] = {
    Integer: lambda fields, key: fields.integer(key, 1, MOST_INTEGER),
    Boolean: Fields.flag,
    JSON: Fields.mapping,
    Date: Fields.day,
    UtcDateTime: Fields.moment,
}


def _read(fields: Fields, column: Column) -> Any:
    key, type_ = column.key, column.column.type
    if column.is_reference:
        return fields.optional_text(key)
    if fields.data.get(key) is None and (column.column.nullable or column.name == "left_out"):
        return False if column.name == "left_out" else None
    if column.name in CHOICES:
        return fields.choice(key, CHOICES[column.name])
    if column.name in ("before", "after"):
        return fields.facts(key)
    if column.name == "by" and fields.data[key] == ON_SERVER:
        return ON_SERVER
    if isinstance(type_, String):
        return fields.text(key, type_.length or LONGEST_TEXT)
    return READ[type(type_)](fields, key)


def read_columns(fields: Fields, columns: Sequence[Column]) -> Line:
    """Return the values of a line by column name; invalid values are reported to the problems of `fields`."""
    return {one.name: _read(fields, one) for one in in_file(columns) if one.name not in READ_WITH_RECORD}
