"""The probability of winning from any score: a Markov chain over scores, from the outcomes of a club's hands.

Assumptions, sampling and accuracy are described in `docs/odds.md`.

A game's chances are computed from the first hands that the club played before it only: later games do not change them.
The number of these hands goes up by doubling: many games share one chain, and no page reads more.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import accumulate
from math import fsum
from operator import sub
from random import Random
from threading import Lock
from typing import NamedTuple

from sqlalchemy import select, tuple_

from scorekeeper.database.session import db
from scorekeeper.models import GameGroup, Result
from scorekeeper.scoring.game import GameScore, WinCheck
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.simulator.outcomes import find_outcomes

from .counting import OUT, filter_kind, total
from .query import HasHistoryVersion, cached_by_history, latest_day

SIMULATED_WEIGHT = 10  # weight of the simulated hands, in hands: a club with 10 hands of its own has equal weight
ERRORS = {0: 16, 10: 10, 25: 8, 50: 5}  # error in percentage points, by number of the club's hands: docs/odds.md
HIGHEST_TARGET = 200  # the highest target for which chances are computed
MOST_TABLES = 16  # cached chains: the tables last used
RUNS = 2000  # games sampled from a score
HANDS_DRAWN = 64  # hands drawn for each of them; a longer game continues with the next game's
SEARCH_STEPS = (16, HANDS_DRAWN, 150, 400)  # hands searched for the first unit at the target, in turn
LONGEST_GAME = 400  # hands after which a sampled game counts as shared by all units
MOST_SAMPLED = 530  # scores of a game times (units + 3); a game to 52 of six players alone takes about 520
MOST_STEPS = 1_000_000  # hands simulated one by one for them, while a unit has the target and none has won
MOST_KEPT = 2000  # scores per table whose chances are cached
MOST_CASES = 20_000  # cached endings per table
SEED = 2026
UNMODELED_EFFECTS = {"win", "lose", "set-to", "target"}  # effects of a special bid that the chain does not model

Changes = tuple[int, ...]
Chances = dict[Unit, float]


class Step(NamedTuple):
    """An outcome of a hand: each unit's change, the bidder's unit first; whether the bid was made; its frequency."""

    changes: Changes
    made: bool
    share: float


class Move(NamedTuple):
    """A step by the unit at index `bidder`: each unit's change in the order of the units, and its probability."""

    bidder: int
    step: Step
    changes: Changes
    share: float


class TooLong(Exception):
    """Raised if the chances of a game would take longer to compute than a page may wait."""


def depends_on_scores_only(rules: RuleSet) -> bool:
    """True if scores and bid alone win a game: the chain does not model numbers of hands or sets, or points taken.

    Nor does it model special bids that win or lose the game, or set a score.
    """
    win = rules.win
    effects = {effect for special in rules.auction.specials for effect in (special.made, special.failed)}
    return not win.ends_below_target and "count-out" not in win.both and not effects & UNMODELED_EFFECTS


class Odds(NamedTuple):
    """The chances of winning at one table.

    `own` is the number of the club's hands that they are based on.
    """

    table: Table
    outcomes: Mapping[str, int]
    own: int

    def line(self, score: GameScore) -> list[Chances]:
        """The chances before the first hand and after each; after the last one 1, or equal shares, for the winners.

        Empty if the game is too long, or may end otherwise than by its scores.
        """
        if not depends_on_scores_only(self.table.rules):
            return []
        start = score.totals
        if score.hands:
            first = score.hands[0]
            start = {unit: total - first.change[unit] for unit, total in first.totals.items()}
        scores = [start, *(hand.totals for hand in score.hands)]
        try:
            if score.outcome is None:
                return self.chances(scores)
            return [*self.chances(scores[:-1]), final_chances(self.table, score.winners)]
        except TooLong:
            return []

    def chances(self, scores: Sequence[Mapping[Unit, int]]) -> list[Chances]:
        """Each unit's probability of winning from each of these scores, before a hand; raises TooLong."""
        table, units = self.table, self.table.units
        if table.rules.win.target > HIGHEST_TARGET:
            raise TooLong
        with _chain_lock:
            chain = _chain(table.rules, table.players, table.teams, tuple(sorted(self.outcomes.items())))
        found = chain.chances([tuple(totals[unit] for unit in units) for totals in scores])
        return [dict(zip(units, chances, strict=True)) for chances in found]


