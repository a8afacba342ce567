"""Malformed requests: too large, endless, or ambiguous about their length (request smuggling)."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from tests.serving.loop import served

LIMIT = 10_000  # upload limit in bytes; twice as much is received
SORRY = b"Send less. " * 100


class Echo:
    """Answers with the size of the body; refuses too large ones before reading them, as Flask does."""

    config = {"TRANSFER_LIMIT": LIMIT, "MAX_CONTENT_LENGTH": 1000, "TRUSTED_PROXY": ""}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        too_large = int(environ.get("CONTENT_LENGTH", 0)) > LIMIT
        body = SORRY if too_large else str(len(environ["wsgi.input"].read())).encode()
        start_response("413 Too Large" if too_large else "200 OK", [("Content-Length", str(len(body)))])
        return [body]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(Echo()) as port:
        yield port


def answers(port: int, sent: bytes) -> bytes:
    """Send `sent`; return everything received until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as phone:
        phone.sendall(sent)
        received = b""
        try:
            while more := phone.recv(10_000):
                received += more
        except ConnectionResetError:  # the server closed the connection before it had read everything
            pass
        return received


HEAD = b"POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
CHUNK = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (HEAD + b"Content-Length: 5\r\n\r\nhello", b"200"),
        (HEAD + b"Content-Length: 99999999999\r\n\r\n", b"413"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 6, b"413"),  # the final chunk is missing
        (HEAD + b"X: " + b"x" * 300_000, b"431"),
        (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", b"400"),
        (HEAD + b"Content-Length: -5\r\n\r\nhello", b"400"),
        (HEAD + b"Content-Length: +5\r\n\r\nhello", b"400"),
        (HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\nhello", b"501"),
        (HEAD + b"Bad Header: x\r\n\r\n", b"400"),
        (HEAD + b"X: a\nY: b\r\n\r\n", b"400"),
    ],
)
def test_what_is_no_sensible_request_is_refused(port: int, sent: bytes, status: bytes) -> None:
    assert answers(port, sent).split(b" ", 2)[1] == status


def test_one_request_is_never_taken_for_two(port: int) -> None:
    """With both Content-Length and Transfer-Encoding, a proxy in front might see another end of the request."""
    both = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    answer = answers(port, both + b"GET /another HTTP/1.1\r\nHost: here\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1


MUCH = b"GET /another HTTP/1.1\r\nHost: here\r\n\r\n" * 200_000
BODY = b"Content-Length: %d\r\n\r\n" % len(MUCH) + MUCH
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 2000 + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + BODY,
        b"POST / HTTP/1.1\r\nHost: here\r\n" + BODY,
        HEAD + b"Expect: 100-continue\r\n" + BODY,
        HEAD + CHUNKS,
    ],
    ids=["closing", "keeping it open", "asking first", "in chunks"],
)
def test_whoever_sends_far_too_much_is_told_so(port: int, sent: bytes) -> None:
    """A phone sends the whole body before it reads the response; the body must not be parsed as another request."""
    answer = answers(port, sent)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b"\r\n\r\n" + SORRY)
    assert answer.count(b"HTTP/1.1 ") == 1


def test_the_page_of_the_application_says_so(make_app: Callable[..., Flask]) -> None:
    app = make_app(TRANSFER_LIMIT=LIMIT, MAX_CONTENT_LENGTH=1000)
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3000000\r\n\r\nname="
    with served(app) as port:
        answer = answers(port, b"POST /clubs HTTP/1.1\r\nHost: here\r\n" + form + b"x" * 2_999_995)
    assert b"<h1>That request is too large</h1>" in answer
