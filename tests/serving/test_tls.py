"""HTTPS and plain HTTP on one port: incomplete handshakes, slow readers, streams."""

import hashlib
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from threading import Event
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from scorekeeper.live.hub import Listener
from scorekeeper.serving import certificates, http_server
from scorekeeper.serving.certificates import AUTHORITY, SERVER, keep_current
from scorekeeper.serving.http_server import HAND_OVER, HttpServer, ServerTls, TlsChannel
from tests.conftest import free_port
from tests.serving.loop import served

LARGE = 3_000_000
MANY = 100
NAMES = ["kitchen.local", "localhost", "127.0.0.1"]
HELLO = b"\x16\x03\x01\x02\x00\x01\x00"  # first bytes of a TLS handshake


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Answers with the scheme; at /large with LARGE bytes; to a POST with the checksum of its body."""
    if environ["REQUEST_METHOD"] == "POST":
        body = hashlib.sha256(environ["wsgi.input"].read()).hexdigest().encode()
    elif environ["PATH_INFO"] == "/large":
        body = b"\x5a" * LARGE
    else:
        body = environ["wsgi.url_scheme"].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def prepared(app: Any, folder: Path) -> Any:
    app.config = {"TRANSFER_LIMIT": 2 * LARGE, "MAX_CONTENT_LENGTH": 1000, "TRUSTED_PROXY": ""}
    app.extensions = {"https": SimpleNamespace(server_file=folder / SERVER)}
    return app


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("https")
    keep_current(folder, NAMES, datetime.now(UTC))
    return folder


@pytest.fixture
def trusting(folder: Path) -> ssl.SSLContext:
    """The TLS context of a phone that trusts the authority."""
    authority = certificates.read_authority(folder / AUTHORITY).certificate
    return ssl.create_default_context(cadata=authority.public_bytes(Encoding.PEM).decode())


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    with served(prepared(application, folder)) as port:
        yield port


def ask(connection: HTTPConnection, *request: Any) -> bytes:
    connection.request(*request)
    return connection.getresponse().read()


@pytest.fixture
def secure(port: int, trusting: ssl.SSLContext) -> Iterator[HTTPSConnection]:
    with closing(HTTPSConnection("localhost", port, timeout=60, context=trusting)) as connection:
        yield connection


@contextmanager
def secured(port: int, trusting: ssl.SSLContext, **options: Any) -> Iterator[ssl.SSLSocket]:
    """A socket over TLS, over which a request for / was sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        phone = trusting.wrap_socket(raw, server_hostname="localhost", **options)
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        yield phone


def test_one_port_speaks_both(port: int, secure: HTTPSConnection) -> None:
    """The client verifies the host name."""
    assert [ask(secure, "GET", "/") for _ in range(3)] == [b"https"] * 3
    with closing(HTTPConnection("localhost", port, timeout=30)) as plain:
        assert ask(plain, "GET", "/") == b"http"
    assert secure.sock.version() == "TLSv1.3"  # type: ignore[attr-defined]


def test_what_is_long_arrives_as_it_was_sent(port: int, trusting: ssl.SSLContext) -> None:
    """In both directions, with eight connections at once: threads send while the loop receives."""
    body = bytes(range(256)) * (LARGE // 256)

    def both(_number: int) -> tuple[bytes, bytes]:
        with closing(HTTPSConnection("localhost", port, timeout=60, context=trusting)) as connection:
            return ask(connection, "POST", "/", body), ask(connection, "GET", "/large")

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(both, range(8)))
    assert answers == {(hashlib.sha256(body).hexdigest().encode(), b"\x5a" * LARGE)}


def test_whoever_sends_far_too_much_is_answered(secure: HTTPSConnection) -> None:
    """The response comes after the whole body was sent; the application gets an empty body."""
    assert ask(secure, "POST", "/", bytes(5 * LARGE)) == hashlib.sha256(b"").hexdigest().encode()


def test_half_a_handshake_and_connections_that_do_nothing_stop_nobody(port, trusting, secure) -> None:
    """Far more connections than server threads: silent before TLS, in the middle of the handshake, and after it."""
    with ExitStack() as opened:
        for sent in (b"", HELLO):
            for _ in range(MANY):
                raw = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
                raw.sendall(sent)
        for _ in range(20):
            raw = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            opened.enter_context(trusting.wrap_socket(raw, server_hostname="localhost"))
        assert ask(secure, "GET", "/") == b"https"


