"""A club's log: every change of its players, seasons, games and settings. Hands have their own, see change_log.

An entry says what was before and after it. Undoing one is to make it the other way round, which is an entry again: so
an undo can be undone too. What was new has no `before`, what is gone no `after`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import ACCESS_KINDS, Club, ClubChange, Game, Player, Season, acting_name

RENAME, GUEST, RETIRE, MERGE = OF_PLAYERS = ("rename", "guest", "retire", "merge")
BEGIN, SETTINGS, CLOSE, TAKE_IN, BONUS, DIVISIONS, PLAYOFFS, START = OF_SEASONS = (
    *("begin", "settings", "close", "take-in"),
    *("bonus", "divisions", "playoffs", "start"),
)
STATE, COUNTS, DAY, MOVE, ALSO = OF_GAMES = ("state", "counts", "day", "move", "also")
CLUB_NAME, ZONE, IMPORT, OWN_RULES = OF_CLUB = ("club-name", "zone", "import", "own-rules")
DELETE_GAME, DELETE_PLAYER, DELETE_SEASON = OF_DELETION = ("delete-game", "delete-player", "delete-season")
BULK_UNDO = "take-back"  # all that a link did
LINK, PASSPHRASE = ACCESS_KINDS
KINDS = (*OF_PLAYERS, *OF_SEASONS, *OF_GAMES, *OF_CLUB, *OF_DELETION, BULK_UNDO, *ACCESS_KINDS)

Data = Mapping[str, Any]


# The `seq` of the entry that is being undone: the entry that is written meanwhile undoes it.
_undoing: ContextVar[int | None] = ContextVar("undoing", default=None)


@contextmanager
def undoing(seq: int | None = None) -> Iterator[None]:
    """Write entries that undo the one with that `seq`, or, without it, none."""
    token = _undoing.set(seq)
    try:
        yield
    finally:
        _undoing.reset(token)


def add(
    about: Club | Player | Season | Game,
    kind: str,
    before: Data | None,
    after: Data | None,
    *,
    subject: str = "",
) -> None:
    """Write an entry, inside the transaction of the change, with the club locked.

    It is about a player, a season or a game; or about a club, with the uid of what it has no row for, if any.
    """
    club_id, subject = (about.id, subject) if isinstance(about, Club) else (about.club_id, about.uid)
    sides = {"before": before and dict(before), "after": after and dict(after)}
    entry = {"club_id": club_id, "seq": last(club_id) + 1, "kind": kind, "subject": subject, **sides}
    db.session.add(ClubChange(**entry, by=acting_name.get(), undoes=_undoing.get()))


def add_value(
    about: Club | Player | Season | Game,
    kind: str,
    key: str,
    before: object,
    after: object,
    **named: Any,
) -> None:
    """Write an entry of one value that was changed; `named` is what both of its sides say besides."""
    add(about, kind, {**named, key: before}, {**named, key: after})


def last(club_id: int) -> int:
    """The `seq` of a club's last entry; 0 where there is none."""
    return db.session.scalar(select(func.max(ClubChange.seq)).where(ClubChange.club_id == club_id)) or 0


def find(club_id: int, seq: int) -> ClubChange | None:
    return db.session.scalar(select(ClubChange).where(ClubChange.club_id == club_id, ClubChange.seq == seq))


def latest(club_id: int, before: int | None, most: int, *, access: bool = True) -> Sequence[ClubChange]:
    """At most so many entries, the newest first; those before `before`. `access`: also links and passphrase."""
    mine = select(ClubChange).where(ClubChange.club_id == club_id).order_by(ClubChange.seq.desc()).limit(most)
    mine = mine if access else mine.where(ClubChange.kind.not_in(ACCESS_KINDS))
    return db.session.scalars(mine if before is None else mine.where(ClubChange.seq < before)).all()


def undone_by(club_id: int, seqs: Collection[int]) -> dict[int, int]:
    """Which of these entries were undone, each with the entry that did."""
    pairs = select(ClubChange.undoes, ClubChange.seq).where(ClubChange.club_id == club_id, ClubChange.undoes.in_(seqs))
    return {int(undone or 0): seq for undone, seq in db.session.execute(pairs)}


MOST_FORMER = 5_000  # entries that are looked through for former names


class Former(NamedTuple):
    """Who was once called otherwise: the uids of players by a former name, and by the uid of who was merged away."""

    names: Mapping[str, frozenset[str]]  # by the name, casefolded
    merged: Mapping[str, str]

    def now(self, uid: str) -> str:
        """The uid that a player has now. No entries lead round in a circle, but those of a damaged database may."""
        for _ in self.merged:
            if uid not in self.merged:
                break
            uid = self.merged[uid]
        return uid


def former(club_id: int) -> Former:
    """The former names and uids of a club's players; who was merged more than once leads to who there is now."""
    told = select(ClubChange).where(ClubChange.club_id == club_id, ClubChange.kind.in_((RENAME, MERGE)))
    names: dict[str, set[str]] = {}
    merged: dict[str, str] = {}
    for entry in reversed(db.session.scalars(told.order_by(ClubChange.seq.desc()).limit(MOST_FORMER)).all()):
        if entry.kind == RENAME:
            names.setdefault(str((entry.before or {})["name"]).casefold(), set()).add(entry.subject)
            continue
        gone = (entry.after or entry.before or {})["gone"]
        same = names.setdefault(gone["name"].casefold(), set())
        if entry.after is None:  # undone: they are two again
            merged.pop(gone["uid"], None)
            same.discard(entry.subject)
        else:
            merged[gone["uid"]] = entry.subject
            same.add(entry.subject)
    now = Former({}, merged).now
    return Former({name: frozenset(map(now, uids)) for name, uids in names.items()}, merged)
