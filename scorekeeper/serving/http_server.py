"""Waitress with timeouts for everything that a phone may leave unfinished, over HTTP and HTTPS.

A request's headers and body are received before a thread is used, and large bodies are buffered in a file. So an idle
connection costs a few kilobytes and blocks nothing.

HTTPS and plain HTTP share one port and one event loop, told apart by the first byte of a connection. So slow phones,
half-open connections and streams are handled as over plain HTTP, no proxy has to be trusted for client addresses, and
an old link to http://... is redirected to https://... on the same port.
"""

from __future__ import annotations

import copy
import logging
import socket
import ssl
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge

from scorekeeper.live.hub import EXTENSION, HAND_OVER, Hub

# Timeouts in seconds.
HEADER_SECONDS = 10  # from a request's first byte to the end of its headers
QUIET_SECONDS = 30  # without any byte, within a request or a response
BODY_SECONDS = 900  # from a request's first byte to its last: 64 MB over a slow line
IDLE_SECONDS = 75  # between two requests of a connection: about as long as a hand entry page is looked at
CROWDED_SECONDS = 5  # like IDLE_SECONDS, when few connections are left
CLEANUP_SECONDS = 2  # between two checks for timeouts

PACKET = 18_000  # bytes; headers and a page up to this size are sent together, which takes a third less time
# Connections per process. Most systems allow 1,024 open files and connections; select() on Windows takes 512.
CONNECTIONS = 400 if sys.platform == "win32" else 800
# Limits of queues in a process: a connection that exceeds them is closed. Browsers send one request at a time.
QUEUED = 200  # requests of one address that wait for a thread: all phones of a hall at once
PIPELINED = 8  # requests per connection
UNSENT = 256_000  # bytes of responses that a client has not read when its next request is waiting
IN_TURN = 64  # up to this number, waiting requests are answered first-in, first-out


class TimedRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request that knows when it began to arrive."""

    too_large = False  # the body exceeds what is received at all
    error: Any

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.began = time.time()

    def received(self, data: bytes) -> int:
        """Parse received data; the data of a body that is too large is discarded.

        The application is told the length and refuses it with a page, like any body too large for it.
        """
        consumed = int(super().received(data))
        if isinstance(self.error, RequestEntityTooLarge):
            self.too_large, self.error, self.expect_continue = True, None, False
            self.close()
            self.body_rcv = None
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, self.body_bytes_received))
            self.headers["CONNECTION"] = "close"
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the headers; a request with both Content-Length and chunked encoding is refused (RFC 9112, 6.3).

        A proxy could use the other length, and see a second request in the body (request smuggling).
        """
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length beside Transfer-Encoding")


class PromptTask(WSGITask):  # type: ignore[misc]
    """A response. A page is sent as one packet; a stream of unknown length is sent piece by piece."""

    takes_over: Callable[[socket.socket, bool], None] | None = None

    def get_environment(self) -> dict[str, object]:
        environ: dict[str, object] = super().get_environment()
        environ[HAND_OVER] = self._hand_over
        return environ

    def _hand_over(self, takes_over: Callable[[socket.socket, bool], None]) -> None:
        self.takes_over = takes_over

    def finish(self) -> None:
        if self.takes_over is None:
            super().finish()
            return
        self.write(b"")  # the headers
        self.close_on_finish = False
        self.channel.hand_over(self.takes_over, self.chunked_response)

    def set_close_on_finish(self) -> None:
        """Close the connection after this response; unlike waitress, not after one without a body.

        A board gets many 304 responses, and connecting costs more than those.
        """
        keeps_open = self.version == "1.1" and self.request.headers.get("CONNECTION", "").lower() != "close"
        if self.has_body or not keeps_open:
            super().set_close_on_finish()

    def write(self, data: bytes) -> None:
        super().write(data)
        if self.chunked_response:
            self.channel.send_now()


