"""The scoring core: the facts of a hand in, points and scores with their reasons out. Standard library only.

Everything in `__all__` can be imported from here; docs/scoring.md shows how to use it. A name is loaded when it is
first asked for, so that `scorekeeper score` starts as quickly as before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.scoring.play import PlaySoFar
    from scorekeeper.scoring.points import (
        PointCards,
        PointScore,
        dealt_card_points,
        decide_from_counts,
        decide_game,
        fill_counts,
        game_total,
        point_cards,
    )
    from scorekeeper.scoring.record import read_hand, write_hand

    from .auction import Auction, Call
    from .facts import Adjustment, Hand
    from .game import Game, GameScore, Outcome, StillOpen, WinCheck, check_game, next_dealer, replay, score_game
    from .hand import HandScore, check_hand, score_hand
    from .play import Trick, legal_cards, trick_winner
    from .problems import Problem, Refused
    from .record import answer, find_table, parse, read_game, score_record, write_game
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
    "answer",
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
    "score_record",
    "trick_winner",
    "variations",
    "write_game",
    "write_hand",
]

_MODULES = {
    "auction": "Auction Call",
    "facts": "Adjustment Hand",
    "game": "Game GameScore Outcome StillOpen WinCheck check_game next_dealer replay score_game",
    "hand": "HandScore check_hand score_hand",
    "play": "PlaySoFar Trick legal_cards trick_winner",
    "points": "PointCards PointScore dealt_card_points decide_from_counts decide_game fill_counts game_total "
    "point_cards",
    "problems": "Problem Refused",
    "record": "answer find_table parse read_game read_hand score_record write_game write_hand",
    "rules.catalog": "UnknownRulesError Variation catalogue find_rules variations",
    "rules.ruleset": "RuleSet",
    "table": "Sides Table",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
