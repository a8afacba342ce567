"""Sentences about hands and games: results, winners and why, who took which point."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import NamedTuple
from unicodedata import bidirectional

from scorekeeper.models import FORFEIT, ON_PAPER
from scorekeeper.scoring.facts import Adjustment
from scorekeeper.scoring.game import GameScore, Outcome
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.points import BELOW_THRESHOLD, BURIED, NOT_CAPTURED, NOT_DEALT, TIED, PointScore
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import BIDDING, DEFENDING, Seat, Side, Table, Unit

from .numbers import ScoreWords, figure, times
from .words import cut_names, in_turn, listed, rank_name, short_names

MOST_UNITS_IN_A_LINE = 3
CAPTURED = "captured"
LEFT_TO_RIGHT_MARK = "\N{LEFT-TO-RIGHT MARK}"
SEAT = re.compile(r"\bseat (\d+)\b('s)?")  # how the scoring core names a player
MOST_LETTERS = 24  # of a name in a sentence about its team
UNTAKEN_REASONS = {
    BURIED: "buried",
    NOT_DEALT: "not dealt",
    NOT_CAPTURED: "not taken",
    TIED: "tied",
    BELOW_THRESHOLD: "not reached",
}


# Why a winning side won without the best score, by the reason for the game's end.
WIN_REASONS = {
    **dict.fromkeys(("target", "highest", "share"), "by making the bid"),  # otherwise it had the best score
    "bidder": "because the bidder goes out first",
    "count-out": "by counting out first",
    "special": "by making {bid}",
    "special-lost": "because {bid} was set",
    "all-points": "with every point of a hand",
    "lost": "because an opponent’s score was too low",
    **dict.fromkeys(("sets", "sets-in-a-row"), "because an opponent was set too often"),
}
ENDS_AT_ANY_SCORE = ("special", "special-lost", "all-points", "lost")


def in_a_sentence(name: str) -> str:
    """A name that a score may follow.

    Appends a left-to-right mark after a right-to-left name, so that the score's sign stays in front.
    """
    if name.isascii():
        return name
    directions = (bidirectional(letter) for letter in reversed(name))
    last = next((direction for direction in directions if direction in ("L", "R", "AL")), "L")
    return name if last == "L" else f"{name}{LEFT_TO_RIGHT_MARK}"


def units_ahead(score: GameScore) -> list[Unit]:
    """The units that have not won, although their score is as good as a winner's; none while nobody has won."""
    if not score.winners:
        return []
    least = min(score.totals[unit] for unit in score.winners)
    return [unit for unit, total in score.totals.items() if unit not in score.winners and total >= least]


def why_won(table: Table, score: GameScore, always: Collection[str] = ()) -> str:
    """Short reason why the winners won without a strictly better score; empty if they had one, or nobody has won.

    A reason in `always` is also given for the better score.
    """
    if score.outcome is None or not (units_ahead(score) or score.outcome.reason in always):
        return ""
    special = table.specials.get(score.hands[-1].bid or 0) if score.hands else None
    return WIN_REASONS.get(score.outcome.reason, "").format(bid=f"the {special.name} bid" if special else "")


def by_score(totals: Mapping[Unit, int], winners: Sequence[Unit] = ()) -> dict[Unit, int]:
    """Totals, the winners' first, then in descending order."""
    return dict(sorted(totals.items(), key=lambda item: (item[0] not in winners, -item[1])))


class ResultSentence(NamedTuple):
    """A sentence as a bold head and the rest."""

    head: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.head} {self.rest}".strip()


