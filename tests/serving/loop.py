"""A server in a thread of the test process, for tests of its sockets."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from scorekeeper.serving.http_server import HttpServer
from tests.conftest import free_port


@contextmanager
def served(app: Callable[..., Any], threads: int = 4) -> Iterator[int]:
    """Serve `app` in a thread; yield the port."""
    port, over = free_port(), Event()
    server = HttpServer(app, threads, host="127.0.0.1", port=port)  # type: ignore[arg-type]

    def loop() -> None:
        while not over.is_set():
            server.serve_once(0.05)

    thread = Thread(target=loop)
    thread.start()
    try:
        yield port
    finally:
        over.set()
        thread.join(30)
        server.stop_listening()
        server.finish(5)
