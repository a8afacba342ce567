"""Sentences about hands and games: what a hand came to, who won and why, who took what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import NamedTuple, Protocol

from scorekeeper.models import FORFEIT, Facts
from scorekeeper.scoring.facts import Adjustment
from scorekeeper.scoring.game import Outcome
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_facts import NOTED, facts_where
from scorekeeper.scoring.points import BELOW_THRESHOLD, BURIED, NOT_CAPTURED, NOT_DEALT, TIED, PointScore
from scorekeeper.scoring.record import ranks_turned_up, read_hand
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import BIDDING, DEFENDING, Seat, Side, Table, Unit
from scorekeeper.web.common.words import (
    RANK_NAMES,
    ScoreWords,
    card_name,
    cut_names,
    in_a_sentence,
    in_suit_order,
    in_turn,
    listed,
    short_names,
    suit_name,
)

MOST_UNITS_IN_A_LINE = 3
CAPTURED = "captured"
NOTHING = "nothing"
WAYS = {"tricks": "the play", "piles": "the cards"}
SEAT = re.compile(r"\bseat (\d+)\b('s)?")  # as the scoring core names a player
MOST_LETTERS = 24  # of a name in a sentence about its team
WHY = {
    BURIED: "buried",
    NOT_DEALT: "not dealt",
    NOT_CAPTURED: "not taken",
    TIED: "tied",
    BELOW_THRESHOLD: "not reached",
}


# Why a side has won that is not ahead, in a few words, by the reason of the game's end.
WHY_WON = {
    **dict.fromkeys(("target", "highest", "share"), "by making the bid"),  # else it was ahead
    "bidder": "with the bid",
    "count-out": "counted out first",
    "special": "by a special bid",
    "special-lost": "because a special bid was set",
    "all-points": "with every point of a hand",
    "lost": "because a score was too low",
    "sets": "because of too many sets",
    "sets-in-a-row": "because of sets in a row",
}


def why_won(outcome: Outcome, totals: Mapping[Unit, int]) -> str:
    """Why these have won although others have as many points, in a few words; empty where nobody else has."""
    others = [total for unit, total in totals.items() if unit not in outcome.winners]
    is_ahead = not others or min(totals[unit] for unit in outcome.winners) > max(others)
    return "" if is_ahead else WHY_WON.get(outcome.reason or "", "")


def by_score(totals: Mapping[Unit, int], winners: Sequence[Unit] = ()) -> dict[Unit, int]:
    """The totals, those of the winners first and then the best."""
    return dict(sorted(totals.items(), key=lambda item: (item[0] not in winners, -item[1])))


class ResultSentence(NamedTuple):
    """A sentence in two parts: its bold beginning, and the rest."""

    head: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.head} {self.rest}".strip()


class HasOutcome(Protocol):
    """A game at some moment, as far as it says who has won."""

    @property
    def totals(self) -> Mapping[Unit, int]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def winners(self) -> tuple[Unit, ...]: ...


class Narrator:
    """Says what happened at one table, with the names of those who sit there.

    `others` sat there in other hands: a first name that one of them has, too, is not enough.
    """

    def __init__(self, table: Table, names: Sequence[str], others: Iterable[str] = ()) -> None:
        self.table = table
        self.names = tuple(names)
        others = [name for name in others if name not in self.names]
        self.scores = ScoreWords(table.rules.win)
        self.shorts = self._whole = short_names([*names, *others])[: len(self.names)]

    def in_few_letters(self, most: int) -> Narrator:
        """One that cuts names of more letters, for a page or a line without room for them."""
        narrator = copy(self)
        narrator.shorts = cut_names(self._whole, most)
        return narrator

    def seat(self, number: int) -> str:
        return in_a_sentence(self.shorts[number - 1])

    def named(self, sentence: str) -> str:
        """A sentence of the scoring core with the names of those who sit there: "seat 2" is Bo."""
        return SEAT.sub(self._named, sentence)

    def _named(self, found: re.Match[str]) -> str:
        """Bo; Bo’s, or seat 2’s where the name is cut."""
        seat = int(found[1])
        if not found[2]:
            return self.seat(seat)
        return f"{self.seat(seat) if self._is_whole(seat) else f'seat {seat}'}’s"

    def _is_whole(self, seat: Seat) -> bool:
        return self.shorts[seat - 1] == self._whole[seat - 1]

    def unit(self, unit: Unit) -> str:
        """A scoring unit by its people: "Ann, Cy and Ed", or just "Ann"."""
        return listed([self.seat(seat) for seat in self.table.seats_of(unit)])

    def team(self, unit: Unit) -> str:
        """A scoring unit in few words: "Ann and Cy" of pairs, else "Ann’s team", or just "Ann".

        All are Team A and Team B where a name would fill the bar beside Save.
        """
        if not self.table.teams or self.is_of_pairs:
            return self.unit(unit)
        fits = all(self._is_whole(one) and len(self.shorts[one - 1]) <= MOST_LETTERS for one in self.table.seats)
        return f"{self.seat(self.table.seats_of(unit)[0])}’s team" if fits else f"Team {unit}"

    @property
    def is_of_pairs(self) -> bool:
        """Whether teams are called by both their names, so that they "lead" and do not "leads"."""
        pairs = [self.unit(unit) for unit in self.table.units if len(self.table.seats_of(unit)) == 2]
        is_whole = all(map(self._is_whole, self.table.seats))
        return len(pairs) == len(self.table.units) and is_whole and max(map(len, pairs)) <= MOST_LETTERS

    def adjustment(self, adjustment: Adjustment) -> str:
        """Ann’s team −2: revoke"""
        return f"{self.gain(adjustment.unit, adjustment.points)}: {adjustment.reason}"

    def gain(self, unit: Unit, points: int) -> str:
        """Ann’s team +3; where scores count down, Ann’s team −3."""
        return f"{self.team(unit)} {self.scores.change(points)}"

    def bid(self, bid: int | None) -> str:
        """A bid as it was called: its number, or a special's name."""
        if self.table.is_without_bid(bid):
            return "nothing" if self.table.has_auction else ""
        special = self.table.specials.get(bid or 0)
        return special.name if special else str(bid)

    def side(self, side: Side, score: HandScore) -> str:
        """A side in few letters: its team letter, a name, or bidding and defending side of that hand."""
        if side == BIDDING:
            return self.partners(score)
        if side == DEFENDING:
            return "others"
        return side if self.table.teams else self.seat(int(side))

    def partners(self, score: HandScore) -> str:
        """Who played on the bidding side, where sides change: the bidder first."""
        if score.sides is None or score.bidder is None:
            return ""
        mates = [seat for seat in self.table.seats if score.sides.of_seat[seat] == BIDDING and seat != score.bidder]
        return listed([self.seat(seat) for seat in (score.bidder, *mates)])

    def bidders(self, score: HandScore) -> str:
        """Who took what was bid: "Ann’s team", "Ann and Cy", "Ann"."""
        if score.bidder is None:
            return ""
        return self.team(self.table.unit_of[score.bidder]) if self.table.teams else self.caller(score)

    def caller(self, score: HandScore) -> str:
        """Whose bid it was: "Ann"; where sides change, with the partner: "Ann and Cy"."""
        return self.partners(score) if self.table.changing_sides else self.seat(score.bidder or 0)

    # --- a hand ---

    def hand(self, score: HandScore, totals: Mapping[Unit, int], when: str = "") -> ResultSentence:
        """Ann bid 4, took 5: +5. / Bo and Di +2. Ann and Cy lead 12 to 9.

        `when` is said of totals that are not those of now: " after hand 3".
        """
        then = self._then(score, totals, when)
        if score.status == "passed-out" or score.bidding_side is None:
            cost = [f"{self.gain(unit, points)}." for unit, points in score.change.items() if points]
            return ResultSentence(f"{self.unplayed(score)}.", " ".join([*cost, then]))
        if not self.table.has_auction:
            return ResultSentence(f"{self.taken(score)}.", f"{self.sale(score)} {then}".strip())
        result = self.result(self.table.unit_of[score.bidder], score) if score.bidder else 0
        verdict = self.scores.change(result) if score.made else f"set, {self.scores.change(result)}"
        return ResultSentence(f"{self.call(score)}: {verdict}.", f"{self.others(score)} {then}")

    def unplayed(self, score: HandScore) -> str:
        """What is said of a hand that was not played: "All passed"."""
        return unplayed(self.table, misdeal=score.misdeal)

    def taken(self, score: HandScore) -> str:
        """What each unit took in a hand without bidding: "Ann and Cy +3, Bo and Di +1"."""
        return ", ".join(self.gain(unit, self.result(unit, score)) for unit in score.change)

    def call(self, score: HandScore) -> str:
        """Ann bid 4, took 5; without bidding what each took."""
        if not self.table.has_auction:
            return self.taken(score)
        taken = score.earned[score.bidding_side] if score.bidding_side else 0
        lost = " but lost a trick" if self.lost_a_trick(score) else ""
        return f"{self.caller(score)} bid {self.bid(score.bid)}, took {taken}{lost}"

    def in_short(self, score: HandScore) -> str:
        """Ann bid 4, took 5; all passed."""
        if score.bidder is None:
            return self.unplayed(score).lower()
        return f"{self.call(score)}{'' if score.made else ', set'}"

    def lost_a_trick(self, score: HandScore) -> bool:
        """Whether that alone is why a special bid was set: all else that it needs was there."""
        return score.missed in (("every-trick",), ("every-trick-alone",))

    def _then(self, score: HandScore, totals: Mapping[Unit, int], when: str) -> str:
        """How the game stands then: "Ann and Cy lead 12 to 9."; of many scores those of the bidding side."""
        of_unit = score.sides.of_unit if score.sides and self.table.has_auction else {}
        bidding = [unit for unit, side in of_unit.items() if side == score.bidding_side]
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
        """What a unit scored for the points and the bid; what it got for the sale or before the play is told apart."""
        return score.change[unit] - score.at_once(unit)

    def others(self, score: HandScore) -> str:
        """What everyone else got: "Bo’s team +2.", "Team B +1, Team C +2.", "The others +2 each."."""
        of_unit = score.sides.of_unit if score.sides else {}
        results = {unit: self.result(unit, score) for unit, side in of_unit.items() if side != score.bidding_side}
        told = {unit: self.scores.change(points) for unit, points in results.items() if points or len(of_unit) == 2}
        if self.table.changing_sides and len(told) > 1:
            got = f"The others {next(iter(told.values()))} each"
        else:
            name = "Team {}".format if len(of_unit) > 2 and self.table.teams else self.team
            got = ", ".join(f"{name(unit)} {change}" for unit, change in told.items()) or "Nobody else scored"
        return f"{got}.{self.sale(score)}"

    def sale(self, score: HandScore) -> str:
        """What was scored beside the points: " Bo sold it: +3.", or before the play; empty where nothing was."""
        sold = "".join(
            f" {self.team(unit)} sold it: {self.scores.change(points)}." for unit, points in score.sold.items()
        )
        events = {self.team(unit): self.scores.change(points) for unit, points in score.events.items()}
        return f"{sold}{before_the_play(events)}"

    def totals(self, totals: Mapping[Unit, int], *, named: bool = False) -> str:
        """12 to −3; or, where many keep a score of their own, each with a name."""
        if len(totals) <= MOST_UNITS_IN_A_LINE and not named:
            return " to ".join(map(self.scores.score, totals.values())) + "."
        return ", ".join(f"{self.unit(unit)} {self.scores.score(total)}" for unit, total in totals.items()) + "."

    def took(self, score: HandScore) -> list[str]:
        """Who took which points, side by side, and why nobody has the rest."""
        by_side: dict[Side, list[str]] = {side: [] for side in score.earned}
        nobodys = []
        for key, point in score.points.items():
            if point.side is None:
                nobodys.append(f"{self.table.points[key].name} {self.why(point, score)}")
                continue
            captured, counts, rule = f" {CAPTURED}" if point.captured else "", "", self.table.points[key]
            if rule.card == "game" and score.counts is not None:
                counts = f" {' to '.join(map(str, sorted(score.counts.values(), reverse=True)))}"
            by_side[point.side].append(f"{rule.name}{captured}{counts}")
        if score.swept is not None:
            by_side[score.swept].append("every trick")
        sides = [f"{self.side(side, score)}: {', '.join(keys)}" for side, keys in by_side.items() if keys]
        lost = [f"{self.bidders(score)} lost a trick"] if self.lost_a_trick(score) else []
        sold = [f"{self.side(unit, score)}: sold the hand for {points}" for unit, points in score.sold.items()]
        early = [f"{self.side(unit, score)}: {points} before the play" for unit, points in score.events.items()]
        return sides + nobodys + lost + sold + early

    def why(self, point: PointScore, score: HandScore) -> str:
        """Why nobody has a point: "buried", "tied 38 to 38"."""
        reason = WHY.get(point.why or "", "not taken")
        if point.why == TIED and score.counts:
            return f"{reason} {' to '.join(map(str, score.counts.values()))}"
        return reason

    def new_totals(self, before: Mapping[Unit, int], after: Mapping[Unit, int], *, named: bool = False) -> str:
        """12 to 9, was 17 to 11; where many keep a score of their own, or by name, those that have changed."""
        if before == after:
            return "same score"
        if len(after) <= MOST_UNITS_IN_A_LINE and not named:
            return f"{self.totals(after)[:-1]}, was {self.totals(before)[:-1]}"
        changed = [unit for unit in after if after[unit] != before[unit]]
        return ", ".join(
            f"{self.team(unit)} {self.scores.score(after[unit])} (was {self.scores.score(before[unit])})"
            for unit in changed
        )

    # --- the end ---

    def turn(self, before: HasOutcome, after: HasOutcome, at: int, *, with_score: bool = True) -> str:
        """What a change of hand `at` means for who has won: "Bo and Di win instead"; empty where it means nothing.

        Where another hand decides it, with that hand and its score: "Ann wins in hand 6, 24 to 10". It speaks with the
        names of this narrator, who has to be the one of the deciding hand.
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
        return f"{who}{comma} in hand {won.hand}{f', {self.result_line(won, after.totals)}' if with_score else ''}"

    def win(self, outcome: Outcome, totals: Mapping[Unit, int]) -> str:
        """Ann, Cy and Ed win, 22 to 23; a game that was not played: Ann, Cy and Ed win by forfeit."""
        if outcome.reason == FORFEIT:
            return f"{self.winners(outcome)} by forfeit"
        return f"{self.winners(outcome)}, {self._final(outcome, totals)}"

    def winners(self, outcome: Outcome) -> str:
        """Ann, Cy and Ed win."""
        seats = self.winning_seats(outcome.winners)
        return f"{listed([self.seat(seat) for seat in seats])} {'wins' if len(seats) == 1 else 'win'}"

    def winning_seats(self, winners: Sequence[Unit]) -> list[Seat]:
        """The seats of the units that have won, in the order of play."""
        return sorted(seat for unit in winners for seat in self.table.seats_of(unit))

    def result_line(self, outcome: Outcome, totals: Mapping[Unit, int]) -> str:
        """22 to 23, with the bid: the score, and why the first one wins where it is not the best."""
        why = why_won(outcome, totals)
        return f"{self._final(outcome, totals)}{why and f', {why}'}"

    def _final(self, outcome: Outcome, totals: Mapping[Unit, int]) -> str:
        own = totals[outcome.winners[0]]
        if len(totals) > MOST_UNITS_IN_A_LINE:
            return f"with {self.scores.score(own)}"
        return " to ".join(map(self.scores.score, by_score(totals, outcome.winners).values()))


# --- before the play, or instead of it ------------------------------------------------------------------------------


def before_the_play(events: Mapping[Unit, str]) -> str:
    """What was scored before the play: " Before the play: Ann’s team +3."; empty where that is nothing."""
    scored = [f"{team} {points}" for team, points in events.items()]
    return f" Before the play: {', '.join(scored)}." if scored else ""


def turned_up_said(ranks: Sequence[str]) -> str:
    """The cards that were turned up, in order: "Jack, then 6"."""
    return ", then ".join("another card" if rank == "x" else RANK_NAMES.get(rank, rank) for rank in ranks)


def unplayed(table: Table, *, misdeal: bool) -> str:
    """What is said of a hand that was not played: where there is bidding, that all have passed."""
    if misdeal:
        return "Misdeal"
    return "All passed" if table.rules.auction.is_held else "Not played"


# --- a hand line by line ---------------------------------------------------------------------------------------


class Line(NamedTuple):
    """One fact of a hand: what it is, its value, and how the two are said in a sentence."""

    name: str
    value: str
    said: str


class HandDescription:
    """Describes hands of one table, each with the names of those who played it."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table = table
        self.narrator = Narrator(table, names)
        self._latest: tuple[Facts, HandScore] | None = None

    def score(self, facts: Facts) -> HandScore:
        """One hand by itself; raises Refused. Mostly the same hand is asked for twice, in short and line by line."""
        if self._latest is None or self._latest[0] is not facts:
            self._latest = facts, score_hand(self.table, read_hand(facts, self.table))
        return self._latest[1]

    def lines(self, facts: Facts) -> list[Line]:
        """All facts of a hand, with their results; raises Refused."""
        score = self.score(facts)
        newcomers = sorted(facts.get("names", {}).items())
        lines = [Line(f"Seat {seat}", name, f"{name} in seat {seat}") for seat, name in newcomers]
        lines.append(_plain("Dealer", self.narrator.seat(score.dealer)))
        if score.bidder is None:
            said = unplayed(self.table, misdeal=score.misdeal)
            name = "Bid" if self.table.has_auction else "Hand"
            return [*lines, *self._turned_up(facts), _plain(name, said.lower()), *self._noted(facts)]
        way = [_plain("Entered by", told) for key, told in WAYS.items() if key in facts]
        return [*lines, *self._call(facts, score), *self._points(score), *way, *self._noted(facts)]

    def _call(self, facts: Facts, score: HandScore) -> Iterable[Line]:
        if self.table.has_auction:
            yield _plain("Bidder", self.narrator.seat(score.bidder or 0))
            yield _plain("Bid", self.narrator.bid(score.bid))
        yield from self._turned_up(facts)
        yield _plain("Trump", suit_name(facts["trump"]))
        if facts.get("called"):
            yield _plain("Called", card_name(facts["called"]))
        if self.table.changing_sides:
            yield _plain("Bidders", self.narrator.partners(score))
        if facts.get("buried"):
            yield _plain("Buried", listed([card_name(card) for card in in_suit_order(facts["buried"])]))

    def _turned_up(self, facts: Facts) -> Iterable[Line]:
        """What happened before the play."""
        if facts.get("turned_up"):
            yield _plain("Turned up", turned_up_said(ranks_turned_up(facts["turned_up"])))
        if facts.get("gift"):
            yield _plain("Begged", "gift given")

    def _points(self, score: HandScore) -> Iterable[Line]:
        for key, point in score.points.items():
            name = self.table.points[key].name
            if point.side is None:
                value = self.narrator.why(point, score)
                yield Line(name, value, f"{name} {value}")
            else:
                value = self.narrator.side(point.side, score) + (f", {CAPTURED}" if point.captured else "")
                yield Line(name, value, f"{name} to {value}")
        for unit, points in score.sold.items():
            value = self.narrator.gain(unit, points)
            yield Line("Sold", value, f"the hand sold: {value}")
        if score.counts:
            counts = " to ".join(map(str, score.counts.values()))
            yield Line("Card points", counts, f"card points {counts}")

    def _noted(self, facts: Facts) -> list[Line]:
        """What the table has written beside the hand."""
        adjusted = "; ".join(self.adjustments(facts))
        lines = [Line("Adjustment", adjusted, f"adjusted: {adjusted}")] if adjusted else []
        return [*lines, *([Line("Note", facts["note"], f"note “{facts['note']}”")] if facts.get("note") else [])]

    def adjustments(self, facts: Facts) -> list[str]:
        """Each adjustment of a score: "Bo’s team −2 (revoke)"."""
        told = facts.get("adjustments", ())
        return [f"{self.narrator.gain(one['unit'], one['points'])} ({one['reason']})" for one in told]

    # --- what a correction changed ---

    def noted(self, before: Facts, after: Facts) -> str:
        """The note and the adjustments of the hand now, if only they were changed; else empty."""
        if _without_notes(before) != _without_notes(after):
            return ""
        told = []
        if before.get("adjustments") != after.get("adjustments"):
            told.append("; ".join(self.adjustments(after)) or "adjustment removed")
        if before.get("note") != after.get("note"):
            told.append(f"note “{after['note']}”" if "note" in after else "note removed")
        return "; ".join(told)

    def differences(self, before: Facts, after: Facts) -> list[str]:
        """What is different in the second hand: "bid 4, was 5"; raises Refused."""
        if self._passed(before) != self._passed(after):
            return [f"{self.in_short(after)}, was: {self.in_short(before)}"]
        old = {line.name: line for line in self.lines(before)}
        new = {line.name: line for line in self.lines(after)}
        return [_difference(name, old, new) for name in {**new, **old} if old.get(name) != new.get(name)]

    def _passed(self, facts: Facts) -> bool:
        return self.score(facts).bidder is None

    def in_short(self, facts: Facts) -> str:
        """As Narrator.in_short; raises Refused."""
        return self.narrator.in_short(self.score(facts))


