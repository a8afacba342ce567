"""Time zones by their IANA names, such as America/Detroit, and the server's own zone."""

from __future__ import annotations

import os
from datetime import date, datetime, tzinfo
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

UTC_NAME = "UTC"
LONGEST_NAME = 64  # maximum length of a name
LOCALTIME = Path("/etc/localtime")
MARK = "zoneinfo/"  # precedes a zone's name in the path of its file


@cache
def all_zones() -> frozenset[str]:
    """Return the names of all zones, former names such as US/Pacific too."""
    return frozenset({*available_timezones(), UTC_NAME})


@cache
def zone_names() -> tuple[str, ...]:
    """Return the zones to choose from: those named after places, such as Europe/Rome, sorted, and UTC."""
    lines = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8").splitlines()
    return (*sorted(all_zones() & {line.split("\t")[2] for line in lines if line[:1] != "#"}), UTC_NAME)


def is_zone(name: str) -> bool:
    return name in all_zones()


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
