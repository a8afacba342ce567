"""A club's settings: name, time zone and passphrase; deletion and restoration of a club.

Only an Argon2 hash of the passphrase is stored.
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

CLUB_KEPT = timedelta(days=7)  # after deletion
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 10, 200  # characters
RETURN_LABEL = "Came back with the passphrase"
GAMES_DELETED = 200  # per transaction, so that saving a hand does not wait long for the lock
_hasher = PasswordHasher()


def set_name_and_zone(club: Club, name: str, zone: str) -> None:
    """Change a club's name and time zone; raises ValueError for an unknown zone."""
    if not is_zone(zone):
        raise ValueError(f"there is no time zone {zone}")
    with db_write(club):
        set_name(club, name)
        set_zone(club, zone)


def delete(club: Club) -> None:
    """Mark a club as deleted: its links stop working, and a manager can restore it within 7 days."""
    with db_write(club):
        club.deleted_at = now()


def take_back(club: Club) -> None:
    """Restore a deleted club."""
    with db_write(club):
        club.deleted_at = None


def remove_deleted() -> int:
    """Purge a club deleted more than 7 days ago, GAMES_DELETED games per call; return 1 if there was one, else 0."""
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
set_zone = partial(_set, club_log.ZONE, "zone")  # for the club's days from now on; the days of its games stay


# --- the passphrase -----------------------------------------------------------------------------------------------


def set_passphrase(club: Club, passphrase: str) -> None:
    """Set the passphrase that gives a manager access again; an empty one removes it."""
    kept = _hasher.hash(tidy_passphrase(passphrase)) if passphrase else None
    with db_write(club):
        event = ("changed" if club.passphrase else "set") if kept else "removed"
        if kept or club.passphrase:
            club_log.add(club, club_log.PASSPHRASE, None, {"event": event})
        club.passphrase = kept


def link_by_passphrase(club: str, passphrase: str) -> Link | None:
    """Return a new manage link to a club, given by number, link or unique name; None for a wrong passphrase.

    Every attempt costs one hash, even if there is no such club, so its duration does not reveal which clubs exist.
    """
    found = links.find_clubs(club, Club.passphrase.is_not(None))
    one = found[0] if len(found) == 1 else None
    kept, typed = one and one.passphrase, tidy_passphrase(passphrase)
    try:
        _hasher.verify(kept or _dummy_hash(), typed)
    except (VerificationError, InvalidHashError):
        return None
    if one is None or not typed:
        return None
    with db_write(one) as session:
        if one.passphrase != kept:  # it was changed or removed meanwhile
            return None
        session.add(link := links.new_link(one, MANAGE, RETURN_LABEL))
        link.last_used_at = now()
        links.log_event(link, "made")
    return link


def tidy_passphrase(passphrase: str) -> str:
    """Normalize case and spaces: phones capitalize the first letter and append a space. "" if nothing would be seen."""
    return tidy_name(passphrase[:LONGEST_PASSPHRASE]).casefold()


@lru_cache(1)
def _dummy_hash() -> str:
    return _hasher.hash("nobody has this one")
