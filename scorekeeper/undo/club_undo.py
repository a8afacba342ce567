"""Undo of club log entries, each independently, unless a later change prevents it.

Undo swaps before and after: the present value must still equal `after`, and `before` is restored. This adds an entry,
which can be undone in the same way. `UNDO_HANDLERS` has a function for each kind of entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Any, TypeVar

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import ACCESS_KINDS, OPEN, PAUSED, Change, Club, ClubChange, Deleted, Game, Link, Player, Season
from scorekeeper.scoring.problems import Refused, refusal
from scorekeeper.services import club_log, clubs, custom_rules, deleted_items, games, players, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services.seasons import LEAGUE_PARTS
from scorekeeper.stats import tallies
from scorekeeper.stats.league import League, league_of, leagues_naming

from . import deletion

CHANGED = "Undo the later change first"
NO_PLAYER = "That player was deleted or merged"
NO_SEASON = "That season was deleted. Take it back first"
MOST_IMPORTED = 200  # games that are deleted at once: the club is locked meanwhile
GONE = f"Deleted more than {deleted_items.DAYS} days ago, and gone for good"

Thing = TypeVar("Thing")
Undoing = Callable[[], object]


def undo(club: Club, seq: int) -> ClubChange | None:
    """Undo an entry and return the new entry; None if it was undone before. Raises Refused with a sentence."""
    with db_write(club):
        entry = _require(club_log.find(club.id, seq), "There is no such change")
        if club_log.undone_by(club.id, [seq]):
            return None
        changed = seasons.changed_since_closed(club)
        ClubNow(club).undo(entry)
        undone = club_log.undone_by(club.id, [seq])
        seasons.close_again(club, changed)
        return club_log.find(club.id, undone[seq])


def _require(thing: Thing | None, sentence: str) -> Thing:
    """Return `thing` if it is true; else raise Refused with `sentence`, which has no full stop."""
    if not thing:
        raise refusal("cannot-undo", sentence)
    return thing


def _refuse(why: str) -> None:
    """Raise Refused with the reason `why`, unless it is empty."""
    _require(not why, why)


class ClubNow:
    """A club's present state, cached to check which log entries can be undone."""

    def __init__(self, club: Club) -> None:
        self.club = club
        mine = select(Game).where(Game.club_id == club.id)
        self.game: Callable[[str], Game | None] = cache(lambda uid: db.session.scalar(mine.where(Game.uid == uid)))

    def why_not(self, entry: ClubChange) -> str:
        """Return why an entry cannot be undone, as a sentence without a full stop; "" if it can."""
        try:
            UNDO_HANDLERS[entry.kind](_Entry(self, entry))
        except Refused as refused:
            return refused.problems[0].message
        return ""

    def undo(self, entry: ClubChange) -> None:
        """Undo an entry, inside a transaction that has locked the club; raises Refused."""
        change = UNDO_HANDLERS[entry.kind](_Entry(self, entry))
        with club_log.undoing(entry.seq):
            change()

    @cached_property
    def players(self) -> Mapping[str, Player]:
        return {player.uid: player for player in self.club.players}

    @cached_property
    def seasons(self) -> Mapping[str, Season]:
        return {season.uid: season for season in self.club.seasons}

    @cached_property
    def links(self) -> Collection[str]:
        """The uids of the links that are not revoked."""
        mine = Link.club_id == self.club.id, Link.revoked_at.is_(None)
        return set(db.session.scalars(select(Link.uid).where(*mine)))


class _Entry:
    """A log entry with its subject in its present state; the properties raise Refused if the subject is gone."""

    def __init__(self, club_now: ClubNow, entry: ClubChange) -> None:
        self.club_now, self.club, self.entry, self.subject = club_now, club_now.club, entry, entry.subject
        self.before: Mapping[str, Any] = entry.before or {}
        self.after: Mapping[str, Any] = entry.after or {}

    @property
    def player(self) -> Player:
        return _require(self.club_now.players.get(self.subject), NO_PLAYER)

    @property
    def season(self) -> Season:
        return _require(self.club_now.seasons.get(self.subject), NO_SEASON)

    @property
    def open_season(self) -> Season:
        _check_open([self.season])
        return self.season

    @property
    def game(self) -> Game:
        found = self.club_now.game(self.subject)
        return _require(found, f"Game {self.after.get('game')} was deleted. Take it back first")


