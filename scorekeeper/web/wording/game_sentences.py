"""What the pages say when a game is set up, a player is replaced, or somebody starts scoring on a device."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.models import NAME_LENGTH
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from scorekeeper.web.common.words import ended, first_to, listed

HOUSE_TITLES = {
    "table": "Partners",
    "deck": "Cards",
    "trump": "Trump",
    "play": "Play",
    "auction": "Bidding",
    "points": "Points",
    "game": "Card points",
    "settle": "Scoring",
    "win": "Winning",
}

# --- what is wrong with a game about to start ---

MOST_TARGET = 999
WHICH_RULES = "Choose one of these games."
HOW_MANY = "This game is not for that many players. Choose another number."
WHICH_TEAMS = "That many players cannot make those teams. Choose other teams."
WHO_DEALS = "Choose who deals first."
WHICH_SEASON = "That season has ended. Choose another season."
WHAT_TARGET = f"Enter a target from 1 to {MOST_TARGET}."
TOO_LONG = f"A name has at most {NAME_LENGTH} letters. Shorten this one."


OUR_RULES = "Our rules"


def family_line(names: Sequence[str]) -> str:
    """Nebraska Four-Point Pitch, Five-Point Pitch and 8 more"""
    return f"{', '.join(names[:2])} and {len(names) - 2} more" if len(names) > 3 else listed(names)


def rules_line(rules: RuleSet) -> str:
    """A rule set in one sentence. Rules of a club's own that still have the sentence of the game they began with, which
    need not be true of them any more, say their own target instead: "Like Ten-Point Pitch, first to 31."
    """
    began_with = next((name for name in CATALOGUE if find_rules(name).summary == rules.summary), rules.id)
    if rules.id in CATALOGUE or began_with == rules.id:
        return rules.summary
    return f"Like {find_rules(began_with).name}, {first_to(rules)}."


def empty_seat(seat: int) -> str:
    return f"Seat {seat} needs a name."


def same_name(name: str) -> str:
    return f"Two players are called {name.removesuffix('.')}. Change one of the names."


def rules_clash(reasons: Sequence[str]) -> str:
    return f"These house rules do not go together: {listed(reasons)}. Turn one off."


# --- the seats ---

ALL_SEATS_TAKEN = "All seats are taken. Tap a seat first, then the name that takes it."


def seat_help(held: str, *, full: bool, anybody_known: bool) -> str:
    """What can be tapped next; `held` is who sits in the seat that was tapped first."""
    if held:
        return f"{held}: tap another seat to swap, or a name to take this seat."
    if full:
        return "To swap two players, tap both."
    return "Tap a name, or type a new one in a seat." if anybody_known else "Type a name in every seat."


# --- beside the Deal button ---


def first_deal(name: str) -> str:
    return f"{name} deals first." if name else "Choose the players."


def played_by(rules: str, target: str, house: Sequence[str], *, counts_down: bool) -> str:
    """Under which rules the game is about to be played, house rules and all."""
    goal = f"0 from {target}" if counts_down else target
    game = f"{rules}, first to {goal}" if target else rules
    return f"{game}, with: {'; '.join(label[:1].lower() + label[1:] for label in house)}" if house else game


# --- this device ---

SUITS_SAID = {"two": "Suits are shown in two colors.", "four": "Suits are shown in four colors."}


def scoring_said(name: str) -> str:
    return f"{name} is scoring on this device." if name else "Nobody is scoring on this device."


# --- a game that waits ---

STATES_SAID = {
    "open": "Game resumed.",
    "paused": "Game paused. Resume it whenever you like.",
    "abandoned": "Game abandoned. It is kept but does not count.",
}

# --- a substitution ---

WHICH_SEAT = "Choose the player to replace."
WHO_PLAYS = "Enter who plays instead."
ON_PAPER = "This game was scored on paper. You cannot replace anybody in it."
GAME_OVER = "This game is over. You cannot replace anybody in it."
PLAYS_ALREADY = "This player is at the table already. Choose somebody else."


def instead_of(gone: str, position: int) -> str:
    """Beside the name of who plays in a seat now."""
    return f"for {gone} from hand {position}"


def for_somebody(name: str, gone: str, position: int) -> str:
    """Beside the name of who plays in a seat now: an earlier substitute."""
    return f"{name} for {gone} from hand {position}"


def has_the_seat(name: str) -> str:
    return f"{name} has that seat already."


def left_club(name: str) -> str:
    return f"This device has left {ended(name)}"


# --- for the templates ---


def way_round(direction: str) -> str:
    """The way that the deal and the play go, and that seats are numbered."""
    return {"left": "clockwise", "right": "counterclockwise"}[direction]


FILTERS = {"rules_line": rules_line, "way_round": way_round}
