"""The board: large enough, without layout shifts, keeps the screen on, and is up to date within seconds."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.boards import BOARDS, play
from tests.browser.conftest import serving
from tests.browser.phone import SIX, Hand, Phone, again, errors_of, go, hold_links_of, until
from tests.classic import new_club
from tests.conftest import mostly_slow

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
SIZES = [[1280, 800], [390, 664], [1920, 1080], [768, 1024], [390, 844], [844, 390]]
THREE_SECONDS = 3_100
NOW = re.compile(r"/board/now$")
# With a stream, boards do not poll (see test_live). Without streams, `window.asking` is true during a request.
NO_STREAMS = """delete window.EventSource;
addEventListener("htmx:before:request", () => { window.asking = true; });
addEventListener("htmx:finally:request", () => { window.asking = false; });"""


@dataclass(frozen=True)
class Gallery:
    """A server with all games of `BOARDS`: board URLs by name."""

    boards: dict[str, str]
    state: str  # path of the browser's storage state


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:

    def make() -> dict[str, str]:
        club = new_club("The Friday table at the Featherstonehaughs")
        return {name: f"/c/{club.key}/games/{play(club, shown).number}/board" for name, shown in BOARDS.items()}

    with serving(tmp_path_factory.mktemp("gallery"), make) as (url, paths, state):
        yield Gallery({name: url + path for name, path in paths.items()}, state)


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], gallery: Gallery) -> dict[str, Any]:
    """A screen with a link to the gallery's club; a phone that starts a club gets another link."""
    return browser_context_args | {"storage_state": gallery.state}


@pytest.fixture
def phone(page: Page) -> Phone:
    """A phone at hand 1 of a game of Classic."""
    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    return phone


def screen(new_context: NewContext, size: list[int] = SIZES[0], **more: Any) -> Page:
    """Return a page of that size in a new context."""
    page = new_context(**more).new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


def stop_clock(page: Page) -> None:
    """Stop the page's clock at 19:42, until `pass_time`."""
    page.clock.install(time="2026-11-21T19:41:00Z")
    page.clock.pause_at("2026-11-21T19:42:00Z")


def board_address(phone: Phone) -> str:
    return phone.page.url.partition("/hands/")[0] + "/board"


@pytest.fixture
def board(phone: Phone, new_context: NewContext) -> Page:
    """The board of the phone's game on a tablet without streams, with a stopped clock."""
    tablet = screen(new_context, locale="en-GB", timezone_id="UTC")
    tablet.add_init_script(NO_STREAMS)
    stop_clock(tablet)
    hold_links_of(phone.page.context, tablet.context)
    go(tablet, board_address(phone))
    return tablet


def scores(board: Page) -> list[str]:
    return board.locator(".digits").all_text_contents()


def expect_scores(board: Page, *figures: str) -> None:
    expect(board.locator(".digits")).to_have_text(list(figures))


def asked(page: Page) -> list[Request]:
    """Return a list to which all requests for updates are appended from now on."""
    requests: list[Request] = []
    page.on("request", lambda request: NOW.search(request.url) and requests.append(request))
    return requests


def pass_time(page: Page, turns: int = 1, *, answered: bool = True) -> None:
    """Let three seconds pass, `turns` times, each time waiting for the response if `answered`."""
    for _ in range(turns):
        page.clock.run_for(THREE_SECONDS)
        if answered:
            until(page, "() => Boolean(window.asking)", is_so=False)