Handler = Callable[[_Entry], Undoing]


def _check_open(several: Iterable[Season]) -> None:
    for season in several:
        _require(not season.closed_at, f"{season.name} is closed. Reopen it first")


def _refuse_undo(entry: _Entry) -> Undoing:
    """Refuse entries that cannot be undone from the log."""
    if entry.entry.kind == club_log.PASSPHRASE:
        why = "A passphrase is set or removed in the club’s settings"
    else:
        works = entry.subject in entry.club_now.links
        why = "To undo this, revoke the link" if works else "A revoked link stays revoked"
    raise refusal("cannot-undo", why)


def _value_handler(
    of: str, key: str, change: Callable[[Any, Any], None], read: Callable[[Any], object] | None = None
) -> Handler:
    """Make a handler for one value of the entry's attribute `of`: `read` returns it as logged, `change` sets it.

    For a game, all of its seasons must be open.
    """

    def undo_value(entry: _Entry) -> Undoing:
        thing = getattr(entry, of)
        _require((read or attrgetter(key))(thing) == entry.after[key], CHANGED)
        if of == "game":
            _check_open(thing.seasons)
        return partial(change, thing, entry.before[key])

    return undo_value


def _own_rules(entry: _Entry) -> Undoing:
    """A saved rule set. Its seats are not compared, because a merge may have changed them."""
    now = custom_rules.saved_json(entry.club, entry.subject)
    without_seats = [own and {**own, "seats": ()} for own in (now, entry.entry.after)]
    _require(without_seats[0] == without_seats[1], CHANGED)
    fits = now is not None or len(entry.club.own_rules or ()) < custom_rules.MOST_SAVED
    _require(fits, "The club has as many rule sets as it can keep. Delete one first")
    return partial(custom_rules.put, entry.club, entry.subject, entry.entry.before)


# --- players ------------------------------------------------------------------------------------------------------


def _rename(entry: _Entry) -> Undoing:
    change = _value_handler("player", "name", players.rename)(entry)
    seasons.check_name("player", entry.club.players, entry.before["name"], entry.player)
    return change


def _merge(entry: _Entry) -> Undoing:
    player = entry.player
    if entry.after:
        seasons.check_name("player", entry.club.players, entry.after["gone"]["name"])
        _refuse(players.why_not_unmerge(entry.club, entry.entry))
        return partial(players.unmerge, entry.club, player, entry.entry)
    gone = _require(entry.club_now.players.get(entry.before["gone"]["uid"]), NO_PLAYER)
    players.games_to_merge(player, gone)  # raises Refused
    return partial(players.merge, player, gone)


# --- seasons ------------------------------------------------------------------------------------------------------


def _begin(entry: _Entry) -> Undoing:
    season = entry.season
    is_empty = db.session.scalar(select(Game.id).where(seasons.counts_in(season)).limit(1)) is None
    _require(is_empty, "Cannot be undone here: games count in it. You can delete the season on its page")
    return partial(deletion.delete_season, season)


def _settings(entry: _Entry) -> Undoing:
    season, told = entry.season, entry.before
    _require(seasons.settings_of(season) == entry.after, CHANGED)
    seasons.check_name("season", entry.club.seasons, told["name"], season)
    days = {key: told[key] and date.fromisoformat(told[key]) for key in ("starts", "ends")}
    return partial(seasons.set_settings, entry.open_season, {**told, **days})


def _close(entry: _Entry) -> Undoing:
    season, closed = entry.season, entry.before["closed"]
    if (season.closed_at and season.closed_at.isoformat()) != entry.after["closed"]:
        by_game = (season.reopened or {}).get("game") if season.closed_at is None else None
        _refuse(f"It is open already: game {by_game} changed" if by_game else CHANGED)
    is_as_closed = not closed or ((season.reopened or {}).get("closed") == closed and tallies.is_as_closed(season))
    _require(is_as_closed, "Cannot be undone here: the season may have changed since. You can close it on its page")
    return partial(seasons.set_closed, season, closed and datetime.fromisoformat(closed))


def _take_in(entry: _Entry) -> Undoing:
    season, goes_out = entry.open_season, bool(entry.after)
    mine = select(Game).where(Game.club_id == season.club_id, Game.uid.in_((entry.after or entry.before)["games"]))
    found = [game for game in db.session.scalars(mine) if (season in game.seasons) == goes_out]
    return partial(seasons.set_taken_in, season, _require(found, CHANGED), not goes_out)


