"""A club with very many hands to measure with: some simulated games, kept for real, and copies of them.

The copies are made within the database. What is counted of them is the same as of the games they are copies of, so
that a tally is the tally of those so many times; only the ratings do not go on.
"""

from __future__ import annotations

import tempfile
from datetime import date, timedelta

from sqlalchemy import Connection, func, select, text

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write, migrate_database
from scorekeeper.models import Club, Game, Hand, Tally
from scorekeeper.stats.counting import SUMS
from tests.stats.big_club import fill

PLAYERS = 40
BASE_GAMES = 1_700  # a little more than 20,000 hands

LATER_DAYS = {"sqlite": "date(played, '+' || (i * :days) || ' days')", "postgresql": "played + i * :days"}
COPIES = (  # LATER_DAY is one of those
    "CREATE TEMP TABLE copy AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :copies - 1)"
    " SELECT i FROM n",
    "INSERT INTO game (id, club_id, number, rules, options, players, teams, played, first_dealer, version, state,"
    " next_seats, plays_on, detail, auction, uid, season_id, created_at)"
    " SELECT id + i * :games, club_id, number + i * :games,"
    " rules, options, players, teams, LATER_DAY, first_dealer, version, state,"
    " next_seats, plays_on, detail, auction, uid || '-' || i, season_id, created_at FROM game, copy",
    "INSERT INTO seat (game_id, number, player_id) SELECT game_id + i * :games, number, player_id FROM seat, copy",
    "INSERT INTO hand (game_id, position, facts, version)"
    " SELECT game_id + i * :games, position, facts, version FROM hand, copy",
    f"INSERT INTO result (game_id, player_id, club_id, group_id, played, number, seat, unit, place, mu_before,"
    f" sigma_before, mu, sigma, {', '.join(SUMS)}, detail) SELECT game_id + i * :games, player_id, club_id,"
    f" group_id, LATER_DAY, number + i * :games, seat, unit, place, mu_before,"
    f" sigma_before, mu, sigma, {', '.join(SUMS)}, detail FROM result, copy",
    "INSERT INTO game_count (game_id, played, number, rules_id, teams, hands, sides, bids, pairs, deeds)"
    " SELECT game_id + i * :games, LATER_DAY, number + i * :games, rules_id, teams, hands, sides, bids, pairs, deeds"
    " FROM game_count, copy",
    f"UPDATE tally SET {', '.join(f'{name} = {name} * :copies' for name in SUMS)}",
)


def make_club(url: str, hands: int, players: int = PLAYERS) -> tuple[str, int]:
    """A club of about so many hands and so many players in an empty database; its key, and how many hands there are."""
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
    for written in COPIES:
        statement = written.replace("LATER_DAY", LATER_DAYS[connection.dialect.name])
        connection.execute(text(statement), {name: value for name, value in values.items() if f":{name}" in statement})
    later = timedelta(days=values["days"] * (copies - 1))
    for tally in db.session.scalars(select(Tally)):
        tally.detail = {name: number * copies for name, number in tally.detail.items()}
        tally.form = [
            [str(date.fromisoformat(day) + later), number + games * (copies - 1), letter]
            for day, number, letter in tally.form
        ]
