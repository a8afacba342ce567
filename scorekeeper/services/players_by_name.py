"""A club's players by their names: found, or made where the club has nobody of that name."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Player, tidy_name


def find_players(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """Those of a club's players who are called so, by name. A club may have hundreds, and others wait meanwhile."""
    forms = {tidy_name(name).casefold() for name in names}
    rows = db.session.execute(select(Player.id, Player.name).where(Player.club_id == club.id))
    mine = Player.id.in_([number for number, name in rows if name.casefold() in forms])
    return {player.name.casefold(): player for player in db.session.scalars(select(Player).where(mine))}


def find_or_add(club: Club, names: Sequence[str], known: dict[str, Player]) -> list[Player]:
    """The players with those names, out of the `known` ones; those that are missing are made, and known then."""
    for name in map(tidy_name, names):
        if name.casefold() not in known:
            known[name.casefold()] = player = Player(club=club, name=name)
            db.session.add(player)
    return [known[tidy_name(name).casefold()] for name in names]


def spelled(club: Club, name: str) -> str:
    """A name as the club has it, if it has it."""
    name = tidy_name(name)
    return next((one.name for one in club.players if one.name.casefold() == name.casefold()), name)