OVERFLOW = (
    """() => [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"""
)
# The visible height of a figure, unlike its box: its ink above and below the baseline. A canvas measures at the
# font's own size; if the figure is drawn at another size, its box shows it.
INKED = """const inked = (figure, text) => {
  const style = getComputedStyle(figure), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const ink = pen.measureText(text);
  const scale = figure.getBBox().height / (ink.fontBoundingBoxAscent + ink.fontBoundingBoxDescent);
  return [ink.actualBoundingBoxAscent * scale, ink.actualBoundingBoxDescent * scale];
};"""
INK = f"""(font) => {{
  {INKED}
  return [...document.querySelectorAll(".digits")].map(figure => {{
    figure.style.fontFamily = font;
    const [above, below] = inked(figure, "0");
    return above + below;
  }});
}}"""
BESIDE = f"""() => {{
  {INKED}
  return [...document.querySelectorAll(".digits")].filter(figure => {{
    const [above, below] = inked(figure, figure.textContent), own = figure.getBoundingClientRect();
    const foot = figure.ownerSVGElement.getBoundingClientRect().top + figure.getStartPositionOfChar(0).y;
    const cell = figure.closest("li").getBoundingClientRect();
    return own.left < cell.left || own.right > cell.right || foot - above < cell.top || foot + below > cell.bottom;
  }}).map(figure => figure.textContent);
}}"""
# Texts outside of their cell, and parts of the board that begin above the end of the part before.
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect(), parts = [...document.querySelectorAll(".total, .last, .join")];
  const out = [...document.querySelectorAll(".total .name, .total .badge, .last > *")].filter((one) => {
    return box(one).bottom > box(one.closest(".total, .last")).bottom + 1;
  });
  const over = parts.filter((one, at) => at && box(one).top < box(parts[at - 1]).top);
  const last = document.querySelector(".last"), totals = document.querySelector(".totals");
  const apart = box(last).top + 1 > box(totals).bottom && document.querySelectorAll(".digits").length;
  return [...out, ...over].map((one) => one.outerHTML).concat(apart ? [] : ["the last hand"]);
}"""
SMALLEST = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), sizes = [];
  while (walker.nextNode()) {
    const { data, parentNode } = walker.currentNode;
    if (!data.trim() || !parentNode.checkVisibility() || parentNode.closest(".vh, script, noscript")) continue;
    sizes.push(parseFloat(getComputedStyle(parentNode).fontSize));
  }
  return Math.min(...sizes);
}"""


def test_in_a_small_window_it_scrolls_and_nothing_lies_over_anything_else(
    new_context: NewContext, gallery: Gallery
) -> None:
    """On a phone with the page magnified twice."""
    page = screen(new_context, [195, 422])
    for name, address in gallery.boards.items():
        go(page, address)
        assert page.evaluate("document.documentElement.scrollWidth") == 195, name
        assert page.evaluate(COVERED) == [], name