def _bonus(entry: _Entry) -> Undoing:
    told = entry.after["bonus"]
    bonus = _require(league_of(entry.season).find(told["uid"]), CHANGED)
    _require(bonus.undone == told["undone"], CHANGED)
    # use the present bonus: its player may have been merged into another one
    was = replace(bonus, undone=entry.before["bonus"]["undone"])
    return partial(seasons.set_bonus, entry.open_season, was)


def _league(entry: _Entry) -> Undoing:
    """One part of a season's league; its players must still exist."""
    kind, season = entry.entry.kind, entry.season
    part = LEAGUE_PARTS[kind]
    _require(part.said(league_of(season)) == entry.after[kind], CHANGED)
    was = entry.before[kind]
    _refuse(_missing_player(entry.club, part.put(League(), was).players))
    return partial(seasons.set_league, kind, season if kind == club_log.PLAYOFFS else entry.open_season, was)


def _missing_player(club: Club, uids: set[str]) -> str:
    """Return why one of these players is no longer in the club; "" if all are."""
    gone = uids - {player.uid for player in club.players}
    if not gone:
        return ""
    kinds = club_log.MERGE, club_log.DELETE_PLAYER
    left = select(ClubChange).where(ClubChange.club_id == club.id, ClubChange.kind.in_(kinds))
    for entry in db.session.scalars(left.order_by(ClubChange.seq.desc())):
        told = entry.after or {}
        if entry.kind == club_log.DELETE_PLAYER and told and entry.subject in gone:
            return f"{told['name']} was deleted. Take {told['name']} back first"
        if entry.kind == club_log.MERGE and told and told["gone"]["uid"] in gone:
            return f"{told['gone']['name']} was merged into {told['name']}. Undo the merge first"
    return "It names a player who is no longer in the club"


# --- games --------------------------------------------------------------------------------------------------------


def _replace(entry: _Entry) -> Undoing:
    """A wrong player replaced in a finished game; a player who was added for that, and is nowhere else, goes again."""
    game, sides = entry.game, [side["player"] for side in (entry.before, entry.after)]
    _refuse(_missing_player(entry.club, set(sides)))
    was, now = (entry.club_now.players[uid] for uid in sides)
    names = players.names_in(game)
    _require(now.name in names and was.name not in names, CHANGED)
    _check_open(game.seasons)

    def change() -> None:
        players.replace_in(game, now.name, was.name)
        if entry.after.get("new"):
            with club_log.undoing():
                _delete_unused(now)

    return change


def _delete_unused(player: Player) -> None:
    if not (deletion.why_not_delete(player) or leagues_naming(player.club, player.uid)):
        deletion.delete_player(player)


def _import(entry: _Entry) -> Undoing:
    """Games from paper: all that are still there, with the players who were added for them; a club file stays."""
    told, club = entry.after or entry.before, entry.club
    uids = told.get("uids", ())
    _require(0 < len(uids) <= MOST_IMPORTED, "Cannot be undone here. You can delete the games one by one")
    mine = Game.club_id == club.id, Game.uid.in_(uids)
    here = set(db.session.scalars(select(Game.uid).where(*mine)))
    found = here if entry.after else deleted_items.games_among(club.id, uids).keys()
    _require(found, CHANGED if entry.after else GONE)

    def change() -> None:
        with club_log.undoing():  # each is in the log, too
            if entry.after:
                deletion.delete_games(club, db.session.scalars(select(Game).where(*mine)).all())
            else:
                kept = (deleted_items.find(club.id, deleted_items.GAME, uid) for uid in uids)
                deletion.take_back_games(club, filter(None, kept))
            for player in list(club.players) if entry.after else ():
                if player.uid in told["players"]:
                    _delete_unused(player)
        now = {**told, "games": len(found)}
        club_log.add(club, club_log.IMPORT, *((now, None) if entry.after else (None, now)))

    return change


