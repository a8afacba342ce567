"""Calibration of win chances: how often units with a stated chance of, say, 70 to 80 % win simulated games.

`python -m bench.calibration [rule set ...]` prints the frequencies (docs/odds.md). The games differ from those that the
model's outcomes were counted from: other seeds, and players of other styles.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.rules import catalogue
from scorekeeper.scoring.table import Table
from scorekeeper.simulator import PlayerStyle
from scorekeeper.simulator.hands import play_game
from scorekeeper.stats.odds import final_chances, odds_of
from tools.outcomes import wanted_tables

GAMES = 2000
GAMES_OF_MANY = 400  # for tables with three or more units, whose chances take longer to compute, one for each unit


class Bin(NamedTuple):
    """The states with chances in one tenth: their number, the number of games, mean chance, share won."""

    tenth: int
    states: int
    games: int
    called: float
    won: float

    @property
    def error(self) -> float:
        """One standard error of the share won, with the states of one game counted as one."""
        return sqrt(self.called * (1 - self.called) / self.games)


def other_styles(rng: Random, players: int) -> tuple[PlayerStyle, ...]:
    """Draw players that differ more than those whose hands were counted."""
    return tuple(PlayerStyle(rng.uniform(-0.8, 0.8), rng.uniform(0.6, 1.0)) for _ in range(players))


def games(table: Table, count: int, seed: str) -> Iterator[GameScore]:
    """Simulate `count` games."""
    for number in range(count):
        rng = Random(f"calibration {seed} {number}")
        _, score = play_game(table, rng, other_styles(rng, table.players), rng.choice(table.seats))
        yield score


def bins(table: Table, played: Iterable[GameScore]) -> list[Bin]:
    """Return the tenths that contain states, with the chance of each unit."""
    odds = odds_of(table, {})
    found: dict[int, list[tuple[int, float, float]]] = {}
    for number, score in enumerate(played):
        end = final_chances(table, score.winners)
        for chances in odds.line(score)[:-1]:
            for unit in table.units:
                tenth = min(int(chances[unit] * 10), 9)
                found.setdefault(tenth, []).append((number, chances[unit], end[unit]))
    return [_bin(tenth, states) for tenth, states in sorted(found.items())]


def _bin(tenth: int, states: list[tuple[int, float, float]]) -> Bin:
    count = len(states)
    played = len({number for number, _, _ in states})
    return Bin(tenth, count, played, sum(c for _, c, _ in states) / count, sum(w for _, _, w in states) / count)


def table_of(table: Table) -> Iterator[str]:
    """Yield the lines of one table of the document."""
    count = GAMES if len(table.units) == 2 else GAMES_OF_MANY
    formed = f"{table.teams} teams" if table.teams else "everyone for themselves"
    yield f"**{table.rules.name}** ({table.players} players, {formed})"
    yield ""
    yield "| called | states | games | mean called | won | standard error |"
    yield "|---|---|---|---|---|---|"
    for found in bins(table, games(table, count, f"{table.rules.id} {table.players} {table.teams}")):
        yield (
            f"| {found.tenth * 10} to {found.tenth * 10 + 10}% | {found.states} | {found.games} "
            f"| {found.called:.1%} | {found.won:.1%} | {found.error:.1%} |"
        )
    yield ""


def main(wanted: Sequence[str]) -> None:
    """Print the tables of every rule set, or of those named, in every table format."""
    for rules in catalogue():
        for options, players, teams in wanted_tables(rules):
            if not options and rules.id in (wanted or [rules.id]):
                print("\n".join(table_of(Table(rules, players, teams))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
