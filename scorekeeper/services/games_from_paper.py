"""Games of which only the end is known: those scored on paper, and those that were not played."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select

from scorekeeper.database.session import db_write
from scorekeeper.models import FORFEIT, Club, Game, Player, Season
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.table import Table
from scorekeeper.services import club_log
from scorekeeper.services.games import check_new_game, next_number, seats_of
from scorekeeper.stats import tallies


@dataclass(frozen=True, slots=True)
class PaperGame:
    """A finished game that was scored on paper; a club has at most one of each `uid`."""

    uid: str
    table: Table
    names: tuple[str, ...]  # one a seat
    played: date
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    season: Season | None
    forfeit: bool = False  # it was not played


def record_paper_games(club: Club, told: Sequence[PaperGame]) -> int:
    """Add games from paper, all of them or none; missing players are made by name.

    How many: those that are in already are left out. Raises Refused.
    """
    with db_write(club) as session:
        uids = select(Game.uid).where(Game.club_id == club.id, Game.uid.in_([one.uid for one in told]))
        here, number = set(session.scalars(uids)), next_number(club)
        new = [one for one in told if one.uid not in here]
        known = {player.name.casefold(): player for player in club.players}
        games = [_on_paper(club, one, number + index, known) for index, one in enumerate(new)]
        session.add_all(games)
        session.flush()
        writer = tallies.TallyWriter(club.id)
        for game in games:
            writer.enter(game)
        writer.close()
        if games:
            club_log.add(club.id, club_log.IMPORT, "", None, {"games": len(games), "updated": 0})
    return len(games)


def _on_paper(club: Club, told: PaperGame, number: int, known: dict[str, Player]) -> Game:
    units = told.table.units
    game = Game(
        club=club,
        number=number,
        uid=told.uid,
        rules=told.table.rules.to_dict(),
        options={},
        players=told.table.players,
        teams=told.table.teams,
        played=told.played,
        first_dealer=1,
        season=told.season,
        paper=_paper(told),
        seats=seats_of(club, told.names, known),
    )
    check_new_game(game)
    if not told.winners or set(told.winners) - set(units):
        raise Refused([Problem("no-winner", "winners", "the game needs a winner")])
    return game


def _paper(told: PaperGame) -> dict[str, Any]:
    """What is kept of how such a game ended."""
    ended = {"totals": {unit: told.totals[unit] for unit in told.table.units}, "winners": list(told.winners)}
    return ended | {FORFEIT: True} if told.forfeit else ended


def record_forfeit(
    club: Club, table: Table, winners: Sequence[str], losers: Sequence[str], *, played: date, season: Season, token: str
) -> None:
    """Add a game that was not played: the first unit of the table wins it, without a point. Raises Refused.

    The names of players, seat by seat of the winners and of all others. The same `token` adds one game.
    """
    won, lost = iter(winners), iter(losers)
    first = table.units[0]
    names = tuple(next(won if table.unit_of[seat] == first else lost) for seat in table.seats)
    uid = hashlib.sha256(f"forfeit:{token}".encode()).hexdigest()[:22]
    totals = dict.fromkeys(table.units, 0)
    record_paper_games(club, [PaperGame(uid, table, names, played, totals, (first,), season, forfeit=True)])