class TimedChannel(HTTPChannel):  # type: ignore[misc]
    """A connection with timeouts."""

    parser_class = TimedRequest
    task_class = PromptTask
    connected: bool
    will_close: bool
    close_when_flushed: bool
    # When discarding of a body that is too large began: a phone disconnected while it sends shows no response.
    discards_since: float = 0
    is_pipelined = False  # its next request arrived before the response to the last one

    def service(self) -> None:
        """Answer a request; runs on a worker thread."""
        if self.total_outbufs_len > UNSENT:
            self.will_close = True
            return
        self.is_pipelined = len(self.requests) > 1
        if self.requests[0].too_large:
            self.discards_since = time.time()
        super().service()

    def readable(self) -> bool:
        return not self.will_close if self.discards_since else bool(super().readable())

    def received(self, data: bytes) -> bool:
        if self.discards_since or not super().received(data):
            return False
        self.is_pipelined = self.is_pipelined or len(self.requests) > 1
        # The rest of a body that is too large is parsed as more requests.
        if len(self.requests) > PIPELINED and not self.requests[0].too_large:
            self.will_close = True
        return True

    def handle_write(self) -> None:
        """Send pending data; after the response to a body that is too large, wait for the phone to finish."""
        if not (self.discards_since and self.close_when_flushed) or self.will_close:
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if not self.total_outbufs_len:
            self.close_when_flushed = False
            self.end_sending()

    def end_sending(self) -> None:
        """Shut down sending, and go on receiving."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def send_now(self) -> None:
        """Send pending data from a worker thread."""
        with self.outbuf_lock:
            self._flush_exception(self._flush_some, do_close=False)

    def hand_over(self, takes_over: Callable[[socket.socket, bool], None], chunked: bool) -> None:
        """Pass the connection to a callback once pending data is sent; thread-safe."""

        def leave() -> None:  # runs in the event loop
            self._flush_exception(self._flush_some, do_close=False)
            if not self.connected or self.will_close or self.total_outbufs_len:
                self.will_close = True
                return
            self.del_channel()
            self.connected = False
            for kept in self.outbufs:
                kept.close()
            takes_over(self.socket, chunked)

        self.server.trigger.pull_trigger(leave)

    @property
    def busy(self) -> bool:
        """True if a request was received and its response is not sent yet."""
        return bool(self.requests or self.total_outbufs_len)

    def is_late(self, now: float, idle_seconds: float = IDLE_SECONDS) -> bool:
        """True if a timeout has passed; never while the application handles a request."""
        quiet: float = now - self.last_activity
        if self.discards_since:
            return quiet > QUIET_SECONDS or now - self.discards_since > BODY_SECONDS
        if self.busy:
            return bool(self.total_outbufs_len) and quiet > QUIET_SECONDS
        if self.request is None:
            return quiet > idle_seconds
        taking: float = now - self.request.began
        if not self.request.headers_finished:
            return taking > HEADER_SECONDS
        return quiet > QUIET_SECONDS or taking > BODY_SECONDS


class Waiting(deque[TimedChannel]):
    """Channels whose request waits for a thread, with the methods that waitress uses: `append` and `popleft`.

    While more than IN_TURN wait, the newest is answered first, and a connection's pipelined requests last. So pages
    stay fast, even if hundreds of connections send requests and never read a response.
    """

    def append(self, channel: TimedChannel) -> None:
        mine = [other for other in self if other.addr[0] == channel.addr[0] != channel.adj.trusted_proxy]
        if len(mine) >= QUEUED:
            self.remove(mine[0])
            mine[0].will_close = True
        if channel.is_pipelined:
            self.appendleft(channel)
        else:
            super().append(channel)

    def popleft(self) -> TimedChannel:
        if len(self) > IN_TURN:
            return self.pop()
        first = next((channel for channel in self if not channel.is_pipelined), self[0])
        self.remove(first)
        return first


class HttpServer(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application over HTTP, and HTTPS if enabled, at a host and port or on a listening socket."""

    channel_class: type[TimedChannel] = TimedChannel

    def __init__(self, app: Flask, threads: int, listener: socket.socket | None = None, **where: Any) -> None:
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every request that waits for a thread
        self.hub: Hub | None = getattr(app, "extensions", {}).get(EXTENSION)
        adjustments = Adjustments(threads=threads, **limits(app), **where)
        adjustments.send_bytes = PACKET  # deprecated as an argument; without it, pages are only slower
        taken: dict[str, Any] = {}
        if listener:
            about = listener.family, listener.type, listener.proto, listener.getsockname()
            taken = {"bind_socket": False, "sockinfo": about}
        if https := getattr(app, "extensions", {}).get("https"):
            self.channel_class, self.tls = TlsChannel, ServerTls(https.server_file)
            self.secure_adj = copy.copy(adjustments)
            self.secure_adj.url_scheme = "https"
        super().__init__(app, _sock=listener, adj=adjustments, **taken)
        self.task_dispatcher.queue = Waiting()

    def maintenance(self, now: float) -> None:
        """Close connections whose timeouts have passed."""
        crowded = len(self.active_channels) > CONNECTIONS * 3 / 4
        for channel in self.active_channels.values():
            if channel.is_late(now, CROWDED_SECONDS if crowded else IDLE_SECONDS):
                channel.will_close = True

    def serve_once(self, seconds: float) -> None:
        """Run the event loop once, waiting up to `seconds` for events."""
        wasyncore.loop(timeout=seconds, use_poll=self.adj.asyncore_use_poll, map=self._map, count=1)

    def stop_listening(self) -> None:
        """Accept no new connections and release the port; open connections are still served."""
        self.accepting = False
        wasyncore.dispatcher.close(self)
        if self.hub:
            self.hub.stop()

    @property
    def is_busy(self) -> bool:
        return any(channel.busy for channel in self.active_channels.values())

    def finish(self, seconds: float) -> None:
        """Stop the threads, waiting up to `seconds`, and close every connection."""
        self.task_dispatcher.shutdown(timeout=seconds)
        wasyncore.close_all(self._map)


