"""From any score, the chance to win: a Markov chain over scores, fed with how a club's hands have come out.

What it assumes, how it is solved and how well it predicts is in `docs/odds.md`.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import add, itemgetter, mul
from random import Random
from typing import Any, NamedTuple, Protocol

from scorekeeper.scoring.game import GameScore, WinCheck
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.simulator.outcomes import find_outcomes

from .detail import OUT

LEAST_HANDS = 200  # with fewer hands of their own, a club's chances rest on simulated ones
FURTHEST = 100  # with a target beyond it there are too many scores to work the chances out for a page
TOLERANCE = 1e-9
MOST_SWEEPS = 1000
LOWEST_BIDS = 3  # lower than this many of the greatest loss below zero, a score counts as that
RUNS = 2000  # games sampled with three units and more
LOOKED_AHEAD = 64  # hands drawn for each of them; a longer one goes on with its neighbor's
LONGEST = 400  # hands after which a sampled game counts as shared by all
SEED = 2026
PREFIX = f"{OUT}:"

Changes = tuple[int, ...]
State = tuple[int, int]
Chances = dict[Unit, float]


class Step(NamedTuple):
    """What a hand can do: each unit's change, the bidder's unit first, and whether the bid was made; its share."""

    changes: Changes
    made: bool
    share: float


class Move(NamedTuple):
    """A step that the unit at index `bidder` takes: each unit's change in the order of the units, and its share."""

    bidder: int
    step: Step
    changes: Changes
    share: float


class Chain(Protocol):
    """Something that knows each unit's chance from given scores, in the order of the units."""

    def chances(self, totals: Sequence[int]) -> tuple[float, ...]: ...


class Odds:
    """The chances to win at one table.

    `hands` is how many they rest on, `own` whether those are the club's (False: simulated), and not `exact` where
    simulated hands of somewhat different house rules had to do.
    """

    def __init__(self, table: Table, outcomes: Mapping[str, int], *, own: bool, exact: bool = True) -> None:
        self.table = table
        self.hands = sum(outcomes.values())
        self.own = own
        self.exact = exact
        self._chain = _chain(table.rules, table.players, table.teams, tuple(sorted(outcomes.items())))

    def chance(self, totals: Mapping[Unit, int]) -> Chances:
        """Each unit's chance to win the game from these scores, before a hand; they add up to 1."""
        found = self._chain.chances([totals[unit] for unit in self.table.units])
        return dict(zip(self.table.units, found, strict=True))

    def line(self, score: GameScore) -> list[Chances]:
        """The chances before the first hand and after each; at the end 1, or equal parts, for whoever has won."""
        scores = [self._before(score), *(hand.totals for hand in score.hands)]
        if score.outcome is None:
            return [self.chance(totals) for totals in scores]
        return [*(self.chance(totals) for totals in scores[:-1]), won(self.table, score.winners)]

    @staticmethod
    def _before(score: GameScore) -> dict[Unit, int]:
        if not score.hands:
            return score.totals
        first = score.hands[0]
        return {unit: total - first.change[unit] for unit, total in first.totals.items()}


def odds_of(table: Table, outcomes: Mapping[str, int]) -> Odds:
    """The chances at a table, from a club's outcomes (as `outcomes_in` gives them) where they are enough."""
    fitting = {key: count for key, count in outcomes.items() if key.count(",") == len(table.units) - 1}
    if sum(fitting.values()) >= LEAST_HANDS:
        return Odds(table, fitting, own=True)
    simulated = find_outcomes(table)
    return Odds(table, simulated.outcomes, own=False, exact=simulated.exact)


def outcomes_in(detail: Mapping[str, int]) -> dict[str, int]:
    """The outcomes of hands out of a tally's details (those called `out:...`)."""
    return {key[len(PREFIX) :]: count for key, count in detail.items() if key.startswith(PREFIX)}


def won(table: Table, winners: Sequence[Unit]) -> Chances:
    """A game that is over, as chances: who share it have equal parts."""
    return {unit: (1 / len(winners) if unit in winners else 0.0) for unit in table.units}


