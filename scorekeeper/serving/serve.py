"""The server started by `scorekeeper run`, and its background threads."""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import time
from collections.abc import Callable
from threading import Thread

from flask import Flask

from scorekeeper import create_app
from scorekeeper.backup import make
from scorekeeper.backup.files import BackupProblem, serving
from scorekeeper.backup.make import back_up_before_migrating, check_folder
from scorekeeper.config import THREADS, SettingProblem, check_names
from scorekeeper.database.errors import DatabaseRefused, sentence_of
from scorekeeper.database.session import db, migrate_database
from scorekeeper.live.hub import hub_of
from scorekeeper.services.clubs import remove_deleted
from scorekeeper.services.deleted_items import remove_for_good
from scorekeeper.services.drafts import delete_expired_sessions
from scorekeeper.stats.verify import recount_older
from scorekeeper.web.operation import views as operation

from .announcement import announce
from .http_server import CONNECTIONS, HttpServer

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MOST_WORKERS = 64
FILES = 200  # maximum number of files that a process opens besides its connections
SHUTDOWN_SECONDS = 8  # seconds to complete received requests after a stop signal; Docker kills after ten
PORT_WAIT_SECONDS = 3  # seconds to wait for a stopping server to release its port
MOST_TURNS = 50  # transactions per cleanup; the rest waits for the next one
MINUTE, HOUR = 60, 3600  # seconds between two runs of a background job


def run(host: str, port: int, *, with_https: bool = False) -> int:
    """Migrate the database, then serve until stopped; return the exit status."""
    problem = cannot_listen(host, port, PORT_WAIT_SECONDS)
    if problem:
        print(problem, file=sys.stderr)
        return 1
    check_names(os.environ)
    operation.share_between_processes()
    app = create_app()
    workers = wanted_workers(app)
    if with_https:
        from . import https  # imported only if needed: cryptography is large

        https.turn_on(app, host)
    with app.app_context():
        check_folder()
    with serving(app):
        prepare(app)
        freeze_garbage()
        allow_connections(app)
        if sys.platform == "win32":
            _serve_with_waitress(app, host, port, workers)
        else:
            _serve_with_gunicorn(app, host, port, workers)
    return 0


def wanted_workers(app: Flask) -> int:
    """Return the number of server processes; raises SettingProblem."""
    text = str(app.config["WORKERS"])
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_WORKERS:
        raise SettingProblem(f"SCOREKEEPER_WORKERS is {text}. Write a number from 1 to {MOST_WORKERS}.")
    return int(text)


def freeze_garbage() -> None:
    """Exempt everything loaded so far from garbage collection: it lives as long as the server.

    Otherwise each full collection in a worker takes a tenth of a second, while a phone waits. What a request makes is
    freed without it, so it runs less often than Python's default of 700 objects, which costs a request 4 to 7 %.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def allow_connections(app: Flask) -> None:
    """Raise the limit of open files to what the connections need; if the system forbids it, allow fewer streams."""
    if resource is None:
        return
    hub, others = hub_of(app), CONNECTIONS + FILES
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < others + hub.most:
        soft = others + hub.most if most == resource.RLIM_INFINITY else min(others + hub.most, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))
    hub.most = max(0, min(hub.most, soft - others))


def prepare(app: Flask) -> None:
    """Migrate the database, and recount games counted by an older version.

    Raises `BackupProblem` if the backup before the migration fails, and, naming the backup, if the migration is
    refused.
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
        db.engine.dispose()  # a forked worker must not share a connection


def cannot_listen(host: str, port: int, patience: float = 0) -> str | None:
    """Return why the server cannot listen at `host` and `port`, in one sentence; None if it can.

    Waits up to `patience` seconds for a port in use: a stopping server may be about to release it.
    """
    if not 1 <= port <= 65535:
        return f"{port} is not a port. Choose one from 1024 to 65535, such as PORT=8000."
    end = time.monotonic() + patience
    while (error := _error_of_listening(host, port)) and error.errno == errno.EADDRINUSE and time.monotonic() < end:
        time.sleep(0.1)
    if error is None:
        return None
    if isinstance(error, PermissionError):
        return f"Port {port} is reserved for the system. Choose one above 1023, such as PORT=8000."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use. Stop the other program, or choose another port, such as PORT={port + 1}."
    return f"Can't start a server at {host}, port {port}: {error}."


def _error_of_listening(host: str, port: int) -> OSError | None:
    try:
        family, kind, _proto, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            if sys.platform != "win32":  # on Windows it would let two servers share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error
    except UnicodeError as error:  # a name with an empty or a long part
        return OSError(str(error))
    return None


def _start_helpers(app: Flask) -> None:
    """Start the background threads, after the fork: daily backup, purge of deleted items, certificate renewal."""
    looks = [(make.look, "no daily backup", HOUR), (clean_up, "nothing was removed for good", HOUR)]
    if https := app.extensions.get("https"):
        looks.append((https.look, "the certificate was not renewed", MINUTE))
    for what, failed, seconds in looks:
        Thread(target=_repeat_job, args=(app, what, failed, seconds), name=what.__module__, daemon=True).start()


def clean_up(app: Flask) -> None:
    """Purge expired deleted items, in short transactions, so that no save waits for long.

    Every process runs it; the first one purges, and the others find nothing left.
    """
    delete_expired_sessions()
    removed = 0
    for _ in range(MOST_TURNS):
        some = remove_for_good() + remove_deleted()
        removed += some
        if not some:
            break
    if removed:
        app.logger.info("removed for good: %s", removed)


def _repeat_job(app: Flask, what: Callable[[Flask], object], failed: str, seconds: int) -> None:
    while True:
        run_job(app, what, failed)
        time.sleep(seconds)


def run_job(app: Flask, what: Callable[[Flask], object], failed: str) -> None:
    """Run a background job. Errors are logged and never stop the server."""
    try:
        with app.app_context():
            what(app)
    except Exception as error:
        sentence = str(error) if isinstance(error, BackupProblem | SettingProblem) else sentence_of(error)
        app.logger.warning("%s: %s", failed, sentence or error, exc_info=None if sentence else error)


def _serve_with_gunicorn(app: Flask, host: str, port: int, workers: int) -> None:
    from gunicorn.app.base import BaseApplication

    from .worker import WaitressWorker

    settings = {
        "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        "workers": workers,
        "worker_class": "scorekeeper.serving.worker.WaitressWorker",
        "threads": THREADS,
        "preload_app": True,  # the workers are forked with the application loaded
        "graceful_timeout": SHUTDOWN_SECONDS,
        "loglevel": "warning",
        "control_socket_disable": True,
        "when_ready": lambda _server: announce(app, host, port),
        "post_worker_init": lambda _worker: _start_helpers(app),
        "child_exit": lambda _server, worker: operation.forget(worker.pid),
    }

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            for name, value in settings.items():
                self.cfg.set(name, value)

        def load(self) -> Flask:
            return app

    WaitressWorker.lifeline = os.pipe()
    Server().run()


def _serve_with_waitress(app: Flask, host: str, port: int, workers: int) -> None:
    server = HttpServer(app, workers * THREADS, host=host, port=port)
    announce(app, host, port)
    _start_helpers(app)
    server.run()
