"""A club's players: renamed, merged, guests, retired."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import String, cast, delete, select, update
from sqlalchemy.orm import selectinload

from scorekeeper.db import db, db_write
from scorekeeper.ledger import settle
from scorekeeper.models import (
    NAME_LENGTH,
    Change,
    Club,
    Facts,
    Game,
    Hand,
    Player,
    Result,
    Seat,
    Tally,
    tidy_name,
)
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.stats import tallies
from scorekeeper.stats.counts import PlayerId
from scorekeeper.stats.frozen import FrozenTable

SUBSTITUTION = '%"names"%'


def rename(player: Player, name: str) -> None:
    """Rename a player, in earlier games too; raises Refused."""
    name = tidy_name(name)
    with db_write(player.club):
        _check_name(player, name)
        _rename_in_hands(player.club_id, player.name, name)
        player.name = name
        _settle(player.club_id)
        tallies.mark_changed(player.club_id)


def _check_name(player: Player, name: str) -> None:
    others = {other.name.casefold(): other.name for other in player.club.players if other is not player}
    if not name:
        raise Refused([Problem("no-name", "name", "must be a name")])
    if len(name) > NAME_LENGTH:
        raise Refused([Problem("too-long", "name", f"must have at most {NAME_LENGTH} letters")])
    if name.casefold() in others:
        taken = f"{others[name.casefold()]} is already a player. Same person? Merge the two"
        raise Refused([Problem("name-twice", "name", taken)])


def merge(player: Player, other: Player) -> None:
    """Give all games of `other` to `player` and delete `other`. Raises Refused if the two ever sat at one table."""
    with db_write(player.club):
        games = games_to_merge(player, other)
        _rename_in_hands(other.club_id, other.name, player.name)
        moved = update(Seat).where(Seat.player_id == other.id).values(player_id=player.id)
        db.session.execute(moved.execution_options(synchronize_session=False))
        db.session.expire_all()
        _settle(other.club_id)
        writer = tallies.TallyWriter(player.club_id)
        for game in games:
            writer.enter(game)
        writer.close()
        _keep_in_frozen_tables(player.club, other.id, player.id)
        _forget(other)


def games_to_merge(player: Player, other: Player) -> list[Game]:
    """The games of `other` that merging makes `player`'s; raises Refused where it cannot be done."""
    if player.id == other.id or player.club_id != other.club_id:
        raise Refused([Problem("same-player", "other", "must be another player of the club")])
    games = _games_of(other)
    _check_never_met(player, other, games)
    return games


def _keep_in_frozen_tables(club: Club, old: PlayerId, new: PlayerId) -> None:
    """Rename the merged player in the tables of closed seasons."""
    for season in club.seasons:
        if season.frozen:
            table = FrozenTable.from_dict(season.frozen)
            season.frozen = table.rename({old: new}, keep_others=True).to_dict()


def _forget(player: Player) -> None:
    for table in (Tally, Result):
        db.session.execute(delete(table).where(table.player_id == player.id))
    db.session.delete(player)


def _games_of(player: Player) -> list[Game]:
    """The games in which a player had a seat for at least one hand."""
    seated = select(Seat.game_id).where(Seat.player_id == player.id)
    names = cast(Hand.facts, String)
    came = select(Hand.game_id, Hand.facts).join(Game).where(Game.club_id == player.club_id, names.like(SUBSTITUTION))
    later = {number for number, facts in db.session.execute(came) if _is_named(player.name, facts)}
    found = select(Game).where(Game.id.in_([*db.session.scalars(seated), *later])).order_by(Game.played, Game.number)
    loading = selectinload(Game.hands), selectinload(Game.seats).joinedload(Seat.player)
    return list(db.session.scalars(found.options(*loading)))


def _check_never_met(player: Player, other: Player, games: Iterable[Game]) -> None:
    both = {player.name.casefold(), other.name.casefold()}
    met = [game.number for game in games if both <= _everybody(game)]
    if met:
        numbers = ", ".join(map(str, met[:5])) + (" and more" if len(met) > 5 else "")
        where = f"game {numbers}" if len(met) == 1 else f"games {numbers}"
        sentence = f"{player.name} and {other.name} sat at the same table in {where}: they cannot be the same person"
        raise Refused([Problem("met", "other", sentence)])


def _everybody(game: Game) -> set[str]:
    later = (name for hand in game.hands for name in hand.facts.get("names", {}).values())
    return {name.casefold() for name in (*game.names, *later)}


def set_guest(player: Player, guest: bool) -> None:
    """Make a player a guest, or count them again; ratings since their first game are worked out again."""
    with db_write(player.club):
        if player.guest == guest:
            return
        player.guest = guest
        tallies.mark_changed(player.club_id)
        db.session.flush()
        mine = select(Result).where(Result.player_id == player.id, Result.games == 1)
        first = db.session.scalar(mine.order_by(Result.played, Result.number).limit(1))
        if first:
            tallies.rate_again(player.club_id, (first.played, first.number), {player.id})


def set_retired(player: Player, retired: bool) -> None:
    """Retire a player: the games stay, the name is no longer suggested."""
    with db_write(player.club):
        player.retired = retired
        tallies.mark_changed(player.club_id)


# --- names in hands -----------------------------------------------------------------------------------------------


def _rename_in_hands(club_id: int, old: str, new: str) -> None:
    """Substitutes are named in the hand from which they play, in the log, and beside a game whose next hand it is."""
    mine = select(Game.id).where(Game.club_id == club_id)
    for table, columns in ((Hand, ("facts",)), (Change, ("before", "after"))):
        for name in columns:
            column = getattr(table, name)
            named = select(table).where(table.game_id.in_(mine), cast(column, String).like(SUBSTITUTION))
            for row in db.session.scalars(named):
                setattr(row, name, _renamed(getattr(row, name), old, new))
    for game in _with_substitutes_next(club_id):
        game.next_seats = {seat: _called(name, old, new) for seat, name in game.next_seats.items()}


def _with_substitutes_next(club_id: int) -> list[Game]:
    games = select(Game).where(Game.club_id == club_id, cast(Game.next_seats, String) != "{}")
    return list(db.session.scalars(games))


def _settle(club_id: int) -> None:
    """Take back substitutions by players who, after the merge, already have a seat."""
    db.session.flush()
    for game in _with_substitutes_next(club_id):
        settle(game)


def _renamed(facts: Facts, old: str, new: str) -> Facts:
    if not _is_named(old, facts):
        return facts
    return facts | {"names": {seat: _called(name, old, new) for seat, name in facts["names"].items()}}


def _is_named(name: str, facts: Facts) -> bool:
    return name.casefold() in [who.casefold() for who in facts.get("names", {}).values()]


def _called(name: str, old: str, new: str) -> str:
    return new if name.casefold() == old.casefold() else name