# --- what a hand can do -------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _chain(rules: RuleSet, players: int, teams: int, outcomes: tuple[tuple[str, int], ...]) -> Chain:
    table, steps = Table(rules, players, teams), read_steps(outcomes)
    return Solved(table, steps) if len(table.units) == 2 else Sampled(table, steps)


def read_steps(outcomes: Sequence[tuple[str, int]]) -> tuple[Step, ...]:
    """What hands can do, bids of different size with the same result taken together.

    A bid was made where its side did not lose by it: a set side always does.
    """
    counted: Counter[Changes] = Counter()
    for key, count in outcomes:
        counted[tuple(map(int, key.partition(":")[2].split(",")))] += count
    total = counted.total()
    return tuple(Step(changes, changes[0] >= 0, count / total) for changes, count in sorted(counted.items()))


def moves_of(steps: Sequence[Step], units: int) -> list[Move]:
    """Every step, by whichever unit bids: each does equally often."""
    return [
        Move(bidder, step, step.changes[units - bidder :] + step.changes[: units - bidder], step.share / units)
        for step in steps
        for bidder in range(units)
    ]


class Ends:
    """Who has won after a hand, by the rules of winning themselves."""

    def __init__(self, table: Table) -> None:
        self.table = table
        win = table.rules.win
        self.early = win.early.at if win.early else win.target
        self.mark = min(win.target, self.early)
        self.seats = [table.seats_of(unit)[0] for unit in table.units]

    def winners(self, bidder: int, step: Step, before: Sequence[int], after: Sequence[int]) -> tuple[Unit, ...]:
        """The units that have won when the unit at index `bidder` has bid; empty while the game goes on."""
        table, seat = self.table, self.seats[bidder]
        sides = table.sides(seat, self._partner(bidder, step))
        totals = dict(zip(table.units, after, strict=True))
        score = HandScore(
            "scored", seat, seat, 0, sides.bidding, {}, None, {}, step.made, dict(table.at_zero), totals, sides
        )  # fmt: skip
        outcome = WinCheck(table, dict(zip(table.units, before, strict=True))).after(score)
        return outcome.winners if outcome else ()

    def _partner(self, bidder: int, step: Step) -> int | None:
        """Who has played with the bidder in a call-your-partner game: whoever alone had the same change."""
        same = [place for place, change in enumerate(step.changes) if place and change == step.changes[0]]
        if not self.table.calls_partner or len(same) != 1:
            return None
        return self.seats[(bidder + same[0]) % len(self.seats)]


def _parts(table: Table, winners: Sequence[Unit]) -> tuple[float, ...]:
    return tuple(won(table, winners).values())


# --- two units: solved --------------------------------------------------------------------------------------------


class Equation(NamedTuple):
    """The first unit's chance at one score: a constant, and the chances at other scores by their weight."""

    constant: float
    weights: tuple[float, ...]
    pick: Any


