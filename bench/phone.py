"""A phone of a simulated evening, with minimal overhead: a connection for requests, and one for a page's stream."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from .cookies import with_new

LENGTH = re.compile(rb"\r\nContent-Length: (\d+)", re.IGNORECASE)
Fields = Mapping[str, str | Sequence[str]]


class Failed(Exception):
    """An unexpected response."""


class Answer(NamedTuple):
    """A response of the server."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        found = re.search(rf"\r\n{name}: ([^\r]*)".encode(), self.head, re.IGNORECASE)
        return found[1].decode() if found else ""

    @property
    def given(self) -> list[str]:
        """The Set-Cookie headers of the response."""
        return [line.decode() for line in re.findall(rb"\r\nSet-Cookie: ([^\r]*)", self.head, re.IGNORECASE)]

    def plain(self) -> str:
        """Return the decompressed page."""
        return (gzip.decompress(self.body) if self.header("Content-Encoding") == "gzip" else self.body).decode()


class Phone:
    """A client of the server at a port of this machine."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.cookie = cookie
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, *expected: int, tag: str = "") -> Answer:
        """Get a page, or with the tag of what is displayed, an update; any other status raises Failed."""
        asked = f"HX-Request: true\r\nIf-None-Match: {tag}\r\n" if tag else ""
        return await self._ask(f"GET {path} HTTP/1.1\r\n{asked}", b"", expected or (200,))

    async def post(self, path: str, fields: Fields, *expected: int, waits: bool = False) -> Answer:
        """Post a form; a redirect unless another status is expected. `waits`: as the script that saves a hand does."""
        body = urlencode(fields, doseq=True).encode()
        about = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        about += "X-Waiting: now\r\n" if waits else ""
        return await self._ask(f"POST {path} HTTP/1.1\r\n{about}", body, expected or (303,))

    async def _ask(self, head: str, body: bytes, expected: tuple[int, ...]) -> Answer:
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        sent = f"{head}Host: localhost\r\nAccept-Encoding: gzip\r\n{cookie}\r\n".encode() + body
        used_before = self._streams is not None
        try:
            answer = await self._exchange(sent)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hang_up()
            if not used_before:
                raise
            answer = await self._exchange(sent)  # like browsers: the server had closed the idle connection
        if answer.status not in expected:
            raise Failed(f"{head.split(' HTTP')[0]}: {answer.status}")
        self.cookie = with_new(self.cookie, answer.given)
        return answer

    async def _exchange(self, sent: bytes) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(sent)
        head = await reader.readuntil(b"\r\n\r\n")
        status, length = int(head[9:12]), LENGTH.search(head)
        body = await reader.readexactly(int(length[1])) if length and status != 304 else b""
        return Answer(status, head, body)

    def hang_up(self) -> None:
        """Close the connection; the next request opens another one."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


class Stream:
    """A page's event stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, path: str, cookie: str) -> Stream:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head[:20], head[:60]
        return cls(reader, writer)

    async def tags(self) -> AsyncIterator[str]:
        """Yield the tag that the page should show, when it begins and at every change, until the stream is closed."""
        shown = ""
        with suppress(ConnectionError):
            while line := await self.reader.readline():
                word, _, rest = line.decode().partition(" ")
                tag = rest.split(" ")[0].strip()
                if word == "data:" and tag != shown:
                    shown = tag
                    yield tag
