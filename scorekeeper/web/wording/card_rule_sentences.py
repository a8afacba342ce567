"""The rules of the table and the cards in sentences: who plays, the deal, trump, what may be played, what scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scorekeeper.scoring.cards import JOKERS, RANKS, Card, build_deck, trump_card
from scorekeeper.scoring.rules import RuleSet, count_for
from scorekeeper.scoring.rules.fields import PLAIN_CARDS, SUIT_ENDS, ByPlayers, Point
from scorekeeper.web.common.words import RANK_NAMES, card_name, listed, point_name, suit_end

from .turn_up_sentences import captured_rule, misdeal_rule, turned_up_rules

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
SHOWN_TRUMP = "H"
GOES_RIGHT = "The deal and the play go round to the right, counterclockwise."


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


def spelled(number: int, noun: str) -> str:
    """A number of things: "one card", "six cards", "12 cards"."""
    return f"{in_words(number)} {noun}{'' if number == 1 else 's'}"


def either(numbers: Sequence[int]) -> str:
    """Numbers to choose from: "four or six", "two to six"."""
    counts = sorted(numbers)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{in_words(counts[0])} to {in_words(counts[-1])}"
    return listed([in_words(number) for number in counts], "or")


DRAWS = {
    "none": "",
    "non-trump": "After trump is named, all players discard what is not trump and draw back to a full hand.",
    "discard": "After trump is named, all players discard down to a full hand.",
    "up-to-4": "After trump is named, players may discard up to four cards and draw back to a full hand.",
    "up-to-3": "After trump is named, players may discard up to three cards and draw back to a full hand.",
    "up-to-4-with-ace": "After trump is named, players may trade three cards, or four if they keep an ace.",
}


def table_chapter(rules: RuleSet) -> Chapter:
    goes_right = [GOES_RIGHT] if rules.table.direction == "right" else []
    return Chapter("Who plays", [f"{either(rules.table.players).capitalize()} players.", _together(rules), *goes_right])


def _together(rules: RuleSet) -> str:
    table = rules.table
    if table.sides == "called-partner":
        return (
            "Everyone keeps a score of their own. The bidder calls a card: whoever holds it is the bidder’s partner "
            "for that hand, and the others play against them. If it is buried, or the bidder’s own, the bidder "
            f"plays alone.{' Only a trump may be called.' if table.call == 'trump' else ''}"
        )
    if table.sides == "seat-partner":
        places = spelled(table.partner_right, "place")
        return f"Everyone keeps a score of their own. The bidder’s partner sits {places} to the right."
    if table.sides == "solo":
        return "Individual play. Everyone keeps a score of their own."
    teams = [in_words(number) for number in table.teams if number]
    ways = [*(["individual play"] if 0 in table.teams else []), *([f"{listed(teams, 'or')} teams"] if teams else [])]
    seated = ", partners in alternate seats" if teams else ""
    return f"{listed(ways, 'or').capitalize()}{seated}."


def cards_chapter(rules: RuleSet) -> Chapter:
    deck = rules.deck
    cards = len(build_deck(deck.ranks, deck.jokers))
    ranks = " ".join("10" if rank == "T" else rank for rank in deck.ranks)
    jokers = f" and {spelled(deck.jokers, 'joker')}" if deck.jokers else ""
    sentences = [f"{cards} cards: {ranks} in every suit{jokers}.", _taken_out(deck.ranks), *_dealt(rules)]
    more = [_left_over(rules), DRAWS[deck.draw], ROBS[deck.rob], NEXT_DEALER, misdeal_rule(rules)]
    return Chapter("The cards", [sentence for sentence in [*sentences, *more] if sentence])


NEXT_DEALER = "After each hand the next player deals."


def _taken_out(ranks: str) -> str:
    """What to take out of a full pack of 52, as "the 3s through 6s"; empty where that is nothing."""
    missing = [rank for rank in reversed(RANKS) if rank not in ranks]
    out = [f"{RANK_NAMES.get(rank, rank)}s" for rank in missing]
    in_a_row = len(out) > 2 and "".join(missing) in "".join(reversed(RANKS))
    return f"Take the {f'{out[0]} through {out[-1]}' if in_a_row else listed(out)} out of a full pack." if out else ""


LEFT_OVER = {
    "buried": "{cards} left over {are} buried, and shown after the hand. A buried point counts for nobody.",
    "stock": "{cards} left over {stay} face down.",
}
TO_DRAW = "{cards} left over {are} the stock."


def _left_over(rules: RuleSet) -> str:
    """What becomes of the cards that are not dealt, with how many if that is certain; empty without any."""
    deck, counts = rules.deck, {_undealt(rules, players) for players in rules.table.players}
    if counts == {0}:
        return ""
    draws = deck.rob != "nobody" or deck.draw not in ("none", "discard") or rules.trump.is_turned_up
    text = TO_DRAW if draws and deck.undealt == "stock" else LEFT_OVER[deck.undealt]
    if counts == {1}:
        return text.format(cards="The card", are="is", stay="stays")
    number = "".join(f"{in_words(count)} " for count in counts) if len(counts) == 1 else ""
    return text.format(cards=f"The {number}cards", are="are", stay="stay")


def _undealt(rules: RuleSet, players: int) -> int:
    deck = rules.deck
    each, kitty = count_for(deck.deal or deck.hand, players) or 0, count_for(deck.kitty, players) or 0
    return len(build_deck(deck.ranks, deck.jokers)) - players * each - kitty


ROBS = {
    "nobody": "",
    "dealer": "The dealer draws last: looks through the rest of the pack and keeps the best cards.",
    "bidder": "The bidder draws last: looks through the rest of the pack and keeps the best cards.",
}


def _dealt(rules: RuleSet) -> list[str]:
    """How many cards each player gets, plays with, and what goes to the kitty."""
    deck = rules.deck
    deal, hand, kitty = (_at_these_tables(rules, count) for count in (deck.deal, deck.hand, deck.kitty))
    if isinstance(kitty, tuple):
        goes = [f"With {spelled(n, 'player')}, {_go(each)} to the kitty." for n, each in kitty if each]
    else:
        goes = [f"{_go(kitty).capitalize()} to the kitty."] if kitty else []
    return [*_each_gets(deal, hand or 0), *goes, *([KITTIES[deck.kitty_to]] if goes else [])]


def _each_gets(deal: int | ByPlayers | None, hand: int | ByPlayers) -> list[str]:
    if deal is None:
        return [f"Each player gets {_by_players(hand)}."]
    if isinstance(deal, int) and isinstance(hand, int):
        return [f"Each player gets {_by_players(deal)}, and plays with {in_words(hand)}."]
    return [f"Each player gets {_by_players(deal)}.", f"Each plays with {_by_players(hand)}."]


def _go(cards: int) -> str:
    return f"{spelled(cards, 'card')} {'goes' if cards == 1 else 'go'}"


def _at_these_tables(rules: RuleSet, count: int | ByPlayers | None) -> int | ByPlayers | None:
    """A number of cards as far as so many may play: one number, where it is the same for all of them."""
    if not isinstance(count, tuple):
        return count
    here = tuple((players, cards) for players, cards in count if players in rules.table.players)
    return here[0][1] if len({cards for _, cards in here}) == 1 else here


KITTIES = {"bidder": "The bidder takes the kitty before naming trump.", "nobody": "The kitty stays face down."}


def _by_players(count: int | ByPlayers) -> str:
    """A number of cards, or one for each number of players: "nine cards with four players and eight with six"."""
    if isinstance(count, int):
        return spelled(count, "card")
    tables = {cards: [players for players, each in count if each == cards] for _, cards in count}
    (cards, players), *others = tables.items()
    first = f"{spelled(cards, 'card')} with {either(players)} players"
    return listed([first, *(f"{in_words(cards)} with {either(players)}" for cards, players in others)])


# --- trump ---


def trump_chapter(rules: RuleSet) -> Chapter:
    leader = "The bidder" if rules.auction.is_held else "That player"
    led = "trump" if rules.play.follow == "trumps-only" else "card"
    by = {
        "lead": [f"{leader} leads to the first trick, and the suit of that card is trump.{_joker_led(rules)}"],
        "named": [f"The bidder names trump, then leads any {led}."],
        "turned-up": turned_up_rules(rules),
    }[rules.trump.by]
    follow = FOLLOWS[rules.play.follow]
    alike = ALIKE[rules.trump.jokers]
    wins = TRICKS_WON["trumps-only" if rules.play.follow == "trumps-only" else "any"]
    sentences = [*by, follow, wins, *filter(None, [alike]), "From high to low, with hearts as trump:"]
    return Chapter("Trump", sentences, _order(rules))


FOLLOWS = {
    "follow-or-trump": "Follow suit if you can, or play trump. If you cannot follow, play any card.",
    "follow": "Follow suit if you can. If you cannot, play any card.",
    "trumps-only": "Only trumps are played. Whoever has none left is out of the hand, and tricks get shorter.",
}
TRICKS_WON = {
    "any": "The highest trump wins the trick. Without a trump, the highest card of the suit led wins.",
    "trumps-only": "The highest trump wins the trick.",
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
    worth = sum(max(point.worth, point.captured or 0) for point in rules.points)
    table = [(point_name(point.key), _point(point, rules.deck.jokers)) for point in rules.points]
    return Chapter("Points", [f"Up to {spelled(worth, 'point')} in a hand."], table=table)


def _point(point: Point, jokers: int) -> str:
    extra = f", worth {point.worth}" if point.worth > 1 else ""
    if point.card == "game":
        return f"by card points{extra}"
    if point.card in TRICK_NAMES:
        return f"{TRICK_NAMES[point.card]}: whoever wins it{extra}"
    card = "the joker" if jokers == 1 and point.card in JOKERS else point_card(point)
    return f"{card}: {OWNERS[point.owner]}{extra}{captured_rule(point.captured)}"


TRICK_NAMES = {"first-trick": "the first trick", "last-trick": "the last trick"}


def point_card(point: Point) -> str:
    """The card of a point, as the rules name it: "the highest trump in play", "the Jack of trump"."""
    names = {
        "highest": "the highest trump in play",
        "lowest": "the lowest trump in play",
        "lowest-natural": "the lowest card of the trump suit in play, jokers left out",
        **{end: f"the {suit_end(end)} in play, trump or not" for end in SUIT_ENDS},
        "L": "the other jack of trump’s color",
        "LA": "the other ace of trump’s color",
        "L5": "the other 5 of trump’s color",
        "L3": "the other 3 of trump’s color",
    }
    if point.card in JOKERS or point.card in PLAIN_CARDS:
        return f"the {card_name(point.card)}" if point.card in PLAIN_CARDS else f"the {card_name(point.card).lower()}"
    return names.get(point.card) or f"the {RANK_NAMES.get(point.card, point.card)} of trump"
