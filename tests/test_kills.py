"""A server that is killed while hands are saved: what was answered is there, once, in its place; nothing is half there.

A process serves one phone, which sends hand after hand and begins a new game when one is won. It is killed at some
moment, again and again. SCOREKEEPER_KILLS says how often; 500 take some three minutes of work on each database. After
each kill the club is counted again; another club is begun now and then, so that this takes no longer after many kills
than after few.
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
KILLS_UNTIL_ALL = 50  # every club there is, and at the end once more
MOST_HANDS = 4  # in one life: a game is over after three
MARGIN = 1.2  # how long a save may go on before it is killed, of how long the last one took
TAPPED = {"bidder": "1", "bid": "2", "trump": "H", "do": "save", "warned": ["untouched", "bold"]}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked")]


@dataclass
class Told:
    """What a phone knows of its hands: each one that was sent, by its token, and those that are saved, game by game."""

    sent: dict[str, tuple[str, int]] = field(default_factory=dict)  # the game's address, and the position
    saved: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # what has to be in each game's log
    not_answered: int = 0  # so many were not answered when the process was killed
    in_time: int = 0  # so many of those were saved nevertheless
    seconds: float = 0.02  # what the last save took

    def read(self, lines: list[str]) -> list[str]:
        """Take down what a process told; the tokens of what was not answered, of which there is one at most."""
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
        """How many hands are saved."""
        return sum(map(len, self.saved.values()))

    def is_saved(self, token: str) -> None:
        game, position = self.sent[token]
        self.saved.setdefault(game, []).append((position, token))


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


def live_and_die(app: Flask, game: str, lives: int, rng: random.Random, told: Told) -> list[str]:
    """What a process told that was killed some moment after it had begun to save a hand; forked, as a worker is."""
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
    """Hear of so many hands that were answered, and of one more that was sent."""
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
            let_in(client, game).get(f"{game}hands/new")  # its template is compiled for all that are forked
        for token in told.read(live_and_die(served, game, lives, rng, told)):
            send_again(app, client, told, token)
        game = next(reversed(told.sent.values()))[0] if told.sent else game
        check(app, told, None if (lives + 1) % KILLS_UNTIL_ALL == 0 or lives + 1 == KILLS else key_of(game))
    print(f"{KILLS} kills, {told.count} hands; {told.not_answered} not answered, {told.in_time} of those were saved")
    assert told.count > KILLS  # they did play


def begin(app: Flask) -> str:
    """The address of a game of Classic to 11, in a club of its own."""
    with app.app_context():
        game = start_game(new_club())
        return f"/c/{game.club.key}/games/{game.number}/"


def key_of(game: str) -> str:
    """The key of the club of a game's address."""
    return game.split("/")[2]


def send_again(app: Flask, client: FlaskClient, told: Told, token: str) -> None:
    """Send a hand that was not answered, twice."""
    with app.app_context():
        told.in_time += db.session.scalar(db.select(Change.id).where(Change.token == token)) is not None
    told.not_answered += 1
    send(client, *told.sent[token], token)
    send(client, *told.sent[token], token)
    told.is_saved(token)


def check(app: Flask, told: Told, key: str | None) -> None:
    """Look at the club with that key, or at all."""
    with app.app_context():
        for club in db.session.scalars(db.select(Club).where(Club.key == key) if key else db.select(Club)).all():
            for game in club.games:
                check_game(game, told.saved.get(f"/c/{club.key}/games/{game.number}/", []))
            assert check_tallies(club).wrong == ()
        assert told.count == db.session.scalar(db.select(db.func.count(Change.id)))


def check_game(game: Game, saved: list[tuple[int, str]]) -> None:
    """Every hand that was answered is in the log once and in its place, and no other; the log leads to the hands."""
    log = [(change.position, change.token) for change in game.changes]
    assert log == sorted(saved)
    assert [change.seq for change in game.changes] == list(range(1, len(log) + 1)) == positions(game)
    assert [hand.facts for hand in game.hands] == [change.after for change in game.changes]
    assert game.version == len(log)


def positions(game: Game) -> list[int]:
    return [hand.position for hand in game.hands]
