"""Deleted games, players and seasons, kept for restoration for 30 days and then purged."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, select

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import Deleted

DAYS = 30
AT_ONCE = 200  # purged per transaction, so that saving a hand does not wait long for the lock

GAME, PLAYER, SEASON = ("game", "player", "season")


def _kept(club_id: int | None, kind: str) -> ColumnElement[bool]:
    """Condition: of that club and kind, and not expired."""
    return and_(Deleted.club_id == club_id, Deleted.kind == kind, Deleted.at > oldest())


def find(club_id: int, kind: str, uid: str) -> Deleted | None:
    """Return a deleted item that can still be restored."""
    return db.session.scalar(select(Deleted).where(_kept(club_id, kind), Deleted.uid == uid))


def oldest() -> datetime:
    """Return the time before which deleted items are expired."""
    return now() - timedelta(days=DAYS)


def find_game(club_id: int, number: int) -> Deleted | None:
    """Return the game deleted last that had that number."""
    found = select(Deleted).where(_kept(club_id, GAME), Deleted.number == number)
    return db.session.scalar(found.order_by(Deleted.at.desc()).limit(1))


def games_among(club_id: int | None, uids: Collection[str]) -> dict[str, int]:
    """Return those of these games that were deleted and can be restored, with their numbers."""
    found = db.session.execute(select(Deleted.uid, Deleted.number).where(_kept(club_id, GAME)))
    return {uid: number or 0 for uid, number in found if uid in uids}


def remove_for_good(most: int = AT_ONCE) -> int:
    """Purge up to `most` expired items; return their number."""
    old = select(Deleted.id).where(Deleted.at <= oldest()).order_by(Deleted.at).limit(most)
    if db.session.scalar(old.limit(1)) is None:
        return 0
    with db_write() as session:
        ids = list(session.scalars(old))
        session.execute(delete(Deleted).where(Deleted.id.in_(ids)))
    return len(ids)
