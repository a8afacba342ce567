"""The page that explains how to make a phone trust the server."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.web.https.views import system_of

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1"
BROWSERS = {
    IPHONE: "iphone",
    "Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Safari/604.1": "iphone",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36": "android",
    "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0": "firefox",
    "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0": "firefox",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0": "windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15": "mac",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36": "chrome",
    "curl/8.0": None,
    "": None,
}


@pytest.fixture
def client(make_app: Callable[..., Flask]) -> FlaskClient:
    app = make_app()
    authority = SimpleNamespace(name="Scorekeeper on <kitchen>", fingerprint="AB:CD", der=b"a certificate")
    app.extensions["https"] = SimpleNamespace(authority=authority)
    return app.test_client()


def systems(page: Any) -> list[tuple[bool, str]]:
    """Return each system of the page, and True if its steps are open."""
    found = re.findall(r'<details class="system"( open)?>\s*<summary>([^<]+)', page.text)
    return [(bool(is_open), name) for is_open, name in found]


@pytest.mark.parametrize(("browser", "system"), BROWSERS.items())
def test_a_phone_is_recognized(browser: str, system: str | None) -> None:
    assert system_of(browser) == system


def test_its_own_steps_come_first_and_are_open_and_of_none_all_are_closed(client: FlaskClient) -> None:
    shown = systems(client.get("/https", headers={"User-Agent": IPHONE}))
    assert shown[0] == (True, "iPhone or iPad")
    assert [is_open for is_open, _ in shown] == [True] + [False] * 5
    assert [is_open for is_open, _ in systems(client.get("/https", headers={"User-Agent": "curl"}))] == [False] * 6


def test_the_page_has_the_certificate_its_fingerprint_and_the_way_on_and_says_when_that_is_done(
    client: FlaskClient,
) -> None:
    page = client.get("/https", base_url="http://192.168.1.5:8000").text
    assert page.count('href="/https/scorekeeper.crt"') == 6
    assert 'href="https://192.168.1.5:8000/https"' in page  # not the club: SameSite=Strict cookies would not be sent
    assert "AB:CD" in page
    assert "Scorekeeper on &lt;kitchen&gt;" in page
    page = client.get("/https", base_url="https://192.168.1.5:8000").text
    assert "This device trusts Scorekeeper." in page
    assert 'href="https://192.168.1.5:8000/"' in page


def test_the_certificate_comes_as_what_phones_install(client: FlaskClient) -> None:
    answer = client.get("/https/scorekeeper.crt")
    assert answer.data == b"a certificate"
    assert answer.mimetype == "application/x-x509-ca-cert"
    assert answer.headers["Content-Disposition"] == "inline; filename=scorekeeper.crt"
