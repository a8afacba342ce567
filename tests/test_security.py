"""Attacks of docs/security.md on all pages: every text that people can enter in the club is hostile.

URLs and forms are found in the application and on its pages, so new ones are included.
"""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.transfer.importer import import_as_new_club
from tests.forms import Form, forms_of
from tests.test_platform_security import addresses
from tests.transfer.clubs import as_file
from tests.web.phones import ManagersPhone

MARK = "xss-mark"
HOSTILE = f"'\"><{MARK} onx=1>"  # closes an attribute with either quote, and a tag
TYPED = ("name", "reason", "note", "summary", "source", "label")  # keys of a club file with texts that people enter
LISTS = ("names",)


@dataclass
class World:
    """An application with a hostile club, the club's key, and the complete response of each URL."""

    app: Flask
    key: str
    answers: dict[str, TestResponse]


def hostile(value: Any, known: dict[str, str], key: str = "") -> Any:
    """Return a line of a club file with hostile texts; equal texts stay equal."""
    if isinstance(value, dict):
        noted = {"note": HOSTILE} if "claims" in value else {}
        return noted | {name: hostile(each, known, key if key in LISTS else name) for name, each in value.items()}
    if isinstance(value, list):
        return [hostile(each, known, key) for each in value]
    if isinstance(value, str) and (key in (*TYPED, *LISTS) or value in known):
        return known.setdefault(value, f"{len(known)}{HOSTILE}")
    return value


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path, full_club_file: bytes) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    often = dict.fromkeys(("THROTTLE_CLUBS", "THROTTLE_KEYS", "THROTTLE_UPLOADS"), "")
    app = create_app({"INSTANCE": folder, "WTF_CSRF_ENABLED": False, **often})
    app.test_client_class = ManagersPhone
    known: dict[str, str] = {}
    lines = [hostile(json.loads(line), known) for line in full_club_file.splitlines()]
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with app.app_context():
        key = import_as_new_club(None, as_file(content))[0].key
        db.session.remove()
    client = app.test_client()
    answers = {}
    for address in sorted(set(addresses(app, key, "GET"))):
        answers[address] = client.get(address)
        answers[address].get_data()
    yield World(app, key, answers)
    with app.app_context():
        db.engine.dispose()


class Markup(HTMLParser):
    """Collects tags that come from a hostile text, and attributes that would run scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag] if tag == MARK else []
        self.found += [
            name for name, value in attrs if name.startswith("on") or (value or "").startswith("javascript:")
        ]


def made_by(answer: TestResponse) -> list[str]:
    return Markup(answer.text).found if answer.mimetype in ("text/html", "image/svg+xml") else []


def test_nothing_that_people_type_becomes_markup_on_any_page(world: World) -> None:
    for address, answer in world.answers.items():
        assert made_by(answer) == [], address
    assert sum(MARK in answer.text for answer in world.answers.values()) > 20


def forms_with_hostile_text(world: World) -> Iterator[tuple[Form, TestResponse]]:
    """Send each form of the club's pages once, with hostile text in all fields; yield it with the response."""
    client, sent = world.app.test_client(), set()
    for address, page in world.answers.items():
        for form in forms_of(page.text, address) if page.mimetype == "text/html" else ():
            what = (form.method, form.address, *form.fields)
            if what not in sent:
                sent.add(what)
                fields = dict.fromkeys(form.fields, HOSTILE)
                yield form, client.open(form.address, method=form.method, **{form.where(): fields})


def test_nothing_that_is_sent_comes_back_as_markup_or_leads_elsewhere(world: World) -> None:
    shown = 0
    for form, answer in forms_with_hostile_text(world):
        assert made_by(answer) == [], (form.address, form.fields)
        leads = answer.headers.get("Location", "/")
        assert leads.startswith("/") and not leads.startswith("//"), (form.address, leads)
        shown += MARK in answer.text
    assert shown > 10


def test_every_answer_says_how_it_may_be_used(world: World) -> None:
    """No framing, no MIME sniffing, no shared caching; downloads have safe file names."""
    downloads = 0
    for address, answer in world.answers.items():
        headers = answer.headers
        assert headers["X-Frame-Options"] == "DENY", address
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], address
        assert headers["X-Content-Type-Options"] == "nosniff", address
        assert headers["Referrer-Policy"] == "same-origin", address
        kept = headers.get("Cache-Control", "")
        assert "private" in kept or "no-store" in kept or f"/{world.key}/" not in address, (address, kept)
        if name := headers.get("Content-Disposition"):
            downloads += 1
            assert re.fullmatch(r'attachment; filename="[\w .-]+"', name, re.ASCII), name
    assert downloads > 5


def test_the_name_of_the_host_is_nobodys_to_choose(world: World) -> None:
    """Forged host headers must not appear in a page, not even in one for a later visitor."""
    client = world.app.test_client()
    forged = {"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example", "X-Original-URL": "/evil.example"}
    for address in world.answers:
        client.get(address, headers={"Host": "evil.example"}).get_data()
        assert "evil.example" not in client.get(address, headers=forged).text, address


def test_the_key_of_a_club_is_in_no_title_and_no_address_elsewhere(world: World) -> None:
    for address, answer in world.answers.items():
        text = answer.text
        assert world.key not in "".join(re.findall(r"<title>(.*?)</title>", text, re.DOTALL)), address
        elsewhere = re.findall(r'(?:href|src|action)="(https?://(?!localhost)[^"]*)"', text)
        assert not [link for link in elsewhere if world.key in link], address


def test_where_a_form_is_sent_again_is_here(make_app: Any) -> None:
    """Even if the page that it was on has an odd URL."""
    from scorekeeper.web.common.errors import _address_of_page

    headers = {"HX-Request": "true", "Referer": "http://localhost//evil.example/c/x"}
    with make_app().test_request_context("/c/x/", headers=headers):
        assert _address_of_page() == "/evil.example/c/x"
