"""A rule set in sentences, field by field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scorekeeper.scoring.cards import Card, build_deck
from scorekeeper.scoring.parts import Point
from scorekeeper.scoring.rules import RuleSet

from .words import RANK_NAMES, card_name, listed, point_name

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
SHOWN_TRUMP = "H"


@dataclass(frozen=True)
class Chapter:
    """One section of the rules."""

    title: str
    sentences: list[str]
    cards: list[Card] = field(default_factory=list)
    table: list[tuple[str, str]] = field(default_factory=list)

    @property
    def cards_in_words(self) -> str:
        return ", ".join(card_name(card) for card in self.cards)


def chapters(rules: RuleSet) -> list[Chapter]:
    """A rule set in the order in which a hand is played."""
    tellers: list[Callable[[RuleSet], Chapter]] = [
        _table, _cards, _bidding, _trump, _points, _game, _settling, _winning,
    ]  # fmt: skip
    return [tell(rules) for tell in tellers]


def _number(number: int) -> str:
    return NUMBERS.get(number, str(number))


def _either(numbers: tuple[int, ...]) -> str:
    return listed([_number(number) for number in sorted(numbers)], "or")


# --- the table and the cards ---


def _table(rules: RuleSet) -> Chapter:
    return Chapter("Who plays", [f"{_either(rules.table.players).capitalize()} players.", _together(rules)])


def _together(rules: RuleSet) -> str:
    table = rules.table
    if table.sides == "called-partner":
        return (
            "Everyone keeps a score of their own. The bidder calls a card: whoever holds it is the bidder's partner "
            "for that hand, and the others play against them. If it is buried, or the bidder's own, the bidder "
            "plays alone."
        )
    if table.sides == "seat-partner":
        places = _number(table.partner_right)
        return f"Everyone keeps a score of their own. The bidder's partner sits {places} places to the right."
    teams = [_number(number) for number in table.teams if number]
    ways = [*(["individual play"] if 0 in table.teams else []), *([f"{listed(teams, 'or')} teams"] if teams else [])]
    seated = ", partners in alternate seats" if teams else ""
    return f"{listed(ways, 'or').capitalize()}{seated}."


DRAWS = {
    "none": "",
    "non-trump": "After trump is named, all players discard what is not trump and draw back to a full hand.",
    "up-to-3": "After trump is named, players may discard up to three cards and draw back to a full hand.",
    "up-to-4-with-ace": "After trump is named, players may trade three cards, or four if they keep an ace.",
}


def _cards(rules: RuleSet) -> Chapter:
    deck = rules.deck
    cards = len(build_deck(deck.ranks, deck.jokers))
    ranks = " ".join("10" if rank == "T" else rank for rank in deck.ranks)
    jokers = {0: "", 1: " and one joker", 2: " and two jokers"}[deck.jokers]
    sentences = [f"{cards} cards: {ranks} in every suit{jokers}. Each player gets {_number(deck.hand)}."]
    if deck.undealt == "buried":
        sentences.append("The cards left over are buried, and shown after the hand. A buried point counts for nobody.")
    else:
        sentences.append("The cards left over stay face down.")
    return Chapter("The cards", [*sentences, *filter(None, [DRAWS[deck.draw]])])


# --- bidding and trump ---

DEALERS = {
    "outbid": "The dealer must bid higher, like everyone else.",
    "match": "The dealer bids last and may take the bid at the same number.",
    "match-below-max": "The dealer bids last and may take a bid at the same number, unless it is the highest.",
    "match-max": "The dealer may take the highest bid at the same number, and must outbid any other.",
    "match-not-special": "The dealer bids last and may take the bid at the same number, except {specials}.",
}


def _bidding(rules: RuleSet) -> Chapter:
    auction = rules.auction
    rounds = {
        "single": "Everyone bids once, starting left of the dealer: a higher bid, or a pass.",
        "until-passed": "Bidding goes around from left of the dealer until all but one have passed. A pass is final.",
    }[auction.rounds]
    specials = listed([special.name for special in auction.specials], "or")
    sentences = [f"The bids are {auction.min} to {auction.max}{_specials(rules)}.", rounds]
    return Chapter("Bidding", [*sentences, DEALERS[auction.dealer].format(specials=specials), _all_pass(rules)])


def _specials(rules: RuleSet) -> str:
    told = {"every-trick": "win every trick", "every-point": "take every point"}
    return "".join(
        f", and {special.name}, a bid of {special.bid}: {listed([told[need] for need in special.needs])}"
        for special in rules.auction.specials
    )


def _all_pass(rules: RuleSet) -> str:
    return {
        "redeal": "If all pass, the same dealer deals again.",
        "next-dealer": "If all pass, the next player deals.",
        "dealer-forced": f"If all others pass, the dealer must bid at least {rules.auction.least_forced}.",
    }[rules.auction.all_pass]


def _trump(rules: RuleSet) -> Chapter:
    by = {
        "lead": "The bidder leads to the first trick, and the suit of that card is trump.",
        "named": "The bidder names trump, then leads any card.",
    }[rules.trump.by]
    joker = " If it is a joker, the bidder names the suit." if rules.trump.by == "lead" and rules.deck.jokers else ""
    return Chapter("Trump", [f"{by}{joker}", "From high to low, with hearts as trump:"], _order(rules))


def _order(rules: RuleSet) -> list[Card]:
    other = "D"  # the other red suit: where the Left Jack is from
    return [
        "J" + other if name == "L" else name if name in ("XR", "XB") else name + SHOWN_TRUMP
        for name in rules.trump.order
    ]


# --- points ---

OWNERS = {
    "taker": "whoever wins the trick it is in",
    "holder": "whoever was dealt it",
    "keeper": "whoever plays it, no matter who wins the trick",
}


def _points(rules: RuleSet) -> Chapter:
    worth = sum(point.worth for point in rules.points)
    table = [(point_name(point.key), _point(point)) for point in rules.points]
    return Chapter("Points", [f"Up to {_number(worth)} points in a hand."], table=table)


def _point(point: Point) -> str:
    extra = f", worth {point.worth}" if point.worth > 1 else ""
    if point.card == "game":
        return f"by card points{extra}"
    return f"{_point_card(point)}: {OWNERS[point.owner]}{extra}"


def _point_card(point: Point) -> str:
    names = {
        "highest": "the highest trump in play",
        "lowest": "the lowest trump in play",
        "L": "the other jack of trump's color",
        "XR": "the red joker",
        "XB": "the black joker",
    }
    return names.get(point.card) or f"the {RANK_NAMES.get(point.card, point.card)} of trump"


def _game(rules: RuleSet) -> Chapter:
    game = rules.game
    table = [(RANK_NAMES.get(rank, rank), str(value)) for rank, value in game.values.items() if value]
    if game.award == "at-least":
        sentence = (
            f"Each side adds up its card points, in all suits. A side needs at least {game.at_least} to win Game."
        )
    else:
        sentence = (
            "Each side adds up its card points, in all suits. The most card points win Game. A tie counts for nobody."
        )
    return Chapter("Card points", [sentence], table=table)


# --- what it comes to ---


def _settling(rules: RuleSet) -> Chapter:
    made = {
        "taken": "A side that makes its bid scores everything it took.",
        "bid": "A side that makes its bid scores its bid and no more.",
    }[rules.settle.made]
    lost = {
        "bid": "A side that falls short is set. It loses its bid, and nothing it took counts.",
        "bid-less-taken": "A side that falls short is set. It loses its bid, minus what it took.",
    }[rules.settle.set]
    return Chapter("Made and set", [made, lost, "The others always score what they took. Scores can go below zero."])


BOTH = {
    "bidder": "the bidder's side wins.",
    "highest": "the highest score wins.",
    "share": "they win together.",
    "play-on": "play goes on.",
}
IF_NOT = {"bidder": "If that does not decide it, ", "highest": "If that is a tie, "}


def _winning(rules: RuleSet) -> Chapter:
    win = rules.win
    only = " Only a side that makes its own bid in that hand can win." if win.eligible == "made-bid" else ""
    before = ("If several reach it in the same hand, ", *(IF_NOT.get(way, "") for way in win.both))
    both = " ".join(f"{start}{BOTH[way]}" for start, way in zip(before, win.both, strict=False))
    sentences = [f"The first to {win.target} wins.{only}", both]
    if win.early:
        sentences.append(
            f"A score of {win.early.at} wins at once if all others have {win.early.others_at_most} or less."
        )
    return Chapter("Winning", sentences)


# --- where the source documents say nothing, or two things ---

SILENCES = {
    "settle.set": (
        "The source contradicts itself. Its rule says that a set side loses its bid. In its second example Team B, "
        "at 2, bids 5 and takes 3. By the rule it goes to −3, but the example adds the 3 and prints 0. Scorekeeper "
        "follows the rule. This house rule follows the example."
    ),
}