def test_a_handshake_has_the_time_that_headers_have() -> None:
    channel = TlsChannel.__new__(TlsChannel)
    channel.requests, channel.last_activity = [], 100.0
    channel.secure = SimpleNamespace()  # type: ignore[assignment]
    assert not channel.is_late(100 + http_server.HEADER_SECONDS)
    assert channel.is_late(101 + http_server.HEADER_SECONDS)
    channel.handshaken = True
    assert not channel.is_late(101 + http_server.HEADER_SECONDS)
    assert channel.is_late(101 + http_server.IDLE_SECONDS)


def test_a_phone_that_does_not_trust_us_is_let_go(port: int, secure: HTTPSConnection, caplog: Any) -> None:
    strange = ssl.create_default_context()
    for _ in range(3):
        with pytest.raises(ssl.SSLCertVerificationError), socket.create_connection(("127.0.0.1", port)) as raw:
            strange.wrap_socket(raw, server_hostname="localhost")
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        raw.sendall(b"\x16 and no TLS at all")
        with suppress(ConnectionResetError):
            assert raw.recv(100)[:1] in (b"\x15", b"")  # an alert, or nothing
    assert ask(secure, "GET", "/") == b"https"
    assert caplog.records == []


def test_a_stream_is_sent_piece_by_piece(folder: Path, trusting: ssl.SSLContext) -> None:
    told = Event()

    def app(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        for piece in (b"data: one\n\n", b"data: two\n\n"):
            yield piece
            assert told.wait(30)

    with served(prepared(app, folder)) as port, secured(port, trusting) as phone:
        seen = b""
        while b"one" not in seen:
            seen += phone.recv(1000)
        assert b"two" not in seen
        told.set()
        while b"two" not in seen:
            seen += phone.recv(1000)


def test_a_connection_is_handed_over_under_tls(folder: Path, trusting: ssl.SSLContext) -> None:
    """Like the connection of a live page: the new owner sends over TLS, and notices when the client closes it."""
    taken: list[Any] = []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        environ[HAND_OVER](lambda connection, chunked: taken.append((connection, chunked)))
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return iter(())

    with served(prepared(app, folder)) as port, secured(port, trusting) as phone:
        assert b"text/event-stream" in phone.recv(10_000)
        while not taken:
            sleep(0.01)
        connection, chunked = taken[0]
        listener = Listener(connection, ("game", 1), chunked=chunked)
        assert listener.send("v7", 5)
        assert b"data: v7 5" in phone.recv(1000)
        assert not listener.is_closed_by_client()
        phone.close()
        while not listener.is_closed_by_client():
            sleep(0.01)
        listener.close()


def test_the_end_of_a_connection_is_said(port: int, trusting: ssl.SSLContext) -> None:
    """With close_notify, so that clients can tell a complete response from a truncated one."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        phone = trusting.wrap_socket(raw, server_hostname="localhost", suppress_ragged_eofs=False)
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        while more := phone.recv(1000):  # raises an error without close_notify
            answer += more
        assert answer.endswith(b"https")


def test_a_renewed_certificate_is_shown_to_the_next_phone(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, datetime.now(UTC))

    def shown() -> bytes:
        return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", port)))

    with served(prepared(application, tmp_path)) as port:
        first = shown()
        assert shown() == first
        assert keep_current(tmp_path, [*NAMES, "192.168.1.77"], datetime.now(UTC))
        assert shown() != first


def test_a_certificate_that_is_gone_is_shown_as_long_as_the_server_runs(tmp_path: Path, caplog: Any) -> None:
    keep_current(tmp_path, NAMES, datetime.now(UTC))
    known = ServerTls(tmp_path / SERVER)
    (tmp_path / SERVER).unlink()
    assert known._current() is known._context
    assert "can't be read" in caplog.text


def test_without_https_the_server_is_the_plain_one() -> None:
    app = prepared(lambda *_: [], Path())
    app.extensions = {}
    server = HttpServer(app, 1, host="127.0.0.1", port=free_port())
    assert server.channel_class is not TlsChannel
    server.stop_listening()
    server.finish(5)
