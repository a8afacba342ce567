"""The story of a game: score and chances to win by hand, and what happened in a few sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue

from scorekeeper import charts
from scorekeeper.scoring.points import leaders
from scorekeeper.scoring.table import Unit
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.stats.counting import furthest_behind
from scorekeeper.stats.odds import Chances, Odds, error_for, odds_of, outcomes_before
from scorekeeper.web.common.narrator import by_score, deciding_rule
from scorekeeper.web.common.numbers import counted, percent, times
from scorekeeper.web.common.scope import reads_game, render, scoped
from scorekeeper.web.common.words import ended

from .messages import bids_said
from .score_sheet import REACHED, Sheet

bp = scoped(Blueprint("story", __name__))

MOST_LETTERS = 16  # of a name beside the chance line
EVEN, BEHIND = 50, 40  # percent: a turn exceeds EVEN; before a last hand below BEHIND


@bp.get("/c/<key>/games/<int:number>/story")
@reads_game(read_snapshot)
def show() -> ResponseReturnValue:
    """The story as a page, or for htmx as the part of the score sheet loaded on scrolling, or as its chance line."""
    part = "games/_chance_line.html" if "line" in request.args else "games/_story.html"
    template = part if "HX-Request" in request.headers else "games/story.html"
    return render(template, game=g.snapshot, story=Story(g.snapshot))


# --- what happened ------------------------------------------------------------------------------------------------


def turning_point(chances: Sequence[float]) -> int:
    """The hand after which the winner's chance stayed above 50%; `chances` starts before the first hand.

    0 if the chance was never below 50%, and for a last hand before which it was at least 40%: every game ends with one.
    """
    shown = [round(100 * chance) for chance in chances]
    hand = next((place for place in range(len(shown) - 1, 0, -1) if shown[place - 1] <= EVEN < shown[place]), 0)
    if not hand or min(shown[:hand]) >= EVEN or (hand == len(shown) - 1 and shown[hand - 1] >= BEHIND):
        return 0
    return hand


def lead_changes(totals: Sequence[Mapping[Unit, int]]) -> int:
    """Number of times the lead passed to another unit; a tie is not a lead."""
    leads = [_leader(now) for now in totals]
    alone = [unit for unit in leads if unit is not None]
    return sum(before != after for before, after in pairwise(alone))


def _leader(totals: Mapping[Unit, int]) -> Unit | None:
    best = leaders(totals)
    return best[0] if len(best) == 1 else None


def _chance_with_article(chance: float) -> str:
    """A chance with its article: "a 13% chance", "an 8% chance"."""
    said = percent(chance)
    return f"{'an' if said[0] == '8' or said in ('11%', '18%') else 'a'} {said} chance"


# --- in words -----------------------------------------------------------------------------------------------------


class Story(Sheet):
    """The story of a game so far, or of a finished one."""

    @cached_property
    def totals(self) -> list[Mapping[Unit, int]]:
        """Scores before the first hand and after each."""
        return [self.game.totals_after(0), *(hand.totals for hand in self.score.hands)]

    @cached_property
    def odds(self) -> Odds:
        """Odds based on what the club had played before this game."""
        place = self.game.played, self.game.number
        return odds_of(self.table, outcomes_before(self.game.club, self.table, place))

    @cached_property
    def line(self) -> list[Chances]:
        """Chances before the first hand and after each; empty if the game is too long."""
        return self.odds.line(self.score)

    @property
    def sentences(self) -> list[str]:
        """The events as sentences, true for any game."""
        if self.is_paper:
            how = "The game was not played." if self.is_forfeit else "Scored on paper: there is only a final score."
            return [*self._result(), how]
        if not self.score.hands:
            return ["No hands yet."]
        return [*self._result(), *self._comeback(), *self._turning_point_sentence(), *self._bids()]

    def _result(self) -> Iterator[str]:
        if self.score.outcome is None:
            yield self._so_far()
            return
        win = self._last_narrator.win(self.score.outcome, self.score.totals)
        behind = furthest_behind(self.score.winners[0], [self.score.totals]).points
        by = f", by {counted(-behind, 'point')}" if len(self.score.winners) == 1 and behind < 0 else ""
        took = f", in {counted(len(self.score.hands), 'hand')}" if self.score.hands else ""
        yield f"{win}{by}{took}."
        if self.score.hands:
            rule = deciding_rule(self._last_narrator, self.score)
            rest = rule.removeprefix(f"{self._last_narrator.people(self.score.winners)} ")
            if not REACHED.fullmatch(rest):  # the headline says all of it
                yield rule if rest == rule else f"{self._they} {rest}"

    @property
    def _they(self) -> str:
        """The winners, where a sentence before has named them."""
        return "They" if len(self._last_narrator.seats_of_units(self.score.winners)) > 1 else "The winner"

    def _so_far(self) -> str:
        totals = by_score(self.score.totals)
        hands, leader = counted(len(self.score.hands), "hand"), _leader(totals)
        if self.is_abandoned:
            return f"The game was abandoned after {hands}: {self._last_narrator.totals(totals, named=True)}."
        line = f"{self._last_narrator.totals(totals)}."
        if leader is None:
            return f"After {hands} nobody leads: {line}"
        who = self._last_narrator.unit(leader)
        lead, whose = ("leads", f"{who}’s") if len(self.table.seats_of[leader]) == 1 else ("lead", "Their")
        said, chance = f"After {hands} {who} {lead}: {line}", self._chance(-1, leader)
        return said if chance is None else f"{said} {whose} chance to win is {percent(chance)}."

    def _chance(self, hand: int, unit: Unit) -> float | None:
        """A unit's chance after a hand; None if chances are unavailable."""
        return self.line[hand][unit] if self.line else None

    def _comeback(self) -> Iterator[str]:
        """The winner's largest deficit, and the number of lead changes."""
        if len(self.score.winners) == 1:
            winner = self.score.winners[0]
            hand, points = furthest_behind(winner, self.totals[:-1])
            was = "was" if len(self.table.seats_of[winner]) == 1 else "were"
            chance, then = self._chance(hand, winner), self.narrator_of(hand).unit(winner) if hand else ""
            who = self._they if then in ("", self._last_narrator.unit(winner)) else f"{self._they} (then {then})"
            when = f"after hand {hand}" if hand else "before the first hand"
            odds = "" if chance is None else f", with {_chance_with_article(chance)} to win"
            said = f"{who} {was} {counted(points, 'point')} behind at worst, {when}{odds}."
            yield said if points > 0 else f"{self._they} {was} never behind."
        changes = lead_changes(self.totals)
        if changes > 1:
            yield f"The lead changed {times(changes)}."

    def _turning_point_sentence(self) -> Iterator[str]:
        if not self.line or len(self.score.winners) != 1:
            return
        winner = self.score.winners[0]
        chances = [now[winner] for now in self.line]
        number = turning_point(chances)
        if not number:
            return
        hand, narrator = self.score.hands[number - 1], self.narrator_of(number)
        happened = "; ".join([narrator.in_short(hand), *map(narrator.adjustment, hand.adjustments)])
        rose = f"chance to win rose from {percent(chances[number - 1])} to {percent(chances[number])}"
        turned = ended(f"The turning point was hand {number}: {happened}")
        who = narrator.unit(winner)
        winners = "The winners’" if self._they == "They" else "The winner’s"
        whose = winners if who == self._last_narrator.unit(winner) else f"{who}’s"
        yield f"{turned} {whose} {rose}."

    def _bids(self) -> Iterator[str]:
        """Numbers of bids set, by player; empty without bidding."""
        if not self.table.has_auction:
            return
        bids, sets = 0, Counter[str]()
        for number, hand in enumerate(self.score.hands, 1):
            if hand.bidder:
                bids += 1
                sets.update([] if hand.made else [self.narrator_of(number).seat(hand.bidder)])
        if bids:
            yield bids_said(bids, sets)

    # --- charts ---

    @cached_property
    def score_chart(self) -> charts.Chart:
        scale, begun = self.table.rules.win.scale, self.totals[0]
        units = [
            charts.ScoreSeries(
                self._last_narrator.team(unit),
                [scale.score(now[unit]) for now in self.totals[1:]],
                [
                    at
                    for at, hand in enumerate(self.score.hands, 1)
                    if not hand.made and unit in hand.units_of(hand.bidding_side)
                ],
                scale.score(begun[unit]),
            )
            for unit in self.table.units
        ]
        return charts.score_by_hand(units, scale.score(self.table.rules.win.target))

    @property
    def chance_chart(self) -> charts.Chart:
        return charts.win_chance(self._chances)

    @property
    def chance_line(self) -> charts.Chart:
        """The chance chart in small, without its own title."""
        return charts.chance_line(self._chances)

    @property
    def chance_now(self) -> str:
        """The best chance: "Chance to win: Ann’s team 63%"; for a finished game, only the line's title."""
        if self.score.outcome:
            return "Chance to win, hand by hand"
        best, *others = leaders(self.line[-1])
        team = self._last_narrator.in_few_letters(MOST_LETTERS).team
        return f"Chance to win: {'even' if others else f'{team(best)} {percent(self.line[-1][best])}'}"

    @property
    def _chances(self) -> list[charts.ChanceSeries]:
        team = self._last_narrator.team
        return [charts.ChanceSeries(team(unit), [now[unit] for now in self.line], unit) for unit in self.table.units]

    @property
    def source(self) -> str:
        """The data behind the chances, or why there are none."""
        if not self.line:
            return "No odds for games with these rules."
        odds = self.odds
        off = error_for(odds.own)
        if odds.own:
            return f"From {counted(odds.own, 'hand')} of your club, give or take {off}%."
        return f"A computer’s guess, give or take {off}%."
