"""Open pages with event streams: delay of notifications, memory per stream, and the effect on saving.

    python -m bench.live                                   10, 100 and 1,000 listeners, on SQLite
    python -m bench.live --database postgresql
    python -m bench.live --listeners 50 --saves 5          a trial: the docs are not updated

The server is `scorekeeper run`. All listeners are of one club, in which a hand is saved every quarter of a second.
Delays are measured from sending the hand, so they include saving.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scorekeeper.web.hand_entry.warnings import CODES

from .club_night import served
from .databases import KINDS, databases
from .night import Table, seat_tables
from .phone import Phone, Stream
from .report import write

LISTENERS, SAVES = (10, 100, 1000), 20
PAUSE = 0.25  # seconds between two saves
LATEST = 10  # seconds after a save: listeners not notified by then are lost
GOALS = "goals: the last told within 250 ms, saving at most 1.5 times as long"


class Listener:
    """A page with an event stream; `at` is the time of the last notification."""

    def __init__(self, stream: Stream) -> None:
        self.stream, self.at = stream, 0.0

    async def listen(self) -> None:
        async for _ in self.stream.tags():
            self.at = time.perf_counter()


class Told(NamedTuple):
    """Results with `listeners` streams, in seconds and bytes."""

    listeners: int
    first: float
    median: float
    last: float
    saving: float  # median time of a save relative to that without listeners
    memory: float  # per listener


async def save(table: Table, phone: Phone) -> float:
    """Save the table's next hand, restarting a game that is won; return the time of saving."""
    form = table._form(3) | {"do": "save", "warned": CODES}
    start = time.perf_counter()
    answer = await phone.post(f"{table.game}hands/new", form)
    took = time.perf_counter() - start
    table.position += 1
    if not answer.header("Location").endswith("hands/new"):
        again = await phone.post(f"{table.game}again", table._signed())
        table._is_at(again.header("Location"))
    return took


async def saves(table: Table, phone: Phone, number: int) -> float:
    """Return the median time of `number` saves."""
    took = []
    for _ in range(number):
        await asyncio.sleep(PAUSE)
        took.append(await save(table, phone))
    return statistics.median(took)


async def measure(port: int, process: int, table: Table, number: int, of: int) -> Told:
    """Open `number` listeners and measure `of` saves."""
    phone = Phone(port, table.cookie)
    before, held = await saves(table, phone, of), memory(process)
    pages = [Listener(await Stream.open(port, f"{table.club}live", table.cookie)) for _ in range(number)]
    tasks = [asyncio.create_task(page.listen()) for page in pages]
    await asyncio.sleep(1)
    grown = memory(process) - held
    waited, took = [], []
    for _ in range(of):
        await asyncio.sleep(PAUSE)
        start = time.perf_counter()
        took.append(await save(table, phone))
        waited.append(await told_since(pages, start))
    for page in pages:
        page.stream.writer.close()
    await asyncio.gather(*tasks)
    after = await saves(table, phone, of)
    first, middle, last = (statistics.median(times) for times in zip(*waited, strict=True))
    return Told(number, first, middle, last, statistics.median(took) * 2 / (before + after), grown / number)


async def told_since(pages: list[Listener], start: float) -> tuple[float, float, float]:
    """Return after how long the first, median and last listener was notified of a save sent at `start`."""
    while any(page.at < start for page in pages):
        await asyncio.sleep(0.005)
        assert time.perf_counter() < start + LATEST, f"{sum(page.at < start for page in pages)} were not told"
    times = sorted(page.at - start for page in pages)
    return times[0], statistics.median(times), times[-1]


def memory(process: int) -> int:
    """Return the memory of a server's processes in bytes, shared pages counted once (Linux)."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    held = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in (str(process), *children)]
    return sum(int(line.split()[1]) * 1024 for text in held for line in text.splitlines() if line.startswith("Pss:"))


async def all_of(port: int, process: int, listeners: tuple[int, ...], number: int) -> list[Told]:
    table = (await seat_tables(port, 1))[0]
    return [await measure(port, process, table, each, number) for each in listeners]


def lines_of(results: list[Told], number: int) -> Iterator[str]:
    yield f"Medians of {number} saves each; {GOALS}."
    yield ""
    yield "listeners | first told | median | last | saving, of saving with none | memory of each"
    yield "--- | --- | --- | --- | --- | ---"
    for one in results:
        times = " | ".join(f"{seconds * 1000:.0f} ms" for seconds in (one.first, one.median, one.last))
        yield f"{one.listeners:,} | {times} | {one.saving:.2f} | {one.memory / 1024:.0f} KiB"


def raise_file_limit() -> None:
    """Raise this process's limit of open files to the system's maximum."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.live", description="Open pages that listen.")
    parser.add_argument("--database", choices=KINDS, default="sqlite")
    parser.add_argument("--listeners", type=int, nargs="*", default=LISTENERS)
    parser.add_argument("--saves", type=int, default=SAVES)
    chosen = parser.parse_args()
    raise_file_limit()
    with databases(chosen.database) as make, served(make("live")) as running:
        port, process = running[0]
        results = asyncio.run(all_of(port, process, tuple(chosen.listeners), chosen.saves))
    lines = list(lines_of(results, chosen.saves))
    print("\n".join(lines))
    if (tuple(chosen.listeners), chosen.saves) == (LISTENERS, SAVES):
        write("speed.md", f"live {chosen.database}", lines)
    return int(results[-1].last > 0.25 or results[-1].saving > 1.5)


if __name__ == "__main__":
    raise SystemExit(main())
