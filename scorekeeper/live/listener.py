"""One open stream: a connection that was handed over by the server, and is only written to."""

from __future__ import annotations

import ssl
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

    from .state import Topic

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
        self.opened = time.monotonic()
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
