"""A rule set in sentences, field by field."""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import EarlyWin, SettleRules, Special
from scorekeeper.web.common.numbers import counted, figure, times
from scorekeeper.web.common.words import ScoreWords, in_turn, point_name

from .bidding_rule_sentences import dealer_rule, seller_rule, special_outcomes_rule, special_result, specials_rule
from .card_point_sentences import game_chapter
from .card_rule_sentences import (
    Chapter,
    cards_chapter,
    points_chapter,
    table_chapter,
    trump_chapter,
)
from .turn_up_sentences import DEALT_AGAIN, NO_BIDDING, counts_first


def chapters(rules: RuleSet) -> list[Chapter]:
    """A rule set in the order in which a hand is played."""
    tellers: list[Callable[[RuleSet], Chapter]] = [
        table_chapter, cards_chapter, _bidding, trump_chapter, points_chapter, game_chapter, _settling, _winning,
    ]  # fmt: skip
    return [tell(rules) for tell in tellers]


# --- bidding and trump ---


def _bidding(rules: RuleSet) -> Chapter:
    auction = rules.auction
    if not auction.is_held:
        return Chapter("Bidding", [NO_BIDDING, all_pass(rules)])
    way = rules.table.direction
    rounds = {
        "single": f"Everyone bids once, starting {way} of the dealer: a higher bid, or a pass.",
        "until-passed": f"Bidding goes around from {way} of the dealer until all but one have passed. A pass is final.",
    }[auction.rounds]
    dealer = seller_rule(rules) if auction.seller == "eldest" else dealer_rule(rules)
    return Chapter("Bidding", [_bids(rules), rounds, dealer, all_pass(rules), *special_outcomes_rule(rules)])


def _bids(rules: RuleSet) -> str:
    auction = rules.auction
    if auction.min == auction.max and not auction.specials:
        return f"The only bid is {auction.max}."
    numbers = f"{auction.min} to {auction.max}" if auction.min < auction.max else str(auction.max)
    return f"The bids are {numbers}{specials_rule(rules)}."


def all_pass(rules: RuleSet) -> str:
    """What happens when nobody bids, and what that costs."""
    if not rules.auction.is_held:
        return DEALT_AGAIN[rules.auction.all_pass]
    cost = rules.auction.pass_cost
    paid = f" The dealer’s side loses {counted(cost, 'point')}." if cost else ""
    return f"{_all_pass(rules)}{paid}"


def _all_pass(rules: RuleSet) -> str:
    return {
        "redeal": "If all pass, the same dealer deals again.",
        "next-dealer": "If all pass, the next player deals.",
        "dealer-forced": f"If all others pass, the dealer must bid at least {rules.auction.least_forced}.",
        "eldest-plays": (
            f"If all pass, the player to the dealer’s {rules.table.direction} leads without a bid. {WITHOUT_BID}"
        ),
    }[rules.auction.all_pass]


# --- what it comes to ---


WITHOUT_BID = "Everyone scores what they take, and nobody is set."
WITHOUT_BIDDING = "Everyone scores what they take."  # where nobody could be
MADE_SCORES = {
    "taken": "A side that makes its bid scores everything it took.",
    "bid": "A side that makes its bid scores its bid and no more.",
    "difference": (
        "When a bid is made, only the side that took the most points scores: how many more it took than the next."
    ),
}
SET_SCORES = {
    "bid": "A side that falls short is set. It loses its bid, and nothing it took counts.",
    "bid-less-taken": "A side that falls short is set. It loses its bid, minus what it took.",
    "nothing": "A side that falls short is set. It scores nothing.",
}
OTHERS_SCORE = {
    "taken": "The others always score what they took.",
    "bid": "The others score what they took, but when the bid is set each other side scores the bid instead.",
    "both": "The others score what they took, and when the bid is set each other side scores the bid as well.",
}
OTHERS_SCORE_DIFFERENCE = {
    "taken": "When the bid is set, the others score what they took.",
    "bid": "When the bid is set, each other side scores the bid.",
    "both": "When the bid is set, each other side scores what it took and the bid as well.",
}


def _settling(rules: RuleSet) -> Chapter:
    settle = rules.settle
    if not rules.auction.is_held:
        return Chapter("What a hand scores", [WITHOUT_BIDDING])
    below = f" Scores can go {_beyond_the_start(rules)}." if _can_lose(rules) else ""
    return Chapter("Made and set", [MADE_SCORES[settle.made], SET_SCORES[settle.set], f"{others_score(settle)}{below}"])


def _beyond_the_start(rules: RuleSet) -> str:
    """Where a score goes that loses points before it has won any."""
    return f"above {rules.win.target}" if ScoreWords(rules.win).counts_down else "below zero"