def _without_notes(facts: Facts) -> Facts:
    return facts_where(facts, lambda key, _: key not in NOTED)


def _plain(name: str, value: str) -> Line:
    return Line(name, value, f"{name[:1].lower()}{name[1:]} {value}")


def _difference(name: str, old: Mapping[str, Line], new: Mapping[str, Line]) -> str:
    if name not in new:
        return f"{name[:1].lower()}{name[1:]} removed, was {old[name].value}"
    return f"{new[name].said}, was {old[name].value if name in old else NOTHING}"


# --- card point sentences --------------------------------------------------------------------------------------------


FAVORED = {
    "bidder": "the bidder",
    "dealer": "the dealer",
    "eldest": "the player after the dealer",
}
IF_TIED = ", if among the tied, else to nobody"


def tie_rule(rules: RuleSet, sides: int | None = None) -> str:
    """Who has the point for card points when sides tie; where points decide it, which first and which after it.

    `sides` is how many a table has, where it is about one.
    """
    game = rules.game
    if game.tie == "nobody":
        return "A tie counts for nobody."
    many = _has_many_sides(rules) if sides is None else sides > 2
    if game.tie in FAVORED:
        return f"A tie goes to {FAVORED[game.tie]}{IF_TIED if many else ''}."
    first, *others = [f"the {name}" for name in rules.called(game.tie_points)]
    then = f" If nobody has it, {in_turn(others)} decides." if others else ""
    return f"A tie goes to whoever of them has {first}.{then}"


def _has_many_sides(rules: RuleSet) -> bool:
    """Whether more than two sides can play against each other in a hand."""
    table = rules.table
    alone = table.sides == "solo" or 0 in table.teams
    return (alone and max(table.players) > 2) or max(table.teams, default=0) > 2
