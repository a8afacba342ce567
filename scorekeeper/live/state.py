"""The state that an open page of a game or a club depends on, in a few columns, and its tag, which changes with it.

A stream sends only the tag; the page then fetches changes as it does without a stream.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Literal, NamedTuple
from zlib import crc32

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, select
from sqlalchemy.orm import aliased

from scorekeeper.database.reading import Reading
from scorekeeper.database.session import as_json, in_slices, now
from scorekeeper.models import ABANDONED, ACCESS_KINDS, Change, Club, ClubChange, EditingSession, Game, Link

Topic = tuple[Literal["game", "club"], int]  # kind and id
ENTERING = timedelta(minutes=15)  # how long after the first tap a person is shown as entering a hand
ON_CLUB_PAGE = 5  # games shown on a club's page: the latest in list order, and as many by start time
MOST_AT_ONCE = 400  # ids per query


class Scorer(NamedTuple):
    """A person entering or correcting a hand: position of the hand, device, and name, if set."""

    position: int
    device: str
    by: str | None


class GameState(NamedTuple):
    """Everything that the display of a game depends on.

    Its last change, identified by number and token, because a restored database continues from an earlier number;
    whether it was played again, is paused or counts; changes of the club, such as of a player's name, but not its
    other games, of which one ends every few seconds in a large club; who is entering a hand; and pending requests for
    links of the club.
    """

    number: int
    version: int
    rematch: int | None
    state: str
    left_out: bool
    latest: str | None
    club_change: int | None
    entering: tuple[Scorer, ...]
    asked: int | None

    @property
    def tag(self) -> str:
        """The version, the number of the rematch, and a checksum of everything else."""
        return f"{self.version}.{self.rematch or 0}.{crc32(repr(self[3:]).encode()):x}"


_rematch = aliased(Game)
_goes_on = _rematch.previous_id == Game.id, _rematch.state != ABANDONED
_following = select(_rematch.number).where(*_goes_on).order_by(_rematch.number.desc()).limit(1)
_latest = select(Change.token).where(Change.game_id == Game.id, Change.seq == Game.version)
# Changes of access are shown on the page Changes only.
_last_shown = select(func.max(ClubChange.seq)).where(ClubChange.kind.not_in(ACCESS_KINDS))
_club_change = _last_shown.where(ClubChange.club_id == Game.club_id)
# Changes whenever a request for a link is added or answered.
_asked = select(func.sum(Link.id)).where(Link.club_id == Club.id, Link.waits, Link.revoked_at.is_(None))
ASKED_NOW = _asked.correlate(Club).scalar_subquery().label("asked")
# An entry made before the last save does not count until the next tap renews it.
_entering = select(as_json(EditingSession.position, EditingSession.device, EditingSession.by)).where(
    EditingSession.game_id == Game.id, EditingSession.version == Game.version, EditingSession.at > bindparam("since")
)
ENTERING_NOW = _entering.scalar_subquery().label("entering")
COLUMNS = (
    _following.scalar_subquery().label("rematch"),
    _latest.scalar_subquery().label("latest"),
    _club_change.scalar_subquery().label("club_change"),
    ENTERING_NOW,
    ASKED_NOW,
)
_about = Game.id, Game.number, Game.version, Game.state, Game.left_out
GAMES = select(*_about, *COLUMNS).join(Club)


def entering_parameters() -> dict[str, object]:
    """Return the parameters of queries with `ENTERING_NOW`."""
    return {"since": now() - ENTERING}


def read_state(row: Row[Any]) -> GameState:
    """Read the state from a row with a game's number, version, state, left_out and `COLUMNS`."""
    return GameState(
        row.number, row.version, row.rematch, row.state, row.left_out,
        row.latest, row.club_change, read_entering(row), row.asked,
    )  # fmt: skip


def read_entering(row: Row[Any]) -> tuple[Scorer, ...]:
    """Read who is entering a hand from a row with `ENTERING_NOW`."""
    return tuple(sorted((Scorer(*one) for one in json.loads(row.entering or "[]")), key=lambda one: one[:2]))


# --- many at once, for the hub ------------------------------------------------------------------------------------

_GAMES_ASKED = GAMES.where(Game.id.in_(bindparam("ids", expanding=True)))


def _games_of_club(name: str, order: Sequence[str]) -> ColumnElement[Any]:
    """Return the games shown on a club's page in that order, with the columns that change during a game."""
    game = aliased(Game)
    about = select(game.id, game.version, game.state, game.left_out).where(game.club_id == Club.id)
    few = about.order_by(*(getattr(game, by).desc() for by in order)).limit(ON_CLUB_PAGE).correlate(Club).subquery()
    return select(as_json(*few.c)).select_from(few).scalar_subquery().label(name)


_CLUBS = select(
    Club.id, Club.name, Club.stats_version,
    _last_shown.where(ClubChange.club_id == Club.id).scalar_subquery().label("change"),
    ASKED_NOW,
    _games_of_club("listed", ("played", "number")),
    _games_of_club("begun", ("created_at", "number")),
)  # fmt: skip
_CLUBS_ASKED = _CLUBS.where(Club.id.in_(bindparam("ids", expanding=True)))
_CLUB_ASKED = Reading(_CLUBS.where(Club.id == bindparam("club")))


def tags(connection: Connection, topics: Collection[Topic]) -> dict[Topic, str]:
    """Return the tag of each topic; games and clubs that do not exist are omitted."""
    asked: dict[str, list[int]] = {"game": [], "club": []}
    for kind, number in topics:
        asked[kind].append(number)
    found: dict[Topic, str] = {}
    for ids in in_slices(asked["game"], MOST_AT_ONCE):
        rows = connection.execute(_GAMES_ASKED, {"ids": ids, **entering_parameters()})
        found |= {("game", row.id): read_state(row).tag for row in rows}
    for ids in in_slices(asked["club"], MOST_AT_ONCE):
        rows = connection.execute(_CLUBS_ASKED, {"ids": ids})
        found |= {("club", row.id): _club_tag(row) for row in rows}
    return found


def club_tag(club_id: int) -> str:
    """Return a club's tag, a checksum of its names, its latest games, and everything else that its page shows."""
    return _club_tag(_CLUB_ASKED.ask(club=club_id).one())


def _club_tag(row: Row[Any]) -> str:
    return f"{crc32(repr(tuple(row)).encode()):x}"
