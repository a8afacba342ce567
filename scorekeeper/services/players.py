"""Rename, retire and merge a club's players, and find their names in hands.

A substitute is referred to by name in a hand, in the log, and in a game's `next_seats`. Two players who are one person
can be merged, and separated again with the games that each had.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Integer, String, bindparam, cast, func, null, or_, select, update
from sqlalchemy.orm import selectinload

from scorekeeper.database.reading import Reading
from scorekeeper.database.session import db, db_write, db_write_or_join
from scorekeeper.models import (
    NAME_LENGTH,
    Change,
    Club,
    ClubChange,
    Game,
    GameSeason,
    Hand,
    Player,
    Result,
    Seat,
    tidy_name,
)
from scorekeeper.scoring.problems import refusal
from scorekeeper.stats import archive, tallies
from scorekeeper.stats.counting import PlayerId
from scorekeeper.stats.league import leagues_naming, rename_in_leagues, restore_in_leagues

from . import club_log, custom_rules, deleted_items
from . import hands as hand_service
from .change_log import NAMES, Seats, seats_in
from .games import find_or_add, find_players
from .hands import cancel_seated_substitutes
from .seasons import count_again, same_name_among

SUBSTITUTION = '%"names"%'
HAND, CHANGE, NEXT = "hand", "change", "next"


def _free_name(club: Club, name: str, player: Player | None = None, *, instead: str = "") -> str:
    """Return the name tidied; raises Refused if no player can have it, or if another one does: then with `instead`."""
    name = tidy_name(name)
    if not name:
        raise refusal("no-name", "must be a name", "name")
    if len(name) > NAME_LENGTH:
        raise refusal("too-long", f"must have at most {NAME_LENGTH} letters", "name")
    if taken := same_name_among(club.players, name, player):
        raise refusal("name-twice", f"{taken} is already a player{instead}", "name")
    return name


def add(club: Club, name: str) -> None:
    """Add a player before the first game; raises Refused."""
    with db_write(club):
        player = Player(club_id=club.id, name=_free_name(club, name))
        db.session.add(player)
        db.session.flush()
        tallies.mark_changed(club.id)
        club_log.add(player, club_log.DELETE_PLAYER, {"name": player.name, "new": True}, None)


def rename(player: Player, name: str) -> None:
    """Rename a player, in earlier games too; raises Refused."""
    with db_write_or_join(player.club):
        name = _free_name(player.club, name, player, instead=". Same person? Merge the two")
        before = player.name
        if name == before:
            return
        rename_in_hands(player.club_id, before, name)
        player.name = name
        settle_next_hands(player.club_id, {})
        tallies.mark_changed(player.club_id)
        club_log.add_value(player, club_log.RENAME, "name", before, name)


def set_guest(player: Player, guest: bool) -> None:
    """Make a player a guest or a member again; ratings are recomputed from their first game on."""
    with db_write_or_join(player.club):
        if not _mark(player, club_log.GUEST, "guest", guest):
            return
        db.session.flush()
        mine = select(Result).where(Result.player_id == player.id, Result.games == 1)
        first = db.session.scalar(mine.order_by(Result.played, Result.number).limit(1))
        if first:
            writer = tallies.TallyWriter(player.club_id)
            writer.rate_since(tallies.Place(first.played, first.number), {player.id})
            writer.close(soon=True)


def set_retired(player: Player, retired: bool) -> None:
    """Retire a player: the games stay, but the name is no longer suggested."""
    with db_write_or_join(player.club):
        _mark(player, club_log.RETIRE, "retired", retired)


def _mark(player: Player, kind: str, column: str, value: bool) -> bool:
    """Set a flag of a player and log it; return True if it changed."""
    if getattr(player, column) == value:
        return False
    setattr(player, column, value)
    tallies.mark_changed(player.club_id)
    club_log.add_value(player, kind, column, not value, value, name=player.name)
    return True


# --- suggestions --------------------------------------------------------------------------------------------------


class KnownPlayer(NamedTuple):
    """A player as suggested by forms."""

    id: int
    name: str
    guest: bool


RECENT_GAMES = 60  # players who sat in none of these come last, by name
MOST_KNOWN = 500
_club = bindparam("club", type_=Integer)
_games = select(Game.id, Game.number).where(Game.club_id == _club).order_by(Game.number.desc())
_recent = _games.limit(RECENT_GAMES).subquery()
_last = select(Seat.player_id, func.max(_recent.c.number).label("number")).join(_recent, Seat.game_id == _recent.c.id)
_seen = _last.group_by(Seat.player_id).subquery()
_named = select(Player.id, Player.name, Player.guest).where(Player.club_id == _club, ~Player.retired)
_sorted = func.coalesce(_seen.c.number, 0).desc(), Player.name
# Built once: runs for every score sheet.
_most = bindparam("most", type_=Integer)
KNOWN = Reading(_named.outerjoin(_seen, _seen.c.player_id == Player.id).order_by(*_sorted).limit(_most))


def known_players(club_id: int, most: int = MOST_KNOWN) -> list[KnownPlayer]:
    """Return a club's players who are not retired, recent players first, at most `most`."""
    return [KnownPlayer(*row) for row in KNOWN.ask(club=club_id, most=most)]


