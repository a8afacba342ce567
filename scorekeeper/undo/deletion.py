"""Deletion of games, players and seasons, and their restoration within 30 days.

A deleted item is removed from all tables, so that no list, aggregate, record or export has to filter it. It is stored
in the format of a club file, and restored like an import: players and seasons are found by uid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest

from sqlalchemy import delete, func, null, select, update

from scorekeeper.database.session import db, db_write_or_join, now
from scorekeeper.models import Change, Club, ClubChange, Deleted, Facts, Game, Player, Season, Seat
from scorekeeper.scoring.problems import Problems, refusal
from scorekeeper.services import club_log, deleted_items
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import seats_in
from scorekeeper.services.games import next_number
from scorekeeper.services.players import CHANGE, places_of
from scorekeeper.services.seasons import count_again, leave
from scorekeeper.stats import archive, tallies
from scorekeeper.stats.league import League, ids_of, league_of, leagues_naming, rename_in_leagues, restore_in_leagues
from scorekeeper.transfer.club_writer import game_line, season_line
from scorekeeper.transfer.columns import (
    GAME_COLUMNS,
    PLAYER,
    SEASON,
    Column,
    Fields,
    Line,
    name_key,
    read_columns,
    written,
)
from scorekeeper.transfer.game_reader import GameInFile, Names, read_game_in_file, with_names
from scorekeeper.transfer.matching import free_names

_refused = partial(refusal, "cannot")

# --- games --------------------------------------------------------------------------------------------------------


def why_not_delete_game(game: Game) -> str:
    """Return why a game cannot be deleted, as a sentence without a full stop: a closed season's playoffs stay won."""
    for season in game.club.seasons:
        playoffs = league_of(season).playoffs if season.closed_at else None
        if playoffs and game.uid in playoffs.games.values():
            return f"Game {game.number} is in the playoffs of {season.name}. Choose another game there first"
    return ""


def delete_game(game: Game) -> None:
    """Delete a game with its hands, log and drafts; raises Refused."""
    with db_write_or_join(game.club, game):
        if why := why_not_delete_game(game):
            raise _refused(why)
        db.session.flush()
        kept: Line = {
            "game": game_line(game),
            "players": [_player(one) for one in _people(game)],
            "following": list(db.session.scalars(select(Game.uid).where(Game.previous_id == game.id))),
            "link": game.link_id,
            "links": [change.link_id for change in game.changes],
        }
        _keep(game.club_id, deleted_items.GAME, game.uid, kept, game.number)
        also = [season.uid for season in game.also]
        told = {"game": game.number, "season": game.season and game.season.uid} | ({"also": also} if also else {})
        club_log.add(game, club_log.DELETE_GAME, None, told)
        game.left_out = True
        tallies.update_tallies(game)
        db.session.flush()
        db.session.execute(delete(Game).where(Game.id == game.id).execution_options(synchronize_session=False))
        db.session.expunge(game)
        db.session.expire_all()


def delete_games(club: Club, games: Sequence[Game]) -> None:
    """Delete games inside the caller's transaction, after their results were subtracted all at once."""
    counted = [game for game in games if not game.left_out]
    count_again(club.id, counted, lambda game: setattr(game, "left_out", True))
    for game in counted:
        game.left_out = False  # as it is stored
    for game in games:
        delete_game(game)


def take_back_games(club: Club, several: Iterable[Deleted]) -> None:
    """Restore deleted games inside the caller's transaction, and add their results all at once."""
    games: list[Game] = []
    for deleted in several:
        take_back_game(club, deleted, games.append)
        db.session.flush()
        db.session.expire_all()
    count_again(club.id, games)


def _people(game: Game) -> list[Player]:
    """Return all players named in a game: in its seats, hands and log."""
    facts: list[Facts | None] = [*game.facts, {"names": game.next_seats}]
    facts += [side for change in game.changes for side in (change.before, change.after)]
    names = {name_key(name) for name in (*game.names, *(name for each in facts for name in seats_in(each).values()))}
    return [player for player in game.club.players if name_key(player.name) in names]