def _move(entry: _Entry) -> Undoing:
    """The primary season of a game, and its other seasons if they changed with it."""
    here, before, after = entry.club_now, entry.before, entry.after
    first, others = before["season"], before.get("also", [])
    _require(first is None or first in here.seasons, f"{before['name']} was deleted. Take it back first")
    there = here.seasons.keys() >= set(others)
    _require(there, "A season that it counted in was deleted. Take it back first")
    game = entry.game
    is_same = "also" not in after or seasons.others_of(game)["also"] == after["also"]
    _require(is_same and (game.season and game.season.uid) == after["season"], CHANGED)
    _check_open([*game.seasons, *(here.seasons[uid] for uid in (first, *others) if uid)])
    also = [here.seasons[uid] for uid in others] if "also" in before else None
    return partial(seasons.set_season, game, here.seasons.get(first or ""), also=also)


def _also(entry: _Entry) -> Undoing:
    """The seasons that a game counts in besides its primary one."""
    known, before, after = entry.club_now.seasons, entry.before, entry.after
    for uid, name in zip(before["also"], before["names"], strict=True):
        _require(uid in known, f"{name} was deleted. Take it back first")
    game = entry.game
    _require(seasons.others_of(game)["also"] == after["also"], CHANGED)
    _check_open([*game.seasons, *(known[uid] for uid in {*before["also"], *after["also"]} if uid in known)])
    return partial(seasons.set_also, game, [known[uid] for uid in before["also"]])


# --- deletion -----------------------------------------------------------------------------------------------------


def _deletion_handler(
    kind: str,
    take_back: Callable[[Club, Deleted], None],
    delete: Callable[[Any], None],
    why_not_delete: Callable[[Any], str] = lambda _: "",
) -> Handler:
    """Make a handler for deletion and restoration: undo restores a deleted item, or deletes a restored one again."""

    def undo_deletion(entry: _Entry) -> Undoing:
        here, told = entry.club_now, entry.after
        named: Mapping[str, Mapping[str, Any]]
        named = {deleted_items.PLAYER: here.players, deleted_items.SEASON: here.seasons}
        others = named.get(kind, {})
        found = here.game(entry.subject) if kind == deleted_items.GAME else others.get(entry.subject)
        if not told:
            there = _require(found, CHANGED)
            _refuse(why_not_delete(there))
            return partial(delete, there)
        _require(found is None, CHANGED)
        deleted = _require(deleted_items.find(here.club.id, kind, entry.subject), GONE)
        counted = (here.seasons.get(uid or "") for uid in (told.get("season"), *told.get("also", ())))
        _check_open(filter(None, counted))
        seasons.check_name(kind, others.values(), told.get("name", ""))
        return partial(take_back, here.club, deleted)

    return undo_deletion


# --- many changes at once -----------------------------------------------------------------------------------------


class BulkUndo:
    """Reverts log entries and changes of hands, inside a transaction that has locked the club.

    It says what was reverted: entries, the number of changes of hands by game number, games started, players added.
    `stays` lists what was not: the entry, or None if it is about a game or a player, and the reason.
    """

    def __init__(self, club: Club) -> None:
        self.club = club
        self.entries: list[ClubChange] = []
        self.hands: dict[int, int] = {}
        self.games: list[int] = []
        self.players: list[str] = []
        self.stays: list[tuple[ClubChange | None, str]] = []
        self._hands: dict[str, list[int]] = {}
        self._hands_at: int | None = None
        self._first = club_log.last(club.id) + 1

    @property
    def number(self) -> int:
        return len(self.entries) + sum(self.hands.values()) + len(self.games) + len(self.players)

    def revert_entries(self, seqs: Collection[int]) -> dict[int, str]:
        """Revert entries, newest first; return those that stay, with the reason."""
        undone = club_log.undone_by(self.club.id, seqs)
        stay = {}
        for seq in sorted(set(seqs) - undone.keys(), reverse=True):
            entry = club_log.find(self.club.id, seq)
            if entry is None or not self._is_in_effect(entry, seqs):
                continue
            if why := self.attempt(ClubNow(self.club).undo, entry):
                stay[seq] = why
            else:
                self.entries.append(entry)
        return stay

    def _is_in_effect(self, entry: ClubChange, seqs: Collection[int]) -> bool:
        """True if an entry has a net effect: False if another selected entry cancels it out."""
        times, last = 1, entry
        while last.undoes in seqs and (before := club_log.find(self.club.id, last.undoes or 0)) is not None:
            times, last = times + 1, before
        return times % 2 == 1

    def attempt(self, change: Callable[..., None], *about: object) -> str:
        """Call `change` in a savepoint; return the reason if it is refused, else ""."""
        db.session.flush()
        db.session.expire_all()
        try:
            with db.session.begin_nested():
                change(*about)
                db.session.flush()
        except Refused as refused:
            return refused.problems[0].message
        return ""

    def add_reason(self, why: str) -> None:
        """Record the reason why something of a game or a player stays, unless it is empty."""
        if why:
            self.stays.append((None, why))

    def add_reasons(self, reasons: Mapping[int, str]) -> None:
        self.stays += [(club_log.find(self.club.id, seq), why) for seq, why in reasons.items()]

    def revert_hands(self, selected: Mapping[str, Collection[int]]) -> None:
        """Revert changes of hands by game uid. To be called once, between two calls of `revert_entries`."""
        self._hands_at = club_log.last(self.club.id)
        for uid, seqs in selected.items():
            self.add_reason(self.attempt(self._hands_of, uid, seqs))

    def _hands_of(self, uid: str, seqs: Collection[int]) -> None:
        game = ClubNow(self.club).game(uid)
        if game is None:
            return
        made, stays = hand_service.undo_changes(game, seqs)
        for why in stays:
            self.add_reason(why)
        if made:
            self._hands[uid] = made
            self.hands[game.number] = len(made)

    def write_entry(self, subject: str, about: Mapping[str, object], undoes: ClubChange | None = None) -> None:
        """Log what was done, with all data needed to undo it."""
        last = club_log.last(self.club.id) + 1
        middle = last if self._hands_at is None else self._hands_at + 1
        told = {**about, "number": self.number, "stays": len(self.stays)}
        told |= {"first": [*range(self._first, middle)], "hands": self._hands, "then": [*range(middle, last)]}
        before, after = (told, None) if undoes and undoes.after is not None else (None, told)
        club_log.add(self.club, club_log.BULK_UNDO, before, after, subject=subject)


