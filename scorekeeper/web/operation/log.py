"""The log: what goes wrong, and where it is wanted each request. Secrets of links and forms' tokens are never in it.

A link's address has its secret, and a club's old address is one: they are written without it. Who asks is not written
down at all.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

    from .answered import Answered

SECRETS = (
    (re.compile(r"(/[cl]/)[^/\s?\"'\])]+"), r"\1…"),  # a club's key, a link's secret
    (re.compile(r"(Key \([^)]*\)=\()[^)]*"), r"\1…"),  # how PostgreSQL tells of a value that is there twice
)
LOGGERS = ("scorekeeper", "waitress")
requests = logging.getLogger("scorekeeper.requests")


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
        entry: dict[str, Any] = {"time": _moment(record), "level": record.levelname, "logger": record.name}
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
    """Write the log as LOG_FORMAT says; an application that is made later decides for all."""
    handler = LogHandler()
    handler.setFormatter(FORMATTERS[app.config["LOG_FORMAT"]]())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [other for other in logger.handlers if not isinstance(other, LogHandler)]
        logger.addHandler(handler)


def write(answered: Answered) -> None:
    """One line for a request that was answered."""
    requests.info(
        "%s %s %s in %s ms", answered.method, answered.path, answered.status, answered.milliseconds,
        extra={"fields": answered.fields},
    )  # fmt: skip
