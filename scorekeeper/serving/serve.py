"""The server that `scorekeeper run` starts, and the addresses that it says."""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import time
from threading import Thread
from typing import TYPE_CHECKING

from scorekeeper import create_app
from scorekeeper.backup import make
from scorekeeper.backup.files import BackupProblem, serving
from scorekeeper.backup.make import back_up_before_migrating, check_folder
from scorekeeper.config import THREADS, SettingProblem, check_names
from scorekeeper.database.errors import DatabaseRefused
from scorekeeper.database.session import db, migrate_database
from scorekeeper.live.hub import hub_of
from scorekeeper.serving.http_server import CONNECTIONS
from scorekeeper.stats.verify import recount_older
from scorekeeper.web.operation import metrics

from . import cleanup
from .announcement import announce
from .tls import make_server

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

MOST_WORKERS = 64
FILES = 200  # that a process has open besides its connections, at the most
GRACE = 8  # seconds in which a server that was told to stop finishes what was sent to it; Docker kills after ten
PATIENCE = 3  # seconds in which a server that is just stopping gives its port back
MINUTE, HOUR = 60, 3600  # seconds between two looks for what is due


def run(host: str, port: int, *, with_https: bool = False) -> int:
    """Migrate the database, then serve until told to stop; the exit status."""
    problem = wait_for_port(host, port)
    if problem:
        print(problem, file=sys.stderr)
        return 1
    check_names(os.environ)
    metrics.share_between_processes()
    app = create_app()
    workers = wanted_workers(app)
    if with_https:
        from . import https  # only here: cryptography is large

        https.turn_on(app, host)
    with app.app_context():
        check_folder()
    with serving(app):
        prepare(app)
        leave_alone()
        allow_connections(app)
        if sys.platform == "win32":
            _serve_with_waitress(app, host, port, workers)
        else:
            _serve_with_gunicorn(app, host, port, workers)
    return 0


def wanted_workers(app: Flask) -> int:
    """How many processes serve; raises SettingProblem."""
    text = str(app.config["WORKERS"])
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_WORKERS:
        raise SettingProblem(f"SCOREKEEPER_WORKERS is {text}. Write a number from 1 to {MOST_WORKERS}.")
    return int(text)


def leave_alone() -> None:
    """Exempt everything loaded so far from garbage collection: it lives as long as the server.

    Else a worker looks through all of it again and again, a tenth of a second each time, while a phone waits.
    """
    gc.collect()
    gc.freeze()


def allow_connections(app: Flask) -> None:
    """Let each process have as many files as its connections need; where the system forbids it, fewer may listen."""
    if resource is None:
        return
    hub, others = hub_of(app), CONNECTIONS + FILES
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < others + hub.most:
        soft = others + hub.most if most == resource.RLIM_INFINITY else min(others + hub.most, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))
    hub.most = max(0, min(hub.most, soft - others))


def prepare(app: Flask) -> None:
    """Bring the tables up to date, and count the games again that an older version counted.

    Raises `BackupProblem` where a backup has to be made before and cannot be, or names it where migrating is refused.
    """
    with app.app_context():
        backup = back_up_before_migrating()
    try:
        migrate_database(app)
    except DatabaseRefused as refused:
        if backup is None:
            raise
        raise BackupProblem(f"{refused} A backup of it is {backup}.") from refused
    with app.app_context():
        recount_older()
        db.session.remove()
        db.engine.dispose()  # no connection is left for a forked worker to share


def wait_for_port(host: str, port: int) -> str | None:
    """As `cannot_listen`, but a port in use is tried for a while: a server that stops may be about to give it back."""
    end = time.monotonic() + PATIENCE
    while is_in_use(host, port) and time.monotonic() < end:
        time.sleep(0.1)
    return cannot_listen(host, port)


def is_in_use(host: str, port: int) -> bool:
    return 1 <= port <= 65535 and getattr(_error_of_listening(host, port), "errno", None) == errno.EADDRINUSE


def cannot_listen(host: str, port: int) -> str | None:
    """Why nothing can be served at `host` and `port`, in one sentence; None where it can."""
    if not 1 <= port <= 65535:
        return f"{port} is not a port. Choose one from 1024 to 65535, such as PORT=8000."
    error = _error_of_listening(host, port)
    return _why(error, host, port) if error else None


def _error_of_listening(host: str, port: int) -> OSError | None:
    try:
        family, kind, _proto, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            if sys.platform != "win32":  # there it would let two servers share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error
    return None


def _why(error: OSError, host: str, port: int) -> str:
    if isinstance(error, PermissionError):
        return f"Port {port} is reserved for the system. Choose one above 1023, such as PORT=8000."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use. Stop the other program, or choose another port, such as PORT={port + 1}."
    return f"Can't start a server at {host}, port {port}: {error}."


def _start_helpers(app: Flask) -> None:
    """The threads beside the pages, begun after the fork: the backup, what was deleted long ago, the certificate."""
    looks = [(make.look, HOUR), (cleanup.look, HOUR)]
    if https := app.extensions.get("https"):
        looks.append((https.look, MINUTE))
    for look, seconds in looks:
        Thread(target=_look_again, args=(app, look, seconds), name=look.__module__, daemon=True).start()


def _look_again(app: Flask, look: Callable[[Flask], None], seconds: int) -> None:
    while True:
        look(app)
        time.sleep(seconds)


def _serve_with_gunicorn(app: Flask, host: str, port: int, workers: int) -> None:
    from gunicorn.app.base import BaseApplication

    from .worker import WaitressWorker

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            for name, value in gunicorn_settings(app, host, port, workers).items():
                self.cfg.set(name, value)
            self.cfg.set("post_worker_init", lambda _worker: _start_helpers(app))
            self.cfg.set("child_exit", lambda _server, worker: metrics.forget(worker.pid))

        def load(self) -> Flask:
            return app

    WaitressWorker.lifeline = os.pipe()
    Server().run()


def gunicorn_settings(app: Flask, host: str, port: int, workers: int) -> dict[str, object]:
    address = f"[{host}]" if ":" in host else host
    return {
        "bind": f"{address}:{port}",
        "workers": workers,
        "worker_class": "scorekeeper.serving.worker.WaitressWorker",
        "threads": THREADS,
        "preload_app": True,  # the application is made already; the workers are forked with it
        "graceful_timeout": GRACE,
        "loglevel": "warning",
        "control_socket_disable": True,
        "when_ready": lambda _server: announce(app, host, port),
    }


def _serve_with_waitress(app: Flask, host: str, port: int, workers: int) -> None:
    server = make_server(app, workers * THREADS, host=host, port=port)
    announce(app, host, port)
    _start_helpers(app)
    server.run()
