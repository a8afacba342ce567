"""What is wrong with a club's own rules, in the words of the form in which they are typed."""

from __future__ import annotations

import re

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.rules.fields import FIELDS, PLAIN_CARDS
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.common.words import ended, point_name

from .rule_field_sentences import point_card

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
