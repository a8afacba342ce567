"""Entries of the club's change log as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from scorekeeper.models import ABANDONED, MANAGE, SCORE, WATCH, ClubChange
from scorekeeper.scoring.rules.fields import Scale
from scorekeeper.services import club_log

from .numbers import counted, day, figure, points_said
from .words import ended, listed

Data = Mapping[str, Any]
NO_DETAILS = {club_log.DIVISIONS, club_log.START, club_log.PLAYOFFS}  # sentences may end with "changed"
ROLE_VERBS = {WATCH: "watch {game}", SCORE: "keep score of {game}", MANAGE: "manage {game}"}


def describe(entry: ClubChange) -> str:
    """The entry as one sentence. One that only says that something was changed says "changed back" of an undo."""
    said = SENTENCES[entry.kind](entry.before or {}, entry.after or {})
    return ended(f"{said} back" if entry.undoes and entry.kind in NO_DETAILS and said.endswith("changed") else said)


def button(entry: ClubChange) -> str:
    """Label of the entry's button; an undo is undone, as what its own entry says happened."""
    if _is_deletion(entry):
        return "Take back"
    if entry.kind in club_log.OF_DELETION and not (entry.before or {}).get("new"):
        return "Delete again"
    return "Undo"


def taken_back(entry: ClubChange) -> str:
    return "Taken back." if _is_deletion(entry) else "Undone."


def _is_deletion(entry: ClubChange) -> bool:
    if entry.kind == club_log.OWN_RULES:
        return not entry.after and not entry.undoes
    return entry.kind in club_log.OF_DELETION and entry.after is not None


def zone_name(zone: str) -> str:
    """A time zone for display: "Detroit (America)"."""
    area, _, place = zone.replace("_", " ").partition("/")
    return f"{place.replace('/', ', ')} ({area})" if place else area


def day_outside(season: str) -> str:
    return f"That day is outside of {season}. The game counts there anyway."


# --- by kind ------------------------------------------------------------------------------------------------------


def _merged(before: Data, after: Data) -> str:
    if after:
        return f"{after['gone']['name']} was merged into {after['name']}"
    return f"{before['name']} and {before['gone']['name']} are two players again"


def _settings(before: Data, after: Data) -> str:
    name = "" if before["name"] == after["name"] else f"{before['name']} is now called {after['name']}"
    changed = [text for text in (name, _season_days(before, after)) if text]
    if before["settings"] != after["settings"]:
        changed.append(f"{'it' if changed else after['name']} is ordered differently now")
    return ", and ".join(changed)


def _season_days(before: Data, after: Data) -> str:
    if (before["starts"], before["ends"]) == (after["starts"], after["ends"]):
        return ""
    starts = day(date.fromisoformat(after["starts"]))
    ends = f" to {day(date.fromisoformat(after['ends']))}" if after["ends"] else ""
    return f"{after['name']} now runs {'from' if ends else 'since'} {starts}{ends}"


def _taken_in(before: Data, after: Data) -> str:
    told = after or before
    games = counted(len(told["games"]), "game")
    return f"{games} {_were(len(told['games']))} {'added to' if after else 'taken out of'} {told['name']}"


def _bonus(_before: Data, after: Data) -> str:
    told = after["bonus"]
    whom = f" for {player}" if (player := after.get("player")) else ""  # entries of earlier versions have none
    what = f"{points_said(told['points'])}{whom} ({told['reason']}) in {after['name']}"
    return f"A bonus was {'undone' if told['undone'] else 'given'}: {what}"


def _playoffs(before: Data, after: Data) -> str:
    done = "started" if not before["playoffs"] else "changed" if after["playoffs"] else "removed"
    return f"The playoffs of {after['name']} were {done}"


def _day(before: Data, after: Data) -> str:
    was, now = (day(date.fromisoformat(side["day"])) for side in (before, after))
    return f"The date of game {after['game']} was changed from {was} to {now}"


def _score(before: Data, after: Data) -> str:
    if "down_from" not in after:  # logged by an earlier version: the totals may count down
        return f"The score of game {after['game']} was corrected"
    scale = Scale(after["down_from"])
    was, now = (
        " to ".join(figure(scale.score(total)) for _, total in sorted(side["score"]["totals"].items()))
        for side in (before, after)
    )
    if was == now:
        return f"The winner of game {after['game']} was corrected"
    return f"The score of game {after['game']} was corrected: {now}, was {was}"


def _moved(before: Data, after: Data) -> str:
    origin = f" from {before['name']}" if before["season"] is not None else ""
    return f"Game {after['game']} was moved{origin} to {after['name'] or 'no season'}"


