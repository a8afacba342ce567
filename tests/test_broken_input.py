"""Broken records, club files and paper tables: each is refused with a message and without writes, or read correctly.

Each is a valid input with a few modifications, and number n is always the same. SCOREKEEPER_FUZZ is their total number:
20,000 take some minutes, and the slowest of each kind is printed (`pytest -s`).
"""

import io
import json
import os
import re
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import date
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.scoring.command import main
from scorekeeper.scoring.record import parse, read_game, score_record, write_game
from scorekeeper.services import seasons
from scorekeeper.stats.schemes import Scheme
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.reader import LineRefused
from tests.broken import as_bytes, shuffled_lines, spoiled, spoiled_text
from tests.scoring.test_golden_games import GOLDEN, read_golden
from tests.sound import check_club
from tests.transfer.clubs import as_file, new_club
from tests.web.phones import let_in

HOW_MANY = int(os.environ.get("SCOREKEEPER_FUZZ", "120"))
PAPER = """date,season,team 1,score 1,team 2,score 2,team 3,score 3,winner
2026-01-06,League,Ann & Cy,12,Bo & Di,7,,,
1/13/2026,,Ann & Bo,-3,Cy & Eve,11,,,2
2026-01-20,Cup,Ann,4,Bo,11,Cy,11,Bo & Cy
20.2.2026,,"Zoë, Jr. + Ann",11,Bo and Di,0,,,A
2026-01-06,League,Ann & Cy,12,Bo & Di,7,,,"""


class Tally(Counter[str]):
    """Numbers of inputs taken and refused, and the one that took the most CPU time."""

    slowest = (0.0, "")

    @contextmanager
    def input(self, kind: str, number: int) -> Iterator[Random]:
        """Yield the random generator of one input; an exception is annotated with its kind and number."""
        began = time.process_time()
        try:
            yield Random(f"{kind} {number}")
        except BaseException as error:
            error.add_note(f"{kind} {number}")
            raise
        self.slowest = max(self.slowest, (time.process_time() - began, f"{kind} {number}"))

    def check(self) -> None:
        print(f"\n{dict(self)}, slowest {self.slowest[1]}: {self.slowest[0]:.2f} s")
        assert self["taken"]
        assert self["refused"]


def test_broken_records(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    good, tally = [read_golden(path)[0] for path in GOLDEN], Tally()
    for number in range(HOW_MANY // 2):
        with tally.input("record", number) as rng:
            record = rng.choice(good)
            text = spoiled(rng, {**record, "hands": record["hands"][: rng.randint(1, 3)]})
            lines = [spoiled_text(rng, text) if rng.random() < 0.2 else text]
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(as_bytes(rng, lines))))
            status = main(["-"])
            told, complaints = capsys.readouterr()
            answers = [json.loads(line) for line in told.splitlines()]
            wrong = [answer for answer in answers if "error" in answer]
            assert answers
            assert status == (2 if wrong else 0)
            assert [json.loads(line) for line in complaints.splitlines()] == wrong
            assert all(answer["error"] for answer in wrong)
            if not wrong and len(answers) == 1:
                check_scored(lines[0], answers[0])
            tally["refused" if wrong else "taken"] += 1
    tally.check()


def check_scored(text: str, answer: dict[str, Any]) -> None:
    """The totals are the sums of the hands, and the record written from the result has the same score."""
    data = parse(text.removeprefix("\ufeff"))
    assert isinstance(data, dict)
    sums = Counter(dict.fromkeys(answer["totals"], 0)) + Counter()
    sums.update(data.get("start") or {})
    for hand in answer["hands"]:
        sums.update(hand["change"])
        sums.update(hand.get("adjusted", {}))
    assert {unit: sums[unit] for unit in answer["totals"]} == answer["totals"]
    assert score_record(write_game(read_game(data))) == score_record(data)


