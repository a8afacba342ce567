"""The rules of bidding in sentences: what the dealer may do, who sells the hand, and special bids."""

from __future__ import annotations

from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import Special
from scorekeeper.web.common.numbers import counted, figure
from scorekeeper.web.common.words import ScoreWords, listed

DEALERS = {
    "outbid": "The dealer must bid higher, like everyone else.",
    "match": "{dealer} may take the bid at the same number.",
    "match-below-max": "{dealer} may take a bid below {max} at the same number.",
    "match-max": "{dealer} may take a bid of {max} at the same number, and must outbid any other.",
    "match-not-special": "{dealer} may take the bid at the same number, except {specials}.",
}


def dealer_rule(rules: RuleSet) -> str:
    """What the dealer may do with the highest bid."""
    auction = rules.auction
    means = auction.dealer if auction.specials or auction.dealer != "match-not-special" else "match"
    dealer = "The dealer bids last and" if auction.rounds == "single" else "The dealer"
    specials = listed([special.name for special in auction.specials], "or")
    told = DEALERS[means].format(dealer=dealer, max=auction.max, specials=specials)
    again = f" Anyone may take a bid of {auction.max} by bidding it again." if auction.max_again == "anyone" else ""
    return f"{told}{again}"


SELLS = (
    "The player to the dealer’s {way} sells the hand and bids last: that player takes it at the highest bid, or sells "
    "it and scores the bid."
)
CAPPED = {"maximum": "", "seller-short": " Nobody may bid so much that the seller would reach the target by it."}


# What a sale pays where the seller plays on the side of the bidder.
SOLD_TO_PARTNER = {
    "teams": "A bid of the seller’s own team pays the seller nothing.",
    "seat-partner": "A bid that makes the seller the bidder’s partner pays the seller nothing.",
    "called-partner": "The sale scores at once, even if the seller turns out to be the bidder’s partner.",
}


def seller_rule(rules: RuleSet) -> str:
    alone = rules.table.sides == "solo" or (rules.table.sides == "teams" and not any(rules.table.teams))
    sold = "" if alone else f" {SOLD_TO_PARTNER[rules.table.sides]}"
    return f"{SELLS.format(way=rules.table.direction)}{CAPPED[rules.auction.cap]}{sold}"


def specials_rule(rules: RuleSet) -> str:
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


def special_outcomes_rule(rules: RuleSet) -> list[str]:
    """What a special comes to where that is not its bid."""
    return [sentence for each in rules.auction.specials for sentence in special_outcomes(each, rules)]


def special_outcomes(special: Special, rules: RuleSet) -> list[str]:
    """What a special comes to when it is made and when it is set, where that is not its bid; who may bid it."""
    sentences = [special_result(special, rules, made=made) for made in (True, False)]
    if special.least_score is not None:
        sentences.append(f"Only a side with {_signed(special.least_score)} or more may bid {special.name}.")
    return [sentence for sentence in sentences if sentence]


def special_result(special: Special, rules: RuleSet, *, made: bool) -> str:
    """What a special comes to when it is made, or set; empty where that is its bid."""
    target = rules.win.target
    if made and special.made == "target" and ScoreWords(rules.win).counts_down:
        return f"A side that makes {special.name} goes down to 0, or from above {target} to {target}."
    sentence = MADE[special.made] if made else FAILED[special.failed]
    made_to, failed_to = _signed(special.made_to), _signed(special.failed_to)
    return sentence.format(name=special.name, target=target, made_to=made_to, failed_to=failed_to)


def _signed(score: int | None) -> str:
    return "" if score is None else figure(score)
