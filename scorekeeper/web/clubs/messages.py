"""Sentences about links, their roles and requests for them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import count

from scorekeeper.models import MANAGE, SCORE, WATCH, Link
from scorekeeper.services.links import LastChange
from scorekeeper.undo.club_undo import BulkUndo
from scorekeeper.web.common.numbers import counted, day_and_hour
from scorekeeper.web.common.words import ended, listed

YOU, PEOPLE = "you", "people"  # object of "lets ... do something"
LETS = {
    WATCH: "This link lets {who} watch: games, standings and charts.",
    SCORE: "This link lets {who} keep score: start games, enter hands and correct them.",
    MANAGE: "This link lets {who} manage the club: players, seasons, links and all of its games.",
}
LETS_IN_GAME = {
    WATCH: "This link lets {who} watch game {number}.",
    SCORE: "This link lets {who} keep score of game {number} until it ends.",
}
ROLE_NAMES = {WATCH: "Watch", SCORE: "Score", MANAGE: "Manage"}
UNNAMED = {WATCH: "Watch the club", SCORE: "Keep score", MANAGE: "Manage the club"}
ROLE_HINTS = {
    WATCH: "see games, standings and charts",
    SCORE: "start games, enter and correct hands, and substitute players",
    MANAGE: "everything: players, seasons, links, import, deletion",
}
ROLE_HINTS_IN_GAME = {WATCH: "see this game", SCORE: "enter and correct hands until it ends"}

TOO_MANY = "There are 200 links already. Revoke some first."


def too_new(until: datetime, zone: str) -> str:
    """Why a managing link made less than a day ago cannot revoke the first link or change the passphrase."""
    return (
        "Your manager’s link is less than a day old. Wait until "
        f"{day_and_hour(until, zone)} to change the passphrase or revoke the first link."
    )


def lets(link: Link, who: str = YOU) -> str:
    """Sentence on the rights of a link; `who` is the person it is about."""
    if link.game is not None:
        return LETS_IN_GAME[link.role].format(who=who, number=link.game.number)
    return LETS[link.role].format(who=who)


def may(link: Link) -> str:
    """A link's role in short: "Score", "Score game 12"."""
    return f"{ROLE_NAMES[link.role]} game {link.game.number}" if link.game is not None else ROLE_NAMES[link.role]


def free_label(role: str, game: int | None, taken: Collection[str]) -> str:
    """Default label of an unnamed link: "Watch game 3", or "Watch game 3 (2)" if taken."""
    label = UNNAMED[role] if game is None else f"{ROLE_NAMES[role]} game {game}"
    numbered = (label if number == 1 else f"{label} ({number})" for number in count(1))
    return next(one for one in numbered if one not in taken)


def hint(role: str, *, in_game: bool) -> str:
    return (ROLE_HINTS_IN_GAME if in_game else ROLE_HINTS)[role]


def used(link: Link, now: datetime, zone: str) -> str:
    """Last use of a link. Two hours is the finest step, since use is recorded once an hour."""
    if link.last_used_at is None:
        return "Not used yet"
    ago = now - link.last_used_at
    if ago < timedelta(hours=2):
        return "Used in the last 2 hours"
    if ago < timedelta(days=1):
        return f"Last used {counted(int(ago / timedelta(hours=1)), 'hour')} ago"
    return f"Last used {day_and_hour(link.last_used_at, zone)}"


def would_take_back(plan: BulkUndo) -> list[str]:
    """Effects of a bulk undo beyond the entries of the change log, one sentence each."""
    sentences = []
    if plan.games:
        sentences.append(f"Deletes {counted(len(plan.games), 'game')} that it started: {_numbers(plan.games)}")
    if plan.hands:
        hands = counted(sum(plan.hands.values()), "hand")
        game = "game" if len(plan.hands) == 1 else "games"
        sentences.append(f"Restores {hands} in {game} {_numbers(plan.hands)}")
    if plan.players:
        sentences.append(f"Deletes {counted(len(plan.players), 'player')} that it added: {listed(plan.players)}")
    return sentences


def _numbers(games: Collection[int]) -> str:
    """Game numbers in short: "3, 5 to 9"."""
    spans: list[list[int]] = []
    for number in sorted(games):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in spans)


def stays(entry: str, why: str) -> str:
    """A change that is not undone, and why."""
    return f"{entry} {ended(why)}" if entry else ended(why)


def taken_back(done: BulkUndo) -> str:
    left = f" {counted(len(done.stays), 'change')} stayed." if done.stays else ""
    return f"Undone: {counted(done.number, 'change')}.{left}" if done.number else "Nothing to undo."


def last_change(last: LastChange | None, zone: str) -> str:
    """Text like "Last scored 7:41 PM by Ann, game 3"; empty if nothing was scored."""
    if last is None:
        return ""
    return f"Last scored {day_and_hour(last.at, zone)}{f' by {last.by}' if last.by else ''}, game {last.game}"
