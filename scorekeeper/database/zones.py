"""Time zones by their names, such as America/Detroit: the ones there are, and the server's own."""

from __future__ import annotations

import os
from datetime import date, datetime, tzinfo
from functools import cache, lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

UTC_NAME = "UTC"
LONGEST = 64  # letters of a name
LOCALTIME = Path("/etc/localtime")
MARK = "zoneinfo/"  # what comes before a zone's name in the path of its file


@cache
def zone_names() -> tuple[str, ...]:
    """The zones that are places, such as Europe/Rome, and UTC, in the order of the alphabet."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))
    return (*sorted(places), UTC_NAME)


def is_zone(name: str) -> bool:
    return name in zone_names() or name in available_timezones()


@lru_cache(1024)  # more than there are: a name may come from anybody
def find_zone(name: str) -> tzinfo:
    """The zone with that name; UTC for a name that this computer does not know."""
    return ZoneInfo(name if is_zone(name) else UTC_NAME)


def server_zone() -> str:
    """The name of this computer's own zone: from TZ, or from the file that /etc/localtime leads to; UTC if none is."""
    linked = str(LOCALTIME.resolve()).rpartition(MARK)[2] if LOCALTIME.is_symlink() else ""
    for name in (os.environ.get("TZ", "").removeprefix(":"), linked):
        if name and is_zone(name):
            return name
    return UTC_NAME


def today_in(name: str, now: datetime) -> date:
    """Which day it is there."""
    return now.astimezone(find_zone(name)).date()