def odds_of(table: Table, outcomes: Mapping[str, int]) -> Odds:
    """The chances at a table, from a club's outcomes (of `outcomes_in`) mixed with simulated ones."""
    own = {key: count for key, count in outcomes.items() if key.count(",") == len(table.units) - 1}
    return Odds(table, mix_outcomes(own, find_outcomes(table)), own=sum(own.values()))


def mix_outcomes(own: Mapping[str, int], simulated: Mapping[str, int]) -> Mapping[str, int]:
    """Combine both counts; simulated hands, however many, weigh as SIMULATED_WEIGHT, and stand alone if `own` is empty.

    The counts are integers, so that results are identical on every computer.
    """
    if not own:
        return simulated
    hands = sum(simulated.values())
    mine = {key: hands * count for key, count in own.items()}
    return total({key: SIMULATED_WEIGHT * count for key, count in simulated.items()}, mine)


def error_for(own: int) -> int:
    """The error of a chance in percentage points, given the number of the club's hands."""
    return ERRORS[max(hands for hands in ERRORS if hands <= own)]


def outcomes_in(detail: Mapping[str, int]) -> dict[str, int]:
    """The outcomes of hands in a tally's details (named `out:...`)."""
    return {name.partition(":")[2]: count for name, count in filter_kind(detail, OUT).items()}


def final_chances(table: Table, winners: Sequence[Unit]) -> Chances:
    """The chances of a finished game: winners who share it have equal parts."""
    return {unit: (1 / len(winners) if unit in winners else 0.0) for unit in table.units}


# --- outcomes of a hand -------------------------------------------------------------------------------------------


_chain_lock = Lock()


@lru_cache(maxsize=MOST_TABLES)
def _chain(rules: RuleSet, players: int, teams: int, outcomes: tuple[tuple[str, int], ...]) -> Chain:
    """The cached chain of a table, with its samples. Called with `_chain_lock` held, so that each is computed once."""
    return Chain(Table(rules, players, teams), read_steps(outcomes))


def read_steps(outcomes: Sequence[tuple[str, int]]) -> tuple[Step, ...]:
    """The steps of all outcomes; bids of different size with the same changes are merged.

    A bid counts as made if its side did not lose points. Where a set side loses nothing, a set counts as made, which
    matters only for a win that needs a made bid.
    """
    counted: Counter[Changes] = Counter()
    for key, count in outcomes:
        counted[tuple(map(int, key.partition(":")[2].split(",")))] += count
    total = counted.total()
    return tuple(Step(changes, changes[0] >= 0, count / total) for changes, count in sorted(counted.items()))


def moves_of(steps: Sequence[Step], units: int) -> list[Move]:
    """Every step for every bidding unit; all units bid equally often."""
    return [
        Move(bidder, step, step.changes[units - bidder :] + step.changes[: units - bidder], step.share / units)
        for step in steps
        for bidder in range(units)
    ]


class WinCases:
    """The winners after a hand, by the rules of winning."""

    def __init__(self, table: Table) -> None:
        self.table = table
        win = table.rules.win
        self.early = win.early.at if win.early else win.target
        self.target = win.target
        self.mark = min(win.target, self.early)
        self.has_early = win.early is not None
        self.seats = [table.seats_of[unit][0] for unit in table.units]
        marks = {win.early.at, win.early.others_at_most + 1} if win.early else set[int]()
        marks = {mark for mark in marks if mark < win.target}
        self.levels = [min(marks, default=win.target) - 1, *sorted(marks)]

    def case(self, before: Changes, after: Changes) -> tuple[Changes, Changes]:
        """Reduce two scores to what the rules of winning distinguish: below the target only the early marks matter."""
        low, target = self.levels[0], self.target
        if not self.has_early:
            return (), tuple([total if total >= target else low for total in after])
        reached = tuple([total >= self.early for total in before])
        return reached, tuple([total if total >= target else self._mark_of(total) for total in after])

    def _mark_of(self, total: int) -> int:
        return self.levels[max(bisect_right(self.levels, total) - 1, 0)]

    def winners(self, bidder: int, step: Step, before: Sequence[int], after: Sequence[int]) -> tuple[Unit, ...]:
        """The winners after a hand bid by the unit at index `bidder`; empty while the game goes on."""
        table, seat = self.table, self.seats[bidder]
        sides = table.sides(seat, self._partner(bidder, step))
        totals = dict(zip(table.units, after, strict=True))
        score = HandScore(
            "scored", seat, seat, 0, sides.bidding, {}, None, {}, step.made, dict(table.at_zero), totals, sides
        )  # fmt: skip
        outcome = WinCheck(table, dict(zip(table.units, before, strict=True))).after(score)
        return outcome.winners if outcome else ()

    def _partner(self, bidder: int, step: Step) -> int | None:
        """The bidder's partner in a call-your-partner game: the only other unit with the same change, else None."""
        same = [place for place, change in enumerate(step.changes) if place and change == step.changes[0]]
        if not self.table.calls_partner or len(same) != 1:
            return None
        return self.seats[(bidder + same[0]) % len(self.seats)]


