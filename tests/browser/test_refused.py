"""A form with errors opens at the first error, wherever on the page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.phone import SIX, Phone


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def phone(request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]) -> Phone:
    return Phone(new_context(java_script_enabled=request.param).new_page(), script=request.param)


def expect_in_sight(phone: Phone, field: str, complaint: str) -> None:
    said = phone.page.locator(".wrong", has_text=complaint)
    expect(said).to_be_in_viewport()
    expect(phone.page.locator(field)).to_be_focused()
    bar = phone.page.locator(".save")
    if bar.count():
        box, covers = said.bounding_box(), bar.bounding_box()
        assert box["y"] + box["height"] <= covers["y"]


@pytest.mark.slow
def test_a_game_with_two_players_of_one_name_and_no_target(phone: Phone) -> None:
    phone.start_game("west-michigan-6", [*SIX[:5], "Di"], target=0)
    expect_in_sight(phone, "#name-6", "Two players are called Di.")
    expect(phone.page.locator(".says b")).to_have_text("Two players are called Di. Change one of the names.")
    around = "() => getComputedStyle(document.querySelector('.round'), '::before').display"
    assert phone.page.evaluate(around) == "none"  # the message makes a row of the table higher
    shuffle = phone.page.locator("#shuffle")
    before = shuffle.bounding_box()["y"]
    for field, value in (("name-6", "Flo"), ("target", "15")):
        phone.page.locator(f"#{field}").fill(value)
        expect(phone.page.locator(f"#wrong-{field}")).to_be_visible(visible=not phone.script)  # it is true no longer
    assert abs(shuffle.bounding_box()["y"] - before) <= 2  # the border of the field is thinner again
    phone.press("Deal")
    expect(phone.page.locator("h1")).to_have_text("Hand 1")


def test_a_name_that_is_taken(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    phone.follow("Score sheet")
    phone.follow("Friday table")
    phone.follow("Players")
    phone.follow("Ann")
    phone.page.locator("#rename summary").tap()
    phone.page.locator("#name").fill("Bo")
    phone.press("Rename")
    expect_in_sight(phone, "#name", "Bo")