class Narrator:
    """Describes the events at one table with the names of its players.

    `others` are players of the table's other hands: a first name shared with one of them is shown in full.
    """

    def __init__(self, table: Table, names: Sequence[str], others: Iterable[str] = ()) -> None:
        self.table = table
        self.names = tuple(names)
        others = [name for name in others if name not in self.names]
        self.scores = ScoreWords(table.rules.win)
        self.shorts = self._whole = short_names([*names, *others])[: len(self.names)]
        self._may_name_teams = True

    def in_few_letters(self, most: int) -> Narrator:
        """A copy that cuts names to `most` characters, for narrow pages and lines.

        With fewer than 12, teams are "Team A", "Team B" instead, and their players keep their names, as all do if two
        would be cut to the same letters.
        """
        narrator = copy(self)
        narrator._may_name_teams = most > 11 or not self.table.teams
        cut = cut_names(self._whole, most)
        keep = not narrator._may_name_teams or len(set(cut)) < len(cut)
        narrator.shorts = cut_names(self._whole, 16) if keep else cut
        return narrator

    def seat(self, number: int) -> str:
        return in_a_sentence(self.shorts[number - 1])

    @property
    def said(self) -> list[str]:
        """All players by seat, as in a sentence."""
        return [in_a_sentence(name) for name in self.shorts]

    def named(self, sentence: str) -> str:
        """Replace seat numbers in a sentence of the scoring core by names: "seat 2" becomes "Bo"."""
        return SEAT.sub(self._named, sentence)

    def _named(self, found: re.Match[str]) -> str:
        """Text like "Bo"; possessive "Bo’s", or "seat 2’s" if the name is cut."""
        seat = int(found[1])
        if not found[2]:
            return self.seat(seat)
        return f"{self.seat(seat) if self._is_whole(seat) else f'seat {seat}'}’s"

    def _is_whole(self, seat: Seat) -> bool:
        return self._may_name_teams and self.shorts[seat - 1] == self._whole[seat - 1]

    def unit(self, unit: Unit) -> str:
        """A unit by all its names: "Ann, Cy and Ed", or "Ann"."""
        return self.people([unit])

    def team(self, unit: Unit) -> str:
        """A unit in short: "Ann and Cy" for pairs, "Ann’s team" for larger teams, "Ann" for one player.

        All become "Team A", "Team B" if a name would fill the bar beside Save.
        """
        if not self.table.teams or self.is_of_pairs:
            return self.unit(unit)
        fits = all(self._is_whole(one) and len(self.shorts[one - 1]) <= MOST_LETTERS for one in self.table.seats)
        return f"{self.seat(self.table.seats_of[unit][0])}’s team" if fits else f"Team {unit}"

    @property
    def is_of_pairs(self) -> bool:
        """True if teams are called by both names, which takes a plural verb ("lead")."""
        pairs = [self.unit(unit) for unit in self.table.units if len(self.table.seats_of[unit]) == 2]
        is_whole = all(map(self._is_whole, self.table.seats))
        return len(pairs) == len(self.table.units) and is_whole and max(map(len, pairs)) <= MOST_LETTERS

    def adjustment(self, adjustment: Adjustment) -> str:
        """Text like "Ann’s team −2: revoke"."""
        return f"{self.gain(adjustment.unit, adjustment.points)}: {adjustment.reason}"

    def gain(self, unit: Unit, points: int) -> str:
        """Text like "Ann’s team +3"; when scores count down, "Ann’s team −3"."""
        return f"{self.team(unit)} {self.scores.change(points)}"

    def bid(self, bid: int | None) -> str:
        """A bid as it was called: its number, or the name of a special."""
        if self.table.is_without_bid(bid):
            return "nothing" if self.table.has_auction else ""
        special = self.table.specials.get(bid or 0)
        return special.name if special else str(bid)

    def side(self, side: Side, score: HandScore) -> str:
        """A side in short: its team letter, a name, or the bidding or defending side of the hand."""
        if side == BIDDING:
            return self.partners(score)
        if side == DEFENDING:
            return "others"
        return side if self.table.teams else self.seat(int(side))

    def partners(self, score: HandScore) -> str:
        """The bidding side's players when sides change, bidder first; otherwise empty."""
        return listed(self.allies(score))

    def allies(self, score: HandScore) -> list[str]:
        """Like `partners`, one by one."""
        if score.sides is None or score.bidder is None:
            return []
        mates = [seat for seat in self.table.seats if score.sides.of_seat[seat] == BIDDING and seat != score.bidder]
        return [self.seat(seat) for seat in (score.bidder, *mates)]

    def bidders(self, score: HandScore) -> str:
        """The side that bid: "Ann’s team", "Ann and Cy", "Ann"."""
        if score.bidder is None:
            return ""
        return self.team(self.table.unit_of[score.bidder]) if self.table.teams else self.caller(score)

    def caller(self, score: HandScore) -> str:
        """The bidder: "Ann"; with the partner when sides change: "Ann and Cy"."""
        return self.partners(score) if self.table.changing_sides else self.seat(score.bidder or 0)

    # --- a hand ---

    def hand(self, score: HandScore, totals: Mapping[Unit, int], when: str = "", end: str = "") -> ResultSentence:
        """Text like "Ann bid 4, took 5: +5." and "Bo and Di +2. Ann and Cy lead 12 to 9."

        `when` qualifies totals that are not current: " after hand 3"; `end` tells them after a game's last hand.
        """
        then = end or self._standing(score, totals, when)
        if score.bidding_side is None:
            cost = [f"{self.gain(unit, points)}." for unit, points in score.change.items() if points]
            if score.events and not score.misdeal:  # unlike the others, its name is no reason
                cost = [self.sale(score).strip()]
            return ResultSentence(f"{self.unplayed(score)}.", " ".join([*cost, then]))
        if not self.table.has_auction:
            return ResultSentence(f"{self.call(score)}.", f"{self.sale(score)} {then}".strip())
        return ResultSentence(f"{self.call(score)}: {self._verdict(score)}.", f"{self.others(score)} {then}")

    def _verdict(self, score: HandScore) -> str:
        """The bidder's result: "+5", "set, −4"; "from 48 to 52" where a special bid sets the score to a number."""
        unit, special = self.table.unit_of[score.bidder or 0], self.table.specials.get(score.bid or 0)
        result, verdict = self.result(unit, score), "" if score.made else "set, "
        effect = (special.made if score.made else special.failed) if special else ""
        if effect == "set-to" or (score.made and effect == "target"):
            before = score.totals[unit] - score.change[unit] - score.adjusted.get(unit, 0)
            return f"{verdict}from {self.scores.score(before)} to {self.scores.score(before + result)}"
        return verdict + self.scores.change(result)

    def unplayed(self, score: HandScore) -> str:
        """Name of a hand without play: "All passed"."""
        return unplayed(self.table, score)

    def call(self, score: HandScore) -> str:
        """Text like "Ann bid 4, took 5"; without bidding, each unit's result: "Ann and Cy +3, Bo and Di +1"."""
        if not self.table.has_auction:
            return ", ".join(self.gain(unit, self.result(unit, score)) for unit in score.change)
        taken = score.earned[score.bidding_side] if score.bidding_side else 0
        more = " but lost a trick" if self.lost_a_trick(score) else ""
        if score.swept and score.swept == score.bidding_side:
            taken, more = taken - self.table.rules.settle.sweep, " and every trick"
        return f"{self.caller(score)} bid {self.bid(score.bid)}, took {taken}{more}"

    def in_short(self, score: HandScore) -> str:
        """Text like "Ann bid 4, took 5"; "all passed"."""
        if score.bidder is None:
            return self.unplayed(score).lower()
        return f"{self.call(score)}{'' if score.made else ', set'}"

    def lost_a_trick(self, score: HandScore) -> bool:
        """True if a special bid was set only because a trick was lost."""
        return score.missed in (("every-trick",), ("every-trick-alone",))

    def _standing(self, score: HandScore, totals: Mapping[Unit, int], when: str) -> str:
        """The standing after the hand: "Ann and Cy lead 12 to 9."; with many scores, only the bidding side's."""
        bidding = score.units_of(score.bidding_side) if self.table.has_auction else ()
        if len(totals) == 2:
            (leader, best), (_, least) = by_score(totals).items()
            if best == least:
                return f"Both have {self.scores.score(best)}{when}."
            leads = f"{self.team(leader)} {'lead' if self.is_of_pairs else 'leads'}"
            return f"{leads} {self.scores.score(best)} to {self.scores.score(least)}{when}."
        shown = bidding if bidding and len(totals) > MOST_UNITS_IN_A_LINE else self.table.units
        name = str if self.table.teams else self.unit
        told = ", ".join(f"{name(unit)} {self.scores.score(totals[unit])}" for unit in shown)
        return f"{told}{when}." if when else f"Now {told}."

    @staticmethod
    def result(unit: Unit, score: HandScore) -> int:
        """A unit's result for points and bid, without a sale or points before the play, which are told separately."""
        return score.change[unit] - score.points_before_play(unit)

    def others(self, score: HandScore) -> str:
        """The other units' results: "Bo’s team +2.", "Team B +1, Team C +2.", "The others +2 each."."""
        of_unit = score.sides.of_unit if score.sides else {}
        results = {unit: self.result(unit, score) for unit, side in of_unit.items() if side != score.bidding_side}
        told = {unit: self.scores.change(points) for unit, points in results.items() if points}
        if self.table.changing_sides and len(told) > 1:
            got = f"The others {next(iter(told.values()))} each"
        else:
            name = "Team {}".format if len(of_unit) > 2 and self.table.teams else self.team
            got = ", ".join(f"{name(unit)} {change}" for unit, change in told.items()) or "Nobody else scored"
        return f"{self.sale(score)} {got}.".lstrip()

    def sale(self, score: HandScore) -> str:
        """Sale and points before the play: " Bo sold it: +3."; may be empty."""
        sold = "".join(
            f" {self.team(unit)} sold it: {self.scores.change(points)}." for unit, points in score.sold.items()
        )
        events = {self.team(unit): self.scores.change(points) for unit, points in score.events.items()}
        return f"{sold}{before_the_play(events)}"

    def totals(self, totals: Mapping[Unit, int], *, named: bool = False) -> str:
        """Text like "12 to −3"; with more than three units, each with its names."""
        if len(totals) <= MOST_UNITS_IN_A_LINE and not named:
            return " to ".join(map(self.scores.score, totals.values()))
        return ", ".join(f"{self.unit(unit)} {self.scores.score(total)}" for unit, total in totals.items())

    def took(self, score: HandScore) -> list[str]:
        """Points taken by each side, and the remaining points by the reason why they were not taken."""
        by_side: dict[Side, list[str]] = {side: [] for side in score.earned}
        untaken: dict[str, list[str]] = {}
        for key, point in score.points.items():
            if point.side is None:
                untaken.setdefault(self.why(point, score), []).append(self.table.points[key].name)
                continue
            captured, counts, rule = f" {CAPTURED}" if point.captured else "", "", self.table.points[key]
            if rule.card == "game" and score.counts is not None:
                counts = f" {' to '.join(map(str, sorted(score.counts.values(), reverse=True)))}"
            by_side[point.side].append(f"{rule.name}{captured}{counts}")
        if score.swept is not None:
            by_side[score.swept].append("every trick")
        sides = [f"{self.side(side, score)}: {', '.join(keys)}" for side, keys in by_side.items() if keys]
        nobodys = [f"{', '.join(keys)} {why}" for why, keys in untaken.items()]
        lost = [f"{self.bidders(score)} lost a trick"] if self.lost_a_trick(score) else []
        sold = [f"{self.side(unit, score)}: sold the hand for {points}" for unit, points in score.sold.items()]
        early = [f"{self.side(unit, score)}: {points} before the play" for unit, points in score.events.items()]
        return sides + nobodys + lost + sold + early

    def why(self, point: PointScore, score: HandScore) -> str:
        """Why a point was not taken: "buried", "tied 38 to 38"."""
        undealt = point.why == NOT_CAPTURED and point.card and not self.table.sees_buried  # also if few cards are known
        reason = UNTAKEN_REASONS.get(NOT_DEALT if undealt else point.why or "", "not taken")
        if point.why == TIED and score.counts:
            return f"{reason} {' to '.join(map(str, score.counts.values()))}"
        return reason

    def new_totals(self, before: Mapping[Unit, int], after: Mapping[Unit, int], *, named: bool = False) -> str:
        """Text like "12 to 9, was 17 to 11"; with more than three units or when `named`, only totals that changed."""
        if before == after:
            return "same score"
        if len(after) <= MOST_UNITS_IN_A_LINE and not named:
            return f"{self.totals(after)}, was {self.totals(before)}"
        changed = [unit for unit in after if after[unit] != before[unit]]
        return ", ".join(
            f"{self.team(unit)} {self.scores.score(after[unit])} (was {self.scores.score(before[unit])})"
            for unit in changed
        )

    # --- the end ---

    def turn(self, before: GameScore, after: GameScore, at: int, *, with_score: bool = True) -> str:
        """Effect of changing hand `at` on the result: "Bo and Di win instead"; empty if there is none.

        If another hand becomes decisive, name it with the score: "Ann wins in hand 6, 24 to 10". The narrator must have
        the names at the deciding hand.
        """
        won, earlier = after.outcome, before.outcome
        if won is None:
            return "nobody has won yet" if earlier else ""
        is_same = won.winners == before.winners
        if is_same and earlier and won.hand == earlier.hand:
            return ""
        who = f"{self.winners(won)}{' instead' if earlier and not is_same else ''}"
        if won.hand == at and not is_same:
            return who
        comma = "," if who.endswith("instead") else ""
        return f"{who}{comma} in hand {won.hand}{f', {self.result_line(after)}' if with_score else ''}"

    def next_deal(self, now: GameScore) -> str:
        """If the last hand was not played: that, and the next dealer, who under many rules is the same. Else empty."""
        if now.outcome or now.next_dealer is None or (last := now.hands[-1]).bidder is not None:
            return ""
        when = "again" if now.next_dealer == last.dealer else "next"
        return f"{self.unplayed(last)}. {self.seat(now.next_dealer)} deals {when}."

    def win(self, outcome: Outcome, totals: Mapping[Unit, int]) -> str:
        """Text like "Ann, Cy and Ed win, 22 to 23"; for a forfeit, "Ann, Cy and Ed win by forfeit"."""
        if outcome.reason == FORFEIT:
            return f"{self.winners(outcome)} by forfeit"
        return f"{self.winners(outcome)}, {self.final(outcome.winners, totals)}"

    def winners(self, outcome: Outcome) -> str:
        """Text like "Ann, Cy and Ed win"; "... tie" if every unit wins."""
        win = "tie" if len(outcome.winners) == len(self.table.units) else "win"
        called = self.called(outcome.winners)
        return f"{listed(called)} {'wins' if len(called) == 1 else win}"

    def called(self, units: Sequence[Unit]) -> list[str]:
        """The players of some units in the order of play; "Team A" if a name is cut, as in `team`."""
        if self.table.teams and not all(map(self._is_whole, self.table.seats)):
            return [f"Team {unit}" for unit in units]
        return [self.seat(seat) for seat in self.seats_of_units(units)]

    def people(self, units: Sequence[Unit]) -> str:
        """The players of some units in the order of play: "Ann, Cy and Ed"."""
        return listed([self.seat(seat) for seat in self.seats_of_units(units)])

    def seats_of_units(self, units: Sequence[Unit]) -> list[Seat]:
        """The seats of some units in the order of play."""
        return sorted(seat for unit in units for seat in self.table.seats_of[unit])

    def result_line(self, score: GameScore) -> str:
        """Text like "4 to 9, by making the bid": the score, and why the winner wins without the best score."""
        why = why_won(self.table, score)
        return f"{self.final(score.winners, score.totals)}{why and f', {why}'}"

    def final(self, winners: Sequence[Unit], totals: Mapping[Unit, int]) -> str:
        if len(totals) > MOST_UNITS_IN_A_LINE:
            own = [self.scores.score(totals[unit]) for unit in winners]
            return f"with {listed(own if len(set(own)) > 1 else own[:1])}"
        return " to ".join(map(self.scores.score, by_score(totals, winners).values()))