def _average_symmetric(score: Changes, chances: Sequence[float]) -> tuple[float, ...]:
    """Average the chances of units in symmetric positions at the table: they differ by sampling error only."""
    units = len(score)
    turns = [turn for turn in range(units) if score[turn:] + score[:turn] == score]
    return tuple(fsum(chances[(place + turn) % units] for turn in turns) / len(turns) for place in range(units))


# --- sampled games -------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """The chances from one score, and the number of hands that were simulated one by one for them."""

    chances: tuple[float, ...]
    steps: int


class Chain:
    """The chain of a table: sampled games, with the same random hands from every score.

    The random hands form one long ring; each game begins at another place of it. A unit's gain between two places is
    the difference of two prefix sums, so a game's first hand with a unit at the mark is found by binary search.
    """

    def __init__(self, table: Table, steps: tuple[Step, ...]) -> None:
        self.ends = WinCases(table)
        self.moves = moves_of(steps, len(table.units))
        shares = [move.share for move in self.moves]
        lots = Random(SEED).choices(range(len(self.moves)), shares, k=RUNS * HANDS_DRAWN)  # noqa: S311
        self.lots = array("I", [*lots, *(lots * 2)[:LONGEST_GAME]])
        by_unit = zip(*(move.changes for move in self.moves), strict=True)
        self.sums = [array("q", accumulate(map(changes.__getitem__, self.lots), initial=0)) for changes in by_unit]
        self.samples: dict[Changes, Sample] = {}
        self.cases: dict[tuple[int, Changes, Changes], tuple[Unit, ...]] = {}
        self.lock = Lock()

    def chances(self, scores: Sequence[Changes]) -> list[tuple[float, ...]]:
        wanted = dict.fromkeys(scores)
        if len(wanted) * (len(self.sums) + 3) > MOST_SAMPLED:
            raise TooLong
        with self.lock:
            found = {score: self.samples[score] for score in wanted if score in self.samples}
            found |= self._sample([score for score in wanted if score not in found])
            if sum(sample.steps for sample in found.values()) > MOST_STEPS:
                raise TooLong
            if len(self.samples) + len(found) > MOST_KEPT:
                self.samples.clear()
            self.samples |= found
        return [_average_symmetric(score, found[score].chances) for score in scores]

    def _sample(self, scores: Sequence[Changes]) -> dict[Changes, Sample]:
        won_by = {score: Counter[tuple[Unit, ...]]() for score in scores}
        steps = dict.fromkeys(scores, 0)
        for start in range(0, RUNS * HANDS_DRAWN, HANDS_DRAWN) if scores else ():
            begun = [sums[start] for sums in self.sums]
            peaks: list[list[list[int]]] = []
            for score, wins in won_by.items():
                bases = [*map(sub, score, begun)]
                winners, played = self._simulate_game(bases, start, self._first(bases, start, peaks))
                wins[winners] += 1
                steps[score] += played
            if sum(steps.values()) > MOST_STEPS:
                raise TooLong
        found = {}
        for score, wins in won_by.items():
            table = self.ends.table
            parts = [[part * count for part in final_chances(table, who).values()] for who, count in wins.items()]
            found[score] = Sample(tuple(sum(column) / RUNS for column in zip(*parts, strict=True)), steps[score])
        return found

    def _first(self, bases: Sequence[int], start: int, peaks: list[list[list[int]]]) -> int:
        """Index of the first hand that takes a unit to the mark; `peaks` caches running maximums of the sums."""
        mark = self.ends.mark
        needed = [mark - base for base in bases]
        for near, hands in enumerate(SEARCH_STEPS):
            if near == len(peaks):
                after = slice(start + 1, start + 1 + hands)
                peaks.append([list(accumulate(sums[after], max)) for sums in self.sums])
            first = min(map(bisect_left, peaks[near], needed))
            if first < hands:
                return first
        return LONGEST_GAME

    def _simulate_game(self, bases: Sequence[int], start: int, first: int) -> tuple[tuple[Unit, ...], int]:
        """The winners of the game that begins at `start`, and the number of hands simulated for it."""
        before: Changes = ()  # computed only when needed
        for hand in range(start + first, start + LONGEST_GAME):
            after = tuple([base + sums[hand + 1] for base, sums in zip(bases, self.sums, strict=True)])
            winners = self._winners(bases, hand, before, after) if max(after) >= self.ends.mark else ()
            if winners:
                return winners, hand + 1 - start - first
            before = after
        return self.ends.table.units, LONGEST_GAME - first

    def _winners(self, bases: Sequence[int], hand: int, before: Changes, after: Changes) -> tuple[Unit, ...]:
        """The winners after a hand; the rules are evaluated once per case."""
        ends, lot = self.ends, self.lots[hand]
        if ends.has_early:
            before = before or self._before(bases, hand)
        case = lot, *ends.case(before, after)
        if case not in self.cases:
            if len(self.cases) >= MOST_CASES:
                self.cases.clear()
            bidder, step, _, _ = self.moves[lot]
            self.cases[case] = ends.winners(bidder, step, before or self._before(bases, hand), after)
        return self.cases[case]

    def _before(self, bases: Sequence[int], hand: int) -> Changes:
        return tuple([base + sums[hand] for base, sums in zip(bases, self.sums, strict=True)])


