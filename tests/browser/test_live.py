"""Open pages that are told: a hand saved on one phone is seen on the others, by a stream or by asking."""

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
    """Ann's phone, at the first hand of a game."""
    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    phone.follow("Score sheet")
    phone.page.locator("#whose summary").tap()
    with to_another_page(phone.page):
        phone.page.get_by_role("button", name="Ann", exact=True).tap()
    phone.follow("Enter hand 1")
    return phone


# A line more would be 14 pixels; letters may reach one below their line.
FITS = "(line, words) => { line.textContent = words; return line.scrollHeight <= line.clientHeight + 1; }"


def opened(new_context: NewContext, ann: Phone, rest: str, script: str = "") -> Page:
    """A page of the game, or of its club, on another device."""
    page = new_context().new_page()
    hold_links_of(ann.page.context, page.context)
    if script:
        page.add_init_script(script)
    go(page, ann.page.url.partition("hands/")[0] + rest)
    return page


def test_a_save_is_seen_on_every_open_page(ann: Phone, new_context: NewContext) -> None:
    """The score sheet and the board by a stream, another score sheet by asking; nothing loses its focus."""
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
    begun = opened(new_context, ann, "hands/new")
    begun.set_viewport_size({"width": 360, "height": 640})
    begun.locator("#bidder-is-2").tap()
    expect(begun.locator("#says")).to_contain_text("bid")
    ann.play(Hand(1, 3, "H"))
    for page in (sheet, asking):
        expect(page.locator("#hand-1")).to_have_class("new-2")
        expect(page.locator("#news")).to_have_text("Ann saved hand 1: Ann bid 3, took 4. 4 to 0.")
        expect(page.locator("#news > .toast")).to_be_in_viewport(ratio=1)
    expect(board.locator(".digits")).to_have_text(["4", "0"])
    expect(club.locator(".open-game .num")).to_have_text(["4", "0"])
    expect(hand.locator(".scores .num")).to_have_text(["4", "0"])
    expect(hand.get_by_role("heading", name="Hand 2")).to_be_visible()  # nothing was tapped on it: it has gone on
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
    for longest in ("Another phone changed hand 20. −10 to 21.", "Featherstoneh… is also correcting hand 20."):
        assert begun.locator("#busy").evaluate(FITS, longest)
    expect(sheet.locator("#who")).to_be_focused()
    expect(sheet.locator("#who")).to_have_value("Gil")


# Keeps what the stream has said last.
KEEP_TOLD = """window.told = "";
window.EventSource = class extends EventSource {
  constructor(address) { super(address); this.addEventListener("message", ({ data }) => { window.told = data; }); }
};"""
ASK = "() => document.querySelector('[data-live]').dispatchEvent(new Event('look'))"
A_MOMENT = (
    "() => new Promise((done) => setTimeout(done, 100))"  # pages that are told wait a little: not all ask at once
)


def test_what_changes_while_a_page_asks_is_asked_for_after_that(ann: Phone, new_context: NewContext) -> None:
    """The stream says it only once, while the page still waits for an answer from before."""
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


# Another phone's save is heard of while the browser has the answer to an address, and the page has no time to give way.
BUSY = """() => setTimeout(() => {
  for (const start = Date.now(); Date.now() - start < 100;);
  document.querySelector("main").insertAdjacentHTML("beforeend", "<a id='way-on' href='../history'></a>");
  document.dispatchEvent(new Event("htmx:after:swap"));
})"""


def test_a_page_that_is_being_left_goes_nowhere_else(ann: Phone, new_context: NewContext) -> None:
    """Whoever opens an address gets it, whatever happens meanwhile to the page from before."""
    hand = opened(new_context, ann, "hands/new")
    hand.evaluate(BUSY)
    go(hand, hand.url.partition("hands/")[0])
    hand.wait_for_timeout(500)  # time enough to be led away
    expect(hand).to_have_url(re.compile(r"/games/1/$"))


def test_a_phone_without_a_signal_catches_up_by_itself(ann: Phone, new_context: NewContext) -> None:
    """Its stream is cut; it says so, and shows what it has missed as soon as it is back."""
    sheet = opened(new_context, ann, "")
    sheet.context.set_offline(True)
    expect(sheet.locator("#away")).to_have_text("no connection")
    ann.play(Hand(1, 3, "H"))
    expect(sheet.locator("#hand-1")).to_have_count(0)
    sheet.context.set_offline(False)
    expect(sheet.locator("#hand-1")).to_be_visible()
    expect(sheet.locator("#away")).to_be_empty()


def test_the_whole_sheet_follows_a_game_that_ends_on_another_phone(page: Page, new_context: NewContext) -> None:
    """What can be done with the game is another thing then, and what an older change said is gone."""
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
