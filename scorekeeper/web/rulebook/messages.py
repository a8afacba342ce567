"""Sentences of the rules pages: names of fields, errors, and rule sets in chapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS, Card, build_deck, trump_card
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.rules import RuleSet, count_for
from scorekeeper.scoring.rules.fields import (
    FIELDS,
    PLAIN_CARDS,
    SUIT_ENDS,
    TRICKS,
    ByPlayers,
    Point,
    SettleRules,
    Special,
)
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.common.narrator import tie_rule
from scorekeeper.web.common.numbers import ScoreWords, counted, figure, times
from scorekeeper.web.common.words import (
    CARD_NAMES,
    NUMBER_WORDS,
    POINT_CARDS,
    card_name,
    ended,
    in_turn,
    listed,
    rank_name,
)

GROUP_TITLES = {
    "points": "Points",
    "bids": "Bidding",
    "set": "Made and set",
    "end": "Winning",
    "deal": "Players and cards",
    "play": "Trump and play",
    None: "About these rules",
}


def choice_name(name: str, value: str) -> str:
    """Button label of a field's choice."""
    return WORDS[name].choices.get(value, value)


def point_card(name: str) -> str:
    """The object of a point: a card, a trick or an end of a suit, in words; unknown values are returned unchanged."""
    if name in (*CARD_NAMES, *PLAIN_CARDS):
        return card_name(name)
    named = POINT_CARDS.get(name, "").capitalize()
    return named or (f"{rank_name(name)} of trump" if name in tuple(RANKS) else name)


def trump_name(name: str) -> str:
    """A name in a trump order, in words."""
    return POINT_CARDS.get(name, "").capitalize() or rank_name(name)


def rule_title(name: str) -> str:
    return WORDS[name].title


def misdeal_rule(rules: RuleSet) -> str:
    """Who deals after a misdeal, and its cost."""
    points = rules.deck.misdeal
    if not points:
        return "After a misdeal the same dealer deals again."
    return f"If the dealer misdeals, the others score {counted(points, 'point')}, and the next player deals."


FILTERS = rule_title, trump_name, misdeal_rule


# --- errors in rules typed --------------------------------------------------------------------------------------------


# Longest first, so that "deck.kitty_to" does not match as "deck.kitty".
NAMES = re.compile("|".join(sorted(map(re.escape, (name for name in FIELDS if "." in name)), key=len, reverse=True)))
CARDS = re.compile(rf"\b({'|'.join((*PLAIN_CARDS, *JOKERS, *OFF_SUIT))})\b")
PARTS = re.compile(r"^(points|auction\.specials|win\.early) (\w+) (must|needs)")
# Replacement sentences by problem code, or by message where the code is shared.
SENTENCES = {
    "counted-down": "Where scores count down, this cannot name a score. Leave it blank, or count up from 0",
    "early": "All others must have less than the score that wins",
    "never-ends": "Nobody could bid near the end. Choose what happens when all pass",
    "points must not name a key twice": "Two points have the same name. Rename one",
    "points must not have two points of one name": "Two points have the same name. Rename one",
    "game.tie_points must name the points that decide a tied Game": "Choose at least one point that decides a tie",
}


def problem_said(problem: Problem) -> str:
    """A problem in the form's terms: fields by title, cards and points by name."""
    own = SENTENCES.get(problem.code) or SENTENCES.get(problem.message)
    text = own or problem.message.replace("its outcome is set-to", "it sets the score")
    text = text.replace(" must be a list that is not empty", ": choose at least one")
    if part := PARTS.match(text):
        field = f"{part[1]}.{part[2]}"
        text = f"{WORDS[part[1]].title}: {WORDS[field].title.lower()} {text[part.start(3) :]}"
    text = NAMES.sub(lambda name: WORDS[name[0]].title, text)
    if len(CARDS.findall(text)) < len(PLAIN_CARDS):
        text = CARDS.sub(lambda card: point_card(card[0]), text)
    return ended(f"{text[:1].upper()}{text[1:]}")


