"""Entries of a club's log undone. Each by itself, as long as nothing that came later is in its way.

An entry is made the other way round: what was after it has to be so still, and what was before it comes back. That is
an entry too, and is undone in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper import (
    club_log,
    clubs,
    corrections,
    deletion,
    ledger,
    merging,
    our_rules,
    people,
    seasons,
    trash,
)
from scorekeeper.club_log import Cause
from scorekeeper.db import db, db_write
from scorekeeper.models import Club, ClubChange, Game, Player, Season
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.stats.league import League
from scorekeeper.stats.playoffs import Playoffs

CHANGED = "It has changed again since. Undo that first"


def undo(club: Club, seq: int, by: str | None = None) -> ClubChange | None:
    """Undo an entry; None if it was undone before. Raises Refused with a sentence."""
    with db_write(club):
        entry = club_log.find(club.id, seq)
        if entry is None:
            raise _refused("There is no such change")
        if club_log.undone_by(club.id, [seq]):
            return None
        here = ClubNow(club)
        if why := here.why_not(entry):
            raise _refused(why)
        WAYS[entry.kind].undo_entry(here, entry, Cause(by, seq))
        return entry


def _refused(sentence: str) -> Refused:
    return Refused([Problem("cannot-undo", "", sentence)])


class ClubNow:
    """A club as it is now, to see what of its log can be undone."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self._games: dict[str, Game | None] = {}

    def why_not(self, entry: ClubChange) -> str:
        """Why an entry cannot be undone, in a sentence without its full stop; nothing if it can."""
        return WAYS[entry.kind].why_not(self, entry)

    @cached_property
    def players(self) -> Mapping[str, Player]:
        return {player.uid: player for player in self.club.players}

    @cached_property
    def seasons(self) -> Mapping[str, Season]:
        return {season.uid: season for season in self.club.seasons}

    def game(self, uid: str) -> Game | None:
        if uid not in self._games:
            mine = select(Game).where(Game.club_id == self.club.id, Game.uid == uid)
            self._games[uid] = db.session.scalar(mine)
        return self._games[uid]


class Way(NamedTuple):
    """How one kind of entry is undone."""

    why_not: Callable[[ClubNow, ClubChange], str]
    undo_entry: Callable[[ClubNow, ClubChange, Cause], Any]


def _before(entry: ClubChange) -> dict[str, Any]:
    return entry.before or {}


def _after(entry: ClubChange) -> dict[str, Any]:
    return entry.after or {}


# --- players ------------------------------------------------------------------------------------------------------


def _of_player(key: str, put: Callable[[Player, Any, Cause], None]) -> Way:
    """An entry about one column of a player."""

    def why_not(here: ClubNow, entry: ClubChange) -> str:
        player = here.players.get(entry.subject)
        if player is None:
            return "That player was deleted or merged since"
        if getattr(player, key) != _after(entry)[key]:
            return CHANGED
        return _name_taken(here, player, _before(entry)["name"]) if key == "name" else ""

    return Way(why_not, lambda here, entry, cause: put(here.players[entry.subject], _before(entry)[key], cause))


def _name_taken(here: ClubNow, player: Player, name: str) -> str:
    for other in here.players.values():
        if other is not player and other.name.casefold() == name.casefold():
            return f"Another player is called {other.name} now. Rename that player first"
    return ""


def _why_not_merge(here: ClubNow, entry: ClubChange) -> str:
    player = here.players.get(entry.subject)
    if player is None:
        return "That player was deleted or merged since"
    if entry.after is not None:
        return merging.why_not_apart(here.club, entry)
    gone = here.players.get(_before(entry)["gone"]["uid"])
    if gone is None:
        return "That player was deleted or merged since"
    try:
        merging.games_to_merge(player, gone)
    except Refused as refused:
        return refused.problems[0].message
    return ""


