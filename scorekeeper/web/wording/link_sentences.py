"""What is said of links, and of what they allow."""

from __future__ import annotations

from scorekeeper.models import MANAGE, SCORE, WATCH, Link

LETS = {
    WATCH: "This link lets you watch: games, standings and charts.",
    SCORE: "This link lets you keep score: start games, enter hands and correct them.",
    MANAGE: "This link lets you manage the club: players, seasons, links and all of its games.",
}
LETS_IN_GAME = {
    WATCH: "This link lets you watch game {number}.",
    SCORE: "This link lets you keep score of game {number} until it ends.",
}


def lets(link: Link) -> str:
    """What a link allows, for whoever opens it."""
    return LETS_IN_GAME[link.role].format(number=link.game.number) if link.game is not None else LETS[link.role]
