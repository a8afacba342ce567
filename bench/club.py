"""A large club to measure with: some simulated games, recorded for real, and copies of them.

The copies are made inside the database, with statistics multiplied accordingly; only ratings do not continue.
"""

from __future__ import annotations

import tempfile
from datetime import date, timedelta

from sqlalchemy import Connection, func, select, text

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write, migrate_database
from scorekeeper.models import Club, Game, GameCount, Hand, Result, Seat, Tally
from scorekeeper.stats.counting import SUMS
from tests.stats.big_club import fill

PLAYERS = 40
BASE_GAMES = 1_700  # a little more than 20,000 hands

LATER_DAYS = {"sqlite": "date(played, '+' || (i * :days) || ' days')", "postgresql": "played + i * :days"}
COPIED = Game, Seat, Hand, Result, GameCount  # in this order, each with all its columns


def _copy_of(table: type[Game | Seat | Hand | Result | GameCount], later_day: str) -> str:
    """Return the SQL that copies the rows of a table once for each `i` in the table `copy`."""
    fresh = {"id": "id + i * :games", "game_id": "game_id + i * :games", "uid": "uid || '-' || i", "played": later_day}
    if table is not Seat:
        fresh["number"] = "number + i * :games"
    columns = [one.name for one in table.__table__.columns if one.name != "id" or table is Game]
    values = [fresh.get(name, f'"{name}"') for name in columns]
    name = table.__tablename__
    return f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {name}, copy"


def make_club(url: str, hands: int, players: int = PLAYERS) -> tuple[str, int]:
    """Create a club of about `hands` hands in an empty database; return its key and the exact number of hands."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder, "DATABASE_URL": url})
    migrate_database(app)
    with app.app_context():
        with db_write() as session:
            club = Club(name="Bench")
            session.add(club)
        fill(club, players=players, games=min(BASE_GAMES, round(hands * BASE_GAMES / 20_000)), seed=1)
        copies = max(1, round(hands / 20_000))
        if copies > 1:
            with db_write():
                _copy(db.session.connection(), copies)
        return club.key, db.session.scalar(select(func.count()).select_from(Hand)) or 0


def _copy(connection: Connection, copies: int) -> None:
    first, last, games = connection.execute(
        select(func.min(Game.played), func.max(Game.played), func.max(Game.id))
    ).one()
    values = {"copies": copies, "games": games, "days": (last - first).days + 7}
    statements = (
        "CREATE TEMP TABLE copy AS WITH RECURSIVE n(i) AS"
        " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :copies - 1) SELECT i FROM n",
        *(_copy_of(table, LATER_DAYS[connection.dialect.name]) for table in COPIED),
        f"UPDATE tally SET {', '.join(f'{name} = {name} * :copies' for name in SUMS)}",
    )
    for statement in statements:
        connection.execute(text(statement), {name: value for name, value in values.items() if f":{name}" in statement})
    later = timedelta(days=values["days"] * (copies - 1))
    for tally in db.session.scalars(select(Tally)):
        tally.detail = {name: number * copies for name, number in tally.detail.items()}
        tally.form = [
            [str(date.fromisoformat(day) + later), number + games * (copies - 1), letter]
            for day, number, letter in tally.form
        ]
