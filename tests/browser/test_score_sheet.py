"""Pages of a game in a browser: sharing, printing, and room for names and letters."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.boards import BOARDS, play
from tests.browser.axe import BROKEN, TWICE
from tests.browser.conftest import serving
from tests.browser.phone import go
from tests.classic import new_club
from tests.conftest import mostly_slow

STATE = "state"  # key for the path of the browser's storage state

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
GAMES = ("won", "six alone, won", "set below zero", "six alone, everything long", "three teams, won")
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
CLUB = "The Friday table at the Featherstonehaughs"
# Emulate a phone that can share files; it keeps the shared data.
SHARES = """() => {
  window.shared = [];
  navigator.canShare = () => true;
  navigator.share = async (what) => { window.shared.push(what); };
}"""
FILE = """async () => {
  const [file] = window.shared.at(-1).files;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { width, height } = await createImageBitmap(file);
  return [file.name, file.type, `${width}x${height}`, bytes.length > 10000 && bytes.length < 60000];
}"""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A server with some games: URLs of their score sheets by name."""

    def make() -> dict[str, str]:
        club = new_club(CLUB)
        return {name: f"/c/{club.key}/games/{play(club, BOARDS[name]).number}/" for name in GAMES}

    with serving(tmp_path_factory.mktemp("sheets"), make) as (url, paths, state):
        yield {name: url + path for name, path in paths.items()} | {STATE: state}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], games: dict[str, str]) -> dict[str, Any]:
    """A phone that manages the club."""
    return browser_context_args | {"storage_state": games[STATE]}


def opened(new_context: NewContext, address: str, size: dict[str, int], **more: Any) -> Page:
    page = blank(new_context, size, **more)
    go(page, address)
    return page


def blank(new_context: NewContext, size: dict[str, int], **more: Any) -> Page:
    page = new_context(**more).new_page()
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    return page


def test_a_phone_shares_the_text_and_the_picture(new_context: NewContext, games: dict[str, str]) -> None:
    page = blank(new_context, PHONE)
    page.add_init_script(f"({SHARES})()")
    go(page, games["won"])
    page.get_by_role("link", name="Share").click()
    page.get_by_role("button", name="Share text").click()
    text = page.evaluate("() => window.shared.at(-1).text")
    assert text == page.locator("#share-text").input_value()
    assert text.startswith("Bo, Di and Flo won because the bidder goes out first: 21\nAnn, Cy and Ed: 21\n")
    for what, name, size in (("picture", "game 1", "1200x630"), ("tall picture", "game 1 tall", "1080x1350")):
        page.get_by_role("button", name=f"Share {what}").click()
        assert page.evaluate(FILE) == [f"{name}.jpg", "image/jpeg", size, True]


