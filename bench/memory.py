"""Memory of a worker after a hundred thousand requests, relative to that after the first thousand.

The worker is this process, which handles the requests of a club night without a network, as fast as possible: saved
forms, unknown addresses, and all frequently viewed pages; no two hands are equal. `python -m bench.memory 20000` sets
the number of requests; it ends after TIME at the latest, and reports how far it came.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write, migrate_database
from scorekeeper.models import Club
from scorekeeper.serving.serve import freeze_garbage
from tests.web.phones import ManagersPhone

from . import servers
from .report import report

REQUESTS, FIRST = 100_000, 1_000
TIME = 15 * 60  # seconds
CLUBS, GAMES, MOST_HANDS = 20, 12, 40
GOAL = 1.05
PAGES = ("hands/new", "", "hands/new", "board/now", "hands/new", "history", "share", "story")
OF_CLUB = ("", "standings", "players", "games/", "seasons", "board/now?shown=1", "no-such-page")


class Worker(NamedTuple):
    """The worker's client, and the addresses of clubs and games."""

    phone: FlaskClient
    clubs: list[str]
    games: list[str]
    token: str


def resident() -> int:
    """Return the resident set size of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _filled(app: Flask) -> Worker:
    clubs, games = [], []
    with app.app_context():
        for number in range(CLUBS):
            with db_write() as session:
                session.add(club := Club(name=f"Bench {number}"))
            clubs.append(f"/c/{club.key}/")
            games += [f"{clubs[-1]}games/{servers.game_with(club, 2).number}/" for _ in range(GAMES)]
        db.session.remove()
    phone = app.test_client()
    found = re.search(r'name="csrf_token" value="([^"]+)"', phone.get(f"{games[0]}hands/new").text)
    assert found
    return Worker(phone, clubs, games, found[1])


def _requests(worker: Worker) -> Iterator[None]:
    """Make requests in turn; of ten, four taps, one save, four pages of the game, one of the club."""
    pages, of_club, number = cycle(PAGES), cycle(OF_CLUB), count()
    for position in cycle(range(3, MOST_HANDS)):
        for game in worker.games:
            club = worker.clubs[next(number) % CLUBS]
            tapped = servers.TAPPED | {"bid": str(2 + position % 4), "position": str(position)}
            tapped |= {"csrf_token": worker.token, "token": f"{next(number)}-{position}"}
            for bidder in "1234":
                yield _ask(worker, f"{game}hands/preview", tapped | {"bidder": bidder})
            yield _ask(worker, f"{game}hands/new", tapped | {"do": "save"})
            for _ in range(4):
                yield _ask(worker, game + next(pages))
            yield _ask(worker, club + next(of_club))


def _ask(worker: Worker, address: str, form: dict[str, object] | None = None) -> None:
    answer = worker.phone.post(address, data=form) if form else worker.phone.get(address)
    assert answer.status_code < 500, f"{address}: {answer.status_code}"


def memory(most: int = REQUESTS) -> bool:
    """Make up to `most` requests; return True if the goal is met."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder, "DATABASE_URL": f"sqlite:///{folder}/club.sqlite"})
        migrate_database(app)
        app.test_client_class = ManagersPhone
        freeze_garbage()  # as a worker does
        requests, end = _requests(_filled(app)), time.monotonic() + TIME
        before = done = 0
        for done, _ in enumerate(requests, 1):
            if done <= FIRST:
                before = resident()
            if done in (FIRST, 2 * FIRST) or done % 5_000 == 0:
                print(f"{done:>8,} requests: {resident() / 1e6:.1f} MB", file=sys.stderr, flush=True)
            if done >= most or time.monotonic() > end:
                break
        return report(f"memory of a worker after {done:,} requests, of after {FIRST:,}", resident() / before, GOAL)


if __name__ == "__main__":
    raise SystemExit(not memory(*map(int, sys.argv[1:])))
