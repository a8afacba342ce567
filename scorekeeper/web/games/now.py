"""How a game is now, for the phone to go on with when it has no signal (docs/offline.md)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from flask import url_for

from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.common.assets import hashed_names
from scorekeeper.web.common.tokens import HAND_FORM

# What the page for no signal is made of besides the game: another one makes phones fetch it again.
MADE_OF = ("app.css", "settle.js", "offline-hand.js", "offline.js")


def game_now(snapshot: Snapshot) -> dict[str, Any]:
    """The next hand's number and dealer, the scores, and where its page for no signal is.

    `shape` is another word whenever that page is another; `version` counts the changes of the game; `reached` are the
    units that have been at the mark of an early win before; `over` says that the game takes no more hands.
    """
    here: dict[str, Any] = {"key": snapshot.club.key, "number": snapshot.number}
    return {
        "base": url_for("games.sheet", **here),
        "page": url_for("hands.offline", **here),
        "shape": _shape(snapshot),
        "version": snapshot.version,
        "number": snapshot.number,
        "position": snapshot.length + 1,
        "dealer": snapshot.dealer_after(snapshot.length),
        "totals": dict(snapshot.score.totals),
        "reached": _reached(snapshot),
        "over": not snapshot.takes_hands,
    }


def _shape(snapshot: Snapshot) -> str:
    names, text = hashed_names(), snapshot.replayed.text
    made_of = [HAND_FORM, text.rules, text.players, text.teams, snapshot.names_at(snapshot.length + 1)]
    return sha256(json.dumps([*made_of, *map(names.get, MADE_OF)]).encode()).hexdigest()[:16]


def _reached(snapshot: Snapshot) -> list[str]:
    early, start = snapshot.table.rules.win.early, snapshot.replayed.played.start or {}
    if early is None:
        return []
    before = [start, *(score.totals for score in snapshot.scores)]
    return [unit for unit in snapshot.table.units if any(totals.get(unit, 0) >= early.at for totals in before)]
