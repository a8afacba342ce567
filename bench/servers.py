"""Scorekeeper and a bare Flask application, served in the same way, and clients for them.

Each has its own gunicorn with waitress, as in `scorekeeper run`, and keep-alive connections.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from flask import Flask, redirect, render_template, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from werkzeug.wrappers import Response

from scorekeeper import create_app
from scorekeeper.config import THREADS
from scorekeeper.database.session import database_url, db, db_write, engine_options, migrate_database
from scorekeeper.models import Club, Game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.services.games import create_game

from . import hands
from .cookies import with_new
from .databases import Make

ROWS = int(os.environ.get("BENCH_ROWS", "30"))
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
TAPPED = {"bidder": "1", "bid": "4", "trump": "H", "buried": ["9C", "XB"], "point-left_jack": "B", "point-game": "B"}
SERVED = {"TRANSFER_LIMIT": 1_000_000, "MAX_CONTENT_LENGTH": 1_000_000, "TRUSTED_PROXY": ""}  # read by HttpServer
HEADERS = {"Accept-Encoding": "gzip, deflate, br, zstd", "Content-Type": "application/x-www-form-urlencoded"}
FOLDER, BARE = "BENCH_FOLDER", "BENCH_BARE"  # environment variables for the servers
IDLE_SECONDS = 60  # a connection idle for longer may be closed already


@contextmanager
def place(make: Make, name: str) -> Iterator[str]:
    """Create databases for servers started in the `with` block; yield the URL of Scorekeeper's."""
    with tempfile.TemporaryDirectory() as folder:
        url = make(name)
        found = {FOLDER: folder, "SCOREKEEPER_DATABASE_URL": url, BARE: make(f"{name}_bare")}
        with patch.dict(os.environ, found):
            yield url


def bare_page() -> Flask:
    """A Flask application with only a page of thirty rows, and an address that adds a row to another table."""

    class Base(DeclarativeBase):
        pass

    plain = SQLAlchemy(model_class=Base)

    class Line(plain.Model):  # type: ignore[name-defined]
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]
        score: Mapped[int]

    class Added(plain.Model):  # type: ignore[name-defined]
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]

    app = Flask("bare", template_folder=str(Path(__file__).parent / "templates"))
    url = app.config["SQLALCHEMY_DATABASE_URI"] = database_url(os.environ[BARE])
    # Like ours, a lost connection is replaced; in SQLAlchemy's way, which is a test before every use.
    tests = {"pool_pre_ping": True} if url.startswith("postgresql") else {}
    app.config |= {"SQLALCHEMY_ENGINE_OPTIONS": engine_options(url) | tests, **SERVED}
    plain.init_app(app)
    with app.app_context():
        if plain.engine.dialect.name == "sqlite":
            event.listen(plain.engine, "connect", _like_ours)
        plain.create_all()
        if not plain.session.scalars(select(Line)).first():
            plain.session.add_all([Line(name=f"Player {number}", score=number) for number in range(ROWS)])
            plain.session.commit()
        plain.session.remove()
        plain.engine.dispose()  # workers are forked from here

    @app.get("/")
    def lines() -> str:
        return render_template("lines.html", lines=plain.session.scalars(select(Line)))

    @app.post("/")
    def add() -> Response:
        plain.session.add(Added(name=request.form["name"]))
        plain.session.commit()
        return redirect("/", 303)

    return app


def _like_ours(connection: Any, _record: object) -> None:
    """Use the same SQLite pragmas as Scorekeeper."""
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def scorekeeper_page() -> Flask:
    """Create the Scorekeeper application."""
    return create_app({"INSTANCE": os.environ[FOLDER]})


@contextmanager
def club_in(folder: str) -> Iterator[Club]:
    """Create a club with a game of nine hands in a new database in `folder`, which `served` will use."""
    os.environ |= {FOLDER: folder, "SCOREKEEPER_HTMX_LOCAL": "1"}
    app = scorekeeper_page()
    migrate_database(app)
    with app.app_context():
        with db_write() as session:
            session.add(club := Club(name="Bench"))
        game_with(club, 9)
        yield club
        db.session.remove()


def game_with(club: Club, hand_count: int, *, target: int = 999) -> Game:
    """Create a game with that many hands."""
    rules = find_rules(hands.RULES).override({"win.target": target})
    seats = {"players": 6, "teams": 2, "names": NAMES, "first_dealer": 6}
    game = create_game(club, rules=rules, options={}, **seats)
    for position in range(1, hand_count + 1):
        now, token = read_snapshot(club.key, game.number), str(position)
        if now is None or not now.takes_hands:
            break
        hand_service.record_hand(now, _hand(position), position=position, token=token)
    return game


