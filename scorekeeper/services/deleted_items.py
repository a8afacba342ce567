"""What was deleted, kept to be taken back: for 30 days, then it is removed for good."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import Deleted

DAYS = 30
AT_ONCE = 200  # are removed in one transaction: nobody who saves a hand waits for more

GAME, PLAYER, SEASON = ("game", "player", "season")


def find(club_id: int, kind: str, uid: str) -> Deleted | None:
    """What was deleted and can still be taken back."""
    found = select(Deleted).where(Deleted.club_id == club_id, Deleted.kind == kind, Deleted.uid == uid)
    return db.session.scalar(found.where(Deleted.at > oldest()))


def oldest(moment: datetime | None = None) -> datetime:
    """What was deleted before that is gone for good."""
    return (moment or now()) - timedelta(days=DAYS)


def find_game(club_id: int, number: int) -> Deleted | None:
    """The deleted game that had that number."""
    found = select(Deleted).where(Deleted.club_id == club_id, Deleted.kind == GAME, Deleted.number == number)
    return db.session.scalar(found.where(Deleted.at > oldest()).order_by(Deleted.at.desc()).limit(1))


def among(club_id: int, kind: str, uids: Collection[str]) -> frozenset[str]:
    """Which of these were deleted and can be taken back."""
    mine = Deleted.club_id == club_id, Deleted.kind == kind, Deleted.at > oldest(), Deleted.uid.in_(uids)
    return frozenset(db.session.scalars(select(Deleted.uid).where(*mine)))


def numbers_of(club_id: int, uids: Collection[str]) -> list[int]:
    """The numbers of those of these games that were deleted and can be taken back."""
    mine = Deleted.club_id == club_id, Deleted.kind == GAME, Deleted.at > oldest()
    found = db.session.execute(select(Deleted.uid, Deleted.number).where(*mine)).all()
    return sorted(number or 0 for uid, number in found if uid in uids)


def remove_for_good(most: int = AT_ONCE) -> int:
    """Remove what was deleted more than 30 days ago, a bounded number of things; how many there were."""
    old = select(Deleted.id).where(Deleted.at <= oldest()).order_by(Deleted.at).limit(most)
    if db.session.scalar(old.limit(1)) is None:
        return 0
    with db_write() as session:
        ids = list(session.scalars(old))
        session.execute(delete(Deleted).where(Deleted.id.in_(ids)))
    return len(ids)
