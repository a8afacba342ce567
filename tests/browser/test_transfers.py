"""A season from paper, on a phone and on a laptop: no axe violations at any step, and the focus stays."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import axe
from tests.browser.axe import check
from tests.browser.phone import go

pytestmark = pytest.mark.browser

SIZES = {"phone": {"width": 390, "height": 844}, "laptop": {"width": 1280, "height": 800}}
HEAD = "date,team 1,score 1,team 2,score 2,winner"
LONG = "Maximiliane-Alexandra von und zu Hohenstein-Wittelsbach III."
SEASON = f"""{HEAD}
2026-01-06,Ann & Cy & Ed,21,Bo & Di & Flo,15,
13.1.2026,Anne & Cy & Ed,20,Bo & Di & Flo,22,1
2026-01-20,{LONG} & Cy & Ed,-3,Bo & Di & Flo,22,
2026-01-20,Bo & Di & Flo,22,Cy & Ed & {LONG},-3,"""


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]) -> Page:
    page = new_context().new_page()
    page.set_viewport_size(SIZES[request.param])
    return page


def start_club(page: Page) -> None:
    go(page, "/")
    page.locator("#name").fill("The Tuesday club")
    page.get_by_role("button", name="Start the club").click()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Import & export").click()


@pytest.mark.slow
def test_a_season_from_paper(page: Page) -> None:
    start_club(page)
    check(page)
    page.get_by_role("link", name="Games from paper").click()
    check(page)
    page.get_by_role("button", name="Preview").click()
    check(page)  # without a table
    page.locator("#text").fill(SEASON.replace("2026-01-20,Bo", "2026-13-20,Bo"))
    page.get_by_label("West Michigan Setback, six players").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 5. There is no date 2026-13-20.")
    check(page)
    page.locator("#text").fill(SEASON)
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".says")).to_have_text("3 games to import, 1 skipped")
    expect(page.get_by_label("Anne is Ann")).not_to_be_checked()
    check(page)
    page.evaluate(axe.TWICE)
    assert page.evaluate(axe.BROKEN, ".paper-games .who > span") == []
    page.evaluate("document.documentElement.removeAttribute('style')")
    page.get_by_label("Anne is Ann").check()
    expect(page.get_by_role("heading", name="7 new players")).to_be_visible()  # without Preview again
    expect(page.get_by_label("Anne is Ann")).to_be_focused()
    page.get_by_label("Import all of them").check()
    expect(page.locator(".says")).to_have_text("4 games to import")
    page.get_by_label("Import all of them").uncheck()
    check(page)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("3 games imported from paper.")).to_be_visible()
    check(page)
    page.get_by_role("link", name="Ann, Cy and Ed win").first.click()
    check(page)
