"""Finished games created fast: stored with final scores only, like games from paper, and counted together."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import func, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game, Player, Season, Seat
from scorekeeper.scoring.rules import find_rules
from scorekeeper.stats.tallies import TallyWriter

NAMES = ("Ann", "Bo", "Cy", "Di")


def play(
    club: Club,
    on: date,
    times: int = 1,
    names: Sequence[str] = NAMES,
    *,
    season: Season | None = None,
    totals: tuple[int, int] = (12, 0),
) -> None:
    """Add games of Classic won by the team of the first and third player, unless `totals` say otherwise."""
    rules = find_rules("classic").to_dict()
    with db_write(club) as session:
        known = {player.name: player for player in club.players}
        sitting = [known.get(name) or Player(club_id=club.id, name=name) for name in names]
        session.add_all(sitting)
        first = 1 + (db.session.scalar(select(func.max(Game.number)).where(Game.club_id == club.id)) or 0)
        paper = {"totals": dict(zip("AB", totals, strict=True)), "winners": ["A" if totals[0] > totals[1] else "B"]}
        games = [
            Game(
                club=club, number=number, rules=rules, options={}, players=len(names), teams=2, played=on,
                first_dealer=1, season=season, paper=paper,
                seats=[Seat(number=n, player=p) for n, p in enumerate(sitting, 1)],
            )
            for number in range(first, first + times)
        ]  # fmt: skip
        session.add_all(games)
        session.flush()
        writer = TallyWriter(club.id)
        for game in games:
            writer.replace(game)
        writer.close()
