"""Sentences about the end of a game: the rule that decided it, or why play goes on at the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scorekeeper.models import FORFEIT, ON_PAPER
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.table import Unit
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.numbers import figure, times
from scorekeeper.web.common.words import listed

# Of games without hands, by how they ended.
NO_HANDS = {
    ON_PAPER: "Scored on paper, so it has no hands.",
    FORFEIT: "A forfeit: the game was not played, so it has no hands.",
}


def deciding_rule(narrator: Narrator, score: GameScore) -> str:
    """How the winners won: who they are, their score, the hand and the rule; empty while the game goes on."""
    if score.outcome is None:
        return ""
    if score.outcome.reason in NO_HANDS:
        return NO_HANDS[score.outcome.reason]
    return _Ending(narrator, score, score.outcome.winners).sentence(score.outcome.reason)


def still_playing(narrator: Narrator, score: GameScore) -> str:
    """Why nobody has won although somebody is at the target; empty where nobody is, or the game is over."""
    if score.still_open is None:
        return ""
    reason, units = score.still_open
    return f"Still playing: {_WHY_OPEN[reason](narrator, {unit: score.totals[unit] for unit in units})}"


def _no_hand(_narrator: Narrator, _there: Mapping[Unit, int]) -> str:
    return "it takes at least one hand to win."


def _not_eligible(narrator: Narrator, there: Mapping[Unit, int]) -> str:
    """Only who makes a bid can win."""
    has = "has" if len(there) == 1 else "have"
    scores = " and ".join(dict.fromkeys(narrator.scores.score(total) for total in there.values()))
    who = f"{_teams(narrator, tuple(there))} {has} {scores}"
    if narrator.table.teams:
        return f"{who}, but only a team that makes its own bid can win."
    if narrator.table.changing_sides:
        return f"{who}, but only the side that makes its bid can win."
    return f"{who}, but only a player who makes a bid can win."


def _several_may_win(narrator: Narrator, _there: Mapping[Unit, int]) -> str:
    return f"{_several(narrator)} have {narrator.scores.end_or_better}, and nobody wins until just one does."


def _tie(narrator: Narrator, there: Mapping[Unit, int]) -> str:
    top = narrator.scores.score(max(there.values()))
    if len(narrator.table.units) == 2:
        return f"{top} to {top} is a tie, and these rules need a leader."
    return f"{_teams(narrator, tuple(there))} are tied at {top}, and these rules need a leader."


_WHY_OPEN: dict[str, Callable[[Narrator, Mapping[Unit, int]], str]] = {
    "no-hand": _no_hand,
    "not-eligible": _not_eligible,
    "several": _several_may_win,
    "tie": _tie,
}


def _teams(narrator: Narrator, units: Sequence[Unit]) -> str:
    """Ann’s team and Bo’s team; players by their names."""
    return listed([narrator.team(unit) for unit in units])


def _several(narrator: Narrator) -> str:
    what = "teams" if narrator.table.teams else "players"
    return f"both {what}" if len(narrator.table.units) == 2 else f"several {what}"


class _Ending:
    """A game that was won in its last hand, with its winners."""

    def __init__(self, narrator: Narrator, score: GameScore, winners: Sequence[Unit]) -> None:
        self.narrator, self.table, self.win = narrator, narrator.table, narrator.table.rules.win
        self.score, self.winners = score, winners
        self.last, self.number = score.hands[-1], len(score.hands)
        self.scores = narrator.scores
        self.own = self.scores.score(score.totals[winners[0]])
        self.who = listed([narrator.seat(seat) for seat in narrator.winning_seats(winners)])

    def sentence(self, reason: str) -> str:
        return {
            "target": self._target,
            "bidder": self._bidder,
            "highest": self._highest,
            "share": self._share,
            "early": self._early,
            "count-out": self._count_out,
            "special": self._special,
            "special-lost": self._special_lost,
            "all-points": self._all_points,
            "hands": self._hands,
            "lost": self._lost,
            "sets": self._sets,
            "sets-in-a-row": self._sets_in_a_row,
        }[reason]()

    def _target(self) -> str:
        if self.win.eligible == "made-bid":
            return self._made_bid()
        if self._was_reached_before():
            return f"{self.who} had {self.own} after hand {self.number}, the only score of {self.scores.end_or_better}."
        return f"{self.who} reached {self.scores.end} first, with {self.own} in hand {self.number}."

    def _was_reached_before(self) -> bool:
        """Whether anybody was at the target in an earlier hand."""
        change, adjusted = self.last.change, self.last.adjusted
        before = [{unit: total - change[unit] - adjusted.get(unit, 0) for unit, total in self.last.totals.items()}]
        before += [hand.totals for hand in self.score.hands[:-1]]
        return any(total >= self.win.target for totals in before for total in totals.values())

    def _made_bid(self) -> str:
        bid, target = self.narrator.bid(self.last.bid), self.scores.end
        if self.table.teams:
            rule = f"From {target} on, only a team that makes its own bid can win."
        elif self.table.changing_sides:
            rule = f"From {target} on, only the side that makes its bid can win."
        else:
            rule = f"From {target} on, only a player who makes a bid can win."
        if self.table.unit_of[self.last.bidder or 0] in self.winners:
            return f"{self.who} bid {bid} in hand {self.number}, made it, and had {self.own}. {rule}"
        return f"{self.who} was on the side that made {bid} in hand {self.number}, and had {self.own}. {rule}"

    def _bidder(self) -> str:
        team = "bidding team wins" if self.table.teams else "bidder wins"
        when = f"When {self._crowd()}, the {team}"
        return f"{when}: {self.who} had the bid in hand {self.number} and finished with {self.own}."

    def _crowd(self) -> str:
        """Several who may win in the same hand."""
        if self.win.eligible == "made-bid":
            return f"several players on the side that made its bid reach {self.scores.end}"
        return f"{_several(self.narrator)} reach {self.scores.end}"

    def _highest(self) -> str:
        before = self.win.both[: self.win.both.index("highest")]
        unless = " and the bidder does not" if "bidder" in before else ""
        return f"When {self._crowd()}{unless}, the {self.scores.best} score wins: {self._had()}."

    def _share(self) -> str:
        if "highest" in self.win.both[: self.win.both.index("share")]:
            several = f"the {self.scores.best} scores of {self.scores.end_or_better}"
            return f"When {several} tie, they win together: {self._had()}."
        return f"When {self._crowd()}, they win together: {self._had()}."

    def _had(self) -> str:
        """Ann and Bo had 12 after hand 7; each with their own where they differ."""
        totals = [self.score.totals[unit] for unit in self.winners]
        if len(set(totals)) == 1:
            return f"{self.who} had {self.own} after hand {self.number}"
        said = map(self.scores.score, totals)
        each = [f"{self.narrator.unit(unit)} had {own}" for unit, own in zip(self.winners, said, strict=True)]
        return f"{listed(each)} after hand {self.number}"

    def _early(self) -> str:
        early = self.win.early
        if early is None:
            return ""
        most = figure(early.others_at_most)
        by_bid = " by a made bid" if early.eligible == "made-bid" else ""
        return f"{self.who} won early{by_bid}: {self.own} in hand {self.number}, with everyone else at {most} or less."

    def _count_out(self) -> str:
        return f"When {self._crowd()}, the points are counted one by one: {self.who} got there first, with {self.own}."

    def _special(self) -> str:
        return f"{self.who} made {self.narrator.bid(self.last.bid)} in hand {self.number}, which wins the game."

    def _special_lost(self) -> str:
        bidder = self.narrator.seat(self.last.bidder or 0)
        bid = self.narrator.bid(self.last.bid)
        return f"{bidder} bid {bid} in hand {self.number} and was set, which loses the game. {self.who} won."

    def _all_points(self) -> str:
        return f"{self.who} took every point of hand {self.number}, which wins the game."

    def _hands(self) -> str:
        return f"Hand {self.number} was the last, and the {self.scores.best} score wins: {self._had()}."

    def _lost(self) -> str:
        lost_at = figure(self.win.lost_at or 0)
        return f"A score of {lost_at} or less loses the game. {self.who} won with {self.own} after hand {self.number}."

    def _sets(self) -> str:
        return self._set_too_often(times(self.win.lost_sets or 0))

    def _sets_in_a_row(self) -> str:
        return self._set_too_often(f"{times(self.win.lost_in_a_row or 0)} in a row")

    def _set_too_often(self, often: str) -> str:
        return f"Being set {often} loses the game. {self.who} won with {self.own} after hand {self.number}."