def retired_of(club: Club, names: Sequence[str]) -> list[str]:
    """Return those of `names`, spelled as in the club, whose players are retired."""
    gone = set(db.session.scalars(select(Player.name).where(Player.club_id == club.id, Player.retired)))
    return [name for name in names if name in gone]


# --- named in hands -----------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A place where a substitute is named: in a hand, in `before` or `after` of a log entry, or for the next hand.

    `at` is the hand's position, the entry's `seq`, or 0.
    """

    game_id: int
    table: str
    at: int
    side: str
    seat: str


def places_of(club_id: int, name: str) -> list[Place]:
    """Return all places in a club where a substitute of that name is named."""
    known = name.casefold()
    return [
        Place(*place, seat)
        for _, seats, place in _seats(club_id)
        for seat, who in seats.items()
        if who.casefold() == known
    ]


def _seats(club_id: int) -> Iterator[tuple[Any, Seats, tuple[int, str, int, str]]]:
    """Yield each row that names substitutes, with their seats, and its place without the seat."""
    mine = select(Game.id).where(Game.club_id == club_id)
    columns: tuple[tuple[Any, str, str], ...]
    columns = (Hand.facts, HAND, "position"), (Change.before, CHANGE, "seq"), (Change.after, CHANGE, "seq")
    for side, name, at in columns:
        table = side.class_
        named = select(table).where(table.game_id.in_(mine), cast(side, String).like(SUBSTITUTION))
        for row in db.session.scalars(named):
            yield row, seats_in(getattr(row, side.key)), (row.game_id, name, getattr(row, at), side.key)
    for game in with_substitutes_next(club_id):
        yield game, game.next_seats, (game.id, NEXT, 0, "")


def rename_in_hands(club_id: int, old: str, new: str, where: Callable[[Place], bool] = lambda _: True) -> None:
    """Rename a substitute in a whole club, or in the places selected by `where`."""
    for row, seats, place in list(_seats(club_id)):
        same = [seat for seat, who in seats.items() if who.casefold() == old.casefold() and where(Place(*place, seat))]
        now = {**seats, **dict.fromkeys(same, new)}
        if now != seats and isinstance(row, Game):
            row.next_seats = now
        elif now != seats:
            setattr(row, place[-1], getattr(row, place[-1]) | {NAMES: now})


def with_substitutes_next(club_id: int) -> list[Game]:
    """Return the games of a club with pending substitutes."""
    games = select(Game).where(Game.club_id == club_id, cast(Game.next_seats, String) != "{}")
    return list(db.session.scalars(games))


def settle_next_hands(club_id: int, alias: Mapping[str, str]) -> None:
    """Cancel pending substitutes who already have a seat; of a merge, `alias` as in `cancel_seated_substitutes`."""
    db.session.flush()
    for game in with_substitutes_next(club_id):
        cancel_seated_substitutes(game, alias)


def replace_in(game: Game, old: str, new: str) -> tuple[str, str]:
    """Replace a wrong player of a finished game in every hand that names `old`; raises Refused.

    Returns both names as spelled in the club.
    """
    with db_write_or_join(game.club, game):
        names = names_in(game)
        if old not in names:
            raise refusal("not-in-game", f"{old} is no longer in game {game.number}", "name")
        known = find_players(game.club, [old, new])
        here = {*known}
        was, player = find_or_add(game.club, [old, new], known)
        if player.name in names:
            raise refusal("name-twice", f"{player.name} played in game {game.number}", "name")
        if any(place.game_id == game.id for place in places_of(game.club_id, new)):
            message = f"{player.name} is still named in the history of game {game.number}"
            raise refusal("named-in-log", message, "name")
        db.session.flush()
        sides = [{"game": game.number, "player": one.uid, "name": one.name} for one in (was, player)]
        sides[1] |= {} if player.name.casefold() in here else {"new": True}
        rename_in_hands(game.club_id, was.name, player.name, lambda place: place.game_id == game.id)
        db.session.flush()
        _give_seats(was.id, player.id, Seat.game_id == game.id)
        tallies.update_tallies(game)
        club_log.add(game, club_log.REPLACE, *sides)
        return was.name, player.name


def names_in(game: Game) -> list[str]:
    """Return the names of all players who had a seat in a game, substitutes included, without duplicates."""
    return list(dict.fromkeys(name for names in (game.names, *game.names_by_hand) for name in names))


# --- merging ------------------------------------------------------------------------------------------------------


Data = Mapping[str, Any]
KEPT = ("uid", "name", "guest", "retired", "link_id")  # columns of the merged player


def merge(player: Player, other: Player) -> None:
    """Give all games of `other` to `player` and delete `other`. Raises Refused if the two ever sat at one table."""
    with db_write_or_join(player.club):
        games = games_to_merge(player, other)
        # Cancelled under the names of now, so that an undo finds all places of the merged name in the log.
        pending = {game.id: dict(game.next_seats) for game in with_substitutes_next(player.club_id)}
        settle_next_hands(player.club_id, {other.name.casefold(): player.name.casefold()})
        told = _before_merge(player, other, games, pending)
        rename_in_hands(other.club_id, other.name, player.name)
        _give_seats(other.id, player.id)
        # Results do not change, only identities: a closed season stays closed.
        count_again(player.club_id, games, reopens=(), soon=True)
        archive.rename_in_archives(player.club, other.id, player.id)
        rename_in_leagues(player.club, other.uid, player.uid)
        custom_rules.rename_in_seats(player.club, other.uid, player.uid)
        db.session.delete(other)
        db.session.flush()
        mine = Game.club_id == player.club_id, Game.uid.in_(told["games"])
        for uid, version in db.session.execute(select(Game.uid, Game.version).where(*mine)):
            told["games"][uid]["version"] = version
        club_log.add(player, club_log.MERGE, None, told)


def games_to_merge(player: Player, other: Player) -> list[Game]:
    """Return the games of `other` that a merge would move; raises Refused if the two cannot be merged."""
    if player.id == other.id or player.club_id != other.club_id:
        raise refusal("same-player", "must be another player of the club", "other")
    games = games_of(other)
    both = {player.name.casefold(), other.name.casefold()}
    sat = ((game.number, (game.names, *game.names_by_hand)) for game in games)
    met = [number for number, lines in sat if both <= {name.casefold() for names in lines for name in names}]
    if met:
        numbers = ", ".join(map(str, met[:5])) + (" and more" if len(met) > 5 else "")
        where = f"game {numbers}" if len(met) == 1 else f"games {numbers}"
        sentence = f"{player.name} and {other.name} sat at the same table in {where}: they cannot be the same person"
        raise refusal("met", sentence, "other")
    return games


def games_of(player: Player) -> list[Game]:
    """Return the games in which a player had a seat for at least one hand, by date."""
    seated = select(Seat.game_id).where(Seat.player_id == player.id)
    names = cast(Hand.facts, String)
    came = select(Hand.game_id, Hand.facts).join(Game).where(Game.club_id == player.club_id, names.like(SUBSTITUTION))
    known = player.name.casefold()
    later = {
        number for number, facts in db.session.execute(came) if known in map(str.casefold, seats_in(facts).values())
    }
    found = select(Game).where(Game.id.in_([*db.session.scalars(seated), *later])).order_by(Game.played, Game.number)
    loading = selectinload(Game.hands), selectinload(Game.seats).joinedload(Seat.player)
    return list(db.session.scalars(found.options(*loading)))


def _give_seats(old: PlayerId, new: PlayerId, *asked: Any) -> None:
    moved = update(Seat).where(Seat.player_id == old, *asked).values(player_id=new)
    db.session.execute(moved.execution_options(synchronize_session=False))
    db.session.expire_all()


# --- data kept to undo a merge ------------------------------------------------------------------------------------


def _before_merge(player: Player, other: Player, games: Sequence[Game], pending: Mapping[int, Seats]) -> dict[str, Any]:
    """Return the data needed to undo a merge; call it before any name is changed.

    For each game: its version, the seats, and the substitutes `pending` before any was cancelled. In a game of `other`,
    the merged name always means `other`, because the two have never met. Individual places are stored only if the log
    or the next hand names both, or if it is not a game of `other`.
    """
    ids, places = {game.id for game in games}, places_of(other.club_id, other.name)
    both = {place.game_id for place in places_of(player.club_id, player.name)}
    seats: dict[int, list[int]] = {}
    for game_id, number in db.session.execute(select(Seat.game_id, Seat.number).where(Seat.player_id == other.id)):
        seats.setdefault(game_id, []).append(number)
    told: dict[str, Any] = {}
    for game in db.session.scalars(select(Game).where(Game.id.in_(ids | {place.game_id for place in places}))):
        told[game.uid] = {"version": game.version, "seats": seats.get(game.id, [])}
        if game.id in both or game.id not in ids:
            told[game.uid]["places"] = [place[1:] for place in places if place.game_id == game.id]
            if game.id in pending:
                told[game.uid]["waiting"] = pending[game.id]
    gone = {name: getattr(other, name) for name in KEPT}
    usual = custom_rules.seats_of(other.club, other.uid)
    said = {"name": player.name, "gone": gone, "games": told, "frozen": _lines_of(other)}
    return said | {"leagues": leagues_naming(other.club, other.uid)} | ({"usual": usual} if usual else {})


def _lines_of(player: Player) -> dict[str, dict[str, list[int]]]:
    """Return the indexes of a player's lines, titles and people entries in closed seasons, by season uid."""
    found = {}
    for season in player.club.seasons:
        table = season.frozen or {"lines": (), "champions": ()}
        lines = [index for index, line in enumerate(table["lines"]) if line["player"] == player.id]
        champions = [index for index, one in enumerate(table["champions"]) if one == player.id]
        people = [index for index, (one, _) in enumerate((season.pages or {}).get("people", ())) if one == player.id]
        if lines or champions or people:
            found[season.uid] = {"lines": lines, "champions": champions, "people": people}
    return found


