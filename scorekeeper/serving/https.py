"""HTTPS with a certificate of our own: turned on before the server starts, kept current while it runs."""

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
# What may be asked for by plain HTTP: how to trust this server, with what its page is made of, and whether it lives.
PLAIN = re.compile(r"/https(/.*)?|/static/.*|/healthz|/readyz")
HOST = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Https:
    """Where the certificates of a running server are, and what they are for."""

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
        """Renew the certificate where it ends soon, or the machine has another name or address."""
        self.keep_current(datetime.now(UTC))

    def keep_current(self, now: datetime) -> bool:
        """Issue another certificate where one is due; whether one was. Raises SettingProblem."""
        names = [*all_names(self.host), *self.more_names]
        usable = [name for name in names if certificates.is_address(name) or certificates.is_name(name)]
        return certificates.keep_current(self.folder, usable, now)


def turn_on(app: Flask, host: str) -> None:
    """Let `app` be served by HTTPS: the certificate is made, and plain HTTP is led there.

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
    app.wsgi_app = led_to_https(app.wsgi_app)  # type: ignore[method-assign, assignment]


def led_to_https(app: Application) -> Application:
    """The same application, with whoever asks by plain HTTP led to the same address by HTTPS."""

    def ask(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["wsgi.url_scheme"] == "https" or PLAIN.fullmatch(environ["PATH_INFO"]):
            return app(environ, start_response)
        host = environ.get("HTTP_HOST", "")
        if not HOST.fullmatch(host):
            return _answer(start_response, "400 Bad Request", [])
        # Not for good: the server may run without HTTPS tomorrow, and a phone would remember.
        path = quote(environ["PATH_INFO"].encode("latin-1"), safe="/:@!$&'()*+,;=~-._")
        query = f"?{environ['QUERY_STRING']}" if environ.get("QUERY_STRING") else ""
        headers = [("Location", f"https://{host}{path}{query}"), ("Cache-Control", "no-store")]
        return _answer(start_response, "307 Temporary Redirect", headers)

    return ask


def _answer(start_response: Callable[..., Any], status: str, headers: list[tuple[str, str]]) -> Iterable[bytes]:
    start_response(status, [*headers, ("Content-Length", "0")])
    return [b""]
