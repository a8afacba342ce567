"""Waitress, with a time for everything that a phone may leave half done; by plain HTTP and by HTTPS.

It reads a request, headers and body, before a thread is spent on it, and large bodies go to a file meanwhile. So a
connection that is open and silent costs a few kilobytes and nobody waits for it.

HTTPS and plain HTTP are at one port, in the same loop: the first byte of a connection tells. So slow phones, half-open
connections and streams are what they are over plain HTTP, nothing stands in front whose word has to be trusted for who
asks, and an old link to http://... is led to https://... at the same port."""

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

from scorekeeper.live.hub import EXTENSION, Hub

# Seconds.
HEADER_SECONDS = 10  # from a request's first letter to the end of its headers
QUIET_SECONDS = 30  # without a byte, in the middle of a request or of an answer
BODY_SECONDS = 900  # from a request's first letter to its last: 64 MB over a slow line
IDLE_SECONDS = 75  # between two requests of one connection: a page of hand entry is looked at for about so long
CROWDED_SECONDS = 5  # the same, when there is hardly room for another connection
CLEANUP_SECONDS = 2  # between two looks at who is late

PACKET = 18_000  # bytes; headers and a page up to this size leave together, which takes a third less time
# The application finds a function under this name in what WSGI hands it. It is given another function, which the server
# calls with the connection, and whether its answer is chunked, once the headers are sent; from then on the connection
# belongs to that function. So an answer that goes on for hours takes neither a thread nor a turn of the loop.
HAND_OVER = "scorekeeper.hand_over"
# Of one process. Most systems let it have 1,024 files and connections together; Windows watches 512 at most.
CONNECTIONS = 400 if sys.platform == "win32" else 800
# What may wait in one process: a connection that goes over its bounds is closed. Browsers send one request at a time.
QUEUED = 200  # requests of one address that wait for a thread: a hall's phones, all at once
PIPELINED = 8  # requests of one connection
UNSENT = 256_000  # bytes that a connection has not read, with another request of its own waiting
IN_TURN = 16  # requests that wait for a thread and are answered in the order in which they came


class TimedRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request that knows since when it is being sent."""

    too_large = False  # its body is more than is received at all
    error: Any

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.began = time.time()

    def received(self, data: bytes) -> int:
        """Take what was sent; of a body that is too large nothing is kept.

        The application is told how large it is, and refuses it with a page, as it does any that is too large for it.
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
        """Read the headers; a request that says in two ways how long it is, is refused (RFC 9112, 6.3).

        A proxy in front might take the other one, and another request for its end.
        """
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length beside Transfer-Encoding")


class PromptTask(WSGITask):  # type: ignore[misc]
    """An answer. A page leaves as one packet; a stream, whose length nobody knows, piece by piece as it is made."""

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
        """Close the connection after this answer; not after one that has no body, as waitress would.

        A board is told again and again that nothing is new (304), and connecting costs more than that.
        """
        keeps_open = self.version == "1.1" and self.request.headers.get("CONNECTION", "").lower() != "close"
        if self.has_body or not keeps_open:
            super().set_close_on_finish()

    def write(self, data: bytes) -> None:
        super().write(data)
        if self.chunked_response:
            self.channel.send_now()


