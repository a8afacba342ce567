"""Entries of a club's log undone. Each by itself, as long as nothing that came later is in its way.

An entry is made the other way round: what was after it has to be so still, and what was before it comes back. That is
an entry too, and is undone in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import ACCESS_KINDS, Change, Club, ClubChange, Game, Link, Player, Season
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log, clubs, seasons
from scorekeeper.services import custom_rules as our_rules
from scorekeeper.services import deleted_items as trash
from scorekeeper.services import game_settings as corrections
from scorekeeper.services import hands as ledger
from scorekeeper.services import merge as merging
from scorekeeper.services import players as people
from scorekeeper.services.club_log import Cause
from scorekeeper.stats.league import League, Playoffs
from scorekeeper.undo import deleted_items as deletion

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


def _why_not_begin(_club: Club, season: Season, _entry: ClubChange) -> str:
    counting = select(Game.id).where(or_(Game.season_id == season.id, Game.also.any(Season.id == season.id)))
    has_games = db.session.scalar(counting.limit(1)) is not None
    return "Games count in it. Delete the season instead, from its page" if has_games else ""


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
        by_game = (season.reopened or {}).get("game") if closed is None else None
        return f"It is open again since game {by_game} changed. Close it again instead" if by_game else CHANGED
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


# --- all that was done by a link ----------------------------------------------------------------------------------

IMPORTED = "Its games are taken back. Seasons and rules that came with it stay"


@dataclass
class TakenBack:
    """What was taken back: entries, the changes of hands by the number of their game, games started, players added.

    `stays` is what was not: an entry, or None where it is about a game or a player, and why.
    """

    entries: list[ClubChange] = field(default_factory=list)
    hands: dict[int, int] = field(default_factory=dict)
    games: list[int] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    stays: list[tuple[ClubChange | None, str]] = field(default_factory=list)

    @property
    def number(self) -> int:
        return len(self.entries) + sum(self.hands.values()) + len(self.games) + len(self.players)


class _OnlyLookedAt(Exception):
    """Rolls back what is only to be seen."""


def take_back(
    club: Club, link: Link, since: datetime | None = None, by: str | None = None, *, keep: bool = True
) -> TakenBack:
    """Take back all that was done by a link, of the club or of a game of it, since a moment.

    What somebody else has changed again since stays. With `keep` false it is found out in the same way, and nothing
    is kept of it.
    """
    taking = _Taking(club, by)
    with suppress(_OnlyLookedAt), db_write(club):
        _ByLink(taking, link, since or datetime.min.replace(tzinfo=UTC)).take_back()
        if not keep:
            raise _OnlyLookedAt
        if taking.found.number:
            about = {"label": link.label, "since": since and since.isoformat()}
            taking.write_entry(link.uid, about, Cause(by))
    return taking.found


class _Taking:
    """Takes entries and changes of hands back, inside a transaction that has locked the club, and notes what it did."""

    def __init__(self, club: Club, by: str | None) -> None:
        self.club, self.by = club, by
        self.found = TakenBack()
        self._hands: dict[str, list[int]] = {}
        self._hands_at: int | None = None
        self._first = 0

    def begin(self) -> None:
        self._first = self._last_entry()

    def _last_entry(self) -> int:
        return db.session.scalar(select(func.max(ClubChange.seq)).where(ClubChange.club_id == self.club.id)) or 0

    def entries(self, seqs: Collection[int]) -> dict[int, str]:
        """Take back entries, the newest first; those that stay, with the reason why."""
        undone = club_log.undone_by(self.club.id, seqs)
        stay = {}
        for seq in sorted(set(seqs) - undone.keys(), reverse=True):
            entry = club_log.find(self.club.id, seq)
            if entry is None or not _is_in_effect(self.club, entry, seqs):
                continue
            if why := self.attempt(self._undo, entry):
                stay[seq] = why
            else:
                self.found.entries.append(entry)
        return stay

    def _undo(self, entry: ClubChange) -> None:
        here = ClubNow(self.club)
        if why := here.why_not(entry):
            raise _refused(why)
        WAYS[entry.kind].undo_entry(here, entry, Cause(self.by, entry.seq))

    def attempt(self, change: Callable[..., None], *about: Any) -> str:
        """Change something, or nothing where it is refused: the reason why."""
        db.session.flush()
        db.session.expire_all()
        try:
            with db.session.begin_nested():
                change(*about)
                db.session.flush()
        except Refused as refused:
            return refused.problems[0].message
        return ""

    def stays(self, reasons: Mapping[int, str]) -> None:
        self.found.stays += [(club_log.find(self.club.id, seq), why) for seq, why in reasons.items()]

    def hands(self, selected: Mapping[str, Collection[int]]) -> None:
        """Take back changes of hands, by the uids of their games; once, between the entries before and behind it."""
        self._hands_at = self._last_entry()
        for uid, seqs in selected.items():
            if why := self.attempt(self._hands_of, uid, seqs):
                self.found.stays.append((None, why))

    def _hands_of(self, uid: str, seqs: Collection[int]) -> None:
        game = ClubNow(self.club).game(uid)
        if game is None:
            return
        made, stays = ledger.take_back(game, seqs, self.by)
        self.found.stays += [(None, why) for why in stays]
        if made:
            self._hands[uid] = made
            self.found.hands[game.number] = len(made)

    def write_entry(self, subject: str, about: Mapping[str, Any], cause: Cause, *, undoes: bool = False) -> None:
        """Write what was done as an entry of the log, with all that it takes to undo it."""
        first, last = self._first + 1, self._last_entry() + 1
        middle = last if self._hands_at is None else self._hands_at + 1
        told = {**about, "number": self.found.number, "stays": len(self.found.stays)}
        told |= {"first": [*range(first, middle)], "hands": self._hands, "then": [*range(middle, last)]}
        before, after = (told, None) if undoes else (None, told)
        club_log.add(self.club.id, club_log.TAKE_BACK, subject, before, after, cause)


def _is_in_effect(club: Club, entry: ClubChange, seqs: Collection[int]) -> bool:
    """Whether an entry comes to something: not where it undoes one of these that changed nothing but what was."""
    times, last = 1, entry
    while last.undoes in seqs and (before := club_log.find(club.id, last.undoes or 0)) is not None:
        times, last = times + 1, before
    return times % 2 == 1


class _ByLink:
    """What was done by a link since a moment."""

    def __init__(self, taking: _Taking, link: Link, since: datetime) -> None:
        self.taking, self.club, self.link, self.since = taking, taking.club, link, since

    def take_back(self) -> None:
        self.taking.begin()
        closed, players = self._closed_before(), self._players()
        started = {game.uid for game in self._started()}
        mine = select(ClubChange).where(ClubChange.club_id == self.club.id, ClubChange.link_id == self.link.id)
        entries = db.session.scalars(mine.where(ClubChange.at >= self.since)).all()
        imports = {entry.seq for entry in entries if entry.kind == club_log.IMPORT}
        used = {one.seq for one in entries if one.kind == club_log.LINK and _after(one)["event"] == "used"}
        seqs = {one.seq for one in entries if one.subject not in started} - used - imports
        stay = self.taking.entries(seqs)
        self.taking.hands(self._hands(started))
        for game in self._started():
            self._delete(game.uid)
        for game in self._started(others=True):
            why = f"Others have entered hands in game {game.number}. Delete it from its page"
            self.taking.found.stays.append((None, why))
        stay = self.taking.entries(stay.keys()) if stay else stay  # hands and games may have been in the way
        self._close_again(closed)
        for uid in players - self._players():
            self._delete_player(uid)
        self.taking.stays(stay | dict.fromkeys(imports, IMPORTED))

    def _hands(self, but: Collection[str]) -> dict[str, set[int]]:
        mine = select(Game.uid, Change.seq).join(Game, Change.game_id == Game.id)
        mine = mine.where(Game.club_id == self.club.id, Change.link_id == self.link.id, Change.at >= self.since)
        found: dict[str, set[int]] = {}
        for uid, seq in db.session.execute(mine.order_by(Game.number, Change.seq)):
            if uid not in but:
                found.setdefault(uid, set()).add(seq)
        return found

    def _started(self, *, others: bool = False) -> list[Game]:
        """The games that it started, and in which nobody else has entered hands; or, of `others`, somebody has."""
        mine = Game.club_id == self.club.id, Game.link_id == self.link.id, Game.created_at >= self.since
        which = self._of_others() if others else ~self._of_others()
        found = select(Game).where(*mine, which).order_by(Game.number.desc())
        return list(db.session.scalars(found))

    def _of_others(self) -> ColumnElement[bool]:
        return Game.changes.any(Change.link_id.is_distinct_from(self.link.id))

    def _delete(self, uid: str) -> None:
        game = ClubNow(self.club).game(uid)
        if game is None:
            return
        number = game.number
        if why := self.taking.attempt(deletion.put_away_game, game, Cause(self.taking.by)):
            self.taking.found.stays.append((None, why))
        else:
            self.taking.found.games.append(number)

    def _players(self) -> set[str]:
        """The players whom it added and who have a seat or are a substitute in some hand."""
        return {player.uid for player in self.club.players if player.link_id == self.link.id and deletion.plays(player)}

    def _delete_player(self, uid: str) -> None:
        player = ClubNow(self.club).players.get(uid)
        if player is None:
            return
        name = player.name
        if self.taking.attempt(deletion.put_away_player, player, Cause(self.taking.by)):
            why = f"{name} is still named in the history of a game. Retire {name} to hide the name"
            self.taking.found.stays.append((None, why))
        else:
            self.taking.found.players.append(name)

    def _closed_before(self) -> dict[str, str]:
        """When the seasons were closed that a game has opened again since."""
        found: dict[str, str] = {}
        for season in self.club.seasons:
            by_game = (season.reopened or {}).get("game") if season.closed_at is None else None
            if by_game and datetime.fromisoformat((season.reopened or {})["at"]) >= self.since:
                mine = ClubChange.club_id == self.club.id, ClubChange.kind == club_log.CLOSE
                last = select(ClubChange).where(*mine, ClubChange.subject == season.uid).order_by(ClubChange.seq.desc())
                entry = db.session.scalar(last.limit(1))
                found |= {season.uid: _after(entry)["closed"]} if entry and _after(entry)["closed"] else {}
        return found

    def _close_again(self, closed: Mapping[str, str]) -> None:
        """Close seasons again that games had opened, where they come to what is kept of them."""
        db.session.expire_all()
        for season in self.club.seasons:
            if season.uid in closed and season.closed_at is None and seasons.is_as_kept(season):
                season.reopened = None
                seasons.put_closed(season, datetime.fromisoformat(closed[season.uid]), Cause(self.taking.by))


def _undo_take_back(here: ClubNow, entry: ClubChange, cause: Cause) -> None:
    """The same the other way round: what came last goes first."""
    told, taking = entry.after or _before(entry), _Taking(here.club, cause.by)
    taking.begin()
    stay = taking.entries(set(told["then"]))
    taking.hands(told["hands"])
    taking.stays(stay | taking.entries(set(told["first"])))
    if not taking.found.number and taking.found.stays:
        raise _refused(taking.found.stays[0][1])
    about = {key: told[key] for key in ("label", "since")}
    taking.write_entry(entry.subject, about, cause, undoes=entry.after is not None)


WAYS = {
    club_log.RENAME: _of_player("name", people.put_name),
    club_log.GUEST: _of_player("guest", people.put_guest),
    club_log.RETIRE: _of_player("retired", people.put_retired),
    club_log.MERGE: Way(_why_not_merge, _undo_merge),
    club_log.BEGIN: _of_season(
        _why_not_begin, lambda season, _entry, cause: deletion.put_away_season(season, cause), also_closed=True
    ),
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
    club_log.TAKE_BACK: Way(lambda *_: "", _undo_take_back),
    **dict.fromkeys(ACCESS_KINDS, Way(_why_not_access, lambda *_: None)),
    **dict.fromkeys(club_log.OF_DELETION, Way(_why_not_delete, _undo_deletion)),
}
