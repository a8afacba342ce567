"""What forms and buttons answer: what is missing or wrong in a field, and what was done.

Hand entry and the start of a game have modules of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.models import NAME_LENGTH
from scorekeeper.scoring.hand_record import MOST_ADJUSTED, MOST_LETTERS
from scorekeeper.transfer.columns import YEARS
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import ended, listed

# --- names and days -----------------------------------------------------------------------------------------------

CLUB_NAME = "Enter a club name."
CLUB_SAVED = "Club settings saved."
NOT_THE_NAME = "That is not the club’s name. Type it as it is above."
CLUB_TAKEN_BACK = "The club is back."
WORDS_LENGTH = "Use 10 to 200 letters."
WORDS_SAVED = "Passphrase saved."
WORDS_REMOVED = "Passphrase removed."
NO_SUCH_WORDS = "No club has that name or number with that passphrase. Check both."
WHICH_ZONE = "Choose a time zone from the list."
CLUB_NAME_TOO_LONG = f"Use at most {NAME_LENGTH} letters."
PLAYER_NAME = "Enter a name."
NAME_TOO_LONG = f"That name is too long. Use at most {NAME_LENGTH} letters."
A_DAY = "Enter a date like 2026-03-21."
WHICH_DAY = "Enter the day on which the game was played."
IN_THE_FUTURE = "That day is still to come."
WHICH_YEAR = f"Enter a year from {YEARS.start} to {YEARS.stop - 1}."
LAST_BEFORE_FIRST = "The last day is before the first day."

# --- a season -----------------------------------------------------------------------------------------------------

MOST = 99  # games before a place, or points for a win
SEASON_NAME = "Enter a name for the season."
NAME_TWICE = "Another season has that name."
FIRST_DAY = "Enter the first day of the season."
WHAT_ORDER = "Choose how the standings are ordered."
WHOSE_CREDIT = "Choose who gets credit for the game."
HOW_MANY_GAMES = f"Enter a number of games from 1 to {MOST}."
HOW_MANY_RUNGS = f"Enter a number of rungs from 1 to {MOST}, or leave this empty."
HOW_MANY_NIGHTS = f"Enter a number of nights from 1 to {MOST}, or leave this empty."
HOW_MANY_POINTS = f"Enter a number of points from 0 to {MOST}."
ONE_OF_THESE = "Choose one of these."
TIES_ONCE = "Choose each tiebreaker only once."
TIE_ABOVE_WIN = "A tie cannot be worth more than a win."
LOSS_ABOVE_WIN = "A loss cannot be worth more than a win."
LOSS_ABOVE_TIE = "A loss cannot be worth more than a tie."
SEASON_IS_CLOSED = "The season is closed. Reopen it first."
SEASON_SAVED = "Season saved."
BONUS_POINTS = f"Enter a whole number from −{MOST} to {MOST}, and not 0."
WHY_BONUS = "Say why, for example: hosted the night."
TOO_MANY_BONUSES = "This season has as many bonuses as it can take."
BONUS_IS_GONE = "That bonus no longer exists."
PLAYOFFS_DRAWN = "Playoffs drawn."
PLAYOFFS_REMOVED = "Playoffs removed."
WHICH_SIZE = "Choose how many players are in the playoffs."
WHICH_GAME = "Choose a game from the list."
GAME_PICKED = "Saved."
WHICH_DIVISION = "Choose a division from the list."
DIVISIONS_SAVED = "Divisions saved."
START_SAVED = "Starting order saved."
WHICH_RUNG = "Give each player a rung from 1 to 999, and no two the same one; or leave it empty."
EVERY_SEAT = "Choose a player for each seat."
NAME_IN_TWO_SEATS = "Choose each player only once."
NO_SEASON = "No season (all-time only)"


def season_started(name: str) -> str:
    return f"{name} started."


def season_closed(name: str) -> str:
    return f"{name} is closed. Its standings are final."


def season_reopened(name: str) -> str:
    return f"{name} is open again."


SOMEBODY_GONE = "somebody who is gone"


def too_few_seeds(size: int, least: int) -> str:
    return f"Playoffs of the top {size} need at least {least} ranked players. The table does not have them yet."


def bonus_too_long(most: int) -> str:
    return f"Use at most {most} letters."


def bonus_given(points: str, name: str) -> str:
    """`points` are with their unit: "+2 points"."""
    return f"{points} for {name}."


def bonus_undone(name: str, *, undone: bool) -> str:
    return f"The bonus for {name} was undone." if undone else f"The bonus for {name} was restored."


def forfeit_saved(winners: str) -> str:
    return ended(f"Forfeit saved: a win for {winners}")


def games_added(games: int, season: str) -> str:
    return ended(f"{counted(games, 'game')} added to {season}")


def counts_for(seasons: Sequence[str]) -> str:
    return ended(f"The game now counts for {listed(seasons) or 'no season'}")


# --- which games a table is about ---------------------------------------------------------------------------------

PLAYERS_LISTED = "Choose players from the list."
ORDER_LISTED = "Choose an order from the list."
SEASON_LISTED = "Choose a season from the list."
RULES_LISTED = "Choose rules from the list."
TABLE_LISTED = "Choose a table from the list."


def marked(name: str | None) -> str:
    return f"{name} is marked on this phone." if name else "Nobody is marked on this phone."


# --- a player -----------------------------------------------------------------------------------------------------

WHICH_PLAYER = "Choose a player."
PLAYER_IS_GONE = "That player no longer exists. Nothing was changed."
NOTHING_TO_CHANGE = "Nothing to change."


def renamed(before: str, now: str) -> str:
    return f"{before} is now {now} in all games."


def merged(gone: str, name: str) -> str:
    return ended(f"{gone} was merged into {name}")


def retired(name: str, *, is_retired: bool) -> str:
    return f"{name} is retired: no longer suggested for new games." if is_retired else f"{name} is back."


def guest(name: str, *, is_guest: bool) -> str:
    return f"{name} is a guest: not in the standings." if is_guest else f"{name} is in the standings again."


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
