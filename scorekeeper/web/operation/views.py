"""For operators: the log, Prometheus metrics (/metrics) and health checks.

Secrets of links and form tokens are never logged: a link's path contains its secret, and a club's old path is one, so
paths are logged without them. Client addresses are not logged. Metrics require the prometheus_client package and are
served to this machine only, or to holders of METRICS_TOKEN; they name no club, game or player.
"""

from __future__ import annotations

import atexit
import hmac
import json
import logging
import os
import re
import shutil
import tempfile
from datetime import UTC, datetime
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, current_app, g, request, request_started

from scorekeeper.database.errors import TROUBLES, Trouble, trouble_of
from scorekeeper.database.session import check_is_current
from scorekeeper.live.hub import hub_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask
    from prometheus_client import Metric

bp = Blueprint("operation", __name__)
STARTED_KEY = "scorekeeper.began"
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
UNKNOWN = "unknown"
SECRETS = (
    (re.compile(r"(/[cl]/)[^/\s?\"'\])]+"), r"\1…"),  # a club's key, or a link's secret
    (re.compile(r"(Key \([^)]*\)=\()[^)]*"), r"\1…"),  # PostgreSQL's message for a duplicate key
)
LOGGERS = ("scorekeeper", "waitress")
log = logging.getLogger("scorekeeper.requests")


def without_secrets(text: str) -> str:
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class TextFormatter(logging.Formatter):
    """Format: 2026-11-21T18:40:03+00:00 WARNING scorekeeper: message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, _format: str | None = None) -> str:  # noqa: N802  (as logging calls it)
        return _moment(record)

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object per line, with the fields of a request and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {"time": _moment(record), "level": record.levelname, "logger": record.name}
        entry |= {"message": without_secrets(record.getMessage()), **getattr(record, "fields", {})}
        if record.exc_info:
            entry["traceback"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


FORMATTERS = {"text": TextFormatter, "json": JsonFormatter}


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


class LogHandler(logging.StreamHandler[Any]):
    """Our handler for standard error; a class of its own so that it can be replaced."""


def init_app(app: Flask) -> None:
    """Log and count all requests. Must be called first, so that its after_request function runs last.

    Loggers are global: LOG_FORMAT of the application created last applies.
    """
    handler = LogHandler()
    handler.setFormatter(FORMATTERS[app.config["LOG_FORMAT"]]())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [other for other in logger.handlers if not isinstance(other, LogHandler)]
        logger.addHandler(handler)
    numbers = app.extensions[EXTENSION] = Metrics() if find_spec("prometheus_client") else None
    if numbers:
        hub_of(app).on_count = numbers.listeners.set
    log.setLevel(logging.INFO if app.config["LOG_REQUESTS"] else logging.WARNING)
    request_started.connect(_begin, app)
    app.after_request(_end)


def _begin(_app: Flask) -> None:
    request.environ[STARTED_KEY] = perf_counter()


def _end(response: Response) -> Response:
    """Count a request and log it in one line.

    Unknown paths are not logged: they may contain a mistyped key.
    """
    rule, method = request.url_rule, request.method if request.method in METHODS else UNKNOWN
    route, path = (rule.rule, without_secrets(request.path)) if rule else (UNKNOWN, UNKNOWN)
    took = perf_counter() - request.environ.get(STARTED_KEY, perf_counter())
    _count(method, route, response.status_code, took)
    ms = round(took * 1000, 1)
    fields = {"method": method, "route": route, "path": path, "status": response.status_code, "ms": ms}
    log.info("%s %s %s in %s ms", method, path, response.status_code, ms, extra={"fields": fields})
    return response


# --- metrics ----------------------------------------------------------------------------------------------------------

EXTENSION = "scorekeeper-metrics"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where a server's processes store their metrics, so that they can be added up
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
HAND_FORMS = {"hands.record", "hands.save_correction"}
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Via")


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        here: dict[str, Any] = {"namespace": "scorekeeper", "registry": self.registry}
        self.requests = Counter("requests", "requests answered", ["route", "method", "status"], **here)
        self.seconds = Histogram(
            "request_seconds", "how long requests took, by route", ["route"], buckets=SECONDS, **here
        )
        self.saves = Counter("saves", "forms of a hand that were saved", **here)
        self.conflicts = Counter("conflicts", "forms not saved because another phone saved first", **here)
        self.foretold_wrong = Counter("foretold_wrong", "taps whose result differed between phone and server", **here)
        # Of live processes only: see `forget`.
        self.listeners = Gauge("listeners", "open pages that receive changes", multiprocess_mode="livesum", **here)

    def text(self) -> bytes:
        """All metrics in Prometheus' text format, of all processes of this server."""
        from prometheus_client import generate_latest

        return bytes(generate_latest(_AllProcesses() if FOLDER in os.environ else self.registry))


