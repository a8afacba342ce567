"""The rule editor: what is unfolded, what Enter does, and what stays in sight."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.phone import Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def phone(page: Page) -> Phone:
    """A phone in the editor, at Eleven-Point Pitch."""
    phone = Phone(page)
    page.set_viewport_size({"width": 390, "height": 844})
    phone.start_club()
    for link in ("Start the first game", "Make your own rules", "Eleven-Point Pitch"):
        phone.follow(link)
    return phone


def tap(page: Page, target: str) -> None:
    page.locator(target).first.tap()
    expect(page.locator(".htmx-request, .htmx-added")).to_have_count(0)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()
    expect(page.locator(".htmx-request, .htmx-added")).to_have_count(0)


def test_the_next_point_stays_folded_and_enter_in_a_field_stays_where_it_is(phone: Phone) -> None:
    page = phone.page
    axe.check(page)
    page.set_viewport_size({"width": 1280, "height": 800})  # the rules in words scroll beside the form
    axe.check(page)
    page.set_viewport_size({"width": 390, "height": 844})
    tap(page, ".fold-box[value=points-1]")
    press(page, "Remove Off-Ace")
    expect(page.locator(".entry-row .fold-box:checked")).to_have_count(0)  # the next point is not unfolded in its place
    tap(page, ".fold-box[value=play]")
    press(page, "Other ace of trump’s color")
    press(page, "Take it out of trump")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    page.locator("#is-win-target").fill("16")
    page.locator("#is-win-target").press("Enter")
    expect(page.locator("#says")).to_have_text("4 changes from Eleven-Point Pitch")
    expect(page.locator("#in-words ~ .sheet mark").first).to_contain_text("The bids are 4 to 10.")
    assert loaded == []


def test_every_part_opens_with_one_tap_and_stays_open(phone: Phone) -> None:
    """Whoever types rules from a post looks for each of them; also after another tap, and with Save in sight.

    With letters twice as large they stay on the page.
    """
    page = phone.page
    parts = page.locator(".typed > .unfolding > .folded")
    expect(parts.locator("visible=true")).to_have_count(0)
    tap(page, "#open-is-all")
    expect(parts.locator("visible=true")).to_have_count(parts.count())
    expect(page.locator(".entry-row .folded").locator("visible=true")).to_have_count(0)
    arrow = "(head) => getComputedStyle(head, '::after').content"
    assert page.locator(".typed > .unfolding > .unfold-head").first.evaluate(arrow) == "none"  # nothing to unfold
    tap(page, "label.chip:has-text('Nothing')")
    expect(page.locator("#says")).to_contain_text("1 change from")
    expect(parts.locator("visible=true")).to_have_count(parts.count())
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)
    page.evaluate(axe.TWICE)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
