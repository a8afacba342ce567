"""Live pages: a hand saved on one phone appears on others, by a stream or by polling."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.phone import SIX, Hand, Phone, go, hold_links_of, to_another_page, until

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
NO_STREAMS = "delete window.EventSource"


@pytest.fixture
def ann(page: Page) -> Phone:
    """Ann's phone at hand 1 of a game."""
    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    phone.follow("Score sheet")
    phone.page.locator("#whose summary").tap()
    with to_another_page(phone.page):
        phone.page.get_by_role("button", name="Ann", exact=True).tap()
    phone.follow("Enter hand 1")
    return phone


# Another line would add 14 pixels; letters may extend 1 pixel below their line.
FITS = "(line, words) => { line.textContent = words; return line.scrollHeight <= line.clientHeight + 1; }"


def opened(new_context: NewContext, ann: Phone, rest: str, script: str = "") -> Page:
    """Open a page of the game or its club on another device; `rest` is relative to the game's URL."""
    page = new_context().new_page()
    hold_links_of(ann.page.context, page.context)
    if script:
        page.add_init_script(script)
    go(page, ann.page.url.partition("hands/")[0] + rest)
    return page


def test_a_save_is_seen_on_every_open_page(ann: Phone, new_context: NewContext) -> None:
    """On score sheet and board by a stream, on another score sheet by polling; no element loses its focus."""
    sheet = opened(new_context, ann, "")
    board = opened(new_context, ann, "board")
    asking = opened(new_context, ann, "", NO_STREAMS)
    club = opened(new_context, ann, "../../")
    hand = opened(new_context, ann, "hands/new")
    sheet.locator("#substitute summary").tap()
    sheet.locator("#who").fill("Gil")
    ann.tap("#bidder-is-1")
    expect(sheet.locator("#busy")).to_have_text("Ann is entering hand 1.")
    expect(board.locator(".next")).to_have_text("Ann is entering hand 1")
    expect(hand.locator("#busy")).to_have_text("Ann is also entering hand 1.")
    hand.locator(".legend", has_text="bid").first.tap()
    hand.locator("#detail-is-cards").tap()
    expect(hand.locator("#detail-is-cards")).to_be_checked()
    begun = opened(new_context, ann, "hands/new")
    begun.set_viewport_size({"width": 360, "height": 640})
    begun.locator("#bidder-is-2").tap()
    expect(begun.locator("#says")).to_contain_text("bid")
    ann.play(Hand(1, 3, "H"))
    for page in (sheet, asking):
        expect(page.locator("#hand-1")).to_have_class("new-2")
        expect(page.locator("#news")).to_have_text("Ann saved hand 1: Ann bid 3, took 4. Now 4 to 0.")
        expect(page.locator("#news > .toast")).to_be_in_viewport(ratio=1)
    expect(board.locator(".digits")).to_have_text(["4", "0"])
    expect(club.locator(".open-game .num")).to_have_text(["4", "0"])
    expect(hand.locator(".scores .num")).to_have_text(["4", "0"])
    expect(hand.get_by_role("heading", name="Hand 2")).to_be_visible()  # nothing was entered there: the page goes on
    expect(begun.locator(".scores .num")).to_have_text(["4", "0"])
    expect(begun.get_by_role("heading", name="Hand 1")).to_be_visible()
    expect(begun.get_by_role("link", name="Enter hand 2")).to_be_visible()
    expect(begun.locator("#bidder-is-2")).to_be_checked()
    expect(begun.locator("#says")).to_have_text("Ann saved hand 1.")
    expect(begun.locator("#save")).to_have_text("Compare")
    begun.locator("#busy").evaluate("one => one.classList.add('busy')")
    assert begun.locator("#busy").evaluate(FITS, "Another phone is entering hand 2.")
    go(begun, ann.page.url.partition("hands/")[0] + "hands/1/")
    ann.tap("#bidder-is-1")
    expect(begun.locator("#busy")).to_have_text("Ann is entering hand 2.")
    for longest in (
        "Another phone undid hand 20’s correction. Featherstoneh… deals.",
        "Featherstoneh… is also correcting hand 20.",
    ):
        assert begun.locator("#busy").evaluate(FITS, longest)
    expect(sheet.locator("#who")).to_be_focused()
    expect(sheet.locator("#who")).to_have_value("Gil")


