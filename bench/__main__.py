"""Print every measured ratio beside its goal and write them into docs/speed.md; exit status 1 if a goal is missed.

python -m bench                             on SQLite
python -m bench --database postgresql       the benchmarks with a database, on PostgreSQL
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import scorekeeper
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import CATALOGUE

from . import club_night, exchange, filtered, hands, memory, pages, servers, serving, standings, taps
from .databases import KINDS, Make, databases
from .report import report, write_ratios

ROUNDS = 15
SCORING_ROUNDS = 100  # of about a millisecond each: many, so that some run undisturbed
SCORING_GOALS = {"claims": 10, "piles": 25, "tricks": 60}
START_UP_GOAL = 4
FIRST_PAGE_GOAL = 3
TABLE_GOAL = 1 / 0.6  # the inverse of the rate relative to the bare page


def seconds(work: Callable[[], object]) -> float:
    """Return the wall-clock time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of one call, which the machine's load hardly changes; for work that does not wait."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ratio(work: Callable[[], object], bare: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median of `work` over `bare`, run alternately so that noise affects both alike."""
    work(), bare()
    return statistics.median(seconds(work) / seconds(bare) for _ in range(rounds))


def scoring() -> list[bool]:
    """Reading, checking and scoring records, relative to parsing their JSON: for one rule set, then for all."""
    results = []
    for level, games in hands.records().items():
        name = f"score a hand from {level}, of json.loads of its record"
        results.append(report(name, _scoring_ratio(games), SCORING_GOALS[level]))
    told = {rules_id: hands.simulated(rules_id) for rules_id in CATALOGUE}
    for level, goal in SCORING_GOALS.items():
        ratios = {rules_id: _scoring_ratio(games[level]) for rules_id, games in told.items()}
        for what, pick in (("least", min), ("most", max)):
            rules_id = pick(ratios, key=ratios.__getitem__)
            name = f"of {len(ratios)} rule sets, from {level}: {what}, {rules_id}"
            results.append(report(name, ratios[rules_id], goal))
    return results


def _scoring_ratio(games: list[dict[str, object]]) -> float:
    texts = [json.dumps(game) for game in games]
    parsed = [json.loads(text) for text in texts]

    def score() -> None:
        for data in parsed:
            score_record(data)

    def parse() -> None:
        for text in texts:
            json.loads(text)

    spent = [(cpu_seconds(score), cpu_seconds(parse)) for _ in range(SCORING_ROUNDS)]
    return min(one for one, _ in spent) / min(other for _, other in spent)


def start_up() -> list[bool]:
    """`scorekeeper score` on one record, relative to starting an empty interpreter; both with compiled modules."""
    # As pip does on installation; a checkout may not be compiled (PYTHONDONTWRITEBYTECODE).
    compileall.compile_dir(str(Path(scorekeeper.__file__).parent), quiet=1)
    command = Path(sys.executable).with_name("scorekeeper")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(hands.records()["claims"][0], file)
        file.flush()

        def score() -> None:
            subprocess.run([command, "score", file.name], check=True, stdout=subprocess.DEVNULL)

        def nothing() -> None:
            subprocess.run([sys.executable, "-c", "pass"], check=True)

        value = ratio(score, nothing)
    return [report("start `scorekeeper score` on one record, of python -c pass", value, START_UP_GOAL)]


def first_page() -> list[bool]:
    """`scorekeeper run` up to its first page, on an existing database, relative to importing Flask and SQLAlchemy."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"SCOREKEEPER_INSTANCE": folder}):
        command = Path(sys.executable).with_name("scorekeeper")
        subprocess.run([command, "migrate"], check=True)

        def start() -> float:
            port, begun = servers.free_port(), time.perf_counter()
            with subprocess.Popen([command, "run", "--port", str(port)], stdout=subprocess.DEVNULL) as server:
                servers.Browser(servers.connect(port, patience=0.005)).ask("GET", "/")
                took = time.perf_counter() - begun
                server.terminate()
            return took

        def imports() -> None:
            subprocess.run([sys.executable, "-c", "import flask, sqlalchemy"], check=True)

        value = statistics.median(start() / seconds(imports) for _ in range(ROUNDS))
    name = "`scorekeeper run` to its first page, of importing Flask and SQLAlchemy"
    return [report(name, value, FIRST_PAGE_GOAL)]


def table(make: Make) -> list[bool]:
    """The standings of forty players, relative to a bare page of forty rows, and to standings after few hands.

    Measured as CPU time of the servers: see bench/serving.py.
    """
    results = []
    with standings.tables(make) as (tables, bare):
        few, *_, many = tables
        for one in tables:
            value = servers.ratio(one.again, lambda: bare.ask("GET", "/"), [one.browser, bare], 100)
            results.append(report(f"standings over {one.hands:,} hands, of a bare page", value, TABLE_GOAL))
        both = [many.browser, few.browser]
        fresh = servers.ratio(many.again, few.again, both, 60, before=lambda: (many.mark_changed(), few.mark_changed()))
        results.append(report(f"the same, new after a game: {many.hands:,} hands, of {few.hands:,}", fresh, 1.5))
        results.append(report("the same, nothing new", servers.ratio(many.again, few.again, both, 100), 1.5))
    return results


def main() -> int:
    """Run all benchmarks and write the results into the docs."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="What this costs, of what a bare thing costs.")
    parser.add_argument("--database", choices=KINDS, default="sqlite")
    kind = parser.parse_args().database
    with databases(kind) as make:
        results = [*serving.serving(make, kind), *table(make), *club_night.at_eight_times(make, kind)]
    if kind == "sqlite":  # benchmarks without a database, or with their own
        results += [
            *scoring(),
            *start_up(),
            *first_page(),
            *pages.pages(),
            *filtered.filtered(),
            *exchange.exchange(),
            *taps.taps(),
            memory.memory(),
        ]
    write_ratios(kind)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
