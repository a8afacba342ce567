"""A server that is killed while hands are saved: what was answered is there, once, in its place; nothing is half there.

A process serves one phone, which sends hand after hand and begins a new game when one is won. It is killed at some
moment, again and again. SCOREKEEPER_KILLS says how often; 100 on each database take two minutes. After each kill
everything is counted again, so 500 take half an hour.
"""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import sleep

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import create_app, ledger
from scorekeeper.db import db, db_write
from scorekeeper.models import Club, Game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.stats.verify import check_tallies

KILLS = int(os.environ.get("SCOREKEEPER_KILLS", "12"))
MOST_HANDS = 4  # in one life: a game is over after three
LONGEST = 0.03  # seconds from an answer to the end: about as long as the next hand takes
TAPPED = {"bidder": "1", "bid": "2", "trump": "H", "do": "save", "warned": ["untouched", "bold"]}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked")]


@dataclass
class Told:
    """What a phone knows of its hands: each one that was sent, by its token, and those that were answered."""

    sent: dict[str, tuple[str, int]] = field(default_factory=dict)  # the game's address, and the position
    saved: set[str] = field(default_factory=set)

    def read(self, lines: Iterator[str]) -> None:
        for line in lines:
            what, token, *place = line.split()
            if what == "sent":
                self.sent[token] = place[0], int(place[1])
            else:
                self.saved.add(token)


def new_app(folder: Path, url: str) -> Flask:
    return create_app({"INSTANCE": folder, "DATABASE_URL": url, "WTF_CSRF_ENABLED": False})


def send(client: FlaskClient, game: str, position: int, token: str) -> str:
    """Send a hand in which Ann's team takes everything; where the answer leads."""
    fields = TAPPED | {"token": token, "position": str(position)}
    answer = client.post(f"{game}hands/new", data=fields)
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def play(client: FlaskClient, game: str, lives: int, tell: int) -> None:
    """Send hands until killed, telling what is sent before it is sent, and what was answered after."""
    for number in count():
        page = client.get(f"{game}hands/new")
        if page.status_code == 303:  # the game is won
            game = str(client.post(f"{game}again").location).removesuffix("hands/new")
            continue
        position = int(re.search(r'name="position" value="(\d+)"', page.text)[1])
        token = f"life-{lives}-hand-{number}"
        os.write(tell, f"sent {token} {game} {position}\n".encode())
        send(client, game, position, token)
        os.write(tell, f"saved {token}\n".encode())


def live_and_die(folder: Path, url: str, game: str, lives: int, rng: random.Random) -> list[str]:
    """What a process told that was killed some moment after it had answered some hands."""
    hears, tells = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(hears)
            play(new_app(folder, url).test_client(), game, lives, tells)
        finally:
            os._exit(1)
    os.close(tells)
    answered = rng.randint(0, MOST_HANDS)
    with os.fdopen(hears) as pipe:
        lines = [pipe.readline()]
        while sum(line.startswith("saved") for line in lines) < answered:
            lines.append(pipe.readline())
            assert lines[-1], "the process ended by itself"
        sleep(rng.uniform(0, LONGEST))
        os.kill(child, signal.SIGKILL)
        lines += pipe
    os.waitpid(child, 0)
    return lines


def test_what_was_answered_is_there_once_and_in_its_place(app: Flask, database_url: str, tmp_path: Path) -> None:
    rng, told = random.Random(KILLS), Told()
    game = begin(app)
    client = new_app(tmp_path / "parent", database_url).test_client()
    for lives in range(KILLS):
        lines = live_and_die(tmp_path / "child", database_url, game, lives, rng)
        before = set(told.sent)
        told.read(iter(lines))
        for token in [token for token in told.sent if token not in before | told.saved]:  # the one on its way
            send(client, *told.sent[token], token)
            send(client, *told.sent[token], token)  # and a second time
            told.saved.add(token)
        game = next(reversed(told.sent.values()))[0] if told.sent else game
        check(app, told)
    assert len(told.saved) > KILLS  # they did play


def begin(app: Flask) -> str:
    """The address of a game of Classic to 11."""
    with app.app_context():
        with db_write() as session:
            session.add(club := Club(name="The Thursday club"))
        seats = {"players": 4, "teams": 2, "names": ["Ann", "Bo", "Cy", "Di"], "first_dealer": 4}
        number = ledger.create_game(club, rules=find_rules("classic"), options={}, **seats).number
        return f"/c/{club.key}/games/{number}/"


def check(app: Flask, told: Told) -> None:
    """Every hand that was answered is in the log once and in its place; the log leads to the hands; tallies agree."""
    expected: dict[int, list[tuple[int, str]]] = {}
    for token in told.saved:
        game, position = told.sent[token]
        expected.setdefault(int(game.split("/")[-2]), []).append((position, token))
    with app.app_context():
        club = db.session.scalars(db.select(Club)).one()
        for game in db.session.scalars(db.select(Game)):
            log = [(change.position, change.token) for change in game.changes]
            assert log == sorted(expected.get(game.number, []))
            assert [change.seq for change in game.changes] == list(range(1, len(log) + 1)) == positions(game)
            assert [hand.facts for hand in game.hands] == [change.after for change in game.changes]
            assert game.version == len(log)
        assert check_tallies(club).wrong == ()


def positions(game: Game) -> list[int]:
    return [hand.position for hand in game.hands]
