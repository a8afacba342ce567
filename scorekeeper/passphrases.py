"""A passphrase with which a manager comes back to a club; argon2 makes its hash, which is all that is stored."""

from __future__ import annotations

from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import func, select

from scorekeeper import links
from scorekeeper.db import db, db_write, now
from scorekeeper.models import MANAGE, Club, Link, tidy_name

SHORTEST, LONGEST = 10, 200  # letters
MOST_CLUBS = 5  # of one name that are tried: each costs a twentieth of a second
CAME_BACK = "Came back with the passphrase"
_hasher = PasswordHasher()


def set_passphrase(club: Club, passphrase: str) -> None:
    """Set what a manager can come back with; nothing takes it away."""
    kept = _hasher.hash(_tidy(passphrase)) if passphrase else None
    with db_write(club):
        club.passphrase = kept


def come_back(name: str, passphrase: str) -> Link | None:
    """A new link to manage the club of that name with that passphrase, or None.

    As much is worked out where there is no such club: how long it takes tells nobody which clubs there are.
    """
    named = select(Club).where(func.lower(Club.name) == tidy_name(name).lower(), Club.passphrase.is_not(None))
    clubs = list(db.session.scalars(named.order_by(Club.id).limit(MOST_CLUBS)))
    found = [club for club in clubs if _is_right(club.passphrase or "", passphrase)]
    if not clubs:
        _is_right(_nobodys(), passphrase)
    return _let_back_in(found[0]) if found else None


def _let_back_in(club: Club) -> Link:
    link = links.new_link(club, MANAGE, CAME_BACK)
    link.last_used_at = now()
    with db_write(club) as session:
        session.add(link)
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
