"""The server as started by `scorekeeper run`: its output, and many phones at once."""

import gc
import re
import signal
import socket
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import pytest

from scorekeeper.config import SettingProblem
from scorekeeper.serving import announcement, serve
from tests.conftest import ROOT, SCOREKEEPER, environment, free_port, on_one_database, wait_for
from tests.conftest import serve as served
from tests.http_phone import Phone, a_game, at_once

PHONES = 6


@pytest.mark.parametrize("workers", ["0", "-1", "two", "", "1.5", "65", "²"])
def test_a_number_of_workers_that_cannot_be_is_refused_with_a_sentence(workers):
    app = SimpleNamespace(config={"WORKERS": workers})
    sentence = f"SCOREKEEPER_WORKERS is {workers}. Write a number from 1 to 64."
    with pytest.raises(SettingProblem, match=f"^{re.escape(sentence)}$"):
        serve.wanted_workers(app)


@pytest.mark.parametrize("workers", [1, "2", "64"])
def test_so_many_workers_are_started(workers):
    assert serve.wanted_workers(SimpleNamespace(config={"WORKERS": workers})) == int(workers)


@pytest.fixture
def running(tmp_path):
    """A server on all addresses of this computer, its port, and the file with its output."""
    port = free_port()
    command = [*SCOREKEEPER, "run", "--port", str(port)]
    output = tmp_path / "output"
    with (
        output.open("wb") as file,
        subprocess.Popen(command, env=environment(tmp_path, PYTHONUTF8="1"), stdout=file, stderr=file) as server,
    ):
        wait_for(f"http://127.0.0.1:{port}/", server)
        yield server, port, output
        server.kill()


def test_it_prints_every_address_and_a_code_for_the_phone_answers_and_stops_when_told(running):
    server, port, output = running
    said = output.read_text(encoding="utf-8")
    local, others = announcement.addresses("0.0.0.0")
    assert [f"http://{name}:{port}/" in said for name in (local, *others)] == [True] * (1 + len(others))
    assert ("▄" in said) is bool(others)
    assert "Ctrl+C" in said
    with socket.create_connection(("127.0.0.1", port)) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")  # keep-alive: the connection stays open
        answer = phone.recv(4000).decode()
        assert answer.startswith("HTTP/1.1 200")
        assert "Server: waitress" in answer
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
    assert "Traceback" not in output.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_port_in_use_gives_one_clear_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [*SCOREKEEPER, "run", "--host", "127.0.0.1", "--port", str(port)]
        answer = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=300)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == (
        f"Port {port} is in use. Stop the other program, or choose another port, such as PORT={port + 1}.\n"
    )


def test_an_address_that_cannot_be_gives_one_sentence(monkeypatch):
    for host in ("no.such.host.invalid", "192.0.2.99", "no..host"):
        problem = serve.cannot_listen(host, 8000)
        assert problem.startswith(f"Can't start a server at {host}, port 8000: ")
        assert "\n" not in problem
    for port in (-1, 0, 65536, 99999):
        assert serve.cannot_listen("127.0.0.1", port).startswith(f"{port} is not a port. ")
    assert serve.cannot_listen("127.0.0.1", free_port()) is None

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(serve.socket.socket, "bind", refuse)
    assert serve.cannot_listen("127.0.0.1", 80) == (
        "Port 80 is reserved for the system. Choose one above 1023, such as PORT=8000."
    )


@pytest.mark.skipif(sys.platform != "linux", reason="interfaces are listed on Linux only")
def test_where_the_interfaces_must_not_be_listed_the_server_still_has_an_address(monkeypatch):
    def refuse():
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(announcement.socket, "if_nameindex", refuse)
    assert announcement.addresses("0.0.0.0")[0] == "localhost"
    assert "127.0.0.1" in announcement.all_names("0.0.0.0")


