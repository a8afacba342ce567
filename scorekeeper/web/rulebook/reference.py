"""The rules of one game, or of one rule set, as a page and as a card to print: all of it follows from the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from scorekeeper.models import Facts
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Side, Table
from scorekeeper.services.custom_rules import for_this_table
from scorekeeper.web.common.narrator import CAPTURED, Narrator, ResultSentence
from scorekeeper.web.common.words import card_name, card_sign, in_suit_order, listed, suit_name
from scorekeeper.web.rulebook.examples import examples
from scorekeeper.web.rulebook.messages import Chapter, begging, chapters


class ShownExample(NamedTuple):
    """A worked example, ready to be drawn."""

    title: str
    call: list[str]
    points: list[PointRow]
    card_points: str
    result: ResultSentence


class Seated(NamedTuple):
    """Somebody at the table: their name, and the letter of their team ("" where everybody plays alone)."""

    name: str
    team: str


LINE = 50  # letters in a line of half a page


class Reference:
    """A rule set at one table; `names` are those who sit there, if somebody does already."""

    def __init__(self, rules: RuleSet, table: Table | None = None, names: Sequence[str] = ()) -> None:
        self.table = table or Table(rules)
        self.rules = rules if table is None else for_this_table(table)
        self.names = tuple(names) or NAMES[: self.table.players]

    @property
    def chapters(self) -> list[Chapter]:
        return chapters(self.rules)

    @property
    def halves(self) -> tuple[list[Chapter], list[Chapter]]:
        """The chapters, parted where both halves are about as long on paper."""
        chapters = self.chapters
        lines = [2 + sum(1 + len(line) // LINE for line in _lines(chapter)) for chapter in chapters]
        ends = range(1, len(chapters))
        parted = min(ends, key=lambda end: max(sum(lines[:end]), sum(lines[end:])))
        return chapters[:parted], chapters[parted:]

    @property
    def seating(self) -> list[Seated]:
        """Who sits where, in the order of play."""
        units = self.table.unit_of[1:]
        return [Seated(name, unit if self.table.teams else "") for name, unit in zip(self.names, units, strict=True)]

    @property
    def columns(self) -> list[str]:
        """Whose score each column of a score sheet is: a team's people, or a player."""
        narrator = Narrator(self.table, self.names)
        return [narrator.unit(unit) for unit in self.table.units]

    @cached_property
    def examples(self) -> list[ShownExample]:
        """Two or three hands at this table, with what each comes to."""
        says = ExampleSentences(self.table, self.names)
        return [
            ShownExample(
                says.title(score), says.call(facts, score), says.points(score, cards), says.card_points(score),
                says.result(score),
            )
            for facts, score, cards in examples(self.table)
        ]  # fmt: skip


class ChangedRules(NamedTuple):
    """Rules beside those that they began with."""

    rules: RuleSet
    before: RuleSet

    @property
    def chapters(self) -> list[tuple[Chapter, set[str]]]:
        """The chapters, each with those of its sentences that are not in the rules before."""
        known = {line for chapter in chapters(self.before) for line in _lines(chapter)}
        return [(chapter, set(_lines(chapter)) - known) for chapter in chapters(self.rules)]


def _lines(chapter: Chapter) -> list[str]:
    """Everything that a chapter says: its sentences, its table row by row, its cards."""
    return [*chapter.sentences, *(f"{name}: {value}" for name, value in chapter.table), chapter.cards_in_words]


# --- example sentences -----------------------------------------------------------------------------------------------


NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal", "Ida", "Jo", "Kay", "Lou")  # where nobody plays yet


class PointRow(NamedTuple):
    """A point of an example: its name, the card that it was (None: not dealt, or Game), and who has it."""

    name: str
    card: Card | None
    who: str


class ExampleSentences:
    """Says what happened in an example hand."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table = table
        self.narrator = Narrator(table, names)

    def title(self, score: HandScore) -> str:
        """What the example shows: "Cy bids 4 and makes it"."""
        if not self.table.rules.auction.is_held:
            return f"A hand that {self.narrator.seat(score.dealer)} deals"
        who = self.narrator.caller(score)
        several = not self.table.teams and " and " in who
        verbs = ("bid", "make it", "are set") if several else ("bids", "makes it", "is set")
        return f"{who} {verbs[0]} {self.narrator.bid(score.bid)} and {verbs[1] if score.made else verbs[2]}"

    def call(self, facts: Facts, score: HandScore) -> list[str]:
        """Who deals, who bids what and how trump is settled; the called card; what is buried."""
        bidder, trump = self.narrator.seat(score.bidder or 0), suit_name(facts["trump"])
        by_name = self.table.rules.trump.by == "named"
        made = f"and names {trump} as trump" if by_name else f"and leads: {trump} are trump"
        dealer, bid = self.narrator.seat(score.dealer), self.narrator.bid(score.bid)
        if not self.table.rules.auction.is_held:
            return [f"{dealer} deals.{begging(facts, bidder)} {trump.capitalize()} are trump, and {bidder} leads."]
        said = [f"{dealer} deals. {bidder} wins the bid with {bid} {made}."]
        if facts.get("called"):
            said.append(self._called(facts, bidder))
        if facts.get("buried"):
            said.append(f"Buried: {listed([card_sign(card) for card in in_suit_order(facts['buried'])])}.")
        return said

    def _called(self, facts: Facts, bidder: str) -> str:
        card, partner = card_name(facts["called"]), facts.get("partner")
        if partner is None:
            return f"{bidder} calls the {card}. Nobody else has it, so {bidder} plays alone."
        return f"{bidder} calls the {card}. {self.narrator.seat(partner)} has it and is the partner."

    def points(self, score: HandScore, cards: Mapping[str, Card | None]) -> list[PointRow]:
        """Every point of the rules, and who has it."""
        rows = []
        for key, point in score.points.items():
            who = self.narrator.why(point, score) if point.side is None else self.side(point.side, score)
            won = f", {CAPTURED}" if point.captured else ""
            rows.append(PointRow(self.table.points[key].name, cards.get(key), f"{who}{won}"))
        return rows

    def side(self, side: Side, score: HandScore) -> str:
        """A side by its people, the bidding side by the bidder."""
        if side == score.bidding_side and self.table.rules.auction.is_held:
            return self.narrator.bidders(score)
        return self.narrator.team(side) if self.table.teams else self.narrator.side(side, score)

    def card_points(self, score: HandScore) -> str:
        """Card points: Ann’s team 40, Bo’s team 37; empty where they count for nothing."""
        if not score.counts or self.table.game_key is None:
            return ""
        told = [f"{self.side(side, score)} {count}" for side, count in score.counts.items()]
        return f"Card points: {', '.join(told)}."

    def result(self, score: HandScore) -> ResultSentence:
        """What the hand comes to, and the scores after it."""
        return self.narrator.hand(score, score.totals)