# --- points before the play, hands without play ---------------------------------------------------------------------


def before_the_play(events: Mapping[Unit, str]) -> str:
    """Points scored before the play: " Before the play: Ann’s team +3."; may be empty."""
    scored = [f"{team} {points}" for team, points in events.items()]
    return f" Before the play: {', '.join(scored)}." if scored else ""


def turned_up_said(ranks: Sequence[str]) -> str:
    """The turned-up cards in order: "Jack, then 6"."""
    return ", then ".join("another card" if rank == "x" else rank_name(rank) for rank in ranks)


def unplayed(table: Table, score: HandScore) -> str:
    """Name of a hand without play: a misdeal, or all passed where there is bidding."""
    if score.misdeal:
        return "Misdeal"
    return "All passed" if table.has_auction else "Not played"


# --- how a game ended, or why it goes on ----------------------------------------------------------------------------

# Games without hands, by how they ended.
NO_HANDS = {
    ON_PAPER: "Scored on paper, so it has no hands.",
    FORFEIT: "A forfeit: the game was not played, so it has no hands.",
}


def deciding_rule(narrator: Narrator, score: GameScore) -> str:
    """The result with its rule: names, score, hand; empty while the game goes on."""
    outcome = score.outcome
    if outcome is None:
        return ""
    if outcome.reason == "target":
        return _at_target(narrator, score, outcome.winners)
    return NO_HANDS.get(outcome.reason) or _endings(narrator, score, outcome.winners)[outcome.reason]