@dataclass
class Home:
    """An application on a database with a full club, which can be reset."""

    app: Flask
    path: Path
    key: str
    phone: FlaskClient = field(init=False)
    watcher: sqlite3.Connection = field(init=False)
    version: int = field(init=False)

    def post(self, address: str, data: dict[str, Any]) -> TestResponse:
        """Send a form, with its own application context: requests in a shared one would share `g`."""
        with self.app.app_context():
            return self.phone.post(address, data=data)

    @property
    def kept(self) -> Path:
        return self.path.with_name("kept")

    def keep(self) -> None:
        """Save the state for `put_back`, after a manager's phone has opened its link."""
        self.phone = let_in(self.app.test_client(), f"/c/{self.key}/")
        self.phone.get(f"/c/{self.key}/")
        db.session.remove()
        with closing(sqlite3.connect(self.path)) as now, closing(sqlite3.connect(self.kept)) as kept:
            now.backup(kept)
        self.watcher = sqlite3.connect(self.path)
        self.version = self.seen()

    def seen(self) -> int:
        """Return a number that changes with every commit of another connection."""
        return int(self.watcher.execute("PRAGMA data_version").fetchone()[0])

    def is_untouched(self) -> bool:
        """True if nothing was committed, or all rows are as before."""
        return self.seen() == self.version or rows(self.path) == rows(self.kept)

    def put_back(self) -> None:
        db.session.remove()
        with closing(sqlite3.connect(self.path)) as now, closing(sqlite3.connect(self.kept)) as kept:
            kept.backup(now)
        self.version = self.seen()

    def waiting(self) -> list[Path]:
        return list((self.path.parent / "transfers").glob("*"))


def rows(path: Path) -> dict[str, list[Any]]:
    """Return all rows by table."""
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: database.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables.fetchall()}


@pytest.fixture
def home(quick_path: Path, migrated_sqlite: Path) -> Iterator[Home]:
    path = quick_path / "scorekeeper.sqlite"
    shutil.copy(migrated_sqlite, path)
    often = dict.fromkeys(("THROTTLE_CLUBS", "THROTTLE_KEYS", "THROTTLE_UPLOADS"), "1000000 per hour")
    app = create_app({"INSTANCE": quick_path, "WTF_CSRF_ENABLED": False, **often})
    with app.app_context():
        club = new_club()
        for name, begins in (("League", date(2026, 1, 1)), ("Cup", date(2026, 7, 1))):
            seasons.begin(club, name, begins, None, Scheme())
        home = Home(app, path, club.key)
        home.keep()
        yield home
        home.watcher.close()
        db.engine.dispose()


