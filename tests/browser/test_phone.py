"""`go` in tests/browser/phone.py retries interrupted navigations, and no other errors."""

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.phone import go

pytestmark = pytest.mark.browser


def refusing(page: Page, why: str, times: int) -> list[Route]:
    """Let requests for /there fail `times` times; return the list of requests."""
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) > times:
            return route.fulfill(body="there", content_type="text/html")
        return route.abort(why)

    page.route("**/there", answer)
    return asked


def test_an_address_that_is_broken_off_is_opened_again(page: Page) -> None:
    """With the error of a page that navigates by itself."""
    asked = refusing(page, "aborted", 1)
    go(page, "/there")
    expect(page.locator("body")).to_have_text("there")
    assert len(asked) == 2


@pytest.mark.parametrize(("why", "times", "tries"), [("connectionrefused", 1, 1), ("aborted", 9, 4)])
def test_what_does_not_answer_fails(page: Page, why: str, times: int, tries: int) -> None:
    asked = refusing(page, why, times)
    with pytest.raises(Error, match="ERR_"):
        go(page, "/there")
    assert len(asked) == tries