# --- undoing a merge ----------------------------------------------------------------------------------------------


def why_not_unmerge(club: Club, entry: ClubChange) -> str:
    """Return why a merge cannot be undone now, as a sentence without a full stop; "" if it can.

    Whether another player has the name now is checked by `check_name`.
    """
    told = _told_with_restored(entry)
    gone = told["gone"]
    if any(one.uid == gone["uid"] for one in club.players):
        return f"{gone['name']} is already a player again"
    deleted = deleted_items.games_among(club.id, told["games"])
    if deleted:
        return f"Game {min(deleted.values())} was deleted. Take it back first"
    # In a game that names both and was continued, the names can no longer be told apart.
    versions = {uid: game["version"] for uid, game in told["games"].items() if "places" in game}
    rows = select(Game.uid, Game.number, Game.version).where(Game.club_id == club.id, Game.uid.in_(versions))
    changed = [number for uid, number, version in db.session.execute(rows) if version != versions[uid]]
    if changed:
        return f"The players in game {min(changed)} have changed since"
    return _replaced_since(entry, told) or _closed_since(club, entry, told)


def _told_with_restored(entry: ClubChange) -> Data:
    """Return what a merge has stored, with the games that were deleted before it and taken back since."""
    told = entry.after or {}
    since = ClubChange.club_id == entry.club_id, ClubChange.seq > entry.seq, ClubChange.kind == club_log.DELETE_GAME
    back = db.session.scalars(select(ClubChange).where(*since, ClubChange.before.is_not(None)))
    seats = {one.subject: (one.before or {}).get("merged", {}).get(told["gone"]["uid"]) for one in back}
    restored = {uid: {"version": 0, "seats": each} for uid, each in seats.items() if each is not None}
    return told | {"games": restored | told["games"]}


