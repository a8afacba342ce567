"""A club's own settings: its name, its time zone and its passphrase; a club deleted and taken back.

Argon2 makes a hash of a passphrase, which is all that is stored.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache, partial

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete as sql_delete
from sqlalchemy import select

from scorekeeper.database.session import db, db_write, db_write_or_join, now
from scorekeeper.database.zones import is_zone
from scorekeeper.models import MANAGE, Club, Game, Link, tidy_name

from . import club_log, links

CLUB_KEPT = timedelta(days=7)  # after it was deleted
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 10, 200  # letters
CAME_BACK = "Came back with the passphrase"
GAMES_DELETED = 200  # in one transaction: nobody who saves a hand waits for more
_hasher = PasswordHasher()


def set_about(club: Club, name: str, zone: str) -> None:
    """Change a club's name and zone; raises ValueError for a zone that there is not."""
    if not is_zone(zone):
        raise ValueError(f"there is no time zone {zone}")
    with db_write(club):
        set_name(club, name)
        set_zone(club, zone)


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


def _set(kind: str, column: str, club: Club, value: str) -> None:
    with db_write_or_join(club):
        before = getattr(club, column)
        if value != before:
            setattr(club, column, value)
            club_log.add_value(club, kind, column, before, value)


set_name = partial(_set, club_log.CLUB_NAME, "name")
set_zone = partial(_set, club_log.ZONE, "zone")  # which the club's days go by; those of its games stay as they are


# --- the passphrase -----------------------------------------------------------------------------------------------


def set_passphrase(club: Club, passphrase: str) -> None:
    """Set what a manager can come back with; nothing takes it away."""
    kept = _hasher.hash(_tidy(passphrase)) if passphrase else None
    with db_write(club):
        event = ("changed" if club.passphrase else "set") if kept else "removed"
        if kept or club.passphrase:
            club_log.add(club, club_log.PASSPHRASE, None, {"event": event})
        club.passphrase = kept


def come_back(club: str, passphrase: str) -> Link | None:
    """A new link to manage the club with that number, or the only one of that name, if the passphrase is its own.

    Each try costs one hash, also where there is no such club: how long it takes says nothing about which there are.
    """
    found = links.clubs_called(club, Club.passphrase.is_not(None))
    one = found[0] if len(found) == 1 else None
    try:
        _hasher.verify((one and one.passphrase) or _nobodys(), _tidy(passphrase))
    except (VerificationError, InvalidHashError):
        return None
    if one is None:
        return None
    link = links.new_link(one, MANAGE, CAME_BACK)
    link.last_used_at = now()
    with db_write(one) as session:
        session.add(link)
        links.note(link, "made")
    return link


def _tidy(passphrase: str) -> str:
    """As phones write it: with capitals at the beginning, and spaces at the end."""
    return tidy_name(passphrase[:LONGEST_PASSPHRASE]).casefold()


@lru_cache(1)
def _nobodys() -> str:
    return _hasher.hash("nobody has this one")
