"""A client for the pages' forms, and functions that read the responses."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from html import unescape
from html.parser import HTMLParser
from typing import Any
from unittest.mock import patch

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.database.session import db

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
PLAYERS = {
    "west-michigan-6": 6, "west-michigan-5": 5, "call-partner-ten-point": 5, "st-paul-schmier-5": 5, "shankar": 4,
    "western-pennsylvania-cinch": 6,
}  # fmt: skip
_tokens = itertools.count(1)

Fields = Mapping[str, Any]


class Site:
    """The pages of one club, for one client."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.game = ""

    @cached_property
    def club(self) -> str:
        """URL of the club, which is started when it is first asked for."""
        return str(self.start_club().location)

    def start_club(self, name: str = "Friday table") -> TestResponse:
        response = self.client.post("/clubs", data={"name": name})
        self.club = response.location or ""
        return response

    def setup(self, rules: str = "classic", **fields: Any) -> dict[str, Any]:
        """Return the fields of the form that starts a game."""
        players = int(fields.get("players", PLAYERS.get(rules, 4)))
        names = {f"name-{seat}": name for seat, name in enumerate(NAMES[:players], 1)}
        return {"rules": rules, "players": str(players), "dealer": str(players), "do": "start"} | names | fields

    def start_game(self, rules: str = "classic", **fields: Any) -> TestResponse:
        response = self.client.post(f"{self.club}games/new", data=self.setup(rules, **fields))
        self.game = (response.location or "").removesuffix("hands/new")
        return response

    def hand(self, **fields: Any) -> dict[str, Any]:
        """Return the fields of a hand of Classic: Ann bids 3 in hearts, and her side takes all points."""
        token = f"token-{next(_tokens)}"
        seen = {"warned": ["untouched", "bold"]}  # warnings that the page has shown
        usual = {"token": token, "position": "1", "bidder": "1", "bid": "3", "trump": "H", "do": "save"} | seen
        return {name: value for name, value in (usual | fields).items() if value is not None}

    def post_hand(self, **fields: Any) -> TestResponse:
        return self.client.post(f"{self.game}hands/new", data=self.hand(**fields))

    def preview(self, **fields: Any) -> TestResponse:
        return self.client.post(f"{self.game}hands/preview", data=self.hand(**fields))

    def correct(self, position: int, version: int, **fields: Any) -> TestResponse:
        data = self.hand(position=str(position), hand_version=str(version), **fields)
        return self.client.post(f"{self.game}hands/{position}/", data=data)

    def tap(self, page: TestResponse, **fields: Any) -> TestResponse:
        """Send a preview of a page's form with changed fields; None removes a field."""
        data = {name: value for name, value in (fields_of(page) | fields).items() if value is not None}
        return self.client.post(f"{self.game}hands/preview", data=data)

    def step(self, what: str, **fields: Any) -> TestResponse:
        data = {"token": f"token-{next(_tokens)}"} | fields
        return self.client.post(f"{self.game}{what}", data=data)

    def record(self) -> dict[str, Any]:
        return dict(self.client.get(f"{self.game}game.json").get_json())

    def totals(self) -> list[int]:
        """Return the scores at the head of the score sheet."""
        page = self.client.get(self.game).text
        head = page[page.index('<ul class="scores') : page.index("</ul>", page.index('<ul class="scores'))]
        return [int(text.replace("−", "-")) for text in re.findall(r'class="num">([−\d]+)<', head)]


def complaints(response: TestResponse) -> list[str]:
    """Return the error messages beside fields."""
    return [unescape(text) for text in re.findall(r'<p class="wrong"[^>]*>([^<]*)</p>', response.text)]


def read(page: TestResponse) -> str:
    """Return the text of a page without charts."""
    text = re.sub(r"<(style|script|head|svg)\b.*?</\1>", " ", page.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split()).replace(" ,", ",")


def says(response: TestResponse) -> str:
    """Return the sentence beside Save."""
    found = re.search(r'id="says"><b>([^<]*)</b> <span>([^<]*)</span>', response.text)
    assert found
    return unescape(" ".join(found.groups()).strip())


def checked(response: TestResponse) -> set[str]:
    """Return the ids of checked inputs."""
    return set(re.findall(r'id="([^"]+)" checked', response.text))


class _HandFields(HTMLParser):
    """Fields of the form of a hand, without buttons, as sent by a browser."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self._inside = told.get("id") == "hand"
        name, is_box = told.get("name"), told.get("type") in ("radio", "checkbox")
        if self._inside and tag == "input" and name and "disabled" not in told and (not is_box or "checked" in told):
            self.sent.setdefault(name, []).append(told.get("value") or "")


def fields_of(page: TestResponse) -> dict[str, Any]:
    """Return the fields of the form of a hand, as sent by a browser."""
    return dict(_HandFields(page.text).sent)


def notices(response: TestResponse) -> list[str]:
    """Return the messages of a preview: choices discarded, taps refused, warnings."""
    told = re.search(r'id="warnings">(.*?)</p>', response.text, re.DOTALL)
    return [unescape(text) for text in re.findall(r"<span>([^<]*)</span>", told[1] if told else "")]


@contextmanager
def counted_queries(app: Flask) -> Iterator[list[str]]:
    """Yield a list of all SQL statements executed in the block."""
    queries: list[str] = []
    with app.app_context():
        dialect = db.engine.dialect

    def counted(execute: Callable[..., None]) -> Callable[..., None]:
        def count(cursor: object, statement: str, *given: object, **options: object) -> None:
            queries.append(statement)
            execute(cursor, statement, *given, **options)

        return count

    executing = {name: counted(getattr(dialect, name)) for name in ("do_execute", "do_executemany")}
    with patch.multiple(dialect, **executing):
        yield queries