def _bulk_undo(entry: _Entry) -> Undoing:
    """Undo a bulk undo: the same steps in reverse order."""

    def change() -> None:
        told, bulk = entry.after or entry.before, BulkUndo(entry.club)
        stay = bulk.revert_entries(set(told["then"]))
        bulk.revert_hands(told["hands"])
        bulk.add_reasons(stay | bulk.revert_entries(set(told["first"])))
        if not bulk.number and bulk.stays:
            _refuse(bulk.stays[0][1])
        bulk.write_entry(entry.subject, {key: told[key] for key in ("label", "since")}, entry.entry)

    return change


# --- everything done by a link: log entries, hands, games that it started, players it added -----------------------


IMPORTED = "Its games are deleted. Seasons and rules that came with it stay"


class _DryRun(Exception):
    """Raised to roll back a dry run."""


def undo_link(club: Club, link: Link, since: datetime | None = None, *, dry_run: bool = False) -> BulkUndo:
    """Revert everything done by a link, of the club or of one game, since a time.

    What others have changed since stays. `dry_run` computes the same result and rolls back.
    """
    with suppress(_DryRun), db_write(club):
        bulk = _LinkUndo(club, link, since or datetime.min.replace(tzinfo=UTC))
        bulk.run()
        if dry_run:
            raise _DryRun
        if bulk.number:
            bulk.write_entry(link.uid, {"label": link.label, "since": since and since.isoformat()})
    return bulk


