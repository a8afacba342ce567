"""An evening at the table in each engine, in a window of a phone's size: the same scores as in Chromium, and the same
heights of rows.

SCOREKEEPER_PICTURES names a folder for screenshots, to be compared.
"""

import os
import re
import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright
from selenium.common.exceptions import WebDriverException

from tests.browser.phone import SIX
from tests.browser.test_double_taps import FIELDS
from tests.browser.windows import TAKES_A_TAP, Window, window_of
from tests.conftest import free_port
from tests.find_browser import HOW_TO_GET_ENGINES, find_browser, find_engine

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ENGINES = [
    pytest.param(engine, marks=pytest.mark.skipif(find_engine(engine) is None, reason=HOW_TO_GET_ENGINES[engine]))
    for engine in ("webkit", "firefox")
]
# Heights of all visible rows of a page; "page" is the whole page.
# font-size-adjust is removed: engines adjust to the x-height differently, as it is rounded to pixels.
HEIGHTS = """() => {
  const own = [...document.styleSheets].find(({ href }) => href?.includes("/app"));
  own.insertRule("* { font-size-adjust: none !important }");
  const place = (one) => one.id || `${one.parentElement.closest("[id]")?.id ?? ""} ${one.localName}.${one.className}`;
  const rows = [...document.querySelectorAll("main > *, .point, .ask, .field, main li, main tr, .save, summary")];
  const found = rows.filter((one) => one.checkVisibility?.() ?? one.offsetParent)
    .map((one) => [place(one), Math.round(one.getBoundingClientRect().height)]).filter(([, height]) => height);
  return [["page", document.documentElement.scrollHeight], ...found];
}"""
PLAYED = """AH KH QH JH TH 9H  AS KS QS JS TS 9S  AD KD QD TD 9D 8D  AC KC QC JC TC 9C  8S 7S 2S 8C 7C 2C
  JD XR 2H XB 8H 7H"""
PLAYED_SO_FAR = "(card) => document.querySelector('[name=plays]')?.value.split(' ').includes(card) ?? false"
WAITS = """() => /1 hand (is safe|waits) on this phone/.test(document.querySelector("#waiting").textContent)"""
WAITS_OR_ASKS = f"""() => ({WAITS})() || document.querySelector("#save").textContent.includes("as is")"""
# From now on, pause the animations by which moved elements ignore taps.
HOLD_THE_MOMENT = """() => {
  const animate = Element.prototype.animate;
  window.held = [];
  Element.prototype.animate = function (...how) {
    const one = animate.apply(this, how);
    one.pause();
    window.held.push(one);
    return one;
  };
  window.letGo = () => { Element.prototype.animate = animate; window.held.forEach((one) => one.play()); };
}"""
LET_IT_PASS = "() => window.letGo()"
MIDDLE = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
IS_A_BUTTON_AT = """(x, y) => Boolean(document.elementFromPoint(x, y)?.closest("label, button, .at"))"""
HAND_ENTRY = {"points, blank", "points", "cards", "seat by seat", "play", "correction", "no signal"}
LINE = 25  # one more line of text, in pixels
# The page on which the last hand was entered shows the next hand, and no hands are waiting.
IS_SAVED = """() => document.querySelector("#hand [name=position]")?.value === "6"
  && !document.documentElement.dataset.kept && document.readyState === "complete"
  && window.waiting?.all().then((waiting) => !waiting.length)"""
IS_KEPT = "async (address) => Boolean(await caches.match(address))"
TOTALS = "() => [...document.querySelectorAll('.scores .num')].map((one) => Number(one.textContent.replace('−', '-')))"


class Signal:
    """A TCP proxy in front of the server, which can be cut."""

    def __init__(self, there: int) -> None:
        self.there, self.port = there, free_port()
        self.open: list[socket.socket] = []
        self.back()

    def back(self) -> None:
        self.door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._answer, args=[self.door], daemon=True).start()

    def cut(self) -> None:
        for one in [self.door, *self.open]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.open.clear()

    def _answer(self, door: socket.socket) -> None:
        with suppress(OSError):  # the listening socket was closed
            while True:
                ends = door.accept()[0], socket.create_connection(("127.0.0.1", self.there))
                self.open += ends
                for one, other in (ends, ends[::-1]):
                    threading.Thread(target=self._carry, args=[one, other], daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while said := one.recv(65536):
                other.sendall(said)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)


@dataclass
class Evening:
    """Results: scores after each hand, heights of each page's rows, and the number of printed pages."""

    totals: dict[str, list[int]] = field(default_factory=dict)
    heights: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    pages: int = 0


