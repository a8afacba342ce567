"""A club of any size: a stock of simulated games, repeated with other players each time.

The last two players never sit at the same table, if there are enough others.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import insert

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Facts, Game, Hand, Player, Season, Seat, new_uid
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.simulator import draw_styles
from scorekeeper.stats import tallies
from scorekeeper.stats.schemes import Scheme
from tests.simulator.games import simulate_game

KINDS = (("classic", 4, 2), ("west-michigan-6", 6, 2), ("west-michigan-5", 5, 0), ("shankar", 4, 0))
LONGER = 1.6  # factor of the default target: about ten hands a game
FIRST = date(2026, 1, 6)
CHUNK = 200


class Simulated(NamedTuple):
    table: Table
    hands: list[Facts]


def stock(games: int, seed: int, kinds: Sequence[tuple[str, int, int]] = KINDS) -> list[Simulated]:
    """Distinct simulated games, distributed evenly over `kinds`."""
    rng, found = Random(seed), []
    for number in range(games):
        rules, players, teams = kinds[number % len(kinds)]
        usual = find_rules(rules)
        table = Table(usual.override({"win.target": int(usual.win.target * LONGER)}), players, teams)
        found.append(Simulated(table, simulate_game(table, rng, draw_styles(rng, players))))
    return found


def fill(
    club: Club,
    *,
    players: int,
    games: int,
    seed: int,
    different: int = 60,
    seasons: int = 2,
    names: Sequence[str] | None = None,
    kinds: Sequence[tuple[str, int, int]] = KINDS,
    prepare: Callable[[Club], None] = lambda club: None,
) -> None:
    """Fill an empty club with games, twelve a night, one night a week; `prepare` runs before the tallies are built."""
    rng, played = Random(seed), stock(different, seed, kinds)
    with db_write(club) as session:
        names = names or [f"Player {number:02}" for number in range(1, players + 1)]
        people = [Player(club=club, name=name) for name in names]
        years = [
            Season(club=club, name=f"Season {n}", starts=FIRST, ends=None, settings=Scheme().to_dict())
            for n in range(seasons)
        ]
        session.add_all([*people, *years])
        session.flush()
        ids, season_ids = [player.id for player in people], [season.id for season in years]
        for first in range(1, games + 1, CHUNK):
            numbers = range(first, min(first + CHUNK, games + 1))
            _insert(club.id, list(_games(numbers, played, names, ids, season_ids, rng)))
        session.expire_all()
        prepare(club)
        tallies.rebuild(club)


def _games(
    numbers: range, played: list[Simulated], names: Sequence[str], ids: list[int], seasons: list[int], rng: Random
) -> Iterator[tuple[int, int | None, Simulated, list[int], list[Facts]]]:
    for number in numbers:
        simulated = rng.choice(played)
        twin = len(ids) - 1 - number % 2 if len(ids) > simulated.table.players + 1 else None
        there = [index for index in range(len(ids)) if index != twin]
        sitting = rng.sample(there, min(simulated.table.players + 1, len(there)))
        hands = simulated.hands
        if (
            number % 10 == 0 and len(hands) > 2 and len(sitting) > simulated.table.players
        ):  # a substitute takes the first seat from the third hand on
            hands = [*hands[:2], hands[2] | {"names": {"1": names[sitting[-1]]}}, *hands[3:]]
        season = seasons[number % len(seasons)] if number % 7 else None
        yield number, season, simulated, [ids[index] for index in sitting[: simulated.table.players]], hands


def _insert(club_id: int, games: list[Any]) -> None:
    rows, seats, hands = [], [], []
    start = db.session.scalar(db.select(db.func.max(Game.id))) or 0
    for offset, (number, season_id, simulated, sitting, facts) in enumerate(games, 1):
        table, game_id = simulated.table, start + offset
        rows.append(_game_row(game_id, club_id, number, season_id, table, facts))
        seats += [{"game_id": game_id, "number": n, "player_id": p} for n, p in enumerate(sitting, 1)]
        hands += [{"game_id": game_id, "position": n, "facts": f, "version": n} for n, f in enumerate(facts, 1)]
    for model, values in ((Game, rows), (Seat, seats), (Hand, hands)):
        db.session.execute(insert(model), values)


def _game_row(game_id: int, club_id: int, number: int, season_id: int | None, table: Table, facts: list[Facts]) -> Any:
    return {
        "id": game_id, "club_id": club_id, "number": number, "rules": table.rules.to_dict(), "options": {},
        "players": table.players, "teams": table.teams, "played": FIRST + timedelta(weeks=number // 12),
        "first_dealer": facts[0].get("dealer", 1), "version": len(facts), "state": "open", "plays_on": False,
        "detail": "points", "auction": False, "uid": new_uid(), "season_id": season_id,
        "created_at": datetime.now(UTC),
    }  # fmt: skip
