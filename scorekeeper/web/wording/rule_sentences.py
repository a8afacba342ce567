"""A rule set in sentences, field by field."""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.scoring.parts import EarlyWin, SettleRules, Special
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.web.common.numbers import counted, figure

from .card_rule_sentences import (
    Chapter,
    cards_chapter,
    either,
    game_chapter,
    in_words,
    points_chapter,
    trump_chapter,
)
from .words import listed, point_name


def chapters(rules: RuleSet) -> list[Chapter]:
    """A rule set in the order in which a hand is played."""
    tellers: list[Callable[[RuleSet], Chapter]] = [
        _table, cards_chapter, _bidding, trump_chapter, points_chapter, game_chapter, _settling, _winning,
    ]  # fmt: skip
    return [tell(rules) for tell in tellers]


# --- the table and the cards ---


def _table(rules: RuleSet) -> Chapter:
    return Chapter("Who plays", [f"{either(rules.table.players).capitalize()} players.", _together(rules)])


def _together(rules: RuleSet) -> str:
    table = rules.table
    if table.sides == "called-partner":
        return (
            "Everyone keeps a score of their own. The bidder calls a card: whoever holds it is the bidder’s partner "
            "for that hand, and the others play against them. If it is buried, or the bidder’s own, the bidder "
            f"plays alone.{' Only a trump may be called.' if table.call == 'trump' else ''}"
        )
    if table.sides == "seat-partner":
        places = in_words(table.partner_right)
        return f"Everyone keeps a score of their own. The bidder’s partner sits {places} places to the right."
    if table.sides == "solo":
        return "Individual play. Everyone keeps a score of their own."
    teams = [in_words(number) for number in table.teams if number]
    ways = [*(["individual play"] if 0 in table.teams else []), *([f"{listed(teams, 'or')} teams"] if teams else [])]
    seated = ", partners in alternate seats" if teams else ""
    return f"{listed(ways, 'or').capitalize()}{seated}."


# --- bidding and trump ---

DEALERS = {
    "outbid": "The dealer must bid higher, like everyone else.",
    "match": "The dealer bids last and may take the bid at the same number.",
    "match-below-max": "The dealer bids last and may take a bid at the same number, unless it is the highest.",
    "match-max": "The dealer may take the highest bid at the same number, and must outbid any other.",
    "match-not-special": "The dealer bids last and may take the bid at the same number, except {specials}.",
}


SELLS = (
    "The player to the dealer’s left sells the hand and bids last: that player takes it at the highest bid, or sells "
    "it and scores the bid."
)
SELLER = {
    "maximum": SELLS,
    "seller-short": f"{SELLS} Nobody may bid so much that the seller would reach the target by it.",
}


# What a sale pays where the seller plays on the side of the bidder.
SOLD_TO_PARTNER = {
    "teams": "A bid of the seller’s own team pays the seller nothing.",
    "seat-partner": "A bid that makes the seller the bidder’s partner pays the seller nothing.",
    "called-partner": "The sale scores at once, even if the seller turns out to be the bidder’s partner.",
}


def _seller(rules: RuleSet) -> str:
    alone = rules.table.sides == "solo" or (rules.table.sides == "teams" and not any(rules.table.teams))
    return SELLER[rules.auction.cap] + ("" if alone else f" {SOLD_TO_PARTNER[rules.table.sides]}")


def _bidding(rules: RuleSet) -> Chapter:
    auction = rules.auction
    rounds = {
        "single": "Everyone bids once, starting left of the dealer: a higher bid, or a pass.",
        "until-passed": "Bidding goes around from left of the dealer until all but one have passed. A pass is final.",
    }[auction.rounds]
    dealer = _seller(rules) if auction.seller == "eldest" else DEALERS[auction.dealer]
    specials = listed([special.name for special in auction.specials], "or")
    sentences = [f"The bids are {auction.min} to {auction.max}{_specials(rules)}.", rounds]
    return Chapter(
        "Bidding",
        [*sentences, dealer.format(specials=specials), all_pass(rules), *_special_outcomes(rules)],
    )


def _specials(rules: RuleSet) -> str:
    specials = rules.auction.specials
    return "".join(f", and {each.name}, a bid of {each.bid}: {special_needs(each)}" for each in specials)


def special_needs(special: Special) -> str:
    """What a special takes to be made: "win every trick and take every point"."""
    told = {"every-trick": "win every trick", "every-point": "take every point"}
    told |= {"every-trick-alone": "win every trick yourself"}
    takes = [] if special.takes is None else [f"take at least {counted(special.takes, 'point')}"]
    return listed([*(told[need] for need in special.needs), *takes])


MADE = {
    "bid": "",
    "taken": "A side that makes {name} scores what it took.",
    "win": "A side that makes {name} wins the game.",
    "set-to": "A side that makes {name} then has a score of {made_to}.",
    "target": "A side that makes {name} goes up to {target}, or from below zero to 0.",
}
FAILED = {
    "bid": "",
    "lose": "A side that bids {name} and is set loses the game.",
    "set-to": "A side that bids {name} and is set then has a score of {failed_to}.",
    "target": "A side that bids {name} and is set loses {target} points.",
}


