"""The rules of the cards in sentences: the deal, trump, what may be played, what scores."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorekeeper.scoring.cards import JOKERS, Card, build_deck, trump_card
from scorekeeper.scoring.parts import ByPlayers, Point
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.vocabulary import PLAIN_CARDS

from .words import RANK_NAMES, card_name, listed, point_name

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
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


def in_words(number: int) -> str:
    return NUMBERS.get(number, str(number))


def either(numbers: tuple[int, ...]) -> str:
    return listed([in_words(number) for number in sorted(numbers)], "or")


DRAWS = {
    "none": "",
    "non-trump": "After trump is named, all players discard what is not trump and draw back to a full hand.",
    "discard": "After trump is named, all players discard down to a full hand.",
    "up-to-4": "After trump is named, players may discard up to four cards and draw back to a full hand.",
    "up-to-3": "After trump is named, players may discard up to three cards and draw back to a full hand.",
    "up-to-4-with-ace": "After trump is named, players may trade three cards, or four if they keep an ace.",
}


def cards_chapter(rules: RuleSet) -> Chapter:
    deck = rules.deck
    cards = len(build_deck(deck.ranks, deck.jokers))
    ranks = " ".join("10" if rank == "T" else rank for rank in deck.ranks)
    jokers = ["", " and one joker", " and two jokers", " and three jokers", " and four jokers"][deck.jokers]
    sentences = [f"{cards} cards: {ranks} in every suit{jokers}.", *_dealt(rules)]
    if deck.undealt == "buried":
        sentences.append("The cards left over are buried, and shown after the hand. A buried point counts for nobody.")
    else:
        sentences.append("The cards left over stay face down.")
    return Chapter("The cards", [*sentences, *filter(None, [DRAWS[deck.draw], ROBS[deck.rob]])])


ROBS = {
    "nobody": "",
    "dealer": "The dealer draws last: looks through the rest of the pack and keeps the best cards.",
    "bidder": "The bidder draws last: looks through the rest of the pack and keeps the best cards.",
}


def _dealt(rules: RuleSet) -> list[str]:
    """How many cards each player gets, plays with, and what goes to the kitty."""
    deck = rules.deck
    deal, hand, kitty = (_at_these_tables(rules, count) for count in (deck.deal, deck.hand, deck.kitty))
    if deal is None:
        sentences = [f"Each player gets {_by_players(hand or 0)}."]
    else:
        sentences = [f"Each player gets {_by_players(deal)} cards, and plays with {_by_players(hand or 0)}."]
    if isinstance(kitty, tuple):
        goes = [f"With {in_words(n)} players, {in_words(each)} cards go to the kitty." for n, each in kitty if each]
    else:
        goes = [f"{in_words(kitty).capitalize()} cards go to the kitty."] if kitty else []
    return [*sentences, *goes, *([KITTIES[deck.kitty_to]] if goes else [])]


def _at_these_tables(rules: RuleSet, count: int | ByPlayers | None) -> int | ByPlayers | None:
    """A number of cards as far as so many may play: one number, where it is the same for all of them."""
    if not isinstance(count, tuple):
        return count
    here = tuple((players, cards) for players, cards in count if players in rules.table.players)
    return here[0][1] if len({cards for _, cards in here}) == 1 else here


KITTIES = {"bidder": "The bidder takes the kitty before naming trump.", "nobody": "The kitty stays face down."}


def _by_players(count: int | ByPlayers) -> str:
    """A number of cards, or one for each number of players: "nine with four players, eight with six"."""
    if isinstance(count, int):
        return in_words(count)
    return listed([f"{in_words(cards)} (with {in_words(players)} players)" for players, cards in count], "or")


# --- trump ---


def trump_chapter(rules: RuleSet) -> Chapter:
    by = {
        "lead": "The bidder leads to the first trick, and the suit of that card is trump.",
        "named": "The bidder names trump, then leads any card.",
    }[rules.trump.by]
    joker = _joker_led(rules)
    follow = FOLLOWS[rules.play.follow]
    alike = ALIKE[rules.trump.jokers]
    sentences = [f"{by}{joker}", follow, *filter(None, [alike]), "From high to low, with hearts as trump:"]
    return Chapter("Trump", sentences, _order(rules))


FOLLOWS = {
    "follow-or-trump": "Follow suit if you can, or play trump. If you cannot follow, play any card.",
    "follow": "Follow suit if you can. If you cannot, play any card.",
    "trumps-only": "Only trumps are played. Whoever has none left is out of the hand, and tricks get shorter.",
}
ALIKE = {
    "ranked": "",
    "first": "Jokers are alike: in one trick, the first one played beats the others.",
    "last": "Jokers are alike: in one trick, the last one played beats the others.",
}


def _joker_led(rules: RuleSet) -> str:
    leads = rules.trump.by == "lead" and rules.deck.jokers
    return " If it is a joker, the bidder names the suit." if leads else ""


def _order(rules: RuleSet) -> list[Card]:
    return [trump_card(name, SHOWN_TRUMP) for name in rules.trump.order]


# --- points ---

OWNERS = {
    "taker": "whoever wins the trick it is in",
    "holder": "whoever was dealt it",
    "keeper": "whoever plays it, no matter who wins the trick",
}


def points_chapter(rules: RuleSet) -> Chapter:
    worth = sum(point.worth for point in rules.points)
    table = [(point_name(point.key), _point(point)) for point in rules.points]
    return Chapter("Points", [f"Up to {in_words(worth)} points in a hand."], table=table)


def _point(point: Point) -> str:
    extra = f", worth {point.worth}" if point.worth > 1 else ""
    if point.card == "game":
        return f"by card points{extra}"
    if point.card in TRICK_NAMES:
        return f"{TRICK_NAMES[point.card]}: whoever wins it{extra}"
    return f"{point_card(point)}: {OWNERS[point.owner]}{extra}"


TRICK_NAMES = {"first-trick": "the first trick", "last-trick": "the last trick"}


def point_card(point: Point) -> str:
    """The card of a point, as the rules name it: "the highest trump in play", "the Jack of trump"."""
    names = {
        "highest": "the highest trump in play",
        "lowest": "the lowest trump in play",
        "lowest-natural": "the lowest card of the trump suit in play, jokers left out",
        "L": "the other jack of trump’s color",
        "LA": "the other ace of trump’s color",
        "L5": "the other 5 of trump’s color",
        "L3": "the other 3 of trump’s color",
    }
    if point.card in JOKERS or point.card in PLAIN_CARDS:
        return f"the {card_name(point.card)}" if point.card in PLAIN_CARDS else f"the {card_name(point.card).lower()}"
    return names.get(point.card) or f"the {RANK_NAMES.get(point.card, point.card)} of trump"


def game_chapter(rules: RuleSet) -> Chapter:
    game = rules.game
    if not any(point.card == "game" for point in rules.points):
        return Chapter("Card points", ["There is no point for card points in these rules."])
    table = [(RANK_NAMES.get(rank, rank), str(value)) for rank, value in game.values.items() if value]
    if game.award == "at-least":
        sentence = (
            f"Each side adds up its card points, in all suits. A side needs at least {game.at_least} to win Game."
        )
    else:
        sentence = "Each side adds up its card points, in all suits. The most card points win Game."
    tie = TIES[game.tie].format(points=listed([point_name(key) for key in game.tie_points], "or"))
    return Chapter("Card points", [f"{sentence} {tie}"], table=table)


TIES = {
    "nobody": "A tie counts for nobody.",
    "bidder": "A tie goes to the bidder’s side.",
    "dealer": "A tie goes to the dealer’s side.",
    "points": "A tie goes to whoever has the {points}.",
}