def _at_target(narrator: Narrator, score: GameScore, winners: Sequence[Unit]) -> str:
    """Sentence for a win as the only unit at the target after the last hand."""
    table, last, number, end = narrator.table, score.hands[-1], len(score.hands), narrator.scores.end
    who, own = narrator.people(winners), narrator.scores.score(score.totals[winners[0]])
    if table.rules.win.eligible == "made-bid":
        bid, rule = narrator.bid(last.bid), f"From {end} on, {_possible_winners(table)}"
        if table.unit_of[last.bidder or 0] in winners:
            return f"{who} bid {bid} in hand {number}, made it, and had {own}. {rule}"
        return f"{narrator.seat(last.bidder or 0)} made {bid} in hand {number} with {who}, who had {own}. {rule}"
    before = [{unit: total - last.change[unit] - last.adjusted.get(unit, 0) for unit, total in last.totals.items()}]
    before += [hand.totals for hand in score.hands[:-1]]
    if any(total >= table.rules.win.target for totals in before for total in totals.values()):
        return f"{who} had {own} after hand {number}, the only score of {narrator.scores.end_or_better}."
    return f"{who} reached {end} first, in hand {number}, with {own}."


def _endings(narrator: Narrator, score: GameScore, winners: Sequence[Unit]) -> dict[str, str]:
    """Sentences for a game decided in its last hand, by the outcome's reason."""
    scores, win, last = narrator.scores, narrator.table.rules.win, score.hands[-1]
    who, bid, number = narrator.people(winners), narrator.bid(last.bid), f"hand {len(score.hands)}"
    totals = [scores.score(score.totals[unit]) for unit in winners]
    own, early, at_most = totals[0], "", ""
    if win.early:
        early, at_most = " by a made bid" if win.early.eligible == "made-bid" else "", figure(win.early.others_at_most)
    had = f"{who} had {own}"  # lists each total where they differ
    if len(set(totals)) > 1:
        had = listed([f"{narrator.unit(unit)} had {total}" for unit, total in zip(winners, totals, strict=True)])
    crowd = _several(narrator) if win.eligible != "made-bid" else "several players on the side that made its bid"
    crowd = f"When {crowd} reach {scores.end}"
    unless = " and the bidder does not" if _precedes("bidder", "highest", win.both) else ""
    if _precedes("highest", "share", win.both):
        together = f"When the {scores.best} scores of {scores.end_or_better} tie"
    else:
        together = crowd
    team = "bidding team" if narrator.table.teams else "bidder"
    won = f"{who} won with {own} after {number}."
    if len(score.totals) > 2:
        won = f"The {scores.best} score of the others wins: {had} after {number}."
    return {
        "bidder": f"{crowd}, the {team} wins: {who} had the bid in {number} and finished with {own}.",
        "highest": f"{crowd}{unless}, the {scores.best} score wins: {had} after {number}.",
        "share": f"{together}, they win together: {had} after {number}.",
        "early": f"{who} won early{early}: {own} in {number}, with everyone else at {at_most} or less.",
        "count-out": f"{crowd}, the points are counted one by one: {who} got there first, with {own}.",
        "special": f"{who} made the {bid} bid in {number}, which wins the game.",
        "special-lost": f"{narrator.seat(last.bidder or 0)} bid {bid} in {number} and was set, which loses the game. "
        f"{who} won.",
        "all-points": f"{who} took every point of {number}, which wins the game.",
        "hands": f"{number.capitalize()} was the last, and the {scores.best} score wins: {had} after {number}.",
        "lost": f"A score of {figure(win.lost_at or 0)} or less loses the game. {won}",
        **dict.fromkeys(("sets", "sets-in-a-row"), f"{lost_by_sets(narrator, score)} {won}"),
    }


