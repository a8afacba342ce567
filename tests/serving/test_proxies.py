"""Scorekeeper behind the proxies of docs/https.md, configured as printed there; skipped where not installed."""

import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPSConnection
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from scorekeeper.serving.certificates import AUTHORITY, SERVER, keep_current, read_authority
from tests.conftest import ROOT, free_port
from tests.serving.loop import served


class Application:
    """Answers with client address, scheme and host; at /stream in two chunks, the second when `told` is set."""

    def __init__(self, trusted: str) -> None:
        self.told = Event()
        self.config = {"TRANSFER_LIMIT": 64_000_000, "MAX_CONTENT_LENGTH": 1000, "TRUSTED_PROXY": trusted}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        said = [environ[name] for name in ("REMOTE_ADDR", "wsgi.url_scheme", "HTTP_HOST")]
        yield " ".join(said).encode()
        if environ["PATH_INFO"] == "/stream":
            assert self.told.wait(30)
            yield b"two"


def block(language: str) -> str:
    """Return the first code block in `language` of docs/https.md."""
    text = (ROOT / "docs" / "https.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]  # type: ignore[index]


def nginx(folder: Path, port: int, behind: int) -> list[str]:
    site = re.sub(r"(ssl_certificate\S*) [^;]+;", rf"\1 {folder / SERVER};", block("nginx"))
    site = site.replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    places = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"daemon off; master_process off; pid {folder}/pid; events {{}} http {{ access_log off; {places} {site} }}"
    (folder / "nginx.conf").write_text(whole)
    return ["nginx", "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, behind: int) -> list[str]:
    site = block("caddyfile").replace("scores.example.org", f"https://localhost:{port}")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{behind}\n\ttls {folder / SERVER} {folder / SERVER}")
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[None]:
    environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet) as proxy:
        try:
            yield
        finally:
            proxy.terminate()
            proxy.wait(60)


def connected(port: int, folder: Path) -> HTTPSConnection:
    """Return a connection to the proxy, retrying until it listens."""
    authority = read_authority(folder / AUTHORITY).certificate.public_bytes(Encoding.PEM).decode()
    connection = HTTPSConnection("localhost", port, timeout=30, context=ssl.create_default_context(cadata=authority))
    for _ in range(200):
        try:
            connection.connect()
            return connection
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the proxy does not listen")


@pytest.mark.parametrize("make", [nginx, caddy])
@pytest.mark.parametrize(("trusted", "scheme"), [("127.0.0.1", "https"), ("", "http")])
def test_behind_a_proxy(make: Callable[..., list[str]], trusted: str, scheme: str, tmp_path: Path) -> None:
    """Only the trusted proxy sets scheme and client address; forged headers are dropped, streams not buffered."""
    if shutil.which(make.__name__) is None:
        pytest.skip(f"{make.__name__} is not installed")
    keep_current(tmp_path, ["localhost"], datetime.now(UTC))
    app, port = Application(trusted), free_port()
    with served(app) as behind, running(make(tmp_path, port, behind), tmp_path):
        connection = connected(port, tmp_path)
        forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "evil.example"}
        connection.request("GET", "/stream", headers=forged)
        answer = connection.getresponse()
        assert answer.read1().decode() == f"127.0.0.1 {scheme} localhost:{port}"
        app.told.set()
        assert answer.read() == b"two"
        connection.close()
