"""`scorekeeper export` and `scorekeeper import` as processes; a process killed midway has changed nothing."""

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from scorekeeper import cli, create_app
from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.scoring.record import score_record
from tests.classic import FOUR, record, start_game
from tests.conftest import ROOT, SCOREKEEPER
from tests.transfer.clubs import a_full_club, exported, new_club


@pytest.fixture(scope="module")
def full_instance(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Path:
    """The instance folder of a server whose database has a full club, which is the first, and an empty one."""
    folder = tmp_path_factory.mktemp("full")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    with create_app({"INSTANCE": folder}).app_context():
        a_full_club()
        new_club("Empty")
        db.engine.dispose()
    return folder


@pytest.fixture
def instance(full_instance: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "instance"
    folder.mkdir()
    with sqlite3.connect(full_instance / "scorekeeper.sqlite") as kept:
        kept.backup(sqlite3.connect(folder / "scorekeeper.sqlite"))
    return folder


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command in this process."""

    def run(instance: Path, *arguments: object, stdin: bytes = b"") -> Done:
        monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as asked:
            status = int(str(asked.code))
        return Done(status, *capsysbinary.readouterr())

    return run


def environment(instance: Path) -> dict[str, str]:
    return os.environ | {"SCOREKEEPER_INSTANCE": str(instance), "PYTHONPATH": str(ROOT)}


def keys(instance: Path) -> list[str]:
    with sqlite3.connect(instance / "scorekeeper.sqlite") as connection:
        return [key for (key,) in connection.execute("SELECT key FROM club ORDER BY id")]


def test_out_and_in(run: Run, instance: Path, tmp_path: Path) -> None:
    full, empty = keys(instance)
    file = tmp_path / "club.jsonl"
    file.write_bytes(run(instance, "export", f"http://localhost:8000/c/{full}/").stdout)
    check = run(instance, "import", empty, file, "--check")
    assert b"6 new games for The \xc2\xbbTuesday\xc2\xab club" in check.stdout
    assert run(instance, "export", empty).stdout.count(b"\n") == 1
    done = run(instance, "import", empty, file)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"6 new games imported into The \xc2\xbbTuesday\xc2\xab club" in done.stdout
    assert run(instance, "export", empty).stdout == file.read_bytes()
    again = run(instance, "import", empty, "-", stdin=file.read_bytes())
    assert b"No new games imported into" in again.stdout
    assert b"6 games already saved, identical" in again.stdout


@pytest.mark.parametrize(("arguments", "name"), [([], None), (["A copy"], "A copy")])
def test_a_new_club_on_a_new_server(
    run: Run, instance: Path, tmp_path: Path, arguments: list[str], name: str | None
) -> None:
    content = run(instance, "export", keys(instance)[0]).stdout
    file, other = tmp_path / "club.jsonl", tmp_path / "other"
    file.write_bytes(content)
    done = run(other, "import", "--new", *arguments, file)
    assert done.returncode == 0
    key = keys(other)[0]
    assert f"Its key is {key}".encode() in done.stdout
    first, rest = run(other, "export", name or "The »Tuesday« club, ♠").stdout.split(b"\n", 1)
    assert rest == content.split(b"\n", 1)[1]
    assert json.loads(first)["name"] == (name or "The »Tuesday« club, ♠")


def test_plain_records_can_be_scored(run: Run, instance: Path) -> None:
    records = run(instance, "export", "1", "--records").stdout
    games = [score_record(json.loads(line)) for line in records.splitlines()]
    assert [game.totals for game in games[:2]] == [{"A": 12, "B": 0}, {"A": 4 + 2 + 3 + 4, "B": 0 + 2 + 1 + 0}]
    answers = run(instance, "score", "-", stdin=records).stdout.splitlines()
    assert [json.loads(answer)["totals"] for answer in answers] == [game.totals for game in games]


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (["export", "nobody"], b"", "No club has that name, number, key or link."),
        (["import", "nobody", "-"], b"", "No club has that name, number, key or link."),
        (["import", "KEY", "/no/such/file"], b"", "Can't read /no/such/file: No such file or directory."),
        (["import", "KEY", "-"], b"hello", "Line 1: not JSON: "),
        (["import", "KEY", "-"], b'{"format": "setback-game/1"}', "Line 1, format: this is not a club file"),
        (["import", "KEY", "-"], b"hello", "Nothing was changed."),
        (["import", "KEY"], b"", "give a club and a file"),
        (["import", "--new", "x" * 81, "-"], b"", "Use at most 80 letters for the club's name."),
    ],
)
def test_what_cannot_be(run: Run, instance: Path, arguments: list[str], stdin: bytes, said: str) -> None:
    key = keys(instance)[1]
    done = run(instance, *[key if argument == "KEY" else argument for argument in arguments], stdin=stdin)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert done.stdout == b""
    assert len(keys(instance)) == 2


@pytest.mark.slow
def test_whoever_reads_may_stop(instance: Path) -> None:
    """The reader is gone before the first write: a club fits into a pipe's buffer, so later would be unnoticed."""
    for arguments in (["export", keys(instance)[0]], ["rules"]):
        reads, writes = os.pipe()
        os.close(reads)
        with os.fdopen(writes, "wb") as nobody:
            line = [*SCOREKEEPER, *arguments]
            done = subprocess.run(line, env=environment(instance), stdout=nobody, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (1, b""), arguments


def clubs(instance: Path) -> list[tuple[str]]:
    with sqlite3.connect(instance / "scorekeeper.sqlite") as connection:
        return connection.execute("SELECT name FROM club ORDER BY id").fetchall()


@pytest.mark.slow
def test_killed_in_the_middle_of_a_file(instance: Path) -> None:
    """The import is killed with SIGKILL while it waits for more games: nothing was written."""
    with create_app({"INSTANCE": instance}).app_context():
        club = db.session.get(Club, 2)
        record(start_game(club), FOUR)
        for _ in range(120):  # more than a pipe's buffer
            record(start_game(club), FOUR, FOUR, FOUR)
        content = exported(club)
        full = exported(db.session.get(Club, 1))
        db.engine.dispose()
    before = clubs(instance)
    arguments = [*SCOREKEEPER, "import", keys(instance)[0], "-"]
    with subprocess.Popen(arguments, env=environment(instance), stdin=subprocess.PIPE) as reading:
        assert reading.stdin is not None
        reading.stdin.write(content[: len(content) * 9 // 10])  # returns once most of it was read
        reading.stdin.flush()
        reading.kill()
        reading.wait(60)
        reading.stdin = None
    assert clubs(instance) == before
    with create_app({"INSTANCE": instance}).app_context():
        assert exported(db.session.get(Club, 1)) == full
        db.engine.dispose()
    whole = subprocess.run(arguments, input=content, env=environment(instance), stdout=subprocess.DEVNULL)
    assert whole.returncode == 0
    assert clubs(instance) == before
    with create_app({"INSTANCE": instance}).app_context():
        assert len(exported(db.session.get(Club, 1)).splitlines()) == len(full.splitlines()) + 121
        db.engine.dispose()