def lost_by_sets(narrator: Narrator, score: GameScore) -> str:
    """“Bo was set twice in a row.”; empty unless this ended the game."""
    win, reason = narrator.table.rules.win, score.outcome.reason if score.outcome else ""
    most = {"sets": win.lost_sets, "sets-in-a-row": win.lost_in_a_row}.get(reason)
    if most is None:
        return ""
    in_a_row = reason == "sets-in-a-row"
    losers = _set_so_often(score, most, in_a_row=in_a_row)
    called = narrator.called(losers)
    was = "were" if len(called) > 1 else "was"
    return f"{listed(called)} {was} set {times(most)}{' in a row' if in_a_row else ''}."


def ending(narrator: Narrator, score: GameScore, turn: str) -> str:
    """`turn` ("Bo wins") with the score: “Bo wins, 12 to 9!”, “Now Al 12, Bo 11. But Bo wins, by making the bid!”.

    Says why if another score is as good, or if the winners need not have reached the score that wins.
    """
    lost, ahead, totals = lost_by_sets(narrator, score), units_ahead(score), score.totals
    why = "" if lost else why_won(narrator.table, score, ENDS_AT_ANY_SCORE)
    if len(totals) <= MOST_UNITS_IN_A_LINE:
        now, told = "", [turn, narrator.final(score.winners, totals), why]
    else:
        shown = [unit for unit in totals if unit in (*score.winners, *ahead)]
        now = f"Now {', '.join(f'{narrator.unit(unit)} {narrator.scores.score(totals[unit])}' for unit in shown)}."
        told = [f"But {turn}" if why and ahead else turn, why]
    return " ".join(filter(None, (now, lost, f"{', '.join(filter(None, told))}!")))


