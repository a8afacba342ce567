"""Concurrent saves, and a server killed during a save, on both databases.

Nothing may be lost, duplicated or half-written.
"""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from time import sleep

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm.exc import ObjectDeletedError

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, Player, Tally
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.hands import Conflict
from scorekeeper.stats.verify import check_tallies
from tests.classic import new_club, start_game

HAND = {"bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "B", "game": "B"}}
OTHER = HAND | {"trump": "S"}
PHONES = 4


@pytest.fixture
def game_id(app):
    with app.app_context():
        return start_game(new_club(), start={"A": -900, "B": -900}).id  # the target is out of reach


def save(game_id, facts, position, token):
    return hand_service.record_hand(db.session.get(Game, game_id), facts, position=position, token=token)


def at_once(app, work, count=PHONES):
    """Results or exceptions of `work(number)` run at the same time in `count` threads, each with its own connection."""
    start = Barrier(count)

    def phone(number):
        with app.app_context():
            db.session.execute(select(1))  # connect before the barrier
            start.wait(30)
            try:
                return work(number)
            except Conflict as conflict:
                return conflict

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(phone, range(count)))


def read(app, game_id):
    """The hands, the sequence numbers of the log, and the version of the game."""
    with app.app_context():
        game = db.session.get(Game, game_id)
        return [hand.facts for hand in game.hands], [change.seq for change in game.changes], game.version


def test_one_phone_wins_and_the_others_are_shown_its_hand(app, game_id):
    answers = at_once(app, lambda number: save(game_id, HAND | {"x-phone": number}, 1, f"phone {number}"))
    conflicts = [answer for answer in answers if isinstance(answer, Conflict)]
    hands, log, version = read(app, game_id)
    assert len(conflicts) == PHONES - 1
    assert (len(hands), log, version) == (1, [1], 1)
    assert all(conflict.theirs == hands[0] for conflict in conflicts)
    assert answers.index(next(answer for answer in answers if answer not in conflicts)) == hands[0]["x-phone"]


def test_a_form_sent_many_times_at_once_is_one_hand(app, game_id):
    repeated = at_once(app, lambda _number: save(game_id, HAND, 1, "the same").repeated)
    assert sorted(repeated) == [False, True, True, True]
    assert len(read(app, game_id)[0]) == 1


def test_a_game_started_many_times_at_once_is_one_game(app, game_id):
    """Several taps on Deal before the first response; Bo is typed in lower case."""

    def start(_number):
        club = db.session.get(Game, game_id).club
        return start_game(club, names=["Cy", "Di", "Ann", "bo"], first_dealer=1, once=True).number

    assert at_once(app, start) == [2] * PHONES


def test_phones_that_retry_lose_nothing_and_double_nothing(app, game_id):
    """Each phone saves ten hands of its own, and retries when another was faster."""

    def save_ten(number):
        for count in range(10):
            done = False
            while not done:
                position = len(db.session.get(Game, game_id).hands) + 1
                with suppress(Conflict):
                    done = save(game_id, HAND | {"x-hand": [number, count]}, position, f"{number}-{count}")

    at_once(app, save_ten)
    hands, log, version = read(app, game_id)
    assert sorted(hand["x-hand"] for hand in hands) == [[n, c] for n in range(PHONES) for c in range(10)]
    assert log == list(range(1, 41))
    assert version == 40


def test_one_correction_wins(app, game_id):
    with app.app_context():
        save(game_id, HAND, 1, "first")

    def correct(number):
        facts = OTHER | {"x-phone": number}
        game = db.session.get(Game, game_id)
        return hand_service.correct_hand(game, 1, facts, hand_version=1, token=f"phone {number}")

    answers = at_once(app, correct)
    assert sum(isinstance(answer, Conflict) for answer in answers) == PHONES - 1
    assert read(app, game_id)[1:] == ([1, 2], 2)


def test_undo_and_a_new_hand_at_once_both_count_or_meet(app, game_id):
    with app.app_context():
        save(game_id, HAND, 1, "first")

    def work(number):
        if number:
            return hand_service.undo(db.session.get(Game, game_id), token="undo")
        return save(game_id, OTHER, 2, "second")

    at_once(app, work, 2)
    hands, log, version = read(app, game_id)
    # If the undo was last, hand 1 is restored. If the save was last, it was refused: hand 2 would leave a gap.
    assert ([hand["trump"] for hand in hands], log, version) in ((["H"], [1, 2, 3], 3), ([], [1, 2], 2))


def test_a_tap_is_kept_while_what_was_tapped_moves_up(app, game_id, monkeypatch):
    """While hand 2 is removed, which renumbers one phone's draft of hand 4 to 3, another phone taps at hand 3."""
    with app.app_context():
        for position in (1, 2, 3):
            save(game_id, HAND, position, str(position))
        drafts.keep(game_id, 4, {"bid": ["4"]})

    def tap():
        with app.app_context():
            drafts.keep(game_id, 3, {"bid": ["3"]})

    def meanwhile(*args, move=hand_service._write_drafts):
        tapping.append(pool.submit(tap))
        sleep(0.2)
        move(*args)

    tapping = []
    monkeypatch.setattr(hand_service, "_write_drafts", meanwhile)
    with ThreadPoolExecutor(1) as pool, app.app_context():
        hand_service.remove_hand(db.session.get(Game, game_id), 2, hand_version=2, token="out")
    assert tapping[0].result(60) is None
    assert len(read(app, game_id)[0]) == 2


