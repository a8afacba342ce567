"""Writers are served in order of arrival, within a process and across processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Event, Thread
from time import monotonic, sleep

import pytest

from scorekeeper.database.sqlite import WORK, Turns

fcntl = pytest.importorskip("fcntl")

LONG = 60  # timeout in seconds

WRITER = """
import sys, time
from scorekeeper.database.sqlite import WORK, Turns
turns = Turns(sys.argv[1], 30)
print("ready", flush=True)
for line in sys.stdin:
    with turns.turn():
        print("mine", flush=True)
        if line == "keep\\n":
            time.sleep(600)
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "turns")


@pytest.fixture
def others(file: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Three processes; each takes one turn for each line sent to it."""
    command = [sys.executable, "-c", WRITER, file]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}  # sends whole lines
    made = [subprocess.Popen(command, **pipes) for _ in range(3)]
    for one in made:
        assert one.stdout.readline() == "ready\n"
    yield made
    for one in made:
        one.kill()
        one.communicate()


def test_threads_come_in_the_order_in_which_they_came(file: str) -> None:
    turns, came, began = Turns(file, 30), [], Barrier(2)

    def write(number: int) -> None:
        began.wait(30)
        with turns.turn():
            came.append(number)

    with turns.turn():
        threads = [Thread(target=write, args=(number,)) for number in range(20)]
        for length, thread in enumerate(threads, 2):
            thread.start()
            began.wait(30)
            wait_for_line(turns, length)
        assert came == []
    for thread in threads:
        thread.join(30)
    assert came == list(range(20))


def test_whoever_waits_in_another_process_comes_before_whoever_has_just_written(file: str, others) -> None:
    """A process that waits during a turn is served before a second turn of this process."""
    turns = Turns(file, 30)
    with turns.turn():
        others[0].stdin.write("once\n")
        wait_for_lock(file, 0)
    with turns.turn():
        os.set_blocking(others[0].stdout.fileno(), False)
        assert others[0].stdout.readline() == "mine\n"


def test_a_killed_process_keeps_nobody_waiting(file: str, others) -> None:
    others[0].stdin.write("keep\n")
    assert others[0].stdout.readline() == "mine\n"
    others[1].stdin.write("once\n")
    wait_for_lock(file, 0)
    others[0].send_signal(signal.SIGKILL)
    assert others[1].stdout.readline() == "mine\n"


def test_whoever_has_waited_too_long_goes_on_without_a_turn(file: str, others) -> None:
    others[0].stdin.write("keep\n")
    assert others[0].stdout.readline() == "mine\n"
    with Turns(file, 0.05).turn():
        assert is_locked(file, WORK)  # the other still has its turn


def test_where_there_can_be_no_file_writers_of_a_process_still_take_turns(tmp_path: Path) -> None:
    turns = Turns(str(tmp_path / "missing" / "turns"), 30)
    with turns.turn():
        pass
    with pytest.raises(ZeroDivisionError), turns.turn():
        raise ZeroDivisionError
    with turns.turn():
        assert len(turns._line) == 1
    assert not turns._line


def test_whoever_goes_on_without_a_turn_leaves_that_of_another_thread_alone(file: str) -> None:
    """File locks belong to the process: releasing them in a thread would admit a writer of another process."""
    turns = Turns(file, 30)
    with turns.turn():
        with turns.turn(0):
            assert is_locked(file, WORK)
        assert is_locked(file, WORK)
    assert not is_locked(file, WORK)


def test_nobody_gives_up_while_the_line_moves(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The timeout applies to each writer ahead in the queue: with 1 s, wait for two writers that take 1 s each."""
    turns = Turns(file, 30)
    before = [turns._queue(), turns._queue()]

    class Patience(Event):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout == 1
            turns._leave(before.pop(0))
            return False

    monkeypatch.setattr("scorekeeper.database.sqlite.Event", Patience)
    with turns.turn(1):
        assert not before
        assert is_locked(file, WORK)


def is_locked(file: str, byte: int) -> bool:
    """True if any process holds the lock; tested from a new process, since a process can lock its own bytes again."""
    code = f"import fcntl; f = open({file!r}, 'rb+'); fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, {byte})"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode != 0


def wait_for_line(turns: Turns, length: int) -> None:
    """Wait until `length` threads are queued."""
    end = monotonic() + LONG
    while len(turns._line) < length:
        assert monotonic() < end, f"{len(turns._line)} of {length} stand in line"
        sleep(0.001)


def wait_for_lock(file: str, byte: int) -> None:
    """Wait until another process holds the lock on `byte`."""
    end = monotonic() + LONG
    while not is_locked(file, byte):
        assert monotonic() < end, f"nobody took lock {byte}"
        sleep(0.01)