def take_back_game(club: Club, deleted: Deleted, count: Callable[[Game], None] = tallies.update_tallies) -> None:
    """Restore a deleted game, with its number if that is free, and `count` it; raises Refused.

    Seasons that no longer exist are omitted.
    """
    kept = _taken_out(deleted)
    # The players by their former uids; players who no longer exist are created again.
    here, former = {player.uid: player for player in club.players}, club_log.former(club.id)
    ours = {
        one["uid"]: here.get(one["uid"]) or here.get(former.now(one["uid"])) or _make_player(club, one)
        for one in kept["players"]
    }
    seasons = {season.uid: season for season in club.seasons}
    line = kept["game"]
    counted_in = line.get("x-season", ""), *line.get("x-also", ())
    told = read_game_in_file(line, Names({one["uid"]: one["name"] for one in kept["players"]}), counted_in)
    _check_seats(told, kept["players"], ours)
    told = with_names(told, {name_key(one["name"]): ours[one["uid"]].name for one in kept["players"]})
    columns = {name: getattr(told, name) for name in GAME_COLUMNS}
    if db.session.scalar(select(Game.id).where(Game.club_id == club.id, Game.number == told.number)):
        columns["number"] = next_number(club)
    previous = db.session.scalar(select(Game.id).where(Game.club_id == club.id, Game.uid == told.previous_id))
    if not previous and (earlier := deleted_items.find(club.id, deleted_items.GAME, told.previous_id or "")):
        earlier.kept = earlier.kept | {"following": [*earlier.kept["following"], told.uid]}
    game = Game(
        club_id=club.id,
        version=0,
        seats=[Seat(number=number, player_id=ours[uid].id) for number, uid in enumerate(told.seats, 1)],
        seasons=[seasons[uid] for uid in counted_in if uid in seasons],
        previous_id=previous,
        link_id=kept.get("link") or null(),
        **columns,
    )
    rows = told.rows
    links = zip_longest(rows[Change], kept.get("links", ()))
    rows[Change] = [row | {"link_id": link} for row, link in links if row]
    hand_service.restore(game, rows, told.next_seats)
    following = Game.club_id == club.id, Game.uid.in_(kept["following"]), Game.previous_id.is_(None)
    db.session.execute(update(Game).where(*following).values(previous_id=game.id))
    count(game)
    merged: dict[str, list[int]] = {}  # seats of players who were merged since, to undo that
    for one, player in ours.items():
        seats = [number for number, seated in enumerate(told.seats, 1) if seated == one]
        while one != player.uid:
            merged.setdefault(one, []).extend(seats)
            one = former.merged[one]
    club_log.add(game, club_log.DELETE_GAME, {"game": game.number} | ({"merged": merged} if merged else {}), None)


def _player(player: Player) -> Line:
    return written(PLAYER, player) | {"link": player.link_id}


def _make_player(club: Club, told: Line) -> Player:
    columns = _read(told, PLAYER)
    names = select(Player.name).where(Player.club_id == club.id)
    columns |= free_names(db.session.scalars(names), {"name": columns["name"]})
    player = Player(club_id=club.id, link_id=told.get("link") or null(), **columns)
    db.session.add(player)
    _forget(club.id, deleted_items.PLAYER, player.uid)
    db.session.flush()
    archive.rename_in_archives(club, player.uid, player.id)
    return player


def _check_seats(told: GameInFile, kept: Iterable[Line], ours: Mapping[str, Player]) -> None:
    """Refuse a game in which two players would be the same after a merge, one of them perhaps a substitute."""
    named = {name_key(name) for facts, _ in told.hands for name in seats_in(facts).values()}
    substitutes = {one["uid"] for one in kept if name_key(one["name"]) in named} - set(told.seats)
    seated = [ours[uid] for uid in (*told.seats, *sorted(substitutes))]
    twice = next((one.name for index, one in enumerate(seated) if one in seated[:index]), None)
    if twice:
        raise _refused(f"{twice} would sit in two seats, after a merge. Undo the merge first")


# --- players ------------------------------------------------------------------------------------------------------


def why_not_delete(player: Player) -> str:
    """Return why a player cannot be deleted, as a sentence without a full stop; "" if the player can."""
    if _has_seat(player) or places_of(player.club_id, player.name):
        return f"{player.name} has games. Retire {player.name} to hide the name"
    return ""


def plays(player: Player) -> bool:
    """True if a player has a seat in some game, or is a substitute in some hand."""
    return _has_seat(player) or any(place.table != CHANGE for place in places_of(player.club_id, player.name))


def _has_seat(player: Player) -> bool:
    return db.session.scalar(select(Seat.game_id).where(Seat.player_id == player.id).limit(1)) is not None


def delete_player(player: Player) -> None:
    """Delete a player without games; raises Refused for a player with games."""
    with db_write_or_join(player.club):
        if why := why_not_delete(player):
            raise _refused(why)
        club, uid = player.club, player.uid
        _keep(club.id, deleted_items.PLAYER, uid, {"player": _player(player), "leagues": leagues_naming(club, uid)})
        rename_in_leagues(club, uid, None)
        archive.rename_in_archives(club, player.id, uid)
        club_log.add(player, club_log.DELETE_PLAYER, None, {"name": player.name})
        db.session.delete(player)
        tallies.mark_changed(club.id)


