"""The server that `scorekeeper run` starts, and the addresses that it says."""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import time
from threading import Thread
from typing import TYPE_CHECKING, Any

import segno

from scorekeeper import create_app
from scorekeeper.backup import daily
from scorekeeper.backup.in_use import serving
from scorekeeper.backup.make import back_up_before_migrating
from scorekeeper.config import THREADS, SettingProblem
from scorekeeper.db import db, migrate_database
from scorekeeper.importing import staging
from scorekeeper.stats.verify import recount_older
from scorekeeper.web.operation import metrics

from . import cleanup
from .http_server import HttpServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

MOST_WORKERS = 64
GRACE = 8  # seconds in which a server that was told to stop finishes what was sent to it; Docker kills after ten
PATIENCE = 3  # seconds in which a server that is just stopping gives its port back
HOUR = 3600  # seconds between two looks for what is due
SIOCGIFADDR = 0x8915  # Linux: the address of a network interface
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104


def run(host: str, port: int) -> int:
    """Migrate the database, then serve until told to stop; the exit status."""
    problem = wait_for_port(host, port)
    if problem:
        print(problem, file=sys.stderr)
        return 1
    metrics.share_between_processes()
    app = create_app()
    workers = wanted_workers(app)
    with serving(app):
        prepare(app)
        leave_alone()
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
    """Let the search for garbage leave alone what is made already: it stays as long as the server.

    Else a worker looks through all of it again and again, a tenth of a second each time, while a phone waits.
    """
    gc.collect()
    gc.freeze()


def prepare(app: Flask) -> None:
    """Bring the tables up to date, count the games again that an older version counted, and clear up after imports.

    Raises `BackupProblem` where a backup has to be made before, and cannot be.
    """
    with app.app_context():
        back_up_before_migrating()
    migrate_database(app)
    with app.app_context():
        recount_older()
        staging.tidy()
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
    """The threads beside the pages, begun after the fork: the daily backup, and what was deleted long ago."""
    for name, look in (("daily-backup", daily.look), ("cleanup", cleanup.look)):
        Thread(target=_look_every_hour, args=(app, look), name=name, daemon=True).start()


def _look_every_hour(app: Flask, look: Callable[[Flask], None]) -> None:
    while True:
        look(app)
        time.sleep(HOUR)


def _serve_with_gunicorn(app: Flask, host: str, port: int, workers: int) -> None:
    from gunicorn.app.base import BaseApplication

    from .worker import WaitressWorker

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            for name, value in gunicorn_settings(host, port, workers).items():
                self.cfg.set(name, value)
            self.cfg.set("post_worker_init", lambda _worker: _start_helpers(app))

        def load(self) -> Flask:
            return app

    WaitressWorker.lifeline = os.pipe()
    Server().run()


def gunicorn_settings(host: str, port: int, workers: int) -> dict[str, Any]:
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
        "when_ready": lambda _server: announce(host, port),
    }


def _serve_with_waitress(app: Flask, host: str, port: int, workers: int) -> None:
    server = HttpServer(app, workers * THREADS, host=host, port=port)
    announce(host, port)
    _start_helpers(app)
    server.run()


def announce(host: str, port: int) -> None:
    """Print every address to open, and the code that a phone reads."""
    local, others = addresses(host)
    lines = ["", "Scorekeeper is running. Open", "", f"  on this computer   {url(local, port)}"]
    lines += [f"  on the same Wi-Fi  {url(other, port)}" for other in others]
    print("\n".join(lines))
    if others:
        print(f"\nOr scan this code with a phone ({url(others[0], port)}):\n")
        _print_code(url(others[0], port))
    print("\nPress Ctrl+C to stop.", flush=True)


def url(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"


def addresses(host: str) -> tuple[str, list[str]]:
    """The address for this computer, and those for others, the likeliest for a phone first."""
    if host not in EVERYWHERE:
        return host, [] if host == "localhost" or host.startswith("127.") or host == "::1" else [host]
    found = dict.fromkeys([*_outbound_address(), *_interface_addresses(), *_addresses_by_name()])
    return "localhost", [address for address in found if not address.startswith("127.")]


def _outbound_address() -> Iterator[str]:
    """The address that traffic to elsewhere would leave from; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return
        yield probe.getsockname()[0]


def _interface_addresses() -> Iterator[str]:
    """The address of each network interface; on Linux only."""
    if not sys.platform.startswith("linux"):
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, name.encode()[:15].ljust(256, b"\0"))
            except OSError:  # the interface has none
                continue
            yield socket.inet_ntoa(answer[20:24])


def _addresses_by_name() -> Iterator[str]:
    try:
        for answer in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(answer[4][0])
    except OSError:
        return


def _print_code(address: str) -> None:
    """The QR code of an address; left out where the terminal's letters cannot draw it."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "▀▄█".encode(encoding)
    except UnicodeEncodeError:
        return
    if os.environ.get("TERM") != "dumb":
        segno.make(address, micro=False).terminal(compact=True)
