"""The real server under idle connections, and when it is stopped or killed."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from scorekeeper.database.sqlite import WORK
from scorekeeper.serving import http_server
from scorekeeper.serving.http_server import HttpServer, TimedChannel
from tests.conftest import SCOREKEEPER, environment, free_port, mostly_slow, wait_for
from tests.database.test_turns import wait_for_lock
from tests.http_phone import Phone, a_game
from tests.serving.loop import served

MANY = 200
LIMITS = {"TRANSFER_LIMIT": 1000, "MAX_CONTENT_LENGTH": 1000, "TRUSTED_PROXY": ""}
# The server with short timeouts: slow connections are closed after three seconds.
HURRIED = (
    sys.executable,
    "-c",
    "import sys; from scorekeeper import cli; from scorekeeper.serving import http_server as server\n"
    "server.HEADER_SECONDS = server.QUIET_SECONDS = 3; server.CLEANUP_SECONDS = 1\n"
    "sys.exit(cli.main())",
)


@contextmanager
def running(folder, port, *, command=SCOREKEEPER, **settings):
    """A server in its own process group, which is killed at the end of the block, including its workers."""
    arguments = [*command, "run", "--host", "127.0.0.1", "--port", str(port)]
    output = subprocess.DEVNULL
    with subprocess.Popen(
        arguments, env=environment(folder, **settings), stdout=output, start_new_session=True
    ) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/", server)
            yield server
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def connected(port, sent=b""):
    """Return a connection to `port` over which `sent` was sent."""
    phone = socket.create_connection(("127.0.0.1", port), timeout=60)
    phone.sendall(sent)
    return phone


def wait_until_closed(port):
    """Wait until connections to `port` are refused."""
    for _ in range(1200):
        try:
            connected(port).close()
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            pass  # it was in the accept queue when the listening socket was closed
        time.sleep(0.05)
    raise AssertionError("somebody still listens")


def save(port, key, **taps):
    return Phone(f"http://127.0.0.1:{port}/c/{key}/games/1/hands/new").get().post(**taps)


@pytest.fixture
def sqlite_game(make_app, migrated_copy):
    """A game on SQLite: the database file, the club's key, and a function that returns the game's hands."""
    app = make_app(DATABASE_URL=f"sqlite:///{migrated_copy}")
    return migrated_copy, *a_game(app)


@pytest.fixture
def migrated_copy(migrated_sqlite, tmp_path):
    copy = tmp_path / "scorekeeper.sqlite"
    copy.write_bytes(migrated_sqlite.read_bytes())
    return copy


def test_hands_are_saved_beside_400_connections_that_do_nothing(sqlite_game, tmp_path):
    """Far more connections than server threads: silent, stopped within the headers, or stopped within the body."""
    file, key, hands = sqlite_game
    port = free_port()
    body = b"POST /clubs HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\nname="
    with running(tmp_path, port, command=HURRIED, SCOREKEEPER_DATABASE_URL=f"sqlite:///{file}"), ExitStack() as opened:
        idle = [opened.enter_context(connected(port)) for _ in range(MANY)]
        half = [opened.enter_context(connected(port, part)) for part in (b"GET / HT", body) for _ in range(MANY // 2)]
        bids = ("2", "3", "4")
        assert [save(port, key, bidder="1", bid=bid, trump="H") for bid in bids] == [303] * len(bids)
        assert [str(hand["bid"]) for hand in hands()] == list(bids)
        assert [phone.recv(1) for phone in half] == [b""] * MANY  # closed by the server: no timeout
        idle[0].sendall(b"GET /rules/ HTTP/1.1\r\nHost: here\r\n\r\n")
        assert idle[0].recv(12) == b"HTTP/1.1 200"


def test_a_stream_is_sent_piece_by_piece():
    """Each chunk arrives before the next one is produced, however short it is."""
    told = Event()

    def app(_environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        for piece in (b"one", b"two"):
            yield piece
            assert told.wait(30)

    app.config = LIMITS
    with served(app, 1) as port, connected(port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n") as phone:
        assert b"two" not in until(phone, b"one")
        told.set()
        assert b"two" in until(phone, b"0\r\n\r\n")


def test_a_page_is_answered_before_hundreds_that_read_nothing(monkeypatch):
    """With one blocked thread, the queue of requests is bounded, and the newest request is served first."""
    monkeypatch.setattr(http_server, "QUEUED", 40)
    monkeypatch.setattr(http_server, "IN_TURN", 16)
    port, goes_on, served = free_port(), Event(), []

    def app(environ, start_response):
        assert goes_on.wait(30)
        served.append(environ["PATH_INFO"])
        start_response("200 OK", [("Content-Length", "5")])
        return [b"hello"]

    app.config = LIMITS
    server = HttpServer(app, 1, host="127.0.0.1", port=port)
    many = [connected(port, f"GET /{n} HTTP/1.1\r\nHost: here\r\n\r\n".encode() * 3) for n in range(60)]
    greedy = connected(port, b"GET /greedy HTTP/1.1\r\nHost: here\r\n\r\n" * 100)
    page = None
    try:
        while len(server.task_dispatcher.queue) < 40 or not is_closed(greedy):
            server.serve_once(0.1)
        page = connected(port, b"GET /page HTTP/1.1\r\nHost: here\r\n\r\n")
        while not any(each.requests and each.requests[0].path == "/page" for each in server.task_dispatcher.queue):
            server.serve_once(0.1)
        goes_on.set()
        seen = b""
        while b"hello" not in seen:
            server.serve_once(0.1)
            seen += received(page)
        assert served.index("/page") == 1  # directly after the request in progress
        while served.count("/59") < 3:
            server.serve_once(0.1)
        closed = [phone for phone in many if is_closed(phone)]
        assert 20 <= len(closed) <= 22  # the oldest of 62; 40 may stay
        assert is_closed(greedy)
        assert len(set(served)) <= 42
    finally:
        for phone in filter(None, [*many, greedy, page]):
            phone.close()
        server.stop_listening()
        server.finish(5)


def is_closed(phone):
    """True if the server has closed the connection; data received before is discarded."""
    phone.setblocking(False)
    try:
        while phone.recv(1000):
            pass
    except BlockingIOError:
        return False
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_a_connection_stays_open_after_an_answer_without_a_body(status):
    """Boards poll every three seconds. The connection is closed only if the client asks for it."""

    def app(_environ, start_response):
        start_response(status, [])
        return []

    app.config = LIMITS
    with served(app, 1) as port, connected(port) as phone:
        for wanted in ("keep-alive", "keep-alive", "close"):
            phone.sendall(f"GET / HTTP/1.1\r\nHost: here\r\nConnection: {wanted}\r\n\r\n".encode())
            answer = until(phone, b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 " + status.encode())
            assert (b"Connection: close" in answer) is (wanted == "close")


@pytest.mark.parametrize(
    ("proxy", "who"),
    [("127.0.0.1", b"192.0.2.7 https 192.0.2.7"), ("", b"127.0.0.1 http 192.0.2.7"), ("192.0.2.1", b"127.0.0.1 http")],
)
def test_only_the_proxy_in_front_says_who_asks(proxy, who):
    """Forwarded headers of untrusted clients are ignored."""

    def app(environ, start_response):
        said = [environ[name] for name in ("REMOTE_ADDR", "wsgi.url_scheme", "HTTP_X_FORWARDED_FOR")]
        body = " ".join(said).encode()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    app.config = LIMITS | {"TRUSTED_PROXY": proxy}
    forwarded = b"X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n"
    asked = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n" + forwarded + b"\r\n"
    with served(app, 1) as port, connected(port, asked) as phone:
        assert who in until(phone, b"192.0.2.7")


def until(phone, end):
    """Return what arrives up to `end`."""
    seen = b""
    while end not in seen:
        more = phone.recv(1000)
        assert more, seen
        seen += more
    return seen


def received(phone):
    phone.setblocking(False)
    try:
        return phone.recv(1000)
    except BlockingIOError:
        return b""


def waiting(**known):
    """Return a stand-in for a channel, with the attributes that its timeout depends on."""
    usual = {"request": None, "busy": False, "total_outbufs_len": 0, "discards_since": 0}
    return SimpleNamespace(**usual | known)


HEADERS = SimpleNamespace(began=100.0, headers_finished=False)
BODY = SimpleNamespace(began=100.0, headers_finished=True)


@pytest.mark.parametrize(
    ("known", "last", "seconds"),
    [
        ({}, 100.0, http_server.IDLE_SECONDS),
        ({"request": HEADERS}, 105.0, http_server.HEADER_SECONDS),  # a byte every few seconds: no longer
        ({"request": BODY}, 100.0, http_server.QUIET_SECONDS),
        ({"request": BODY}, 100.0 + http_server.BODY_SECONDS, http_server.BODY_SECONDS),
        # a client that has stopped reading
        ({"busy": True, "total_outbufs_len": 5}, 100.0, http_server.QUIET_SECONDS),
        # one that sends far too much
        ({"discards_since": 100.0}, 100.0, http_server.QUIET_SECONDS),
        ({"discards_since": 100.0}, 100.0 + http_server.BODY_SECONDS, http_server.BODY_SECONDS),
    ],
)
def test_every_connection_that_waits_has_its_time(known, last, seconds):
    """But a request that is worked on has all the time it takes."""
    channel = waiting(**known, last_activity=last)
    assert not TimedChannel.is_late(channel, 100 + seconds)
    assert TimedChannel.is_late(channel, 101 + seconds)
    assert not TimedChannel.is_late(waiting(busy=True, last_activity=0.0), 1e9)


def test_idle_connections_make_room_when_there_are_many(monkeypatch):
    """For example two hundred phones in a hall, each with up to six connections."""
    monkeypatch.setattr(http_server, "CONNECTIONS", 8)
    first, *others = [TimedChannel.__new__(TimedChannel) for _ in range(7)]
    for channel in (first, *others):
        channel.last_activity, channel.requests = 100.0, []
    for channels in ([first], others * 2):
        HttpServer.maintenance(SimpleNamespace(active_channels=dict(enumerate(channels))), 106)
    assert (first.will_close, {channel.will_close for channel in others}) == (False, {True})


def test_what_is_throttled_is_counted_for_all_workers_together(tmp_path):
    """Forty requests with wrong keys at once, to two processes behind a trusted proxy, from one client address."""
    port = free_port()

    def status(number):
        request = f"GET /c/wrong-{number}/ HTTP/1.1\r\nHost: here\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
        with connected(port, request.encode()) as phone:
            return phone.recv(12)

    with (
        running(tmp_path, port, SCOREKEEPER_THROTTLE_KEYS="5 per hour", SCOREKEEPER_TRUSTED_PROXY="127.0.0.1"),
        ThreadPoolExecutor(8) as pool,
    ):
        assert sorted(pool.map(status, range(40))) == [b"HTTP/1.1 404"] * 5 + [b"HTTP/1.1 429"] * 35


@pytest.mark.parametrize("way", mostly_slow(["SIGTERM", "Ctrl+C"]))
def test_a_hand_on_its_way_is_saved_and_answered_when_the_server_stops(way, sqlite_game, tmp_path):
    file, key, hands = sqlite_game
    port, answers = free_port(), []
    with running(tmp_path, port, SCOREKEEPER_DATABASE_URL=f"sqlite:///{file}") as server:
        phone = Phone(f"http://127.0.0.1:{port}/c/{key}/games/1/hands/new").get()
        with sqlite3.connect(file, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")  # makes the save wait
            saving = Thread(target=lambda: answers.append(phone.post(bidder="1", bid="2", trump="H")))
            saving.start()
            wait_for_lock(f"{file}-turns", WORK)  # the save has started: a worker waits for the write lock
            if way == "SIGTERM":
                server.terminate()
            else:
                os.killpg(server.pid, signal.SIGINT)  # like Ctrl+C in a terminal
            wait_until_closed(port)
            assert (server.poll(), answers) == (None, [])
            other.execute("ROLLBACK")
        saving.join(60)
        assert server.wait(60) == 0
    assert answers == [303]
    assert len(hands()) == 1


def test_a_server_can_start_as_soon_as_another_was_killed(tmp_path):
    """Orphaned workers exit as soon as they notice, even with open connections."""
    port = free_port()
    with running(tmp_path, port) as killed, ExitStack() as opened:
        phones = [connected(port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n") for _ in range(4)]
        for phone in phones:
            opened.enter_context(phone)
            assert phone.recv(12) == b"HTTP/1.1 200"
        opened.enter_context(connected(port, b"GET / HT"))
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        with running(tmp_path, port) as next_one:
            assert next_one.poll() is None
