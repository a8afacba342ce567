"""A hand in words, line by line: for two hands side by side, and for what a change of one has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.models import Facts
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_record import ranks_turned_up, read_hand
from scorekeeper.scoring.table import Table

from .narrator import Narrator
from .turn_up_sentences import CAPTURED, turned_up_said, unplayed
from .words import card_name, in_suit_order, listed, point_name, suit_name

NOTHING = "nothing"
NOTED = ("note", "adjustments")  # what the table writes beside a hand
WAYS = {"tricks": "the play", "piles": "the cards"}


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
        lines = [*self._newcomers(facts), _plain("Dealer", self.narrator.seat(score.dealer))]
        if score.bidder is None:
            said = unplayed(self.table, misdeal=score.misdeal)
            name = "Bid" if self.table.rules.auction.is_held else "Hand"
            return [*lines, *self._turned_up(facts), _plain(name, said.lower()), *self._noted(facts)]
        return [*lines, *self._call(facts, score), *self._points(score), *self._way(facts), *self._noted(facts)]

    def _newcomers(self, facts: Facts) -> list[Line]:
        seats = sorted(facts.get("names", {}).items())
        return [Line(f"Seat {seat}", name, f"{name} in seat {seat}") for seat, name in seats]

    def _call(self, facts: Facts, score: HandScore) -> Iterable[Line]:
        if self.table.rules.auction.is_held:
            yield _plain("Bidder", self.narrator.seat(score.bidder or 0))
            yield _plain("Bid", self.narrator.bid(score.bid))
        yield from self._turned_up(facts)
        yield _plain("Trump", suit_name(facts["trump"]))
        if facts.get("called"):
            yield _plain("Called", card_name(facts["called"]))
        if self.table.changing_sides:
            yield _plain("Bidding side", self.narrator.partners(score))
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
            name = point_name(key)
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
            counts = " to ".join(str(count) for count in score.counts.values())
            yield Line("Card points", counts, f"card points {counts}")

    def _way(self, facts: Facts) -> list[Line]:
        """How the hand was entered, if not by its points."""
        return [_plain("Entered by", told) for key, told in WAYS.items() if key in facts]

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
        """Ann's team bid 4, took 5; all passed; raises Refused."""
        score = self.score(facts)
        if score.bidder is None:
            return self.narrator.unplayed(score).lower()
        return f"{self.narrator.call(score)}{'' if score.made else ', set'}"


def _without_notes(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if key not in NOTED}


def _plain(name: str, value: str) -> Line:
    return Line(name, value, f"{name[:1].lower()}{name[1:]} {value}")


def _difference(name: str, old: Mapping[str, Line], new: Mapping[str, Line]) -> str:
    if name not in new:
        return f"{name[:1].lower()}{name[1:]} removed, was {old[name].value}"
    return f"{new[name].said}, was {old[name].value if name in old else NOTHING}"
