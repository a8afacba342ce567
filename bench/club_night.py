"""Load test of one server: 50 tables with five phones each, and how long a save takes meanwhile.

    python -m bench.club_night                                  an hour at 50 tables, on SQLite
    python -m bench.club_night --database postgresql
    python -m bench.club_night --tables 8 --minutes 10 --seconds 30

The server is `scorekeeper run`. First a few minutes of the evening are played as fast as it responds, which is its
maximum rate. Then the evening is played at three quarters of that, for at most `--seconds`, and save times are reported
with the speed relative to real time. Finally all hands are looked up in the database, and all statistics verified. The
exit status is 1 after any error.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select

from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.models import Hand

from .databases import KINDS, Make, databases
from .night import AS_FAST_AS_IT_GOES, HAND_SECONDS, WORDS, Night, seat_tables
from .report import report
from .servers import connect, free_port

TABLES, MINUTES = 50, 60
MINUTES_TO_TRY = 2  # of the evening, at the maximum rate
PART_OF_THAT = 0.75
REAL = 1.0  # never slower than real time

PACE, PACED_MINUTES = 8, 8  # `make bench` plays eight minutes of the evening in one
SAVE_GOALS = {"sqlite": 400, "postgresql": 600}  # milliseconds

SERVER = (sys.executable, "-m", "scorekeeper")


class Server(NamedTuple):
    """A running server: its port, and the id of its parent process."""

    port: int
    process: int


@contextmanager
def served(url: str, servers: int = 1, **settings: str) -> Iterator[list[Server]]:
    """Run `servers` real servers on one database, each with its own instance folder."""
    shared = {"PYTHONPATH": str(Path(__file__).parent.parent), "SCOREKEEPER_DATABASE_URL": url, **settings}
    shared["SCOREKEEPER_SECRET_KEY"] = secrets.token_urlsafe(48)
    with ExitStack() as stack:
        yield [stack.enter_context(_one_server(shared)) for _ in range(servers)]


@contextmanager
def _one_server(settings: dict[str, str]) -> Iterator[Server]:
    port = free_port()
    command = [*SERVER, "run", "--host", "127.0.0.1", "--port", str(port)]
    with tempfile.TemporaryDirectory() as instance:
        environment = os.environ | settings | {"SCOREKEEPER_INSTANCE": instance}
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
            try:
                connect(port).close()
                yield Server(port, server.pid)
            finally:
                server.terminate()


async def play(ports: list[int], tables: int, minutes: float, seconds: float) -> tuple[Night, Night]:
    """Play a few minutes at the maximum rate, then the evening, which ends after `seconds` at the latest."""
    seated = await seat_tables(ports[0], tables)
    fast = Night(ports, min(minutes, MINUTES_TO_TRY), AS_FAST_AS_IT_GOES, seconds)
    await fast.play(seated)
    pressure = max(REAL, PART_OF_THAT * fast.reached(tables))
    night = Night(ports, minutes, pressure, max(seconds, HAND_SECONDS / pressure))
    await night.play(seated)
    return fast, night


def at_eight_times(make: Make, kind: str) -> list[bool]:
    """The 99th percentile of save times at 50 tables that play eight times faster than real, for a minute."""
    url = make("tables")
    with served(url) as running:
        ports = [server.port for server in running]
        night = asyncio.run(_at_pace(ports, PACE))
    check(url, night.saved)
    assert not errors(night), night.errors
    slowest = sorted(night.took["save"])[int(len(night.took["save"]) * 0.99)] * 1000
    print(f"{TABLES} tables at {night.reached(TABLES):.1f} times real: {len(night.took['save'])} hands")
    return [report(f"{TABLES} tables at {PACE} times real: a save, 99 in 100, ms", slowest, SAVE_GOALS[kind])]


async def _at_pace(ports: list[int], pace: float) -> Night:
    night = Night(ports, PACED_MINUTES, pace, HAND_SECONDS * PACED_MINUTES)
    await night.play(await seat_tables(ports[0], TABLES))
    return night


def told(database: str, fast: Night, night: Night, tables: int) -> Iterator[str]:
    """Yield the results as a table for the docs and two sentences."""
    minutes = night.saved * HAND_SECONDS / 60 / tables
    most, pace = (f"{each.reached(tables):.1f} times faster than real" for each in (fast, night))
    yield f"{tables} tables on {database}: at most {most}."
    yield f"{minutes:.0f} minutes of their evening in {night.seconds:.0f} s, {pace}:"
    yield from ("", "what | how often | half within | 99 in 100 within", "--- | --- | --- | ---")
    for what, took in night.took.items():
        yield f"{WORDS[what]} | {len(took):,} | {' | '.join(percentiles(took))}"
    rate = night.requests / night.seconds
    yield from ("", f"{night.requests:,} requests, {rate:.0f} a second; {errors(fast, night)} errors.")
    for error, number in (fast.errors + night.errors).most_common(10):
        yield f"- {number} times {error}"


def percentiles(took: list[float]) -> list[str]:
    """Return the median and the 99th percentile as text."""
    waited = sorted(took) or [0.0]
    return [f"{waited[int(len(waited) * part)] * 1000:.0f} ms" for part in (0.5, 0.99)]


def errors(*nights: Night) -> int:
    return sum(night.errors.total() for night in nights)


def check(url: str, saved: int) -> None:
    """Check that every confirmed hand is stored exactly once, and that the statistics match the hands."""
    with tempfile.TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance, "DATABASE_URL": url})
        with app.app_context():
            found = db.session.scalar(select(func.count()).select_from(Hand))
            db.session.remove()
            db.engine.dispose()
        assert found == saved, f"{saved} hands were saved, {found} are there"
        environment = os.environ | {"SCOREKEEPER_INSTANCE": instance, "SCOREKEEPER_DATABASE_URL": url}
        subprocess.run([*SERVER, "verify"], env=environment, check=True, stdout=subprocess.DEVNULL)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.club_night", description="A club's night, faster than life.")
    parser.add_argument("--database", choices=KINDS, default="sqlite")
    parser.add_argument("--tables", type=int, default=TABLES, help="how many (default: 50)")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long the evening is (default: 60)")
    parser.add_argument("--seconds", type=float, default=600, help="the most that it may take here (default: 600)")
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    with databases(chosen.database) as make:
        url = make("night")
        with served(url) as running:
            ports = [server.port for server in running]
            fast, night = asyncio.run(play(ports, chosen.tables, chosen.minutes, chosen.seconds))
        check(url, fast.saved + night.saved)
    print("\n".join(told(chosen.database, fast, night, chosen.tables)))
    return int(bool(errors(fast, night)))


if __name__ == "__main__":
    raise SystemExit(main())
