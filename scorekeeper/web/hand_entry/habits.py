"""What a club is used to: the bids it makes, and who sits where."""

from __future__ import annotations

from datetime import date
from itertools import groupby

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from scorekeeper.db import db
from scorekeeper.models import ABANDONED, Game, Seat

GAMES_BACK = 10


def best_made(game: Game, position: int) -> int | None:
    """The highest bid that any hand of this year has made, but for the hand at `position`; None when none has."""
    year = game.played.year
    games = select(Game).where(
        Game.club_id == game.club_id,
        Game.played.between(date(year, 1, 1), date(year, 12, 31)),
        Game.state != ABANDONED,
    )
    made = [
        hand.bid
        for other in db.session.scalars(games.options(selectinload(Game.hands)))
        for number, hand in enumerate(other.score().hands, 1)
        if hand.made and hand.bid is not None and (other, number) != (game, position)
    ]
    return max(made, default=None)


def seats_last_time(game: Game) -> list[str] | None:
    """Who sat where when the same people played last, unless they sit around the table just so again."""
    now = [seat.player_id for seat in game.seats]
    seats = (
        select(Seat)
        .join(Game)
        .where(Game.club_id == game.club_id, Game.number < game.number, Game.players == game.players)
        .order_by(Game.number.desc(), Seat.number)
        .limit(GAMES_BACK * game.players)
    )
    for _, group in groupby(db.session.scalars(seats), key=lambda seat: seat.game_id):
        then = list(group)
        players = [seat.player_id for seat in then]
        if sorted(players) == sorted(now):
            return None if _is_turned(players, now) else [seat.player.name for seat in then]
    return None


def _is_turned(then: list[int], now: list[int]) -> bool:
    """Whether it is the same circle, counted from another chair."""
    return any(then[step:] + then[:step] == now for step in range(len(then)))
