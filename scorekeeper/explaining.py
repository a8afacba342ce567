"""`scorekeeper score --explain`: records explained in sentences, every point with the rule for it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from scorekeeper.scoring.cards import JOKERS
from scorekeeper.scoring.command import score_files
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.game import Game, GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.points import BELOW_THRESHOLD, BURIED, NOT_CAPTURED, NOT_DEALT, TIED, PointScore
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.rules import RuleSet, find_rules
from scorekeeper.scoring.rules.fields import PLAIN_CARDS, TRICKS, Point
from scorekeeper.scoring.table import BIDDING, Side, Table, Unit
from scorekeeper.web.common.narrator import (
    CAPTURED,
    LEFT_TO_RIGHT_MARK,
    Narrator,
    before_the_play,
    deciding_rule,
    still_playing,
    tie_rule,
    turned_up_said,
)
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import (
    POINT_CARDS,
    card_name,
    card_sign,
    ended,
    in_suit_order,
    listed,
    suit_name,
)
from scorekeeper.web.rulebook.messages import (
    MADE_SCORES,
    OTHERS_SCORE,
    OWNERS,
    all_pass,
    bid_rule,
    card_of_point,
    chapters,
    misdeal_rule,
    others_score,
    special_needs,
    without_bid,
)

EXPLAIN = "--explain"


def main(arguments: Sequence[str]) -> int:
    """Explain the records in the named files; returns the exit status of `scorekeeper score`."""
    return score_files([each for each in arguments if each != EXPLAIN], explanation, problem_lines)


def explanation(game: Game, score: GameScore) -> str:
    """A scored game as lines of sentences, with an empty line after each hand."""
    return _printable(explain(game, score))


def problem_lines(problems: Sequence[Problem]) -> str:
    """All problems of a record, one per line."""
    return _printable(map(str, problems))


def _printable(lines: Iterable[str]) -> str:
    """Replace characters that the terminal cannot show, and control characters: names may contain anything."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = "\n".join(
        "".join(letter if letter.isprintable() or letter == LEFT_TO_RIGHT_MARK else "?" for letter in line)
        for line in lines
    )
    return text.encode(encoding, "replace").decode(encoding)


def explain(game: Game, score: GameScore) -> Iterator[str]:
    """The sentences of a game: its rules and players, each hand, and how it ended or why it goes on."""
    first, *narrators = _narrators(game)
    yield from _head(game, first)
    for number, (narrator, hand, scored) in enumerate(zip(narrators, game.hands, score.hands, strict=False), 1):
        yield ""
        yield f"Hand {number}"
        yield from HandExplained(narrator, hand, scored).lines()
    yield ""
    last = narrators[-1] if narrators else first
    yield deciding_rule(last, score) or still_playing(last, score) or _goes_on(last, score.next_dealer)


def _head(game: Game, narrator: Narrator) -> Iterator[str]:
    table = game.table
    yield f"Rules: {game.rules.name or game.rules.id}."
    if game.rules_id:  # the sentences that differ from its rule set
        usual = set(_rule_sentences(find_rules(game.rules_id)))
        house = [sentence for sentence in _rule_sentences(game.rules) if sentence not in usual]
        if house:
            yield f"House rules: {' '.join(house)}"
    yield " ".join(chapters(game.rules)[-1].sentences)  # the conditions for winning
    if table.teams:
        yield " ".join(ended(f"Team {unit}: {narrator.unit(unit)}") for unit in table.units)
    else:
        yield f"Each with a score of their own: {listed(narrator.names)}."
    if game.start:
        yield f"Starting score: {scores(narrator, dict(game.start))}."


def _narrators(game: Game) -> Iterator[Narrator]:
    """A narrator for the first seating, then one per hand: substitutes are seated from their hand on."""
    names = list(game.names or (f"Seat {seat}" for seat in game.table.seats))
    everybody = [*names, *(name for hand in game.hands for name in (hand.names or {}).values())]
    yield Narrator(game.table, names, everybody)
    for hand in game.hands:
        for seat, name in (hand.names or {}).items():
            names[seat - 1] = name
        yield Narrator(game.table, names, everybody)


# --- sentences -------------------------------------------------------------------------------------------------------


ALWAYS_ITSELF = (*JOKERS, *PLAIN_CARDS)  # whatever is trump
NOBODY = {
    BURIED: "{card} is buried.",
    NOT_DEALT: "{card} was not dealt.",
    NOT_CAPTURED: "{card} was not taken.",
    TIED: "The card points are tied. {tie}",
    BELOW_THRESHOLD: "Nobody has {least} card points.",
}
MISSED = {
    "every-trick": "lost a trick",
    "every-trick-alone": "did not win every trick alone",
    "every-point": "did not take every point",
    "points": "took too few points",
}


