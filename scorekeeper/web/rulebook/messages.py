"""What the pages of rules say of fields, of what is wrong with them, and of games that a table looks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import FIELDS, PLAIN_CARDS, SUIT_ENDS, Point
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.common.words import (
    CARD_NAMES,
    RANK_NAMES,
    ScoreWords,
    card_name,
    ended,
    listed,
    point_name,
    rank_name,
    suit_end,
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


# Longest first, so that "deck.kitty_to" is not read as "deck.kitty".
NAMES = re.compile("|".join(sorted(map(re.escape, (name for name in FIELDS if "." in name)), key=len, reverse=True)))
CARDS = re.compile(rf"\b({'|'.join((*PLAIN_CARDS, *JOKERS, *OFF_SUIT))})\b")
PARTS = re.compile(r"^(points|auction\.specials|win\.early) (\w+) (must|needs)")

# By a problem's code: where its own sentence names parts of a field as data has them.
SENTENCES = {
    "counted-down": (
        "Where scores count down, this cannot name a score. Leave it empty, or let scores count up from 0"
    ),
    "early": "All others must have less than the score that wins",
    "never-ends": (
        "Near the end nobody may bid, and the cards would be dealt again and again. When all pass, let the hand be "
        "played without a bid, or the next player deal at a cost"
    ),
}
# By its own sentence: where its code is that of others, too.
REWORDED = {
    "points must not name a key twice": "Two points have the same name. Rename one",
    "game.tie_points must name the points that decide a tied Game": "Choose at least one point that decides a tie",
}


def problem_said(problem: Problem) -> str:
    """A problem as the form says it: fields by their titles, cards and points by their names."""
    own = SENTENCES.get(problem.code) or REWORDED.get(problem.message)
    text = own or problem.message.replace("its outcome is set-to", "it sets the score")
    if part := PARTS.match(text):
        field = f"{part[1]}.{part[2]}"
        text = f"{WORDS[part[1]].title}: {WORDS[field].title.lower()} {text[part.start(3) :]}"
    if problem.code == "points" and ": " in text:
        key, _, rest = text.partition(": ")
        text = f"{point_name(key)}: {rest}"
    text = NAMES.sub(lambda name: WORDS[name[0]].title, text)
    if len(CARDS.findall(text)) < len(PLAIN_CARDS):
        text = CARDS.sub(lambda card: point_card(card[0]), text)
    return ended(f"{text[:1].upper()}{text[1:]}")


# One name for a point that two rule sets call differently, by its card.
BY_CARD = {
    "highest": "High",
    "A": "High",
    "lowest": "Low",
    "2": "Low",
    "J": "Jack",
    "L": "Left Jack",
    "XR": "Jokers",
    "XB": "Jokers",
}


def counted_points(rules: RuleSet) -> list[str]:
    """What a rule set counts: High, Low, Jack, Game."""
    return list(dict.fromkeys(_name(point) for point in rules.points))


def _name(point: Point) -> str:
    return BY_CARD.get(point.card) or point_name(point.key)


def differences(rules: RuleSet, points: Sequence[str], target: int | None) -> list[str]:
    """What would be different from what was said; where nothing was said of something, nothing is."""
    counted, told = counted_points(rules), []
    more = [name for name in counted if name not in points]
    less = [name for name in points if name not in counted]
    if points and more:
        told.append(f"It also counts {listed(more)}.")
    if less:
        told.append(f"It does not count {listed(less)}.")
    if target and target != rules.win.target:
        told.append(f"It is played to {ScoreWords(rules.win).goal}. You can play it to {target}.")
    return told