@lru_cache
def _hand(number: int) -> dict[str, Any]:
    """Return hand `number` as claims."""
    return hands.as_claims(hands.played_hand(number))


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(application: str) -> Iterator[Connection]:
    """Serve one of the two applications with gunicorn; yield a connection."""
    with served_to(application, 1) as connections:
        yield connections[0]


@contextmanager
def served_to(application: str, connections: int, workers: int = 1) -> Iterator[list[Connection]]:
    """Serve one of the two applications with `workers` workers of THREADS threads; yield `connections` connections."""
    port, gunicorn = free_port(), Path(sys.executable).with_name("gunicorn")
    arguments = [
        "--bind",
        f"127.0.0.1:{port}",
        "--worker-class",
        "scorekeeper.serving.worker.WaitressWorker",
        "--preload",
    ]
    arguments += ["--workers", str(workers), "--threads", str(THREADS), "--log-level", "error"]
    with subprocess.Popen([gunicorn, *arguments, f"bench.servers:{application}()"]) as server:
        try:
            yield [connect(port, server.pid) for _ in range(connections)]
        finally:
            server.terminate()


class Connection(http.client.HTTPConnection):
    """A connection to a server whose parent process is known."""

    def __init__(self, port: int, process: int) -> None:
        super().__init__("127.0.0.1", port)
        self.process = process


def connect(port: int, process: int = 0, patience: float = 0.1) -> Connection:
    """Connect as soon as the server listens, retrying every `patience` seconds."""
    end = time.monotonic() + 120  # generous, for a busy machine
    while True:
        connection = Connection(port, process)
        try:
            connection.connect()
            return connection
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(patience)


class Browser:
    """A client with one connection that keeps cookies."""

    def __init__(self, connection: Connection, cookie: str = "") -> None:
        self.connection = connection
        self.headers = HEADERS | ({"Cookie": cookie} if cookie else {})
        self._last = time.monotonic()

    def connect_again(self) -> None:
        """Reconnect; another worker may respond."""
        self.connection.close()
        self.connection.connect()

    def ask(self, method: str, url: str, fields: Mapping[str, str | Sequence[str]] | None = None) -> bytes:
        """Send a request and return the response's body; fails on any status but 200."""
        answer = self._request(method, url, urlencode(fields, doseq=True) if fields else None)
        assert answer.status == 200, f"{method} {url}: {answer.status}"
        if given := answer.headers.get_all("Set-Cookie"):
            self.headers["Cookie"] = with_new(self.headers.get("Cookie", ""), given)
        return answer.read()

    def send(self, url: str, fields: Mapping[str, str | Sequence[str]]) -> str:
        """Send a form that redirects; return the target."""
        answer = self._request("POST", url, urlencode(fields, doseq=True))
        answer.read()
        assert answer.status == 303, f"POST {url}: {answer.status}"
        return answer.getheader("Location") or ""

    def _request(self, method: str, url: str, body: str | None) -> http.client.HTTPResponse:
        if time.monotonic() - self._last > IDLE_SECONDS:
            self.connection.close()  # http.client reconnects by itself
        self.connection.request(method, url, body, self.headers)
        self._last = time.monotonic()
        return self.connection.getresponse()

    def token_of(self, url: str) -> str:
        """Return the CSRF token of the forms of a page."""
        plain = Browser(self.connection, self.headers.get("Cookie", ""))
        plain.headers["Accept-Encoding"] = "identity"
        found = re.search(r'name="csrf_token" value="([^"]+)"', plain.ask("GET", url).decode())
        assert found, f"no form on {url}"
        self.headers["Cookie"] = plain.headers["Cookie"]
        return found[1]


def ratio(
    work: Callable[[], object],
    bare: Callable[[], object],
    asked: Sequence[Browser],
    rounds: int,
    before: Callable[[], object] = lambda: None,
) -> float:
    """Return the median CPU time of the servers for `work` relative to `bare`, run alternately.

    `before` runs before each round and is not measured. CPU time of a database server is not included.
    """
    times: dict[Callable[[], object], list[float]] = {work: [], bare: []}
    for _ in range(rounds):
        before()
        for one in (work, bare):
            start = sum(_spent(browser.connection.process) for browser in asked)
            one()
            times[one].append(sum(_spent(browser.connection.process) for browser in asked) - start)
    return statistics.median(times[work]) / statistics.median(times[bare])


def _spent(process: int) -> float:
    """Return the CPU time of a process and its running descendants in seconds."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    clock = ~process << 3 | 2  # the CPU clock of that process: see clock_getcpuclockid
    return time.clock_gettime(clock) + sum(_spent(int(child)) for child in children)
