"""HTTPS and plain HTTP at one port, in the same waitress and the same loop: the first byte of a connection tells.

So slow phones, half-open connections and streams are what they are over plain HTTP, nothing stands in front whose word
has to be trusted for who asks, and an old link to http://... is led to https://... at the same port.
"""

from __future__ import annotations

import copy
import logging
import socket
import ssl
import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from . import http_server
from .http_server import IDLE_SECONDS, HttpServer, TimedChannel

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

TLS_BEGINS = b"\x16"  # the first byte of a handshake; no request of HTTP begins so
RECORD = 16_384  # bytes: TLS sends no more at a time, and whoever reads so many leaves nothing in OpenSSL's own buffer
WAITS = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
log = logging.getLogger(__name__)


class ServerTls:
    """What TLS is begun with: a certificate with its key in one file, read again when the file has changed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._read = (0, 0)
        self._context = self._load()

    def wrap(self, connection: socket.socket) -> ssl.SSLSocket:
        """The same connection under TLS, before its handshake; raises OSError."""
        return self._current().wrap_socket(connection, server_side=True, do_handshake_on_connect=False)

    def _current(self) -> ssl.SSLContext:
        try:
            if self._stamp() != self._read:
                self._context = self._load()
        except OSError as error:  # what is known is good for a while
            log.warning("the certificate %s can't be read: %s", self.file, error)
        return self._context

    def _stamp(self) -> tuple[int, int]:
        found = self.file.stat()
        return found.st_ino, found.st_mtime_ns

    def _load(self) -> ssl.SSLContext:
        read = self._stamp()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.file)
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        self._read = read
        return context


class TlsChannel(TimedChannel):
    """A connection, under TLS when its first byte says so.

    OpenSSL's connections are not made for two threads at once, and a thread that works on a request sends while the
    loop receives: each takes `tls_lock` for that moment.
    """

    socket: Any
    sniffed = False  # whether its first byte was seen
    secure: ssl.SSLSocket | None = None
    handshaken = False
    waits_to_send = False  # in the middle of a handshake
    ended = False  # nothing may be sent any more: it would go out as plain text

    def __init__(self, *args: Any, **options: Any) -> None:
        self.tls_lock = Lock()
        super().__init__(*args, **options)

    def handle_read(self) -> None:
        """Look at the first byte, go on with the handshake, or receive."""
        if not self.sniffed:
            self._sniff()
        if not self.sniffed:
            return
        if self.secure is None:
            super().handle_read()
        elif self._is_handshaken():
            self._receive()

    def _sniff(self) -> None:
        try:
            first = self.socket.recv(1, socket.MSG_PEEK)
            if first == TLS_BEGINS:
                self.secure = self.socket = self.server.tls.wrap(self.socket)
                self.adj, self.sendbuf_len = self.server.secure_adj, RECORD
                self.last_activity = time.time()
            self.sniffed = True
        except BlockingIOError:
            return
        except OSError:
            self.handle_close()

    def _is_handshaken(self) -> bool:
        if self.handshaken or self.secure is None:
            return self.handshaken
        try:
            with self.tls_lock:
                self.secure.do_handshake()
            self.handshaken, self.waits_to_send = True, False
        except WAITS as error:
            self.waits_to_send = isinstance(error, ssl.SSLWantWriteError)
        except OSError:  # such as a phone that does not trust us
            self.handle_close()
        return self.handshaken

    def _receive(self) -> None:
        try:
            with self.tls_lock:
                data = self.socket.recv(RECORD)
        except WAITS:
            return
        except OSError:
            data = b""
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what can be sent now; how many bytes that were."""
        if self.secure is None:
            return int(super().send(data, do_close))
        try:
            with self.tls_lock:
                return 0 if self.ended else self.secure.send(data)
        except WAITS:
            return 0
        except OSError:
            self.will_close = True
            return 0

    def writable(self) -> bool:
        return self.waits_to_send or bool(super().writable())

    def handle_write(self) -> None:
        if self.waits_to_send and not self.will_close:
            self.handle_read()
        else:
            super().handle_write()

    def end_sending(self) -> None:
        """Over TLS the length of the answer says it: what has said its end may not receive."""
        if self.secure is None:
            super().end_sending()

    def handle_close(self) -> None:
        """Say that nothing more comes, and close."""
        with self.tls_lock:
            ending, self.ended = self.handshaken and not self.ended, True
            if ending and self.secure is not None:
                with suppress(OSError, ValueError):
                    self.secure.unwrap()
        super().handle_close()

    def is_late(self, now: float, idle_seconds: float = IDLE_SECONDS) -> bool:
        """As over plain HTTP; a handshake has the time that the headers of a request have."""
        if self.secure is not None and not self.handshaken:
            return bool(now - self.last_activity > http_server.HEADER_SECONDS)
        return super().is_late(now, idle_seconds)


class HttpsServer(HttpServer):
    """Serves HTTPS and plain HTTP at the same port."""

    channel_class = TlsChannel

    def __init__(self, app: Flask, threads: int, listener: socket.socket | None = None, **where: Any) -> None:
        self.tls = ServerTls(app.extensions["https"].server_file)
        super().__init__(app, threads, listener, **where)
        self.secure_adj = copy.copy(self.adj)
        self.secure_adj.url_scheme = "https"


def make_server(app: Flask, threads: int, listener: socket.socket | None = None, **where: Any) -> HttpServer:
    """The server of an application: with HTTPS where that is turned on."""
    kind = HttpsServer if "https" in getattr(app, "extensions", {}) else HttpServer
    return kind(app, threads, listener, **where)
