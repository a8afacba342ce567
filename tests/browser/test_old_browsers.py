"""The main task works in browsers below the minimum of docs/browsers.md, and in those that lack newer features."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.phone import SIX, Phone, go

pytestmark = pytest.mark.browser


def test_a_browser_below_the_floor_gets_the_plain_forms_and_a_sentence(page: Page) -> None:
    page.add_init_script("delete AbortSignal.timeout;")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    phone = Phone(page, script=False)
    phone.start_game("classic", SIX[:4])
    expect(page.locator("#old-browser")).to_have_text(
        "This browser is old. Press a button to see each change. Everything works that way."
    )
    assert page.evaluate("() => typeof htmx") == "undefined"
    phone.take_time()
    for tapped in ("#bidder-is-1", "#bid-is-3", "#trump-is-H"):
        page.locator(tapped).check()
    phone.press("Show result")  # shown without scripts only
    expect(phone.says).to_have_text("Ann bid 3, took 4: +4. Nobody else scored. Ann and Cy lead 4 to 0.")
    phone.save()
    assert phone.totals() == [4, 0]
    assert errors == []


def test_a_browser_of_the_floor_sees_no_such_sentence(page: Page) -> None:
    go(page, "/")
    expect(page.locator("#name")).to_be_visible()
    expect(page.locator("#old-browser")).to_have_count(0)


def test_without_has_what_is_chosen_can_be_seen(page: Page) -> None:
    """Firefox before 121 does not know `:has()`."""

    def before_has(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(":has(", ":had("))

    page.route("**/static/app*.css*", before_has)
    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    page.locator("label:has(#bidder-is-1)").tap()
    expect(page.locator("#bidder-is-1")).to_be_checked()
    for choice in ("#bidder-is-1", "#bid-is-3", "#point-low-is-B"):
        expect(page.locator(choice)).to_have_css("opacity", "1")
    phone.tap("#detail-is-cards")
    page.locator("#at-AH-is-A").tap()
    expect(page.locator("#at-AH-is-A")).to_be_checked()
    phone.tap("#detail-is-points")
    phone.tap("#bid-is-3", "#trump-is-H")
    phone.save()
    assert phone.totals()[0] > 0