def test_broken_club_files(home: Home, full_club_file: bytes) -> None:
    file = ClubFile(full_club_file)
    import_into_club(db.session.query(Club).one(), as_file("\n".join(file.with_games(Random(0), 3)).encode()))
    home.keep()
    tally = Tally()
    for number in range(HOW_MANY // 4):
        with tally.input("club file", number) as rng:
            content = broken_club_file(rng, file.with_games(rng, rng.randint(1, 2)))
            refused = bring_by_page(home, content) if number % 3 == 0 else bring(content, new=number % 2 == 0)
            assert not refused or home.is_untouched()
            tally["refused" if refused else "taken"] += 1
            if not home.is_untouched():
                check_club(db.session.query(Club).order_by(Club.id.desc()).first())
                home.put_back()
    tally.check()


class ClubFile:
    """The file of a full club, extended by a game from paper."""

    def __init__(self, content: bytes) -> None:
        self.head, *lines = content.decode().splitlines()
        self.people = [line for line in lines if '"type":' in line]
        self.games = [json.loads(line) | {"x-previous": None} for line in lines[len(self.people) :]]
        paper = {"x-paper": {"totals": {"A": 12, "B": 7}, "winners": ["A"]}, "hands": [], "x-log": []}
        self.games.append(self.games[0] | paper | {"x-uid": "paper", "x-number": 7})

    def with_games(self, rng: Random, count: int) -> list[str]:
        """Return the lines of the file with a random sample of `count` games."""
        head = json.loads(self.head) | {"games": count}
        return [json.dumps(head), *self.people, *map(json.dumps, rng.sample(self.games, count))]


def broken_club_file(rng: Random, lines: list[str]) -> bytes:
    place = rng.choice([rng.randrange(len(lines)), len(lines) - 1])
    way = rng.random()
    if way < 0.6:
        lines[place] = spoiled(rng, json.loads(lines[place]))
    elif way < 0.8:
        lines[place] = spoiled_text(rng, lines[place])
    else:
        lines = shuffled_lines(rng, lines)
    return as_bytes(rng, lines)


def bring(content: bytes, *, new: bool) -> str:
    """Import a file, as a new club or into the existing one; return the error, or ""."""
    try:
        if new:
            import_as_new_club(None, as_file(content))
        else:
            import_into_club(db.session.query(Club).one(), as_file(content))
    except LineRefused as refused:
        db.session.rollback()
        assert refused.line >= 1
        return str(refused)
    return ""


def bring_by_page(home: Home, content: bytes) -> str:
    """Like `bring`, by the form of the transfers page."""
    club = f"/c/{home.key}/"
    page = home.post(f"{club}transfers/look", data={"file": (io.BytesIO(content), "club.jsonl")})
    assert home.is_untouched()
    assert page.status_code == 200 or not home.waiting()  # no part of a refused file is stored
    if page.status_code == 200:
        token = re.search(r'name="token" value="([^"]+)"', page.text)
        page = home.post(f"{club}transfers/in", data={"token": token[1] if token else ""})
    shutil.rmtree(home.path.with_name("transfers"), ignore_errors=True)
    db.session.remove()
    return "" if page.status_code == 303 else sentence_of(page)


def sentence_of(page: Any) -> str:
    """Return the error message of a page."""
    if page.status_code == 400:  # text with NUL, which browsers do not send from our forms
        return "Part of this form is missing."
    assert page.status_code == 422
    said = re.findall(r'<p class="wrong"[^>]*>([^<]+)<|<ul class="troubles">(.*?)</ul>', page.text, re.DOTALL)
    assert said
    return unescape("".join(said[0]))


def test_broken_paper_tables(home: Home) -> None:
    tally = Tally()
    for number in range(HOW_MANY // 4):
        with tally.input("table", number) as rng:
            content = as_bytes(rng, broken_table(rng))
            said = bring_paper(home, content if number % 2 else content.decode("utf-8", "replace"))
            taken = said.endswith("imported from paper.")
            assert taken or home.is_untouched()
            tally["taken" if taken else "refused"] += 1
            if not home.is_untouched():
                check_club(db.session.query(Club).one())
                home.put_back()
    tally.check()


def broken_table(rng: Random) -> list[str]:
    head, *lines = PAPER.splitlines()
    lines = rng.sample(lines, 2)
    way = rng.random()
    if way < 0.1:
        return [spoiled_text(rng, head), *lines]
    if way < 0.3:
        return shuffled_lines(rng, [head, *lines])
    place = rng.randrange(len(lines))
    if way < 0.6:
        lines[place] = spoiled_text(rng, lines[place])
    else:
        cells = lines[place].split(",")
        cells[rng.randrange(len(cells))] = str(rng.choice(["", *PAPER.split(","), "9" * 5000, "-", "0", "٣", "Ann"]))
        lines[place] = ",".join(cells)
    return [head, *lines]


def bring_paper(home: Home, table: str | bytes) -> str:
    """Send a paper table, then confirm its preview; return the error messages, or ""."""
    address = f"/c/{home.key}/transfers/paper"
    file = {"file": (io.BytesIO(table), "paper.csv")} if isinstance(table, bytes) else {"text": table}
    page = home.post(address, data={"rules": "shankar", "order": "month", "do": "look"} | file)
    assert home.is_untouched()
    if page.status_code == 200:
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        text = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page.text, re.DOTALL)
        kept = {"text": unescape(text[1]) if text else "", "rules": "shankar", "order": "month", "do": "bring"}
        page = home.post(address, data=hidden | kept)
    db.session.remove()
    if page.status_code != 303:
        return sentence_of(page)
    return unescape(re.findall(r'class="flash"[^>]*>([^<]*)<', home.phone.get(page.location).text)[0])