def test_a_browser_that_cannot_share_copies_and_saves(new_context: NewContext, games: dict[str, str]) -> None:
    page = blank(new_context, PHONE, permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("navigator.share = undefined; navigator.canShare = undefined;")
    go(page, f"{games['won']}share")
    page.get_by_role("button", name="Copy text").click()
    expect(page.get_by_role("status")).to_have_text("Text copied.")
    expect(page.get_by_role("link", name="Score sheet")).to_be_in_viewport(ratio=1)  # also at the bottom of the page
    assert page.evaluate("() => navigator.clipboard.readText()") == page.locator("#share-text").input_value()
    expect(page.get_by_role("link", name="Save picture")).to_have_attribute("download", "game 1.jpg")
    expect(page.get_by_role("button", name="Share")).to_have_count(0)


def test_text_is_copied_over_plain_http_too(new_context: NewContext, games: dict[str, str]) -> None:
    """Pages over HTTP have no `navigator.clipboard`; copying the selection still works."""
    page = blank(new_context, PHONE)
    page.context.add_cookies([cookie | {"domain": "table.test"} for cookie in page.context.cookies()])  # type: ignore[misc]
    go(page, f"{games['won']}share".replace("127.0.0.1", "table.test"))
    assert page.evaluate("() => navigator.clipboard") is None
    page.get_by_role("button", name="Copy text").click()
    expect(page.get_by_role("status")).to_have_text("Text copied.")
    go(page, "http://table.test:" + games["won"].split(":")[2].partition("/")[0])
    page.locator("#name").press("Control+V")
    expect(page.locator("#name")).to_have_value(
        re.compile(r"^Bo, Di and Flo won because the bidder goes out first: 21 Ann, Cy and Ed: 21 ")
    )


def test_without_script_the_text_and_the_picture_are_there(new_context: NewContext, games: dict[str, str]) -> None:
    page = opened(new_context, f"{games['won']}share", PHONE, java_script_enabled=False)
    expect(page.locator("#share-text")).to_contain_text("Bo, Di and Flo won because the bidder goes out first: 21")
    expect(page.get_by_role("link", name="Save picture")).to_have_attribute("download", "game 1.svg")
    expect(page.get_by_role("button")).to_have_count(0)


def test_no_name_is_cut_on_a_laptop(new_context: NewContext, games: dict[str, str]) -> None:
    page = opened(new_context, games["six alone, everything long"], LAPTOP)
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.locator(".scores .names, .where").evaluate_all(cut) == []
    assert page.locator(".scores .names").all_text_contents() == list(BOARDS["six alone, everything long"].names)


def test_three_scores_are_in_sight_on_a_phone(new_context: NewContext, games: dict[str, str]) -> None:
    """Also beside the words of a moon, which are on one line."""
    page = opened(new_context, games["three teams, won"], {"width": 360, "height": 640})
    page.locator(".contract .together").evaluate("one => { one.style = 'display: inline-block; width: 8.5rem'; }")
    assert page.locator(".scroll").evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("by", mostly_slow(["style sheet", "setting"]))
def test_with_letters_twice_as_large_the_sheet_has_all_scores_in_sight(
    new_context: NewContext, games: dict[str, str], by: str
) -> None:
    """Each score is under its badge; names of the usual length are whole words, on the seats too."""
    page = blank(new_context, {"width": 360, "height": 640})
    if by == "setting":
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    for name in ("set below zero", "six alone, everything long", "won"):
        go(page, games[name])
        if by == "style sheet":
            page.evaluate(TWICE)
        assert page.evaluate("() => document.documentElement.scrollWidth") == 360
        assert page.locator(".scroll").evaluate("one => one.scrollWidth <= one.clientWidth")
        centers = "all => all.map((one) => { const { x, width } = one.getBoundingClientRect(); return x + width / 2; })"
        badges = page.locator(".ledger .unit").evaluate_all(centers)
        assert page.locator(".ledger tbody tr:first-child").first.locator(".score").evaluate_all(centers) == badges
        assert max(badges) < 360
        page.locator(".menu > summary").click()
        assert page.locator(".menu > nav").bounding_box()["x"] >= 0  # type: ignore[index]
        if name != "six alone, everything long":
            page.locator(".seating").evaluate(
                "one => { one.querySelector('span:not(.badge)').textContent = 'Theodora'; }"
            )
            assert page.evaluate(BROKEN, ".seating span:not(.badge), .contract .name, .winner h2, h1") == []


def test_a_word_of_a_name_on_the_seats_is_whole_and_undo_and_redo_have_one_height(
    new_context: NewContext, games: dict[str, str]
) -> None:
    """It is put below the team's letter if there is no room beside it: here a word of 130 pixels on a phone."""
    page = opened(new_context, games["set below zero"], PHONE)
    page.locator(".seating").evaluate("""one => {
      const name = one.querySelector('span:not(.badge)'), word = new Range();
      name.textContent = 'n'.repeat(5);
      word.selectNodeContents(name);
      name.textContent = 'n'.repeat(5 * 130 / word.getBoundingClientRect().width);
    }""")
    assert page.evaluate(BROKEN, ".seating span:not(.badge)") == []
    undo = page.locator("form[action$=undo]")
    undo.evaluate("(form) => form.parentNode.append(form.cloneNode(true))")
    undo.locator("button").last.evaluate("(button) => { button.textContent = 'Redo: a button of two lines or more'; }")
    boxes = [box for button in undo.locator("button").all() if (box := button.bounding_box())]
    assert [round(box["height"]) for box in boxes] == [round(boxes[0]["height"])] * 2
    assert boxes[0]["height"] > 56, "the longer one takes two lines"


def test_every_page_is_as_wide_on_a_laptop(new_context: NewContext, games: dict[str, str]) -> None:
    sheet = games["set below zero"]
    club = sheet.partition("games/")[0]
    page = blank(new_context, LAPTOP)
    widths = set()
    for address in (club, sheet, f"{sheet}hands/new", f"{sheet}story", f"{sheet}record", f"{club}standings"):
        go(page, address)
        widths.add(page.locator("main").evaluate("(main) => main.clientWidth"))
    assert len(widths) == 1


def test_the_quiet_buttons_of_the_winners_card_have_one_height(new_context: NewContext, games: dict[str, str]) -> None:
    page = opened(new_context, games["won"], PHONE)
    boxes = [button.bounding_box() for button in page.locator(".winner .quiet-ones .button").all()]
    heights = {round(box["height"]) for box in boxes if box}
    assert (len(boxes), len(heights)) == (2, 1)
    assert heights.pop() >= 44
    assert page.locator(".winner .main").all_inner_texts() == ["Go to game 3"]  # started by the same players since


def test_a_printed_game_has_its_number_its_day_and_no_links(new_context: NewContext, games: dict[str, str]) -> None:
    page = opened(new_context, games["set below zero"], LAPTOP)
    page.emulate_media(media="print")
    head = page.locator(".on-paper")
    expect(head.locator("h1")).to_have_text(f"{CLUB}, game 3")
    assert "202" in head.inner_text()
    lines = "(all) => all.filter((a) => a.checkVisibility()).map((a) => getComputedStyle(a).textDecorationLine)"
    assert set(page.locator("a").evaluate_all(lines)) <= {"none"}
    assert page.get_by_role("button").count() == 0
    breaks = "(all) => all.map((one) => getComputedStyle(one).breakInside)"
    assert set(page.locator(".seating, .ledger tbody").evaluate_all(breaks)) == {"avoid"}
    coming = "(sheet) => sheet.insertAdjacentHTML('beforeend', '<figure class=\"chance\" hx-get=\"/\"></figure>')"
    page.locator("#_sheet").evaluate(coming)  # the chances arrive later than the page
    expect(page.locator(".chance:empty")).to_be_hidden()
    page.emulate_media(media="screen")
    expect(head).to_be_hidden()