def _rule_sentences(rules: RuleSet) -> Iterator[str]:
    for chapter in chapters(rules):
        yield from chapter.sentences
        yield from (f"{name}: {said}." for name, said in chapter.table)
        if chapter.cards:
            yield f"{chapter.sentences[-1]} {chapter.cards_in_words}."


def scores(narrator: Narrator, totals: dict[Unit, int]) -> str:
    """Ann’s team 12, Bo’s team 9"""
    return ", ".join(f"{narrator.team(unit)} {narrator.scores.score(total)}" for unit, total in totals.items())


def _goes_on(narrator: Narrator, dealer: int | None) -> str:
    """The sentence for a game that is not won yet."""
    if dealer is None:
        return "No hand has been played."
    return f"Nobody has won yet, so the game goes on: {narrator.seat(dealer)} deals next."


class HandExplained:
    """The sentences of one hand, by the rules of its game."""

    def __init__(self, narrator: Narrator, hand: Hand, score: HandScore) -> None:
        self.narrator, self.hand, self.score = narrator, hand, score
        self.table: Table = narrator.table
        self.rules = self.table.rules

    def lines(self) -> Iterator[str]:
        """One line per event, in the order of play."""
        if self.score.sides is None:
            rule = misdeal_rule(self.rules) if self.score.misdeal else all_pass(self.rules)
            deals = f"{self.narrator.seat(self.score.dealer)} deals. {self._before_the_play()}"
            cost = "".join(
                f" {self.narrator.gain(unit, points)}." for unit, points in self.score.change.items() if points
            )
            yield f"{deals}{self.narrator.unplayed(self.score)}. {rule}{cost}"
        else:
            yield " ".join(self._call())
            yield from (self._point(key, point) for key, point in self.score.points.items())
            if self.score.swept is not None:
                more = counted(self.rules.settle.sweep, "point")
                yield f"Every trick and every point: {self.who(self.score.swept)}, {more} more."
            yield from self._outcome()
        yield from (f"{ended(self.narrator.adjustment(one))} The table agreed on it." for one in self.score.adjustments)
        if self.hand.note:
            yield ended(f"Note: {self.hand.note}")
        yield f"Score: {scores(self.narrator, self.score.totals)}."

    # --- the bidding ---

    def _call(self) -> Iterator[str]:
        seat, bidder = self.narrator.seat, self.narrator.seat(self.score.bidder or 0)
        yield f"{seat(self.score.dealer)} deals. {self._before_the_play()}".strip()
        if self.hand.bids:
            said = ["passes" if call.bid is None else self.narrator.bid(call.bid) for call in self.hand.bids]
            calls = [f"{seat(call.seat)} {bid}" for call, bid in zip(self.hand.bids, said, strict=True)]
            yield f"The bids: {', '.join(calls)}."
        if not self.table.has_auction:
            yield f"{bidder} leads to the first trick."
        elif self.table.is_without_bid(self.score.bid):
            yield f"Nobody has bid, so {bidder} leads without a bid."
        else:
            yield f"{bidder} has the bid with {self.narrator.bid(self.score.bid)}."
        yield f"{suit_name(self.hand.trump or '').capitalize()} are trump."
        yield from self._called(bidder)
        if self.hand.buried:
            yield f"Buried: {', '.join(card_sign(card) for card in in_suit_order(self.hand.buried))}."

    def _before_the_play(self) -> str:
        """The cards turned up, begging, and the points for them."""
        turned, scored = self.hand.turned_up, self.score.events
        said = f"Turned up: {turned_up_said(turned)}. " if turned else ""
        gift = f"{self.narrator.seat(self.table.next_seat(self.score.dealer))} begs, and is given points. "
        team, misdeal = self.narrator.team, self.score.misdeal
        events = {team(unit): self.narrator.scores.change(points) for unit, points in scored.items()}
        return f"{said}{gift if self.hand.gift else ''}{'' if misdeal else before_the_play(events).strip()} ".lstrip()

    def _called(self, bidder: str) -> Iterator[str]:
        if not self.table.calls_partner:
            return
        partners = self.narrator.partners(self.score)
        card = f"the {card_name(self.hand.called)}" if self.hand.called else "a partner"
        alone = partners == bidder
        yield f"{bidder} calls {card} and plays alone." if alone else f"{bidder} calls {card}: {partners} are partners."

    # --- the points ---

    def _point(self, key: str, score: PointScore) -> str:
        point = self.table.points[key]
        if score.side is None:
            card = f"The {card_name(score.card)}" if score.card else "It"
            why = NOBODY[score.why or NOT_CAPTURED].format(
                card=card, tie=tie_rule(self.rules), least=self.rules.game.at_least
            )
            return f"{point.name}: nobody. {why} {self._rule(point, score)}"
        worth = counted(self.table.worth_if[score.captured][key], "point")
        won = f" {CAPTURED}," if score.captured else ""
        return f"{point.name}: {self.who(score.side)},{won} {worth}. {self._rule(point, score)}"

    def _rule(self, point: Point, score: PointScore) -> str:
        """The rule that gives the point to a side."""
        if point.card == "game":
            return self._game(score)
        if point.card in TRICKS:
            return f"It goes to whoever wins the {POINT_CARDS[point.card]}."
        owner = f"counts for {OWNERS[point.owner]}."
        if score.side is None and score.card is not None:
            return f"It {owner}"
        here = "" if score.card is None or point.card in ALWAYS_ITSELF else f", here the {card_name(score.card)}"
        assumed = " Nobody said who that was, so the pile it is in decides." if point.key in self.score.assumed else ""
        more = "" if point.captured is None else f" Captured from another, it is worth {point.captured}."
        return f"It is {card_of_point(point)}{here}, and {owner}{more}{assumed}"

    def _game(self, score: PointScore) -> str:
        game, told = self.rules.game, self.score.counts
        counts = [f"{self.who(side)} {count}" for side, count in (told or {}).items()]
        said = f"Card points: {', '.join(counts)}. " if counts else ""
        least = f" It takes at least {game.at_least}." if game.award == "at-least" else ""
        tied = told is not None and list(told.values()).count(max(told.values())) > 1
        tie = f" {tie_rule(self.rules)}" if tied and score.side is not None else ""
        return f"{said}The most card points win it.{least}{tie}"

    def who(self, side: Side) -> str:
        """A side by its players: "Ann’s team", "Bo, Di and Ed", "Ann"."""
        if self.table.teams:
            return self.narrator.team(side)
        if side == BIDDING:
            return self.narrator.partners(self.score)
        return listed([self.narrator.unit(unit) for unit in self.score.units_of(side)])

    # --- the result ---

    def _outcome(self) -> Iterator[str]:
        """The result of the bid, and the scores of the others."""
        if self.table.is_without_bid(self.score.bid):
            yield self._with_changes(without_bid(self.rules), list(self.score.earned))
        elif self.score.made and self.table.scores_difference(self.score.bid):
            took = [f"{self.who(side)} took {points}" for side, points in self.score.earned.items()]
            rule = self._with_changes(MADE_SCORES["difference"], list(self.score.earned))
            yield f"{', '.join(took)}, so the bid of {self.score.bid} is made. {rule}"
        else:
            yield self._bidding_side()
            yield self._others()
        for unit, points in self.score.sold.items():
            yield f"{self.narrator.team(unit)} sold the hand: {self.narrator.scores.change(points)}."

    def _bidding_side(self) -> str:
        side = self.score.bidding_side or ""
        who, bid = self.who(side), self.narrator.bid(self.score.bid)
        verdict = "made" if self.score.made else "set"
        special = self.table.specials.get(self.score.bid or 0)
        changes = self._with_changes(bid_rule(self.rules, special, made=self.score.made), [side])
        return f"{who} bid {bid}{self._needed(side)}, so the bid is {verdict}. {changes}"

    def _needed(self, side: Side) -> str:
        """The condition of the bid, and what was taken or missed."""
        took = self.score.earned[side]
        special = self.table.specials.get(self.score.bid or 0)
        if special is None:
            short = "" if self.score.made else f", {(self.score.bid or 0) - took} too few"
            return f" and took {took}{short}"
        missed = listed([MISSED[need] for need in self.score.missed])
        return f" (to {special_needs(special, self.rules)}), took {took}{f' and {missed}' if missed else ''}"

    def _others(self) -> str:
        others = [side for side in self.score.earned if side != self.score.bidding_side]
        took = [f"{self.who(side)} took {self.score.earned[side]}" for side in others]
        settle = self.rules.settle
        rule = OTHERS_SCORE[settle.defenders] if self.score.made else others_score(settle)
        return f"{', '.join(took)}. {self._with_changes(rule, others)}"

    def _with_changes(self, rule: str, sides: Sequence[Side]) -> str:
        """A rule, with the score changes of those sides."""
        units = [unit for side in sides for unit in self.score.units_of(side)]
        changes = [self.narrator.gain(unit, self.narrator.result(unit, self.score)) for unit in units]
        return f"{rule[:-1]}: {', '.join(changes)}."
