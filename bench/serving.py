"""Server cost of a save and related pages, relative to a minimal Flask application.

Both are served in the same way, each by its own server, on databases with equal settings (SQLite with a write-ahead
log, or PostgreSQL; durable commits), and measured alternately. Requests of one phone are compared by CPU time of the
server's processes, which other load hardly changes; waiting times of eight phones by wall-clock time. An unexpected
response aborts the run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import NamedTuple

from scorekeeper.database.session import db, db_write, migrate_database
from scorekeeper.models import Club

from . import servers
from .cookies import links_cookie
from .databases import Make, databases
from .report import report

WRITERS = 8
SAVES = 25  # of each writer in a round
ROUNDS = 5
ROUNDS_OF_PAGES = 100
OPEN, FINISHED = 5, 55
HAND = {"bidder": "1", "bid": "4", "trump": "H", "point-left_jack": "B", "point-game": "B", "do": "save"}
PAGE = 3000  # bytes: less than a compressed page
# Goals for rates relative to the baseline, inverted to ratios of times.
GOALS = {"save": 1 / 0.45, "save and next": 1 / 0.5, "preview": 1 / 0.4, "page": 1 / 0.6, "later": 1.3}
WRITERS_GOALS = {"sqlite": 1.0, "postgresql": 2.0}


class Ours(NamedTuple):
    """Scorekeeper being served: a browser for each writer, addresses, and how to save a game's next hand."""

    phones: list[servers.Browser]
    token: str
    club: str
    games: Iterator[str]  # with twelve hands each, a new one for every save
    long_games: Iterator[str]  # with 59 hands
    short_games: Iterator[str]  # with one hand
    sheet: str

    def save(self, phone: servers.Browser, game: str, position: int) -> None:
        """Save a hand, as the page's form does."""
        where = phone.send(f"{game}hands/new", self.hand(position))
        assert where.endswith("hands/new"), f"not saved: {where}"

    def hand(self, position: int) -> dict[str, str]:
        """Return the form of a hand, with a unique token."""
        seen = {"token": f"{position}-{time.monotonic_ns()}", "csrf_token": self.token}
        return HAND | seen | {"position": str(position)}


def _fill(club: Club) -> dict[str, list[str]]:
    """Create the measured games; return their addresses by purpose."""

    def games(number: int, length: int, **rules: int) -> list[str]:
        return [f"/c/{club.key}/games/{servers.game_with(club, length, **rules).number}/" for _ in range(number)]

    return {
        "twelve": games(ROUNDS_OF_PAGES * 2 + 10 + WRITERS, 12),
        "long": games(12, 59),
        "short": games(12, 1),
        "sheet": games(1, 30),
    }


def _listed() -> str:
    """Create a club of sixty games, five of them open; return its address."""
    with db_write() as session:
        session.add(club := Club(name="Bench, listed"))
    for _ in range(FINISHED):
        servers.game_with(club, 30, target=11)
    for _ in range(OPEN):
        servers.game_with(club, 7)
    return f"/c/{club.key}/"


@contextmanager
def served(make: Make, workers: int) -> Iterator[tuple[Ours, list[servers.Browser]]]:
    """Serve Scorekeeper and the bare application, with `workers` workers of as many threads as ours has."""
    with ExitStack() as stack:
        stack.enter_context(servers.place(make, f"serving_{workers}"))
        app = servers.scorekeeper_page()
        migrate_database(app)
        with app.app_context():
            with db_write() as session:
                session.add(club := Club(name="Bench"))
            games, listed = _fill(club), _listed()
            cookie = links_cookie(app, f"/c/{club.key}/", listed)
            db.session.remove()
            db.engine.dispose()
        ours, bare = (
            [servers.Browser(one, own) for one in stack.enter_context(servers.served_to(application, WRITERS, workers))]
            for application, own in (("scorekeeper_page", cookie), ("bare_page", ""))
        )
        token = ours[0].token_of(f"{games['sheet'][0]}hands/new")
        for phone in ours[1:]:
            phone.headers["Cookie"] = ours[0].headers["Cookie"]
        rest = (iter(games[kind]) for kind in ("twelve", "long", "short"))
        yield Ours(ours, token, listed, *rest, games["sheet"][0]), bare