class _AllProcesses:
    """Collects the metrics of all processes, skipping empty files of new processes, which the library cannot read."""

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.multiprocess import MultiProcessCollector

        files = [str(path) for path in Path(os.environ[FOLDER]).glob("*.db") if _size(path)]
        found: Iterable[Metric] = MultiProcessCollector.merge(files)
        return found


def _size(path: Path) -> int:
    """Size of a file; 0 if it is gone, such as that of a process that has ended."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def share_between_processes() -> None:
    """Let processes forked from this one add up their metrics. Call before creating the application."""
    if find_spec("prometheus_client") and FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="scorekeeper-metrics-")
        atexit.register(_remove, os.environ[FOLDER], os.getpid())


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # not in a worker that ends
        shutil.rmtree(folder, ignore_errors=True)


def forget(process: int) -> None:
    """Drop the live gauges of a process that has ended, and add its other numbers to one file.

    A scrape then reads one file for each kind of number, and two or three for each live process.
    """
    if FOLDER not in os.environ:
        return
    from prometheus_client.mmap_dict import MmapedDict
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(process)
    for one in Path(os.environ[FOLDER]).glob(f"*_{process}.db"):
        if _size(one):
            ended = MmapedDict(str(one.with_name(one.name.replace(str(process), "ended"))))
            for key, value, *_ in MmapedDict.read_all_values_from_file(one):
                ended.write_value(key, ended.read_value(key)[0] + value, 0)
            ended.close()
        one.unlink()


def _count(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request; `route` is its URL pattern."""
    numbers: Metrics | None = current_app.extensions[EXTENSION]
    if not numbers:
        return
    numbers.requests.labels(route, method, status).inc()
    numbers.seconds.labels(route).observe(seconds)
    if method == "POST" and request.endpoint in HAND_FORMS and status == 303:
        numbers.saves.inc()
    if status == 409:
        numbers.conflicts.inc()
    if g.get("foretold_wrong"):
        numbers.foretold_wrong.inc()


@bp.get("/metrics")
def metrics() -> Response:
    numbers: Metrics | None = current_app.extensions[EXTENSION]
    if numbers is None or not _may_read():
        abort(404)
    return Response(numbers.text(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_read() -> bool:
    """Check the bearer token; without METRICS_TOKEN, allow direct requests from this machine only."""
    token = str(current_app.config["METRICS_TOKEN"])
    if token:
        return hmac.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())
    return _is_local(request.remote_addr) and not any(name in request.headers for name in FORWARDED)


def _is_local(address: str | None) -> bool:
    try:
        return ip_address(address or "").is_loopback
    except ValueError:
        return False


# --- health checks for Docker, systemd and load balancers -------------------------------------------------------------

# They need no club, set no cookie and are never rate-limited.


@bp.get("/healthz")
def alive() -> Response:
    """Liveness: the process responds; makes no query."""
    return _plain("ok")


@bp.get("/readyz")
def ready() -> Response:
    """Readiness: the database responds and its schema is current; otherwise 503 with the reason."""
    try:
        check_is_current()
    except TROUBLES as error:
        return _plain((trouble_of(error) or Trouble.AWAY).value, 503)
    return _plain("ok")


def _plain(text: str, status: int = 200) -> Response:
    return Response(f"{text}\n", status, {"Cache-Control": "no-store"}, mimetype="text/plain")
