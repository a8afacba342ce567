"""The rules of a game or rule set, as a page and as a table card to print; generated from the rules.

Includes worked examples: hands played by the simulator and scored like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from scorekeeper.models import Facts
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.points import NOT_DEALT
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import ranks_turned_up, write_hand
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Side, Table, Unit
from scorekeeper.services.custom_rules import restricted_to_table
from scorekeeper.simulator import draw_styles
from scorekeeper.simulator.hands import PlayedHand, facts_of, play_hand
from scorekeeper.web.common.narrator import CAPTURED, Narrator, turned_up_said
from scorekeeper.web.common.words import card_name, card_sign, in_suit_order, listed, suit_name

from .messages import Chapter, chapters

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal", "Ida", "Jo", "Kay", "Lou")  # for tables without players
LINE = 50  # characters per line in a printed column
MOST_DEALT = 60  # hands searched for an example of each kind
KINDS = 3
SEED = "worked examples"


class ScoredPoint(NamedTuple):
    """A point: its name, its card if there is one and it is known, and who has it or why nobody does."""

    name: str
    card: Card | None
    said: str


class Reference:
    """A rule set at a table; `names` are its players, if any."""

    def __init__(self, rules: RuleSet, table: Table | None = None, names: Sequence[str] = ()) -> None:
        self.table = table or Table(rules)
        self.rules = rules if table is None else restricted_to_table(table)
        self.names = tuple(names) or NAMES[: self.table.players]

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.table, self.names)

    @property
    def chapters(self) -> list[Chapter]:
        return chapters(self.rules)

    @property
    def halves(self) -> tuple[list[Chapter], list[Chapter]]:
        """The chapters in two columns of about equal length on paper."""
        chapters = self.chapters
        lines = [2 + sum(1 + len(line) // LINE for line in chapter.lines) for chapter in chapters]
        ends = range(1, len(chapters))
        parted = min(ends, key=lambda end: max(sum(lines[:end]), sum(lines[end:])))
        return chapters[:parted], chapters[parted:]

    @property
    def columns(self) -> list[str]:
        """Headings of a blank score sheet: a team's names, or a player's."""
        return [self.narrator.unit(unit) for unit in self.table.units]

    # --- examples ---

    @property
    def examples(self) -> tuple[Example, ...]:
        """Two or three example hands at this table."""
        return examples(self.table.rules, self.table.players, self.table.teams)

    def title(self, score: HandScore) -> str:
        """Title of an example: "Cy bids 4 and makes it"."""
        if not self.table.has_auction:
            return f"A hand that {self.narrator.seat(score.dealer)} deals"
        who = self.narrator.caller(score)
        several = not self.table.teams and " and " in who
        bids, makes, fails = ("bid", "make it", "are set") if several else ("bids", "makes it", "is set")
        return f"{who} {bids} {self.narrator.bid(score.bid)} and {makes if score.made else fails}"

    def call(self, facts: Facts, score: HandScore) -> list[str]:
        """Dealer, bid and trump of an example; called card and buried cards."""
        bidder, trump = self.narrator.seat(score.bidder or 0), suit_name(facts["trump"])
        by_name = self.table.rules.trump.by == "named"
        made = f"and names {trump} as trump" if by_name else f"and leads: {trump} are trump"
        dealer, bid = self.narrator.seat(score.dealer), self.narrator.bid(score.bid)
        if not self.table.has_auction:
            return [f"{dealer} deals.{_begging(facts, bidder)} {trump.capitalize()} are trump, and {bidder} leads."]
        said = [f"{dealer} deals. {bidder} wins the bid with {bid} {made}."]
        if facts.get("called"):
            calls, partner = f"{bidder} calls the {card_name(facts['called'])}.", facts.get("partner")
            alone = f"Nobody else has it, so {bidder} plays alone."
            said.append(f"{calls} {f'{self.narrator.seat(partner)} has it and is the partner.' if partner else alone}")
        if facts.get("buried"):
            said.append(f"Buried: {listed([card_sign(card) for card in in_suit_order(facts['buried'])])}.")
        return said

    def points(self, score: HandScore, cards: Mapping[str, Card | None]) -> list[ScoredPoint]:
        """Every point of the rules, and who has it."""
        rows = []
        for key, point in score.points.items():
            who = self.narrator.why(point, score) if point.side is None else self._side(point.side, score)
            won = f", {CAPTURED}" if point.captured else ""
            rows.append(ScoredPoint(self.table.points[key].name, cards.get(key), f"{who}{won}"))
        return rows

    def _side(self, side: Side, score: HandScore) -> str:
        """A side by its names, the bidding side by its bidder."""
        if side == score.bidding_side and self.table.has_auction:
            return self.narrator.bidders(score)
        return self.narrator.team(side) if self.table.teams else self.narrator.side(side, score)

    def card_points(self, score: HandScore) -> str:
        """Text like "Card points: Ann’s team 40, Bo’s team 37."; empty if they do not count."""
        if not score.counts or self.table.game_key is None:
            return ""
        told = [f"{self._side(side, score)} {count}" for side, count in score.counts.items()]
        return f"Card points: {', '.join(told)}."


def _begging(facts: Facts, eldest: str) -> str:
    """Events before the play of an example: " Turned up: Jack. Ann begs, and is given points."."""
    turned = f" Turned up: {turned_up_said(ranks_turned_up(facts['turned_up']))}." if facts.get("turned_up") else ""
    return f"{turned} {eldest} begs, and is given points." if facts.get("gift") else turned


class ChangedRules(NamedTuple):
    """Edited rules, and the rules they are based on."""

    rules: RuleSet
    before: RuleSet

    @property
    def chapters(self) -> list[tuple[Chapter, set[str], list[str]]]:
        """The chapters, each with its lines that are not in the original rules, and those that are only there."""
        before, now = chapters(self.before), chapters(self.rules)
        known, kept = ({line for chapter in side for line in chapter.lines} for side in (before, now))
        gone = {
            one.title: [line for line in one.lines if line not in kept and line != one.cards_in_words] for one in before
        }
        return [(chapter, set(chapter.lines) - known, gone.get(chapter.title, [])) for chapter in now]


# --- example hands ----------------------------------------------------------------------------------------------------


class Example(NamedTuple):
    """A hand in the format of the game record (points, no tricks), its score, and the card of each point."""

    facts: Facts
    score: HandScore
    cards: Mapping[str, Card | None]


@lru_cache(maxsize=64)
def examples(rules: RuleSet, players: int, teams: int) -> tuple[Example, ...]:
    """Up to three hands: one made, one set, and one with a point nobody has. Deterministic.

    They are consecutive: each starts from the scores after the one before.
    """
    table = Table(rules, players, teams)
    found: dict[int, tuple[PlayedHand, HandScore]] = {}
    for played, score in _dealt(table):
        kind = next((kind for kind, is_one in enumerate(_kinds(score)) if is_one and kind not in found), None)
        if kind is not None:
            found[kind] = played, score
        if len(found) == KINDS:
            break
    return tuple(_in_a_row(table, [found[kind] for kind in sorted(found)]))


def _kinds(score: HandScore) -> tuple[bool, bool, bool]:
    """Flags for the kinds a hand is an example of."""
    return (
        score.made and sum(points > 0 for points in score.earned.values()) > 1,  # the others took something too
        score.bidder is not None and not score.made,
        # The point's card was buried or not dealt, or Game was tied.
        score.made and any(point.side is None for point in score.points.values()),
    )


def _dealt(table: Table) -> Iterator[tuple[PlayedHand, HandScore]]:
    """Simulated hands, without those in which a player did something that unusual house rules forbid.

    If a player sees the rest of the deck, also without hands where a point was left undealt there.
    """
    rng = Random(SEED)  # noqa: S311
    styles = draw_styles(rng, table.players)
    for number in range(MOST_DEALT):
        played = play_hand(table, rng, styles, number % table.players + 1, table.at_zero)
        try:
            score = score_hand(table, played.hand)
        except Refused:
            continue
        if table.rules.deck.rob == "nobody" or all(point.why != NOT_DEALT for point in score.points.values()):
            yield played, score


def _in_a_row(table: Table, chosen: list[tuple[PlayedHand, HandScore]]) -> Iterator[Example]:
    totals: Mapping[Unit, int] = table.at_zero
    for played, score in chosen:
        counts = dict[str | int, int](score.counts.items()) if score.counts and table.game_key else None
        hand = facts_of(table, played, score=score)._replace(game_counts=counts)
        try:
            after = score_hand(table, hand, before=totals)
        except Refused:  # by the scores of the examples before it
            continue
        totals = after.totals
        seen = {card for trick in played.hand.tricks or () for card in trick.cards}
        cards = table.trumps[played.hand.trump or ""].point_cards(table.cards - seen)
        yield Example(write_hand(hand), after, cards)
