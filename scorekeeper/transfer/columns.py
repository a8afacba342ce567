"""Every column of the tables that a club's file holds, and what becomes of it there.

Writing, reading, matching and importing go by these lists, and a test compares them with the tables: a new column is
either in the file or has its reason for not being there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

# What becomes of a column when a game is brought in: the same in every copy of it; set when it is made; may change.
FIXED, MADE, CHANGES = ("fixed", "made", "changes")
# Why a column is not in the file.
HERE, LOG, COUNTED = ("of this database alone", "follows from the log", "counted from the games")
# Columns that refer to a row by its id; the file has its uid.
REFERENCE = "reference"


class Column(NamedTuple):
    """One column: its key in the file, how the value is written (see importing.fields.READ), and what becomes of it.

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


def written(columns: Sequence[Column], row: Any, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A row as the file has it, by the file's keys; `given` are values to write in the place of a column's own."""
    values = {column.name: getattr(row, column.name) for column in in_file(columns)} | dict(given or {})
    return {column.key: _written(column, values[column.name]) for column in in_file(columns)}


def _written(column: Column, value: Any) -> Any:
    if column.kind.startswith("moment"):
        return moment(value)
    if column.kind == "flag or none":
        return value or None
    return value.isoformat() if column.kind.startswith("day") and value else value


def moment(at: datetime | None) -> str | None:
    """A moment to the microsecond, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None