# --- rules in chapters, in the order of play of a hand ----------------------------------------------------------------


class Chapter(NamedTuple):
    """One chapter of the rules."""

    title: str
    sentences: Sequence[str]
    cards: Sequence[Card] = ()
    table: Sequence[tuple[str, str]] = ()

    @property
    def cards_in_words(self) -> str:
        return ", ".join(card_name(card) for card in self.cards)

    @property
    def lines(self) -> list[str]:
        """All its sentences, table rows and cards."""
        return [*self.sentences, *(f"{name}: {value}" for name, value in self.table), self.cards_in_words]


def chapters(rules: RuleSet) -> list[Chapter]:
    """The chapters of a rule set, in the order of play of a hand."""
    writers: list[Callable[[RuleSet], Chapter]] = [
        _table, _cards, _bidding, _trump, _points, _card_points, _settling, _winning
    ]  # fmt: skip
    return [chapter for chapter in (tell(rules) for tell in writers) if chapter.sentences]


MOST_IN_WORDS = 10


def _in_words(number: int) -> str:
    return NUMBER_WORDS[number - 1] if 0 < number <= MOST_IN_WORDS else str(number)


def _spelled(number: int, noun: str) -> str:
    """A number with its noun: "one card", "six cards", "12 cards"."""
    return f"{_in_words(number)} {noun}{'' if number == 1 else 's'}"


def _either(numbers: Sequence[int]) -> str:
    """Alternative numbers: "four or six", "two to six"."""
    counts = sorted(numbers)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{_in_words(counts[0])} to {_in_words(counts[-1])}"
    return listed([_in_words(number) for number in counts], " or ")


# --- players ----------------------------------------------------------------------------------------------------------


def _table(rules: RuleSet) -> Chapter:
    sentences = [f"{_either(rules.table.players).capitalize()} players.", _partners(rules)]
    if rules.table.direction == "right":
        sentences.append("The deal and the play go around to the right, counterclockwise.")
    return Chapter("Who plays", sentences)


def _partners(rules: RuleSet) -> str:
    table = rules.table
    if table.sides == "called-partner":
        return (
            "Everyone keeps a score of their own. The bidder calls a card: whoever holds it is the bidder’s partner "
            "for that hand, and the others play against them. If nobody else holds it, the bidder plays "
            f"alone.{' Only a trump may be called.' if table.call == 'trump' else ''}"
        )
    if table.sides == "seat-partner":
        places = _spelled(table.partner_right, "place")
        return f"Everyone keeps a score of their own. The bidder’s partner sits {places} to the right."
    if table.sides == "solo":
        return "Individual play. Everyone keeps a score of their own."
    teams = [_in_words(number) for number in table.teams if number]
    ways = [*(["individual play"] if 0 in table.teams else []), *([f"{listed(teams, ' or ')} teams"] if teams else [])]
    seated = ", partners in alternate seats" if teams else ""
    return f"{listed(ways, ' or ').capitalize()}{seated}."


# --- cards ------------------------------------------------------------------------------------------------------------


DRAWS = {
    "none": "",
    "non-trump": "After trump is named, all players discard what is not trump and draw back to a full hand.",
    "discard": "After trump is named, all players discard down to a full hand.",
    "up-to-4": "After trump is named, players may discard up to four cards and draw back to a full hand.",
    "up-to-3": "After trump is named, players may discard up to three cards and draw back to a full hand.",
    "up-to-4-with-ace": "After trump is named, players may trade three cards, or four if they keep an ace.",
}
REDEALS = {
    "no": "",
    "no-face-cards": "With no ace or face card you may ask for a new deal. The same dealer deals again.",
    "no-point-cards": "With no point card you may ask for a new deal. The same dealer deals again.",
    "no-face-or-point-cards": "With no face or point card you may ask for a new deal. The same dealer deals again.",
}
KITTIES = {"bidder": "The bidder takes the kitty.", "nobody": "The kitty stays face down."}