class Solved:
    """The chain over the scores of two units, solved by Gauss-Seidel from the highest scores down.

    Both units are alike to it, so only scores with the first ahead are solved: the others are their mirror image.
    """

    def __init__(self, table: Table, steps: tuple[Step, ...]) -> None:
        self.ends = Ends(table)
        loss = max(0, *(-change for step in steps for change in step.changes))
        gain = max(1, *(change for step in steps for change in step.changes))
        self.lowest = -LOWEST_BIDS * max(loss, 1)
        self.highest = table.rules.win.target + 2 * gain
        self.moves = moves_of(steps, 2)
        self.known: dict[tuple[object, ...], float | None] = {}
        self.values = self._solve({(0, 0)})

    def chances(self, totals: Sequence[int]) -> tuple[float, float]:
        first, second = self._kept(totals[0]), self._kept(totals[1])
        state = max((first, second), (second, first))
        if first != second and state not in self.values:
            self.values = self._solve({(0, 0), state})
        ahead = 0.5 if first == second else self.values[state]
        return (ahead, 1 - ahead) if first >= second else (1 - ahead, ahead)

    def _kept(self, total: int) -> int:
        return min(max(total, self.lowest), self.highest)

    def _solve(self, states: set[State]) -> dict[State, float]:
        rows, waiting = {}, list(states)
        while waiting:
            state = waiting.pop()
            if state not in rows:
                rows[state] = self._row(state)
                waiting += [other for other in rows[state][1] if other not in rows]
        order = sorted(rows, key=lambda state: (-state[0] - state[1], -state[0]))
        place = {state: index for index, state in enumerate(order)}
        return dict(zip(order, _settle([_equation(*rows[state], place) for state in order]), strict=True))

    def _row(self, state: State) -> tuple[float, dict[State, float]]:
        """One score's constant, and the scores that it leads to, by weight; a mirrored one weighs the other way."""
        constant, leads_to = 0.0, dict[State, float]()
        mark, (first, second) = self.ends.mark, state
        for bidder, step, (up, over), share in self.moves:
            here, there = first + up, second + over
            if here >= mark or there >= mark:
                ended = self._ended(bidder, step, state, (here, there))
                if ended is not None:
                    constant += share * ended
                    continue
            here, there = self._kept(here), self._kept(there)
            if here > there:
                leads_to[here, there] = leads_to.get((here, there), 0.0) + share
            elif here < there:
                constant += share
                leads_to[there, here] = leads_to.get((there, here), 0.0) - share
            else:
                constant += share / 2
        return constant, leads_to

    def _ended(self, bidder: int, step: Step, before: State, after: State) -> float | None:
        """The first unit's part in a game that has ended, or None; asked of the rules once for each case."""
        early = self.ends.early
        case = bidder, step.made, before[0] >= early, before[1] >= early, after
        if case not in self.known:
            winners = self.ends.winners(bidder, step, before, after)
            self.known[case] = _parts(self.ends.table, winners)[0] if winners else None
        return self.known[case]


def _equation(constant: float, leads_to: Mapping[State, float], place: Mapping[State, int]) -> Equation:
    where = [place[state] for state in leads_to]
    return Equation(constant, (*leads_to.values(), 0.0, 0.0), itemgetter(*where, 0, 0))


def _settle(equations: Sequence[Equation]) -> list[float]:
    values = [0.5] * len(equations)
    for _ in range(MOST_SWEEPS):
        largest = 0.0
        for index, (constant, weights, pick) in enumerate(equations):
            value = constant + sum(map(mul, weights, pick(values)))
            largest = max(largest, abs(value - values[index]))
            values[index] = value
        if largest < TOLERANCE:
            break
    return values


# --- three and more: sampled --------------------------------------------------------------------------------------


class Sampled:
    """The same chain with three units or more: games played on by lot, the same lots from every score."""

    def __init__(self, table: Table, steps: tuple[Step, ...]) -> None:
        self.ends = Ends(table)
        self.moves = moves_of(steps, len(table.units))
        shares = [move.share for move in self.moves]
        lots = Random(SEED).choices(range(len(self.moves)), shares, k=RUNS * LOOKED_AHEAD)  # noqa: S311
        self.lots = array("I", lots)
        self.known: dict[Changes, tuple[float, ...]] = {}

    def chances(self, totals: Sequence[int]) -> tuple[float, ...]:
        state = tuple(totals)
        if state not in self.known:
            self.known[state] = self._sample(state)
        return self.known[state]

    def _sample(self, state: Changes) -> tuple[float, ...]:
        won_by: Counter[tuple[Unit, ...]] = Counter()
        for run in range(RUNS):
            won_by[self._play_on(state, run * LOOKED_AHEAD)] += 1
        parts = [[part * count for part in _parts(self.ends.table, winners)] for winners, count in won_by.items()]
        return tuple(sum(column) / RUNS for column in zip(*parts, strict=True))

    def _play_on(self, before: Changes, lot: int) -> tuple[Unit, ...]:
        lots, mark, size = self.lots, self.ends.mark, len(self.lots)
        for hand in range(lot, lot + LONGEST):
            bidder, step, changes, _ = self.moves[lots[hand % size]]
            after = tuple(map(add, before, changes))
            if max(after) >= mark:
                winners = self.ends.winners(bidder, step, before, after)
                if winners:
                    return winners
            before = after
        return self.ends.table.units
