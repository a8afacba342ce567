"""The frame of all pages: one width on laptops, back link and menu without scripts, no controls in print."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.phone import Hand, Phone, go

pytestmark = pytest.mark.browser

EDGES = "(box => [Math.round(box.left), Math.round(box.right)])(document.querySelector('main').getBoundingClientRect())"
TAPPED = "a.button, button, summary, .up, nav a, input"


@pytest.fixture
def phone(page: Page) -> Phone:
    """A game with one hand."""
    phone = Phone(page)
    phone.start_game("classic", ["Ann", "Bo", "Cy", "Di"])
    phone.play(Hand(1, 2, "H"))
    return phone


@pytest.mark.slow
def test_one_width_on_a_laptop_and_nothing_to_tap_on_paper(phone: Phone) -> None:
    page = phone.page
    club = page.url.partition("games/")[0]
    page.set_viewport_size({"width": 1280, "height": 800})
    edges = {}
    for path in ("", "games/", "games/new", "games/1/", "standings", "players/", "seasons/", "transfers/"):
        go(page, club + path)
        edges[path] = page.evaluate(EDGES)
    assert len({tuple(edge) for edge in edges.values()}) == 1, edges
    page.emulate_media(media="print")
    for path in ("", "games/1/", "standings", "players/1"):
        go(page, club + path)
        assert page.locator("h1").filter(visible=True).count() == 1, path
        shown = page.locator(TAPPED).filter(visible=True).evaluate_all("all => all.map(one => one.outerHTML)")
        assert shown == [], path
        assert page.evaluate("getComputedStyle(document.querySelector('main a')).textDecorationLine") == "none"


def test_save_stays_above_the_bar_at_the_foot_of_a_phone(phone: Phone) -> None:
    """Phones without a home button draw a bar over the page's bottom; 34 pixels on iPhones."""
    page = phone.page
    page.set_viewport_size({"width": 390, "height": 664})
    page.context.new_cdp_session(page).send(
        "Emulation.setSafeAreaInsetsOverride", {"insets": {"top": 47, "bottom": 34}}
    )
    hand = page.url
    club = hand.partition("games/")[0]
    for address in (
        hand,
        f"{club}games/1/hands/1/",
        f"{club}games/1/hands/offline",
        f"{club}games/new",
        f"{club}edit-rules/classic",
    ):
        go(page, address)
        box = page.locator(".save .button.main").bounding_box()
        assert box and box["y"] + box["height"] <= 664 - 34, address
        assert (page.locator("main").bounding_box() or {})["y"] == 47


def test_what_opens_below_the_fold_comes_into_view_and_its_arrow_turns(phone: Phone) -> None:
    page = phone.page
    page.set_viewport_size({"width": 360, "height": 640})
    go(page, page.url.partition("hands/")[0])
    more = page.locator(".more > summary").last
    arrow = "one => getComputedStyle(one, '::after').content"
    assert more.evaluate(arrow) == '"▾"'
    more.scroll_into_view_if_needed()
    page.mouse.wheel(0, -300)
    expect(more).not_to_be_in_viewport()
    more.evaluate("one => one.click()")
    expect(page.get_by_role("link", name="Board")).to_be_in_viewport()
    assert more.evaluate(arrow) == '"▴"'


def test_the_menu_opens_and_closes_without_a_script(phone: Phone, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(java_script_enabled=False, storage_state=phone.page.context.storage_state()).new_page()
    go(page, phone.page.url.partition("games/")[0] + "games/")
    sign = page.locator(".menu > summary")
    box = sign.bounding_box()
    assert box and min(box["width"], box["height"]) >= 44
    standings = page.get_by_role("link", name="Standings")
    expect(standings).to_be_hidden()
    sign.focus()
    page.keyboard.press("Enter")
    expect(standings).to_be_visible()
    page.mouse.click(30, 600)  # outside the menu
    expect(standings).to_be_hidden()
    sign.click()
    standings.click()
    expect(page).to_have_url(phone.page.url.partition("games/")[0] + "standings/now")
