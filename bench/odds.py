"""Errors of win chances for players unlike the simulator's, and how fast they decrease.

`python -m bench.odds` writes the table of docs/odds.md. Players of each kind play a table's games. Their true chances
are estimated from 1,500 of their hands. Then such a club begins, and its chances are computed as on a page, after
various numbers of its own hands: their differences in percentage points over some scores, and a chi-square test on
fresh games with one state of each game, because states of different games are independent, and those of one game are
not.

The state's hand number is drawn before the game begins. Drawn from the states that occurred, it would too often be of a
short game, and short games are won by the leader. For the same reason no long game is omitted: one that is not over
after 150 hands, often hundreds of points below zero, counts as shared by all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import exp, lgamma, log, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.table import Table
from scorekeeper.simulator import PlayerStyle
from scorekeeper.simulator import hands as simulator_hands
from scorekeeper.simulator.hands import play_game
from scorekeeper.simulator.outcomes import outcome_of
from scorekeeper.stats.odds import NUMBERS, Odds, final_chances, odds_of

PAGE = Path(__file__).parent.parent / "docs" / "odds.md"
BEGINNING, END = "<!-- measured -->\n", "<!-- end -->\n"
HANDS, GAMES = 1_500, 400
GAMES_OF_MANY = 160  # for tables with three or more units, whose chances take longer to compute
TABLES = (("west-michigan-6", 6, 2), ("shankar", 3, 0))
MOST_HANDS = 150
MOST_LEARNED = 60  # hands of one game that a club learns from
LATEST = 8  # a state is one of this many at the start of a game
# The last kind plays a random legal card, and misjudges a hand by up to three points when bidding.
KINDS: dict[str, Callable[[Random], PlayerStyle]] = {
    "like the simulator's": lambda rng: PlayerStyle(rng.uniform(-0.8, 0.8), rng.uniform(0.6, 1.0)),
    "timid": lambda rng: PlayerStyle(-1.5, rng.uniform(0.6, 1.0)),
    "random legal play": lambda rng: PlayerStyle(rng.uniform(-2.0, 2.0), -1.0),
}
OWN = (0, *NUMBERS)
# Scores in quarters of the target, for the first unit, the second, and so on; the last value repeats.
SCORES = ((0, 0), (2, 0), (2, 1), (3, 1), (3, 3), (3, 0), (1, -1), (3, 2))


def games(table: Table, kind: str, seed: str) -> Iterator[GameScore]:
    """Yield games of players of one kind, endlessly."""
    number = 0
    while True:
        rng = Random(f"odds {table.rules.id} {kind} {seed} {number}")
        styles = [KINDS[kind](rng) for _ in table.seats]
        yield play_game(table, rng, styles, rng.choice(table.seats))[1]
        number += 1


def outcomes(table: Table, kind: str, seed: str, hands: int) -> list[str]:
    """Return the outcomes of the first `hands` hands of such games."""
    found: list[str] = []
    for score in games(table, kind, seed):
        learned = score.hands[:MOST_LEARNED]
        found += [outcome_of(table, hand) for hand in learned if hand.status == "scored"]
        if len(found) >= hands:
            return found[:hands]
    return found


class State(NamedTuple):
    """One state of one game: the scores, the selected unit, and its share of the win."""

    totals: dict[str, int]
    unit: str
    won: float


def states(table: Table, kind: str) -> list[State]:
    """Return one state of each of some fresh games, drawn before the game; games over by then are omitted."""
    rng, found = Random(f"odds states {kind}"), list[State]()
    fresh = games(table, kind, "fresh")
    while len(found) < (GAMES if len(table.units) == 2 else GAMES_OF_MANY):
        hand, score = rng.randrange(LATEST), next(fresh)
        if hand < len(score.hands):
            totals = score.hands[hand - 1].totals if hand else dict.fromkeys(table.units, 0)
            unit = rng.choice(table.units)
            found.append(State(dict(totals), unit, final_chances(table, score.winners or table.units)[unit]))
    return found


def chi_square(odds: Odds, some: Sequence[State]) -> float:
    """Return the p-value of a chi-square test of these chances, over tenths with at least five games."""
    tenths: dict[int, list[tuple[float, float]]] = {}
    for state in some:
        chance = odds.chances([state.totals])[0][state.unit]
        tenths.setdefault(min(int(chance * 10), 9), []).append((chance, state.won))
    rows = [row for row in tenths.values() if len(row) >= 5]
    off = [sum(ended - chance for chance, ended in row) ** 2 / sum(c * (1 - c) for c, _ in row) for row in rows]
    return tail(sum(off), len(off))


def tail(value: float, freedom: int) -> float:
    """Return the upper tail probability of a chi-square: 1 minus the series of the lower gamma function."""
    half, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    term = total = 1 / half
    number = half
    while term > total * 1e-12:
        number += 1
        term *= x / number
        total += term
    return max(0.0, 1 - total * exp(half * log(x) - x - lgamma(half)))


def scores_of(table: Table) -> list[dict[str, int]]:
    """Return the scores at which chances are compared."""
    quarters = [(*some, *[some[-1]] * (len(table.units) - 2)) for some in SCORES]
    target = table.rules.win.target
    return [
        {unit: target * quarter // 4 for unit, quarter in zip(table.units, some, strict=True)} for some in quarters
    ]  # fmt: skip


def cells(table: Table, kind: str) -> Iterator[str]:
    """Yield for each number of own hands: root mean square error, maximum, and p-value."""
    truth = Odds(table, Counter(outcomes(table, kind, "truth", HANDS)), own=HANDS)
    scores, fresh = scores_of(table), states(table, kind)
    really = [truth.chances([totals])[0] for totals in scores]
    club = outcomes(table, kind, "club", OWN[-1])
    for own in OWN:
        odds = odds_of(table, Counter(club[:own]))
        off = [
            100 * abs(odds.chances([totals])[0][unit] - chance[unit])
            for totals, chance in zip(scores, really, strict=True)
            for unit in table.units
        ]
        likely = chi_square(odds, fresh)
        yield f"{sqrt(sum(one * one for one in off) / len(off)):.1f}, {max(off):.0f} ({likely:.2f})"


def rows(kind: str) -> Iterator[str]:
    """Yield the rows of one kind of players."""
    for form in TABLES:
        table = find_table(*form, {})
        formed = f"{table.players}, {table.teams} teams" if table.teams else f"{table.players}, each alone"
        yield f"{kind} | {table.rules.name} ({formed}) | {' | '.join(cells(table, kind))}"


def main() -> None:
    """Print the table and write it into the document."""
    simulator_hands.MOST_HANDS = MOST_HANDS
    lines = [f"players | table, and own hands: | {' | '.join(map(str, OWN))}", " | ".join(["---"] * (2 + len(OWN)))]
    print(*lines, sep="\n")
    for kind in KINDS:
        for row in rows(kind):
            lines.append(row)
            print(row, flush=True)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGINNING)
    text = "\n".join([*lines, ""])
    PAGE.write_text(f"{before}{BEGINNING}{text}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