def _cards(rules: RuleSet) -> Chapter:
    deck = rules.deck
    cards = len(build_deck(deck.ranks, deck.jokers))
    ranks = " ".join("10" if rank == "T" else rank for rank in deck.ranks)
    jokers = f" and {_spelled(deck.jokers, 'joker')}" if deck.jokers else ""
    sentences = [f"{cards} cards: {ranks} in every suit{jokers}.", _taken_out(deck.ranks), *_dealt(rules)]
    hand = _at_these_tables(rules, deck.hand)
    left = _left_over(rules)
    looks = "looks" if deck.draw == "none" else "draws last: looks"
    robs = left and deck.rob != "nobody"
    rob = f"The {deck.rob} {looks} through the rest of the deck and keeps the best cards." if robs else ""
    full = _spelled(hand, "card") if isinstance(hand, int) else "a full hand"
    draw = DRAWS[deck.draw if left or deck.draw == "none" else "discard"].replace("a full hand", full)
    deals = ["After each hand the next player deals.", misdeal_rule(rules), REDEALS[deck.redeal]]
    return Chapter("The cards", list(filter(None, [*sentences, left, draw, rob, *deals])))


def _taken_out(ranks: str) -> str:
    """The ranks to remove from a full deck of 52, such as "the 3s through 6s"; empty if none."""
    missing = [rank for rank in reversed(RANKS) if rank not in ranks]
    out = [f"{rank_name(rank)}s" for rank in missing]
    in_a_row = len(out) > 2 and "".join(missing) in "".join(reversed(RANKS))
    return f"Take the {f'{out[0]} through {out[-1]}' if in_a_row else listed(out)} out of a full deck." if out else ""


def _dealt(rules: RuleSet) -> list[str]:
    """Cards dealt to each player, cards played, and the kitty."""
    deck = rules.deck
    deal, hand, kitty = (_at_these_tables(rules, count) for count in (deck.deal, deck.hand, deck.kitty))
    if isinstance(kitty, tuple):
        goes = [f"With {_spelled(n, 'player')}, {_go(each)} to the kitty." for n, each in kitty if each]
    else:
        goes = [f"{_go(kitty).capitalize()} to the kitty."] if kitty else []
    return [*_each_gets(deal, hand or 0), *goes, *([KITTIES[deck.kitty_to]] if goes else [])]


def _each_gets(deal: int | ByPlayers | None, hand: int | ByPlayers) -> list[str]:
    if deal is None:
        return [f"Each player gets {_by_players(hand)}."]
    if isinstance(deal, int) and isinstance(hand, int):
        return [f"Each player gets {_by_players(deal)}, and plays with {_in_words(hand)}."]
    return [f"Each player gets {_by_players(deal)}.", f"Each plays with {_by_players(hand)}."]


def _go(cards: int) -> str:
    return f"{_spelled(cards, 'card')} {'goes' if cards == 1 else 'go'}"


def _at_these_tables(rules: RuleSet, count: int | ByPlayers | None) -> int | ByPlayers | None:
    """`count` limited to the allowed numbers of players; a single number if it is the same for all."""
    if not isinstance(count, tuple):
        return count
    here = tuple((players, cards) for players, cards in count if players in rules.table.players)
    return here[0][1] if len({cards for _, cards in here}) == 1 else here


def _by_players(count: int | ByPlayers) -> str:
    """Text like "nine cards with four players and eight with six"."""
    if isinstance(count, int):
        return _spelled(count, "card")
    tables = {cards: [players for players, each in count if each == cards] for _, cards in count}
    (cards, players), *others = tables.items()
    first = f"{_spelled(cards, 'card')} with {_either(players)} players"
    return listed([first, *(f"{_in_words(cards)} with {_either(players)}" for cards, players in others)])


