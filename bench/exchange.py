"""Streaming export and import of a whole club: time relative to json for the same lines, and memory.

Each is measured in a separate process, with a tenth of the hands and with all of them. `python -m bench.exchange` uses
100,000 hands; `make bench`, which must be quick, uses fewer.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write, migrate_database
from scorekeeper.models import Club
from scorekeeper.serving.serve import freeze_garbage
from scorekeeper.transfer.club_writer import to_line, write_club
from scorekeeper.transfer.importer import import_as_new_club
from tests.stats.big_club import fill

from .report import report

HANDS = 20_000
ALL_HANDS = 100_000
BASE_GAMES = 400
MEMORY_GOAL = 1.15
EXPORT_GOAL = 25
IMPORT_GOAL = 25


def make_file(path: Path, hands: int) -> int:
    """Write a club file of at least `hands` hands, repeating some simulated games; return their exact number."""
    base = _base()
    games = [json.loads(line) for line in base if '"x-uid"' in line]
    numbers = range(1, 1 + hands * len(games) // sum(len(game["hands"]) for game in games) + 1)
    head = json.loads(base[0]) | {"games": len(numbers)}
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(to_line(head))
        file.writelines(line for line in base[1:] if '"x-uid"' not in line)
        for number in numbers:
            game = games[number % len(games)]
            file.write(to_line(_copy(game, number)))
            count += len(game["hands"])
    return count


def _base() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder})
        migrate_database(app)
        with app.app_context():
            with db_write() as session:
                session.add(club := Club(name="Bench"))
            fill(club, players=40, games=BASE_GAMES, seed=1)
            return list(write_club(club))


def _copy(game: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a copy of a game on another night, with a log as if its hands had been recorded in turn."""
    entry = {"kind": "record", "at": game["x-created"]}
    log = [
        {"kind": "record", "position": place, "after": facts, "token": f"t{place}", "at": entry["at"]}
        for place, facts in enumerate(game["hands"], 1)
    ]
    played = date(2020, 1, 1) + timedelta(days=number // 12)
    return game | {"x-uid": f"game {number}", "x-number": number, "played": played.isoformat(), "x-log": log}


# --- in a separate process ----------------------------------------------------------------------------------------


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak() -> float:
    """Return the peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def bring(path: Path) -> None:
    with path.open("rb") as file:
        import_as_new_club(None, file)


def write(path: Path) -> None:
    club = db.session.query(Club).one()
    with path.open("w", encoding="utf-8") as file:
        file.writelines(write_club(club))


def plain(path: Path) -> None:
    """The baseline: parse and serialize every line with json."""
    with path.open(encoding="utf-8") as lines, Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        nowhere.writelines(json.dumps(json.loads(line)) for line in lines)


WORK = {"import": bring, "export": write, "plain": plain}


def measure(what: str, instance: Path, path: Path) -> None:
    """Run one task, and print its time and the process's peak memory."""
    app = create_app({"INSTANCE": instance})
    freeze_garbage()  # as a worker does
    with app.app_context():
        print(json.dumps([timed(lambda: WORK[what](path)), peak()]))


def apart(what: str, instance: Path, path: Path) -> tuple[float, float]:
    command = [sys.executable, "-m", "bench.exchange", what, str(instance), str(path)]
    seconds, megabytes = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return seconds, megabytes


# --- the report ---------------------------------------------------------------------------------------------------


def rounds(hands: int) -> Iterator[dict[str, tuple[float, float]]]:
    """Yield the results with a tenth of the hands, then with all; checks that the export equals the imported file."""
    for some in (hands // 10, hands):
        with tempfile.TemporaryDirectory() as folder:
            instance, file, again = Path(folder) / "i", Path(folder) / "club.jsonl", Path(folder) / "again.jsonl"
            instance.mkdir()
            count = make_file(file, some)
            print(f"a club of {count} hands, {file.stat().st_size / 1e6:.0f} MB", flush=True)
            migrate_database(create_app({"INSTANCE": instance}))
            found = {"import": apart("import", instance, file), "export": apart("export", instance, again)}
            assert _hash(file) == _hash(again), "the file has not come back to the byte"
            yield found | {"plain": apart("plain", instance, file)}


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def exchange(hands: int = HANDS) -> list[bool]:
    """Memory with all hands relative to a tenth of them, and time relative to json."""
    few, many = rounds(hands)
    results = []
    for what, goal in (("export", EXPORT_GOAL), ("import", IMPORT_GOAL)):
        name = f"{what} {hands} hands"
        results.append(report(f"{name}: memory, of that for a tenth", many[what][1] / few[what][1], MEMORY_GOAL))
        results.append(report(f"{name}: time, of json for the same lines", many[what][0] / many["plain"][0], goal))
    return results


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(0 if all(exchange(int(sys.argv[1]) if len(sys.argv) > 1 else ALL_HANDS)) else 1)
