"""Rate limits, and limits on concurrent expensive work."""

import errno
import sqlite3
from types import SimpleNamespace

import pytest

from scorekeeper.database import throttle
from scorekeeper.database.throttle import Limit, SlotPool, Throttle

THREE = Limit(3, 60)


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets, in seconds."""
    clock = SimpleNamespace(now=1_000_000.0)
    monkeypatch.setattr(throttle, "time", SimpleNamespace(time=lambda: clock.now))
    return clock


@pytest.fixture
def counts(tmp_path):
    return Throttle(tmp_path / "throttle.sqlite")


@pytest.mark.parametrize(
    ("text", "limit"),
    [("30 per hour", Limit(30, 3600)), (" 1 per minute ", Limit(1, 60)), ("5 per day", Limit(5, 86400)), ("", None)],
)
def test_a_limit_is_read(text, limit):
    assert Limit.parse(text) == limit


@pytest.mark.parametrize("text", ["30", "0 per hour", "-1 per hour", "many per hour", "30 per week", "30/hour"])
def test_what_is_no_limit_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match=r'is not a limit\. Write it like "30 per hour", or leave it empty\.'):
        Limit.parse(text)


def test_who_has_reached_the_limit_waits_for_the_first_to_grow_old(counts, clock):
    for thing in "abc":
        assert counts.count(THREE, "links", "Ann", thing) == 0
        clock.now += 10
    assert counts.count(THREE, "links", "Ann", "d") == 30  # the first event was counted 30 seconds ago
    assert counts.seconds_left(THREE, "links", "Ann") == 30
    clock.now += 30
    assert counts.seconds_left(THREE, "links", "Ann") == 0
    assert counts.count(THREE, "links", "Ann", "d") == 0
    assert counts.count(THREE, "links", "Ann", "e") == 10  # refused events are not counted


def test_others_and_other_things_are_counted_apart_and_the_same_thing_once(counts, clock):
    """A clock that is set back stops nobody, and what was tried cannot be read in the file."""
    assert [counts.count(THREE, "links", "Ann", "nearly-a-real-key") for _ in range(10)] == [0] * 10
    for thing in "bc":
        counts.count(THREE, "links", "Ann", thing)
    assert counts.seconds_left(THREE, "links", "Ann") > 0
    assert counts.seconds_left(THREE, "links", "Bo") == 0
    assert counts.seconds_left(THREE, "clubs", "Ann") == 0
    clock.now -= 86400
    assert counts.count(THREE, "links", "Ann", "d") == 0
    assert b"nearly" not in counts.file.read_bytes()


def test_the_file_stays_small(counts, clock, monkeypatch):
    monkeypatch.setattr(throttle, "MOST_ROWS", 20)
    for number in range(50):
        clock.now += 0.1
        counts.count(THREE, "links", f"somebody {number}", "a")
    with sqlite3.connect(counts.file) as connection:
        assert connection.execute("SELECT count(*) FROM seen").fetchone() == (20,)
    clock.now += 60
    counts.count(THREE, "links", "Ann", "a")
    with sqlite3.connect(counts.file) as connection:
        assert connection.execute("SELECT who FROM seen").fetchall() == [("Ann",)]


def test_a_damaged_file_stops_nobody_and_is_made_again(counts):
    counts.file.write_bytes(b"no database at all" * 100)
    assert counts.count(THREE, "links", "Ann", "a") == 0
    assert [counts.count(THREE, "links", "Ann", thing) for thing in "abc"] == [0, 0, 0]
    assert counts.count(THREE, "links", "Ann", "d") > 0


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path):
    (tmp_path / "file").touch()
    assert Throttle(tmp_path / "file" / "throttle.sqlite").count(THREE, "links", "Ann", "a") == 0
    assert SlotPool(tmp_path / "file" / "folder", 1).take("a club") is not None


def test_a_file_system_without_locks_stops_nobody(tmp_path, monkeypatch):
    def lock(*_file: object, **_how: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(throttle, "_lock", lock)
    slots = SlotPool(tmp_path, 1)
    assert slots.take("a club") is not None
    assert slots.take("a club") is not None


def test_a_club_has_one_turn_at_a_time(tmp_path):
    places, other_process = SlotPool(tmp_path, 2), SlotPool(tmp_path, 2)
    give_back = places.take("a club")
    assert places.take("a club") is None
    assert other_process.take("a club") is None
    give_back()
    assert other_process.take("a club") is not None


def test_all_clubs_together_have_no_more_turns_than_places(tmp_path):
    places = SlotPool(tmp_path, 2)
    taken = [places.take(f"club {number}") for number in range(50)]
    assert sum(turn is not None for turn in taken) == 2
