"""Games without bidding: a card turned up for trump, begging, points before the play, and cards captured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.scoring.record import ranks_turned_up
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.web.common.narrator import turned_up_said
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import RANK_NAMES, listed

# --- the rules ---

NO_BIDDING = "There is no bidding. The player after the dealer leads to the first trick."
DEALT_AGAIN = {
    "redeal": "If a hand cannot be played, the same dealer deals again.",
    "next-dealer": "If a hand cannot be played, the next player deals.",
}
TURNED_UP = "After the deal, the dealer turns up the next card. Its suit is trump."
BEGS = "The player after the dealer may keep that trump or beg."
GIVES = "The dealer then gives that side {points}, and the trump stays."
RUNS = (
    "The dealer then deals {cards} more to each player and turns up another card, again and again until its suit is a "
    "new one. That is trump, and everyone plays with all of their cards."
)
GIVES_OR_RUNS = "The dealer then either gives that side {points} and the trump stays, or runs the cards."
RUN = (
    "To run the cards, the dealer deals {cards} more to each player and turns up another card, again and again until "
    "its suit is a new one. That is trump, and everyone plays with all of their cards."
)
MISDEAL = "If the dealer misdeals, each other side scores {points}, and the next player deals."


def turned_up_rules(rules: RuleSet) -> list[str]:
    """How a card that is turned up makes trump, what it scores, and who may beg."""
    trump = rules.trump
    sentences = [TURNED_UP]
    worth = [f"{_a(rank)} scores {points}" for rank, points in trump.turned.items() if points]
    if worth:
        sentences.append(f"Turned up, {listed(worth)} for the dealer’s side at once.")
    if trump.may_beg:
        points, cards = counted(trump.gift, "point"), counted(trump.run, "card")
        ways = [GIVES_OR_RUNS, RUN] if trump.gift and trump.run else [GIVES] if trump.gift else [RUNS]
        first, *more = (way.format(points=points, cards=cards) for way in ways)
        sentences += [f"{BEGS} {first}", *more]
    return sentences


def _a(rank: str) -> str:
    name = RANK_NAMES.get(rank, rank)
    return f"{'an' if name[0].lower() in 'a8' else 'a'} {name}"


def misdeal_rule(rules: RuleSet) -> str:
    """What a misdeal costs; empty where it costs nothing."""
    return MISDEAL.format(points=counted(rules.deck.misdeal, "point")) if rules.deck.misdeal else ""


def counts_first(rules: RuleSet) -> str:
    """Where points are counted one by one: what counts before the first of them, and before the bidder's."""
    trump, sold = rules.trump, rules.auction.seller != "nobody"
    if sold or any(trump.turned.values()) or trump.gift:
        return " What was scored before the play counts first, and so does an adjustment."
    return " An adjustment counts first."


def captured_rule(captured: int | None) -> str:
    """What a point is worth to a side that wins it from another: ", 3 for a side that captures it"."""
    return "" if captured is None else f", {captured} for a side that captures it from another"


# --- a hand ---


def without_bidding(dealer: str) -> str:
    """The title of an example hand."""
    return f"A hand that {dealer} deals"


def begging(facts: Mapping[str, Any], eldest: str) -> str:
    """What happened before the play of an example: " Turned up: Jack. Ann begs, and is given points."."""
    turned = f" Turned up: {turned_up_said(ranks_turned_up(facts['turned_up']))}." if facts.get("turned_up") else ""
    return f"{turned} {eldest} begs, and is given points." if facts.get("gift") else turned