def test_games_started_at_once_get_numbers_of_their_own(app, game_id):
    def start(number):
        club = db.session.scalars(select(Club)).one()
        # Eve is new to the club, and must be added once, not four times.
        return start_game(club, names=["Ann", "Bo", "Cy", "Eve"], first_dealer=1).number

    assert sorted(at_once(app, start)) == [2, 3, 4, 5]
    with app.app_context():
        assert sorted(db.session.scalars(select(Player.name))) == ["Ann", "Bo", "Cy", "Di", "Eve"]


def new_player(app, name, game_id=None):
    """Add a player by a game; with `game_id`, also as a substitute who waits in that game."""
    with app.app_context():
        club = db.session.scalars(select(Club)).one()
        start_game(club, names=[name, "Q", "R", "S"], first_dealer=1)
        if game_id:
            hand_service.substitute(db.session.get(Game, game_id), 1, name)


def named(name):
    return db.session.scalars(select(Player).where(Player.name == name)).one()


@pytest.mark.parametrize("turn", range(5))
def test_who_sits_down_is_renamed_at_once(app, game_id, turn):
    new_player(app, "Gil", game_id)

    def work(number):
        if number:
            return player_service.rename(named("Gil"), "Gilbert")
        return save(game_id, HAND, 1, "hand")

    at_once(app, work, 2)
    assert read(app, game_id)[0][0]["names"] == {"1": "Gilbert"}
    with app.app_context():
        assert "Gil" not in set(db.session.scalars(select(Player.name)))


@pytest.mark.parametrize("turn", range(5))
def test_two_games_end_at_once_and_one_of_the_players_is_merged_away(app, game_id, turn):
    with app.app_context():
        club = db.session.get(Game, game_id).club
        start = {"A": 9, "B": 0}  # the next two points win
        ids = [start_game(club, names=["Anne", "Q", "R", "S"], first_dealer=1, start=start).id for _ in "12"]
        for number, other in enumerate(ids):  # each with a substitute who becomes a player when the hand is saved
            hand_service.substitute(db.session.get(Game, other), 2, f"New {number}")

    def work(number):
        if number == 2:
            return player_service.merge(named("Ann"), named("Anne"))
        hand = HAND | {"claims": dict.fromkeys(HAND["claims"], "A")}
        return save(ids[number], hand, 1, f"hand {number}")

    at_once(app, work, 3)
    with app.app_context():
        checked = check_tallies(db.session.scalars(select(Club)).one())
        assert checked == (2, ())
        sums = select(func.sum(Tally.games)).where(Tally.player_id == named("Ann").id)
        assert db.session.scalar(sums) == 2


def test_merged_twice_at_once(app, game_id):
    new_player(app, "Anne")

    def work(_number):
        with suppress(NoResultFound, ObjectDeletedError):  # shown as an error by the pages
            player_service.merge(named("Ann"), named("Anne"))
            return "merged"

    assert at_once(app, work).count("merged") == 1
    with app.app_context():
        assert "Anne" not in set(db.session.scalars(select(Player.name)))


DYING = """
import os, signal, sys
from sqlalchemy import event
from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.services import hands as hand_service
from scorekeeper.models import Game

app = create_app({"INSTANCE": sys.argv[1], "DATABASE_URL": sys.argv[2]})
with app.app_context():
    @event.listens_for(db.engine, "after_cursor_execute")
    def die(connection, cursor, statement, *_):
        if statement.startswith(sys.argv[5]):
            os.kill(os.getpid(), signal.SIGKILL)
    game = db.session.get(Game, int(sys.argv[3]))
    if sys.argv[4] == "remove":
        hand_service.remove_hand(game, 1, hand_version=1, token="dying")
    else:
        hand_service.record_hand(game, dict(game.hands[0].facts), position=3, token="dying")
print("it lived")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("record", "INSERT INTO hand"),
        ("record", "INSERT INTO change"),
        ("record", "UPDATE game"),
        ("remove", "DELETE FROM hand"),
        ("remove", "UPDATE hand"),
        ("remove", "INSERT INTO change"),
    ],
)
def test_a_process_killed_in_the_middle_leaves_nothing_half_written(app, game_id, database_url, tmp_path, kind, after):
    with app.app_context():
        save(game_id, HAND, 1, "first")
        save(game_id, OTHER, 2, "second")
    before = read(app, game_id)
    command = [sys.executable, "-c", DYING, str(tmp_path / "dying"), database_url, str(game_id), kind, after]
    dead = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=os.environ)
    assert (dead.returncode, dead.stdout) == (-signal.SIGKILL, ""), dead.stderr
    assert read(app, game_id) == before
    with app.app_context():  # no lock is left behind
        assert not save(game_id, HAND, 3, "dying").repeated
    assert len(read(app, game_id)[0]) == 3
