"""Pages of games filtered by day, each time by another day, so that no cache applies; and a late correction.

Measured in this process as CPU time, alternating with a bare page of as many rows as the table. The goal is 150 ms,
converted to a number of bare pages measured in the same run.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from flask.testing import FlaskClient
from sqlalchemy import func, select

from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.models import Club, Game
from scorekeeper.services import hands as hand_service
from scorekeeper.serving.serve import freeze_garbage
from scorekeeper.stats import ratings
from tests.web.phones import ManagersPhone

from . import club, servers
from .report import report

SIZES = 1_000, 20_000
PLAYERS = 60
ROUNDS = 9
GOAL = 0.150  # seconds of CPU time
PAGES = {
    "the table by wins": "standings?from={day}",
    "the table by rating": "standings?by=rating&from={day}",
    "the table by win %": "standings?by=share&from={day}",
    "the charts": "standings/charts?from={day}",
    "the partners": "standings/partners?from={day}",
    "the records": "standings/records?from={day}",
    "bids that pay": "bids?from={day}",
}


class FilteredClub(NamedTuple):
    """A club, requested in this process."""

    hands: int
    browser: FlaskClient
    address: str
    first: date
    days: count[int]

    @classmethod
    def of(cls, folder: Path, hands: int) -> FilteredClub:
        folder.mkdir()
        url = f"sqlite:///{folder}/club.sqlite"
        key, number = club.make_club(url, hands, PLAYERS)
        app = create_app({"INSTANCE": str(folder), "DATABASE_URL": url})
        app.test_client_class = ManagersPhone
        freeze_garbage()  # as the server does
        with app.app_context():
            first = db.session.scalar(select(func.min(Game.played))) or date.min
        return cls(number, app.test_client(), f"/c/{key}/", first, count(1))

    def page(self, where: str) -> None:
        """Request a page of all games: those since a day before the first one, a different day each time."""
        day = self.first - timedelta(days=next(self.days))
        answer = self.browser.get(self.address + where.format(day=day))
        assert answer.status_code == 200, f"{where}: {answer.status_code}"

    def catch_up(self) -> None:
        """Compute the ratings that a correction has deferred; not measured."""
        with self.browser.application.app_context():
            ratings.catch_up(db.session.scalars(select(Club)).one())

    def correct(self) -> None:
        """Correct the first hand of the first game, which changes every later rating; their computation is deferred."""
        with self.browser.application.app_context():
            game = db.session.scalars(select(Game).order_by(Game.played, Game.number).limit(1)).one()
            loser = next(unit for unit in game.table.units if unit not in game.score.winners)
            told = [{"unit": loser, "points": -next(self.days) % 5 - 5, "reason": "revoke"}]
            version = game.hands[0].version
            hand_service.adjust(game, 1, told, hand_version=version, token=f"correction-{next(self.days)}")


def bare_page(folder: Path) -> Callable[[], object]:
    """Return a function that requests a bare page of as many rows, in this process too."""
    found = {servers.BARE: f"sqlite:///{folder}/bare.sqlite"}
    with patch.dict(os.environ, found), patch.object(servers, "ROWS", PLAYERS):
        browser = servers.bare_page().test_client()
    return lambda: browser.get("/")


class Bare(NamedTuple):
    """A bare page, and how many of them correspond to the goal."""

    page: Callable[[], object]
    goal: float

    @classmethod
    def of(cls, folder: Path) -> Bare:
        page = bare_page(folder)
        page()
        took = [_seconds(lambda: [page() for _ in range(10)]) / 10 for _ in range(ROUNDS)]
        print(f"a bare page of {PLAYERS} rows: {statistics.median(took) * 1000:.2f} ms", flush=True)
        return cls(page, GOAL / statistics.median(took))

    def ratio(self, work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
        """Return the CPU time of `work` relative to the page; in each round it runs once and the page ten times."""
        before(), work()
        return statistics.median(self._round(work, before) for _ in range(ROUNDS))

    def _round(self, work: Callable[[], object], before: Callable[[], object]) -> float:
        before()
        return _seconds(work) / (_seconds(lambda: [self.page() for _ in range(10)]) / 10)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def filtered() -> list[bool]:
    """Run all measurements of this module."""
    with tempfile.TemporaryDirectory() as made:
        bare, results = Bare.of(Path(made)), []
        for hands in SIZES:
            one = FilteredClub.of(Path(made, str(hands)), hands)
            ratios = {name: bare.ratio(partial(one.page, where)) for name, where in PAGES.items()}
            print(*(f"{name} by day, {hands:,} hands: {found:.2f}" for name, found in ratios.items()), sep="\n")
            page = max(ratios, key=ratios.__getitem__)
            name = f"of {len(PAGES)} pages by day, {hands:,} hands: most, {page}"
            results.append(report(name, ratios[page], bare.goal))
        correction = bare.ratio(one.correct, one.catch_up)
        results.append(report(f"correct the first of {hands:,} hands", correction, bare.goal))
        return results


if __name__ == "__main__":
    raise SystemExit(not all(filtered()))
