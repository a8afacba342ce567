"""How a simulated player differs from another."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class PlayerStyle:
    """A player's ways.

    `boldness`, about -1 to 1: how unsure a bid may be. `skill`, 0 to 1: how well a hand is judged, and how often the
    card is played that looks best.
    """

    boldness: float = 0.0
    skill: float = 0.8


def draw_styles(rng: Random, players: int) -> tuple[PlayerStyle, ...]:
    """A style for each player, none like the other."""
    return tuple(PlayerStyle(rng.gauss(0, 0.35), rng.uniform(0.55, 0.98)) for _ in range(players))
