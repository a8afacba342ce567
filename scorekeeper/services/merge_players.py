"""Two players who are one person merged, and taken apart again with the games that each had."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import String, cast, delete, null, or_, select, update
from sqlalchemy.orm import selectinload

from scorekeeper.database.session import db, db_write_or_join
from scorekeeper.models import Club, ClubChange, Game, GameSeason, Hand, Player, Result, Seat, Tally
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log, custom_rules, deleted_items
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import seats_in
from scorekeeper.services.players import (
    NEXT,
    SUBSTITUTION,
    Place,
    places_of,
    rename_at,
    rename_in_hands,
    settle_next_hands,
)
from scorekeeper.stats import archive, tallies
from scorekeeper.stats.counting import PlayerId
from scorekeeper.stats.league import give_back, rename_in_leagues, said_of

Data = Mapping[str, Any]
KEPT = ("uid", "name", "guest", "retired", "link_id")  # of a player who is merged away


def merge(player: Player, other: Player, by: str | None = None) -> None:
    """Give all games of `other` to `player` and delete `other`. Raises Refused if the two ever sat at one table."""
    with db_write_or_join(player.club):
        games = games_to_merge(player, other)
        told = _before_merge(player, other, games)
        rename_in_hands(other.club_id, other.name, player.name)
        _give_seats(other.id, player.id)
        settle_next_hands(other.club_id)
        # Only who somebody is changes, not how a game came out: a closed season stays closed.
        _count(player.club_id, games)
        ids = {other.id: player.id}
        for season in player.club.seasons:
            archive.rename(season, lambda one, *_: ids.get(one, one))
        rename_in_leagues(player.club, other.uid, player.uid)
        custom_rules.rename_in_seats(player.club, other.uid, player.uid)
        for table in (Tally, Result):
            db.session.execute(delete(table).where(table.player_id == other.id))
        db.session.delete(other)
        db.session.flush()
        mine = Game.club_id == player.club_id, Game.uid.in_(told["games"])
        for uid, version in db.session.execute(select(Game.uid, Game.version).where(*mine)):
            told["games"][uid]["version"] = version
        club_log.add(player, club_log.MERGE, None, told, by)


def games_to_merge(player: Player, other: Player) -> list[Game]:
    """The games of `other` that merging makes `player`'s; raises Refused where it cannot be done."""
    if player.id == other.id or player.club_id != other.club_id:
        raise Refused([Problem("same-player", "other", "must be another player of the club")])
    games = games_of(other)
    _check_never_met(player, other, games)
    return games


def games_of(player: Player) -> list[Game]:
    """The games in which a player had a seat for at least one hand."""
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


def _check_never_met(player: Player, other: Player, games: Iterable[Game]) -> None:
    both = {player.name.casefold(), other.name.casefold()}
    sat = ((game.number, (game.names, *game.names_by_hand)) for game in games)
    met = [number for number, lines in sat if both <= {name.casefold() for names in lines for name in names}]
    if met:
        numbers = ", ".join(map(str, met[:5])) + (" and more" if len(met) > 5 else "")
        where = f"game {numbers}" if len(met) == 1 else f"games {numbers}"
        sentence = f"{player.name} and {other.name} sat at the same table in {where}: they cannot be the same person"
        raise Refused([Problem("met", "other", sentence)])


def _give_seats(old: PlayerId, new: PlayerId, *asked: Any) -> None:
    moved = update(Seat).where(Seat.player_id == old, *asked).values(player_id=new)
    db.session.execute(moved.execution_options(synchronize_session=False))
    db.session.expire_all()


def _count(club_id: int, games: Iterable[Game]) -> None:
    writer = tallies.TallyWriter(club_id, reopens=())
    for game in games:
        writer.enter(game)
    writer.close(soon=True)


# --- what is written down, so that the two can be taken apart -----------------------------------------------------


def _before_merge(player: Player, other: Player, games: Sequence[Game]) -> dict[str, Any]:
    """What was of the player who goes; ask for it before anything is merged.

    Of each game it says the log's length, the seats, and who waited for its next hand. In a game of the one who goes
    all that is said of them is of that one: the two have never met. Only where a log, or the next hand, names both, or
    the game is of neither, each place is written down.
    """
    ids, places = {game.id for game in games}, places_of(other.club_id, other.name)
    both = {place.game_id for place in places_of(player.club_id, player.name)}
    waits = both | {place.game_id for place in places if place.table == NEXT}
    seats: dict[int, list[int]] = {}
    for game_id, number in db.session.execute(select(Seat.game_id, Seat.number).where(Seat.player_id == other.id)):
        seats.setdefault(game_id, []).append(number)
    told: dict[str, Any] = {}
    for game in db.session.scalars(select(Game).where(Game.id.in_(ids | {place.game_id for place in places}))):
        told[game.uid] = {"version": game.version, "seats": seats.get(game.id, [])}
        if game.id in both or game.id not in ids:
            told[game.uid]["places"] = [place[1:] for place in places if place.game_id == game.id]
            if game.id in waits and game.next_seats:
                told[game.uid]["waiting"] = dict(game.next_seats)
    gone = {name: getattr(other, name) for name in KEPT}
    usual = custom_rules.seats_of(other.club, other.uid)
    said = {"name": player.name, "gone": gone, "games": told, "frozen": _lines_of(other)}
    return said | {"leagues": said_of(other.club, other.uid)} | ({"usual": usual} if usual else {})


