"""Pages of players, of bids, and of a game's story: on a phone and wide, light and dark."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.phone import Hand, Phone, go
from tests.conftest import PHONE

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 800}
LONG = "Maximiliana Featherstonehaugh-Wolfeschlegelsteinhausen, Jr.."
NAMES = ("A", LONG, "Cy", "Di")
# The number of lines of the text of each element.
LINES = """all => all.map((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return text.getClientRects().length;
})"""


def check(page: Page) -> None:
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        axe.check(page)


def play(phone: Phone, hand: Hand) -> None:
    """Save a hand; without scripts, the first attempt may show warnings."""
    phone.play(hand)
    if phone.page.locator("#save").count():
        phone.save()


def two_games(phone: Phone, names: tuple[str, ...] = NAMES) -> str:
    """Play two games of one hand each; return the club's URL."""
    phone.start_game("classic", names, target=4)
    play(phone, Hand(1, 2, "H"))
    phone.press("Play again")
    play(phone, Hand(2, 3, "S"))
    return phone.page.url.partition("games/")[0]


def test_a_club_without_anybody(phone: Phone) -> None:
    phone.start_club()
    club = phone.page.url
    for path in ("players/", "bids", "board"):
        go(phone.page, f"{club}{path}")
        check(phone.page)


def test_an_opened_card_is_in_one_column_and_the_chances_are_drawn_large(phone: Phone) -> None:
    """On a laptop; the chances as wide as the page's text, and not cut off below."""
    page, club = phone.page, two_games(phone)
    page.set_viewport_size(WIDE)
    chance = page.locator(".live .chance .chart")
    expect(chance).to_be_visible()
    drawn, room = chance.bounding_box(), page.locator(".live .chance").bounding_box()
    assert drawn["height"] >= 120
    assert drawn["y"] + drawn["height"] <= room["y"] + room["height"]
    go(page, f"{club}players/")
    page.locator("main .list a").first.click()
    opened = page.locator(".spread > .more")
    expect(opened.nth(3)).to_be_visible()
    opened.evaluate_all("""all => all.forEach((one) => {
      one.open = true;
      for (const height of [150, 200, 250]) {
        one.append(Object.assign(document.createElement("p"), { style: `height: ${height}px` }));
      }
    })""")
    assert set(opened.evaluate_all("all => all.map((one) => one.getClientRects().length)")) == {1}


def test_a_name_is_not_broken_where_other_columns_have_room(phone: Phone) -> None:
    page, club = phone.page, two_games(phone, ("Al", "Christopher", "Cy", "Di"))
    page.set_viewport_size({"width": 390, "height": 664})
    go(page, f"{club}players/")
    phone.follow("Al 2 games")
    page.locator("main details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    names = page.get_by_role("region", name="All opponents").locator("th a")
    assert names.evaluate_all(LINES) == [1, 1]


@pytest.mark.slow
def test_axe_is_content_with_what_is_refused_and_with_the_retired(phone: Phone) -> None:
    page, club = phone.page, two_games(phone)
    go(page, f"{club}players/")
    phone.follow("Cy 2 games")
    player = page.url
    page.locator("#rename summary").tap()
    page.get_by_label("Name", exact=True).fill("Di")
    phone.press("Rename")
    check(page)  # the name is taken
    page.locator("#merge summary").tap()
    page.get_by_label("Same person as Cy").select_option("Di")
    phone.press("Preview the merge")
    check(page)  # they sat at the same table
    go(page, player)
    page.locator("#retire summary").tap()
    phone.press("Retire")
    check(page)
    phone.follow("Players")
    check(page)


def test_the_story_comes_when_the_sheet_is_read_to_its_end(phone: Phone) -> None:
    page = phone.page
    two_games(phone)
    phone.press("Play again")
    phone.play(Hand(1, 2, "H", {"low": "B", "jack": "B", "game": "B"}))
    phone.follow("Score sheet")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.mouse.wheel(0, 10_000)
    expect(page.locator("#_story svg")).to_have_count(2)
    expect(page.locator("#_story .sheet")).to_contain_text("The only bid was set.")
    assert page.locator("#_story svg .line").first.evaluate("one => getComputedStyle(one).fill") == "none"
    page.locator("#_story summary").first.tap()
    check(page)
    assert complaints == []
