"""`scorekeeper run --https`: its settings, and redirects from plain HTTP."""

import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from flask import Flask

from scorekeeper.cli import main
from scorekeeper.config import SettingProblem
from scorekeeper.serving import announcement, https, serve
from scorekeeper.serving.certificates import AUTHORITY, read_authority
from tests.conftest import SCOREKEEPER, environment, free_port, wait_for


@pytest.fixture
def turned_on(make_app: Callable[..., Flask], migrated_sqlite: Path, tmp_path: Path) -> Flask:
    """The application as configured by `--https`."""
    file = shutil.copy(migrated_sqlite, tmp_path / "scorekeeper.sqlite")
    app = make_app(DATABASE_URL=f"sqlite:///{file}", HTTPS_NAMES="scores.lan 192.0.2.44")
    https.turn_on(app, "0.0.0.0")
    return app


@pytest.mark.parametrize(
    ("asked", "led"),
    [
        ("/", "https://kitchen.local:8000/"),
        ("/c/some-key/games/?page=2&x=%0d%0a", "https://kitchen.local:8000/c/some-key/games/?page=2&x=%0d%0a"),
        ("/c/%0d%0aSet-Cookie:x/", "https://kitchen.local:8000/c/%0D%0ASet-Cookie:x/"),
        ("/https-not", "https://kitchen.local:8000/https-not"),
    ],
)
def test_plain_http_leads_to_the_same_address_by_https(turned_on: Flask, asked: str, led: str) -> None:
    """The redirect is temporary: not cached, and no HSTS."""
    answer = turned_on.test_client().open(asked, base_url="http://kitchen.local:8000")
    assert (answer.status_code, answer.headers["Location"], answer.headers["Cache-Control"]) == (307, led, "no-store")
    assert "Strict-Transport-Security" not in answer.headers


def test_two_slashes_lead_to_no_other_host(turned_on: Flask) -> None:
    environment = {"PATH_INFO": "//evil.example/", "HTTP_HOST": "kitchen.local"}
    answer = turned_on.test_client().open(environ_overrides=environment)
    assert answer.headers["Location"] == "https://kitchen.local//evil.example/"


@pytest.mark.parametrize("host", ["evil.example/x", "a b", "", "a@evil.example", "[::1", "a:99999999"])
def test_a_host_that_is_none_leads_nowhere(turned_on: Flask, host: str) -> None:
    assert turned_on.test_client().get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("path", ["/https", "/https/scorekeeper.crt", "/static/icon.svg", "/healthz"])
def test_what_a_phone_needs_before_it_trusts_comes_by_plain_http(turned_on: Flask, path: str) -> None:
    answer = turned_on.test_client().get(path, base_url="http://192.0.2.44:8000")
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


def test_cookies_are_for_https_alone(turned_on: Flask) -> None:
    """And the certificate is for the names. A name that the authority may not sign gives one sentence."""
    answer = turned_on.test_client().get("/", base_url="https://kitchen.local:8000")
    assert answer.status_code == 200
    assert "Secure" in answer.headers["Set-Cookie"].split("; ")
    content = turned_on.extensions["https"].server_file.read_bytes()
    command = ["openssl", "x509", "-noout", "-ext", "subjectAltName"]
    found = subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode()
    assert "DNS:scores.lan" in found
    assert "IP Address:192.0.2.44" in found
    turned_on.config["HTTPS_NAMES"] = "bank.example.com"
    with pytest.raises(SettingProblem, match=r"can't sign for bank\.example\.com"):
        https.turn_on(turned_on, "0.0.0.0")


def test_a_renewal_that_fails_stops_nothing(turned_on: Flask, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    look = turned_on.extensions["https"].look
    serve.run_job(turned_on, look, "not renewed")
    assert caplog.records == []
    monkeypatch.setattr(https, "all_names", lambda _host: 1 / 0)
    serve.run_job(turned_on, look, "not renewed")
    assert "not renewed: division by zero" in caplog.text


def test_every_name_and_address_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(announcement.socket, "gethostname", lambda: "Kitchen.example.net")
    monkeypatch.setattr(announcement, "_addresses", lambda: ["192.0.2.7", "127.0.0.1", "198.51.100.3", "127.0.1.1"])
    monkeypatch.setattr(announcement, "INTERFACES_6", tmp_path / "if_inet6")
    lines = ("fd000000000000000000000000000005", "fe800000000000000000000000000005", "0" * 31 + "1")
    (tmp_path / "if_inet6").write_text("".join(f"{line} 02 40 00 80 eth0\n" for line in lines))
    names = ["kitchen", "kitchen.local", "kitchen.example.net", "localhost", "127.0.0.1", "::1"]
    own = ["192.0.2.7", "198.51.100.3", "127.0.1.1", "fd00::5"]
    assert announcement.all_names("0.0.0.0") == names + own
    assert (announcement.local_names("0.0.0.0"), announcement.local_names("192.0.2.99")) == (["kitchen.local"], [])
    assert announcement.all_names("192.0.2.99") == [*names, "192.0.2.99", *own]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """Port and instance folder of a server started by `scorekeeper run --https`."""
    port = free_port()
    command = [*SCOREKEEPER, "run", "--https", "--port", str(port)]
    with (
        (tmp_path / "output").open("wb") as file,
        subprocess.Popen(command, env=environment(tmp_path, PYTHONUTF8="1"), stdout=file, stderr=file) as server,
    ):
        wait_for(f"http://127.0.0.1:{port}/https", server)
        yield port, tmp_path
        server.terminate()
        assert server.wait(60) == 0


@pytest.mark.slow
def test_it_serves_https_and_says_how_to_trust_it(running: tuple[int, Path]) -> None:
    port, folder = running
    authority = read_authority(folder / "https" / AUTHORITY)
    context = ssl.create_default_context(cadata=authority.certificate.public_bytes(Encoding.PEM).decode())
    for name in ("localhost", "127.0.0.1"):
        connection = HTTPSConnection(name, port, timeout=30, context=context)
        connection.request("GET", "/rules/")
        assert connection.getresponse().status == 200
        connection.close()
    said = (folder / "output").read_text(encoding="utf-8")
    assert f"https://localhost:{port}/" in said
    assert authority.fingerprint in said
    assert f":{port}/https)" in said and "▄" in said  # the URL of the page for phones, and its QR code
    assert "Traceback" not in said


def test_the_command_names_it_and_without_it_there_is_no_such_page(
    make_app: Callable[..., Flask], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    assert "--https" in capsys.readouterr().out
    client = make_app().test_client()
    assert [client.get(path).status_code for path in ("/https", "/https/scorekeeper.crt")] == [404, 404]