def _can_lose(rules: RuleSet) -> bool:
    """Whether a score can ever become less: by a set, by a hand that nobody bids on, or by a special."""
    specials = rules.auction.specials
    numbers = [number or 0 for each in specials for number in (each.made_to, each.failed_to)]
    fails = any(each.failed == "target" for each in specials) or min(numbers, default=0) < 0
    return rules.settle.set != "nothing" or rules.auction.pass_cost > 0 or fails


def without_bid(rules: RuleSet) -> str:
    """What a hand comes to that nobody has bid on."""
    return WITHOUT_BID if rules.auction.is_held else WITHOUT_BIDDING


def others_score(settle: SettleRules) -> str:
    """What the others score; a made bid that scores the difference says that of all sides."""
    return OTHERS_SCORE_DIFFERENCE[settle.defenders] if settle.made == "difference" else OTHERS_SCORE[settle.defenders]


def bid_rule(rules: RuleSet, special: Special | None, *, made: bool) -> str:
    """The sentence that decides what a bid comes to for the bidding side, made or set."""
    if special is None or (not made and special.failed == "bid"):
        return MADE_SCORES[rules.settle.made] if made else SET_SCORES[rules.settle.set]
    return special_result(special, rules, made=made) or f"A side that makes {special.name} scores its bid."


BOTH = {
    "bidder": "the bidder’s side wins.",
    "highest": "the {best} score wins.",
    "count-out": "the first to get there wins when the points are counted one by one{order}.{early}",
    "share": "they win together.",
    "play-on": "play goes on.",
}
IF_NOT = {
    "count-out": "If that does not decide it, ",
    "bidder": "If that does not decide it, ",
    "highest": "If that is a tie, ",
}


def _winning(rules: RuleSet) -> Chapter:
    win, scores = rules.win, ScoreWords(rules.win)
    only = " Only a side that makes its own bid in that hand can win." if win.eligible == "made-bid" else ""
    ways = _ways_to_decide(rules)
    before = ("If several reach it in the same hand, ", *(IF_NOT.get(way, "") for way in ways))
    order = f": {in_turn([point_name(key) for key in win.order])}" if win.order else ""
    both = " ".join(
        f"{start}{BOTH[way].format(order=order, early=counts_first(rules), best=scores.best)}"
        for start, way in zip(before, ways, strict=False)
    )
    sentences = [f"The first to {scores.end} wins.{only}", *_counted(scores), both]
    if win.early:
        sentences.append(_early(win.early))
    return Chapter("Winning", [*sentences, *_other_ends(rules)])


def _ways_to_decide(rules: RuleSet) -> list[str]:
    """What decides between several at the target, up to what always does. Of two teams one is the bidder's."""
    both, two_teams = rules.win.both, rules.table.sides == "teams" and set(rules.table.teams) == {2}
    ways = both[: next((place for place, way in enumerate(both, 1) if way in ("share", "play-on")), len(both))]
    decided = ways[-1] in ("share", "play-on") or ("bidder" in ways and two_teams)
    return [*ways] if decided else [*ways, "play-on"]


def _counted(scores: ScoreWords) -> list[str]:
    """How scores count, where they do not count up."""
    if not scores.counts_down:
        return []
    return [f"Scores count down: everyone starts at {scores.score(0)}, points won come off and points lost go on."]


EARLY = {
    "first-reach": "A side that reaches {at} for the first time wins at once if all others have {most} or less.",
    "any-hand": "A score of {at} or more wins at once if all others have {most} or less.",
}


def _early(early: EarlyWin) -> str:
    sentence = EARLY[early.when].format(at=early.at, most=figure(early.others_at_most))
    only = " That takes a bid of its own, made in that hand." if early.eligible == "made-bid" else ""
    return f"{sentence}{only}"


ALL_POINTS = {
    "nobody": "",
    "bidder": "A bidder’s side that takes every point of a hand wins at once.",
    "anyone": "A side that takes every point of a hand wins at once.",
}


def _other_ends(rules: RuleSet) -> list[str]:
    """How a game ends below the target."""
    win, sentences = rules.win, [ALL_POINTS[rules.win.all_points]]
    if win.hands is not None:
        sentences.append(f"After {counted(win.hands, 'hand')}, the {ScoreWords(win).best} score wins.")
    if win.lost_at is not None:
        sentences.append(f"A side at {figure(win.lost_at)} or less loses the game.")
    if win.lost_sets is not None:
        sentences.append(f"A side that is set {times(win.lost_sets)} loses the game.")
    if win.lost_in_a_row is not None:
        sentences.append(f"A side that is set {times(win.lost_in_a_row)} in a row loses the game.")
    return [sentence for sentence in sentences if sentence]


# --- where the source documents say nothing, or two things ---

SILENCES = {
    "settle.set": (
        "The source contradicts itself. Its rule says that a set side loses its bid. In its second example Team B, "
        "at 2, bids 5 and takes 3. By the rule it goes to −3, but the example adds the 3 and prints 0. Scorekeeper "
        "follows the rule. This house rule follows the example."
    ),
}
