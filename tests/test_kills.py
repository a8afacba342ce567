"""The server is killed while hands are saved: each confirmed hand is there once, in its place; nothing is partial.

A process serves one phone, which sends hand after hand and starts a new game when one is won. It is killed at a random
moment, again and again: SCOREKEEPER_KILLS times; 500 take some three minutes on each database. After each kill the
club's tallies are verified; from time to time a new club is started, so that this does not become slower.
"""

import os
import random
import re
import signal
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import TextIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.models import Change, Club, Game
from scorekeeper.stats.verify import check_tallies
from tests.classic import new_club, start_game
from tests.web.phones import let_in, stranger

KILLS = int(os.environ.get("SCOREKEEPER_KILLS", "12"))
KILLS_OF_A_CLUB = 10
KILLS_UNTIL_ALL = 50  # all clubs are checked this often, and at the end
MOST_HANDS = 4  # per process: a game is over after three
MARGIN = 1.2  # a save is killed within this multiple of the last save's duration
TAPPED = {"bidder": "1", "bid": "2", "trump": "H", "do": "save", "warned": ["untouched", "bold"]}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked")]


@dataclass
class Told:
    """What the phone knows: all hands sent, by token, and the saved ones of each game."""

    sent: dict[str, tuple[str, int]] = field(default_factory=dict)  # the game's URL, and the position
    saved: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # expected log of each game
    not_answered: int = 0  # hands without a response when the process was killed
    in_time: int = 0  # those of them that were saved nevertheless
    seconds: float = 0.02  # duration of the last save

    def read(self, lines: list[str]) -> list[str]:
        """Parse the output of a process; return the tokens without a response, at most one."""
        unanswered = []
        for line in lines:
            what, token, *place = line.split()
            if what == "sent":
                self.sent[token] = place[0], int(place[1])
                unanswered.append(token)
            else:
                self.is_saved(token)
                unanswered.remove(token)
        return unanswered

    @property
    def count(self) -> int:
        """Number of saved hands."""
        return sum(map(len, self.saved.values()))

    def is_saved(self, token: str) -> None:
        game, position = self.sent[token]
        self.saved.setdefault(game, []).append((position, token))


def new_app(folder: Path, url: str) -> Flask:
    return create_app({"INSTANCE": folder, "DATABASE_URL": url, "WTF_CSRF_ENABLED": False})


def send(client: FlaskClient, game: str, position: int, token: str) -> str:
    """Send a hand in which Ann's team takes all points; return the redirect's URL."""
    fields = TAPPED | {"token": token, "position": str(position)}
    answer = client.post(f"{game}hands/new", data=fields)
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def play(client: FlaskClient, game: str, lives: int, tell: int) -> None:
    """Send hands until killed; write a line to `tell` before each request and after its response."""
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


def live_and_die(app: Flask, game: str, lives: int, rng: random.Random, told: Told) -> list[str]:
    """Return the output of a forked process that is killed at a random moment after it began to save a hand."""
    hears, tells = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(hears)
            play(let_in(stranger(app), game), game, lives, tells)
        finally:
            os._exit(1)
    os.close(tells)
    with os.fdopen(hears) as pipe:
        lines = hear(pipe, rng.randint(0, MOST_HANDS), told)
        sleep(rng.uniform(0, MARGIN * told.seconds))
        os.kill(child, signal.SIGKILL)
        lines += pipe
    os.waitpid(child, 0)
    return lines


def hear(pipe: TextIO, answered: int, told: Told) -> list[str]:
    """Read the lines of `answered` hands with a response, and of one more that was sent."""
    lines, sent = [], monotonic()
    for _ in range(2 * answered + 1):
        lines.append(pipe.readline())
        assert lines[-1], "the process ended by itself"
        if lines[-1].startswith("saved"):
            told.seconds = monotonic() - sent
        sent = monotonic()
    return lines


def test_what_was_answered_is_there_once_and_in_its_place(app: Flask, database_url: str, tmp_path: Path) -> None:
    rng, told, game = random.Random(KILLS), Told(), ""
    served, client = new_app(tmp_path / "served", database_url), new_app(tmp_path / "own", database_url).test_client()
    for lives in range(KILLS):
        if lives % KILLS_OF_A_CLUB == 0:
            game = begin(app)
            let_in(client, game).get(f"{game}hands/new")  # compiles the template before the forks
        for token in told.read(live_and_die(served, game, lives, rng, told)):
            send_again(app, client, told, token)
        game = next(reversed(told.sent.values()))[0] if told.sent else game
        is_for_all = (lives + 1) % KILLS_UNTIL_ALL == 0 or lives + 1 == KILLS
        check(app, told, None if is_for_all else game.split("/")[2])  # the club's key
    print(f"{KILLS} kills, {told.count} hands; {told.not_answered} not answered, {told.in_time} of those were saved")
    assert told.count > KILLS  # hands were really saved


def begin(app: Flask) -> str:
    """Return the URL of a game of Classic to 11, in a new club."""
    with app.app_context():
        game = start_game(new_club())
        return f"/c/{game.club.key}/games/{game.number}/"


def send_again(app: Flask, client: FlaskClient, told: Told, token: str) -> None:
    """Send an unconfirmed hand again, twice."""
    with app.app_context():
        told.in_time += db.session.scalar(db.select(Change.id).where(Change.token == token)) is not None
    told.not_answered += 1
    send(client, *told.sent[token], token)
    send(client, *told.sent[token], token)
    told.is_saved(token)


def check(app: Flask, told: Told, key: str | None) -> None:
    """Check the club with that key, or all clubs if None."""
    with app.app_context():
        for club in db.session.scalars(db.select(Club).where(Club.key == key) if key else db.select(Club)).all():
            for game in club.games:
                check_game(game, told.saved.get(f"/c/{club.key}/games/{game.number}/", []))
            assert check_tallies(club).wrong == ()
        assert told.count == db.session.scalar(db.select(db.func.count(Change.id)))


def check_game(game: Game, saved: list[tuple[int, str]]) -> None:
    """Each confirmed hand is in the log once and in its place, and no other; the log leads to the hands."""
    log = [(change.position, change.token) for change in game.changes]
    assert log == sorted(saved)
    assert [change.seq for change in game.changes] == list(range(1, len(log) + 1))
    assert [hand.position for hand in game.hands] == list(range(1, len(log) + 1))
    assert [hand.facts for hand in game.hands] == [change.after for change in game.changes]
    assert game.version == len(log)
