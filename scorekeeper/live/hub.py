"""All open streams of one process, and the one thread that watches the database and writes to them.

A stream takes no thread of those that answer requests, and none of its own: the server hands its connection over when
the application has let it in. The thread begins with the first stream, so after the server's fork.
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

from scorekeeper.database.file import file_at
from scorekeeper.database.session import db

from .state import Topic, tags

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy import Engine


class Signal:
    """Whether any process wrote to the database since the last look: the answer changes with every write.

    Asked many times a second by one thread alone, on a connection of its own, at no cost to those who write.

    SQLite counts in its file what others commit: a connection that never writes is told in 5 microseconds. PostgreSQL
    says which transactions are over and which are under way. Those of other databases of the same server change that,
    too; so does each that begins. Both cost a look that finds nothing. Its NOTIFY would make all who write wait for one
    another at the end: such commits go one by one.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_sqlite = engine.dialect.name == "sqlite"
        # The text of a snapshot alone is of a type that any driver knows.
        self._question = "PRAGMA data_version" if self._is_sqlite else "SELECT pg_current_snapshot()::text"
        self._seen: object = None
        self._file: object = None
        self._connection: Any = None

    def has_changed(self) -> bool:
        """Whether something was written since this was asked last; also the first time."""
        file = file_at(str(self._engine.url.database)) if self._is_sqlite else None
        if self._file != file:  # a backup may have been put in its place
            self.close()
            self._file = file
        if self._connection is None:
            self._connection = self._connect()
        try:
            before, self._seen = self._seen, self._connection.execute(self._question).fetchone()
        except Exception:
            self.close()  # the database was away: the next time another connection is made
            raise
        return before != self._seen

    def _connect(self) -> Any:
        """A connection of the driver that is never given back."""
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()
        if not self._is_sqlite:
            driver.rollback()  # the pool may have tried it
            driver.autocommit = True
        return driver

    def close(self) -> None:
        self._seen = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


RETRY = 2000  # milliseconds after which a browser opens a stream again that was cut
NOT_YET = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Listener:
    """An open stream about `topic`, in server-sent events; `chunked` as its answer began.

    `access` is the id of the link that let it in (see `Hub.still_valid`).
    """

    def __init__(self, connection: socket.socket, topic: Topic, *, chunked: bool, access: int = 0) -> None:
        self.connection = connection
        self.topic = topic
        self.access = access
        self._chunked = chunked
        connection.setblocking(False)

    def greet(self, tag: str) -> bool:
        """Say the first tag, and when to come back."""
        return self._send(f"retry: {RETRY}\ndata: {tag}\n\n")

    def tell(self, tag: str, spread: int) -> bool:
        """Say the tag; who is one of many waits for some of `spread` milliseconds before asking for what is new.

        False where it could not be sent. A line is a hundred bytes, and a connection holds many thousands: where there
        is no room for one, nobody reads.
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

    def has_gone(self) -> bool:
        """Whether the other end has closed; to be asked when there is something to read."""
        try:
            return not self.connection.recv(4096)
        except NOT_YET:
            return False
        except OSError:
            return True

    def close(self) -> None:
        self.connection.close()


EXTENSION = "scorekeeper-live"
LOOK_SECONDS = 0.1  # between two looks whether something has changed
BEAT_SECONDS = 15  # between two words to a stream of which nothing is new: a dead one is noticed by that
RESTING = 9  # after a look, times as long as it took: many streams never take more than a tenth of a core
TROUBLE_SECONDS = 2  # until the next look after one that failed
# Streams of one process; whoever comes later asks every few seconds instead. Windows watches 512 connections at most.
MOST = 100 if sys.platform == "win32" else 1000
GONE = "gone"  # the tag of a game that was deleted
SPREAD = 5  # milliseconds for each listener of a game: they ask one after another, and those who score are let through

Valid = Callable[[Collection[int]], Collection[int]]


class Hub:
    """The streams of one process. What begins with _ is the thread's own, but for the arrivals."""

    def __init__(self, app: Flask, most: int = MOST) -> None:
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
        self._is_behind = False  # whether something may be new that nobody was told of

    @property
    def has_room(self) -> bool:
        return self.count + len(self._arrivals) < self.most and not self._stopping

    def add(self, listener: Listener, tag: str) -> None:
        """Take a stream over, and say the tag of its topic at once; from any thread."""
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
        """Close every stream: their pages will come back to the next server."""
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
                time.sleep(TROUBLE_SECONDS)
        self._drop([one for listeners in self._listeners.values() for one in listeners])
        self._signal.close()

    def _turn(self) -> None:
        """Wait a moment for whoever comes or goes; then look, and tell."""
        ready = self._selector.select(LOOK_SECONDS if self.count or self._arrivals else None)
        self._drop([key.data for key, _ in ready if key.data and key.data.has_gone()])
        if any(key.data is None for key, _ in ready):
            self._woken.recv(4096)
        self._admit()
        now = time.monotonic()
        if self.count and now >= self._next_look:
            self._look_and_tell(now)

    def _admit(self) -> None:
        """Take in whoever has come."""
        while self._arrivals:
            listener, tag = self._arrivals.popleft()
            self._listeners.setdefault(listener.topic, set()).add(listener)
            self._selector.register(listener.connection, selectors.EVENT_READ, listener)
            self._count(1)
            known = self._tags.setdefault(listener.topic, tag)
            self._is_behind = True  # something may have changed since its page was made
            if not (listener.greet(tag) and (known == tag or listener.tell(known, 0))):  # the others know that already
                self._drop([listener])

    def _look_and_tell(self, now: float) -> None:
        beats = now >= self._next_beat
        try:
            if self._signal.has_changed() or self._is_behind or beats:
                self._is_behind = False
                self._look(everybody=beats)
        except Exception:  # whatever it is, the streams go on: their pages can be read all the time
            self._app.logger.warning("open pages are not told of changes just now", exc_info=True)
            self._next_look = now + TROUBLE_SECONDS
            self._is_behind = True  # the signal does not say again what it has said
            return
        if beats:
            self._next_beat = now + BEAT_SECONDS
        self._next_look = now + max(LOOK_SECONDS, RESTING * (time.monotonic() - now))

    def _look(self, *, everybody: bool) -> None:
        """Find out what has changed, and tell those whom it is about, or everybody; let go who may not listen."""
        listening = [one for listeners in self._listeners.values() for one in listeners]
        with self._app.app_context():
            valid = set(self.still_valid({one.access for one in listening}))
            self._drop([one for one in listening if one.access not in valid])
        with self._app.app_context(), db.engine.connect() as connection:
            found = tags(connection, self._listeners.keys())
            connection.commit()  # see session.end_reading
        for topic in list(self._listeners):
            tag = found.get(topic, GONE)
            if everybody or self._tags.get(topic) != tag:
                self._tags[topic] = tag
                listeners = self._listeners[topic]
                spread = SPREAD * len(listeners)
                self._drop([one for one in listeners if not one.tell(tag, spread)])

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
