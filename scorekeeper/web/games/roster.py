"""The players that a form offers by name: who played last comes first, and the retired are left out."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Integer, Select, bindparam, func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, Player, Seat
from scorekeeper.services.game_reader import ClubName

RECENT_GAMES = 60  # who sat in none of these comes after, by name
MOST_KNOWN = 500
FEW = 12  # names that lie open; six friends and their guests
MOST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player of the club as forms offer one."""

    id: int
    name: str
    guest: bool


def _known() -> Select[int, str, bool]:
    club = bindparam("club", type_=Integer)
    games = select(Game.id, Game.number).where(Game.club_id == club).order_by(Game.number.desc())
    recent = games.limit(RECENT_GAMES).subquery()
    last = select(Seat.player_id, func.max(recent.c.number).label("number")).join(recent, Seat.game_id == recent.c.id)
    seen = last.group_by(Seat.player_id).subquery()
    mine = select(Player.id, Player.name, Player.guest).outerjoin(seen, seen.c.player_id == Player.id)
    mine = mine.where(Player.club_id == club, ~Player.retired)
    return mine.order_by(func.coalesce(seen.c.number, 0).desc(), Player.name).limit(MOST_KNOWN)


KNOWN = _known()  # put together once: every score sheet asks


def known_players(club: Club | ClubName) -> list[KnownPlayer]:
    """The players of a club, up to MOST_KNOWN of them."""
    return [KnownPlayer(*row) for row in db.session.connection().execute(KNOWN, {"club": club.id})]


@dataclass(frozen=True, slots=True)
class Roster:
    """The known players, and which of them are in sight: a few, all, or those with `find` in their names."""

    players: list[KnownPlayer]
    find: str = ""
    is_open: bool = False

    @property
    def shown(self) -> list[KnownPlayer]:
        if not self.is_open:
            return self.players[:FEW]
        wanted = self.find.casefold()
        return [player for player in self.players if wanted in player.name.casefold()][:MOST_SHOWN]

    @property
    def more(self) -> int:
        """How many names are hidden until they are asked for."""
        return 0 if self.is_open else max(0, len(self.players) - FEW)
