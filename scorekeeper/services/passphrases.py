"""A passphrase with which a manager comes back to a club; argon2 makes its hash, which is all that is stored."""

from __future__ import annotations

from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import func, select

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import MANAGE, Club, Link, tidy_name
from scorekeeper.services import club_log, links
from scorekeeper.services.club_log import Cause

SHORTEST, LONGEST = 10, 200  # letters
CAME_BACK = "Came back with the passphrase"
_hasher = PasswordHasher()


def set_passphrase(club: Club, passphrase: str, by: str | None = None) -> None:
    """Set what a manager can come back with; nothing takes it away."""
    kept = _hasher.hash(_tidy(passphrase)) if passphrase else None
    with db_write(club):
        event = ("changed" if club.passphrase else "set") if kept else "removed"
        if kept or club.passphrase:
            club_log.add(club.id, club_log.PASSPHRASE, "", None, {"event": event}, Cause(by))
        club.passphrase = kept


def come_back(club: str, passphrase: str) -> Link | None:
    """A new link to manage the club with that number, or the only one of that name, if the passphrase is its own.

    Each try costs one hash, also where there is no such club: how long it takes says nothing about which there are.
    """
    asked, club = select(Club).where(Club.passphrase.is_not(None)), tidy_name(club)
    number = int(club) if club.isascii() and club.isdecimal() and len(club) < 10 else None
    found = db.session.scalars(asked.where(Club.id == number)).all()  # a name cannot take a number from its club
    found = found or db.session.scalars(asked.where(func.lower(Club.name) == club.lower()).limit(2)).all()
    one = found[0] if len(found) == 1 else None
    is_right = _is_right((one and one.passphrase) or _nobodys(), passphrase)
    return _let_back_in(one) if one and is_right else None


def _let_back_in(club: Club) -> Link:
    link = links.new_link(club, MANAGE, CAME_BACK)
    link.last_used_at = now()
    with db_write(club) as session:
        session.add(link)
        links.note(link, "made")
    return link


def _is_right(kept: str, passphrase: str) -> bool:
    try:
        return _hasher.verify(kept, _tidy(passphrase))
    except (VerificationError, InvalidHashError):
        return False


def _tidy(passphrase: str) -> str:
    """As phones write it: with capitals at the beginning, and spaces at the end."""
    return tidy_name(passphrase[:LONGEST]).casefold()


@lru_cache(1)
def _nobodys() -> str:
    return _hasher.hash("nobody has this one")
