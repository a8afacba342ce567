"""What each field of the rules is called where a table sets its own, the sentence that explains it, and its choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scorekeeper.scoring.cards import RANKS
from scorekeeper.scoring.vocabulary import FIELDS, PLAIN_CARDS, SUIT_ENDS
from scorekeeper.web.common.words import CARD_NAMES, RANK_NAMES, card_name, rank_name, suit_end

from .turn_up_sentences import FIELDS_OF_TURN_UP

NO_WORDS: Mapping[str, str] = {}


class Said(NamedTuple):
    """A field in players' words: its title, what it means, and what each of its words is on a button."""

    title: str
    means: str
    words: Mapping[str, str] = NO_WORDS


SAID: dict[str, Said] = {
    "summary": Said("In one sentence", "What one should know of this game in a list of games."),
    "source": Said("Where it comes from", "A book, a page or a person."),
    # --- who plays ---
    "table.players": Said("How many play", "Tap each number of players that these rules are for."),
    "table.sides": Said(
        "Who plays together",
        "Partners score together, or everyone keeps a score of their own.",
        {
            "teams": "Fixed teams",
            "solo": "Everyone alone",
            "called-partner": "The bidder calls a partner by a card",
            "seat-partner": "The bidder’s partner sits a number of seats away",
        },
    ),
    "table.teams": Said(
        "How many teams",
        "Partners sit in alternate seats.",
        {"0": "Everyone alone", "1": "1"} | {str(teams): f"{teams} teams" for teams in range(2, 7)},
    ),
    "table.partner_right": Said("Seats to the partner", "So many seats to the bidder’s right sits the partner."),
    "table.call": Said(
        "Which card may be called", "The partner is whoever holds it.", {"any": "Any", "trump": "A trump"}
    ),
    "table.direction": Said(
        "Which way it goes",
        "The deal, the bidding and the play go round that way.",
        {"left": "To the left, clockwise", "right": "To the right, counterclockwise"},
    ),
    # --- the cards ---
    "deck.ranks": Said("Cards in the deck", "Tap a rank to put it in or take it out, in all four suits."),
    "deck.jokers": Said("Jokers", "How many jokers are in the deck."),
    "deck.deal": Said("Cards dealt", "Only where players are dealt more or fewer cards than they play with."),
    "deck.hand": Said("Cards played with", "Each player plays so many cards, and there are so many tricks."),
    "deck.kitty": Said("Cards in the kitty", "Dealt face down beside the players."),
    "deck.kitty_to": Said("Who takes the kitty", "", {"bidder": "The bidder", "nobody": "Nobody"}),
    "deck.undealt": Said(
        "Cards left over",
        "Shown after the hand, a point among them counts for nobody.",
        {"buried": "Shown after the hand", "stock": "Never seen"},
    ),
    "deck.draw": Said(
        "Discard and draw",
        "Once trump is known, players may change cards.",
        {
            "none": "No",
            "non-trump": "All but trump, back to a full hand",
            "up-to-3": "Up to three cards",
            "up-to-4": "Up to four cards",
            "up-to-4-with-ace": "Three cards, or four with an ace",
            "discard": "Discard down to a full hand",
        },
    ),
    "deck.rob": Said(
        "Rest of the deck",
        "After the draw, somebody may look through it and keep the best cards.",
        {"nobody": "Nobody", "dealer": "The dealer", "bidder": "The bidder"},
    ),
    # --- trump and play ---
    "trump.by": Said(
        "How trump is made",
        "If a joker is led, the bidder names the suit.",
        {"lead": "By the first card led", "named": "The bidder names it", "turned-up": "A card is turned up"},
    ),
    "trump.order": Said("Order of trump", "From high to low. Tap a card, then the card that it should beat."),
    "trump.jokers": Said(
        "Two jokers in one trick",
        "Which one wins.",
        {"ranked": "The higher one", "first": "The first played", "last": "The last played"},
    ),
    "play.follow": Said(
        "What may be played",
        "When a suit is led.",
        {
            "follow-or-trump": "Follow suit or trump",
            "follow": "Follow suit; trump only without it",
            "trumps-only": "Trump only; without it you are out",
        },
    ),
    # --- bids ---
    "auction.rounds": Said(
        "Rounds of bidding",
        "A pass is final.",
        {"single": "One bid each", "until-passed": "Until all others pass", "none": "No bidding"},
    ),
    "auction.min": Said("Lowest bid", "The least that one can bid."),
    "auction.max": Said("Highest bid", "The most that one can bid in numbers."),
    "auction.specials": Said("Special bids", "Bids above the numbers, like a smudge or shooting the moon."),
    "auction.dealer": Said(
        "The dealer’s bid",
        "The dealer bids last. What is enough to take the bid?",
        {
            "outbid": "A higher bid",
            "match": "The same bid",
            "match-below-max": "The same bid, not at the highest",
            "match-max": "The same bid at the highest only",
            "match-not-special": "The same bid, not a special",
        },
    ),
    "auction.max_again": Said(
        "The highest bid again",
        "Who may take a highest bid by bidding the same, where each bids once.",
        {"dealer": "The dealer, as above", "anyone": "Anyone"},
    ),
    "auction.all_pass": Said(
        "When all pass",
        "",
        {
            "redeal": "Same dealer again",
            "next-dealer": "Next player deals",
            "dealer-forced": "The dealer must bid",
            "eldest-plays": "Played without a bid",
        },
    ),
    "auction.pass_cost": Said("Cost when all pass", "The dealer’s side loses so many points. 0: it costs nothing."),
    "auction.forced_bid": Said("Forced dealer’s bid", "The least a forced dealer bids. Empty: 2, or the lowest bid."),
    "auction.seller": Said(
        "Who sells the hand",
        "The player after the dealer bids last, and plays at the highest bid or scores that bid.",
        {"nobody": "Nobody", "eldest": "The player after the dealer"},
    ),
    "auction.cap": Said(
        "How high one may bid",
        "A seller near the end could win by the sale alone.",
        {"maximum": "To the highest bid", "seller-short": "Never so that the seller wins"},
    ),
    # --- points ---
    "points": Said("Points", "What scores in a hand, and who gets it."),
    "game.values": Said("Card points", "What each card is worth toward Game."),
    "game.award": Said(
        "Who wins Game", "By card points.", {"most": "The most card points", "at-least": "At least a number"}
    ),
    "game.at_least": Said("Card points for Game", "Fewer do not win it."),
    "game.tie": Said(
        "A tie for Game",
        "When two sides have the same card points.",
        {
            "nobody": "Nobody gets it",
            "bidder": "The bidder’s side",
            "dealer": "The dealer’s side",
            "eldest": "The side after the dealer",
            "points": "Whoever has a certain point",
        },
    ),
    "game.tie_points": Said("Points that decide the tie", "If nobody has the first one, the next one decides."),
    # --- what a set costs ---
    "settle.made": Said(
        "When the bid is made",
        "What it scores.",
        {"taken": "Everything taken", "bid": "Only the bid", "difference": "Only the difference"},
    ),
    "settle.set": Said(
        "When the bid is set",
        "What it costs.",
        {"bid": "The bid", "bid-less-taken": "The bid, minus points taken", "nothing": "Nothing"},
    ),
    "settle.defenders": Said(
        "The others, when a bid is set",
        "What each of them scores.",
        {"taken": "What they took", "bid": "The bid", "both": "Both"},
    ),
    # --- the end ---
    "win.target": Said("Play to", "The score that wins, or that scores count down from."),
    "win.counted": Said("How scores count", "Down: points won come off.", {"up": "Up from 0", "down": "Down to 0"}),
    "win.eligible": Said(
        "Who can win", "", {"anyone": "Anyone at that score", "made-bid": "Only who made a bid in that hand"}
    ),
    "win.both": Said(
        "Several at that score",
        "After the same hand. What decides first, and what if that is a tie?",
        {
            "bidder": "The bidder wins",
            "highest": "The highest score wins",
            "count-out": "Points are counted one by one",
            "share": "They win together",
            "play-on": "Play on",
        },
    ),
    "win.early": Said("A win before that", "Far enough ahead, a side wins below the score to play to."),
    "win.order": Said("Order of the points", "In which they are counted one by one. Empty: as in the list of points."),
    "win.all_points": Said(
        "Every point of a hand",
        "Who takes them all wins the game at once.",
        {"nobody": "No", "bidder": "The bidder’s side", "anyone": "Any side"},
    ),
    "win.hands": Said("Number of hands", "After the last one, the highest score wins. Empty: no limit."),
    "win.lost_at": Said("Too far below zero", "A side with this score loses the game. Empty: it plays on."),
    "win.lost_sets": Said("Too many sets", "A side set so often loses the game. Empty: it plays on."),
    # --- the parts of a point, of a special bid, of an early win ---
    "points.key": Said("Name", ""),
    "points.card": Said("What it is", ""),
    "points.owner": Said(
        "Who gets it", "", {"taker": "Who wins the trick", "holder": "Who was dealt it", "keeper": "Who plays it"}
    ),
    "points.worth": Said("Worth", ""),
    "auction.specials.name": Said("Name", ""),
    "auction.specials.bid": Said("Worth", "More than the highest bid in numbers."),
    "auction.specials.needs": Said(
        "It needs",
        "",
        {"every-trick": "Every trick", "every-trick-alone": "Every trick alone", "every-point": "Every point"},
    ),
    "auction.specials.takes": Said("Points needed", "At least so many. Empty: no number."),
    "auction.specials.made": Said(
        "Made",
        "",
        {
            "bid": "As any bid",
            "taken": "Scores what was taken",
            "win": "Wins the game",
            "set-to": "Sets the score",
            "target": "Up to the score to play to",
        },
    ),
    "auction.specials.made_to": Said("Score after it is made", ""),
    "auction.specials.failed": Said(
        "Set",
        "",
        {
            "bid": "As any bid",
            "lose": "Loses the game",
            "set-to": "Sets the score",
            "target": "Costs the score to play to",
        },
    ),
    "auction.specials.failed_to": Said("Score after it is set", ""),
    "auction.specials.least_score": Said("Score needed to bid it", "Empty: any score."),
    "win.early.at": Said("Score", "Empty: there is no such win."),
    "win.early.others_at_most": Said("All others have at most", ""),
    "win.early.when": Said("When", "", {"first-reach": "On reaching it", "any-hand": "After any hand"}),
    "win.early.eligible": Said("Who", "", {"anyone": "Anyone", "made-bid": "Only who made a bid in that hand"}),
    **{name: Said(*said) for name, said in FIELDS_OF_TURN_UP.items()},
}

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
    "L": "Left Jack",
    "LA": "Ace of trump’s color",
    "L5": "5 of trump’s color",
    "L3": "3 of trump’s color",
    **{end: f"{suit_end(end).capitalize()} in play" for end in SUIT_ENDS},
}


def said(name: str) -> Said:
    """A field's words; one that has none yet is told as the documents have it."""
    return SAID.get(name) or Said(name, FIELDS[name].meaning if name in FIELDS else "")


def word(name: str, value: str) -> str:
    """One of a field's words, as its button says it."""
    return said(name).words.get(value, value)


def point_card(name: str) -> str:
    """What a point can be, in words: the Jack of trump, the last trick, the ace of spades; else what was typed."""
    named = POINT_CARDS.get(name) or CARD_NAMES.get(name) or (card_name(name) if name in PLAIN_CARDS else "")
    return named or (f"{RANK_NAMES.get(name, name)} of trump" if name in tuple(RANKS) else name)


def trump_name(name: str) -> str:
    """A name in a trump order in words."""
    return POINT_CARDS.get(name) or rank_name(name)


FILTERS = {"rule_title": lambda name: said(name).title, "trump_name": trump_name}
