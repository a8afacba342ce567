"""Time zones by their IANA names, such as America/Detroit, and the server's own zone."""

from __future__ import annotations

import os
from datetime import date, datetime, tzinfo
from functools import cache, lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

UTC_NAME = "UTC"
LONGEST_NAME = 64  # maximum length of a name
LOCALTIME = Path("/etc/localtime")
MARK = "zoneinfo/"  # precedes a zone's name in the path of its file


@cache
def zone_names() -> tuple[str, ...]:
    """Return the zones named after places, such as Europe/Rome, sorted, and UTC."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))
    return (*sorted(places), UTC_NAME)


def is_zone(name: str) -> bool:
    return name in zone_names() or name in available_timezones()


@lru_cache(1024)  # more than there are zones; bounded because names come from requests
def find_zone(name: str) -> tzinfo:
    """Return the zone called `name`; UTC if this computer does not know it."""
    return ZoneInfo(name if is_zone(name) else UTC_NAME)


def server_zone() -> str:
    """Return the name of this computer's zone, from TZ or the target of /etc/localtime; UTC if neither names one."""
    linked = str(LOCALTIME.resolve()).rpartition(MARK)[2] if LOCALTIME.is_symlink() else ""
    for name in (os.environ.get("TZ", "").removeprefix(":"), linked):
        if name and is_zone(name):
            return name
    return UTC_NAME


def today_in(name: str, now: datetime) -> date:
    """Return the current date in the zone called `name`."""
    return now.astimezone(find_zone(name)).date()
