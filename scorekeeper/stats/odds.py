"""From any score, the chance to win: a Markov chain over scores, fed with how a club's hands have come out.

What it assumes, how it is solved and how well it predicts is in `docs/odds.md`.

A game's chances are made with the first hands that the club played before it, and no others: they stay as they were,
whatever is played later. Their number goes up by doubling: many games share one solution, and no page reads more.
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
from operator import itemgetter, mul, sub
from random import Random
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import select, tuple_

from scorekeeper.database.session import db
from scorekeeper.models import GameGroup, Result
from scorekeeper.scoring.game import GameScore, WinCheck
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.simulator.outcomes import find_outcomes

from .counting import OUT, only, total
from .query import HasHistoryVersion, cached_by_history, latest_day

SIMULATED = 10  # the simulated hands count as so many: after 10 hands of its own, a club's count as much
OFF_BY = {0: 16, 10: 10, 25: 8, 50: 5}  # percentage points, by the club's own hands: docs/odds.md
FURTHEST = 100  # with a target beyond it there are no chances, whatever a hand is worth
MOST_TABLES = 16  # for so many tables, the latest asked for, what was worked out is kept
TOLERANCE = 1e-9
MOST_PAIRS = 4500  # two units: scores that are told apart; a game to 52 has up to 3,600
MOST_MOVES = 500_000  # those times what a hand can do; a game to 52 needs up to 393,000
MOST_WORK = 8_000_000  # and how often a chance may be multiplied by a weight: a game to 52 needs up to 6,000,000
COUNTED = 400  # scores below the mark among which pairs are counted, however low a hand can set a score
LOWEST_BIDS = 3  # lower than this many of the greatest loss below zero, a score counts as that
RUNS = 2000  # games sampled with three units and more
LOOKED_AHEAD = 64  # hands drawn for each of them; a longer one goes on with its neighbor's
LOOKED_FOR = (16, LOOKED_AHEAD, 150, 400)  # how far ahead the first at the target is looked for, the near ones first
LONGEST = 400  # hands after which a sampled game counts as shared by all
MOST_SAMPLED = 530  # scores of a game times its units and 3; a game to 52 of six players alone takes about 520
MOST_STEPS = 1_000_000  # hands played one by one for them, with somebody at the target and nobody the winner
MOST_KEPT = 2000  # scores at a table whose sampled chances are kept
MOST_CASES = 20_000  # endings at a table that are kept
SEED = 2026
NOT_OF_SCORES = {"win", "lose", "set-to", "target"}  # what may become of a special bid

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


class TooLong(Exception):
    """The chances of a game would take longer to work out than a page may wait."""


def is_of_scores(rules: RuleSet) -> bool:
    """Whether a game is won by the scores and the bid alone: of hands played, sets and points taken the chain is blind.

    Neither does it know a special bid that wins or loses the game, or sets a score.
    """
    win = rules.win
    effects = {effect for special in rules.auction.specials for effect in (special.made, special.failed)}
    return not win.ends_below_target and "count-out" not in win.both and not effects & NOT_OF_SCORES


class Odds:
    """The chances to win at one table.

    `own` is how many hands of the club they were made with; not `exact` where simulated hands of somewhat different
    house rules had to do.
    """

    def __init__(self, table: Table, outcomes: Mapping[str, int], *, own: int, exact: bool = True) -> None:
        self.table = table
        self.own = own
        self.exact = exact
        self._outcomes = tuple(sorted(outcomes.items()))

    def chance(self, totals: Mapping[Unit, int]) -> Chances:
        """Each unit's chance to win the game from these scores, before a hand; they add up to 1. Raises TooLong."""
        return self._chances([totals])[0]

    def line(self, score: GameScore) -> list[Chances]:
        """The chances before the first hand and after each; at the end 1, or equal parts, for whoever has won.

        Nothing where the game is too long for them, or may end otherwise than by its scores.
        """
        if not is_of_scores(self.table.rules):
            return []
        scores = [self._before(score), *(hand.totals for hand in score.hands)]
        try:
            if score.outcome is None:
                return self._chances(scores)
            return [*self._chances(scores[:-1]), at_the_end(self.table, score.winners)]
        except TooLong:
            return []

    def _chances(self, scores: Sequence[Mapping[Unit, int]]) -> list[Chances]:
        table, units = self.table, self.table.units
        if table.rules.win.target > FURTHEST:
            raise TooLong
        with _making:
            chain = _chain(table.rules, table.players, table.teams, self._outcomes)
        found = chain.chances([tuple(totals[unit] for unit in units) for totals in scores])
        return [dict(zip(units, chances, strict=True)) for chances in found]

    @staticmethod
    def _before(score: GameScore) -> dict[Unit, int]:
        if not score.hands:
            return score.totals
        first = score.hands[0]
        return {unit: total - first.change[unit] for unit, total in first.totals.items()}


