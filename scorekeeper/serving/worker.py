"""A gunicorn worker that serves with waitress: gunicorn starts, monitors and stops the processes."""

from __future__ import annotations

import os
import time

from gunicorn.workers.base import Worker
from waitress import wasyncore

from .http_server import HttpServer

LINGER_SECONDS = 1  # how long a stopping worker keeps connections open for requests under way


class WaitressWorker(Worker):  # type: ignore[misc]
    """Serves on the socket shared by all workers."""

    # Both ends of a pipe created before the fork. Only the parent process keeps the write end, so the workers notice at
    # once when it dies, even when killed.
    lifeline: tuple[int, int] | None = None
    server: HttpServer | None = None

    def run(self) -> None:
        """Serve until stopped, or until the parent process is gone; then complete the received requests."""
        server = self.server = HttpServer(self.wsgi, self.cfg.threads, self.sockets[0].sock)
        if self.lifeline:
            os.close(self.lifeline[1])
            Lifeline(self.lifeline[0], self, server)
        while self.alive and self.ppid == os.getppid():
            self.notify()
            server.serve_once(1)
        # Every received request is answered within gunicorn's graceful timeout.
        began = time.monotonic()
        server.stop_listening()
        while (spent := time.monotonic() - began) < self.cfg.graceful_timeout:
            if spent > LINGER_SECONDS and not server.is_busy:
                break
            self.notify()
            server.serve_once(0.1)
        server.finish(max(0, self.cfg.graceful_timeout - spent))

    def handle_exit(self, _signal: int, _frame: object) -> None:
        """Stop after the received requests."""
        self.alive = False
        if self.server:
            self.server.pull_trigger()

    # Ctrl+C reaches workers and the parent process: hands being saved are saved anyway.
    handle_quit = handle_exit


class Lifeline(wasyncore.file_dispatcher):  # type: ignore[misc]
    """Stops a worker when the other end of a pipe is closed."""

    def __init__(self, end: int, worker: WaitressWorker, server: HttpServer) -> None:
        super().__init__(end, map=server._map)
        self.worker = worker

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        self.worker.alive = False
        self.close()

    handle_close = handle_read
