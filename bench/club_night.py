"""A club's night at one server: many tables, at each a phone that scores and three more that read, faster than life.

    python -m bench.club_night                                  50 tables, an hour in a minute
    python -m bench.club_night --tables 8 --minutes 10 --seconds 30

At each table a hand is saved every 20 seconds of the evening, and every phone looks at a page: the one that scores at
the next hand, the others at the score sheet, the board or the club's page. The server is the one that `scorekeeper run`
starts, on SQLite, or on the database that SCOREKEEPER_DATABASE_URL names (it gets a club more). It prints what was
asked, what went wrong, and how long a save and a page took. A machine that is too slow makes the evening longer: every
phone waits for its answer, and asks again when its time has come or is past. The exit status is 1 after any error.
"""

from __future__ import annotations

import argparse
import http.client
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from scorekeeper.web.hand_entry.warnings import CODES

from .servers import Browser, connect, free_port

BETWEEN_HANDS = 20  # seconds of the evening
READERS = 3  # at each table, besides the phone that scores
WORDS = {"save": "a hand saved", "page": "a page opened", "game": "a game started"}
NAMES = ("Ann", "Bo", "Cy", "Di")


class Night:
    """An evening that goes by: its pace, and what happened."""

    def __init__(self, port: int, minutes: float, seconds: float) -> None:
        self.port = port
        self.hands = round(minutes * 60 / BETWEEN_HANDS)  # at each table
        self.step = seconds / self.hands
        self.began = 0.0
        self.took: dict[str, list[float]] = {"save": [], "page": [], "game": []}
        self.errors: Counter[str] = Counter()

    def phone(self) -> Browser:
        return Browser(connect(self.port))

    def times(self, offset: float) -> Iterator[int]:
        """The hands of the evening, each when it is due; `offset` is a part of the time between two."""
        for number in range(self.hands):
            time.sleep(max(0.0, self.began + (number + offset) * self.step - time.monotonic()))
            yield number

    def measure(self, what: str, phone: Browser, work: Callable[[], object]) -> None:
        """Do something, and keep how long it took or how it failed."""
        start = time.perf_counter()
        try:
            work()
        except (AssertionError, OSError, http.client.HTTPException) as error:
            self.errors[f"{what}: {type(error).__name__} {error}"] += 1
            phone.connection.close()  # it connects again by itself
        else:
            self.took[what].append(time.perf_counter() - start)


class Table:
    """Four players, one of whom scores."""

    def __init__(self, night: Night, number: int, club: str, token: str, cookie: str) -> None:
        self.night, self.number, self.club, self.token, self.cookie = night, number, club, token, cookie
        self.game, self.position = "", 0
        self.start_game(self.phone())

    def phone(self) -> Browser:
        phone = self.night.phone()
        phone.headers["Cookie"] = self.cookie
        return phone

    def start_game(self, phone: Browser) -> None:
        names = {f"name-{seat}": f"{name} of table {self.number}" for seat, name in enumerate(NAMES, 1)}
        seats = {"rules": "classic", "players": "4", "dealer": "4", "do": "start"} | names
        sent = phone.send(f"{self.club}games/new", seats | self._signed())
        self.game, self.position = sent.removesuffix("hands/new"), 1

    def _signed(self) -> dict[str, str]:
        return {"csrf_token": self.token, "token": secrets.token_urlsafe(16)}

    def save(self, phone: Browser) -> None:
        """Save a hand; the teams win in turn, so that a game has about as many hands as a real one."""
        bid = {"bidder": str(self.position % 4 + 1), "bid": "3", "trump": "H", "do": "save", "warned": CODES}
        sent = phone.send(f"{self.game}hands/new", bid | self._signed() | {"position": str(self.position)})
        self.position = self.position + 1 if sent.endswith("hands/new") else 0

    def score(self) -> None:
        phone, offset = self.phone(), self.number * 0.37 % 1
        for _ in self.night.times(offset):
            self.night.measure("save", phone, lambda: self.save(phone))
            if not self.position:  # the game is won
                self.night.measure("game", phone, lambda: self.start_game(phone))
            self.night.measure("page", phone, lambda: phone.ask("GET", f"{self.game}hands/new"))

    def read(self, reader: int) -> None:
        phone, offset = self.phone(), (self.number * 0.37 + reader / (READERS + 1)) % 1
        for number in self.night.times(offset):
            page = (self.game, f"{self.game}board", self.club)[(number + reader) % 3]
            self.night.measure("page", phone, lambda page=page: phone.ask("GET", page))


@contextmanager
def served() -> Iterator[int]:
    """The real server, with an instance folder of its own; its port."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-m", "scorekeeper", "run", "--host", "127.0.0.1", "--port", str(port)]
        environment = os.environ | {"SCOREKEEPER_INSTANCE": folder, "PYTHONPATH": str(Path(__file__).parent.parent)}
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
            try:
                yield port
            finally:
                server.terminate()


def begin(night: Night, tables: int) -> list[Table]:
    """A club, and a game begun at each of its tables."""
    phone = night.phone()
    token = phone.token_of("/")
    club = phone.send("/clubs", {"name": "A long night", "csrf_token": token})
    cookie = phone.headers["Cookie"]
    return [Table(night, number, club, token, cookie) for number in range(1, tables + 1)]


def play(night: Night, tables: list[Table]) -> float:
    """Play the evening; how many seconds it took."""
    phones = [Thread(target=table.score) for table in tables]
    phones += [Thread(target=table.read, args=(reader,)) for table in tables for reader in range(1, READERS + 1)]
    night.began = time.monotonic()
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    return time.monotonic() - night.began


def told(night: Night, seconds: float) -> Iterator[str]:
    """What happened, line by line."""
    for what, took in night.took.items():
        waited = sorted(took) or [0.0]
        halfway, slow = (round(waited[int(len(waited) * part)] * 1000) for part in (0.5, 0.99))
        yield f"{len(took):,} times {WORDS[what]}: half within {halfway} ms, 99 in 100 within {slow} ms"
    requests = sum(map(len, night.took.values()))
    yield f"{requests:,} requests in {seconds:.0f} s, {requests / seconds:.0f} a second; {night.errors.total()} errors"
    for error, count in night.errors.most_common(10):
        yield f"  {count} times {error}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.club_night", description="A club's night, faster than life.")
    parser.add_argument("--tables", type=int, default=50, help="how many (default: 50)")
    parser.add_argument("--minutes", type=float, default=60, help="how long the evening is (default: 60)")
    parser.add_argument("--seconds", type=float, default=60, help="what it is pressed into (default: 60)")
    chosen = parser.parse_args()
    with served() as port:
        night = Night(port, chosen.minutes, chosen.seconds)
        seconds = play(night, begin(night, chosen.tables))
    print("\n".join(told(night, seconds)))
    return int(bool(night.errors))


if __name__ == "__main__":
    raise SystemExit(main())
