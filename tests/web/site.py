"""A browser without a window: what the forms of the pages send, and what the pages then say."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
    "west-michigan-6": 6,
    "west-michigan-5": 5,
    "call-partner-ten-point": 5,
    "st-paul-schmier-5": 5,
    "shankar": 4,
    "western-pennsylvania-cinch": 6,
}
_tokens = itertools.count(1)

Fields = Mapping[str, Any]


class Site:
    """One club's pages, as one phone sees them."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.club = ""
        self.game = ""

    def start_club(self, name: str = "Friday table") -> TestResponse:
        response = self.client.post("/clubs", data={"name": name})
        self.club = response.location or ""
        return response

    def setup(self, rules: str = "classic", **fields: Any) -> dict[str, Any]:
        """The fields of the form that starts a game."""
        players = int(fields.get("players", PLAYERS.get(rules, 4)))
        names = {f"name-{seat}": name for seat, name in enumerate(NAMES[:players], 1)}
        return {"rules": rules, "players": str(players), "dealer": str(players), "do": "start"} | names | fields

    def start_game(self, rules: str = "classic", **fields: Any) -> TestResponse:
        if not self.club:
            self.start_club()
        response = self.client.post(f"{self.club}games/new", data=self.setup(rules, **fields))
        self.game = (response.location or "").removesuffix("hands/new")
        return response

    def hand(self, **fields: Any) -> dict[str, Any]:
        """The fields of a hand of Classic: Ann bids 3 in hearts, and everything goes to her side."""
        token = f"token-{next(_tokens)}"
        seen = {"warned": ["untouched", "bold"]}  # what its page has said beside Save
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
        """The form of a hand with one thing more tapped on it, sent as a script sends it; None takes a field away."""
        data = {name: value for name, value in (fields_of(page) | fields).items() if value is not None}
        return self.client.post(f"{self.game}hands/preview", data=data)

    def step(self, what: str, **fields: Any) -> TestResponse:
        data = {"token": f"token-{next(_tokens)}"} | fields
        return self.client.post(f"{self.game}{what}", data=data)

    def record(self) -> dict[str, Any]:
        return dict(self.client.get(f"{self.game}game.json").get_json())

    def totals(self) -> list[int]:
        """The scores at the head of the score sheet."""
        page = self.client.get(self.game).text
        head = page[page.index('<ul class="scores') : page.index("</ul>", page.index('<ul class="scores'))]
        return [int(text.replace("−", "-")) for text in re.findall(r'class="num">([−\d]+)<', head)]


def complaints(response: TestResponse) -> list[str]:
    """The sentences beside the fields."""
    return [unescape(text) for text in re.findall(r'<p class="wrong"[^>]*>([^<]*)</p>', response.text)]


def read(page: TestResponse) -> str:
    """A page as it reads, without its charts."""
    text = re.sub(r"<(style|script|head|svg)\b.*?</\1>", " ", page.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split()).replace(" ,", ",")


def says(response: TestResponse) -> str:
    """The sentence beside Save."""
    found = re.search(r'id="says"><b>([^<]*)</b> <span>([^<]*)</span>', response.text)
    assert found
    return unescape(" ".join(found.groups()).strip())


def checked(response: TestResponse) -> set[str]:
    """The ids of what is shown as chosen."""
    return set(re.findall(r'id="([^"]+)" checked', response.text))


class _HandFields(HTMLParser):
    """What a browser sends of the form of a hand, without a button."""

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
    """The form of a hand as a browser sends it."""
    return dict(_HandFields(page.text).sent)


def notices(response: TestResponse) -> list[str]:
    """What the last tap has thrown away, why it was not taken, and what looks wrong."""
    told = re.search(r'id="warnings">(.*?)</p>', response.text, re.DOTALL)
    return [unescape(text) for text in re.findall(r"<span>([^<]*)</span>", told[1] if told else "")]


@contextmanager
def counted_queries(app: Flask) -> Iterator[list[str]]:
    """Everything that the database is told meanwhile."""
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
