"""Every request that the application answers, for the log and for the metrics; and the log itself.

Secrets of links and forms' tokens are never in the log: a link's address has its secret, and a club's old address is
one, so they are written without it. Who asks is not written down at all.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any

from flask import request, request_started

from . import metrics

if TYPE_CHECKING:
    from flask import Flask, Response

BEGAN = "scorekeeper.began"
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
UNKNOWN = "unknown"
SECRETS = (
    (re.compile(r"(/[cl]/)[^/\s?\"'\])]+"), r"\1…"),  # a club's key, a link's secret
    (re.compile(r"(Key \([^)]*\)=\()[^)]*"), r"\1…"),  # how PostgreSQL tells of a value that is there twice
)
LOGGERS = ("scorekeeper", "waitress")
log = logging.getLogger("scorekeeper.requests")


def without_secrets(text: str) -> str:
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class TextFormatter(logging.Formatter):
    """2026-11-21T18:40:03+00:00 WARNING scorekeeper: what happened."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, _format: str | None = None) -> str:  # noqa: N802  (as logging calls it)
        return _moment(record)

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line; of a request with its fields, of an error with its traceback."""

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
    """Ours, on the standard error output."""


def init_app(app: Flask) -> None:
    """Watch every request. Goes before everything else that looks at an answer: it sees the last of it.

    The log is written as LOG_FORMAT says; an application that is made later decides for all.
    """
    handler = LogHandler()
    handler.setFormatter(FORMATTERS[app.config["LOG_FORMAT"]]())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [other for other in logger.handlers if not isinstance(other, LogHandler)]
        logger.addHandler(handler)
    metrics.init_app(app)
    log.setLevel(logging.INFO if app.config["LOG_REQUESTS"] else logging.WARNING)
    request_started.connect(_begin, app)
    app.after_request(_end)


def _begin(_app: Flask) -> None:
    request.environ[BEGAN] = perf_counter()


def _end(response: Response) -> Response:
    """Count a request that was answered, and log it in one line.

    An address that leads nowhere is not told: whatever was typed there may be somebody's key.
    """
    rule, method = request.url_rule, request.method if request.method in METHODS else UNKNOWN
    route, path = (rule.rule, without_secrets(request.path)) if rule else (UNKNOWN, UNKNOWN)
    took = perf_counter() - request.environ.get(BEGAN, perf_counter())
    metrics.count(method, route, request.endpoint or "", response.status_code, took)
    ms = round(took * 1000, 1)
    fields = {"method": method, "route": route, "path": path, "status": response.status_code, "ms": ms}
    log.info("%s %s %s in %s ms", method, path, response.status_code, ms, extra={"fields": fields})
    return response
