"""What the pages of rules say of fields, of what is wrong with them, and of games that a table looks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from scorekeeper.models import Facts
from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS, Card, build_deck, trump_card
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.record import ranks_turned_up
from scorekeeper.scoring.rules import RuleSet, count_for
from scorekeeper.scoring.rules.fields import (
    FIELDS,
    PLAIN_CARDS,
    SUIT_ENDS,
    ByPlayers,
    Point,
    SettleRules,
    Special,
)
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.scoring.table import Table, TrumpSuit
from scorekeeper.web.common.narrator import CAPTURED, tie_rule, turned_up_said
from scorekeeper.web.common.numbers import counted, figure, times
from scorekeeper.web.common.words import (
    CARD_NAMES,
    RANK_NAMES,
    ScoreWords,
    card_name,
    card_sign,
    ended,
    in_turn,
    listed,
    rank_name,
    suit_end,
    suit_name,
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
POINT_CARDS = {
    "game": "The most card points",
    "highest": "Highest trump in play",
    "lowest": "Lowest trump in play",
    "lowest-natural": "Lowest trump in play, no joker",
    "first-trick": "First trick",
    "last-trick": "Last trick",
    "L": "Jack of trump’s color",
    "LA": "Ace of trump’s color",
    "L5": "5 of trump’s color",
    "L3": "3 of trump’s color",
    **{end: f"{suit_end(end).capitalize()} in play" for end in SUIT_ENDS},
}


def choice_name(name: str, value: str) -> str:
    """One of a field's words, as its button says it."""
    return WORDS[name].choices.get(value, value)


def point_card(name: str) -> str:
    """What a point can be, in words: the Jack of trump, the last trick, the ace of spades; else what was typed."""
    named = POINT_CARDS.get(name) or CARD_NAMES.get(name) or (card_name(name) if name in PLAIN_CARDS else "")
    return named or (f"{RANK_NAMES.get(name, name)} of trump" if name in tuple(RANKS) else name)


def trump_name(name: str) -> str:
    """A name in a trump order in words."""
    return POINT_CARDS.get(name) or rank_name(name)


FILTERS = {"rule_title": lambda name: WORDS[name].title, "trump_name": trump_name}


# Longest first, so that "deck.kitty_to" is not read as "deck.kitty".
NAMES = re.compile("|".join(sorted(map(re.escape, (name for name in FIELDS if "." in name)), key=len, reverse=True)))
CARDS = re.compile(rf"\b({'|'.join((*PLAIN_CARDS, *JOKERS, *OFF_SUIT))})\b")
PARTS = re.compile(r"^(points|auction\.specials|win\.early) (\w+) (must|needs)")

# By a problem's code: where its own sentence names parts of a field as data has them.
SENTENCES = {
    "counted-down": "Where scores count down, this cannot name a score. Leave it blank, or count up from 0",
    "early": "All others must have less than the score that wins",
    "never-ends": "Nobody could bid near the end. Choose what happens when all pass",
}
# By its own sentence: where its code is that of others, too.
REWORDED = {
    "points must not name a key twice": "Two points have the same name. Rename one",
    "points must not have two points of one name": "Two points have the same name. Rename one",
    "game.tie_points must name the points that decide a tied Game": "Choose at least one point that decides a tie",
}


def problem_said(problem: Problem) -> str:
    """A problem as the form says it: fields by their titles, cards and points by their names."""
    own = SENTENCES.get(problem.code) or REWORDED.get(problem.message)
    text = own or problem.message.replace("its outcome is set-to", "it sets the score")
    if part := PARTS.match(text):
        field = f"{part[1]}.{part[2]}"
        text = f"{WORDS[part[1]].title}: {WORDS[field].title.lower()} {text[part.start(3) :]}"
    text = NAMES.sub(lambda name: WORDS[name[0]].title, text)
    if len(CARDS.findall(text)) < len(PLAIN_CARDS):
        text = CARDS.sub(lambda card: point_card(card[0]), text)
    return ended(f"{text[:1].upper()}{text[1:]}")


