"""Simulated games as lists of facts."""

from typing import Any

from scorekeeper.scoring.hand_facts import Facts
from scorekeeper.scoring.record import write_hand
from scorekeeper.simulator.games import play_game


def simulate_game(*args: Any, **options: Any) -> list[Facts]:
    """The facts of each hand of a game up to its end, as `play_game` gives them."""
    return [write_hand(hand) for hand in play_game(*args, **options)[0]]
