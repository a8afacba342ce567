"""Entries of a club's log undone. Each by itself, as long as nothing that came later is in its way.

Undo swaps before and after: the present value must still equal `after`, and `before` is restored. That is
an entry too, and is undone in the same way. Each kind of entry has a handler in `UNDO_HANDLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

from sqlalchemy import func, or_, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import ACCESS_KINDS, Club, ClubChange, Game, Player, Season
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log, clubs, custom_rules, deleted_items, games, merge_players, players, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services.seasons import LEAGUE_PARTS
from scorekeeper.stats.league import Bonus, League
from scorekeeper.undo import deletion

CHANGED = "It has changed again since. Undo that first"
NO_PLAYER = "That player was deleted or merged since"
NO_SEASON = "That season was deleted since. Take it back first"
GONE = f"Deleted more than {deleted_items.DAYS} days ago, and gone for good"

Thing = TypeVar("Thing", Club, Player, Season, Game)


def undo(club: Club, seq: int, by: str | None = None) -> ClubChange | None:
    """Undo an entry; None if it was undone before. Raises Refused with a sentence."""
    with db_write(club):
        entry = club_log.find(club.id, seq)
        if entry is None:
            raise _refused("There is no such change")
        if club_log.undone_by(club.id, [seq]):
            return None
        ClubNow(club, by).undo(entry)
        return entry


def _refused(sentence: str) -> Refused:
    return Refused([Problem("cannot-undo", "", sentence)])


class ClubNow:
    """A club as it is now, to see what of its log can be undone."""

    def __init__(self, club: Club, by: str | None = None) -> None:
        self.club, self.by = club, by
        self._games: dict[str, Game | None] = {}

    def why_not(self, entry: ClubChange) -> str:
        """Why an entry cannot be undone, in a sentence without its full stop; nothing if it can."""
        return UNDO_HANDLERS[entry.kind].why_not(self, entry)

    def undo(self, entry: ClubChange) -> None:
        """Undo an entry, inside a transaction that has locked the club; raises Refused."""
        if why := self.why_not(entry):
            raise _refused(why)
        with club_log.undoing(entry.seq, self.by):
            UNDO_HANDLERS[entry.kind].undo(self, entry)

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


class UndoHandler:
    """How the entries of one kind are undone."""

    def why_not(self, _here: ClubNow, _entry: ClubChange) -> str:
        """Why an entry cannot be undone, in a sentence without its full stop; nothing if it can."""
        return ""

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        """Undo an entry of which `why_not` says nothing."""
        raise NotImplementedError


@dataclass(frozen=True)
class Never(UndoHandler):
    """Entries that are not undone here, and why."""

    why: Callable[[ClubChange], str]

    def why_not(self, _here: ClubNow, entry: ClubChange) -> str:
        return self.why(entry)


def _before(entry: ClubChange) -> dict[str, Any]:
    return entry.before or {}


def _after(entry: ClubChange) -> dict[str, Any]:
    return entry.after or {}


@dataclass(frozen=True)
class Value(UndoHandler, Generic[Thing]):
    """One value of something: `read` gives it as the log has it, and `change` sets it from that."""

    key: str
    change: Callable[[Thing, Any], None]
    read: Callable[[Thing], object]

    def find(self, here: ClubNow, entry: ClubChange) -> Thing | None:
        raise NotImplementedError

    def gone(self, _entry: ClubChange) -> str:
        """Why there is nothing to change."""
        return NO_PLAYER

    def why_not_thing(self, _here: ClubNow, _thing: Thing, _entry: ClubChange) -> str:
        return ""

    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        thing = self.find(here, entry)
        if thing is None:
            return self.gone(entry)
        return CHANGED if self.read(thing) != _after(entry)[self.key] else self.why_not_thing(here, thing, entry)

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        if thing := self.find(here, entry):
            self.change(thing, _before(entry)[self.key])


class OfClub(Value[Club]):
    def find(self, here: ClubNow, _entry: ClubChange) -> Club:
        return here.club


class OwnRules(UndoHandler):
    """Rules that the club has saved. A merge may have made who usually sits there somebody else."""

    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        now = custom_rules.saved_as(here.club, entry.subject)
        if self._without_seats(now) != self._without_seats(entry.after):
            return CHANGED
        full = now is None and len(here.club.own_rules or ()) >= custom_rules.MOST
        return "The club has as many rule sets as it can keep. Delete one first" if full else ""

    @staticmethod
    def _without_seats(own: Mapping[str, object] | None) -> Mapping[str, object] | None:
        return own and {name: value for name, value in own.items() if name != "seats"}

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        custom_rules.put(here.club, entry.subject, entry.before)


def _why_no_access(entry: ClubChange) -> str:
    if entry.kind == club_log.PASSPHRASE:
        return "A passphrase is set or removed in the club’s settings"
    return "A revoked link stays revoked" if _after(entry)["event"] == "revoked" else "To undo this, revoke the link"


# --- players ------------------------------------------------------------------------------------------------------


class OfPlayer(Value[Player]):
    def find(self, here: ClubNow, entry: ClubChange) -> Player | None:
        return here.players.get(entry.subject)

    def why_not_thing(self, here: ClubNow, player: Player, entry: ClubChange) -> str:
        others = [one for one in here.club.players if one is not player]
        return merge_players.why_name_taken(others, _before(entry)["name"]) if self.key == "name" else ""


class Merge(UndoHandler):
    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        player = here.players.get(entry.subject)
        if player is not None and entry.after is not None:
            return merge_players.why_not_apart(here.club, entry)
        gone = here.players.get(_before(entry)["gone"]["uid"]) if player else None
        if player is None or gone is None:
            return NO_PLAYER
        try:
            merge_players.games_to_merge(player, gone)
        except Refused as refused:
            return refused.problems[0].message
        return ""

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        player = here.players[entry.subject]
        if entry.after is not None:
            merge_players.take_apart(here.club, player, entry)
        else:
            merge_players.merge(player, here.players[_before(entry)["gone"]["uid"]])


# --- seasons ------------------------------------------------------------------------------------------------------


def _closed(season: Season) -> str:
    return f"{season.name} is closed. Reopen it first" if season.closed_at else ""


def _any_closed(several: Iterable[Season]) -> str:
    return next(filter(None, map(_closed, several)), "")


class OfSeason(UndoHandler):
    """An entry about a season, which has to be there, and to be open where it is not `also_closed`."""

    also_closed = False

    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        season = here.seasons.get(entry.subject)
        if season is None:
            return NO_SEASON
        return self.why_not_season(season, entry) or ("" if self.also_closed else _closed(season))

    def why_not_season(self, _season: Season, _entry: ClubChange) -> str:
        return ""

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        self.undo_season(here.seasons[entry.subject], entry)

    def undo_season(self, season: Season, entry: ClubChange) -> None:
        raise NotImplementedError


class Begin(OfSeason):
    also_closed = True

    def why_not_season(self, season: Season, _entry: ClubChange) -> str:
        counting = select(Game.id).where(or_(Game.season_id == season.id, Game.also.any(Season.id == season.id)))
        has_games = db.session.scalar(counting.limit(1)) is not None
        return "Games count in it. Delete the season instead, from its page" if has_games else ""

    def undo_season(self, season: Season, _entry: ClubChange) -> None:
        deletion.delete_season(season)


class Settings(OfSeason):
    def why_not_season(self, season: Season, entry: ClubChange) -> str:
        if seasons.settings_of(season) != _after(entry):
            return CHANGED
        name = _before(entry)["name"]
        if any(one.name.casefold() == name.casefold() for one in season.club.seasons if one is not season):
            return f"Another season is called {name} now. Rename that season first"
        return ""

    def undo_season(self, season: Season, entry: ClubChange) -> None:
        told = _before(entry)
        days = {key: told[key] and date.fromisoformat(told[key]) for key in ("starts", "ends")}
        seasons.set_settings(season, told | days)


class Close(OfSeason):
    also_closed = True

    def why_not_season(self, season: Season, entry: ClubChange) -> str:
        closed = season.closed_at
        if (closed.isoformat() if closed else None) != _after(entry)["closed"]:
            by_game = (season.reopened or {}).get("game") if closed is None else None
            return f"It is open again since game {by_game} changed. Close it again instead" if by_game else CHANGED
        before = _before(entry)
        if before["closed"] and before["books"] != season.club.stats_version and not seasons.is_as_kept(season):
            return "Games or players have changed since. Close the season again instead"
        return ""

    def undo_season(self, season: Season, entry: ClubChange) -> None:
        closed = _before(entry)["closed"]
        seasons.set_closed(season, datetime.fromisoformat(closed) if closed else None)


class TakeIn(OfSeason):
    def undo_season(self, season: Season, entry: ClubChange) -> None:
        goes_out = entry.after is not None
        told = (entry.after or _before(entry))["games"]
        mine = select(Game).where(Game.club_id == season.club_id, Game.uid.in_(told))
        found = [game for game in db.session.scalars(mine) if (season in game.seasons) == goes_out]
        seasons.set_taken_in(season, found, not goes_out)


class GivenBonus(OfSeason):
    def _find(self, season: Season, told: Mapping[str, Any]) -> Bonus | None:
        return League.from_dict(season.league).find(told["bonus"]["uid"])

    def why_not_season(self, season: Season, entry: ClubChange) -> str:
        bonus = self._find(season, _after(entry))
        return CHANGED if bonus is None or bonus.undone != _after(entry)["bonus"]["undone"] else ""

    def undo_season(self, season: Season, entry: ClubChange) -> None:
        bonus = self._find(season, _before(entry))
        if bonus is not None:  # as it is now: its player may have been merged into another
            seasons.set_bonus(season, replace(bonus, undone=_before(entry)["bonus"]["undone"]))


@dataclass(frozen=True)
class OfLeague(OfSeason):
    """One thing that is set for a season beside its games, of players who have to be there still."""

    also_closed: bool = False

    def why_not_season(self, season: Season, entry: ClubChange) -> str:
        part = LEAGUE_PARTS[entry.kind]
        if part.write(part.of(League.from_dict(season.league))) != _after(entry)[entry.kind]:
            return CHANGED
        return _somebody_gone(season.club, part.put(League(), part.read(_before(entry)[entry.kind])).players)

    def undo_season(self, season: Season, entry: ClubChange) -> None:
        seasons.set_league(entry.kind, season, LEAGUE_PARTS[entry.kind].read(_before(entry)[entry.kind]))


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


# --- games --------------------------------------------------------------------------------------------------------


class OfGame(Value[Game]):
    def find(self, here: ClubNow, entry: ClubChange) -> Game | None:
        return here.game(entry.subject)

    def gone(self, entry: ClubChange) -> str:
        return f"Game {_after(entry)['game']} was deleted since. Take it back first"

    def why_not_thing(self, _here: ClubNow, game: Game, _entry: ClubChange) -> str:
        return _any_closed(game.seasons)


class Move(OfGame):
    """The first season of a game, and the others where they changed along with it."""

    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        before, after, game = _before(entry), _after(entry), here.game(entry.subject)
        first, others = before["season"], before.get("also", [])
        if first is not None and first not in here.seasons:
            return f"{before['name']} was deleted since. Take it back first"
        if not here.seasons.keys() >= set(others):
            return "A season that it counted in was deleted since. Take it back first"
        if game and "also" in after and seasons.others_of(game)["also"] != after["also"]:
            return CHANGED
        return super().why_not(here, entry) or _any_closed(here.seasons[uid] for uid in (first, *others) if uid)

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        before = _before(entry)
        if game := here.game(entry.subject):
            also = [here.seasons[uid] for uid in before["also"]] if "also" in before else None
            seasons.set_season(game, here.seasons.get(before["season"] or ""), also=also)


class Also(OfGame):
    """The seasons in which a game counts besides its first one."""

    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        before = _before(entry)
        missing = [name for uid, name in zip(before["also"], before["names"], strict=True) if uid not in here.seasons]
        return f"{missing[0]} was deleted since. Take it back first" if missing else super().why_not(here, entry)

    def why_not_thing(self, here: ClubNow, game: Game, entry: ClubChange) -> str:
        uids = {*_before(entry)["also"], *_after(entry)["also"]}
        return _any_closed([*game.seasons, *(here.seasons[uid] for uid in uids if uid in here.seasons)])

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        if game := here.game(entry.subject):
            seasons.set_also(game, [here.seasons[uid] for uid in _before(entry)["also"]])


# --- what was deleted ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deletion(UndoHandler, Generic[Thing]):
    """Something was deleted, which may come back; or it came back, and may be deleted again."""

    kind: str
    find: Callable[[ClubNow, str], Thing | None]
    take_back: Callable[[Club, str], Thing]
    delete: Callable[[Thing], None]
    why_not_delete: Callable[[Thing], str] = lambda _thing: ""

    def why_not(self, here: ClubNow, entry: ClubChange) -> str:
        found = self.find(here, entry.subject)
        if entry.after is None:
            return CHANGED if found is None else self.why_not_delete(found)
        if found is not None and self.kind != deleted_items.GAME:
            return CHANGED
        if deleted_items.find(here.club.id, self.kind, entry.subject) is None:
            return GONE
        told: dict[str, Any] = _after(entry)
        counted = (here.seasons.get(uid or "") for uid in (told.get("season"), *told.get("also", ())))
        return _any_closed(filter(None, counted)) or self._name_taken(here, told)

    def _name_taken(self, here: ClubNow, told: Mapping[str, Any]) -> str:
        things: Iterable[Player | Season] = (
            here.club.players if self.kind == deleted_items.PLAYER else here.club.seasons
        )
        for one in things if "name" in told else ():
            if one.name.casefold() == told["name"].casefold():
                return f"{one.name} is the name of another now. Rename that one first"
        return ""

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        if entry.after is not None:
            self.take_back(here.club, entry.subject)
        elif found := self.find(here, entry.subject):
            self.delete(found)


# --- many changes at once -----------------------------------------------------------------------------------------


@dataclass
class BulkUndoResult:
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


class BulkUndo:
    """Takes entries and changes of hands back, inside a transaction that has locked the club, and notes what it did."""

    def __init__(self, club: Club, by: str | None) -> None:
        self.club, self.by = club, by
        self.result = BulkUndoResult()
        self._hands: dict[str, list[int]] = {}
        self._hands_at: int | None = None
        self._first = self._last_entry() + 1

    def _last_entry(self) -> int:
        return db.session.scalar(select(func.max(ClubChange.seq)).where(ClubChange.club_id == self.club.id)) or 0

    def entries(self, seqs: Collection[int]) -> dict[int, str]:
        """Take back entries, the newest first; those that stay, with the reason why."""
        undone = club_log.undone_by(self.club.id, seqs)
        stay = {}
        for seq in sorted(set(seqs) - undone.keys(), reverse=True):
            entry = club_log.find(self.club.id, seq)
            if entry is None or not self._is_in_effect(entry, seqs):
                continue
            if why := self.attempt(lambda one: ClubNow(self.club, self.by).undo(one), entry):
                stay[seq] = why
            else:
                self.result.entries.append(entry)
        return stay

    def _is_in_effect(self, entry: ClubChange, seqs: Collection[int]) -> bool:
        """Whether an entry has a net effect: False if another selected entry cancels it out."""
        times, last = 1, entry
        while last.undoes in seqs and (before := club_log.find(self.club.id, last.undoes or 0)) is not None:
            times, last = times + 1, before
        return times % 2 == 1

    def attempt(self, change: Callable[..., None], *about: object) -> str:
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
        self.result.stays += [(club_log.find(self.club.id, seq), why) for seq, why in reasons.items()]

    def hands(self, selected: Mapping[str, Collection[int]]) -> None:
        """Take back changes of hands, by the uids of their games; once, between the entries before and behind it."""
        self._hands_at = self._last_entry()
        for uid, seqs in selected.items():
            if why := self.attempt(self._hands_of, uid, seqs):
                self.result.stays.append((None, why))

    def _hands_of(self, uid: str, seqs: Collection[int]) -> None:
        game = ClubNow(self.club).game(uid)
        if game is None:
            return
        made, stays = hand_service.undo_changes(game, seqs, self.by)
        self.result.stays += [(None, why) for why in stays]
        if made:
            self._hands[uid] = made
            self.result.hands[game.number] = len(made)

    def write_entry(self, subject: str, about: Mapping[str, object], undoes: ClubChange | None = None) -> None:
        """Write what was done as an entry of the log, with all that it takes to undo it."""
        last = self._last_entry() + 1
        middle = last if self._hands_at is None else self._hands_at + 1
        told = {**about, "number": self.result.number, "stays": len(self.result.stays)}
        told |= {"first": [*range(self._first, middle)], "hands": self._hands, "then": [*range(middle, last)]}
        before, after = (told, None) if undoes and undoes.after is not None else (None, told)
        club_log.add(self.club.id, club_log.BULK_UNDO, subject, before, after, self.by)


class BulkUndoEntry(UndoHandler):
    """All that a link did was taken back: the same the other way round, what came last goes first."""

    def undo(self, here: ClubNow, entry: ClubChange) -> None:
        told, bulk = entry.after or _before(entry), BulkUndo(here.club, here.by)
        stay = bulk.entries(set(told["then"]))
        bulk.hands(told["hands"])
        bulk.stays(stay | bulk.entries(set(told["first"])))
        if not bulk.result.number and bulk.result.stays:
            raise _refused(bulk.result.stays[0][1])
        bulk.write_entry(entry.subject, {key: told[key] for key in ("label", "since")}, entry)


UNDO_HANDLERS: Mapping[str, UndoHandler] = {
    club_log.RENAME: OfPlayer("name", players.rename, attrgetter("name")),
    club_log.GUEST: OfPlayer("guest", players.set_guest, attrgetter("guest")),
    club_log.RETIRE: OfPlayer("retired", players.set_retired, attrgetter("retired")),
    club_log.MERGE: Merge(),
    club_log.BEGIN: Begin(),
    club_log.SETTINGS: Settings(),
    club_log.CLOSE: Close(),
    club_log.TAKE_IN: TakeIn(),
    club_log.BONUS: GivenBonus(),
    club_log.DIVISIONS: OfLeague(),
    club_log.START: OfLeague(),
    club_log.PLAYOFFS: OfLeague(also_closed=True),
    club_log.STATE: OfGame("state", hand_service.set_state, attrgetter("state")),
    club_log.COUNTS: OfGame("counts", games.set_counts, lambda game: not game.left_out),
    club_log.DAY: OfGame(
        "day", lambda game, day: games.set_day(game, date.fromisoformat(day)), lambda game: game.played.isoformat()
    ),
    club_log.ALSO: Also("also", seasons.set_also, lambda game: seasons.others_of(game)["also"]),
    club_log.MOVE: Move("season", seasons.set_season, lambda game: game.season.uid if game.season else None),
    club_log.CLUB_NAME: OfClub("name", clubs.set_name, attrgetter("name")),
    club_log.ZONE: OfClub("zone", clubs.set_zone, attrgetter("zone")),
    club_log.OWN_RULES: OwnRules(),
    club_log.IMPORT: Never(lambda _: "Delete its games instead"),
    club_log.BULK_UNDO: BulkUndoEntry(),
    **dict.fromkeys(ACCESS_KINDS, Never(_why_no_access)),
    club_log.DELETE_GAME: Deletion(
        deleted_items.GAME, ClubNow.game, deletion.take_back_game, deletion.delete_game, deletion.why_not_delete_game
    ),
    club_log.DELETE_PLAYER: Deletion(
        deleted_items.PLAYER,
        lambda here, uid: here.players.get(uid),
        deletion.take_back_player,
        deletion.delete_player,
        deletion.why_not_delete,
    ),
    club_log.DELETE_SEASON: Deletion(
        deleted_items.SEASON, lambda here, uid: here.seasons.get(uid), deletion.take_back_season, deletion.delete_season
    ),
}
