"""Hands that a phone's script sends: each gets a plain answer, so that the phone knows that it is saved."""

from __future__ import annotations

from typing import Any

from flask import g, get_flashed_messages, jsonify, make_response, request
from flask.typing import ResponseReturnValue

from scorekeeper.web.common.scope import find_snapshot
from scorekeeper.web.common.tokens import posted_version
from scorekeeper.web.games.now import game_now

HEADER = "X-Waiting"
NOW, LATER = "now", "later"  # a hand that was just tapped, whose page waits for it; one that has waited


def acknowledge(answer: ResponseReturnValue) -> ResponseReturnValue:
    """The answer for a form; for a script, where the hand is saved, or why not, and how the game is then.

    A redirect would not do: the login page of a hotel sends one too, and the phone would let go of the hand.
    """
    response = make_response(answer)
    asked = request.headers.get(HEADER)
    if asked not in (NOW, LATER) or response.status_code not in (303, 409):
        return response
    if response.status_code == 409:  # two phones: the phone says so, and asks for the page that shows both
        return jsonify(_later()), 409
    saved = {"saved": True, "next": response.location, "position": posted_version("position")}
    return jsonify(saved | (_later() if asked == LATER else {}))


def _later() -> dict[str, Any]:
    """Nobody looks at the page that the messages were for."""
    get_flashed_messages()
    return {"game": game_now(find_snapshot(g.snapshot.number))}
