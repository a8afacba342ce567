"""HTTPS with a certificate of our own: enabled before the server starts, renewed while it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Flask

from scorekeeper.config import SettingProblem

from . import certificates
from .announcement import all_names

FOLDER = "https"  # in the instance folder
# Paths served over plain HTTP: the page about trusting this server, its static files, and health checks.
PLAIN_HTTP_PATHS = re.compile(r"/https(/.*)?|/static/.*|/healthz|/readyz")
HOST = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Https:
    """The location of a server's certificates, and the host and names that they cover."""

    folder: Path
    host: str
    more_names: tuple[str, ...] = ()

    @property
    def server_file(self) -> Path:
        return self.folder / certificates.SERVER

    @property
    def authority(self) -> certificates.Authority:
        """The authority that phones are asked to trust."""
        return certificates.read_authority(self.folder / certificates.AUTHORITY)

    def look(self, _app: Flask) -> None:
        """Renew the certificate if it expires soon, or if this computer has a new name or address."""
        self.keep_current(datetime.now(UTC))

    def keep_current(self, now: datetime) -> bool:
        """Issue a certificate if necessary; return True if one was issued. Raises SettingProblem."""
        names = [*all_names(self.host), *self.more_names]
        usable = [name for name in names if certificates.is_address(name) or certificates.is_name(name)]
        return certificates.keep_current(self.folder, usable, now)


def turn_on(app: Flask, host: str) -> None:
    """Serve `app` over HTTPS: create the certificate, and redirect plain HTTP.

    Raises SettingProblem.
    """
    names = tuple(str(app.config["HTTPS_NAMES"]).lower().split())
    https = Https(Path(app.instance_path) / FOLDER, host, names)
    https.keep_current(datetime.now(UTC))
    if foreign := [name for name in names if not https.authority.may_sign(name)]:
        raise SettingProblem(
            f"The authority in {https.folder} can't sign for {foreign[0]}. "
            f"Take the name out of SCOREKEEPER_HTTPS_NAMES, or delete that folder and trust a new one on each phone."
        )
    app.extensions["https"] = https
    app.wsgi_app = redirect_to_https(app.wsgi_app)  # type: ignore[method-assign, assignment]


def redirect_to_https(app: Application) -> Application:
    """Wrap a WSGI application to redirect requests over plain HTTP to HTTPS."""

    def ask(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["wsgi.url_scheme"] == "https" or PLAIN_HTTP_PATHS.fullmatch(environ["PATH_INFO"]):
            return app(environ, start_response)
        host = environ.get("HTTP_HOST", "")
        if not HOST.fullmatch(host):
            return _answer(start_response, "400 Bad Request", [])
        # A temporary redirect: the server may run without HTTPS tomorrow, and browsers remember permanent ones.
        path = quote(environ["PATH_INFO"].encode("latin-1"), safe="/:@!$&'()*+,;=~-._")
        query = f"?{environ['QUERY_STRING']}" if environ.get("QUERY_STRING") else ""
        headers = [("Location", f"https://{host}{path}{query}"), ("Cache-Control", "no-store")]
        return _answer(start_response, "307 Temporary Redirect", headers)

    return ask


def _answer(start_response: Callable[..., Any], status: str, headers: list[tuple[str, str]]) -> Iterable[bytes]:
    start_response(status, [*headers, ("Content-Length", "0")])
    return [b""]