def _replaced_since(entry: ClubChange, told: Data) -> str:
    """Return why a merge cannot be undone if its player was replaced in one of its games since; else ""."""
    since = ClubChange.club_id == entry.club_id, ClubChange.kind == club_log.REPLACE, ClubChange.seq > entry.seq
    mine = select(ClubChange).where(*since, ClubChange.subject.in_(told["games"]))
    replaced: list[tuple[int, str, str]] = []
    for one in db.session.scalars(mine.order_by(ClubChange.seq)):
        was, now = one.before or {}, one.after or {}
        if (back := (now["game"], now["player"], was["player"])) in replaced:
            replaced.remove(back)
        elif entry.subject in back:
            replaced.append((now["game"], was["player"], now["player"]))
    return f"A player of game {min(replaced)[0]} was replaced. Undo that first" if replaced else ""


def _closed_since(club: Club, entry: ClubChange, told: Data) -> str:
    """Return why the merge cannot be undone if a season with some of its games was closed since; else ""."""
    since = {one.id: one.name for one in club.seasons if one.closed_at and one.closed_at > entry.at}
    if not since:
        return ""
    mine = select(Game).where(Game.club_id == club.id, Game.uid.in_(told["games"]))
    also = select(GameSeason.game_id).where(GameSeason.season_id.in_(since))
    game = db.session.scalar(mine.where(or_(Game.season_id.in_(since), Game.id.in_(also))).limit(1))
    closed = next(one.name for one in game.seasons if one.id in since) if game else ""
    return f"{closed} is closed. Reopen it first" if closed else ""


