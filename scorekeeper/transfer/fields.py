"""The keys of one line of a file, read one by one; what is wrong with them is collected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from scorekeeper.models import DETAILS, NAME_LENGTH, STATES, UID_LENGTH, tidy_name
from scorekeeper.scoring.problems import Problems
from scorekeeper.transfer.columns import REFERENCE, Column, in_file

MOST = 999_999_999  # the longest number of an address
LONGEST_DAY = len("2026-11-21")
LONGEST_TEXT = 1_000
YEARS = range(1900, 3000)  # so that one can reckon with every day


def known_as(name: str) -> str:
    """What somebody is known by: capitals, and the way in which accents are written, make nobody another."""
    return tidy_name(name).casefold()


def is_text(value: object, most: int) -> bool:
    """Whether something is text that every database takes, on one line, of one letter or more."""
    return isinstance(value, str) and 0 < len(value) <= most and not any(_is_odd(letter) for letter in value)


def _is_odd(letter: str) -> bool:
    return letter < " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff"


class Fields:
    """An object of a file; whatever cannot be read is None, and why goes to `problems`."""

    def __init__(self, data: Mapping[str, Any], problems: Problems, at: str = "") -> None:
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

    def mapping(self, key: str) -> dict[str, Any]:
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

    def maybe_moment(self, key: str) -> datetime | None:
        return None if self.data.get(key) is None else self.moment(key)


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
    "moment or none": Fields.maybe_moment,
    REFERENCE: Fields.maybe_text,
}


def read_columns(fields: Fields, columns: Sequence[Column]) -> dict[str, Any]:
    """The values of a line by the names of their columns; what cannot be read goes to the problems of `fields`."""
    return {column.name: READ[column.kind](fields, column.key) for column in in_file(columns) if column.kind in READ}