def _left_over(rules: RuleSet) -> str:
    """The undealt cards and their number if it does not vary; empty if there are none."""
    deck, counts = rules.deck, {_undealt(rules, players) for players in rules.table.players}
    if counts == {0}:
        return ""
    number = "".join(f"{_in_words(count)} " for count in counts) if len(counts) == 1 else ""
    cards, are, stay = ("The card", "is", "stays") if counts == {1} else (f"The {number}cards", "are", "stay")
    if deck.undealt == "buried":
        return f"{cards} left over {are} buried, and shown after the hand. A buried point counts for nobody."
    draws = deck.rob != "nobody" or deck.draw not in ("none", "discard") or rules.trump.is_turned_up
    return f"{cards} left over {are} the stock." if draws else f"{cards} left over {stay} face down."


def _undealt(rules: RuleSet, players: int) -> int:
    deck = rules.deck
    each, kitty = count_for(deck.deal or deck.hand, players) or 0, count_for(deck.kitty, players) or 0
    return len(build_deck(deck.ranks, deck.jokers)) - players * each - kitty


# --- bidding ----------------------------------------------------------------------------------------------------------


def _bidding(rules: RuleSet) -> Chapter:
    auction = rules.auction
    if not auction.is_held:
        leads = "There is no bidding. The player after the dealer leads to the first trick."
        return Chapter("Bidding", [leads, all_pass(rules)])
    way = f"{rules.table.direction} of the {'dealer' if auction.seller == 'nobody' else 'seller'}"
    rounds = {
        "single": f"Everyone bids once, starting {way}: a higher bid, or a pass.",
        "until-passed": f"Bidding goes around from {way} until all but one have passed. A pass is final.",
    }[auction.rounds]
    dealer = _seller(rules) if auction.seller == "eldest" else _dealer(rules)
    specials = [sentence for special in auction.specials for sentence in _special_outcomes(special, rules)]
    return Chapter("Bidding", [_bids(rules), rounds, dealer, all_pass(rules), *specials])


def _bids(rules: RuleSet) -> str:
    auction = rules.auction
    if auction.min == auction.max and not auction.specials:
        return f"The only bid is {auction.max}."
    numbers = f"{auction.min} to {auction.max}" if auction.min < auction.max else str(auction.max)
    specials = "".join(f", or {one.name} for {one.bid}: {special_needs(one, rules)}" for one in auction.specials)
    zero = "" if auction.min else " A bid of 0 promises no points, so it cannot be set."
    return f"The bids are {numbers}{specials}.{zero}"


def _dealer(rules: RuleSet) -> str:
    """The dealer's options for the highest bid."""
    auction = rules.auction
    means = auction.dealer if auction.specials or auction.dealer != "match-not-special" else "match"
    dealer = "The dealer bids last and" if auction.rounds == "single" else "The dealer"
    specials = listed([special.name for special in auction.specials], " or ")
    anyone = auction.max_again == "anyone"
    told = {
        "outbid": "The dealer must pass or bid higher.",
        "match": f"{dealer} may take the bid at the same number.",
        "match-below-max": f"{dealer} may take a bid below {auction.max} at the same number.",
        "match-max": f"{dealer} must pass or bid higher. "
        f"But {'anyone' if anyone else 'the dealer'} may take a bid of {auction.max} by bidding {auction.max}.",
        "match-not-special": f"{dealer} may take the bid at the same number, except {specials}.",
    }[means]
    if anyone and means != "match-max":
        return f"{told} Anyone may take a bid of {auction.max} by bidding {auction.max}."
    return told


# What a sale pays if the seller is on the bidder's side.
SOLD_TO_PARTNER = {
    "teams": "A bid of the seller’s own team pays the seller nothing.",
    "seat-partner": "A bid that makes the seller the bidder’s partner pays the seller nothing.",
    "called-partner": "The sale scores at once, even if the seller turns out to be the bidder’s partner.",
}


def _seller(rules: RuleSet) -> str:
    alone = rules.table.sides == "solo" or (rules.table.sides == "teams" and not any(rules.table.teams))
    sold = "" if alone else f" {SOLD_TO_PARTNER[rules.table.sides]}"
    capped = " No bid may bring the seller to the target." if rules.auction.cap == "seller-short" else ""
    return (
        f"The player to the dealer’s {rules.table.direction} is the seller and bids last. The seller takes the "
        f"hand at the highest bid, or sells it and scores the bid.{capped}{sold}"
    )


