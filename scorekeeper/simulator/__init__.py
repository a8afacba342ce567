"""Simulated games: hands dealt, bid and played by simple players, as the facts of a game record.

All randomness comes from the `random.Random` that is passed in; the same seed gives the same hands.
"""

from .evaluation import PlayerStyle, draw_styles
from .hands import simulate_hand

__all__ = ["PlayerStyle", "draw_styles", "simulate_hand"]