# --- the club's hands -------------------------------------------------------------------------------------------------


NUMBERS = (10, 25, 50, 100, 200, 400, 800)  # the numbers of hands taken, each as soon as it is reached
played_at = tuple_(Result.played, Result.number)


class KnownOutcomes(NamedTuple):
    """Outcomes of hands; `last` is the last game read, set only if they reach the largest of NUMBERS."""

    outcomes: Counter[str]
    last: tuple[date, int] | None = None


def outcomes_before(club: HasHistoryVersion, table: Table, place: tuple[date, int]) -> Counter[str]:
    """Outcomes of the first hands at similar tables, from games before `place` (day, number).

    Whole games are taken until they have as many hands as the largest of NUMBERS that the club had reached by then;
    none before the first 10. The result must not be modified: games before the latest day are cached (see query).
    """
    latest = latest_day(club.id) if club.history_version else None
    if latest is not None:
        asked = "known", table.rules.id, table.players, table.teams
        first = cached_by_history(club, asked, lambda: _known(club.id, table, (latest, 0)))
        if first.last and first.last < place:
            return first.outcomes
    return _known(club.id, table, place).outcomes


def _known(club_id: int, table: Table, place: tuple[date, int]) -> KnownOutcomes:
    alike = GameGroup.rules_id == table.rules.id, GameGroup.players == table.players, GameGroup.teams == table.teams
    groups = select(GameGroup.id).where(GameGroup.club_id == club_id, GameGroup.credit == "", *alike)
    # By the index of a club's games, and in its order: finds the first ones without reading all.
    mine = Result.club_id == club_id, Result.group_id.in_(groups), Result.bids > 0, played_at < place
    first = select(Result.played, Result.number, Result.bids).where(*mine).order_by(Result.played, Result.number)
    results = db.session.execute(first.limit(NUMBERS[-1])).all()  # each has at least one hand
    reached = [*accumulate(result.bids for result in results)]
    wanted = max((number for number in NUMBERS if number <= max(reached, default=0)), default=0)
    if not wanted:
        return KnownOutcomes(Counter())
    outcomes: Counter[str] = Counter()
    game = results[bisect_left(reached, wanted)]  # the game that reaches that number
    last = game.played, game.number
    for detail in db.session.scalars(select(Result.detail).where(*mine, played_at <= last)):
        outcomes.update(outcomes_in(detail))
    return KnownOutcomes(outcomes, last if wanted == NUMBERS[-1] else None)