def odds_of(table: Table, outcomes: Mapping[str, int]) -> Odds:
    """The chances at a table, from a club's outcomes (as `outcomes_in` gives them) and simulated ones together."""
    own = {key: count for key, count in outcomes.items() if key.count(",") == len(table.units) - 1}
    simulated = find_outcomes(table)
    return Odds(table, mixed(own, simulated.outcomes), own=sum(own.values()), exact=simulated.exact)


def mixed(own: Mapping[str, int], simulated: Mapping[str, int]) -> Mapping[str, int]:
    """Both counts as one in which the simulated hands, however many, count as SIMULATED; the simulated alone for none.

    Whole numbers, so that the same hands are the same on every computer.
    """
    if not own:
        return simulated
    hands = sum(simulated.values())
    mine = {key: hands * count for key, count in own.items()}
    return total({key: SIMULATED * count for key, count in simulated.items()}, mine)


def off_by(own: int) -> int:
    """By how many percentage points a chance may be off that is made with so many hands of the club."""
    return OFF_BY[max(hands for hands in OFF_BY if hands <= own)]


def outcomes_in(detail: Mapping[str, int]) -> dict[str, int]:
    """The outcomes of hands out of a tally's details (those called `out:...`)."""
    return {name.partition(":")[2]: count for name, count in only(detail, OUT).items()}


def at_the_end(table: Table, winners: Sequence[Unit]) -> Chances:
    """A game that is over, as chances: who share it have equal parts."""
    return {unit: (1 / len(winners) if unit in winners else 0.0) for unit in table.units}


# --- what a hand can do -------------------------------------------------------------------------------------------


_making = Lock()


@lru_cache(maxsize=MOST_TABLES)
def _chain(rules: RuleSet, players: int, teams: int, outcomes: tuple[tuple[str, int], ...]) -> Solved | Sampled:
    """All threads share it: what one of them is working out, the others wait for."""
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
        self.target = win.target
        self.mark = min(win.target, self.early)
        self.has_early = win.early is not None
        self.seats = [table.seats_of(unit)[0] for unit in table.units]
        marks = {win.early.at, win.early.others_at_most + 1} if win.early else set[int]()
        marks = {mark for mark in marks if mark < win.target}
        self.levels = [min(marks, default=win.target) - 1, *sorted(marks)]

    def case(self, before: Changes, after: Changes) -> tuple[Changes, Changes]:
        """Two scores as far as the rules of winning tell them apart: below the target only the early marks count."""
        low, target = self.levels[0], self.target
        if not self.has_early:
            return (), tuple([total if total >= target else low for total in after])
        reached = tuple([total >= self.early for total in before])
        return reached, tuple([total if total >= target else self._level(total) for total in after])

    def _level(self, total: int) -> int:
        return self.levels[max(bisect_right(self.levels, total) - 1, 0)]

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


def _level(score: Changes, chances: Sequence[float]) -> tuple[float, ...]:
    """The chances, made equal for units whose places round the table are alike: only the lot differs between them."""
    units = len(score)
    turns = [turn for turn in range(units) if score[turn:] + score[:turn] == score]
    return tuple(fsum(chances[(place + turn) % units] for turn in turns) / len(turns) for place in range(units))


def _parts(table: Table, winners: Sequence[Unit]) -> tuple[float, ...]:
    return tuple(at_the_end(table, winners).values())


# --- two units: solved --------------------------------------------------------------------------------------------


class Equation(NamedTuple):
    """The first unit's chance at one score: a constant, and the chances at other scores by their weight."""

    constant: float
    weights: tuple[float, ...]
    pick: Any