class Table:
    """Plays an evening in one window."""

    def __init__(self, window: Window, signal: Signal, pictures: Path | None) -> None:
        self.window, self.signal, self.pictures = window, signal, pictures
        self.came = Evening()

    def look(self, name: str) -> None:
        self.window.run("() => scrollTo(0, 0)")
        if self.pictures:
            self.window.picture(self.pictures / f"{name}.png")
        self.came.heights[name] = [(place, height) for place, height in self.window.run(HEIGHTS)]

    def save(self, name: str) -> list[int]:
        with self.window.to_another_page():
            self.window.tap("#save")
        return self.note(name)

    def note(self, name: str) -> list[int]:
        self.came.totals[name] = self.window.run(TOTALS)
        return self.came.totals[name]

    def start(self) -> str:
        """Start a club and a game for six; return the club's URL."""
        window = self.window
        window.open(f"http://127.0.0.1:{self.signal.port}/")
        window.type("#name", "Friday table")
        window.press("Start the club")
        club = window.address
        window.follow("Start the first game")
        window.choose("#players-is-6")
        window.until("(game) => document.querySelector(game) !== null", "#rules-is-west-michigan-6")
        with window.to_another_page():
            window.tap("#rules-is-west-michigan-6")
        for number, name in enumerate(SIX, 1):
            window.type(f"#name-{number}", name)
        window.choose("#dealer-is-6")
        self.look("start")
        window.press("Deal")
        return club

    def by_points(self) -> None:
        window = self.window
        self.look("points, blank")
        window.choose("#bidder-is-1", "#bid-is-4")
        self.double_tap("#trump-is-D")  # High is then under the finger
        window.choose("#unfold-is-call", "#trump-is-H", "#buried-is-9C", "#buried-is-2D")
        window.choose("#point-left_jack-is-B", "#point-left_joker-is-B")
        window.shows("#says", "Ann bid 4, took 5: +5. Bo’s team +2. Ann’s team leads 5 to 2.")
        self.look("points")
        assert self.save("points") == [5, 2]

    def double_tap(self, selector: str) -> None:
        """The second tap comes while moved elements ignore taps, which is paused until then."""
        window = self.window
        window.run(HOLD_THE_MOMENT)
        window.until(TAKES_A_TAP, selector)
        x, y = place = window.run(MIDDLE, selector)
        window.tap_at(place)
        window.until("(s) => document.querySelector(s).checked", selector)
        before = window.run(FIELDS)
        window.tap_at(place)
        assert window.run(FIELDS) == before
        window.run(LET_IT_PASS)
        window.until(IS_A_BUTTON_AT, x, y)

    def by_cards(self) -> None:
        """A has 45 of 80 card points, as in test_ways.py."""
        window = self.window
        window.choose("#bidder-is-1", "#bid-is-4", "#trump-is-H", "#detail-is-cards")
        for pile, cards in (("A", "AS KS TS AH KH TH JH XR"), ("B", "XB 2H JD")):
            window.choose(f"#pile-is-{pile}", *(f"#at-{card}-is-{pile}" for card in cards.split()))
        window.choose(
            "#unfold-is-all", "#pile-is-buried", "#at-9C-is-buried", "#at-2D-is-buried", "#pile-is-A", "#at-TC-is-A"
        )
        window.shows("#says", "Who played Low?")
        window.choose("#by-low-is-B")
        window.shows("#says", "Ann bid 4, took 4: +4. Bo’s team +3. Ann’s team leads 9 to 5.")
        self.look("cards")
        assert self.save("cards") == [9, 5]

    def by_play(self) -> None:
        """Cy bids two and wins every trick of six: seven points."""
        window = self.window
        window.choose("#detail-is-points", "#by_seat-is-on")
        for call in ("2", "pass", "pass", "pass", "pass", "pass"):
            window.tap(f"#call-is-{call}")
        self.look("seat by seat")
        window.choose("#detail-is-play")
        for card in PLAYED.split():
            window.tap_until(f"#play-{card}", PLAYED_SO_FAR, card)
            if card == "TS":
                self.look("play")
        window.shows("#says", "Cy bid 2, took 7: +7. Nobody else scored. Ann’s team leads 16 to 5.")
        assert self.save("play") == [16, 5]

    def correct(self, game: str) -> None:
        window = self.window
        window.open(game)
        self.look("sheet")
        with window.to_another_page():
            window.tap("#hand-1 th a")
        self.look("correction")
        window.choose("#point-left_joker-is-A")
        with window.to_another_page():
            window.tap("#save")
        window.shows("#hand-1 .score .num", "6")

    def undo(self, game: str) -> None:
        window = self.window
        window.open(f"{game}hands/new")
        before = self.note("before undo")
        window.choose("#detail-is-points")
        window.tap_until("#by_seat-is-on", "() => Boolean(document.querySelector('#bidder-is-2'))")
        window.choose("#bidder-is-2", "#bid-is-2", "#trump-is-S", "#point-high-is-A", "#point-game-is-A")
        after = self.save("hand 4")
        assert after == [before[0] + 2, before[1] + 5]
        window.press("Undo", ".steps button")
        assert self.note("undone") == before

    def live(self, game: str) -> None:
        """A second window shows hands saved in the first one."""
        window = self.window
        second = window.another()
        second.open(game)
        second.until("() => document.readyState === 'complete'")
        window.open(f"{game}hands/new")
        window.choose("#bidder-is-2", "#bid-is-2", "#trump-is-S", "#point-high-is-A", "#point-game-is-A")
        self.save("live")
        second.shows("#hand-4", "Bo")

    def without_a_signal(self, game: str) -> None:
        window = self.window
        window.open(f"{game}hands/new")
        window.until(IS_KEPT, f"{game}hands/offline")
        self.signal.cut()
        window.open(f"{game}hands/offline")
        window.choose("#bidder-is-2", "#bid-is-3", "#trump-is-C", "#buried-is-9D", "#buried-is-8D")
        self.look("no signal")
        window.tap("#save")
        window.until(WAITS_OR_ASKS)
        if window.run("() => document.querySelector('#save').textContent.includes('as is')"):
            window.tap("#save")
        window.until(WAITS)
        self.signal.back()
        window.until(IS_SAVED)
        window.open(game)
        window.shows("#hand-5", "Bo")

    def end(self, game: str, club: str) -> None:
        window = self.window
        while not window.run("() => Boolean(document.querySelector('.winner'))"):
            window.open(f"{game}hands/new")
            window.choose("#bidder-is-1", "#bid-is-7", "#trump-is-D", "#buried-is-9C", "#buried-is-8C")
            self.save("last")
        window.shows(".winner h2", "Ann, Cy and Ed win")
        window.open(game)
        window.shows(".winner h2", "Ann, Cy and Ed win")
        self.look("won")
        for name, address in (("board", f"{game}board"), ("standings", f"{club}standings"), ("club", club)):
            window.open(address)
            self.look(name)

    def rules(self, game: str, club: str) -> None:
        window = self.window
        window.open(f"{club}edit-rules/west-michigan-6")
        self.look("rule editor")
        was = window.run("() => document.querySelector('[name=\"win.target\"]').value")
        window.tap("button[value='up win.target']")
        window.until("(was) => Number(document.querySelector('[name=\"win.target\"]').value) === Number(was) + 1", was)
        window.open(f"{game}rules/card")
        self.look("table card")
        self.came.pages = count_pages(window.paper())