WITHOUT_BID = "Everyone scores what they take, and nobody is set."
WITHOUT_BIDDING = "Everyone scores what they take."  # under rules where nobody can be set


def all_pass(rules: RuleSet) -> str:
    """The rule for hands passed by all, with its cost."""
    auction, way = rules.auction, rules.table.direction
    when = "If all pass" if auction.is_held else "If a hand cannot be played"
    forced = auction.least_forced
    least = f", and may bid {forced}" if forced < auction.min else f" at least {forced}"
    said = {
        "redeal": f"{when}, the same dealer deals again.",
        "next-dealer": f"{when}, the next player deals.",
        "dealer-forced": f"If all others pass, the dealer must bid{least}.",
        "eldest-plays": f"If all pass, the player to the dealer’s {way} leads without a bid. {WITHOUT_BID}",
    }[auction.all_pass]
    loses = auction.is_held and auction.pass_cost
    return f"{said} The dealer loses {counted(loses, 'point')}." if loses else said


def special_needs(special: Special, rules: RuleSet) -> str:
    """Requirements of a special: "win every trick and take all four points". One whose card is undealt is missing."""
    varies = any(point.captured is not None for point in rules.points)
    every = "every point" if varies else f"all {_spelled(sum(point.worth for point in rules.points), 'point')}"
    told = {"every-trick": "win every trick", "every-trick-alone": "win every trick yourself"}
    told |= {"every-point": f"take {every}"}
    takes = [] if special.takes is None else [f"take at least {counted(special.takes, 'point')}"]
    return listed([*(told[need] for need in special.needs), *takes])


def _special_outcomes(special: Special, rules: RuleSet) -> list[str]:
    """Results of a special, made and set, unless it costs its bid; and who may bid it."""
    sentences = [_special_result(special, rules, made=made) for made in (True, False)]
    if special.least_score is not None:
        sentences.append(f"To bid {special.name} you need {figure(special.least_score)} or more.")
    return [sentence for sentence in sentences if sentence]


def _special_result(special: Special, rules: RuleSet, *, made: bool) -> str:
    """Result of a special, made or set; empty if it costs its bid."""
    name, target = f"the {special.name} bid", rules.win.target
    if made and special.made == "target" and ScoreWords(rules.win).counts_down:
        return f"Make {name} and go down to 0. From above {target} you only go to {target}."
    if made:
        return {
            "bid": f"Make {name} and score {special.bid}.",
            "taken": f"Make {name} and score what you took.",
            "win": f"Make {name} and win the game.",
            "set-to": f"Make {name} and your score is {figure(special.made_to or 0)}.",
            "target": f"Make {name} and go up to {target}. From below zero you only go to 0.",
        }[special.made]
    return {
        "bid": "",
        "lose": f"Miss {name} and lose the game.",
        "set-to": f"Miss {name} and your score is {figure(special.failed_to or 0)}.",
        "target": f"Miss {name} and lose {target} points.",
    }[special.failed]


# --- trump ------------------------------------------------------------------------------------------------------------


FOLLOWS = {
    "follow-or-trump": "Follow suit if you can, or play trump. If you cannot follow, play any card.",
    "follow": "Follow suit if you can. If you cannot, play any card.",
    "trumps-only": "Only trumps are played. Whoever has none left is out of the hand, and tricks get shorter.",
}
EQUAL_JOKERS = {
    "ranked": "",
    "first": "Jokers are equal: the first played in a trick wins.",
    "last": "Jokers are equal: the last played in a trick wins.",
}


