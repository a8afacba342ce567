"""Who is scoring on a device: kept in its cookie club by club, and put beside what it changes."""

from __future__ import annotations

import secrets

from flask import g, session

from scorekeeper.database.session import db
from scorekeeper.models import Player

COOKIE = "phones"
DEVICE = "device"


def scorer_name() -> str | None:
    """The name of who is scoring on the device that sent this request, if it is set."""
    if not owner_id():
        return None
    if "snapshot" in g and owner_id() in g.snapshot.players:
        return str(g.snapshot.players[owner_id()])
    player = db.session.get(Player, owner_id())
    return player.name if player is not None and player.club_id == g.club.id else None


def owner_id() -> int:
    """The id of who is scoring on the device that sent this request; 0 if it is not set."""
    return owners().get(str(g.club.id), 0)


def owners() -> dict[str, int]:
    """Who is scoring on this device, by the id of the club."""
    return session.get(COOKIE, {})


def device_id() -> str:
    """This device's id; empty until it has opened a hand."""
    return str(session.get(DEVICE, ""))


def own_device_id() -> str:
    """The same, for a device that opens or taps a hand: it is named now, if it was not."""
    if not device_id():
        session[DEVICE] = secrets.token_urlsafe(12)
    return device_id()