def count_pages(pdf: bytes) -> int:
    """Count the pages of a PDF: Firefox compresses page objects, other engines do not."""
    packed = [part.partition(b"endstream")[0] for part in re.split(rb"stream\r?\n", pdf)[1:]]
    text = [pdf]
    for part in packed:
        with suppress(zlib.error):
            text.append(zlib.decompressobj().decompress(part))
    return sum(len(re.findall(rb"/Type */Page\b", one)) for one in text)


def evening(engine: str, server: str, folder: Path, playwright: Playwright) -> Evening:
    signal = Signal(int(server.rpartition(":")[2]))
    asked = os.environ.get("SCOREKEEPER_PICTURES")
    pictures = Path(asked) / engine if asked else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with window_of(engine, folder, playwright) as window:
        table = Table(window, signal, pictures)
        club = table.start()
        game = f"{club}games/1/"
        table.by_points()
        table.by_cards()
        table.by_play()
        table.correct(game)
        table.undo(game)
        table.live(game)
        table.without_a_signal(game)
        table.end(game, club)
        table.rules(game, club)
    signal.cut()
    return table.came


@pytest.fixture(scope="module")
def evenings(
    live_server_url: str, tmp_path_factory: pytest.TempPathFactory, playwright: Playwright
) -> Iterator[Callable[[str], Evening]]:
    """A function that returns an engine's results; each evening runs once."""
    lived: dict[str, Evening] = {}

    def find(engine: str) -> Evening:
        if engine not in lived:
            try:
                lived[engine] = evening(engine, live_server_url, tmp_path_factory.mktemp(engine), playwright)
            except (PlaywrightError, WebDriverException):  # the driver failed: retry in a new browser
                lived[engine] = evening(engine, live_server_url, tmp_path_factory.mktemp(engine), playwright)
        return lived[engine]

    yield find


@pytest.mark.skipif(find_browser() is None, reason="no Chromium to compare with")
@pytest.mark.parametrize("engine", ENGINES)
def test_an_evening_is_as_in_chromium(evenings: Callable[[str], Evening], engine: str) -> None:
    """Heights differ by at most 5 % or 2 pixels, except on hand entry pages by at most one line of text."""
    theirs, ours = evenings(engine), evenings("chromium")
    assert theirs.totals == ours.totals
    assert theirs.pages == 1
    assert list(ours.heights) == list(theirs.heights)
    other = {
        f"{page}: {place}": (here, there)
        for page, rows in ours.heights.items()
        for (place, here), (also, there) in zip(rows, theirs.heights[page], strict=True)
        if place != also or abs(here - there) > max(2 if page in HAND_ENTRY else LINE, here / 20)
    }
    assert other == {}