# Keeps the last message of the stream in `told`.
KEEP_TOLD = """window.told = "";
window.EventSource = class extends EventSource {
  constructor(address) { super(address); this.addEventListener("message", ({ data }) => { window.told = data; }); }
};"""
ASK = "() => document.querySelector('[data-live]').dispatchEvent(new Event('look'))"
A_MOMENT = (
    "() => new Promise((done) => setTimeout(done, 100))"  # live pages wait a little, so that not all request at once
)


def test_what_changes_while_a_page_asks_is_asked_for_after_that(ann: Phone, new_context: NewContext) -> None:
    """The stream sends the message only once, while the page waits for an earlier response."""
    sheet = opened(new_context, ann, "", KEEP_TOLD)
    ann.enter(Hand(1, 3, "H"))
    expect(sheet.locator("#busy")).to_have_text("Ann is entering hand 1.")
    held: list[Route] = []
    sheet.route(re.compile(r"/now(\?|$)"), lambda route: route.fallback() if held else held.append(route))
    sheet.evaluate(ASK)
    ann.save()
    until(sheet, "() => window.told.startsWith('1.')")
    sheet.evaluate(A_MOMENT)
    held[0].fulfill(status=304)
    expect(sheet.locator("#hand-1")).to_be_visible()


# The message of another phone's save arrives after the response to a navigation has started, while the page is busy.
BUSY = """() => setTimeout(() => {
  for (const start = Date.now(); Date.now() - start < 100;);
  document.querySelector("main").insertAdjacentHTML("beforeend", "<a id='way-on' href='../history'></a>");
  document.dispatchEvent(new Event("htmx:after:swap"));
})"""


def test_a_page_that_is_being_left_goes_nowhere_else(ann: Phone, new_context: NewContext) -> None:
    """A navigation that has started is not replaced by one of the page that is left."""
    hand = opened(new_context, ann, "hands/new")
    hand.evaluate(BUSY)
    go(hand, hand.url.partition("hands/")[0])
    hand.wait_for_timeout(500)  # enough time for a redirect by the script
    expect(hand).to_have_url(re.compile(r"/games/1/$"))


def test_a_phone_without_a_signal_catches_up_by_itself(ann: Phone, new_context: NewContext) -> None:
    """When its stream is cut, the page says so; after reconnecting it shows what it has missed."""
    sheet = opened(new_context, ann, "")
    sheet.context.set_offline(True)
    expect(sheet.locator("#away")).to_have_text("no connection")
    ann.play(Hand(1, 3, "H"))
    expect(sheet.locator("#hand-1")).to_have_count(0)
    sheet.context.set_offline(False)
    expect(sheet.locator("#hand-1")).to_be_visible()
    expect(sheet.locator("#away")).to_be_empty()


def test_the_whole_sheet_follows_a_game_that_ends_on_another_phone(page: Page, new_context: NewContext) -> None:
    """The possible actions change, and a message about an earlier change disappears."""
    ann = Phone(page)
    ann.start_game("classic", SIX[:4], target=8)
    ann.play(Hand(1, 3, "H"))
    sheet = opened(new_context, ann, "")
    sheet.locator("#wait summary").tap()
    with to_another_page(sheet):
        sheet.get_by_role("button", name="Pause", exact=True).tap()
    with to_another_page(sheet):
        sheet.get_by_role("button", name="Resume game").tap()
    expect(sheet.locator(".flash")).to_have_text("Game resumed.")
    for part in ("#substitute", "#wait", "#whose"):
        sheet.locator(f"{part} summary").tap()
    ann.play(Hand(1, 3, "H"))
    expect(sheet.get_by_role("link", name="Share")).to_be_visible()
    expect(sheet.locator(".flash, #substitute, #wait")).to_have_count(0)
    expect(sheet.locator("#whose")).to_have_attribute("open", "")
    ann.press("Undo: hand 2")
    expect(sheet.locator("#substitute, #wait")).to_have_count(2)