def _special_outcomes(rules: RuleSet) -> list[str]:
    """What a special comes to where that is not its bid."""
    return [sentence for each in rules.auction.specials for sentence in special_outcomes(each, rules.win.target)]


def special_outcomes(special: Special, target: int) -> list[str]:
    """What a special comes to when it is made and when it is set, where that is not its bid; who may bid it."""
    sentences = [special_result(special, target, made=made) for made in (True, False)]
    if special.least_score is not None:
        sentences.append(f"Only a side with {_signed(special.least_score)} or more may bid {special.name}.")
    return [sentence for sentence in sentences if sentence]


def special_result(special: Special, target: int, *, made: bool) -> str:
    """What a special comes to when it is made, or set; empty where that is its bid."""
    sentence = MADE[special.made] if made else FAILED[special.failed]
    made_to, failed_to = _signed(special.made_to), _signed(special.failed_to)
    return sentence.format(name=special.name, target=target, made_to=made_to, failed_to=failed_to)


def _signed(score: int | None) -> str:
    return "" if score is None else figure(score)


def all_pass(rules: RuleSet) -> str:
    """What happens when nobody bids, and what that costs."""
    cost = rules.auction.pass_cost
    paid = f" The dealer’s side loses {counted(cost, 'point')}." if cost else ""
    return f"{_all_pass(rules)}{paid}"


def _all_pass(rules: RuleSet) -> str:
    return {
        "redeal": "If all pass, the same dealer deals again.",
        "next-dealer": "If all pass, the next player deals.",
        "dealer-forced": f"If all others pass, the dealer must bid at least {rules.auction.least_forced}.",
        "eldest-plays": f"If all pass, the player to the dealer’s left leads without a bid. {WITHOUT_BID}",
    }[rules.auction.all_pass]


# --- what it comes to ---


WITHOUT_BID = "Everyone scores what they take, and nobody is set."
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
    "bid": "The others score what they took, but when the bid is set each scores the bid instead.",
    "both": "The others score what they took, and when the bid is set each scores the bid as well.",
}


OTHERS_SCORE_DIFFERENCE = {
    "taken": "When the bid is set, the others score what they took.",
    "bid": "When the bid is set, each of the others scores the bid.",
    "both": "When the bid is set, each of the others scores what it took and the bid as well.",
}


def _settling(rules: RuleSet) -> Chapter:
    settle = rules.settle
    others = f"{others_score(settle)} Scores can go below zero."
    return Chapter("Made and set", [MADE_SCORES[settle.made], SET_SCORES[settle.set], others])


def others_score(settle: SettleRules) -> str:
    """What the others score; a made bid that scores the difference says that of all sides."""
    return OTHERS_SCORE_DIFFERENCE[settle.defenders] if settle.made == "difference" else OTHERS_SCORE[settle.defenders]


BOTH = {
    "bidder": "the bidder’s side wins.",
    "highest": "the highest score wins.",
    "count-out": "the first to get there wins when the points are counted one by one{order}.",
    "share": "they win together.",
    "play-on": "play goes on.",
}
IF_NOT = {
    "count-out": "If that does not decide it, ",
    "bidder": "If that does not decide it, ",
    "highest": "If that is a tie, ",
}


def _winning(rules: RuleSet) -> Chapter:
    win = rules.win
    only = " Only a side that makes its own bid in that hand can win." if win.eligible == "made-bid" else ""
    before = ("If several reach it in the same hand, ", *(IF_NOT.get(way, "") for way in win.both))
    order = f": {listed([point_name(key) for key in win.order], 'then')}" if win.order else ""
    both = " ".join(f"{start}{BOTH[way].format(order=order)}" for start, way in zip(before, win.both, strict=False))
    sentences = [f"The first to {win.target} wins.{only}", both]
    if win.early:
        sentences.append(_early(win.early))
    return Chapter("Winning", [*sentences, *_other_ends(rules)])


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
        sentences.append(f"After {counted(win.hands, 'hand')}, the highest score wins.")
    if win.lost_at is not None:
        sentences.append(f"A side at {figure(win.lost_at)} or less loses the game.")
    if win.lost_sets is not None:
        sentences.append(f"A side that is set {counted(win.lost_sets, 'time')} loses the game.")
    return [sentence for sentence in sentences if sentence]


# --- where the source documents say nothing, or two things ---

SILENCES = {
    "settle.set": (
        "The source contradicts itself. Its rule says that a set side loses its bid. In its second example Team B, "
        "at 2, bids 5 and takes 3. By the rule it goes to −3, but the example adds the 3 and prints 0. Scorekeeper "
        "follows the rule. This house rule follows the example."
    ),
}