def take_back_player(club: Club, deleted: Deleted) -> None:
    """Restore a deleted player whose name is free."""
    kept = _taken_out(deleted)
    player = _make_player(club, kept["player"])
    restore_in_leagues(club, player.uid, kept.get("leagues", {}))
    tallies.mark_changed(club.id)
    club_log.add(player, club_log.DELETE_PLAYER, {"name": player.name}, None)


# --- seasons ------------------------------------------------------------------------------------------------------


def delete_season(season: Season) -> None:
    """Delete a season; its games stay, without it."""
    with db_write_or_join(season.club, season):
        games = list(db.session.scalars(select(Game).where(Game.season_id == season.id)))
        also = list(db.session.scalars(select(Game).where(Game.also.contains(season))))
        kept: Line = {
            "season": season_line(season),
            "id": season.id,
            "games": [game.uid for game in games],
            "also": [game.uid for game in also],
            "shared": [game.uid for game in games if game.also],
            "reopened": season.reopened,  # with what a club file leaves out
        }
        _keep(season.club_id, deleted_items.SEASON, season.uid, kept)
        count_again(season.club_id, [*games, *also], lambda game: leave(game, season), reopens=())
        club_log.add(season, club_log.DELETE_SEASON, None, {"name": season.name})
        db.session.delete(season)


def take_back_season(club: Club, deleted: Deleted) -> None:
    """Restore a deleted season with its snapshot, and those of its games that are in no season now.

    Games that counted in another season too count in both again. The season has its old id, and so its old address,
    unless another season has that id now: SQLite uses the highest one again.
    """
    kept = _taken_out(deleted)
    columns = _read(kept["season"], SEASON)
    former, here = club_log.former(club.id), ids_of(club.id)
    # A merged player whom a restored game has made again is in the club, too.
    now = {uid: former.now(uid) for uid in former.merged} | {uid: uid for uid in here}
    ids = {uid: here.get(one) for uid, one in now.items()}
    columns["league"] = League.from_dict(columns["league"]).rename(now).of(here).to_dict()
    columns["frozen"], columns["pages"] = archive.renamed(
        columns["frozen"], columns["pages"], lambda player, *_: ids.get(player, player)
    )
    if not db.session.get(Season, kept.get("id", 0)):
        columns["id"] = kept.get("id")
    season = Season(club_id=club.id, **columns)
    db.session.add(season)
    db.session.flush()
    # Add its games again, as primary season where it was; a game in another season only if it counted in both.
    first, also = set(kept["games"]), set(kept.get("also", ()))
    shared = set(kept.get("shared", ())) | also
    mine = select(Game).where(Game.club_id == club.id, Game.uid.in_(first | also))

    def join(game: Game) -> None:
        game.seasons = [*game.seasons, season] if game.uid in also else [season, *game.seasons]

    games = [game for game in db.session.scalars(mine) if game.season is None or game.uid in shared]
    count_again(club.id, games, join, reopens=())
    season.reopened = kept.get("reopened", season.reopened)
    club_log.add(season, club_log.DELETE_SEASON, {"name": season.name}, None)


# --- stored items -------------------------------------------------------------------------------------------------


def _keep(club_id: int, kind: str, uid: str, kept: Line, number: int | None = None) -> None:
    """Store a deleted item, dated now, or at the club's latest change if the clock is behind that.

    Otherwise it would expire too soon.
    """
    _forget(club_id, kind, uid)  # an expired item with the same uid
    logged = select(func.max(ClubChange.at)).where(ClubChange.club_id == club_id)
    begun = select(func.max(Game.created_at)).where(Game.club_id == club_id)
    at = max([now(), *filter(None, map(db.session.scalar, (logged, begun)))])
    db.session.add(Deleted(club_id=club_id, kind=kind, uid=uid, number=number, kept=kept, at=at))
    db.session.flush()


def _taken_out(deleted: Deleted) -> Line:
    kept = deleted.kept
    db.session.delete(deleted)
    db.session.flush()
    return kept


def _forget(club_id: int, kind: str, uid: str) -> None:
    db.session.execute(delete(Deleted).where(Deleted.club_id == club_id, Deleted.kind == kind, Deleted.uid == uid))


def _read(told: Line, columns: Sequence[Column]) -> Line:
    """Parse the columns of a club file line that this program has written."""
    fields = Fields(told, Problems())
    found = read_columns(fields, columns)
    fields.check()
    return found
