"""A club's players: renamed, guests, retired (two made one: merging); each change is an entry of the club's log."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import NAME_LENGTH, Player, Result, tidy_name
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log
from scorekeeper.services.club_log import NOBODY, Cause
from scorekeeper.services.substitute_names import rename_in_hands, settle_next_hands
from scorekeeper.stats import tallies


def rename(player: Player, name: str, by: str | None = None) -> None:
    """Rename a player, in earlier games too; raises Refused."""
    with db_write(player.club):
        put_name(player, tidy_name(name), Cause(by))


def put_name(player: Player, name: str, cause: Cause = NOBODY) -> None:
    """The same inside a transaction that has locked the club."""
    _check_name(player, name)
    before = player.name
    if name == before:
        return
    rename_in_hands(player.club_id, before, name)
    player.name = name
    settle_next_hands(player.club_id)
    tallies.mark_changed(player.club_id)
    club_log.add(player.club_id, club_log.RENAME, player.uid, {"name": before}, {"name": name}, cause)


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
    with db_write(player.club):
        put_guest(player, guest, Cause(by))


def put_guest(player: Player, guest: bool, cause: Cause = NOBODY) -> None:
    """The same inside a transaction that has locked the club."""
    if player.guest == guest:
        return
    player.guest = guest
    tallies.mark_changed(player.club_id)
    _log(player, club_log.GUEST, "guest", guest, cause)
    db.session.flush()
    mine = select(Result).where(Result.player_id == player.id, Result.games == 1)
    first = db.session.scalar(mine.order_by(Result.played, Result.number).limit(1))
    if first:
        tallies.rate_again(player.club_id, (first.played, first.number), {player.id})


def set_retired(player: Player, retired: bool, by: str | None = None) -> None:
    """Retire a player: the games stay, the name is no longer suggested."""
    with db_write(player.club):
        put_retired(player, retired, Cause(by))


def put_retired(player: Player, retired: bool, cause: Cause = NOBODY) -> None:
    """The same inside a transaction that has locked the club."""
    if player.retired == retired:
        return
    player.retired = retired
    tallies.mark_changed(player.club_id)
    _log(player, club_log.RETIRE, "retired", retired, cause)


def _log(player: Player, kind: str, mark: str, now: bool, cause: Cause) -> None:
    before, after = ({"name": player.name, mark: value} for value in (not now, now))
    club_log.add(player.club_id, kind, player.uid, before, after, cause)
