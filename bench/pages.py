"""Statistics pages over twenty thousand hands, relative to one thousand.

Requested in this process, each as seen first after a game that is not the evening's first: caches that depend on the
tallies are empty, except the aggregates before the latest game day (stats/query.py). Statistics of single games are
cached, as in a club that is looked at now and then.

Then the first view after a game of an earlier day has changed, which reads all games: ten thousand games relative to
one thousand; and the size of a hand with its log in the database file of the ten thousand games.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, insert, select, text, update

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write
from scorekeeper.models import RECORD, Change, Club, Game, Hand, Player
from scorekeeper.serving.serve import freeze_garbage
from scorekeeper.web.common.fields import new_token
from tests.web.phones import ManagersPhone

from . import club
from .report import report

FEW, MANY = 1_000, 20_000
FEW_GAMES, MANY_GAMES = 1_000, 10_000
ROUNDS = 15
GOAL = 1.5
FIRST_GOAL = 3
SIZE_GOAL = 800  # bytes
PAGES = {
    "a player’s page": "players/{player}",
    "the records": "standings/records",
    "the partners": "standings/partners",
    "the story of a game": "games/{game}/story",
}
FIRST_LOOKS = {**dict(list(PAGES.items())[:3]), "the charts": "standings/charts"}


class Grown(NamedTuple):
    """A club, requested in this process."""

    app: Flask
    browser: FlaskClient
    address: str
    player: int
    game: int

    @classmethod
    def of(cls, folder: str, hands: int) -> Grown:
        url = f"sqlite:///{folder}/club.sqlite"
        key, _ = club.make_club(url, hands)
        app = create_app({"INSTANCE": folder, "DATABASE_URL": url})
        app.test_client_class = ManagersPhone
        with app.app_context():
            player = db.session.scalar(select(func.min(Player.id))) or 0
            game = db.session.scalar(select(func.max(Game.number))) or 0
        return cls(app, app.test_client(), f"/c/{key}/", player, game)

    def seconds(self, page: str, *, first: bool) -> float:
        """Return the CPU time of a page after a change of the latest evening, or with `first`, of an earlier one."""
        versions = [Club.stats_version, *([Club.history_version] if first else ())]
        with self.app.app_context(), db_write() as session:
            session.execute(update(Club).values({version: version + 1 for version in versions}))
        start = time.process_time()
        answer = self.browser.get(self.address + page.format(player=self.player, game=self.game))
        assert answer.status_code == 200, f"{page}: {answer.status_code}"
        return time.process_time() - start

    def bytes_a_hand(self) -> float:
        """Return the database size per hand, each hand logged as if saved by a form."""
        log = select(Hand.game_id, Hand.version, Hand.position, Hand.facts)
        with self.app.app_context(), db_write() as session:
            rows = [
                {"game_id": game, "seq": seq, "kind": RECORD, "position": position, "after": facts,
                 "token": new_token(), "by": "Player 01"}
                for game, seq, position, facts in session.execute(log)
            ]  # fmt: skip
            session.execute(insert(Change), rows)
            pages, size = (session.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "page_size"))
        return pages * size / len(rows)


def pages() -> list[bool]:
    """Run all measurements of this module."""
    results = []
    with _clubs(FEW, MANY) as (few, many):
        for name, page in PAGES.items():
            value = _ratio(page, few, many, ROUNDS)
            results.append(report(f"{name} over {MANY:,} hands, of over {FEW:,}", value, GOAL))
    hands_a_game = MANY / club.BASE_GAMES
    with _clubs(*(round(games * hands_a_game) for games in (FEW_GAMES, MANY_GAMES))) as (few, many):
        for name, page in FIRST_LOOKS.items():
            value = _ratio(page, few, many, 3, first=True)
            results.append(
                report(f"{name} over {MANY_GAMES:,} games, first look, of over {FEW_GAMES:,}", value, FIRST_GOAL)
            )
        size = many.bytes_a_hand()
        results.append(report(f"database, bytes a hand at {MANY_GAMES:,} games", size, SIZE_GOAL))
    return results


@contextmanager
def _clubs(few: int, many: int) -> Iterator[tuple[Grown, Grown]]:
    """Yield two clubs of these numbers of hands."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        yield Grown.of(one, few), Grown.of(other, many)


def _ratio(page: str, few: Grown, many: Grown, rounds: int, *, first: bool = False) -> float:
    freeze_garbage()  # as a worker does
    many.seconds(page, first=first), few.seconds(page, first=first)
    took = [(many.seconds(page, first=first), few.seconds(page, first=first)) for _ in range(rounds)]
    return statistics.median(one for one, _ in took) / statistics.median(other for _, other in took)


if __name__ == "__main__":
    raise SystemExit(not all(pages()))
