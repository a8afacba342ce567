"""What of a club's file a club has already: its players, its seasons, and each game with its log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper.change_log import is_same
from scorekeeper.db import db
from scorekeeper.exporting.columns import FIXED, GAME, with_role
from scorekeeper.models import ABANDONED, NAME_LENGTH, Change, Club, Game, Player, Season

from .fields import known_as
from .game import GameInFile
from .reader import PlayerInFile, SeasonInFile
from .replay import Entry, without_substitutes

NEW, KNOWN, NEWER, CLASH = ("new", "known", "newer", "clash")


class Found(NamedTuple):
    """What a game of the file is to the club; of a clash, `why` says what is different."""

    what: str
    game: Game | None = None
    why: str = ""


@dataclass(frozen=True)
class People:
    """The file's players in this club. `ours` is by the file's uids; whoever is not in it is new, and is called so."""

    ours: Mapping[str, Player]
    new: Mapping[str, str]
    names: Mapping[str, str]  # who is called otherwise here: the name here by that of the file, casefolded
    by_name: tuple[tuple[str, str], ...]  # who was known by name alone: the name in the file, the one here


def match_players(club: Club, told: Mapping[str, PlayerInFile]) -> People:
    """Players are known by their uid, else by their name; nobody is taken for two."""
    here = list(db.session.scalars(select(Player).where(Player.club_id == club.id)))
    by_uid = {player.uid: player for player in here}
    ours = {uid: by_uid[uid] for uid in told if uid in by_uid}
    left = {known_as(player.name): player for player in here if player.uid not in told}
    strangers = {uid: player for uid, player in told.items() if uid not in ours}
    by_name = {uid: left[known_as(player.name)] for uid, player in strangers.items() if known_as(player.name) in left}
    ours |= by_name
    new = free_names([player.name for player in here], {u: p.name for u, p in strangers.items() if u not in by_name})
    called = {uid: ours[uid].name if uid in ours else new[uid] for uid in told}
    names = {known_as(player.name): called[uid] for uid, player in told.items() if called[uid] != player.name}
    return People(ours, new, names, tuple((told[uid].name, player.name) for uid, player in by_name.items()))


def match_seasons(club: Club, told: Mapping[str, SeasonInFile]) -> tuple[dict[str, Season], dict[str, str]]:
    """The seasons that the club has, by uid, and the names of those it has not."""
    here = list(db.session.scalars(select(Season).where(Season.club_id == club.id)))
    ours = {season.uid: season for season in here if season.uid in told}
    return ours, free_names([s.name for s in here], {u: s.name for u, s in told.items() if u not in ours})


def free_names(taken: Iterable[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """A name for everybody who needs one: the one that is wanted, or, where that is taken, with a number behind it."""
    used = {known_as(name) for name in taken}
    names = {}
    for uid, name in wanted.items():
        free, number = name, 1
        while known_as(free) in used:
            number += 1
            ending = f" ({number})"
            free = name[: NAME_LENGTH - len(ending)] + ending
        used.add(known_as(free))
        names[uid] = free
    return names


# --- games --------------------------------------------------------------------------------------------------------


def match_game(club: Club, told: GameInFile, people: People, seasons: Mapping[str, Season]) -> Found:
    """What a game of the file is here; `told` calls its players by their names here."""
    game = db.session.scalar(select(Game).where(Game.club_id == club.id, Game.uid == told.uid))
    if game is None:
        return Found(NEW)
    why = _other_game(game, told, people)
    if why:
        return Found(CLASH, game, why)
    ours = _log(game)
    theirs = without_substitutes(told.log) if len(ours) >= len(told.log) else told.log
    common = min(len(ours), len(theirs))
    if not all(_is_same_entry(one, other) for one, other in zip(ours, theirs, strict=False)):
        return Found(CLASH, game, "its hands were changed here and in the file")
    if len(theirs) > common:
        return Found(NEWER, game)
    why = "" if len(ours) > common else _other_state(game, told, seasons)
    return Found(CLASH if why else KNOWN, game, why)


def _other_game(game: Game, told: GameInFile, people: People) -> str:
    """What is different where nothing can be: in the rules, and in who sat down."""
    seated = [people.ours[uid].id if uid in people.ours else None for uid in told.seats]
    if [seat.player_id for seat in game.seats] != seated:
        return "it has other players"
    different = [name for name in with_role(GAME, FIXED) if getattr(game, name) != getattr(told, name)]
    if different == ["played"]:
        return "it has another date"
    return "it has other rules" if different else ""


def _other_state(game: Game, told: GameInFile, seasons: Mapping[str, Season]) -> str:
    """What is different of two games with the same log."""
    if (game.state == ABANDONED) != told.is_abandoned:
        return f"it is abandoned only {'here' if game.state == ABANDONED else 'in the file'}"
    if game.left_out != told.left_out:
        return f"it does not count {'here' if game.left_out else 'in the file'}"
    if game.paper != told.paper:
        return "it has another score"
    theirs = seasons.get(told.season_id or "")
    if game.season_id != (theirs.id if theirs else None):
        return "it is in another season"
    return ""


def _log(game: Game) -> list[Entry]:
    columns = [getattr(Change, name) for name in Entry.__slots__]
    rows = db.session.execute(select(*columns).where(Change.game_id == game.id).order_by(Change.seq))
    return [Entry(*row) for row in rows]


def _is_same_entry(one: Entry, other: Entry) -> bool:
    return one == other and is_same(one.before, other.before) and is_same(one.after, other.after)


def taken(club: Club, numbers: Collection[int]) -> set[int]:
    """Which of these numbers a game of the club has."""
    return set(db.session.scalars(select(Game.number).where(Game.club_id == club.id, Game.number.in_(numbers))))


def is_empty(club: Club) -> bool:
    """Whether nobody has ever played in a club."""
    tables: tuple[Any, ...] = (Player, Season, Game)
    return not any(db.session.scalar(select(table.id).where(table.club_id == club.id).limit(1)) for table in tables)
