"""No page has axe violations, in light or dark: empty, filled, with errors, or with a winner."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.axe import check
from tests.browser.phone import SIX, Hand, Phone, go

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_clubs_and_the_start_of_a_game(phone: Phone) -> None:
    page = phone.page
    go(page, "/")
    check(page)
    phone.press("Start the club")
    check(page)  # without a name
    phone.start_club()
    check(page)
    phone.follow("Start the first game")
    check(page)
    phone._reshape("#players-is-4", "Show games")
    check(page)
    phone.choose_game("partnership", 4)
    check(page)
    phone.press("Deal")
    check(page)  # without names
    go(page, "/")
    check(page)


@pytest.mark.parametrize(
    ("rules", "players", "teams"),
    [("west-michigan-6", 6, None), ("west-michigan-5", 5, None), ("shankar", 6, 0), ("shankar", 6, 3)],
)
def test_a_game_from_its_first_hand_to_its_end(phone: Phone, rules: str, players: int, teams: int | None) -> None:
    page = phone.page
    phone.start_game(rules, SIX[:players], teams=teams, target=4)
    check(page)
    phone.save()
    check(page)  # with errors for everything
    phone.follow("Score sheet")
    check(page)
    phone.follow("Enter hand 1")
    called = {"called": "KD", "partner": 2} if players == 5 else {"buried": ["JD", "9C"]} if "6" in rules else {}
    point, other = page.locator(".points li").nth(1), page.locator(".seg input").nth(1)  # the second side
    phone.enter(Hand(1, 2, "H", {point.get_attribute("id")[4:]: other.get_attribute("value")}, **called))
    check(page)
    phone.save()
    if not page.locator(".winner").count():
        phone.follow("Score sheet")
        check(page)
        phone.follow("Enter hand 2")
        phone.play(Hand(1, 3, "H", **called))
    check(page)
    expect(page.locator(".winner")).to_have_count(1)
    phone.follow("Correct hand 1")
    check(page)
    go(page, page.url.partition("/games/")[0] + "/")
    check(page)


def test_two_phones(phone: Phone, new_context: Callable[..., BrowserContext]) -> None:
    phone.start_game("classic", SIX[:4])
    second = Phone(new_context().new_page())
    second.join(phone.page)
    phone.enter(Hand(1, 3, "H"))  # before the other saves: a page without taps would go on to the next hand
    second.play(Hand(1, 2, "H"))
    expect(phone.page.locator("#way-on")).to_be_visible()
    check(phone.page)
    phone.save()
    expect(phone.page.get_by_role("heading", name="Hand 1: two phones")).to_be_visible()
    check(phone.page)
    phone.follow("Keep theirs")
    expect(phone.page.get_by_role("heading", name="Hand 2")).to_be_visible()
    go(phone.page, phone.page.url.removesuffix("hands/new"))
    phone.page.locator("#wait summary").tap()
    phone.press("Abandon")
    check(phone.page)


def test_what_looks_wrong_who_sits_down_and_the_history(phone: Phone) -> None:
    page = phone.page
    phone.start_game("classic", SIX[:4], target=4)
    phone.enter(Hand(1, 2, "H"))
    check(page)  # with a warning beside Save
    phone.follow("Score sheet")
    for details in ("#substitute", "#whose", "#wait"):
        page.locator(f"{details} summary").tap()
    check(page)
    phone.press("Substitute")
    check(page)  # without a name and a seat
    page.locator("#wait summary").tap()
    phone.press("Pause")
    check(page)
    phone.press("Resume game")
    phone.follow("Enter hand 1")
    phone.save()  # unchanged since before the pause
    check(page)  # won
    phone.follow("History")
    page.locator(".show summary").first.tap()
    check(page)


@pytest.mark.parametrize("path", ["/rules/", "/rules/west-michigan-6", "/rules/partnership", "/nothing-here"])
def test_the_rule_book_and_an_error(phone: Phone, path: str) -> None:
    go(phone.page, path)
    check(phone.page)