class OnePhone:
    """The requests of one phone, to Scorekeeper and to the bare application."""

    def __init__(self, ours: Ours, bare: servers.Browser) -> None:
        self.ours, self.bare, self.phone = ours, bare, ours.phones[0]
        self._taps = count()

    def ratio(self, work: Callable[[], object], bare: Callable[[], object], rounds: int = ROUNDS_OF_PAGES) -> float:
        return servers.ratio(work, bare, [self.phone, self.bare], rounds)

    def save(self) -> None:
        self.ours.save(self.phone, next(self.ours.games), 13)

    def save_and_go_on(self) -> None:
        """Save as the page's script does: the response contains the page of the next hand."""
        self.phone.headers["X-Waiting"] = "now"
        answer = self.phone.ask("POST", f"{next(self.ours.games)}hands/new", self.ours.hand(13))
        del self.phone.headers["X-Waiting"]
        assert len(answer) > PAGE, f"no page: {answer!r}"

    def preview(self) -> None:
        tap = servers.TAPPED | {"position": "31", "token": "t", "csrf_token": self.ours.token}
        point = {"point-high": "AB"[next(self._taps) % 2]}
        self.phone.ask("POST", f"{self.ours.sheet}hands/preview", tap | point)

    def page(self, url: str) -> Callable[[], object]:
        return lambda: self.phone.ask("GET", url)

    def later(self) -> None:
        self.ours.save(self.phone, next(self.ours.long_games), 60)

    def sooner(self) -> None:
        self.ours.save(self.phone, next(self.ours.short_games), 2)

    def insert(self) -> None:
        self.bare.send("/", {"name": "Ann"})

    def lines(self) -> None:
        self.bare.ask("GET", "/")

    def insert_and_lines(self) -> None:
        self.insert()
        self.lines()


def one_phone(ours: Ours, bare: servers.Browser) -> list[bool]:
    """Compare the requests of one phone with the baseline."""
    one = OnePhone(ours, bare)
    measured = [
        ("save a hand, of a bare insert", one.save, one.insert, "save"),
        ("save it and show the next, of insert and page", one.save_and_go_on, one.insert_and_lines, "save and next"),
        ("a preview after a tap, of a bare page", one.preview, one.lines, "preview"),
        ("the page of the next hand", one.page(f"{ours.sheet}hands/new"), one.lines, "page"),
        ("the score sheet of 30 hands", one.page(ours.sheet), one.lines, "page"),
        ("the club's page, 60 games of which 5 open", one.page(ours.club), one.lines, "page"),
    ]
    results = [report(name, one.ratio(work, other), GOALS[goal]) for name, work, other, goal in measured]
    return [*results, report("save hand 60, of hand 2", one.ratio(one.later, one.sooner, 10), GOALS["later"])]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def writers(ours: Ours, bare: list[servers.Browser], goal: float) -> list[bool]:
    """The 99th percentile of save times while eight phones save, relative to bare inserts."""
    games, positions = [next(ours.games) for _ in range(WRITERS)], count(13)
    ratios = []
    for _ in range(ROUNDS):
        numbers = [next(positions) for _ in range(SAVES)]

        def save(writer: int, numbers: list[int] = numbers) -> list[float]:
            return [_seconds(lambda at=at: ours.save(ours.phones[writer], games[writer], at)) for at in numbers]

        def insert(writer: int) -> list[float]:
            return [_seconds(lambda: bare[writer].send("/", {"name": "Ann"})) for _ in range(SAVES)]

        for phone in (*ours.phones, *bare):  # reconnect: their distribution over the workers is random
            phone.connect_again()
        ratios.append(_slowest(save) / _slowest(insert))
    return [report(f"{WRITERS} phones save: the slowest in a hundred", statistics.median(ratios), goal)]


def _slowest(work: Callable[[int], list[float]]) -> float:
    """Return the 99th percentile of all writers' waiting times, in seconds."""
    with ThreadPoolExecutor(WRITERS) as pool:
        waited = sorted(seconds for all_of_one in pool.map(work, range(WRITERS)) for seconds in all_of_one)
    return waited[int(len(waited) * 0.99)]


def serving(make: Make, kind: str = "sqlite") -> list[bool]:
    """Run all measurements of this module."""
    with served(make, workers=1) as (ours, bare):
        results = one_phone(ours, bare[0])
    with served(make, workers=2) as (ours, bare):
        return [*results, *writers(ours, bare, WRITERS_GOALS[kind])]


if __name__ == "__main__":
    with databases("sqlite") as make:
        raise SystemExit(not all(serving(make)))
