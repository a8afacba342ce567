"""Cards and groups of fields, as a club's own rules name them."""

from __future__ import annotations

from scorekeeper.scoring.cards import RANKS
from scorekeeper.scoring.rules.fields import PLAIN_CARDS, SUIT_ENDS
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.common.words import CARD_NAMES, RANK_NAMES, card_name, rank_name, suit_end

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