def _trump(rules: RuleSet) -> Chapter:
    leader = "The bidder" if rules.auction.is_held else "That player"
    led = "trump" if rules.play.follow == "trumps-only" else "card"
    joker_led = " If it is a joker, the bidder names the suit." if rules.deck.jokers else ""
    by = {
        "lead": [f"{leader} leads to the first trick, and the suit of that card is trump.{joker_led}"]
        if rules.deck.draw == "none"
        else [f"{leader} names trump, then leads it."],
        "named": [f"The bidder names trump, then leads any {led}."],
        "turned-up": _turned_up(rules),
    }[rules.trump.by]
    wins = "The highest trump wins the trick."
    if rules.play.follow != "trumps-only":
        wins += " Without a trump, the highest card of the suit led wins."
    sentences = [
        *by,
        FOLLOWS[rules.play.follow],
        wins,
        EQUAL_JOKERS[rules.trump.jokers],
        "From high to low, with hearts as trump:",
    ]
    return Chapter("Trump", list(filter(None, sentences)), [trump_card(name, "H") for name in rules.trump.order])


def _turned_up(rules: RuleSet) -> list[str]:
    """Trump by a card turned up: its score, and begging."""
    trump = rules.trump
    sentences = ["After the deal, the dealer turns up the next card. Its suit is trump."]
    worth = [f"{_with_article(rank)} scores {points}" for rank, points in trump.turned.items() if points]
    if worth:
        sentences.append(f"Turned up, {listed(worth)} for the dealer at once.")
    if trump.may_beg:
        begs, gives = "The player after the dealer may keep that trump or beg.", f"gives {counted(trump.gift, 'point')}"
        runs = (
            f"deals {counted(trump.run, 'card')} more to each player and turns up another card, until its suit is new. "
            "That suit is trump, and everyone plays with all of their cards."
        )
        if trump.gift and trump.run:
            sentences.append(f"{begs} The dealer then {gives} and the trump stays, or runs the cards.")
            sentences.append(f"To run the cards, the dealer {runs}")
        else:
            sentences.append(f"{begs} The dealer then {f'{gives}, and the trump stays.' if trump.gift else runs}")
    if trump.gift and trump.gift_to == "others":
        sentences.append("What the dealer gives goes to each opponent, not only to the player who begs.")
    return sentences


def _with_article(rank: str) -> str:
    name = rank_name(rank)
    return f"{'an' if name[0].lower() in 'a8' else 'a'} {name}"


# --- points -----------------------------------------------------------------------------------------------------------


OWNERS = {
    "taker": "whoever wins the trick it is in",
    "holder": "whoever was dealt it",
    "keeper": "whoever plays it, no matter who wins the trick",
}


def _points(rules: RuleSet) -> Chapter:
    worth = sum(max(point.worth, point.captured or 0) for point in rules.points)
    table = [(point.name, _point(point, rules.deck.jokers)) for point in rules.points]
    return Chapter("Points", [f"Up to {_spelled(worth, 'point')} in a hand."], table=table)


def _point(point: Point, jokers: int) -> str:
    extra = f", worth {point.worth}" if point.worth > 1 else ""
    if point.card == "game":
        return f"by card points{extra}"
    if point.card in TRICKS:
        return f"the {POINT_CARDS[point.card]}: whoever wins it{extra}"
    taken = "" if point.captured is None else f", {point.captured} if captured from another"
    card = "the joker" if jokers == 1 and point.card in JOKERS else card_of_point(point)
    return f"{card}: {OWNERS[point.owner]}{extra}{taken}"


def card_of_point(point: Point) -> str:
    """The card of a point in the words of the rules: "the highest trump in play", "the Jack of trump"."""
    if point.card in JOKERS or point.card in PLAIN_CARDS:
        return f"the {card_name(point.card)}" if point.card in PLAIN_CARDS else f"the {card_name(point.card).lower()}"
    name = POINT_CARDS.get(point.card) or f"{rank_name(point.card)} of trump"
    more = dict.fromkeys(SUIT_ENDS, ", trump or not") | {"lowest-natural": ", jokers left out"}
    return f"the {name}{more.get(point.card, '')}"


