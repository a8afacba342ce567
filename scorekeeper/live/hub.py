"""All open event streams of one process, and the thread that polls the database and writes to them.

A stream occupies no request thread and has none of its own: the server hands over its connection once the application
has accepted it. The thread starts with the first stream, so after the server has forked.
"""

from __future__ import annotations

import selectors
import socket
import ssl
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from scorekeeper.database.session import db
from scorekeeper.database.sqlite import file_identity

from .state import Topic, tags

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy import Engine


class Signal:
    """Detects writes to the database by any process.

    Polled many times a second by one thread only, on a connection of its own, at no cost to writers.

    On SQLite, PRAGMA data_version shows commits by other connections: a connection that never writes is told in 5
    microseconds. On PostgreSQL, a snapshot lists finished and running transactions; those of other databases of the
    server and newly begun ones change it too, each at the cost of one check that finds nothing. LISTEN/NOTIFY would
    serialize the commits of all writers.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_sqlite = engine.dialect.name == "sqlite"
        # As text, because every driver can read that type.
        self._question = "PRAGMA data_version" if self._is_sqlite else "SELECT pg_current_snapshot()::text"
        self._seen: object = None
        self._file: object = None
        self._connection: Any = None

    def has_changed(self) -> bool:
        """Return True if something was written since the last call, or on the first call."""
        file = file_identity(str(self._engine.url.database)) if self._is_sqlite else None
        if self._file != file:  # a backup may have been restored
            self.close()
            self._file = file
        if self._connection is None:
            self._connection = self._connect()
        try:
            before, self._seen = self._seen, self._connection.execute(self._question).fetchone()
        except Exception:
            self.close()  # the connection was lost: the next call opens another one
            raise
        return before != self._seen

    def _connect(self) -> Any:
        """Return a driver connection that is detached from the pool."""
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()
        if not self._is_sqlite:
            driver.rollback()  # the pool may have begun a transaction to test it
            driver.autocommit = True
        return driver

    def close(self) -> None:
        self._seen = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


RETRY = 2000  # milliseconds after which a browser reconnects an interrupted stream
WOULD_BLOCK = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Listener:
    """An open stream of server-sent events about `topic`; `chunked` if its response uses chunked encoding.

    `access` is the id of the link that authorized it (see `Hub.still_valid`).
    """

    def __init__(self, connection: socket.socket, topic: Topic, *, chunked: bool, access: int = 0) -> None:
        self.connection = connection
        self.topic = topic
        self.access = access
        self._chunked = chunked
        connection.setblocking(False)

    def greet(self, tag: str) -> bool:
        """Send the first tag and the reconnection delay."""
        return self._send(f"retry: {RETRY}\ndata: {tag}\n\n")

    def send(self, tag: str, spread: int) -> bool:
        """Send the tag; each page waits for a random part of `spread` milliseconds before it fetches changes.

        Return False if it could not be sent. An event is a hundred bytes and a socket buffer holds many thousands: if
        it is full, the client does not read.
        """
        return self._send(f"data: {tag} {spread}\n\n")

    def _send(self, event: str) -> bool:
        content = event.encode()
        if self._chunked:
            content = b"%X\r\n%b\r\n" % (len(content), content)
        try:
            return self.connection.send(content) == len(content)
        except OSError:
            return False

    def is_closed_by_client(self) -> bool:
        """Return True if the client has closed the stream; call it only when there is something to read."""
        try:
            return not self.connection.recv(4096)
        except WOULD_BLOCK:
            return False
        except OSError:
            return True

    def close(self) -> None:
        self.connection.close()


EXTENSION = "scorekeeper-live"
# WSGI environment key of a function that the application calls with a callback. When the headers are sent, the server
# passes the connection to the callback, with True if the response is chunked, and no longer uses it. So a response that
# lasts for hours takes neither a thread nor a share of the event loop.
HAND_OVER = "scorekeeper.hand_over"
LOOK_SECONDS = 0.1  # minimum time between two checks for changes
HEARTBEAT_SECONDS = 15  # heartbeat of a stream without changes, which detects dead connections
PAUSE_FACTOR = 9  # after a check, pause this multiple of its duration: streams use at most a tenth of a core
ERROR_PAUSE_SECONDS = 2  # pause after a check that failed
# Streams per process; further pages poll every few seconds instead. On Windows select() takes 512 connections at most.
MOST_STREAMS = 100 if sys.platform == "win32" else 1000
DELETED_TAG = "gone"  # tag of a deleted game
SPREAD = 5  # milliseconds for each listener of a game: spreads their requests, so that those who score are not delayed

Valid = Callable[[Collection[int]], Collection[int]]


class Hub:
    """The streams of one process. Private attributes belong to the thread, except the queue of arrivals."""

    def __init__(self, app: Flask, most: int = MOST_STREAMS) -> None:
        self.most = most
        self.count = 0
        self.on_count: Callable[[int], None] = lambda _count: None
        self.still_valid: Valid = lambda accesses: accesses
        self._app = app
        self._lock = Lock()
        self._arrivals: deque[tuple[Listener, str]] = deque()
        self._thread: Thread | None = None
        self._stopping = False
        self._listeners: dict[Topic, set[Listener]] = {}
        self._tags: dict[Topic, str] = {}
        self._next_look = self._next_beat = 0.0
        self._is_behind = False  # true if listeners may not know the latest changes

    @property
    def has_room(self) -> bool:
        return self.count + len(self._arrivals) < self.most and not self._stopping

    def add(self, listener: Listener, tag: str) -> None:
        """Accept a stream and send it the tag of its topic at once; thread-safe."""
        with self._lock:
            if self._stopping:
                listener.close()
                return
            self._arrivals.append((listener, tag))
            if self._thread is None:
                self._wake, self._woken = socket.socketpair()
                self._thread = Thread(target=self._run, name="live", daemon=True)
                self._thread.start()
        self._wake.send(b".")

    def stop(self) -> None:
        """Close all streams: their pages will reconnect to the next server."""
        with self._lock:
            self._stopping = True
        if self._thread:
            self._wake.send(b".")
            self._thread.join(5)

    # --- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        with self._app.app_context():
            self._signal = Signal(db.engine)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        while not self._stopping:
            try:
                self._turn()
            except Exception:
                self._app.logger.exception("the thread of the open pages goes on after an error")
                time.sleep(ERROR_PAUSE_SECONDS)
        self._drop([one for listeners in self._listeners.values() for one in listeners])
        self._signal.close()

    def _turn(self) -> None:
        """Wait briefly for new and closed streams, then check for changes and send them."""
        ready = self._selector.select(LOOK_SECONDS if self.count or self._arrivals else None)
        self._drop([key.data for key, _ in ready if key.data and key.data.is_closed_by_client()])
        if any(key.data is None for key, _ in ready):
            self._woken.recv(4096)
        self._admit()
        now = time.monotonic()
        if self.count and now >= self._next_look:
            self._check_and_send(now)

    def _admit(self) -> None:
        """Register the streams that have arrived."""
        while self._arrivals:
            listener, tag = self._arrivals.popleft()
            self._listeners.setdefault(listener.topic, set()).add(listener)
            self._selector.register(listener.connection, selectors.EVENT_READ, listener)
            self._count(1)
            known = self._tags.setdefault(listener.topic, tag)
            self._is_behind = True  # something may have changed since its page was rendered
            if not (listener.greet(tag) and (known == tag or listener.send(known, 0))):  # the others know it already
                self._drop([listener])

    def _check_and_send(self, now: float) -> None:
        beats = now >= self._next_beat
        try:
            if self._signal.has_changed() or self._is_behind or beats:
                self._is_behind = False
                self._send_changes(everybody=beats)
        except Exception:  # pages still work without notifications
            self._app.logger.warning("open pages are not told of changes just now", exc_info=True)
            self._next_look = now + ERROR_PAUSE_SECONDS
            self._is_behind = True  # the signal reports each change only once
            return
        if beats:
            self._next_beat = now + HEARTBEAT_SECONDS
        self._next_look = now + max(LOOK_SECONDS, PAUSE_FACTOR * (time.monotonic() - now))

    def _send_changes(self, *, everybody: bool) -> None:
        """Send changed tags to their listeners, or all tags to all; drop streams whose access was revoked."""
        listening = [one for listeners in self._listeners.values() for one in listeners]
        with self._app.app_context():
            valid = set(self.still_valid({one.access for one in listening}))
            self._drop([one for one in listening if one.access not in valid])
        with self._app.app_context(), db.engine.connect() as connection:
            found = tags(connection, self._listeners.keys())
            connection.commit()  # see session.end_reading
        for topic in list(self._listeners):
            tag = found.get(topic, DELETED_TAG)
            if everybody or self._tags.get(topic) != tag:
                self._tags[topic] = tag
                listeners = self._listeners[topic]
                spread = SPREAD * len(listeners)
                self._drop([one for one in listeners if not one.send(tag, spread)])

    def _drop(self, listeners: Iterable[Listener]) -> None:
        for listener in listeners:
            self._selector.unregister(listener.connection)
            listener.close()
            of_topic = self._listeners[listener.topic]
            of_topic.discard(listener)
            if not of_topic:
                del self._listeners[listener.topic]
                self._tags.pop(listener.topic, None)
            self._count(-1)

    def _count(self, more: int) -> None:
        self.count += more
        self.on_count(self.count)


def init_app(app: Flask) -> None:
    app.extensions[EXTENSION] = Hub(app)


def hub_of(app: Flask) -> Hub:
    found: Hub = app.extensions[EXTENSION]
    return found