def _also(before: Data, after: Data) -> str:
    new = [name for uid, name in zip(after["also"], after["names"], strict=True) if uid not in before["also"]]
    gone = [name for uid, name in zip(before["also"], before["names"], strict=True) if uid not in after["also"]]
    now = f"also counts in {listed(new)} now" if new else ""
    no_longer = f"no longer counts in {listed(gone)}" if gone else ""
    return f"Game {after['game']} {' and '.join(filter(None, (now, no_longer)))}"


def _imported(before: Data, after: Data) -> str:
    if (told := after or before).get("forfeit"):
        which = f": game {told['game']}" if "game" in told else ""  # entries of earlier versions have none
        return f"A forfeit was {'saved' if after else 'undone'}{which}"
    if not after:
        return f"The import of {counted(before['games'], 'game')} was undone"
    games, updated = counted(after["games"], "game"), counted(after["updated"], "game")
    parts = [f"{games} {_were(after['games'])} imported"] if after["games"] or not after["updated"] else []
    return " and ".join([*parts, *([f"{updated} {_were(after['updated'])} updated"] if after["updated"] else [])])


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _own_rules(before: Data, after: Data) -> str:
    if not after:
        return f"“{before['name']}” was deleted from Our rules"
    return f"“{after['name']}” was {'changed in' if before else 'saved in'} Our rules"


def _link(_before: Data, after: Data) -> str:
    to = ROLE_VERBS[after["role"]].format(game=f"game {after['game']}" if after["game"] else "the club")
    if after["event"] == "granted":
        return f"{after['label']} was allowed to {to}"
    done = "opened for the first time" if after["event"] == "used" else after["event"]
    return f"The link “{after['label']}”, to {to}, was {done}"


def _everything(before: Data, after: Data) -> str:
    told = after or before
    stays = f". {counted(told['stays'], 'change')} stayed" if told["stays"] else ""
    done = "undone" if after else "redone"
    return f"What “{told['label']}” did was {done}: {counted(told['number'], 'change')}{stays}"


SENTENCES: Mapping[str, Callable[[Data, Data], str]] = {
    club_log.RENAME: lambda before, after: f"{before['name']} is now called {after['name']}",
    club_log.GUEST: lambda _, after: f"{after['name']} is {'a guest' if after['guest'] else 'no longer a guest'}",
    club_log.RETIRE: lambda _, after: f"{after['name']} is {'retired' if after['retired'] else 'no longer retired'}",
    club_log.MERGE: _merged,
    club_log.BEGIN: lambda _, after: f"{after['name']} was started",
    club_log.SETTINGS: _settings,
    club_log.CLOSE: lambda _, after: f"{after['name']} was {'closed' if after['closed'] else 'reopened'}",
    club_log.TAKE_IN: _taken_in,
    club_log.BONUS: _bonus,
    club_log.DIVISIONS: lambda _, after: f"The divisions of {after['name']} were changed",
    club_log.START: lambda _, after: f"The starting order of {after['name']} was changed",
    club_log.PLAYOFFS: _playoffs,
    club_log.STATE: lambda _, after: (
        f"Game {after['game']} was {'abandoned' if after['state'] == ABANDONED else 'resumed'}"
    ),
    club_log.COUNTS: lambda _, after: f"Game {after['game']} {'counts again' if after['counts'] else 'does not count'}",
    club_log.DAY: _day,
    club_log.SCORE: _score,
    club_log.REPLACE: lambda before, after: f"{after['name']} replaced {before['name']} in game {after['game']}",
    club_log.MOVE: _moved,
    club_log.ALSO: _also,
    club_log.CLUB_NAME: lambda _, after: f"The club is now called {after['name']}",
    club_log.ZONE: lambda _, after: f"The club’s time zone is now {zone_name(after['zone'])}",
    club_log.IMPORT: _imported,
    club_log.OWN_RULES: _own_rules,
    club_log.BULK_UNDO: _everything,
    club_log.LINK: _link,
    club_log.PASSPHRASE: lambda _, after: f"The club’s passphrase was {after['event']}",
    club_log.DELETE_GAME: lambda before, after: (
        f"Game {after['game']} was deleted" if after else f"Game {before['game']} is back"
    ),
    **dict.fromkeys(
        (club_log.DELETE_PLAYER, club_log.DELETE_SEASON),
        lambda before, after: (
            f"{(after or before)['name']} {'was deleted' if after else 'was added' if 'new' in before else 'is back'}"
        ),
    ),
}