class _LinkUndo(BulkUndo):
    """Reverts everything done by a link since a time."""

    def __init__(self, club: Club, link: Link, since: datetime) -> None:
        super().__init__(club)
        self.link, self.since = link, since

    def run(self) -> None:
        """Revert log entries, then hands, then whole games, then the entries that these had blocked.

        Seasons that its games had reopened are closed again, and players no longer referred to are deleted. The first
        use of a link is not a change of the club.
        """
        changed, players = seasons.changed_since_closed(self.club), self._players()
        started = {game.uid for game in self._started()}
        mine = select(ClubChange).where(ClubChange.club_id == self.club.id, ClubChange.link_id == self.link.id)
        entries = db.session.scalars(mine.where(ClubChange.at >= self.since)).all()
        imports = {entry.seq for entry in entries if entry.kind == club_log.IMPORT}
        used = {one.seq for one in entries if one.kind == club_log.LINK and (one.after or {})["event"] == "used"}
        seqs = {one.seq for one in entries if one.subject not in started} - used - imports
        stay = self.revert_entries(seqs)
        self.revert_hands(self._hands_but(started))
        for game in self._started():
            number = game.number
            if why := self.attempt(deletion.delete_game, game):
                self.add_reason(why)
            else:
                self.games.append(number)
        for game in self._started(others=True):
            self.add_reason(f"Others have entered hands in game {game.number}. Delete it from its page")
        stay = self.revert_entries(stay.keys()) if stay else stay  # hands and games may have blocked them
        db.session.expire_all()
        seasons.close_again(self.club, changed)
        gone = players - self._players()
        for player in [player for player in self.club.players if player.uid in gone]:
            name = player.name
            if self.attempt(deletion.delete_player, player):
                self.add_reason(f"{name} is still named in the history of a game. Retire {name} to hide the name")
            else:
                self.players.append(name)
        self.add_reasons(stay | dict.fromkeys(imports, IMPORTED))

    def _hands_but(self, left_out: Collection[str]) -> dict[str, set[int]]:
        mine = select(Game.uid, Change.seq).join(Game, Change.game_id == Game.id)
        mine = mine.where(Game.club_id == self.club.id, Change.link_id == self.link.id, Change.at >= self.since)
        found: dict[str, set[int]] = {}
        for uid, seq in db.session.execute(mine.order_by(Game.number, Change.seq)):
            if uid not in left_out:
                found.setdefault(uid, set()).add(seq)
        return found

    def _started(self, *, others: bool = False) -> list[Game]:
        """Return the games started by the link where only it entered hands, or with `others`, the remaining ones."""
        mine = Game.club_id == self.club.id, Game.link_id == self.link.id, Game.created_at >= self.since
        by_others = Game.changes.any(Change.link_id.is_distinct_from(self.link.id))
        found = select(Game).where(*mine, by_others if others else ~by_others).order_by(Game.number.desc())
        return list(db.session.scalars(found))

    def _players(self) -> set[str]:
        """Return the uids of players it added who have a seat, or are a substitute, in some game."""
        return {player.uid for player in self.club.players if player.link_id == self.link.id and deletion.plays(player)}


# --- kinds of entries ---------------------------------------------------------------------------------------------


# Each handler returns a function that undoes an entry, or raises Refused with the reason why it cannot.
UNDO_HANDLERS: Mapping[str, Handler] = {
    club_log.RENAME: _rename,
    club_log.GUEST: _value_handler("player", "guest", players.set_guest),
    club_log.RETIRE: _value_handler("player", "retired", players.set_retired),
    club_log.MERGE: _merge,
    club_log.BEGIN: _begin,
    club_log.SETTINGS: _settings,
    club_log.CLOSE: _close,
    club_log.TAKE_IN: _take_in,
    club_log.BONUS: _bonus,
    **dict.fromkeys(LEAGUE_PARTS, _league),
    club_log.STATE: _value_handler(
        "game",
        "state",
        hand_service.set_state,
        lambda game: OPEN if game.state == PAUSED else game.state,  # pauses are not logged
    ),
    club_log.COUNTS: _value_handler("game", "counts", games.set_counts, lambda game: not game.left_out),
    club_log.DAY: _value_handler(
        "game",
        "day",
        lambda game, day: games.set_day(game, date.fromisoformat(day)),
        lambda game: game.played.isoformat(),
    ),
    club_log.SCORE: _value_handler("game", "score", games.set_paper, lambda game: game.paper),
    club_log.REPLACE: _replace,
    club_log.ALSO: _also,
    club_log.MOVE: _move,
    club_log.CLUB_NAME: _value_handler("club", "name", clubs.set_name),
    club_log.ZONE: _value_handler("club", "zone", clubs.set_zone),
    club_log.OWN_RULES: _own_rules,
    club_log.BULK_UNDO: _bulk_undo,
    club_log.IMPORT: _import,
    **dict.fromkeys(ACCESS_KINDS, _refuse_undo),
    club_log.DELETE_GAME: _deletion_handler(
        deleted_items.GAME, deletion.take_back_game, deletion.delete_game, deletion.why_not_delete_game
    ),
    club_log.DELETE_PLAYER: _deletion_handler(
        deleted_items.PLAYER, deletion.take_back_player, deletion.delete_player, deletion.why_not_delete
    ),
    club_log.DELETE_SEASON: _deletion_handler(deleted_items.SEASON, deletion.take_back_season, deletion.delete_season),
}
