"""Simulated games as lists of facts."""

from collections.abc import Mapping, Sequence
from random import Random

from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.hand_facts import Facts
from scorekeeper.scoring.record import write_hand
from scorekeeper.scoring.table import Seat, Table, Unit
from scorekeeper.simulator import PlayerStyle
from scorekeeper.simulator.hands import CLAIMS, facts_of, play_game


def told_game(
    table: Table,
    rng: Random,
    styles: Sequence[PlayerStyle],
    first_dealer: Seat = 1,
    start: Mapping[Unit, int] | None = None,
    *,
    detail: str = CLAIMS,
    auction: bool = False,
) -> tuple[Hand, ...]:
    """The hands of a game up to its end, at a level of detail, with whole auctions if `auction`."""
    hands, score = play_game(table, rng, styles, first_dealer, start)
    together = zip(hands, score.hands, strict=True)
    return tuple(facts_of(table, played, detail, auction=auction, score=scored) for played, scored in together)


def simulate_game(
    table: Table, rng: Random, styles: Sequence[PlayerStyle], *, detail: str = CLAIMS, auction: bool = False
) -> list[Facts]:
    """The facts of each hand of a game up to its end."""
    return [write_hand(hand) for hand in told_game(table, rng, styles, detail=detail, auction=auction)]
