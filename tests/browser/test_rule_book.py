"""Rules, printed: one page on each paper size, with nothing cut off; and with letters twice as large."""

import re

import pytest
from playwright.sync_api import Page

from scorekeeper.scoring.rules import CATALOGUE
from tests.browser import axe
from tests.browser.phone import Phone, go
from tests.conftest import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# Column heads in which a word is broken over two lines.
BROKEN = """(heads) => heads.filter((head) => [...head.textContent.matchAll(/[^ ]+/g)].some(({ index, 0: word }) => {
  const range = document.createRange();
  range.setStart(head.firstChild, index);
  range.setEnd(head.firstChild, index + word.length);
  return range.getClientRects().length > 1;
})).map((head) => head.textContent)"""
SIZES = {"letter": (612, 792), "a4": (595, 842), "a5": (420, 595)}  # in points, the unit of PDF


@pytest.mark.parametrize("paper", SIZES)
def test_every_table_card_is_one_page(page: Page, live_server_url: str, paper: str) -> None:
    found = {}
    for rules in CATALOGUE:
        go(page, f"{live_server_url}/rules/{rules}/card?paper={paper}")
        found[rules] = pages_of(page.pdf(prefer_css_page_size=True))
    assert {rules: sizes for rules, sizes in found.items() if sizes != [SIZES[paper]]} == {}


def test_every_blank_score_sheet_is_one_page_and_breaks_no_first_name(page: Page) -> None:
    """With six units, the most with horizontal names, and with seven."""
    phone, names = Phone(page), ["Christopher", "Bartholomew", "Konstantinos", "Wilhelmina", "Jo", "W" * 60]
    phone.start_game("shankar", names, teams=0)
    assert broken_by(page) == ["W" * 60]
    page.set_viewport_size(PHONE)
    page.emulate_media(media="null")  # reset
    phone.start_game("pedro-sancho", [*names, "Maximiliane"])
    assert broken_by(page) == ["W" * 60]


def test_with_letters_twice_as_large_tables_break_no_word_and_the_questions_stay_on_the_page(
    page: Page, live_server_url: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    for address in ("classic", "classic/ask"):
        go(page, f"{live_server_url}/rules/{address}")
        page.evaluate(axe.TWICE)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, address
        assert page.evaluate(axe.BROKEN, "main .facts :is(th, td:not(.which))") == [], address


def broken_by(page: Page) -> list[str]:
    """Check that the game’s sheet is one page on each paper; return the heads that break a word on A5."""
    found, sheet = {}, page.url.replace("hands/new", "rules/sheet")
    for paper in SIZES:
        go(page, f"{sheet}?paper={paper}")
        found[paper] = pages_of(page.pdf(prefer_css_page_size=True))
    assert found == {paper: [size] for paper, size in SIZES.items()}
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 499, "height": 727})  # the printable width and height of A5, which is last
    return list(page.locator(".blank thead th").evaluate_all(BROKEN))


def pages_of(pdf: bytes) -> list[tuple[int, int]]:
    """Return width and height of each page."""
    boxes = re.findall(rb"/Type\s*/Page\b(?!s).*?/MediaBox\s*\[([^\]]*)\]", pdf, re.DOTALL)
    corners = [[float(number) for number in box.split()] for box in boxes]
    return [(round(corner[2]), round(corner[3])) for corner in corners]