class TimedChannel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    parser_class = TimedRequest
    task_class = PromptTask
    connected: bool
    will_close: bool
    close_when_flushed: bool
    # Since when the rest of a body that is too large is thrown away: a phone that is hung up on while it sends shows no
    # answer.
    discards_since: float = 0
    is_pipelined = False  # its next request was sent before the last one was answered

    def service(self) -> None:
        """Answer a request; on a thread of its own."""
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
        # The rest of a body that is too large looks like more requests.
        if len(self.requests) > PIPELINED and not self.requests[0].too_large:
            self.will_close = True
        return True

    def handle_write(self) -> None:
        """Send what is written; once the answer to a body that is too large is sent, the phone is waited for."""
        if not (self.discards_since and self.close_when_flushed) or self.will_close:
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if not self.total_outbufs_len:
            self.close_when_flushed = False
            self.end_sending()

    def end_sending(self) -> None:
        """Say that nothing more comes, and go on receiving."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def send_now(self) -> None:
        """Send what is written so far; from a thread that works on a request."""
        with self.outbuf_lock:
            self._flush_exception(self._flush_some, do_close=False)

    def hand_over(self, takes_over: Callable[[socket.socket, bool], None], chunked: bool) -> None:
        """Let somebody else have the connection as soon as what is written has left; from a thread, too."""

        def leave() -> None:  # in the server's loop
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
        """Whether a request was received and its answer is not sent yet."""
        return bool(self.requests or self.total_outbufs_len)

    def is_late(self, now: float, idle_seconds: float = IDLE_SECONDS) -> bool:
        """Whether its time is up; never while the application works on a request."""
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
    """The channels whose request waits for a thread, as waitress takes them: `append`, then `popleft`.

    While more than IN_TURN wait, the newest is answered first, and a connection's second request after everything else.
    So a page is answered soon, whatever hundreds of connections ask for that never read an answer.
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
        return super().popleft() if len(self) <= IN_TURN else self.pop()


class HttpServer(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application, by HTTPS where that is turned on, at a host and port or a socket that listens already."""

    channel_class: type[TimedChannel] = TimedChannel

    def __init__(self, app: Flask, threads: int, listener: socket.socket | None = None, **where: Any) -> None:
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every request that waits for a thread
        self.hub: Hub | None = getattr(app, "extensions", {}).get(EXTENSION)
        adjustments = Adjustments(threads=threads, **limits(app), **where)
        adjustments.send_bytes = PACKET  # as an argument it is deprecated; without it, a page would just be slower
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
        """Close the connections whose time is up."""
        crowded = len(self.active_channels) > CONNECTIONS * 3 / 4
        for channel in self.active_channels.values():
            if channel.is_late(now, CROWDED_SECONDS if crowded else IDLE_SECONDS):
                channel.will_close = True

    def serve_once(self, seconds: float) -> None:
        """Receive and send what there is, waiting for it up to `seconds`."""
        wasyncore.loop(timeout=seconds, use_poll=self.adj.asyncore_use_poll, map=self._map, count=1)

    def stop_listening(self) -> None:
        """Take no new connection, and let others have the port; those that are open are served on."""
        self.accepting = False
        wasyncore.dispatcher.close(self)
        if self.hub:
            self.hub.stop()

    @property
    def is_busy(self) -> bool:
        return any(channel.busy for channel in self.active_channels.values())

    def finish(self, seconds: float) -> None:
        """End the threads, waiting for them up to `seconds`, and close every connection."""
        self.task_dispatcher.shutdown(timeout=seconds)
        wasyncore.close_all(self._map)


def limits(app: Flask) -> dict[str, object]:
    """What a request, a connection and the whole server may take, in waitress's own words."""
    largest = max(app.config["TRANSFER_LIMIT"], app.config["MAX_CONTENT_LENGTH"])
    return {
        "connection_limit": CONNECTIONS,
        "cleanup_interval": CLEANUP_SECONDS,
        "asyncore_loop_timeout": 1,
        "asyncore_use_poll": True,  # select() knows no file above 1,023
        "channel_request_lookahead": 1,  # who hangs up is noticed while their request is worked on
        # The application refuses a large file with a page. What is much larger is not even kept for it.
        "max_request_body_size": 2 * largest,
        # Who asks, and whether by https, is what a proxy on this machine says.
        "trusted_proxy": app.config["TRUSTED_PROXY"] or None,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"} if app.config["TRUSTED_PROXY"] else set(),
        # Others' words are seen, too, and not believed: a request that has been forwarded is not from this computer.
        "clear_untrusted_proxy_headers": False,
    }


# --- HTTPS ------------------------------------------------------------------------------------------------------------


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
            return bool(now - self.last_activity > HEADER_SECONDS)
        return super().is_late(now, idle_seconds)