def _lines_of(player: Player) -> dict[str, dict[str, list[int]]]:
    """Where a player is in what closed seasons keep: the numbers of the lines, of the champions, and in the pages."""
    found = {}
    for season in player.club.seasons:
        table = season.frozen or {"lines": (), "champions": ()}
        lines = [index for index, line in enumerate(table["lines"]) if line["player"] == player.id]
        champions = [index for index, one in enumerate(table["champions"]) if one == player.id]
        people = [index for index, (one, _) in enumerate((season.pages or {}).get("people", ())) if one == player.id]
        if lines or champions or people:
            found[season.uid] = {"lines": lines, "champions": champions, "people": people}
    return found


# --- two again ----------------------------------------------------------------------------------------------------


def why_name_taken(players: Iterable[Player], name: str) -> str:
    """Why a player cannot have that name again: one of these has it now."""
    taken = next((one.name for one in players if one.name.casefold() == name.casefold()), None)
    return f"Another player is called {taken} now. Rename that player first" if taken else ""


def why_not_apart(club: Club, entry: ClubChange) -> str:
    """Why a merge cannot be undone now, in a sentence without its full stop; nothing if it can."""
    told = entry.after or {}
    gone = told["gone"]
    if taken := why_name_taken(club.players, gone["name"]):
        return taken
    if any(one.uid == gone["uid"] for one in club.players):
        return f"{gone['name']} is a player again already"
    deleted = deleted_items.games_among(club.id, told["games"])
    if deleted:
        return f"Game {min(deleted.values())} was deleted since. Take it back first"
    return _changed_since(club, told["games"]) or _closed_since(club, entry)


def _changed_since(club: Club, told: Data) -> str:
    """Why names cannot be told apart any more in a game that named both, and went on since."""
    versions = {uid: game["version"] for uid, game in told.items() if "places" in game}
    rows = select(Game.uid, Game.number, Game.version).where(Game.club_id == club.id, Game.uid.in_(versions))
    changed = [number for uid, number, version in db.session.execute(rows) if version != versions[uid]]
    return f"The players in game {min(changed)} have changed since" if changed else ""


def _closed_since(club: Club, entry: ClubChange) -> str:
    """Which season with some of the games was closed since."""
    since = {one.id: one.name for one in club.seasons if one.closed_at and one.closed_at > entry.at}
    if not since:
        return ""
    mine = select(Game).where(Game.club_id == club.id, Game.uid.in_((entry.after or {})["games"]))
    also = select(GameSeason.game_id).where(GameSeason.season_id.in_(since))
    game = db.session.scalar(mine.where(or_(Game.season_id.in_(since), Game.id.in_(also))).limit(1))
    closed = next(one.name for one in game.seasons if one.id in since) if game else ""
    return f"{closed} was closed since. Reopen it first" if closed else ""


def take_apart(club: Club, player: Player, entry: ClubChange) -> None:
    """Make two players of one again, each with the games from before the merge; what was played since stays.

    Inside a transaction that has locked the club; `why_not_apart` has said nothing.
    """
    told = entry.after or {}
    found = select(Game).where(Game.club_id == club.id, Game.uid.in_(told["games"])).order_by(Game.played, Game.number)
    games = db.session.scalars(found).all()  # as far as they are still there
    other = Player(club_id=club.id, **told["gone"] | {"link_id": told["gone"].get("link_id") or null()})
    db.session.add(other)
    db.session.flush()
    for game in games:
        _give_seats(player.id, other.id, Seat.game_id == game.id, Seat.number.in_(told["games"][game.uid]["seats"]))
    _name_again(club, player.name, other.name, games, told["games"])
    _seat_again(told, player.name, games)
    for season in club.seasons:
        if at := told["frozen"].get(season.uid):
            archive.rename(season, partial(_again_at, at, player.id, other.id))
    give_back(club, player.uid, other.uid, told.get("leagues", {}))
    custom_rules.give_back_seats(club, player.uid, other.uid, told.get("usual", {}))
    db.session.flush()
    db.session.expire_all()
    _count(club.id, games)
    club_log.add(player, club_log.MERGE, {"name": player.name, "gone": told["gone"]}, None)


def _name_again(club: Club, now: str, name: str, games: Sequence[Game], told: Data) -> None:
    """Call the player of the games by the old name again."""
    alone = {game.id for game in games if "places" not in told[game.uid]}
    rename_in_hands(club.id, now, name, alone)
    places = [Place(game.id, *place) for game in games for place in told[game.uid].get("places", ())]
    rename_at(club.id, [place for place in places if place.table != NEXT], name)
    db.session.flush()


def _seat_again(told: Data, now: str, games: Sequence[Game]) -> None:
    """Let who waited for the next hand of a game wait again, where the merge ended that."""
    names = {told["gone"]["name"].casefold(): told["gone"]["name"], told["name"].casefold(): now}
    for game in games:
        waiting = told["games"][game.uid].get("waiting", {})
        seats = {seat: names.get(name.casefold()) or game.next_seats.get(seat, name) for seat, name in waiting.items()}
        if seats:
            game.next_seats = {seat: seats.get(seat, name) for seat, name in game.next_seats.items()}
            db.session.flush()
            if seats != game.next_seats:
                hand_service.reseat(game, seats)


def _again_at(
    at: Mapping[str, Collection[int]], old: PlayerId, new: PlayerId, player: PlayerId, what: str, index: int
) -> PlayerId:
    """The new player at these places of what a closed season keeps, wherever the old one still is there."""
    return new if player == old and index in at.get(what, ()) else player
