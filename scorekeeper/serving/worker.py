"""A worker process of gunicorn in which waitress serves: gunicorn starts, watches and stops the processes."""

from __future__ import annotations

import os
import time

from gunicorn.workers.base import Worker
from waitress import wasyncore

from .http_server import HttpServer

LINGER_SECONDS = 1  # a stopping worker's connections stay open so long, for a request that is on its way


class WaitressWorker(Worker):  # type: ignore[misc]
    """Serves at the one socket that all workers listen at."""

    # Both ends of a pipe that is made before the workers are forked. Only the first process keeps the end for writing,
    # so the workers are told at once when it dies, whatever killed it.
    lifeline: tuple[int, int] | None = None
    server: HttpServer | None = None

    def run(self) -> None:
        """Serve until told to stop, or until the first process is gone; then finish what was received."""
        server = self.server = HttpServer(self.wsgi, self.cfg.threads, self.sockets[0].sock)
        if self.lifeline:
            os.close(self.lifeline[1])
            Lifeline(self.lifeline[0], self, server)
        while self.alive and self.ppid == os.getppid():
            self.notify()
            server.serve_once(1)
        # Every request that was received is answered, within the time that gunicorn gives.
        began = time.monotonic()
        server.stop_listening()
        while (spent := time.monotonic() - began) < self.cfg.graceful_timeout:
            if spent > LINGER_SECONDS and not server.is_busy:
                break
            self.notify()
            server.serve_once(0.1)
        server.finish(max(0, self.cfg.graceful_timeout - spent))

    def handle_exit(self, _signal: int, _frame: object) -> None:
        """Stop after the requests that were received."""
        self.alive = False
        if self.server:
            self.server.pull_trigger()

    # Ctrl+C reaches the workers as well as the first process: hands that are being saved are saved all the same.
    handle_quit = handle_exit


class Lifeline(wasyncore.file_dispatcher):  # type: ignore[misc]
    """Ends a worker when the other end of a pipe is closed."""

    def __init__(self, end: int, worker: WaitressWorker, server: HttpServer) -> None:
        super().__init__(end, map=server._map)
        self.worker = worker

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        self.worker.alive = False
        self.close()

    handle_close = handle_read