def why_open(narrator: Narrator, score: GameScore) -> str:
    """Why the game goes on with a unit at the target, and who loses by another set; usually empty."""
    return f"{still_playing(narrator, score)} {set_again_loses(narrator, score)}".strip()


def set_again_loses(narrator: Narrator, score: GameScore) -> str:
    """Units that lose an open game by one more set: “Cy loses the game if set again.”; usually empty.

    “… if set in hand 7.” where only sets in a row lose.
    """
    win = narrator.table.rules.win
    in_all = _set_so_often(score, (win.lost_sets or 0) - 1, in_a_row=False)
    close = {*in_all, *_set_so_often(score, (win.lost_in_a_row or 0) - 1, in_a_row=True)}
    again = "again" if in_all else f"in hand {len(score.hands) + 1}"
    if score.outcome or not close:
        return ""
    teams = [narrator.unit(unit) for unit in narrator.table.units if unit in close]
    are, lose, one = ("are", "lose", "team") if narrator.table.teams else ("is", "loses", "player")
    if teams[1:]:
        return f"If {listed(teams, ' or ')} {are} set {again}, that {one} loses the game."
    return f"{teams[0]} {lose} the game if set {again}."


def _set_so_often(score: GameScore, most: int, *, in_a_row: bool) -> list[Unit]:
    """Units set at least `most` times: in total, or in each of the last `most` hands."""
    hands = [hand for hand in score.hands if hand.status == "scored"] if most > 0 else []
    sets = Counter(
        unit for hand in hands[-most if in_a_row else 0 :] if not hand.made for unit in hand.units_of(hand.bidding_side)
    )
    return [unit for unit, number in sets.items() if number >= most]


