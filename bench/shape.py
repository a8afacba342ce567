"""Properties of simulated games: length, bids made, speed of simulation.

`python -m bench.shape` prints a table; its games are those of `bench.calibration`.
"""

from __future__ import annotations

import time
from statistics import quantiles

from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.rules import catalogue
from scorekeeper.scoring.table import Table
from tools.outcomes import wanted_tables

from .calibration import games

GAMES = 300


def row_of(table: Table) -> str:
    """Return the row of one table format."""
    start = time.process_time()
    played = list(games(table, GAMES, f"{table.rules.id} {table.players} {table.teams}"))
    rate = sum(len(score.hands) for score in played) / (time.process_time() - start)
    return f"| {table.rules.name} | {table.players} | {table.teams or 'none'} | {_shape(played)} | {rate:.0f} |"


def _shape(played: list[GameScore]) -> str:
    lengths = [len(score.hands) for score in played]
    tenths = quantiles(lengths, n=10)
    hands = [hand for score in played for hand in score.hands]
    scored = [hand for hand in hands if hand.status == "scored"]
    made = sum(hand.made for hand in scored) / len(scored)
    bids = sorted(hand.bid or 0 for hand in scored)
    usual = f"{bids[len(bids) // 20]} to {bids[-len(bids) // 20]}"
    length = f"{sum(lengths) / len(lengths):.1f} | {tenths[0]:.0f} to {tenths[-1]:.0f}"
    return f"{length} | {made:.0%} | {usual} | {1 - len(scored) / len(hands):.1%}"


def main() -> None:
    """Print the table."""
    print("| rules | players | teams | hands | mostly | bids made | usual bids | all passed | a second |")
    print("|---|---|---|---|---|---|---|---|---|")
    for rules in catalogue():
        for options, players, teams in wanted_tables(rules):
            if not options:
                print(row_of(Table(rules, players, teams)), flush=True)


if __name__ == "__main__":
    main()
