"""What is corrected of a game besides its hands: the day on which it was played, and whether it counts."""

from __future__ import annotations

from datetime import date

from scorekeeper.database.session import db_write
from scorekeeper.models import Game, Season
from scorekeeper.services import club_log
from scorekeeper.services.club_log import NOBODY, Cause
from scorekeeper.stats import tallies


def set_counts(game: Game, counts: bool, by: str | None = None) -> None:
    """Let a game count, or not: then it is kept and shown, and is in no standings, ratings or records."""
    with db_write(game.club, game):
        put_counts(game, counts, Cause(by))


def put_counts(game: Game, counts: bool, cause: Cause = NOBODY) -> None:
    """The same inside a transaction that has locked the club and the game."""
    if game.left_out == (not counts):
        return
    game.left_out = not counts
    tallies.update_tallies(game)
    before, after = ({"game": game.number, "counts": value} for value in (not counts, counts))
    club_log.add(game.club_id, club_log.COUNTS, game.uid, before, after, cause)


def set_day(game: Game, day: date, by: str | None = None) -> None:
    """Correct the day on which a game was played. It stays in its seasons: see `outside_of`."""
    with db_write(game.club, game):
        put_day(game, day, Cause(by))


def put_day(game: Game, day: date, cause: Cause = NOBODY) -> None:
    """The same inside a transaction that has locked the club and the game."""
    if game.played == day:
        return
    before, after = ({"game": game.number, "day": one.isoformat()} for one in (game.played, day))
    game.played = day
    tallies.update_tallies(game)
    club_log.add(game.club_id, club_log.DAY, game.uid, before, after, cause)


def outside_of(game: Game) -> list[Season]:
    """The seasons that a game counts in and that had not begun, or had ended, when it was played."""
    return [
        season
        for season in game.seasons
        if game.played < season.starts or (season.ends is not None and game.played > season.ends)
    ]
