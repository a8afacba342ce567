"""A club's own settings: its name and its time zone, each change an entry of its log; a club deleted and taken back."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete as sql_delete
from sqlalchemy import select

from scorekeeper.database.session import db, db_write, now
from scorekeeper.database.zones import is_zone
from scorekeeper.models import Club, Game
from scorekeeper.services import club_log
from scorekeeper.services.club_log import NOBODY, Cause

CLUB_KEPT = timedelta(days=7)  # after it was deleted
GAMES_DELETED = 200  # in one transaction: nobody who saves a hand waits for more


def set_about(club: Club, name: str, zone: str, by: str | None = None) -> None:
    """Change a club's name and zone; raises ValueError for a zone that there is not."""
    if not is_zone(zone):
        raise ValueError(f"there is no time zone {zone}")
    with db_write(club):
        put_name(club, name, Cause(by))
        put_zone(club, zone, Cause(by))


def delete(club: Club) -> None:
    """Delete a club: nobody's link opens it any more, and for 7 days a manager can take it back."""
    with db_write(club):
        club.deleted_at = now()


def take_back(club: Club) -> None:
    """Take a deleted club back, as it was."""
    with db_write(club):
        club.deleted_at = None


def remove_deleted() -> int:
    """Remove for good, some games at a time, a club that was deleted more than 7 days ago; 1 where there was one."""
    old = select(Club.id).where(Club.deleted_at <= now() - CLUB_KEPT).limit(1)
    club_id = db.session.scalar(old)
    db.session.rollback()
    if club_id is None:
        return 0
    some = select(Game.id).where(Game.club_id == club_id).limit(GAMES_DELETED)
    with db_write() as session:
        ids = session.scalars(some).all()
        rest = Game.id.in_(ids) if ids else Club.id == club_id
        session.connection().execute(sql_delete(Game if ids else Club).where(rest))
    return 1


def put_name(club: Club, name: str, cause: Cause = NOBODY) -> None:
    """Change a club's name, inside a transaction that has locked the club."""
    if name != club.name:
        before, club.name = club.name, name
        club_log.add(club.id, club_log.CLUB_NAME, "", {"name": before}, {"name": name}, cause)


def put_zone(club: Club, zone: str, cause: Cause = NOBODY) -> None:
    """Change the time zone that a club's days go by; the days of its games stay as they are."""
    if zone != club.zone:
        before, club.zone = club.zone, zone
        club_log.add(club.id, club_log.ZONE, "", {"zone": before}, {"zone": zone}, cause)
