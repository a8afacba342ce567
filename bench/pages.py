"""The pages that say what a club's hands come to, over twenty thousand hands, of what they take over a thousand.

Asked for in this process, each as it is seen for the first time after a game that is not the first of its evening: of
what depends on the tallies nothing is kept but what came of the games before the latest day (stats/query.py). What
single games come to is kept, too, as it is at a club that somebody looks at now and then.

Then the first look after a game of an earlier day has changed, for which all games are read: over ten thousand games,
of over a thousand; and what a hand of those ten thousand games takes in the file of the database, its log with it.
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
from scorekeeper.serving.serve import leave_alone
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

    def seconds(self, page: str, *, first: bool) -> float:
        """How long the processor works on a page after a change of the latest evening, or of an earlier one."""
        versions = [Club.stats_version, *([Club.history_version] if first else ())]
        with self.app.app_context(), db_write() as session:
            session.execute(update(Club).values({version: version + 1 for version in versions}))
        start = time.process_time()
        answer = self.browser.get(self.address + page.format(player=self.player, game=self.game))
        assert answer.status_code == 200, f"{page}: {answer.status_code}"
        return time.process_time() - start

    def bytes_a_hand(self) -> float:
        """The pages of the database, each hand logged as its form saved it, by the number of hands."""
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
    """Every line."""
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
    """Two clubs with so many hands."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        yield Grown.of(one, few), Grown.of(other, many)


def _ratio(page: str, few: Grown, many: Grown, rounds: int, *, first: bool = False) -> float:
    leave_alone()  # as a worker does
    many.seconds(page, first=first), few.seconds(page, first=first)
    took = [(many.seconds(page, first=first), few.seconds(page, first=first)) for _ in range(rounds)]
    return statistics.median(one for one, _ in took) / statistics.median(other for _, other in took)


if __name__ == "__main__":
    raise SystemExit(not all(pages()))