def _precedes(one: str, other: str, rules: Sequence[str]) -> bool:
    return one in rules and other in rules and rules.index(one) < rules.index(other)


def _possible_winners(table: Table) -> str:
    """The possible winners under rules where winning takes a made bid."""
    if table.teams:
        return "only a team that makes its own bid can win."
    if table.changing_sides:
        return "only the bidder and the partner of a made bid can win."
    return "only a player who makes a bid can win."


def still_playing(narrator: Narrator, score: GameScore) -> str:
    """Why the game goes on although a unit has reached the target; empty if not applicable."""
    if score.still_open is None:
        return ""
    reason, units = score.still_open
    there = [score.totals[unit] for unit in units]
    who, top = listed([narrator.team(unit) for unit in units]), narrator.scores.score(max(there))
    has = "has" if len(there) == 1 and not narrator.is_of_pairs else "have"
    all_scores = dict.fromkeys(map(narrator.scores.score, there))
    is_level = f"{top} to {top} is a tie" if len(narrator.table.units) == 2 else f"{who} are tied at {top}"
    several = f"{_several(narrator)} have {narrator.scores.end_or_better}"
    why = {
        "no-hand": "it takes at least one hand to win.",
        "not-eligible": f"{who} {has} {' and '.join(all_scores)}, but {_possible_winners(narrator.table)}",
        "several": f"{several}. Play on until only one does.",
        "tie": f"{is_level}, and these rules need a leader.",
    }
    return f"Still playing: {why[reason]}"