# --- rule sentences --------------------------------------------------------------------------------------------------


def chapters(rules: RuleSet) -> list[Chapter]:
    """A rule set in the order in which a hand is played."""
    tellers: list[Callable[[RuleSet], Chapter]] = [
        table_chapter, cards_chapter, _bidding, trump_chapter, points_chapter, game_chapter, _settling, _winning,
    ]  # fmt: skip
    return [chapter for chapter in (tell(rules) for tell in tellers) if chapter.sentences]


# --- bidding and trump ---


NO_BIDDING = "There is no bidding. The player after the dealer leads to the first trick."
DEALT_AGAIN = {
    "redeal": "If a hand cannot be played, the same dealer deals again.",
    "next-dealer": "If a hand cannot be played, the next player deals.",
}


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
    paid = f" The dealer loses {counted(cost, 'point')}." if cost else ""
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
    "taken": "Make your bid and score all you took.",
    "bid": "Make your bid and score the bid, no more.",
    "difference": ("When a bid is made, only whoever took the most points scores: how many more than the next."),
}
SET_SCORES = {
    "bid": "Fall short and you are set. Lose the bid.",
    "bid-less-taken": "Fall short and you are set. Lose the bid, minus what you took.",
    "nothing": "Fall short and you are set. Score nothing.",
}
OTHERS_SCORE = {
    "taken": "The others always score what they took.",
    "bid": "The others score what they took. When the bid is set they score the bid instead.",
    "both": "The others score what they took. When the bid is set they score the bid as well.",
}
OTHERS_SCORE_DIFFERENCE = {
    "taken": "When the bid is set, the others score what they took.",
    "bid": "When the bid is set, the others score the bid.",
    "both": "When the bid is set, the others score what they took and the bid as well.",
}


SWEEP_SCORES = "Take every trick and every point without bidding it: +{}."


def _settling(rules: RuleSet) -> Chapter:
    settle = rules.settle
    if not rules.auction.is_held:
        return Chapter("What a hand scores", [WITHOUT_BIDDING])
    beyond = f"above {rules.win.target}" if ScoreWords(rules.win).counts_down else "below zero"
    below = f" Scores can go {beyond}." if _can_lose(rules) else ""
    sentences = [MADE_SCORES[settle.made], SET_SCORES[settle.set], f"{others_score(settle)}{below}"]
    if settle.sweep:
        sentences.append(SWEEP_SCORES.format(settle.sweep))
    return Chapter("Made and set", sentences)


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
    return special_result(special, rules, made=made) or f"Make {special.name} and score the bid."


