"""A second phone joins by a link, scores, and is refused after the link is revoked; axe checks of pages of links."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.axe import check
from tests.browser.phone import SIX, Hand, Phone, go, to_another_page
from tests.conftest import mostly_slow

LONG = "Featherstonehaugh-Cholmondeley of Great Missenden Abbey, Esq."


def make_link(page: Page, club: str, label: str, role: str) -> str:
    """Make a link as a manager; return its URL."""
    go(page, f"{club}links/")
    page.locator("#label").fill(label)
    page.locator(f"#role-is-{role}").check()
    page.get_by_role("button", name="Make link").tap()
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    return page.locator("#address").input_value()


def test_a_phone_joins_scores_and_is_revoked(page: Page, new_context: Callable[..., BrowserContext]) -> None:
    """Its page keeps the entered hand and shows the reason, at the next tap and when saving."""
    ann, bo = Phone(page), Phone(new_context().new_page())
    ann.start_game("classic", SIX[:4])
    game = page.url.partition("hands/")[0]
    club = game.partition("games/")[0]
    go(bo.page, make_link(page, club, "Bo", "score"))
    bo.page.get_by_role("button", name="Join").tap()
    expect(bo.page).to_have_url(game)  # the game shown before joining
    go(bo.page, f"{game}hands/new")
    bo.enter(Hand(1, 3, "H"))
    page.get_by_role("button", name="Revoke this link").tap()
    expect(page.get_by_text("Bo: link revoked.")).to_be_visible()
    bo.page.locator("label", has=bo.page.locator("#point-low-is-B")).tap()
    expect(bo.says).to_contain_text("Ask a manager of the club for a new one.")
    expect(bo.page.locator("#bidder-is-1")).to_be_checked()
    bo.page.get_by_role("button", name="Save").tap()
    expect(bo.page.get_by_role("heading", name="This link was revoked")).to_be_visible()
    expect(bo.page.get_by_text("Nothing was saved. What you entered is still here.")).to_be_visible()
    expect(bo.page.locator("input[name=bid]")).to_have_value("3")


@pytest.mark.parametrize("size", mostly_slow([[390, 664], [360, 640]]), ids=str)
def test_the_tap_that_adds_a_phone_leads_back(page: Page, phone: Phone, size: list[int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    phone.start_game("west-michigan-6", SIX)
    hand = page.url
    box = page.get_by_role("link", name="Add a phone").bounding_box()
    assert min(box["width"], box["height"]) >= 44
    for heading in ("Add a phone", "Hand 1"):
        phone.take_time()
        with to_another_page(page):
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator("h1")).to_have_text(heading)
    assert page.url == hand
    phone.follow("Score sheet")
    expect(page.get_by_role("link", name="Add a phone")).to_be_in_viewport(ratio=1)
    sheet = page.url
    go(page, f"{sheet.partition('games/')[0]}links/")
    phone.press("Revoke Board")
    go(page, sheet)
    phone.follow("Add a phone")  # there is no code any more: its page makes one
    expect(page.get_by_role("img", name="QR code of this link")).to_be_in_viewport(ratio=1)
    phone.press("To keep score")
    expect(page.get_by_role("button", name="To keep score", exact=True)).to_have_attribute("aria-pressed", "true")
    check(page)


def test_a_page_left_before_its_question_is_answered_reports_no_error(page: Page, phone: Phone) -> None:
    said, held = list[str](), list[Route]()
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    phone.start_game("classic", SIX[:4])
    page.route("**/now?*", lambda route: held.append(route))
    page.route("**/preview", lambda route: held.append(route))
    with page.expect_request("**/now?*"):
        page.evaluate("() => { document.querySelector('[data-live]').dispatchEvent(new Event('look')); }")
    with page.expect_request("**/preview"):
        page.locator("#bidder-is-1").tap()
    phone.follow("Add a phone")
    expect(page.locator("h1")).to_have_text("Add a phone")
    assert said == []
    page.unroute_all()
    phone.follow("Back to the hand")
    page.route("**/preview", lambda route: route.abort())
    with page.expect_console_message(lambda message: "Failed to fetch" in message.text):  # real errors are reported
        page.locator("#bid-is-2").tap()


def test_a_member_who_taps_an_address_on_another_site_is_let_in(page: Page) -> None:
    """Cookies with SameSite=Strict are not sent from other sites, so the page requests itself again.

    "localhost" and 127.0.0.1 are different sites.
    """
    ann = Phone(page)
    ann.start_game("classic", SIX[:4])
    game = page.url.partition("hands/")[0]
    page.route("**/chat", lambda route: route.fulfill(body=f'<a href="{game}">game</a>', content_type="text/html"))
    for address, heading in ((game, "Game 1"), (game.partition("/c/")[0] + "/", "Your clubs")):
        elsewhere = game.partition("/c/")[0].replace("127.0.0.1", "localhost")
        go(page, f"{elsewhere}/chat")
        page.locator("a").evaluate("(link, address) => { link.href = address }", address)
        page.locator("a").click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    go(page, game + "?from=1")
    expect(page.get_by_role("heading", name="Game 1", exact=True)).to_be_visible()


@pytest.mark.slow
def test_the_pages_of_links_fit_and_axe_is_content(page: Page, new_context: Callable[..., BrowserContext]) -> None:
    ann, gil = Phone(page), new_context().new_page()
    ann.start_game("classic", SIX[:4])
    game = page.url.partition("hands/")[0]
    club = game.partition("games/")[0]
    for one in (page, gil):
        one.set_viewport_size({"width": 360, "height": 640})
    looked_at(page, club)
    address = make_link(page, club, LONG, "watch")
    looked_at(page, page.url)
    looked_at(gil, address)
    gil.get_by_role("button", name="Watch").tap()
    expect(gil).to_have_url(game)
    looked_at(gil, f"{game}hands/new")
    looked_at(gil, f"{club}ask/score")
    gil.locator("#label").fill(LONG)
    gil.get_by_role("button", name="Ask for a scoring link").tap()
    expect(gil.get_by_text("Waiting for the club’s manager.")).to_be_visible()
    looked_at(gil, gil.url)
    looked_at(gil, game)
    for path in ("links/", "delete", "passphrase", "settings", "device", "games/1/links"):
        looked_at(page, club + path)
    looked_at(page, club.partition("/c/")[0] + "/come-back")


def looked_at(page: Page, address: str) -> None:
    go(page, address)
    check(page)


def test_a_request_is_told_where_it_moves_nothing(page: Page, new_context: Callable[..., BrowserContext]) -> None:
    """In the bar at the head of the hand, with a target of at least 44 pixels; after allowing it, the hand goes on."""
    ann, gil = Phone(page), new_context().new_page()
    ann.start_game("classic", SIX[:4])
    club = page.url.partition("games/")[0]
    go(gil, make_link(page, club, "Watcher", "watch"))
    gil.get_by_role("button", name="Watch").tap()
    go(page, f"{club}games/1/hands/new")
    before = page.locator(".scores").bounding_box()
    go(gil, f"{club}ask/score")
    gil.locator("#label").fill("Gil")
    gil.get_by_role("button", name="Ask").tap()
    told = page.get_by_role("link", name="Gil asks for a scoring link.")
    expect(told).to_be_visible()
    assert page.locator(".scores").bounding_box() == before
    assert (told.bounding_box() or {})["height"] >= 44
    check(page)
    words = page.locator("#busy span")  # a long name ends with a whole line
    words.evaluate("(one, name) => { one.textContent = one.textContent.replace('Gil', name); }", LONG)
    assert (words.bounding_box() or {})["height"] <= 44
    words.evaluate("(one, name) => { one.textContent = one.textContent.replace(name, 'Gil'); }", LONG)
    with to_another_page(page):
        told.tap()
    with to_another_page(page):
        page.get_by_role("button", name="Allow").tap()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