def close_to_winning(narrator: Narrator, score: GameScore) -> str:
    """Units that one hand's points can bring to the target, closest first: "Ann and Cy need 3, Bo and Di 5".

    Mentions a made bid if one is needed to win, also for units at the target. Empty after the end, and under rules that
    do not need the target: a fixed number of hands, or an early win.
    """
    rules = narrator.table.rules
    win, most = rules.win, sum(max(point.worth, point.captured or 0) for point in rules.points)
    if score.outcome or win.hands or win.early:
        return ""
    lacks = {unit: win.target - total for unit, total in by_score(score.totals).items()}
    bid = "a made bid" if win.eligible == "made-bid" else ""
    near = [
        (narrator.team(unit), " and ".join(filter(None, [str(points) if points > 0 else "", bid])))
        for unit, points in lacks.items()
        if points <= most and (points > 0 or bid)
    ]
    needs = " need" if narrator.is_of_pairs else " needs"
    return ", ".join(f"{who}{'' if place else needs} {what}" for place, (who, what) in enumerate(near))


def _several(narrator: Narrator) -> str:
    what = "teams" if narrator.table.teams else "players"
    return f"both {what}" if len(narrator.table.units) == 2 else f"several {what}"


# --- card points -----------------------------------------------------------------------------------------------------


FAVORED = {
    "bidder": "the bidder",
    "dealer": "the dealer",
    "eldest": "the player after the dealer",
}


def tie_rule(rules: RuleSet, sides: int | None = None) -> str:
    """The Game point's rule for tied sides: who gets it, or the other points that decide, in order.

    `sides` is the number of sides at a particular table.
    """
    game, table = rules.game, rules.table
    if game.tie == "nobody":
        return "A tie counts for nobody."
    alone = table.sides == "solo" or 0 in table.teams
    most = sides or max((*table.teams, *(table.players if alone else ()), 2))  # largest possible number of sides
    if game.tie in FAVORED:
        return f"A tie goes to {FAVORED[game.tie]}.{' If that player is not tied, nobody gets it.' if most > 2 else ''}"
    first, *others = [f"the {name}" for name in rules.called(game.tie_points)]
    then = f" If nobody has it, {in_turn(others)} decides." if others else ""
    return f"Of those tied, whoever has {first} gets it.{then}"