def _card_points(rules: RuleSet) -> Chapter:
    game = rules.game
    if not any(point.card == "game" for point in rules.points):
        return Chapter("Card points", [])
    cards = (*rules.deck.ranks, *JOKERS[: rules.deck.jokers])
    table = [(rank_name(rank), str(value)) for rank, value in game.values.items() if value and rank in cards]
    wins = "The most card points win Game." if game.award == "most" else f"It takes {game.at_least} to win Game."
    said = f"Add up the card points in the tricks you won. {wins} {tie_rule(rules)}"
    return Chapter("Card points", [said], table=table)


# --- the score of a hand ----------------------------------------------------------------------------------------------


MADE_SCORES = {
    "taken": "Make your bid and score all you took.",
    "bid": "Make your bid and score the bid, no more.",
    "difference": (
        "When the bid is made, whoever took the most points scores only the lead over the next. Nobody else scores."
    ),
}
SET_SCORES = {
    "bid": "Fall short and you are set. Lose the bid.",
    "bid-less-taken": "Fall short and you are set. Lose the bid, minus what you took.",
    "nothing": "Fall short and you are set. Score nothing.",
}
OTHERS_SCORE = {
    "taken": "The others always score what they took.",
    "bid": "The others score what they took. When the bid is set, they score the bid instead.",
    "both": "The others score what they took. When the bid is set, they score the bid as well.",
}
OTHERS_SCORE_DIFFERENCE = {
    "taken": "When the bid is set, the others score what they took.",
    "bid": "When the bid is set, the others score the bid.",
    "both": "When the bid is set, the others score the bid and what they took.",
}


def _settling(rules: RuleSet) -> Chapter:
    settle = rules.settle
    if not rules.auction.is_held:
        return Chapter("What a hand scores", [WITHOUT_BIDDING])
    beyond = f"above {rules.win.target}" if ScoreWords(rules.win).counts_down else "below zero"
    below = f" Scores can go {beyond}." if _can_lose(rules) else ""
    sweep = f"Take every trick and every point without bidding it: +{settle.sweep}." if settle.sweep else ""
    each = "" if rules.table.sides in ("teams", "solo") else " Partners each score all that their side took."
    sentences = [MADE_SCORES[settle.made], SET_SCORES[settle.set], f"{others_score(settle)}{each}{below}", sweep]
    return Chapter("Made and set", list(filter(None, sentences)))


def _can_lose(rules: RuleSet) -> bool:
    """True if a score can decrease: by a set, by a hand passed by all, or by a special."""
    specials = rules.auction.specials
    numbers = [number or 0 for each in specials for number in (each.made_to, each.failed_to)]
    fails = any(each.failed == "target" for each in specials) or min(numbers, default=0) < 0
    return rules.settle.set != "nothing" or rules.auction.pass_cost > 0 or fails


def without_bid(rules: RuleSet) -> str:
    """The result of a hand without a bid."""
    return WITHOUT_BID if rules.auction.is_held else WITHOUT_BIDDING


def others_score(settle: SettleRules) -> str:
    """The other sides' score; when a made bid scores the difference, another wording covers all sides."""
    return OTHERS_SCORE_DIFFERENCE[settle.defenders] if settle.made == "difference" else OTHERS_SCORE[settle.defenders]


def bid_rule(rules: RuleSet, special: Special | None, *, made: bool) -> str:
    """The rule that decides the result of a bid for the bidding side."""
    if special is None or (not made and special.failed == "bid"):
        return MADE_SCORES[rules.settle.made] if made else SET_SCORES[rules.settle.set]
    return _special_result(special, rules, made=made)


# --- winning ----------------------------------------------------------------------------------------------------------


IF_NOT = {
    "count-out": "If that does not decide it, ",
    "bidder": "If that does not decide it, ",
    "highest": "If that is a tie, ",
}
ALL_POINTS = {
    "nobody": "",
    "bidder": "Bid and take every point of a hand to win at once.",
    "anyone": "Take every point of a hand to win at once.",
}