def unmerge(club: Club, player: Player, entry: ClubChange) -> None:
    """Undo a merge: each player has the games from before the merge again; later games stay with `player`.

    Inside a transaction that has locked the club, after `why_not_unmerge` has returned "".
    """
    told = _told_with_restored(entry)
    found = select(Game).where(Game.club_id == club.id, Game.uid.in_(told["games"])).order_by(Game.played, Game.number)
    games = db.session.scalars(found).all()  # those that still exist
    other = Player(club_id=club.id, **told["gone"] | {"link_id": told["gone"].get("link_id") or null()})
    db.session.add(other)
    db.session.flush()
    for game in games:
        _give_seats(player.id, other.id, Seat.game_id == game.id, Seat.number.in_(told["games"][game.uid]["seats"]))
    alone = {game.id for game in games if "places" not in told["games"][game.uid]}
    rename_in_hands(club.id, player.name, other.name, lambda place: place.game_id in alone)
    places = {Place(game.id, *place) for game in games for place in told["games"][game.uid].get("places", ())}
    rename_in_hands(club.id, player.name, other.name, lambda place: place in places and place.table != NEXT)
    db.session.flush()
    _restore_substitutes(told, player.name, games)
    for season in club.seasons:
        if at := told["frozen"].get(season.uid):
            restored = partial(_restored_at, at, player.id, other.id)
            season.frozen, season.pages = archive.renamed(season.frozen, season.pages, restored)
    restore_in_leagues(club, other.uid, told.get("leagues", {}), into=player.uid)
    custom_rules.rename_in_seats(club, player.uid, other.uid, told.get("usual", {}))
    db.session.flush()
    db.session.expire_all()
    count_again(club.id, games, reopens=(), soon=True)
    club_log.add(player, club_log.MERGE, {"name": player.name, "gone": told["gone"]}, None)


def _restore_substitutes(substitutes: Data, now: str, games: Sequence[Game]) -> None:
    """Restore pending substitutes that the merge had cancelled."""
    names = {substitutes["gone"]["name"].casefold(): substitutes["gone"]["name"], substitutes["name"].casefold(): now}
    for game in games:
        waiting = substitutes["games"][game.uid].get("waiting", {})
        seats = {seat: names.get(name.casefold()) or game.next_seats.get(seat, name) for seat, name in waiting.items()}
        if seats:
            game.next_seats = {seat: seats.get(seat, name) for seat, name in game.next_seats.items()}
            db.session.flush()
            if seats != game.next_seats:
                hand_service.reseat(game, seats)


def _restored_at(
    at: Mapping[str, Collection[int]], old: PlayerId, new: PlayerId, player: PlayerId, what: str, index: int
) -> PlayerId:
    """Return `new` for those places in a closed season's snapshot that still contain `old`."""
    return new if player == old and index in at.get(what, ()) else player
