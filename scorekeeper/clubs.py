"""A club's own settings: its name and its time zone; each change is an entry of its log."""

from __future__ import annotations

from scorekeeper import club_log
from scorekeeper.club_log import NOBODY, Cause
from scorekeeper.db import db_write
from scorekeeper.models import Club
from scorekeeper.zones import is_zone


def set_about(club: Club, name: str, zone: str, by: str | None = None) -> None:
    """Change a club's name and zone; raises ValueError for a zone that there is not."""
    if not is_zone(zone):
        raise ValueError(f"there is no time zone {zone}")
    with db_write(club):
        put_name(club, name, Cause(by))
        put_zone(club, zone, Cause(by))


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
