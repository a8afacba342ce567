"""Every request that the application answers, for the log and for the metrics."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING

from flask import request, request_started

from . import log, metrics
from .answered import Answered

if TYPE_CHECKING:
    from flask import Flask, Response

BEGAN = "scorekeeper.began"
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
UNKNOWN = "unknown"


def init_app(app: Flask) -> None:
    """Watch every request. Goes before everything else that looks at an answer: it sees the last of it."""
    log.init_app(app)
    metrics.init_app(app)
    log.requests.setLevel(logging.INFO if app.config["LOG_REQUESTS"] else logging.WARNING)
    request_started.connect(_begin, app)
    app.after_request(_end)


def _begin(_app: Flask) -> None:
    request.environ[BEGAN] = perf_counter()


def _end(response: Response) -> Response:
    answered = _answered(response)
    metrics.count(answered)
    log.write(answered)
    return response


def _answered(response: Response) -> Answered:
    """An address that leads nowhere is not told: whatever was typed there may be somebody's key."""
    rule, method = request.url_rule, request.method if request.method in METHODS else UNKNOWN
    path = log.without_secrets(request.path) if rule else UNKNOWN
    took = perf_counter() - request.environ.get(BEGAN, perf_counter())
    return Answered(method, rule.rule if rule else UNKNOWN, path, request.endpoint or "", response.status_code, took)