BOTH = {
    "bidder": "the bidder wins.",
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


def counts_first(rules: RuleSet) -> str:
    """Where points are counted one by one: what counts before the first of them, and before the bidder's."""
    trump, sold = rules.trump, rules.auction.seller != "nobody"
    if sold or any(trump.turned.values()) or trump.gift:
        return " What was scored before the play counts first, and so does an adjustment."
    return " An adjustment counts first."


def _has_two_teams(rules: RuleSet) -> bool:
    """Whether there are always two teams."""
    return rules.table.sides == "teams" and set(rules.table.teams) == {2}


def _winning(rules: RuleSet) -> Chapter:
    win, scores = rules.win, ScoreWords(rules.win)
    whose = "be on the side that makes its" if rules.table.is_changing else "make your own"
    only = f" To win, {whose} bid in that hand." if win.eligible == "made-bid" else ""
    ways = _ways_to_decide(rules)
    several = "both teams" if _has_two_teams(rules) else "several"
    before = (f"If {several} reach it in the same hand, ", *(IF_NOT.get(way, "") for way in ways))
    order = f": {in_turn(rules.called(win.order))}" if win.order else ""
    both = " ".join(
        f"{start}{BOTH[way].format(order=order, early=counts_first(rules), best=scores.best)}"
        for start, way in zip(before, ways, strict=False)
    )
    sentences = [f"The first to {scores.end} wins.{only}", *_counted(scores), both]
    if win.early:
        sentences.append(EARLY[win.early.when].format(at=win.early.at, most=figure(win.early.others_at_most)))
        sentences += [f"To win at once, {whose} bid in that hand."] if win.early.eligible == "made-bid" else []
    return Chapter("Winning", [*sentences, *_other_ends(rules)])


def _ways_to_decide(rules: RuleSet) -> list[str]:
    """What decides between several at the target, up to what always does. Of two teams one is the bidder's."""
    both, two_teams = rules.win.both, _has_two_teams(rules)
    ways = both[: next((place for place, way in enumerate(both, 1) if way in ("share", "play-on")), len(both))]
    bidder_decides = "bidder" in ways and two_teams and not rules.auction.plays_without_bid
    decided = ways[-1] in ("share", "play-on") or bidder_decides
    return [*ways] if decided else [*ways, "play-on"]


def _counted(scores: ScoreWords) -> list[str]:
    """How scores count, where they do not count up."""
    if not scores.counts_down:
        return []
    return [f"Scores count down: everyone starts at {scores.score(0)}, points won come off and points lost go on."]


EARLY = {
    "first-reach": "Reach {at} for the first time and win at once if all others have {most} or less.",
    "any-hand": "At {at} or more you win at once if all others have {most} or less.",
}


ALL_POINTS = {
    "nobody": "",
    "bidder": "Bid and take every point of a hand to win at once.",
    "anyone": "Take every point of a hand to win at once.",
}


def _other_ends(rules: RuleSet) -> list[str]:
    """How a game ends below the target."""
    win, sentences = rules.win, [ALL_POINTS[rules.win.all_points]]
    if win.hands is not None:
        sentences.append(f"After {counted(win.hands, 'hand')}, the {ScoreWords(win).best} score wins.")
    if win.lost_at is not None:
        sentences.append(f"At {figure(win.lost_at)} or less you lose the game.")
    if win.lost_sets is not None:
        sentences.append(f"Set {times(win.lost_sets)}, you lose the game.")
    if win.lost_in_a_row is not None:
        sentences.append(f"Set in {counted(win.lost_in_a_row, 'hand')} in a row, you lose the game.")
    return [sentence for sentence in sentences if sentence]


# --- card rule sentences ---------------------------------------------------------------------------------------------


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
    hand = _at_these_tables(rules, deck.hand)
    draw = DRAWS[deck.draw].replace("a full hand", spelled(hand, "card") if isinstance(hand, int) else "a full hand")
    more = [_left_over(rules), draw, ROBS[deck.rob], NEXT_DEALER, misdeal_rule(rules), REDEALS[deck.redeal]]
    return Chapter("The cards", [sentence for sentence in [*sentences, *more] if sentence])


REDEALS = {
    "no": "",
    "no-face-cards": "With no ace or face card you may ask for a new deal. The same dealer deals again.",
    "no-point-cards": "With no card that can score you may ask for a new deal. The same dealer deals again.",
    "no-face-or-point-cards": "With no face card and no card that can score you may ask for a new deal. "
    "The same dealer deals again.",
}
NEXT_DEALER = "After each hand the next player deals."
MISDEAL = "If the dealer misdeals, the others score {points}, and the next player deals."


def misdeal_rule(rules: RuleSet) -> str:
    """What a misdeal costs; empty where it costs nothing."""
    return MISDEAL.format(points=counted(rules.deck.misdeal, "point")) if rules.deck.misdeal else ""


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


TURNED_UP = "After the deal, the dealer turns up the next card. Its suit is trump."
BEGS = "The player after the dealer may keep that trump or beg."
GIVES = "The dealer then gives {points}, and the trump stays."
RUNS = (
    "The dealer then deals {cards} more to each player and turns up another card, again and again until its suit is a "
    "new one. That is trump, and everyone plays with all of their cards."
)
GIVES_OR_RUNS = "The dealer then gives {points} and the trump stays, or runs the cards."
GIVES_TO_OTHERS = "Each opponent of the dealer gets that, not only the player who begs."
RUN = (
    "To run the cards, the dealer deals {cards} more to each player and turns up another card, again and again until "
    "its suit is a new one. That is trump, and everyone plays with all of their cards."
)


def turned_up_rules(rules: RuleSet) -> list[str]:
    """How a card that is turned up makes trump, what it scores, and who may beg."""
    trump = rules.trump
    sentences = [TURNED_UP]
    worth = [f"{_a(rank)} scores {points}" for rank, points in trump.turned.items() if points]
    if worth:
        sentences.append(f"Turned up, {listed(worth)} for the dealer at once.")
    if trump.may_beg:
        points, cards = counted(trump.gift, "point"), counted(trump.run, "card")
        ways = [GIVES_OR_RUNS, RUN] if trump.gift and trump.run else [GIVES] if trump.gift else [RUNS]
        first, *more = (way.format(points=points, cards=cards) for way in ways)
        sentences += [f"{BEGS} {first}", *more]
    if trump.gift and trump.gift_to == "others":
        sentences.append(GIVES_TO_OTHERS)
    return sentences


def _a(rank: str) -> str:
    name = RANK_NAMES.get(rank, rank)
    return f"{'an' if name[0].lower() in 'a8' else 'a'} {name}"


def begging(facts: Facts, eldest: str) -> str:
    """What happened before the play of an example: " Turned up: Jack. Ann begs, and is given points."."""
    turned = f" Turned up: {turned_up_said(ranks_turned_up(facts['turned_up']))}." if facts.get("turned_up") else ""
    return f"{turned} {eldest} begs, and is given points." if facts.get("gift") else turned


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
    "first": "Jokers are equal: the first played in a trick wins.",
    "last": "Jokers are equal: the last played in a trick wins.",
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
    table = [(point.name, _point(point, rules.deck.jokers)) for point in rules.points]
    return Chapter("Points", [f"Up to {spelled(worth, 'point')} in a hand."], table=table)


def _point(point: Point, jokers: int) -> str:
    extra = f", worth {point.worth}" if point.worth > 1 else ""
    if point.card == "game":
        return f"by card points{extra}"
    if point.card in TRICK_NAMES:
        return f"{TRICK_NAMES[point.card]}: whoever wins it{extra}"
    taken = "" if point.captured is None else f", {point.captured} if captured from another"
    card = "the joker" if jokers == 1 and point.card in JOKERS else card_of_point(point)
    return f"{card}: {OWNERS[point.owner]}{extra}{taken}"


TRICK_NAMES = {"first-trick": "the first trick", "last-trick": "the last trick"}


def card_of_point(point: Point) -> str:
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


# --- bidding rule sentences ------------------------------------------------------------------------------------------


DEALERS = {
    "outbid": "The dealer must pass or bid higher.",
    "match": "{dealer} may take the bid at the same number.",
    "match-below-max": "{dealer} may take a bid below {max} at the same number.",
    "match-max": "{dealer} must bid higher; only a {max} may be matched.",
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
CAPPED = {"maximum": "", "seller-short": " No bid may bring the seller to the target."}


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
    "taken": "Make {name} and score what you took.",
    "win": "Make {name} and win the game.",
    "set-to": "Make {name} and your score is {made_to}.",
    "target": "Make {name} and go up to {target}, or from below zero to 0.",
}
FAILED = {
    "bid": "",
    "lose": "Miss {name} and lose the game.",
    "set-to": "Miss {name} and your score is {failed_to}.",
    "target": "Miss {name} and lose {target} points.",
}


def special_outcomes_rule(rules: RuleSet) -> list[str]:
    """What a special comes to where that is not its bid."""
    return [sentence for each in rules.auction.specials for sentence in special_outcomes(each, rules)]


def special_outcomes(special: Special, rules: RuleSet) -> list[str]:
    """What a special comes to when it is made and when it is set, where that is not its bid; who may bid it."""
    sentences = [special_result(special, rules, made=made) for made in (True, False)]
    if special.least_score is not None:
        sentences.append(f"To bid {special.name} you need {_signed(special.least_score)} or more.")
    return [sentence for sentence in sentences if sentence]


def special_result(special: Special, rules: RuleSet, *, made: bool) -> str:
    """What a special comes to when it is made, or set; empty where that is its bid."""
    target = rules.win.target
    if made and special.made == "target" and ScoreWords(rules.win).counts_down:
        return f"Make {special.name} and go down to 0, or from above {target} to {target}."
    sentence = MADE[special.made] if made else FAILED[special.failed]
    made_to, failed_to = _signed(special.made_to), _signed(special.failed_to)
    return sentence.format(name=special.name, target=target, made_to=made_to, failed_to=failed_to)


def _signed(score: int | None) -> str:
    return "" if score is None else figure(score)


# --- past sentences --------------------------------------------------------------------------------------------------


AS_PLAYED = "As if everyone had bid and played the same."
MOST_TOLD = 2  # games of which the same is said, each in its own sentence
KINDS = OTHERS, SOONER, LATER, GONE_ON, OTHER_SCORE = ("others", "sooner", "later", "gone on", "score")
OF_MANY = {
    OTHERS: "would have had other winners",
    SOONER: "would have been won sooner",
    LATER: "would have been won later",
    GONE_ON: "would have gone on after their last hand",
    OTHER_SCORE: "would have ended with another score",
}


def changed(kind: str, games: Mapping[int, str]) -> list[str]:
    """What would have been different in games, by number: a sentence each, or of many one with the numbers."""
    if len(games) <= MOST_TOLD:
        return list(games.values())
    return [f"{counted(len(games), 'game')} {OF_MANY[kind]}: {listed(list(map(str, sorted(games))))}."]


def won(number: int, winners: Sequence[str], hand: int, before: Sequence[str], last: int) -> str:
    """Bo’s team would have won game 12 at hand 9. Ann’s team won it at hand 11."""
    who = listed(winners)
    if list(winners) == list(before):
        sooner = "already at" if hand < last else "only at"
        return f"{who} would have won game {number} {sooner} hand {hand}, not hand {last}."
    return f"{who} would have won game {number} at hand {hand}. {listed(before)} won it at hand {last}."


def gone_on(number: int, score: str, before: Sequence[str], last: int) -> str:
    """Game 12 would have gone on after hand 11, at 18 to 15. Ann’s team won it there."""
    return f"Game {number} would have gone on after hand {last}, at {score}. {listed(before)} won it there."


def other_score(number: int, score: str, before: str) -> str:
    return f"Game {number} would have ended {score}, not {before}."


def others(same: int, unknown: int, *, any_changed: bool) -> list[str]:
    """The games that would have ended the same, and those of which that cannot be known."""
    told = []
    if same:
        told.append(f"{counted(same, 'other game' if any_changed else 'game')} would have ended the same.")
    if unknown:
        whose = "its" if unknown == 1 else "their"
        told.append(
            f"{counted(unknown, 'game')} cannot be scored under these rules: {whose} cards, points or bids do not fit."
        )
    return told


# --- ask sentences ---------------------------------------------------------------------------------------------------


TRICK, PLAY, POINTS, HAND = "trick", "play", "points", "hand"
QUESTIONS = {
    TRICK: "Who wins this trick?",
    PLAY: "May I play this?",
    POINTS: "Which card is each point?",
    HAND: "What does this hand score?",
}
WHICH_TRUMP = "Tap the trump suit."
TAP_TRICK = "Tap the cards of the trick in the order they were played."
TAP_LED = "Tap the card that was led."
TAP_HAND = "Now tap the cards you hold."
TAP_BURIED = "Tap the buried cards you know."
WHICH_BID = "Tap the bid."
TAP_TAKEN = "Tap the points the bidders took."
TAP_SIDE_TOOK = "Tap the points you took."
NOT_IN_PLAY = "not in play"
BURIED = "buried: nobody gets it"
NOTHING_TO_PLAY = "Only trump may be played. You are out of this hand."
NO_SIGNAL = "This answer needs a signal."
UNKNOWN = "depends on the cards that were dealt"


def tap_seen(suits: Collection[str]) -> str:
    """Tap the trumps and the spades that were played: of these suits a card is a point, whatever is trump."""
    return f"Tap {listed(['the trumps', *(f'the {suit_name(suit)}' for suit in suits)])} that were played."


def winner(cards: Sequence[Card], place: int, trump: TrumpSuit) -> str:
    """2♥ wins. It is the only trump."""
    card = cards[place]
    if trump.suit_of[card] == trump.suit:
        only = sum(trump.suit_of[other] == trump.suit for other in cards) == 1
        return f"{card_sign(card)} wins. It is the {'only' if only else 'highest'} trump."
    led = suit_name(trump.suit_of[card])
    return f"{card_sign(card)} wins. Nobody played trump, and it is the highest of the {led}, the suit led."


def may_play(cards: Collection[Card]) -> str:
    """You may play K♣ or 2♥."""
    return f"You may play {listed([card_sign(card) for card in cards], 'or')}."


def may_not_play(cards: Sequence[Card], led: Card, legal: Sequence[Card], trump: TrumpSuit) -> str:
    """Not 5♦: clubs were led, and you have K♣."""
    suit = trump.suit_of[led]
    kept = next((card for card in legal if trump.suit_of[card] == suit), None)
    not_these = f"Not {listed([card_sign(card) for card in cards], 'or')}"
    if kept is None:
        return f"{not_these}: these rules ask for trump."
    was_led = f"{suit_name(suit)} were led" if suit != trump.suit else "trump was led"
    return f"{not_these}: {was_led}, and you have {card_sign(kept)}."


def decides(table: Table, bid: int, *, made: bool) -> str:
    """The rules that say what a bid comes to, and what the others score if it is set."""
    if table.is_without_bid(bid):
        return without_bid(table.rules)
    rule, settle = bid_rule(table.rules, table.specials.get(bid), made=made), table.rules.settle
    return rule if made or settle.defenders == "taken" else f"{rule} {others_score(settle)}"


def captured(point: str) -> str:
    """Jack captured: what to tap where that is worth something else."""
    return f"{point} {CAPTURED}"


def side_scores(change: str) -> str:
    """What points come to in a game without bidding."""
    return f"{change} for these points."


def scores(bid: str, taken: int, change: str, *, made: bool, every_trick: bool) -> str:
    """Bid 4, took 5: +5. Bid 4, took 3: set, −4."""
    condition = " if you also won every trick" if every_trick else ""
    return f"Bid {bid}, took {taken}: {'' if made else 'set, '}{change}{condition}."


WINS_GAME = {
    "most": "The most card points win Game.",
    "at-least": "It takes {least} to win Game.",
}


def game_chapter(rules: RuleSet) -> Chapter:
    game = rules.game
    if not any(point.card == "game" for point in rules.points):
        return Chapter("Card points", [])
    cards = (*rules.deck.ranks, *JOKERS[: rules.deck.jokers])
    table = [(rank_name(rank), str(value)) for rank, value in game.values.items() if value and rank in cards]
    wins = WINS_GAME[game.award].format(least=game.at_least)
    said = f"Add up the card points in the tricks you won. {wins} {tie_rule(rules)}"
    return Chapter("Card points", [said], table=table)
