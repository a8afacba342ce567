"""Hands and whole games as lists of facts, ready for a game record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.hand_facts import Facts
from scorekeeper.scoring.record import write_hand
from scorekeeper.scoring.table import Seat, Table, Unit
from scorekeeper.simulator.evaluation import PlayerStyle

from .hands import CLAIMS, play_hand, tell

MOST_HANDS = 500  # a game that is not won by then is left unfinished


def simulate_hand(
    table: Table,
    rng: Random,
    styles: Sequence[PlayerStyle],
    dealer: Seat,
    totals: Mapping[Unit, int] | None = None,
    *,
    detail: str = CLAIMS,
    auction: bool = False,
) -> Facts:
    """The facts of one hand, as a game record has them, at a level of detail (`play`, `piles`, `counts`, `claims`)."""
    played = play_hand(table, rng, styles, dealer, totals or table.at_zero)
    return write_hand(tell(table, played, detail, auction=auction))


def play_game(
    table: Table,
    rng: Random,
    styles: Sequence[PlayerStyle],
    first_dealer: Seat = 1,
    start: Mapping[Unit, int] | None = None,
    *,
    detail: str = CLAIMS,
    auction: bool = False,
) -> tuple[tuple[Hand, ...], GameScore]:
    """The hands of a game up to its end, as the scoring knows them, and their score."""
    hands: tuple[Hand, ...] = ()
    game = Game(table, start=start)
    score = replay(game)
    while score.outcome is None and len(hands) < MOST_HANDS:
        dealer = score.next_dealer or first_dealer
        played = play_hand(table, rng, styles, dealer, score.totals)
        scored = score_hand(table, played.hand, dealer, score.totals)
        hands += (tell(table, played, detail, auction=auction, score=scored),)
        score = replay(Game(table, hands, start=start), (*score.hands, scored))
    return hands, score
