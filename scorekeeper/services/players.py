"""A club's players renamed, made guests and retired, and offered to choose from; and where hands and logs name them.

A substitute is known by name in a hand, in the log, and beside a game that waits for one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Integer, String, bindparam, cast, func, select

from scorekeeper.database.reading import Reading
from scorekeeper.database.session import db, db_write_or_join
from scorekeeper.models import NAME_LENGTH, Change, Game, Hand, Player, Result, Seat, tidy_name
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log
from scorekeeper.services.change_log import seats_in
from scorekeeper.services.hands import settle
from scorekeeper.stats import tallies

SUBSTITUTION = '%"names"%'
HAND, CHANGE, NEXT = "hand", "change", "next"


def rename(player: Player, name: str, by: str | None = None) -> None:
    """Rename a player, in earlier games too; raises Refused."""
    name = tidy_name(name)
    with db_write_or_join(player.club):
        _check_name(player, name)
        before = player.name
        if name == before:
            return
        rename_in_hands(player.club_id, before, name)
        player.name = name
        settle_next_hands(player.club_id)
        tallies.mark_changed(player.club_id)
        club_log.add(player, club_log.RENAME, {"name": before}, {"name": name}, by)


def _check_name(player: Player, name: str) -> None:
    """Refuse a name that a player cannot have."""
    others = {other.name.casefold(): other.name for other in player.club.players if other is not player}
    if not name:
        raise Refused([Problem("no-name", "name", "must be a name")])
    if len(name) > NAME_LENGTH:
        raise Refused([Problem("too-long", "name", f"must have at most {NAME_LENGTH} letters")])
    if name.casefold() in others:
        taken = f"{others[name.casefold()]} is already a player. Same person? Merge the two"
        raise Refused([Problem("name-twice", "name", taken)])


def set_guest(player: Player, guest: bool, by: str | None = None) -> None:
    """Make a player a guest, or count them again; ratings since their first game are worked out again."""
    with db_write_or_join(player.club):
        if not _mark(player, club_log.GUEST, "guest", guest, by):
            return
        db.session.flush()
        mine = select(Result).where(Result.player_id == player.id, Result.games == 1)
        first = db.session.scalar(mine.order_by(Result.played, Result.number).limit(1))
        if first:
            writer = tallies.TallyWriter(player.club_id)
            writer.rate_since(tallies.Place(first.played, first.number), {player.id})
            writer.close(soon=True)


def set_retired(player: Player, retired: bool, by: str | None = None) -> None:
    """Retire a player: the games stay, the name is no longer suggested."""
    with db_write_or_join(player.club):
        _mark(player, club_log.RETIRE, "retired", retired, by)


def _mark(player: Player, kind: str, column: str, value: bool, by: str | None) -> bool:
    """Set a yes or no of a player, and log it; whether that changed anything."""
    if getattr(player, column) == value:
        return False
    setattr(player, column, value)
    tallies.mark_changed(player.club_id)
    before, after = ({"name": player.name, column: one} for one in (not value, value))
    club_log.add(player, kind, before, after, by)
    return True


# --- to choose from -----------------------------------------------------------------------------------------------


class KnownPlayer(NamedTuple):
    """A player of the club as forms offer one."""

    id: int
    name: str
    guest: bool


RECENT_GAMES = 60  # who sat in none of these comes after, by name
MOST_KNOWN = 500
_club = bindparam("club", type_=Integer)
_games = select(Game.id, Game.number).where(Game.club_id == _club).order_by(Game.number.desc())
_recent = _games.limit(RECENT_GAMES).subquery()
_last = select(Seat.player_id, func.max(_recent.c.number).label("number")).join(_recent, Seat.game_id == _recent.c.id)
_seen = _last.group_by(Seat.player_id).subquery()
_named = select(Player.id, Player.name, Player.guest).where(Player.club_id == _club, ~Player.retired)
_sorted = func.coalesce(_seen.c.number, 0).desc(), Player.name
# Put together once: every score sheet asks.
KNOWN = Reading(_named.outerjoin(_seen, _seen.c.player_id == Player.id).order_by(*_sorted).limit(MOST_KNOWN))


def known_players(club_id: int) -> list[KnownPlayer]:
    """The players of a club, up to MOST_KNOWN of them."""
    return [KnownPlayer(*row) for row in KNOWN.ask(club=club_id)]


# --- named in hands -----------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a substitute is named: in a hand, on one side of an entry of a game's log, or for the next hand.

    `at` is the hand's position, the entry's number, or 0.
    """

    game_id: int
    table: str
    at: int
    side: str
    seat: str


def places_of(club_id: int, name: str) -> list[Place]:
    """Everywhere in a club that a substitute of that name is named."""
    known = name.casefold()
    found = [
        Place(row.game_id, table, at, side, seat)
        for row, table, at, side in _rows(club_id)
        for seat, who in seats_in(getattr(row, side)).items()
        if who.casefold() == known
    ]
    waiting = (
        Place(game.id, NEXT, 0, "", seat)
        for game in with_substitutes_next(club_id)
        for seat, who in game.next_seats.items()
        if who.casefold() == known
    )
    return [*found, *waiting]


def _rows(club_id: int) -> Iterable[tuple[Any, str, int, str]]:
    """The rows in which somebody takes a seat: each with its table, its place there, and the side that says so."""
    mine = select(Game.id).where(Game.club_id == club_id)
    columns: tuple[tuple[Any, str, str], ...]
    columns = (Hand.facts, HAND, "position"), (Change.before, CHANGE, "seq"), (Change.after, CHANGE, "seq")
    for side, name, place in columns:
        table = side.class_
        named = select(table).where(table.game_id.in_(mine), cast(side, String).like(SUBSTITUTION))
        for row in db.session.scalars(named):
            yield row, name, getattr(row, place), side.key


def _name(club_id: int, called: Callable[[Place, str], str]) -> None:
    """Call every substitute of a club as `called` says, wherever the name is."""
    for row, table, at, side in list(_rows(club_id)):
        names = seats_in(getattr(row, side))
        now = {seat: called(Place(row.game_id, table, at, side, seat), name) for seat, name in names.items()}
        if now != names:
            setattr(row, side, getattr(row, side) | {"names": now})
    for game in with_substitutes_next(club_id):
        seats = game.next_seats.items()
        game.next_seats = {seat: called(Place(game.id, NEXT, 0, "", seat), name) for seat, name in seats}


def rename_in_hands(club_id: int, old: str, new: str, games: Collection[int] | None = None) -> None:
    """Call a substitute otherwise wherever the name is, in all games of a club or in some."""
    known = old.casefold()
    _name(
        club_id,
        lambda place, name: new if name.casefold() == known and (games is None or place.game_id in games) else name,
    )


def rename_at(club_id: int, places: Collection[Place], new: str) -> None:
    """Call whoever is named in these places so."""
    wanted = set(places)
    _name(club_id, lambda place, name: new if place in wanted else name)


def with_substitutes_next(club_id: int) -> list[Game]:
    """The games of a club in which somebody waits for the next hand."""
    games = select(Game).where(Game.club_id == club_id, cast(Game.next_seats, String) != "{}")
    return list(db.session.scalars(games))


def settle_next_hands(club_id: int) -> None:
    """Take back substitutions by players who, after a merge, already have a seat."""
    db.session.flush()
    for game in with_substitutes_next(club_id):
        settle(game)
