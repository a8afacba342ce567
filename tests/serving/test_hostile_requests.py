"""What is no sensible request: too large, without an end, or one that two servers would read differently."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.serving.loop import served

LIMIT = 10_000  # bytes of the largest file; twice as many are received


class Echo:
    """Says how much it was sent."""

    config = {"TRANSFER_LIMIT": LIMIT, "MAX_CONTENT_LENGTH": 1000, "TRUSTED_PROXY": ""}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        body = str(len(environ["wsgi.input"].read())).encode()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(Echo()) as port:
        yield port


def answers(port: int, sent: bytes) -> bytes:
    """Everything that is answered until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as phone:
        phone.sendall(sent)
        received = b""
        try:
            while more := phone.recv(10_000):
                received += more
        except ConnectionResetError:  # it hung up before it had read everything
            pass
        return received


HEAD = b"POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
CHUNK = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (HEAD + b"Content-Length: 5\r\n\r\nhello", b"200"),
        (HEAD + b"Content-Length: 99999999999\r\n\r\n", b"413"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 6, b"413"),  # and more would come
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
    """With both ways to say how long it is, a proxy in front might see another end."""
    both = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    answer = answers(port, both + b"GET /another HTTP/1.1\r\nHost: here\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1
