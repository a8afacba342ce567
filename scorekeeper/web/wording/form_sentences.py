"""What forms and buttons answer: what is missing or wrong in a field, and what was done."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.scoring.hand_record import MOST_ADJUSTED, MOST_LETTERS
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import ended, listed

WHICH_DAY = "Enter the day on which the game was played."
IN_THE_FUTURE = "That day is still to come."
NO_SEASON = "No season (all-time only)"

# --- a game -------------------------------------------------------------------------------------------------------

WHICH_UNIT = "Tap whose score changes."
WHAT_NUMBER = f"Enter a whole number from −{MOST_ADJUSTED} to {MOST_ADJUSTED}, and not 0."
WHY_ADJUSTED = "Say why, for example: revoke."
REASON_TOO_LONG = f"Use at most {MOST_LETTERS} letters."
ADJUST_AGAIN = "Somebody else has changed this game. Look at the score, then adjust it again."


def adjusted(what: str) -> str:
    return f"Score adjusted. {what}"


def not_changed(why: str) -> str:
    return f"Nothing was changed: {why}."


# --- import -------------------------------------------------------------------------------------------------------

LONGEST_TABLE = 300_000  # letters
NO_FILE = "Choose a file first. Its name ends in .jsonl."
FILE_IS_GONE = "That file is gone: it was imported already, or an hour has passed. Choose it again."
NO_ROOM = "Too many files are waiting to be imported. Try again in an hour."
TABLE_TOO_LONG = f"Use at most {LONGEST_TABLE:,} letters. Import a longer table in parts."
NO_TABLE = "Type or paste the table, or choose a file."
WHICH_RULES = "Choose the rules of these games."
DAY_OR_MONTH = "Choose the day or the month."
IN_ALREADY = "These games were already imported."


def file_too_large(limit: int) -> str:
    return f"The file is larger than {limit} MB. Ask whoever runs this server to import it with `scorekeeper import`."


def known_by_another_name(names: Sequence[tuple[str, str]]) -> str:
    """Who is called otherwise in a table than here, after a rename or a merge; nothing where nobody is."""
    told = listed([f"{there} is {here}" for there, here in names[:12]])
    more = f", and {len(names) - 12} more" if len(names) > 12 else ""
    return ended(f"Known here by another name: {told}{more}") if names else ""


def imported(games: int) -> str:
    return f"{counted(games, 'game')} imported from paper." if games else IN_ALREADY


def file_refused(why: str) -> str:
    return f"Nothing was changed. {why[:1].upper()}{why[1:]}."


# --- a club's own rules -------------------------------------------------------------------------------------------

NO_RULES_IN_LINK = "That link has no rules in it. Open it again, or ask for another one."


def rules_saved(name: str) -> str:
    return f"{ended(f'Saved {name}')} Choose it when you start a game."


def rules_deleted(name: str) -> str:
    return f"{ended(f'Deleted {name}')} Changes can take this back."


def changes_said(changes: int, name: str) -> str:
    """How far rules are from those that they began with."""
    return f"{counted(changes, 'change')} from {name}" if changes else f"The same as {name}"
