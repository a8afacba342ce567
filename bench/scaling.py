"""Capacity of one PostgreSQL: with one, two and four servers of one process each, and its cost per hand.

    python -m bench.scaling                                    20 tables, two minutes of their evening
    python -m bench.scaling --tables 8 --minutes 1

Each server has its own instance folder, as on a separate machine; they share the secret key and the database. The
tables of `bench.night` play as fast as the servers respond. The cost of a hand (its page, four taps, the save, and the
reading phones) is measured as CPU time, separately for servers and database, and by the database's own counters.
Everything runs on this machine, including the phones: so the rate stops growing when the cores are busy, and the gain
of a further machine follows from the cost of a hand on each side.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg

from .club_night import percentiles, served
from .databases import databases
from .night import AS_FAST_AS_IT_GOES, HAND_SECONDS, Night, seat_tables
from .report import write

SERVERS = (1, 2, 4)
LONGEST = 300  # seconds, for each number of servers
WARM_UP = 1  # minute of the evening: templates and queries are compiled once per process
HOUR_HANDS = 3600 / HAND_SECONDS
STATEMENT = re.compile("LOG:  (statement|execute [^:]*): ")
BEGIN = re.compile(": BEGIN")
BEGIN_OR_END = re.compile(": (BEGIN|COMMIT|ROLLBACK)")
TICKS = os.sysconf("SC_CLK_TCK")


class Count(NamedTuple):
    """Counters of the database, or their growth."""

    transactions: int
    connections: int
    logged: int  # bytes of the write-ahead log
    size: int  # bytes of tables and indexes
    statements: int

    def since(self, before: Count) -> Count:
        return Count(*(now - then for now, then in zip(self, before, strict=True)))


class Database:
    """A PostgreSQL server that logs every statement, so that they can be counted."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._folder = Path(self._value("SELECT current_setting('data_directory')"))
        self.process = int((self._folder / "postmaster.pid").read_text().split()[0])

    def _value(self, query: str) -> str:
        row = self._connection.execute(query).fetchone()  # type: ignore[call-overload]
        return str(row[0])

    def log_statements(self, on: bool) -> None:
        self._connection.execute(f"ALTER SYSTEM SET log_statement = '{'all' if on else 'none'}'")  # type: ignore[call-overload]
        self._connection.execute("SELECT pg_reload_conf()")

    def count(self) -> Count:
        statements = self._statements()
        mine = "FROM pg_stat_database WHERE datname = current_database()"
        self._value("SELECT pg_stat_clear_snapshot()")
        return Count(
            sum(BEGIN.search(line) is not None for line in statements),
            int(self._value(f"SELECT sessions {mine}")),
            int(self._value("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")),
            int(self._value("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'")),
            sum(BEGIN_OR_END.search(line) is None for line in statements),
        )

    def _statements(self) -> list[str]:
        """Return the first line of each logged statement."""
        with (self._folder / "log").open(encoding="utf-8", errors="replace") as log:
            return [line for line in log if STATEMENT.search(line)]

    def close(self) -> None:
        self._connection.close()


def busy_seconds(process: int) -> float:
    """Return the CPU time of a process and its descendants in seconds; 0 if it has just ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, stat[11:15])) / TICKS + sum(busy_seconds(int(child)) for child in children)


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


# --- one run after another ----------------------------------------------------------------------------------------


class Run(NamedTuple):
    """A run with `servers` servers: CPU time of both sides, and the database's counters."""

    servers: int
    night: Night
    serving: float  # CPU time of the servers
    database: float  # CPU time of the database
    count: Count

    @property
    def errors(self) -> int:
        return self.night.errors.total()

    @property
    def tables(self) -> float:
        """Number of tables that this rate serves in real time."""
        return self.night.saved / self.night.seconds * HAND_SECONDS


def run(url: str, servers: int, tables: int, minutes: float, *, counted: bool = False) -> Run:
    """Play with `servers` servers, as fast as they respond."""
    with served(url, servers, SCOREKEEPER_WORKERS="1") as running, opened(url) as database:
        ports = [server.port for server in running]
        seated = asyncio.run(seat_tables(ports[0], tables))
        asyncio.run(Night(ports, WARM_UP, AS_FAST_AS_IT_GOES, LONGEST).play(seated))
        database.log_statements(counted)
        night = Night(ports, minutes, AS_FAST_AS_IT_GOES, LONGEST)
        processes = [server.process for server in running]
        before, busy = database.count(), [*map(busy_seconds, processes), busy_seconds(database.process)]
        asyncio.run(night.play(seated))
        after = [*map(busy_seconds, processes), busy_seconds(database.process)]
        spent = [now - then for now, then in zip(after, busy, strict=True)]
        found = database.count().since(before)
        database.log_statements(False)
    return Run(servers, night, sum(spent[:-1]), spent[-1], found)


def told(runs: Sequence[Run], counted: Run) -> Iterator[str]:
    """Yield the results for docs/scaling.md."""
    yield "servers | tables at the pace of life | saves: half within | 99 in 100 | servers, a hand | database"
    yield "--- | --- | --- | --- | --- | ---"
    for each in runs:
        half, slow = percentiles(each.night.took["save"])
        serving, storing = (f"{busy / each.night.saved * 1000:.0f} ms" for busy in (each.serving, each.database))
        yield f"{each.servers} | {each.tables:.0f} | {half} | {slow} | {serving} | {storing}"
    yield from ("", *told_of_hands(counted))


def told_of_hands(counted: Run) -> Iterator[str]:
    """Yield the cost of a hand in the database, from its counters."""
    hands, count = counted.night.saved, counted.count
    yield "a hand, with all that its table asks meanwhile | mean"
    yield "--- | ---"
    yield f"requests | {counted.night.requests / hands:.0f}"
    yield f"statements | {count.statements / hands:.0f}"
    yield f"transactions | {count.transactions / hands:.0f}"
    yield f"bytes of the write-ahead log | {count.logged / hands:,.0f}"
    yield f"bytes kept, with indexes | {count.size / hands:,.0f}"
    yield f"100 tables, in an hour | {100 * HOUR_HANDS * count.size / hands / 1e6:.0f} MB"
    yield ""
    yield f"{counted.night.requests:,} requests opened {count.connections} connections to the database."


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description="What one PostgreSQL carries.")
    parser.add_argument("--tables", type=int, default=20, help="how many (default: 20)")
    parser.add_argument("--minutes", type=float, default=2, help="how long their evening is (default: 2)")
    chosen = parser.parse_args()
    with databases("postgresql") as make:
        runs = [run(make(f"by_{servers}"), servers, chosen.tables, chosen.minutes) for servers in SERVERS]
        counted = run(make("counted"), 1, chosen.tables, chosen.minutes, counted=True)
    lines = list(told(runs, counted))
    print("\n".join(lines))
    write("scaling.md", "servers", lines)
    for each in (*runs, counted):
        for error, number in each.night.errors.most_common(5):
            print(f"{each.servers} servers: {number} times {error}", file=sys.stderr)
    return int(any(each.errors for each in (*runs, counted)))


if __name__ == "__main__":
    raise SystemExit(main())