def _undo_merge(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
    player = here.players[entry.subject]
    if entry.after is not None:
        merging.take_apart(here.club, player, entry, cause)
    else:
        merging.put_together(player, here.players[_before(entry)["gone"]["uid"]], cause)


# --- seasons ------------------------------------------------------------------------------------------------------


def _of_season(
    why_not: Callable[[Club, Season, ClubChange], str],
    undo_entry: Callable[[Season, ClubChange, Cause], Any],
    *,
    also_closed: bool = False,
) -> Way:
    """An entry about a season, which has to be there, and to be open where it is not `also_closed`."""

    def why(here: ClubNow, entry: ClubChange) -> str:
        season = here.seasons.get(entry.subject)
        if season is None:
            return "That season was deleted since. Take it back first"
        return why_not(here.club, season, entry) or ("" if also_closed else _closed(season))

    return Way(why, lambda here, entry, cause: undo_entry(here.seasons[entry.subject], entry, cause))


def _of_league(
    key: str,
    now: Callable[[League], Any],
    with_only: Callable[[Any], League],
    put: Callable[[Season, Any, Cause], None],
    *,
    also_closed: bool = False,
) -> Way:
    """An entry about one thing that is set for a season beside its games, of players who have to be there still."""

    def why_not(club: Club, season: Season, entry: ClubChange) -> str:
        if now(League.from_dict(season.league)) != _after(entry)[key]:
            return CHANGED
        return _somebody_gone(club, with_only(_before(entry)[key]).players)

    def undo_entry(season: Season, entry: ClubChange, cause: Cause) -> None:
        put(season, _before(entry)[key], cause)

    return _of_season(why_not, undo_entry, also_closed=also_closed)


def _somebody_gone(club: Club, uids: set[str]) -> str:
    """Why players cannot be named again: one of them is not in the club any more."""
    gone = uids - {player.uid for player in club.players}
    if not gone:
        return ""
    kinds = club_log.MERGE, club_log.DELETE_PLAYER
    left = select(ClubChange).where(ClubChange.club_id == club.id, ClubChange.kind.in_(kinds))
    for entry in db.session.scalars(left.order_by(ClubChange.seq.desc())):
        told = _after(entry)
        if entry.kind == club_log.DELETE_PLAYER and entry.after and entry.subject in gone:
            return f"{told['name']} was deleted since. Take {told['name']} back first"
        if entry.kind == club_log.MERGE and entry.after and told["gone"]["uid"] in gone:
            return f"{told['gone']['name']} was merged into {told['name']} since. Undo the merge first"
    return "It names a player who is not in the club any more"


def _closed(season: Season | None) -> str:
    return f"{season.name} is closed. Reopen it first" if season and season.closed_at else ""


def _any_closed(seasons: Iterable[Season]) -> str:
    return next(filter(None, map(_closed, seasons)), "")


def _why_not_begin(_club: Club, _season: Season, _entry: ClubChange) -> str:
    return "Delete the season instead, from its page"


def _why_not_settings(club: Club, season: Season, entry: ClubChange) -> str:
    if seasons.settings_of(season) != _after(entry):
        return CHANGED
    name = _before(entry)["name"]
    if any(one.name.casefold() == name.casefold() for one in club.seasons if one is not season):
        return f"Another season is called {name} now. Rename that season first"
    return ""


def _undo_settings(season: Season, entry: ClubChange, cause: Cause) -> None:
    seasons.put_settings(season, _before(entry), cause)


def _why_not_close(club: Club, season: Season, entry: ClubChange) -> str:
    closed = season.closed_at
    if (closed.isoformat() if closed else None) != _after(entry)["closed"]:
        return CHANGED
    if _before(entry)["closed"] and _before(entry)["books"] != club.books and not seasons.is_as_kept(season):
        return "Games or players have changed since. Close the season again instead"
    return ""


def _undo_close(season: Season, entry: ClubChange, cause: Cause) -> None:
    closed = _before(entry)["closed"]
    if closed is None:
        seasons.put_open(season, cause)
    else:
        season.reopened = None
        seasons.put_closed(season, datetime.fromisoformat(closed), cause)


def _undo_take_in(season: Season, entry: ClubChange, cause: Cause) -> None:
    goes_out = entry.after is not None
    told = (entry.after or _before(entry))["games"]
    mine = select(Game).where(Game.club_id == season.club_id, Game.uid.in_(told))
    games = [game for game in db.session.scalars(mine) if (season in game.seasons) == goes_out]
    (seasons.put_games_out if goes_out else seasons.put_games_in)(season, games, cause)


def _why_not_bonus(_club: Club, season: Season, entry: ClubChange) -> str:
    told = _after(entry)["bonus"]
    bonus = League.from_dict(season.league).find(told["uid"])
    return CHANGED if bonus is None or bonus.undone != told["undone"] else ""


def _undo_bonus(season: Season, entry: ClubChange, cause: Cause) -> None:
    told = _before(entry)["bonus"]
    bonus = League.from_dict(season.league).find(told["uid"])
    if bonus is not None:  # as it is now: its player may have been merged into another
        seasons.put_bonus(season, bonus.to_dict() | {"undone": told["undone"]}, cause)


def _playoffs(league: League) -> dict[str, Any] | None:
    return league.playoffs.to_dict() if league.playoffs else None


# --- games --------------------------------------------------------------------------------------------------------


def _of_game(now: Callable[[Game], Any], key: str, put: Callable[[Game, Any, Cause], None]) -> Way:
    """An entry about one column of a game."""

    def why_not(here: ClubNow, entry: ClubChange) -> str:
        game = here.game(entry.subject)
        if game is None:
            return f"Game {_after(entry)['game']} was deleted since. Take it back first"
        return CHANGED if now(game) != _after(entry)[key] else _any_closed(game.seasons)

    def undo_entry(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
        game = here.game(entry.subject)
        if game is not None:
            put(game, _before(entry)[key], cause)

    return Way(why_not, undo_entry)


def _day(game: Game) -> str:
    return game.played.isoformat()


def _put_day(game: Game, day: str, cause: Cause) -> None:
    corrections.put_day(game, date.fromisoformat(day), cause)


def _counts(game: Game) -> bool:
    return not game.left_out


def _state(game: Game) -> str:
    return game.state


def _season_uid(game: Game) -> str | None:
    return game.season.uid if game.season else None


MOVE = _of_game(_season_uid, "season", lambda _game, _uid, _cause: None)


def _why_not_move(here: ClubNow, entry: ClubChange) -> str:
    uid = _before(entry)["season"]
    if uid is not None and uid not in here.seasons:
        return f"{_before(entry)['name']} was deleted since. Take it back first"
    others = _before(entry).get("also", [])
    if not here.seasons.keys() >= set(others):
        return "A season that it counted in was deleted since. Take it back first"
    game = here.game(entry.subject)
    if game and "also" in _after(entry) and {season.uid for season in game.also} != set(_after(entry)["also"]):
        return CHANGED
    return MOVE.why_not(here, entry) or _any_closed(here.seasons[one] for one in (*([uid] if uid else []), *others))


def _undo_move(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
    game = here.game(entry.subject)
    if game is not None:
        also = [here.seasons[uid] for uid in _before(entry)["also"]] if "also" in _before(entry) else None
        seasons.put_in_season(game, here.seasons.get(_before(entry)["season"] or ""), cause, also)


def _why_not_also(here: ClubNow, entry: ClubChange) -> str:
    before, after = _before(entry), _after(entry)
    missing = [name for uid, name in zip(before["also"], before["names"], strict=True) if uid not in here.seasons]
    if missing:
        return f"{missing[0]} was deleted since. Take it back first"
    game = here.game(entry.subject)
    if game is None:
        return f"Game {after['game']} was deleted since. Take it back first"
    if {season.uid for season in game.also} != set(after["also"]):
        return CHANGED
    changed = [here.seasons[uid] for uid in {*before["also"], *after["also"]} if uid in here.seasons]
    return _any_closed([*game.seasons, *changed])


def _undo_also(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
    game = here.game(entry.subject)
    if game is not None:
        seasons.put_also(game, [here.seasons[uid] for uid in _before(entry)["also"]], cause)


# --- the club -----------------------------------------------------------------------------------------------------


def _of_club(key: str, put: Callable[[Club, str, Cause], None]) -> Way:
    def why_not(here: ClubNow, entry: ClubChange) -> str:
        return "" if getattr(here.club, key) == _after(entry)[key] else CHANGED

    return Way(why_not, lambda here, entry, cause: put(here.club, _before(entry)[key], cause))


def _why_not_import(_here: ClubNow, _entry: ClubChange) -> str:
    return "Delete its games instead"


# --- what was deleted ---------------------------------------------------------------------------------------------

GONE = f"Deleted more than {trash.DAYS} days ago, and gone for good"
BACK = {
    club_log.DELETE_GAME: (trash.GAME, deletion.take_back_game),
    club_log.DELETE_PLAYER: (trash.PLAYER, deletion.take_back_player),
    club_log.DELETE_SEASON: (trash.SEASON, deletion.take_back_season),
}


def _why_not_delete(here: ClubNow, entry: ClubChange) -> str:
    """Why what was deleted cannot come back, or what came back cannot be deleted again."""
    if entry.after is not None:
        return _why_not_back(here, entry)
    if entry.kind == club_log.DELETE_PLAYER:
        player = here.players.get(entry.subject)
        return deletion.why_not_delete(player) if player else CHANGED
    if (game := here.game(entry.subject)) is not None:
        return deletion.why_not_delete_game(game)
    return "" if entry.subject in here.seasons else CHANGED


def _why_not_back(here: ClubNow, entry: ClubChange) -> str:
    if entry.subject in here.players or entry.subject in here.seasons:
        return CHANGED
    if trash.find(here.club.id, BACK[entry.kind][0], entry.subject) is None:
        return GONE
    told = _after(entry)
    counted = (here.seasons.get(uid or "") for uid in (told.get("season"), *told.get("also", ())))
    return _any_closed(one for one in counted if one) or _same_name(here, entry)


def _same_name(here: ClubNow, entry: ClubChange) -> str:
    name = _after(entry).get("name", "").casefold()
    things: Mapping[str, Player | Season] = here.players if entry.kind == club_log.DELETE_PLAYER else here.seasons
    for one in things.values():
        if name and one.name.casefold() == name:
            return f"{one.name} is the name of another now. Rename that one first"
    return ""


def _undo_deletion(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
    if entry.after is not None:
        BACK[entry.kind][1](here.club, entry.subject, cause)
    elif entry.kind == club_log.DELETE_PLAYER:
        deletion.put_away_player(here.players[entry.subject], cause)
    elif entry.kind == club_log.DELETE_SEASON:
        deletion.put_away_season(here.seasons[entry.subject], cause)
    elif (game := here.game(entry.subject)) is not None:
        deletion.put_away_game(game, cause)


# --- the club's own rules -----------------------------------------------------------------------------------------


def _why_not_own_rules(here: ClubNow, entry: ClubChange) -> str:
    now = our_rules.saved_as(here.club, entry.subject)
    if _without_seats(now) != _without_seats(entry.after):
        return CHANGED
    full = now is None and len(here.club.own_rules or ()) >= our_rules.MOST
    return "The club has as many rule sets as it can keep. Delete one first" if full else ""


def _without_seats(own: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Saved rules without who usually sits there, whom a merge may have made somebody else."""
    return own and {name: value for name, value in own.items() if name != "seats"}


def _undo_own_rules(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
    our_rules.put(here.club, entry.subject, entry.before, cause)


def _why_not_access(_here: ClubNow, entry: ClubChange) -> str:
    if entry.kind == club_log.PASSPHRASE:
        return "A passphrase is set or removed in the club’s settings"
    return "A revoked link stays revoked" if _after(entry)["event"] == "revoked" else "To undo this, revoke the link"


WAYS = {
    club_log.RENAME: _of_player("name", people.put_name),
    club_log.GUEST: _of_player("guest", people.put_guest),
    club_log.RETIRE: _of_player("retired", people.put_retired),
    club_log.MERGE: Way(_why_not_merge, _undo_merge),
    club_log.BEGIN: _of_season(_why_not_begin, lambda *_: None),
    club_log.SETTINGS: _of_season(_why_not_settings, _undo_settings),
    club_log.CLOSE: _of_season(_why_not_close, _undo_close, also_closed=True),
    club_log.TAKE_IN: _of_season(lambda *_: "", _undo_take_in),
    club_log.BONUS: _of_season(_why_not_bonus, _undo_bonus),
    club_log.DIVISIONS: _of_league(
        "divisions", lambda league: league.division_of, League().with_divisions, seasons.put_divisions
    ),
    club_log.START: _of_league(
        "start", lambda league: list(league.start), lambda told: League(start=tuple(told)), seasons.put_start
    ),
    club_log.PLAYOFFS: _of_league(
        "playoffs",
        _playoffs,
        lambda told: League(playoffs=Playoffs.from_dict(told)),
        seasons.put_playoffs,
        also_closed=True,
    ),
    club_log.STATE: _of_game(_state, "state", ledger.put_state),
    club_log.COUNTS: _of_game(_counts, "counts", corrections.put_counts),
    club_log.DAY: _of_game(_day, "day", _put_day),
    club_log.ALSO: Way(_why_not_also, _undo_also),
    club_log.MOVE: Way(_why_not_move, _undo_move),
    club_log.CLUB_NAME: _of_club("name", clubs.put_name),
    club_log.ZONE: _of_club("zone", clubs.put_zone),
    club_log.OWN_RULES: Way(_why_not_own_rules, _undo_own_rules),
    club_log.IMPORT: Way(_why_not_import, lambda *_: None),
    **dict.fromkeys(club_log.OF_ACCESS, Way(_why_not_access, lambda *_: None)),
    **dict.fromkeys(club_log.OF_DELETION, Way(_why_not_delete, _undo_deletion)),
}