class Solved:
    """The chain over the scores of two units, solved by Gauss-Seidel from the highest scores down.

    Both units are alike to it, so only scores with the first ahead are solved: the others are their mirror image.
    Scores that were not met before are solved on top of those that were: no score is solved twice.
    """

    def __init__(self, table: Table, steps: tuple[Step, ...]) -> None:
        self.ends = Ends(table)
        loss = max(0, *(-change for step in steps for change in step.changes))
        gain = max(1, *(change for step in steps for change in step.changes))
        self.lowest = -LOWEST_BIDS * max(loss, 1)
        self.highest = table.rules.win.target + 2 * gain
        self.near = self.ends.mark - gain  # from here on a hand can end the game
        self.moves = moves_of(steps, 2)
        shares: dict[Changes, float] = {}
        for move in self.moves:
            shares[move.changes] = shares.get(move.changes, 0.0) + move.share
        self.together = [(up, over, share) for (up, over), share in shares.items()]  # whoever has bid
        self.endings: dict[tuple[object, ...], float | None] = {}
        self.values: dict[State, float] = {}
        self.too_long = False  # for any score
        self.lock = Lock()

    def chances(self, scores: Sequence[Changes]) -> list[tuple[float, ...]]:
        ahead = [_ahead(self._kept(first), self._kept(second)) for first, second in scores]
        with self.lock:
            if self.too_long:
                raise TooLong
            self._solve({(0, 0), *ahead})
        found = [0.5 if one == other else self.values[one, other] for one, other in ahead]
        return [
            (chance, 1 - chance) if first >= second else (1 - chance, chance)
            for chance, (first, second) in zip(found, scores, strict=True)
        ]

    def _kept(self, total: int) -> int:
        return min(max(total, self.lowest), self.highest)

    def _solve(self, states: set[State]) -> None:
        try:
            rows = self._rows([state for state in states if state not in self.values])
            order = sorted(rows, key=lambda state: (-state[0] - state[1], -state[0]))
            place = {state: index for index, state in enumerate(order)}
            equations = [self._equation(*rows[state], place) for state in order]
            self.values |= zip(order, self._settle(equations), strict=True)
        except TooLong:
            if not self.values:  # else a game that began with other scores is too long, and others are not
                self.too_long = True
                self.endings.clear()
            raise

    def _rows(self, waiting: list[State]) -> dict[State, tuple[float, dict[State, float]]]:
        """The rows of these scores and of all that follow from them, but for those that are solved."""
        rows: dict[State, tuple[float, dict[State, float]]] = {}
        most = min(MOST_PAIRS, MOST_MOVES // len(self.moves))
        if self._reached(waiting, most) > most:
            raise TooLong
        while waiting:
            state = waiting.pop()
            if state not in rows:
                rows[state] = self._row(state)
                waiting += [other for other in rows[state][1] if other not in rows and other not in self.values]
            if len(rows) + len(self.values) > most:
                raise TooLong
        return rows

    def _reached(self, states: Sequence[State], most: int) -> int:
        """How many pairs, at least, follow from these scores; counted no further once there are more than `most`.

        Taken are those below the mark, of the highest scores there, that are reached without a lower one or one that
        counts as the lowest: a bit each, so that a hand moves all of them at once: a game that is too long is known to
        be in a hundredth of the time.
        """
        lowest = max(self.lowest, self.ends.mark - COUNTED)
        size = self.ends.mark - lowest
        width = size + max(
            abs(change) for up, over, _ in self.together for change in (up, over)
        )  # no move ends in another row
        inside = sum(((1 << size) - 1) << row * width for row in range(size))
        level = sum(1 << row * (width + 1) for row in range(size))
        shifts = [up * width + over for up, over, _ in self.together]
        places = {(one - lowest, other - lowest) for pair in states for one, other in (pair, pair[::-1])}
        found = new = sum(
            1 << one * width + other for one, other in places if min(one, other) >= 0 and max(one, other) < size
        )
        while new and (found & ~level).bit_count() <= 2 * most:
            moved = 0
            for shift in shifts:
                moved |= new << shift if shift >= 0 else new >> -shift
            new = moved & inside & ~found
            found |= new
        return (found & ~level).bit_count() // 2

    def _row(self, state: State) -> tuple[float, dict[State, float]]:
        """One score's constant, and the scores that it leads to, by weight; a mirrored one weighs the other way."""
        leads_to = dict[State, float]()
        (first, second), lowest, highest = state, self.lowest, self.highest
        constant, steps = self._near_the_end(state) if max(state) >= self.near else (0.0, self.together)
        for up, over, share in steps:
            here, there = first + up, second + over
            here = lowest if here < lowest else highest if here > highest else here
            there = lowest if there < lowest else highest if there > highest else there
            if here > there:
                leads_to[here, there] = leads_to.get((here, there), 0.0) + share
            elif here < there:
                constant += share
                leads_to[there, here] = leads_to.get((there, here), 0.0) - share
            else:
                constant += share / 2
        return constant, leads_to

    def _near_the_end(self, state: State) -> tuple[float, list[tuple[int, int, float]]]:
        """The first unit's part in the games that end with the next hand, and the hands after which they go on."""
        mark, (first, second) = self.ends.mark, state
        constant, rest = 0.0, list[tuple[int, int, float]]()
        for bidder, step, (up, over), share in self.moves:
            here, there = first + up, second + over
            ended = self._ended(bidder, step, state, (here, there)) if here >= mark or there >= mark else None
            if ended is None:
                rest.append((up, over, share))
            else:
                constant += share * ended
        return constant, rest

    def _ended(self, bidder: int, step: Step, before: State, after: State) -> float | None:
        """The first unit's part in a game that has ended, or None; asked of the rules once for each case."""
        early = self.ends.early
        case = bidder, step.made, before[0] >= early, before[1] >= early, after
        if case not in self.endings:
            winners = self.ends.winners(bidder, step, before, after)
            self.endings[case] = _parts(self.ends.table, winners)[0] if winners else None
        return self.endings[case]

    def _equation(self, constant: float, leads_to: Mapping[State, float], place: Mapping[State, int]) -> Equation:
        solved = sum(weight * self.values[state] for state, weight in leads_to.items() if state not in place)
        open_ = {place[state]: weight for state, weight in leads_to.items() if state in place}
        return Equation(constant + solved, (*open_.values(), 0.0, 0.0), itemgetter(*open_, 0, 0))

    def _settle(self, equations: Sequence[Equation]) -> list[float]:
        values, a_sweep = [0.5] * len(equations), sum(len(equation.weights) for equation in equations)
        work, largest = 0, 1.0
        while largest >= TOLERANCE and equations:
            work += a_sweep
            if work > MOST_WORK:
                raise TooLong
            largest = _sweep(equations, values)
        return values


def _ahead(first: int, second: int) -> State:
    return max((first, second), (second, first))


def _sweep(equations: Sequence[Equation], values: list[float]) -> float:
    """Every value worked out from the others once; how far the one went that went furthest."""
    largest = 0.0
    for index, (constant, weights, pick) in enumerate(equations):
        value = constant + sum(map(mul, weights, pick(values)))
        largest = max(largest, abs(value - values[index]))
        values[index] = value
    return largest


# --- three and more: sampled --------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """The chances from one score, and how many hands had to be played one by one for them."""

    chances: tuple[float, ...]
    steps: int


class Sampled:
    """The same chain with three units or more: games played on by lot, the same lots from every score.

    The lots are one long ring of hands; each game begins at another place of it. What a unit gains from one place to
    another is the difference of two sums, so a game's first hand with somebody at the mark is found without playing it.
    """

    def __init__(self, table: Table, steps: tuple[Step, ...]) -> None:
        self.ends = Ends(table)
        self.moves = moves_of(steps, len(table.units))
        shares = [move.share for move in self.moves]
        lots = Random(SEED).choices(range(len(self.moves)), shares, k=RUNS * LOOKED_AHEAD)  # noqa: S311
        self.lots = array("I", [*lots, *(lots * 2)[:LONGEST]])
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
            self._keep(found)
        return [_level(score, found[score].chances) for score in scores]

    def _keep(self, found: Mapping[Changes, Sample]) -> None:
        if len(self.samples) + len(found) > MOST_KEPT:
            self.samples.clear()
        self.samples |= found

    def _sample(self, scores: Sequence[Changes]) -> dict[Changes, Sample]:
        won_by = {score: Counter[tuple[Unit, ...]]() for score in scores}
        steps = dict.fromkeys(scores, 0)
        for start in range(0, RUNS * LOOKED_AHEAD, LOOKED_AHEAD) if scores else ():
            begun = [sums[start] for sums in self.sums]
            peaks: list[list[list[int]]] = []
            for score, wins in won_by.items():
                bases = [*map(sub, score, begun)]
                winners, played = self._play_on(bases, start, self._first(bases, start, peaks))
                wins[winners] += 1
                steps[score] += played
            if sum(steps.values()) > MOST_STEPS:
                raise TooLong
        return {score: Sample(self._shares(won_by[score]), steps[score]) for score in scores}

    def _first(self, bases: Sequence[int], start: int, peaks: list[list[list[int]]]) -> int:
        """The hand (from 0) that first takes somebody to the mark; `peaks` are each unit's highest sums so far."""
        mark = self.ends.mark
        needed = [mark - base for base in bases]
        for near, hands in enumerate(LOOKED_FOR):
            if near == len(peaks):
                after = slice(start + 1, start + 1 + hands)
                peaks.append([list(accumulate(sums[after], max)) for sums in self.sums])
            first = min(map(bisect_left, peaks[near], needed))
            if first < hands:
                return first
        return LONGEST

    def _play_on(self, bases: Sequence[int], start: int, first: int) -> tuple[tuple[Unit, ...], int]:
        """Who wins the game that begins there, and how many hands had to be played for it."""
        before: Changes = ()  # not known yet: mostly nobody asks
        for hand in range(start + first, start + LONGEST):
            after = tuple([base + sums[hand + 1] for base, sums in zip(bases, self.sums, strict=True)])
            winners = self._winners(bases, hand, before, after) if max(after) >= self.ends.mark else ()
            if winners:
                return winners, hand + 1 - start - first
            before = after
        return self.ends.table.units, LONGEST - first

    def _winners(self, bases: Sequence[int], hand: int, before: Changes, after: Changes) -> tuple[Unit, ...]:
        """Who has won after a hand; asked of the rules once for each case."""
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

    def _shares(self, won_by: Mapping[tuple[Unit, ...], int]) -> tuple[float, ...]:
        parts = [[part * count for part in _parts(self.ends.table, winners)] for winners, count in won_by.items()]
        return tuple(sum(column) / RUNS for column in zip(*parts, strict=True))


# --- the hands they are made with -------------------------------------------------------------------------------------


NUMBERS = (10, 25, 50, 100, 200, 400, 800)  # so many hands are taken, as soon as there are so many
played_at = tuple_(Result.played, Result.number)


class Known(NamedTuple):
    """How some hands came out, and whether they are as many as ever are taken: up to that game."""

    outcomes: Counter[str]
    last: tuple[date, int] | None = None
    is_all: bool = False


def known_before(club: HasHistoryVersion, table: Table, place: tuple[date, int]) -> Counter[str]:
    """How the first hands at tables like that one came out, of the games played before a place: a day and a number.

    Whole games are taken, until there are as many hands as the largest of NUMBERS that the club had by then; none
    before the first 10. Nobody changes what is given back: what came before the latest day is cached (see query).
    """
    latest = latest_day(club.id) if club.history_version else None
    if latest is not None:
        asked = "known", table.rules.id, table.players, table.teams
        first = cached_by_history(club, asked, lambda: _known(club.id, table, (latest, 0)))
        if first.last and first.is_all and first.last < place:
            return first.outcomes
    return _known(club.id, table, place).outcomes


def _known(club_id: int, table: Table, place: tuple[date, int]) -> Known:
    alike = GameGroup.rules_id == table.rules.id, GameGroup.players == table.players, GameGroup.teams == table.teams
    groups = select(GameGroup.id).where(GameGroup.club_id == club_id, GameGroup.credit == "", *alike)
    # By the index of a club's games, in whose order they are read: the first ones are found however many there are.
    mine = Result.club_id == club_id, Result.group_id.in_(groups), Result.bids > 0, played_at < place
    first = select(Result.played, Result.number, Result.bids).where(*mine).order_by(Result.played, Result.number)
    results = db.session.execute(first.limit(NUMBERS[-1])).all()  # of a hand or more each
    reached = [*accumulate(result.bids for result in results)]
    wanted = max((number for number in NUMBERS if number <= max(reached, default=0)), default=0)
    if not wanted:
        return Known(Counter())
    outcomes: Counter[str] = Counter()
    game = results[bisect_left(reached, wanted)]  # by which there were so many hands
    last = game.played, game.number
    for detail in db.session.scalars(select(Result.detail).where(*mine, played_at <= last)):
        outcomes.update(outcomes_in(detail))
    return Known(outcomes, last, wanted == NUMBERS[-1])