@pytest.mark.parametrize("size", [[1280, 800], [390, 664]], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", mostly_slow(["set below zero", "six alone, won", "three teams", "six alone"], 2))
def test_the_chance_line_comes_into_the_room_that_it_has(
    new_context: NewContext, gallery: Gallery, size: list[int], name: str
) -> None:
    """The page does not wait for the line of chances, its layout does not shift, and the text is not cut off."""
    page = screen(new_context, size)
    held: list[Route] = []
    page.route(re.compile(r"/story\?line=1$"), lambda route: held.append(route))
    go(page, gallery.boards[name])
    until(page, "() => Boolean(document.querySelector('.chance'))")
    before = page.locator(".last").bounding_box()
    for route in held:
        route.continue_()
    expect(page.locator(".chance .chart")).to_have_count(1)
    assert page.locator(".last").bounding_box() == before
    assert page.evaluate(OVERFLOW) == [0, 0]
    assert page.locator(".chance figcaption").evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    box = page.locator(".chance .chart").bounding_box()
    if box is None:  # its place is taken by a text that would be cut beside it
        assert (name, size) == ("six alone, won", [1280, 800])
    else:
        assert box["height"] >= size[1] / 20


# Horizontal distance of each figure from the middle of its cell, and of the names above from the cell's middle quarter,
# which long ones leave for the change beside them; then width, height and darkness of the divider.
MIDDLES = """() => [...document.querySelectorAll(".total")].map(cell => {
  const own = cell.getBoundingClientRect(), middle = own.left + cell.clientWidth / 2;
  const off = one => { const box = one.getBoundingClientRect(); return Math.abs(box.left + box.width / 2 - middle); };
  const head = [...cell.querySelectorAll(".badge, .name")].map(one => one.getBoundingClientRect());
  const left = Math.min(...head.map(box => box.left)), right = Math.max(...head.map(box => box.right));
  const beside = Math.max(0, Math.abs((left + right) / 2 - middle) - cell.clientWidth / 8);
  return [off(cell.querySelector(".digits")), beside];
})"""
DIVIDER = """() => {
  const style = getComputedStyle(document.querySelector(".totals"));
  const probe = document.createElement("i");
  probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--edge");
  document.body.append(probe);
  const isDark = style.backgroundColor === getComputedStyle(probe).color;
  return [parseFloat(style.columnGap), parseFloat(style.rowGap), isDark];
}"""


@pytest.mark.parametrize("size", mostly_slow(SIZES, 2), ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_has_its_place(new_context: NewContext, gallery: Gallery, size: list[int]) -> None:
    """Nothing scrolls, except on a phone on its side, and no figure leaves its cell.

    Two scores never read as one, as 14 and 7 as 147: there is a thick divider, and figures and names are centered.
    """
    page, last = screen(new_context, size), {}
    for name, address in gallery.boards.items():
        go(page, address)
        if size != [844, 390]:
            assert page.evaluate(OVERFLOW) == [0, 0], name
            assert page.evaluate(BESIDE) == [], name
            last[name] = page.locator(".last").bounding_box()
            assert last[name]["y"] + last[name]["height"] <= size[1], name
        assert max(off for offs in page.evaluate(MIDDLES) for off in offs) <= 4, name
        width, height, is_dark = page.evaluate(DIVIDER)
        assert min(width, height) >= size[1] / 250, name
        assert is_dark, name
        if name == "six alone, won" and size[0] >= 1280:  # a long text has all the width: then its lines suffice
            assert page.locator(".took").evaluate("one => one.offsetWidth / one.parentElement.offsetWidth") > 0.9
    # Who is close to winning has room beforehand.
    assert last.get("no hands") == last.get("set below zero") == last.get("close to winning")


def test_it_can_be_read_at_four_metres(new_context: NewContext, gallery: Gallery) -> None:
    """In all generic font families, as those of televisions differ."""
    page = screen(new_context)
    for name, address in gallery.boards.items():
        go(page, address)
        expect(page.locator(".chance[hx-get]")).to_have_count(0)  # long names make room for the chances
        sizes = {font: page.evaluate(INK, font) for font in ("", "serif", "sans-serif", "monospace")}
        assert {font: min(heights) >= 160 for font, heights in sizes.items()} == dict.fromkeys(sizes, True), name
        for heights in zip(*sizes.values(), strict=True):
            assert max(heights) < min(heights) * 1.1, name
        assert page.evaluate(SMALLEST) >= 32, name


def test_a_name_of_twelve_letters_is_whole_beside_five_others(new_context: NewContext, gallery: Gallery) -> None:
    """On phones too, with the change of the last hand beside the name; and in two teams of three."""
    page = screen(new_context)
    for size in ([1280, 800], [390, 664], [360, 640]):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for name in ("six alone", "set below zero"):
            go(page, gallery.boards[name])
            if name == "set below zero":
                page.locator(".totals").evaluate("one => one.classList.add('long')")
            page.locator(".names .name").evaluate_all(
                "all => all.forEach(one => { one.textContent = 'Margarethe J.'; })"
            )
            assert page.evaluate(CUT.replace(".says .name", ".names .name")) == [], (name, size)
            assert page.evaluate(BESIDE) == [], (name, size)


CUT = """() => [...document.querySelectorAll(".says .name")].filter(name => name.scrollWidth > name.clientWidth)
  .map(name => name.textContent)"""


def test_a_bidder_and_a_partner_are_both_named(new_context: NewContext, gallery: Gallery) -> None:
    page = screen(new_context)
    go(page, gallery.boards["no hands"])
    height = page.locator(".last .head").bounding_box()
    go(page, gallery.boards["called partner"])
    names = page.locator(".says .name")
    expect(names).to_have_count(2)
    for number, name in enumerate(("Christopher", "Alexandria")):
        names.nth(number).evaluate("(span, name) => { span.textContent = name; }", name)
    assert page.evaluate(CUT) == []
    box = page.locator(".last .head").bounding_box()
    assert box["height"] == pytest.approx(height["height"], abs=0.1)


def test_no_line_begins_with_the_comma_behind_a_name(new_context: NewContext, gallery: Gallery) -> None:
    page = screen(new_context, [360, 640])
    go(page, gallery.boards["called partner"])
    found = page.evaluate("""() => [...document.querySelectorAll(".says .name")].map((name, place) => {
      name.textContent = ["Mary Jo", "Old Thomas"][place];
      const range = new Range();
      range.setStart(document.querySelector(".verdict").firstChild, 0);
      range.setEnd(range.startContainer, 1);
      return [name, range].map((one) => [...one.getClientRects()].at(-1).bottom);
    })""")
    assert found[1][0] == pytest.approx(found[1][1], abs=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    margins = page.evaluate("""() => {
      const [verdict] = document.querySelectorAll(".verdict"), { marginLeft } = getComputedStyle(verdict);
      document.querySelector(".took").append(document.querySelector(".says .name"), verdict);
      return [marginLeft[0], getComputedStyle(verdict).marginLeft];
    }""")
    assert margins == ["-", "0px"]  # there is no gap to close up in the text below


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name",
    [
        "no hands", "set below zero", "all passed", "called partner", "six alone, everything long",
        "three teams, won", "six alone, won",
    ],
)  # fmt: skip
def test_axe_finds_nothing(new_context: NewContext, gallery: Gallery, scheme: str, name: str) -> None:
    page = screen(new_context, color_scheme=scheme, reduced_motion="reduce")
    go(page, gallery.boards[name])
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.slow
def test_nothing_moves_for_who_wants_it_still(new_context: NewContext, gallery: Gallery) -> None:
    moved = "() => window.moved + document.getAnimations().length"
    note = "window.moved = 0; document.addEventListener('animationstart', () => { window.moved += 1; })"
    for motion, some in (("no-preference", True), ("reduce", False)):
        page = screen(new_context, reduced_motion=motion)
        page.add_init_script(note)
        go(page, gallery.boards["one hand"])
        assert bool(page.evaluate(moved)) is some


def test_a_hand_that_is_saved_appears_and_disappears_when_undone_and_nothing_jumps(phone: Phone, board: Page) -> None:
    board.evaluate(
        """() => { window.shifts = 0; new PerformanceObserver(list => {
          for (const entry of list.getEntries()) window.shifts += entry.value;
        }).observe({ type: "layout-shift", buffered: false }); }"""
    )
    # A takes High, Low and Jack, B takes Game; then B is set by 3, and takes only Low.
    phone.play(Hand(1, 3, "H", {"game": "B"}))
    pass_time(board)
    expect_scores(board, "3", "1")
    expect(board.locator(".head")).to_contain_text("Ann bid 3")
    expect(board.locator(".head")).to_contain_text("made")
    expect(board.locator(".next")).to_have_text("Ann deals next")
    phone.play(Hand(2, 3, "S", {"high": "A", "jack": "A", "game": "A"}))
    pass_time(board)
    expect_scores(board, "6", "−2")
    expect(board.locator(".head")).to_contain_text("set")
    assert board.evaluate("() => window.shifts") == 0
    phone.undo()
    pass_time(board)
    expect_scores(board, "3", "1")


def test_what_is_new_is_asked_for_with_what_is_known(phone: Phone, board: Page) -> None:
    requests = asked(board)
    pass_time(board)
    phone.play(Hand(1, 3, "H"))
    pass_time(board, 2)
    answers = [(request.header_value("if-none-match"), request.response().status) for request in requests]
    (before, _), _, (after, _) = answers
    assert answers == [(before, 304), (before, 200), (after, 304)]
    assert (before[:7], after[:7]) == ('W/"0.0.', 'W/"1.0.')


def test_it_shows_the_winner_and_goes_along_to_the_next_game(page: Page, new_context: NewContext) -> None:
    phone = Phone(page)
    phone.start_game("classic", SIX[:4], target=3)
    board = screen(new_context)
    board.add_init_script(NO_STREAMS)
    stop_clock(board)
    hold_links_of(phone.page.context, board.context)
    go(board, board_address(phone))
    phone.play(Hand(1, 3, "H"))
    pass_time(board)
    expect(board.locator(".head")).to_have_text("Ann and Cy win, 4 to 0")
    expect(board.locator(".why")).to_have_text("Reached 3 first, in hand 1.")
    expect(board.locator(".won .digits")).to_have_text("4")
    phone.press("Play again")
    board.clock.run_for(THREE_SECONDS)
    expect(board).to_have_url(re.compile("/games/2/board$"))
    expect_scores(board, "0", "0")


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_hidden_board_asks_for_nothing_and_catches_up_when_it_is_shown(phone: Phone, board: Page) -> None:
    requests = asked(board)
    board.evaluate(HIDE, True)
    phone.play(Hand(1, 3, "H"))
    pass_time(board, 5)
    assert requests == []
    assert scores(board) == ["0", "0"]
    board.evaluate(HIDE, False)
    expect_scores(board, "4", "0")  # immediately: the clock is stopped
    pass_time(board)
    assert len(requests) == 2


@pytest.mark.slow
def test_a_server_that_is_away_for_a_while_or_answers_something_else(phone: Phone, board: Page) -> None:
    away = board.locator("#away")

    def answer(status: int) -> Callable[[Route], None]:
        return lambda route: route.fulfill(status=status, content_type="text/html", body="<h1>Not this</h1>")

    for status, said in ((404, "reload this page"), (500, "no connection"), (502, "no connection")):
        board.route(NOW, answer(status))
        pass_time(board, 2)
        expect(away).to_contain_text(said)
        expect_scores(board, "0", "0")
        assert board.get_by_text("Not this").count() == 0
        board.unroute(NOW)
        pass_time(board)
        expect(away).to_be_empty()
    board.route(NOW, lambda route: route.abort("connectionrefused"))
    pass_time(board)
    expect(away).to_be_empty()  # one failed request is ignored
    pass_time(board, 25)
    expect(away).to_have_text("last update 1 min ago")
    assert scores(board) == ["0", "0"]
    phone.play(Hand(1, 3, "H"))
    board.unroute(NOW)
    pass_time(board)
    expect_scores(board, "4", "0")
    expect(away).to_be_empty()
    board.route(NOW, lambda route: None)  # the answer never comes
    pass_time(board, 5, answered=False)
    expect(away).to_contain_text("no connection")
    board.unroute(NOW, None)
    phone.play(Hand(2, 2, "H"))
    pass_time(board, 3)
    expect_scores(board, "4", "4")


@pytest.mark.slow
@pytest.mark.parametrize("size", mostly_slow(SIZES[:5], 2), ids=lambda size: f"{size[0]}x{size[1]}")
def test_saying_so_moves_nothing(new_context: NewContext, gallery: Gallery, size: list[int]) -> None:
    page = screen(new_context, size, locale="en-US")
    page.add_init_script(NO_STREAMS)
    stop_clock(page)
    go(page, gallery.boards["six alone, everything long"])
    before = [page.locator(selector).bounding_box() for selector in (".target", "#_board", ".bar > a")]
    page.route(NOW, lambda route: route.abort())
    pass_time(page, 2)
    expect(page.locator("#away")).to_contain_text("no connection")
    assert [page.locator(selector).bounding_box() for selector in (".target", "#_board", ".bar > a")] == before
    assert page.evaluate(OVERFLOW) == [0, 0]


LOCKS = """() => {
  window.locks = [];
  Object.defineProperty(Navigator.prototype, "wakeLock", { configurable: true, get: () => ({
    request: async (kind) => {
      if (window.refused) throw new DOMException("", "NotAllowedError");
      const lock = { kind, released: false };
      window.locks.push(lock);
      return lock;
    },
  }) });
}"""
HELD = "() => window.locks.filter(lock => !lock.released).map(lock => lock.kind)"


def test_the_screen_stays_awake_and_does_so_again_after_a_switch_of_app(page: Page, gallery: Gallery) -> None:
    page.add_init_script(f"({LOCKS})()")
    go(page, gallery.boards["one hand"])
    assert page.evaluate(HELD) == ["screen"]
    page.evaluate("() => window.locks.forEach(lock => { lock.released = true })")
    page.evaluate(HIDE, True)
    assert page.evaluate(HELD) == []
    page.evaluate(HIDE, False)
    assert page.evaluate(HELD) == ["screen"]
    page.evaluate(HIDE, False)
    page.locator(".target").tap()
    assert page.evaluate("() => window.locks.length") == 2  # no second lock while one is held


def test_a_refused_lock_is_asked_for_again_at_the_next_tap(page: Page, gallery: Gallery) -> None:
    errors = errors_of(page)
    page.add_init_script(f"window.refused = true; ({LOCKS})()")
    go(page, gallery.boards["one hand"])
    assert page.evaluate(HELD) == []
    page.evaluate("() => { window.refused = false }")
    page.locator(".target").tap()
    assert page.evaluate(HELD) == ["screen"]
    assert errors == []


def test_without_wake_lock_or_vibration_nothing_is_missed(page: Page, gallery: Gallery) -> None:
    errors = errors_of(page)
    page.add_init_script("delete Navigator.prototype.wakeLock; delete Navigator.prototype.vibrate")
    _mark_as_saved(page)
    go(page, gallery.boards["one hand"])
    page.locator(".target").tap()
    assert page.evaluate("() => [navigator.wakeLock, navigator.vibrate].every(one => one === undefined)")
    assert errors == []


@pytest.mark.parametrize(("motion", "buzzes"), [("no-preference", [30]), ("reduce", [])])
def test_a_saved_hand_buzzes_once(new_context: NewContext, gallery: Gallery, motion: str, buzzes: list[int]) -> None:
    page = screen(new_context, reduced_motion=motion)
    page.add_init_script("window.buzzes = []; Navigator.prototype.vibrate = (ms) => window.buzzes.push(ms)")
    go(page, gallery.boards["one hand"])
    assert page.evaluate("() => window.buzzes") == []
    _mark_as_saved(page)
    again(page)
    assert page.evaluate("() => window.buzzes") == buzzes


def _mark_as_saved(page: Page) -> None:
    """Mark the board as the page after a save."""

    def mark(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("<main", "<main data-saved", 1))

    page.route(re.compile(r"/board$"), mark)