def test_an_address_that_was_chosen_is_the_only_one_and_loopback_is_not_for_phones(monkeypatch):
    there = ["192.0.2.7", "127.0.0.1", "198.51.100.3", "192.0.2.7", "127.0.1.1"]
    monkeypatch.setattr(announcement, "_addresses", lambda: there)
    for host, expected in (
        ("127.0.0.1", ("127.0.0.1", [])),
        ("localhost", ("localhost", [])),
        ("192.0.2.7", ("192.0.2.7", ["192.0.2.7"])),
        ("0.0.0.0", ("localhost", ["192.0.2.7", "198.51.100.3"])),
    ):
        assert announcement.addresses(host) == expected


@pytest.mark.parametrize(
    ("host", "port", "scheme", "shown"),
    [
        ("localhost", 8000, "http", "http://localhost:8000/"),
        ("192.0.2.7", 80, "http", "http://192.0.2.7/"),
        ("192.0.2.7", 80, "https", "https://192.0.2.7:80/"),
        ("192.0.2.7", 443, "https", "https://192.0.2.7/"),
        ("::1", 8000, "http", "http://[::1]:8000/"),
    ],
)
def test_addresses_are_shown_as_a_browser_takes_them(host, port, scheme, shown):
    assert announcement.url(host, port, scheme) == shown


def test_a_terminal_without_the_letters_gets_no_code(monkeypatch, capsys):
    class Ascii:
        encoding = "ascii"

    monkeypatch.setattr(announcement.sys, "stdout", Ascii())
    announcement.print_code("http://192.0.2.7/")
    assert capsys.readouterr().out == ""


def test_where_there_is_no_gunicorn_waitress_serves(tmp_path):
    port = free_port()
    program = (
        "import sys; from scorekeeper import create_app\n"
        "from scorekeeper.serving import serve\n"
        "serve._serve_with_waitress(create_app({'INSTANCE': sys.argv[1]}), '127.0.0.1', int(sys.argv[2]), 1)"
    )
    command = [sys.executable, "-c", program, str(tmp_path), str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/nowhere", server)
            with socket.create_connection(("127.0.0.1", port)) as phone:
                phone.sendall(b"GET /rules/ HTTP/1.0\r\n\r\n")
                answer = phone.recv(4000).decode()
        finally:
            server.kill()
        assert answer.startswith("HTTP/1.0 200")
        assert "Server: waitress" in answer
        assert f"http://127.0.0.1:{port}/" in server.stdout.read()


@on_one_database
def test_saves_at_once_over_http_are_never_lost_and_never_doubled(app, database_url, tmp_path):
    """Two worker processes: first one form sent many times at once, then many phones with one form each."""
    key, hands = a_game(app)
    with served(tmp_path, SCOREKEEPER_DATABASE_URL=database_url) as url:
        address = f"{url}/c/{key}/games/1/hands/new"
        one = Phone(address).get()
        assert at_once(*[lambda: one.post(bidder="1", bid="2", trump="H")] * PHONES) == [303] * PHONES
        assert len(hands()) == 1

        phones = [Phone(address).get() for _ in range(PHONES)]
        tapped = [{"bidder": "2", "bid": bid, "trump": trump} for bid in "234" for trump in "SD"]
        saves = [partial(phone.post, **taps) for phone, taps in zip(phones, tapped, strict=True)]
        statuses = at_once(*saves)
        assert sorted(statuses) == [303] + [409] * (PHONES - 1)
        assert len(hands()) == 2
        saved = tapped[statuses.index(303)]
        assert (str(hands()[1]["bid"]), hands()[1]["trump"]) == (saved["bid"], saved["trump"])


def test_no_worker_looks_for_garbage_in_the_program():
    """Objects created before the server starts are frozen: the garbage collector skips them, also in forked workers."""
    usual = gc.get_threshold()
    try:
        serve.freeze_garbage()
        assert gc.get_freeze_count() > 1_000
        assert gc.get_threshold()[0] > usual[0]
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
