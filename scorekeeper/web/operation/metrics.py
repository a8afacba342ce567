"""What a server has done, in numbers that Prometheus reads from /metrics; where its client library is installed.

They are for this computer, or for whoever knows METRICS_TOKEN. Nothing in them names a club, a game or a player.
"""

from __future__ import annotations

import atexit
import hmac
import os
import shutil
import tempfile
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, current_app, g, request

from scorekeeper.live.hub import hub_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask
    from prometheus_client import Metric

bp = Blueprint("metrics", __name__)
EXTENSION = "scorekeeper-metrics"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the processes of one server keep their numbers, for all of them to add up
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
HAND_FORMS = {"hands.record", "hands.save_correction"}
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Via")


class Metrics:
    """The numbers of one application."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        here: dict[str, Any] = {"namespace": "scorekeeper", "registry": self.registry}
        self.requests = Counter("requests", "requests answered", ["route", "method", "status"], **here)
        self.seconds = Histogram(
            "request_seconds", "how long requests took, by route", ["route"], buckets=SECONDS, **here
        )
        self.saves = Counter("saves", "forms of a hand that were saved", **here)
        self.conflicts = Counter("conflicts", "forms that somebody else was quicker with", **here)
        self.foretold_wrong = Counter("foretold_wrong", "taps whose result the phone had said otherwise", **here)
        # Of the processes that live: see `forget`.
        self.listeners = Gauge("listeners", "open pages that are told of changes", multiprocess_mode="livesum", **here)

    def count(self, method: str, route: str, endpoint: str, status: int, seconds: float) -> None:
        self.requests.labels(route, method, status).inc()
        self.seconds.labels(route).observe(seconds)
        if method == "POST" and endpoint in HAND_FORMS and status == 303:
            self.saves.inc()
        if status == 409:
            self.conflicts.inc()
        if g.get("foretold_wrong"):
            self.foretold_wrong.inc()

    def text(self) -> bytes:
        """All numbers in Prometheus' text format, of every process of this server."""
        from prometheus_client import generate_latest

        return bytes(generate_latest(_AllProcesses() if FOLDER in os.environ else self.registry))


class _AllProcesses:
    """The numbers of all processes. One that just begins has an empty file, which the library cannot read."""

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.multiprocess import MultiProcessCollector

        files = [str(path) for path in Path(os.environ[FOLDER]).glob("*.db") if _size(path)]
        metrics: Iterable[Metric] = MultiProcessCollector.merge(files)
        return metrics


def _size(path: Path) -> int:
    """How long a file is; 0 where it has gone, as that of a process that ends does."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def share_between_processes() -> None:
    """Let the processes that are forked from this one add up their numbers. Goes before the application is made."""
    if find_spec("prometheus_client") and FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="scorekeeper-metrics-")
        atexit.register(_remove, os.environ[FOLDER], os.getpid())


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # and not a worker that ends
        shutil.rmtree(folder, ignore_errors=True)


def forget(process: int) -> None:
    """Let what a process that has ended says of this moment count no more."""
    if FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(process)


def init_app(app: Flask) -> None:
    metrics = app.extensions[EXTENSION] = Metrics() if find_spec("prometheus_client") else None
    if metrics:
        hub_of(app).on_count = metrics.listeners.set


def count(method: str, route: str, endpoint: str, status: int, seconds: float) -> None:
    """Count a request that was answered; `route` is its address as a pattern."""
    metrics: Metrics | None = current_app.extensions[EXTENSION]
    if metrics:
        metrics.count(method, route, endpoint, status, seconds)


@bp.get("/metrics")
def show() -> Response:
    metrics: Metrics | None = current_app.extensions[EXTENSION]
    if metrics is None or not _may_read():
        abort(404)
    return Response(metrics.text(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_read() -> bool:
    """With a token whoever has it; without one, who asks from this computer and through no proxy."""
    token = str(current_app.config["METRICS_TOKEN"])
    if token:
        return hmac.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())
    return _is_local(request.remote_addr) and not any(name in request.headers for name in FORWARDED)


def _is_local(address: str | None) -> bool:
    try:
        return ip_address(address or "").is_loopback
    except ValueError:
        return False
