"""A worked example of the rules in words: who bid what on which trump, who has which point, what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorekeeper.models import Facts
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import Side, Table
from scorekeeper.web.common.narrator import CAPTURED, Narrator, Says
from scorekeeper.web.common.words import card_name, card_sign, in_suit_order, listed, point_name, suit_name

from .turn_up_sentences import begging, without_bidding

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
        """What the example shows: "Cy’s team bids 4 and makes it"."""
        if not self.table.rules.auction.is_held:
            return without_bidding(self.narrator.seat(score.dealer))
        who = self.narrator.bidders(score)
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
            rows.append(PointRow(point_name(key), cards.get(key), f"{who}{won}"))
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

    def result(self, score: HandScore) -> Says:
        """What the hand comes to, and the scores after it."""
        return self.narrator.hand(score, score.totals)
