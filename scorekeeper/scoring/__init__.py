"""The scoring core: the facts of a hand in, points and scores with their reasons out. Standard library only.

Everything in `__all__` can be imported from here; docs/scoring.md shows how to use it.
"""

from __future__ import annotations

from .auction import Auction, Call
from .facts import Adjustment, Hand
from .game import Game, GameScore, Outcome, StillOpen, WinCheck, check_game, next_dealer, replay, score_game
from .hand import HandScore, check_hand, score_hand
from .play import PlaySoFar, Trick, legal_cards, trick_winner
from .points import (
    PointCards,
    PointScore,
    dealt_card_points,
    decide_from_counts,
    decide_game,
    fill_counts,
    game_total,
    point_cards,
)
from .problems import Problem, Refused
from .record import find_table, parse, read_game, read_hand, score_output, score_record, write_game, write_hand
from .rules import RuleSet, UnknownRulesError, Variation, catalogue, find_rules, variations
from .table import Sides, Table

__all__ = [
    "Adjustment",
    "Auction",
    "Call",
    "Game",
    "GameScore",
    "Hand",
    "HandScore",
    "Outcome",
    "PlaySoFar",
    "PointCards",
    "PointScore",
    "Problem",
    "Refused",
    "RuleSet",
    "Sides",
    "StillOpen",
    "Table",
    "Trick",
    "UnknownRulesError",
    "Variation",
    "WinCheck",
    "catalogue",
    "check_game",
    "check_hand",
    "dealt_card_points",
    "decide_from_counts",
    "decide_game",
    "fill_counts",
    "find_rules",
    "find_table",
    "game_total",
    "legal_cards",
    "next_dealer",
    "parse",
    "point_cards",
    "read_game",
    "read_hand",
    "replay",
    "score_game",
    "score_hand",
    "score_output",
    "score_record",
    "trick_winner",
    "variations",
    "write_game",
    "write_hand",
]
