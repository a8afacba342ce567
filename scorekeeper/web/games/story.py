"""The story of a game: the score and the chance to win hand by hand, and what happened in a few sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper import charts
from scorekeeper.models import Club, Game
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.stats.query import Choice, gather_details
from scorekeeper.stats.win_probability import LEAST_HANDS, Chances, Odds, odds_of, outcomes_in
from scorekeeper.web.common.numbers import counted, percent
from scorekeeper.web.common.scope import find_game, scoped
from scorekeeper.web.wording.words import listed, short_names

from .score_sheet import Sheet

bp = scoped(Blueprint("story", __name__))

A_TURN = 5  # percentage points; a hand by which no chance rose by more turned nothing
TIMES = {1: "once", 2: "twice"}


@bp.get("/c/<key>/games/<int:number>/story")
def show(number: int) -> ResponseReturnValue:
    """A page of its own, or the part that the score sheet asks for when it has been scrolled to its foot."""
    game = find_game(number)
    template = "games/_story.html" if "HX-Request" in request.headers else "games/story.html"
    return render_template(template, club=g.club, game=game, story=Story(game))


def own_outcomes(club: Club, game: Game) -> Counter[str]:
    """How the club's hands at tables like a game's have come out."""
    alike = Choice(rules_id=game.rules["id"], players=game.players, teams=game.teams)
    outcomes: Counter[str] = Counter()
    for detail in gather_details(club, alike).values():
        outcomes.update(outcomes_in(detail))
    return outcomes


# --- what happened ------------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """The hand (from 1) by which a chance to win rose most: whose, from what, to what."""

    hand: int
    unit: Unit
    before: float
    after: float


class Behind(NamedTuple):
    """After which hand (0: before the first) a unit was furthest behind the best of the others, and by how much."""

    hand: int
    points: int


def totals_by_hand(table: Table, score: GameScore, start: Mapping[Unit, int] | None) -> list[dict[Unit, int]]:
    """The scores before the first hand and after each."""
    begun = {unit: (start or {}).get(unit, 0) for unit in table.units}
    return [begun, *(dict(hand.totals) for hand in score.hands)]


def biggest_turn(line: Sequence[Chances]) -> Turn | None:
    """The hand by which a chance rose most, in whole points; the first of them where there are several."""
    found: Turn | None = None
    most = A_TURN
    for number, (before, after) in enumerate(pairwise(line), 1):
        for unit in before:
            points = round(100 * (after[unit] - before[unit]))
            if points > most:
                most, found = points, Turn(number, unit, before[unit], after[unit])
    return found


def furthest_behind(unit: Unit, totals: Sequence[Mapping[Unit, int]]) -> Behind:
    """Where a unit was furthest behind, the first of such places; with points of 0 or less it never was."""
    gaps = [max(total for other, total in now.items() if other != unit) - now[unit] for now in totals]
    return Behind(gaps.index(max(gaps)), max(gaps))


def lead_changes(totals: Sequence[Mapping[Unit, int]]) -> int:
    """How often somebody else led than who had led before; who is level with another does not lead."""
    leads = [_leader(now) for now in totals]
    alone = [unit for unit in leads if unit is not None]
    return sum(before != after for before, after in pairwise(alone))


def _leader(totals: Mapping[Unit, int]) -> Unit | None:
    best = [unit for unit, total in totals.items() if total == max(totals.values())]
    return best[0] if len(best) == 1 else None


# --- in words -----------------------------------------------------------------------------------------------------


class Story(Sheet):
    """What the page tells of a game, up to now or up to its end."""

    @cached_property
    def totals(self) -> list[dict[Unit, int]]:
        return totals_by_hand(self.table, self.score, self.game.start)

    @cached_property
    def odds(self) -> Odds:
        return odds_of(self.table, self._outcomes)

    @cached_property
    def _outcomes(self) -> Counter[str]:
        return own_outcomes(self.game.club, self.game)

    @cached_property
    def line(self) -> list[Chances]:
        """The chances before the first hand and after each."""
        return self.odds.line(self.score)

    @property
    def has_hands(self) -> bool:
        return bool(self.score.hands)

    @property
    def sentences(self) -> list[str]:
        """What happened; every sentence holds whatever the game was like."""
        if self.is_paper:
            return [*self._result(), "It is from paper: the end is known, the hands are not."]
        if not self.has_hands:
            return ["No hand has been played yet."]
        return [*self._result(), *self._way(), *self._turned(), *self._bids()]

    def _result(self) -> Iterator[str]:
        if self.score.outcome is None:
            yield self._standing()
            return
        said = self.narrator.win(self.score.outcome, self.score.totals)
        behind = furthest_behind(self.score.winners[0], [self.score.totals]).points
        alone = len(self.score.winners) == 1
        by = f", by {counted(-behind, 'point')}" if alone and behind < 0 else ""
        took = f", in {counted(len(self.score.hands), 'hand')}" if self.has_hands else ""
        yield f"{said}{by}{took}."
        if self.has_hands:
            yield self.narrator.deciding_rule(self.score)

    def _standing(self) -> str:
        """After 5 hands Ann and Cy lead, 12 to 9. Their chance to win is 64%."""
        after, totals = f"After {counted(len(self.score.hands), 'hand')}", self.score.totals
        leader = _leader(totals)
        if self.is_abandoned:
            return f"The game was abandoned {after.lower()}, at {self.narrator.totals(totals)}"
        if leader is None:
            return f"{after} nobody leads: {self.narrator.totals(totals)}"
        verb, whose = ("leads", "The") if len(self.table.seats_of(leader)) == 1 else ("lead", "Their")
        chance = percent(self.line[-1][leader])
        line = self.narrator.totals({leader: totals[leader], **totals})
        return f"{after} {self.narrator.unit(leader)} {verb}: {line} {whose} chance to win is {chance}."

    def _way(self) -> Iterator[str]:
        """How the winners got there, and how often the lead changed."""
        if len(self.score.winners) == 1:
            yield self._from_behind(self.score.winners[0])
        changes = lead_changes(self.totals)
        if changes > 1:
            yield f"The lead changed {_times(changes)}."

    def _from_behind(self, winner: Unit) -> str:
        hand, points = furthest_behind(winner, self.totals[:-1])
        name = self.narrator.unit(winner)
        was = "was" if len(self.table.seats_of(winner)) == 1 else "were"
        if points <= 0:
            return f"{name} {was} never behind."
        when = f"after hand {hand}" if hand else "before the first hand"
        chance = percent(self.line[hand][winner])
        return f"{name} {was} furthest behind {when}: by {counted(points, 'point')}, with a chance of {chance}."

    def _turned(self) -> Iterator[str]:
        turn = biggest_turn(self.line)
        if turn is None:
            return
        hand, narrator = self.score.hands[turn.hand - 1], self._narrator_of(turn.hand)
        made = "" if hand.made else ", set"
        yield (
            f"The biggest turn was hand {turn.hand}: {narrator.call(hand)}{made}. The chance of "
            f"{narrator.unit(turn.unit)} rose from {percent(turn.before)} to {percent(turn.after)}."
        )

    def _bids(self) -> Iterator[str]:
        """Whose bids were set, by whoever bid in that hand."""
        bidders = [self._bidder(number, hand) for number, hand in enumerate(self.score.hands, 1) if hand.bidder]
        bids, sets = len(bidders), Counter(name for name, made in bidders if not made)
        if bids == 1:
            yield f"The only bid was {'set' if sets else 'made'}."
        elif bids and not sets:
            yield f"All {bids} bids were made."
        elif bids:
            yield f"{sets.total()} of {bids} bids {'was' if sets.total() == 1 else 'were'} set: {_whose(sets)}."

    def _bidder(self, number: int, hand: HandScore) -> tuple[str, bool]:
        return self._narrator_of(number).names[(hand.bidder or 1) - 1], hand.made

    # --- pictures ---

    @cached_property
    def score_chart(self) -> charts.Chart:
        begun = self.totals[0]
        units = [
            charts.Score(
                self.narrator.unit(unit),
                [now[unit] for now in self.totals[1:]],
                [number for number, hand in enumerate(self.score.hands, 1) if _is_set(unit, hand)],
                begun[unit],
            )
            for unit in self.table.units
        ]
        return charts.score_by_hand(units, self.target)

    @cached_property
    def chance_chart(self) -> charts.Chart:
        units = [charts.Chance(self.narrator.unit(unit), [now[unit] for now in self.line]) for unit in self.table.units]
        return charts.win_chance(units)

    @property
    def source(self) -> str:
        """What the chances rest on."""
        if self.odds.own:
            return f"The chances come from the {counted(self.odds.hands, 'hand')} of this club at tables like this one."
        few = counted(sum(self._outcomes.values()), "hand")
        nearly = "" if self.odds.exact else ", under rules that are nearly these"
        return (
            f"The chances come from {self.odds.hands:,} hands that the computer has dealt, bid and played{nearly}. "
            f"This club has {few} of its own at tables like this one; from {LEAST_HANDS} on they are taken."
        )


def _is_set(unit: Unit, hand: HandScore) -> bool:
    if hand.made or hand.sides is None:
        return False
    return hand.sides.of_unit[unit] == hand.bidding_side


def _whose(sets: Counter[str]) -> str:
    """Ann’s twice and Bo’s once; of a single one just whose it was."""
    names = list(sets)
    shorts = short_names(names)
    if sets.total() == 1:
        return f"{shorts[0]}’s"
    return listed([f"{short}’s {_times(sets[name])}" for name, short in zip(names, shorts, strict=True)])


def _times(number: int) -> str:
    return TIMES.get(number, f"{number} times")
