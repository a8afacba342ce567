"""A game: its hands scored in order until it is won."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .facts import Hand
from .hand import HandScore, check_hand, score_hand
from .problems import MOST_PROBLEMS, Problem, Problems, Refused, refusal
from .rules import RuleSet
from .rules.fields import EarlyWin
from .table import Seat, Table, Unit


class Game(NamedTuple):
    """The facts of a game: the table with its rules, the starting scores, and the hands in order.

    `rules_id` and `options` are how the record names the rules; `extra` keeps its `x-` keys. `names` has one name per
    seat; `played` is an ISO date or date and time.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> Game(Table(find_rules("classic")), start={"A": 3, "B": 0}).rules.win.target
    11
    """

    table: Table
    hands: tuple[Hand, ...] = ()
    rules_id: str | None = None
    options: Mapping[str, object] = MappingProxyType({})
    names: tuple[str, ...] | None = None
    start: Mapping[Unit, int] | None = None
    played: str | None = None
    extra: Mapping[str, object] = MappingProxyType({})

    @property
    def rules(self) -> RuleSet:
        """The rules in force, overrides applied."""
        return self.table.rules


class Outcome(NamedTuple):
    """How a game ended: the winners, the deciding rule, and the deciding hand.

    `reason` is `target` (one unit at the target), `bidder`, `highest`, `count-out` or `share` (several at once, decided
    that way), `early` (the early win), `special` or `special-lost` (a special bid won or lost the game), `all-points`
    (every point of a hand), `hands` (the last hand was played), `lost` (the others' scores fell too low), `sets` or
    `sets-in-a-row` (the others were set too often).
    `hand` is the number of the deciding hand, from 1: the last hand that counts, whatever was played after the end.
    `at_target` are all units at the target after it, winners or not.

    >>> Outcome("highest", winners=("B",), hand=7, at_target=("A", "B")).hand
    7
    """

    reason: str
    winners: tuple[Unit, ...]
    hand: int = 0
    at_target: tuple[Unit, ...] = ()


class StillOpen(NamedTuple):
    """Why the game goes on although `units` have the target.

    - `tie`: these units share the highest score, and the rules need a leader.
    - `several`: these units may win, and the rules do not choose between them.
    - `not-eligible`: only a side that made its own bid can win, and none of these units did.
    - `no-hand`: they started with that score, and only a hand wins a game.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> replay(Game(Table(find_rules("classic")), start={"A": 12, "B": 3})).still_open
    StillOpen(reason='no-hand', units=('A',))
    """

    reason: str
    units: tuple[Unit, ...]


class GameScore(NamedTuple):
    """A replayed game: the hands up to its end, the scores then, the outcome and the next dealer.

    `outcome` is None while the game goes on, `next_dealer` before the first hand. `after_end` counts the hands after
    the winning one: they change nothing. `beyond` are their scores, for players who play on, up to the first hand that
    cannot be scored. `still_open` explains why a game goes on although a unit has the target.

    >>> from scorekeeper.scoring import score_record
    >>> score = score_record({"format": "setback-game/1", "rules": "classic", "hands": []})
    >>> score.totals, score.winners, score.next_dealer
    ({'A': 0, 'B': 0}, (), None)
    """

    hands: tuple[HandScore, ...]
    totals: dict[Unit, int]
    outcome: Outcome | None
    next_dealer: Seat | None
    after_end: int = 0
    beyond: tuple[HandScore, ...] = ()
    still_open: StillOpen | None = None

    @property
    def winners(self) -> tuple[Unit, ...]:
        """The winning units; empty while the game goes on."""
        return self.outcome.winners if self.outcome else ()


def replay(game: Game, known: Sequence[HandScore] = ()) -> GameScore:
    """Score all hands in order, also those after the winning one. Raises Refused.

    `known` are scores of the first hands that are already computed.

    >>> from scorekeeper.scoring import read_game
    >>> record = {"format": "setback-game/1", "rules": "classic", "start": {"A": 8, "B": 4}, "hands": [
    ...     {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "game": "A"}},
    ... ]}
    >>> replay(read_game(record)).outcome
    Outcome(reason='target', winners=('A',), hand=1, at_target=('A',))
    """
    totals = {unit: (game.start or {}).get(unit, 0) for unit in game.table.units}
    race = WinCheck(game.table, totals)
    scores: list[HandScore] = []
    outcome: Outcome | None = None
    for index, hand in enumerate(game.hands):
        try:
            if index < len(known):
                score = known[index]
            else:
                dealer = next_dealer(game.table, scores[-1]) if scores and hand.dealer is None else None
                score = score_hand(game.table, hand, dealer, totals)
        except Refused as refused:
            if outcome is not None:
                break
            raise Refused(problem.under(f"hands[{index}]") for problem in refused.problems) from None
        scores.append(score)
        totals = score.totals
        if outcome is None and (won := race.after(score)) is not None:
            outcome = won._replace(hand=index + 1)
    end = outcome.hand if outcome else len(game.hands)
    counting, beyond = tuple(scores[:end]), tuple(scores[end:])
    final = counting[-1].totals if counting else totals
    dealer = next_dealer(game.table, scores[-1]) if scores else None
    return GameScore(counting, final, outcome, dealer, len(game.hands) - end, beyond, race.still_open)


def score_game(game: Game) -> GameScore:
    """Like `replay`, but raises Refused for a hand after the winning one.

    >>> from scorekeeper.scoring import read_game
    >>> record = {"format": "setback-game/1", "rules": "classic", "start": {"A": 8, "B": 4}, "hands": [
    ...     {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "game": "A"}},
    ... ]}
    >>> score_game(read_game(record)).totals
    {'A': 11, 'B': 4}
    """
    result = replay(game)
    if result.after_end:
        played = len(result.hands)
        raise refusal("after-the-end", f"the game was won in hand {played}", f"hands[{played}]")
    return result


def check_game(game: Game) -> tuple[Problem, ...]:
    """All problems of a game (at most MOST_PROBLEMS), each with its place; empty if it is valid.

    >>> from scorekeeper.scoring import read_game
    >>> record = {"format": "setback-game/1", "rules": "classic", "hands": [{"dealer": 4, "bidder": 1, "bid": 2}]}
    >>> [problem.at for problem in check_game(read_game(record))]
    ['hands[0]', 'hands[0].trump']
    """
    problems = Problems()
    dealer: Seat | None = None
    for index, hand in enumerate(game.hands):
        found = check_hand(game.table, hand, dealer)
        problems += [problem.under(f"hands[{index}]") for problem in found]  # unlike `extend`, never raises
        if len(problems) >= MOST_PROBLEMS:
            break
        if not found:
            dealer = next_dealer(game.table, score_hand(game.table, hand, dealer))
        elif (dealt := hand.dealer or dealer) is not None:
            dealer = game.table.next_seat(dealt)
    if not problems:
        problems.attempt("", score_game, game)
    return tuple(problems)


def score_checked(game: Game) -> GameScore:
    """Like `score_game`, but Refused has all problems of the game."""
    try:
        return score_game(game)
    except Refused:
        raise Refused(check_game(game)) from None


def next_dealer(table: Table, score: HandScore) -> Seat:
    """The dealer after a hand: the next seat, or the same one if a passed-out hand is dealt again.

    After a misdeal it is the next seat.

    >>> from scorekeeper.scoring import Hand, Table, find_rules, score_hand
    >>> table = Table(find_rules("classic"))
    >>> next_dealer(table, score_hand(table, Hand(dealer=4, bidder=1, bid=2, trump="H", claims={})))
    1
    """
    if score.status == "passed-out" and table.rules.auction.all_pass == "redeal" and not score.misdeal:
        return score.dealer
    return table.next_seat(score.dealer)


class WinCheck:
    """Decides after each hand whether the game is won; remembers which units had reached the early mark.

    `still_open` says after each hand why the game goes on although a unit has the target.

    >>> from scorekeeper.scoring import Hand, Table, find_rules, score_hand
    >>> table = Table(find_rules("classic"))
    >>> check = WinCheck(table, {"A": 10, "B": 10})
    >>> hand = Hand(dealer=4, bidder=1, bid=2, trump="H", claims={"high": "A", "low": "A", "jack": "B", "game": "B"})
    >>> check.after(score_hand(table, hand, before={"A": 10, "B": 10}))
    >>> check.still_open
    StillOpen(reason='tie', units=('A', 'B'))
    """

    def __init__(self, table: Table, start: Mapping[Unit, int]) -> None:
        self.table = table
        self.win = table.rules.win
        self.reached = self._at_early_mark(start)
        there = self._with_target(start)
        self.still_open = StillOpen("no-hand", there) if there else None
        self.hands = 0
        self.sets = dict.fromkeys(table.units, 0)
        self.sets_in_a_row = dict(self.sets)

    def after(self, score: HandScore) -> Outcome | None:
        """The outcome if this hand ends the game. A passed-out hand must change or adjust a score for that."""
        if score.status == "passed-out" and not score.adjustments and not any(score.change.values()):
            return None
        self.still_open = None
        if not self.win.ends_below_target and score.decides is None:
            return self._by_target(score)
        ended = self._by_this_hand(score) or self._by_target(score) or self._below_target(score)
        if ended is None:
            return None
        self.still_open = None
        return ended._replace(at_target=self._with_target(score.totals))

    def _by_target(self, score: HandScore) -> Outcome | None:
        early = self._early(score, self.win.early) if self.win.early else None
        if max(score.totals.values()) < self.win.target:
            return early
        there = self._with_target(score.totals)
        decided = self._at_the_target(there, score)
        if isinstance(decided, StillOpen):
            if early is None:
                self.still_open = decided
                return None
            decided = early
        return decided._replace(at_target=there)

    def _by_this_hand(self, score: HandScore) -> Outcome | None:
        """The outcome of a hand that wins whatever the scores are: by a special bid, or by taking every point."""
        if score.decides is not None:
            bidding = score.units_of(score.bidding_side)
            if score.decides == "won":
                return Outcome("special", bidding)
            return Outcome("special-lost", self._best_without(score, bidding))
        takers = {point.side for point in score.points.values()}
        if self.win.all_points == "nobody" or len(takers) != 1 or score.sides is None:
            return None
        winners = tuple(unit for unit, side in score.sides.of_unit.items() if side in takers)
        wins = self.win.all_points == "anyone" or (score.made and score.bidding_side in takers)
        return Outcome("all-points", winners) if winners and wins else None

    def _below_target(self, score: HandScore) -> Outcome | None:
        """The outcome of a game that ends below the target: a unit has lost it, or its last hand was played.

        First counts the hand and its set.
        """
        win, units = self.win, list(score.totals)
        if score.status == "scored":
            self.hands += 1
            for unit in self.sets:
                is_set = not score.made and unit in score.units_of(score.bidding_side)
                self.sets[unit] += is_set
                self.sets_in_a_row[unit] = self.sets_in_a_row[unit] + 1 if is_set else 0
        lost_at = None if win.lost_at is None else -win.lost_at
        for reason, most, counts in (
            ("lost", lost_at, {unit: -total for unit, total in score.totals.items()}),
            ("sets", win.lost_sets, self.sets),
            ("sets-in-a-row", win.lost_in_a_row, self.sets_in_a_row),
        ):
            losers = [unit for unit in units if most is not None and counts[unit] >= most]
            if losers:
                return Outcome(reason, self._best_without(score, losers))
        return Outcome("hands", self._best(score, units)) if win.hands and self.hands >= win.hands else None

    def _best_without(self, score: HandScore, losers: Collection[Unit]) -> tuple[Unit, ...]:
        """Those with the highest score of all units but the losers; of all if everyone has lost."""
        units = list(score.totals)
        return self._best(score, [unit for unit in units if unit not in losers] or units)

    @staticmethod
    def _best(score: HandScore, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """Those of the units with the highest score."""
        top = max(score.totals[unit] for unit in units)
        return tuple(unit for unit in units if score.totals[unit] == top)

    def _with_target(self, totals: Mapping[Unit, int]) -> tuple[Unit, ...]:
        return tuple(unit for unit, total in totals.items() if total >= self.win.target)

    def _at_the_target(self, units: tuple[Unit, ...], score: HandScore) -> Outcome | StillOpen:
        """The outcome among the units at the target, or why none of them wins."""
        if self.win.eligible == "made-bid":
            eligible = tuple(unit for unit in units if unit in self._bid_makers(score))
            if not eligible:
                return StillOpen("not-eligible", units)
            units = eligible
        return Outcome("target", units) if len(units) == 1 else self._choose_winner(units, score)

    def _bid_makers(self, score: HandScore) -> tuple[Unit, ...]:
        """The units that made their own bid in this hand."""
        made = score.made and not self.table.is_without_bid(score.bid)
        return score.units_of(score.bidding_side) if made else ()

    def _choose_winner(self, units: tuple[Unit, ...], score: HandScore) -> Outcome | StillOpen:
        """Choose between several units that may win with one hand, by the criteria of `win.both` in their order.

        With `count-out`, units at the target before the hand's points are counted come first: by a sold hand, a
        turned-up card or an adjustment.
        """
        has_bid = score.bidder is not None and not self.table.is_without_bid(score.bid)
        bidder, ranked = self.table.unit_of[score.bidder or 0] if has_bid else None, False
        if "count-out" in self.win.both:
            before = self._before_points(score)
            units = tuple(unit for unit in units if before[unit] >= self.win.target) or units
            if len(units) == 1:
                return Outcome("count-out", units)
        for way in self.win.both:
            if way == "play-on":
                break
            if way == "count-out":
                units = self._counted_out(units, score)
            if way == "highest":
                units, ranked = self._best(score, units), True
            winners = (bidder,) if way == "bidder" and bidder in units else units
            if way == "share" or len(winners) == 1:
                return Outcome(way, winners)
        return StillOpen("tie" if ranked else "several", units)

    def _counted_out(self, units: tuple[Unit, ...], score: HandScore) -> tuple[Unit, ...]:
        """The units first at the target when the points are counted one by one; all of `units` if none is."""
        counted = self._before_points(score)
        for key in self.win.order or self.table.points:
            for unit in units:
                if score.sides is not None and (point := score.points[key]).side == score.sides.of_unit[unit]:
                    counted[unit] += self.table.worth_if[point.captured][key]
            first = tuple(unit for unit in units if counted[unit] >= self.win.target)
            if first:
                return first
        return units

    @staticmethod
    def _before_points(score: HandScore) -> dict[Unit, int]:
        """The scores after the hand, without its points."""
        return {
            unit: total - score.change[unit] + score.points_before_play(unit) for unit, total in score.totals.items()
        }

    def _early(self, score: HandScore, rule: EarlyWin) -> Outcome | None:
        totals = score.totals
        there = self._at_early_mark(totals)
        newly, self.reached = there - self.reached, self.reached | there
        for unit in totals:
            in_time = unit in (newly if rule.when == "first-reach" else there)
            alone = all(other <= rule.others_at_most for name, other in totals.items() if name != unit)
            if in_time and alone and (rule.eligible == "anyone" or unit in self._bid_makers(score)):
                return Outcome("early", (unit,))
        return None

    def _at_early_mark(self, totals: Mapping[Unit, int]) -> set[Unit]:
        rule = self.win.early
        return {unit for unit, total in totals.items() if rule and total >= rule.at}
