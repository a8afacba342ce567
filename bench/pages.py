"""The pages that say what a club's hands come to, over twenty thousand hands, of what they take over a thousand.

Asked for in this process, each as it is seen for the first time after a game that is not the first of its evening: of
what depends on the tallies nothing is kept but what came of the games before the latest day (stats/query.py). What
single games come to is kept, too, as it is at a club that somebody looks at now and then.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game, Player
from scorekeeper.serving.serve import leave_alone
from tests.web.phones import ManagersPhone

from . import club
from .report import report

FEW, MANY = 1_000, 20_000
ROUNDS = 15
GOAL = 1.5
PAGES = {
    "a player’s page": "players/{player}",
    "the records": "standings/records",
    "the partners": "standings/partners",
    "the story of a game": "games/{game}/story",
}


class Grown(NamedTuple):
    """A club with so many hands, asked in this process."""

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

    def seconds(self, page: str) -> float:
        """How long the processor works on a page after a change of the latest evening."""
        with self.app.app_context(), db_write() as session:
            session.execute(update(Club).values(stats_version=Club.stats_version + 1))
        start = time.process_time()
        answer = self.browser.get(self.address + page.format(player=self.player, game=self.game))
        assert answer.status_code == 200, f"{page}: {answer.status_code}"
        return time.process_time() - start


def pages() -> list[bool]:
    """Every line."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        few, many = Grown.of(one, FEW), Grown.of(other, MANY)
        leave_alone()  # as a worker does
        return [
            report(f"{name} over {MANY:,} hands, of over {FEW:,}", _ratio(page, few, many), GOAL)
            for name, page in PAGES.items()
        ]


def _ratio(page: str, few: Grown, many: Grown) -> float:
    many.seconds(page), few.seconds(page)
    took = [(many.seconds(page), few.seconds(page)) for _ in range(ROUNDS)]
    return statistics.median(one for one, _ in took) / statistics.median(other for _, other in took)


if __name__ == "__main__":
    raise SystemExit(not all(pages()))
