"""The club log: every change of players, seasons, games and settings. Changes of hands are in change_log.

An entry holds the values before and after a change. Undoing an entry swaps the two and adds an entry, so an undo can be
undone too. Something new has no `before`, something deleted no `after`.
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
STATE, COUNTS, DAY, SCORE, REPLACE, MOVE, ALSO = OF_GAMES = (
    *("state", "counts", "day", "score"),
    *("replace", "move", "also"),
)
CLUB_NAME, ZONE, IMPORT, OWN_RULES = OF_CLUB = ("club-name", "zone", "import", "own-rules")
DELETE_GAME, DELETE_PLAYER, DELETE_SEASON = OF_DELETION = ("delete-game", "delete-player", "delete-season")
BULK_UNDO = "take-back"  # everything done by a link is reverted
LINK, PASSPHRASE = ACCESS_KINDS
KINDS = (*OF_PLAYERS, *OF_SEASONS, *OF_GAMES, *OF_CLUB, *OF_DELETION, BULK_UNDO, *ACCESS_KINDS)

Data = Mapping[str, Any]


# The `seq` of the entry being undone; entries added meanwhile refer to it.
_undoing: ContextVar[int | None] = ContextVar("undoing", default=None)


@contextmanager
def undoing(seq: int | None = None) -> Iterator[None]:
    """Mark entries added in the `with` block as undoing the entry `seq`; None: as undoing none."""
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
    """Add an entry, inside the transaction of the change, with the club locked.

    `about` is the player, season or game changed; or the club, with `subject` as the uid of something without a row.
    """
    club_id, subject = (about.id, subject) if isinstance(about, Club) else (about.club_id, about.uid)
    entry = ClubChange(
        club_id=club_id,
        seq=last(club_id) + 1,
        kind=kind,
        subject=subject,
        before=before and dict(before),
        after=after and dict(after),
        by=acting_name.get(),
        undoes=_undoing.get(),
    )
    db.session.add(entry)


def add_value(
    about: Club | Player | Season | Game,
    kind: str,
    key: str,
    before: object,
    after: object,
    **named: Any,
) -> None:
    """Add an entry about one changed value; `named` is stored both before and after."""
    add(about, kind, {**named, key: before}, {**named, key: after})


def last(club_id: int, subject: str | None = None) -> int:
    """Return the `seq` of a club's latest entry, or of its latest about `subject`; 0 if there is none."""
    latest = select(func.max(ClubChange.seq)).where(ClubChange.club_id == club_id)
    return db.session.scalar(latest if subject is None else latest.where(ClubChange.subject == subject)) or 0


def find(club_id: int, seq: int) -> ClubChange | None:
    return db.session.scalar(select(ClubChange).where(ClubChange.club_id == club_id, ClubChange.seq == seq))


def latest(club_id: int, before: int | None, most: int, *, access: bool = True) -> Sequence[ClubChange]:
    """Return up to `most` entries older than `before`, newest first; `access` includes links and passphrase."""
    mine = select(ClubChange).where(ClubChange.club_id == club_id).order_by(ClubChange.seq.desc()).limit(most)
    mine = mine if access else mine.where(ClubChange.kind.not_in(ACCESS_KINDS))
    return db.session.scalars(mine if before is None else mine.where(ClubChange.seq < before)).all()


def undone_by(club_id: int, seqs: Collection[int]) -> dict[int, int]:
    """Return which of these entries were undone, each with the `seq` of the entry that undid it."""
    pairs = select(ClubChange.undoes, ClubChange.seq).where(ClubChange.club_id == club_id, ClubChange.undoes.in_(seqs))
    return {int(undone or 0): seq for undone, seq in db.session.execute(pairs)}


MOST_FORMER = 5_000  # maximum number of entries read to find former names


class Former(NamedTuple):
    """Former identities: uids of players by former name, and the uid that each merged player was merged into."""

    names: Mapping[str, frozenset[str]]  # by casefolded name
    merged: Mapping[str, str]

    def now(self, uid: str) -> str:
        """Follow merges from `uid` to the present uid. Bounded, as a damaged database may contain a cycle."""
        for _ in self.merged:
            if uid not in self.merged:
                break
            uid = self.merged[uid]
        return uid


def former(club_id: int | None) -> Former:
    """Return the former names and uids of a club's players, following repeated merges to the present player.

    Without a club there are none.
    """
    told = select(ClubChange).where(ClubChange.club_id == club_id, ClubChange.kind.in_((RENAME, MERGE)))
    names: dict[str, set[str]] = {}
    merged: dict[str, str] = {}
    for entry in reversed(db.session.scalars(told.order_by(ClubChange.seq.desc()).limit(MOST_FORMER)).all()):
        if entry.kind == RENAME:
            names.setdefault(str((entry.before or {})["name"]).casefold(), set()).add(entry.subject)
            continue
        gone = (entry.after or entry.before or {})["gone"]
        same = names.setdefault(gone["name"].casefold(), set())
        if entry.after is None:  # the merge was undone: they are two players again
            merged.pop(gone["uid"], None)
            same.discard(entry.subject)
        else:
            merged[gone["uid"]] = entry.subject
            same.add(entry.subject)
    now = Former({}, merged).now
    return Former({name: frozenset(map(now, uids)) for name, uids in names.items()}, merged)