def _winning(rules: RuleSet) -> Chapter:
    win, scores = rules.win, ScoreWords(rules.win)
    makes = "your side makes its" if rules.table.is_changing else "you make your own"
    only = f" You can win only in a hand in which {makes} bid." if win.eligible == "made-bid" else ""
    down = f"Scores count down: everyone starts at {scores.score(0)}, points won come off and points lost go on."
    sentences = [f"The first to {scores.end} wins.{only}", *([down] if scores.counts_down else []), _decided(rules)]
    if win.early:
        at, most = win.early.at, figure(win.early.others_at_most)
        reach = {
            "first-reach": f"Reach {at} for the first time and win at once if all others have {most} or less.",
            "any-hand": f"At {at} or more you win at once if all others have {most} or less.",
        }
        sentences.append(reach[win.early.when])
        sentences += [f"You win at once only if {makes} bid in that hand."] if win.early.eligible == "made-bid" else []
    return Chapter("Winning", [*sentences, *_other_ends(rules)])


def _decided(rules: RuleSet) -> str:
    """The tiebreakers when several reach the target in the same hand."""
    ways, order = _ways_to_decide(rules), rules.win.order
    points = f": {in_turn(rules.called(order))}" if order else ""
    wins = {
        "bidder": "the bidder wins.",
        "highest": f"the {ScoreWords(rules.win).best} score wins.",
        "count-out": f"count the points one by one{points}. The first to get there wins.",
        "share": "they win together.",
        "play-on": "play goes on.",
    }
    several = "both teams" if _has_two_teams(rules) else "several"
    first = _counts_first(rules) if "count-out" in rules.win.both else ""
    before = (f"{first}If {several} reach it in the same hand, ", *(IF_NOT.get(way, "") for way in ways))
    return " ".join(f"{start}{wins[way]}" for start, way in zip(before, ways, strict=False))


def _ways_to_decide(rules: RuleSet) -> list[str]:
    """The tiebreakers at the target, up to the first that always decides.

    With two teams the bidder's always decides, since one of them has bid.
    """
    both, two_teams = rules.win.both, _has_two_teams(rules)
    ways = both[: next((place for place, way in enumerate(both, 1) if way in ("share", "play-on")), len(both))]
    bidder_decides = "bidder" in ways and two_teams and not rules.auction.plays_without_bid
    decided = ways[-1] in ("share", "play-on") or bidder_decides
    return [*ways] if decided else [*ways, "play-on"]


def _counts_first(rules: RuleSet) -> str:
    """When points are counted one by one: what counts before the first of them, and before the bid."""
    trump, sold = rules.trump, rules.auction.seller != "nobody"
    if sold or any(trump.turned.values()) or trump.gift:
        return "Points before the play and adjustments count first. "
    return "Adjustments count first. "


def _has_two_teams(rules: RuleSet) -> bool:
    """True if the rules allow two teams only."""
    return rules.table.sides == "teams" and set(rules.table.teams) == {2}


def _other_ends(rules: RuleSet) -> list[str]:
    """Ends of a game other than by the target."""
    win, sentences = rules.win, [ALL_POINTS[rules.win.all_points]]
    whose = ", as bidder or as partner," if rules.table.is_changing else ","
    if win.hands is not None:
        sentences.append(f"After {counted(win.hands, 'hand')}, the {ScoreWords(win).best} score wins.")
    if win.lost_at is not None:
        sentences.append(f"At {figure(win.lost_at)} or less you lose the game.")
    if win.lost_sets is not None:
        sentences.append(f"If you are set {times(win.lost_sets)}{whose} you lose the game.")
    if win.lost_in_a_row is not None:
        sentences.append(f"If you are set {counted(win.lost_in_a_row, 'hand')} in a row{whose} you lose the game.")
    loses = any(most is not None for most in (win.lost_at, win.lost_sets, win.lost_in_a_row))
    if loses and not _has_two_teams(rules):
        sentences[-1] += f" Then the {ScoreWords(win).best} score of the others wins."
    return [sentence for sentence in sentences if sentence]
