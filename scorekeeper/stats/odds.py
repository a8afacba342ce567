"""From any score, the chance to win: a Markov chain over scores, fed with how a club's hands have come out.

What it assumes, how it is sampled and how well it predicts is in `docs/odds.md`.

A game's chances are made with the first hands that the club played before it, and no others: they stay as they were,
whatever is played later. Their number goes up by doubling: many games share one chain, and no page reads more.
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

from .counting import OUT, only, total
from .query import HasHistoryVersion, cached_by_history, latest_day

SIMULATED = 10  # the simulated hands count as so many: after 10 hands of its own, a club's count as much
OFF_BY = {0: 16, 10: 10, 25: 8, 50: 5}  # percentage points, by the club's own hands: docs/odds.md
FURTHEST = 100  # with a target beyond it there are no chances, whatever a hand is worth
MOST_TABLES = 16  # for so many tables, the latest asked for, what was worked out is kept
RUNS = 2000  # games sampled from a score
LOOKED_AHEAD = 64  # hands drawn for each of them; a longer one goes on with its neighbor's
LOOKED_FOR = (16, LOOKED_AHEAD, 150, 400)  # how far ahead the first at the target is looked for, the near ones first
LONGEST = 400  # hands after which a sampled game counts as shared by all
MOST_SAMPLED = 530  # scores of a game times (units + 3); a game to 52 of six players alone takes about 520
MOST_STEPS = 1_000_000  # hands played one by one for them, with somebody at the target and nobody the winner
MOST_KEPT = 2000  # scores at a table whose sampled chances are kept
MOST_CASES = 20_000  # endings at a table that are kept
SEED = 2026
NOT_OF_SCORES = {"win", "lose", "set-to", "target"}  # what may become of a special bid

Changes = tuple[int, ...]
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


class Odds(NamedTuple):
    """The chances to win at one table.

    `own` is how many hands of the club they were made with; not `exact` where simulated hands of somewhat different
    house rules had to do.
    """

    table: Table
    outcomes: Mapping[str, int]
    own: int
    exact: bool = True

    def chance(self, totals: Mapping[Unit, int]) -> Chances:
        """Each unit's chance to win the game from these scores, before a hand; they add up to 1. Raises TooLong."""
        return self._chances([totals])[0]

    def line(self, score: GameScore) -> list[Chances]:
        """The chances before the first hand and after each; at the end 1, or equal parts, for whoever has won.

        Nothing where the game is too long for them, or may end otherwise than by its scores.
        """
        if not is_of_scores(self.table.rules):
            return []
        start = score.totals
        if score.hands:
            first = score.hands[0]
            start = {unit: total - first.change[unit] for unit, total in first.totals.items()}
        scores = [start, *(hand.totals for hand in score.hands)]
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
            chain = _chain(table.rules, table.players, table.teams, tuple(sorted(self.outcomes.items())))
        found = chain.chances([tuple(totals[unit] for unit in units) for totals in scores])
        return [dict(zip(units, chances, strict=True)) for chances in found]


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
def _chain(rules: RuleSet, players: int, teams: int, outcomes: tuple[tuple[str, int], ...]) -> Chain:
    """The chain of a table, with what was sampled of it. Called under `_making`: others wait for who makes it."""
    return Chain(Table(rules, players, teams), read_steps(outcomes))


def read_steps(outcomes: Sequence[tuple[str, int]]) -> tuple[Step, ...]:
    """What hands can do, bids of different size with the same result taken together.

    A bid was made where its side did not lose by it. Where a set side loses nothing, a set counts as made, which only a
    win by a made bid would notice.
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
        return reached, tuple([total if total >= target else self._mark_of(total) for total in after])

    def _mark_of(self, total: int) -> int:
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


def _even_out(score: Changes, chances: Sequence[float]) -> tuple[float, ...]:
    """The chances, made equal for units whose places round the table are alike: only the lot differs between them."""
    units = len(score)
    turns = [turn for turn in range(units) if score[turn:] + score[:turn] == score]
    return tuple(fsum(chances[(place + turn) % units] for turn in turns) / len(turns) for place in range(units))


# --- games played on by lot ----------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """The chances from one score, and how many hands had to be played one by one for them."""

    chances: tuple[float, ...]
    steps: int


class Chain:
    """The chain of a table: games played on by lot, the same lots from every score.

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
            if len(self.samples) + len(found) > MOST_KEPT:
                self.samples.clear()
            self.samples |= found
        return [_even_out(score, found[score].chances) for score in scores]

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
        found = {}
        for score, wins in won_by.items():
            table = self.ends.table
            parts = [[part * count for part in at_the_end(table, who).values()] for who, count in wins.items()]
            found[score] = Sample(tuple(sum(column) / RUNS for column in zip(*parts, strict=True)), steps[score])
        return found

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


# --- the hands they are made with -------------------------------------------------------------------------------------


NUMBERS = (10, 25, 50, 100, 200, 400, 800)  # so many hands are taken, as soon as there are so many
played_at = tuple_(Result.played, Result.number)


class Known(NamedTuple):
    """How some hands came out; where they are as many as ever are taken, up to which game."""

    outcomes: Counter[str]
    last: tuple[date, int] | None = None


def known_before(club: HasHistoryVersion, table: Table, place: tuple[date, int]) -> Counter[str]:
    """How the first hands at tables like that one came out, of the games played before a place: a day and a number.

    Whole games are taken, until there are as many hands as the largest of NUMBERS that the club had by then; none
    before the first 10. Nobody changes what is given back: what came before the latest day is cached (see query).
    """
    latest = latest_day(club.id) if club.history_version else None
    if latest is not None:
        asked = "known", table.rules.id, table.players, table.teams
        first = cached_by_history(club, asked, lambda: _known(club.id, table, (latest, 0)))
        if first.last and first.last < place:
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
    return Known(outcomes, last if wanted == NUMBERS[-1] else None)