def limits(app: Flask) -> dict[str, object]:
    """Return the limits of requests, connections and the server as waitress's settings."""
    largest = max(app.config["TRANSFER_LIMIT"], app.config["MAX_CONTENT_LENGTH"])
    return {
        "connection_limit": CONNECTIONS,
        "cleanup_interval": CLEANUP_SECONDS,
        "asyncore_loop_timeout": 1,
        "asyncore_use_poll": True,  # select() is limited to file descriptors below 1,024
        "channel_request_lookahead": 1,  # detects a client that disconnects while its request is handled
        # The application refuses a large file with a page; a much larger one is not even buffered.
        "max_request_body_size": 2 * largest,
        # The client's address and scheme are taken from the trusted proxy's headers.
        "trusted_proxy": app.config["TRUSTED_PROXY"] or None,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"} if app.config["TRUSTED_PROXY"] else set(),
        # Untrusted headers are kept, though not believed: a forwarded request is not from this computer.
        "clear_untrusted_proxy_headers": False,
    }


# --- HTTPS ------------------------------------------------------------------------------------------------------------


TLS_BEGINS = b"\x16"  # the first byte of a handshake; no HTTP request begins with it
RECORD = 16_384  # bytes: the maximum size of a TLS record, so that one read leaves nothing in OpenSSL's buffer
WAITS = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
log = logging.getLogger(__name__)


class ServerTls:
    """The TLS context, from one file with certificate and key, reloaded when the file has changed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._read = (0, 0)
        self._context = self._load()

    def wrap(self, connection: socket.socket) -> ssl.SSLSocket:
        """Wrap a connection in TLS, before its handshake; raises OSError."""
        return self._current().wrap_socket(connection, server_side=True, do_handshake_on_connect=False)

    def _current(self) -> ssl.SSLContext:
        try:
            if self._stamp() != self._read:
                self._context = self._load()
        except OSError as error:  # keep using the loaded certificate
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
    """A connection that uses TLS if its first byte says so.

    OpenSSL connections are not thread-safe, and a worker thread may send while the event loop receives: both take
    `tls_lock` for each operation.
    """

    socket: Any
    sniffed = False  # true after the first byte was examined
    secure: ssl.SSLSocket | None = None
    handshaken = False
    waits_to_send = False  # during the handshake
    ended = False  # nothing may be sent any more: it would be plain text

    def __init__(self, *args: Any, **options: Any) -> None:
        self.tls_lock = Lock()
        super().__init__(*args, **options)

    def handle_read(self) -> None:
        """Examine the first byte, continue the handshake, or receive."""
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
        except OSError:  # for example a phone that does not trust us
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
        """Send as much as possible now; return the number of bytes."""
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
        """Over TLS, do nothing: a closed TLS connection cannot receive, and the client knows the response's length."""
        if self.secure is None:
            super().end_sending()

    def handle_close(self) -> None:
        """Send TLS's closing message, and close."""
        with self.tls_lock:
            ending, self.ended = self.handshaken and not self.ended, True
            if ending and self.secure is not None:
                with suppress(OSError, ValueError):
                    self.secure.unwrap()
        super().handle_close()

    def is_late(self, now: float, idle_seconds: float = IDLE_SECONDS) -> bool:
        """Like TimedChannel.is_late; a handshake has HEADER_SECONDS."""
        if self.secure is not None and not self.handshaken:
            return bool(now - self.last_activity > HEADER_SECONDS)
        return super().is_late(now, idle_seconds)
