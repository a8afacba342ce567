"""What is printed of the rules: one page of each paper, with nothing cut."""

import re

import pytest
from playwright.sync_api import Page

from scorekeeper.scoring.rules import CATALOGUE
from tests.browser.phone import Phone, go
from tests.conftest import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# The heads with a word of which one line has the beginning and the next one the end.
BROKEN = """(heads) => heads.filter((head) => [...head.textContent.matchAll(/[^ ]+/g)].some(({ index, 0: word }) => {
  const range = document.createRange();
  range.setStart(head.firstChild, index);
  range.setEnd(head.firstChild, index + word.length);
  return range.getClientRects().length > 1;
})).map((head) => head.textContent)"""
SIZES = {"letter": (612, 792), "a4": (595, 842), "a5": (420, 595)}  # in points, as a PDF has them


@pytest.mark.parametrize("paper", SIZES)
def test_every_table_card_is_one_page(page: Page, live_server_url: str, paper: str) -> None:
    found = {}
    for rules in CATALOGUE:
        go(page, f"{live_server_url}/rules/{rules}/card?paper={paper}")
        found[rules] = pages_of(page.pdf(prefer_css_page_size=True))
    assert {rules: sizes for rules, sizes in found.items() if sizes != [SIZES[paper]]} == {}


def test_every_blank_score_sheet_is_one_page_and_breaks_no_first_name(page: Page) -> None:
    """With six who keep a score each, the most whose names are written level, and with seven."""
    phone, names = Phone(page), ["Christopher", "Bartholomew", "Konstantinos", "Wilhelmina", "Jo", "W" * 60]
    phone.start_game("shankar", names, teams=0)
    assert broken_by(page) == ["W" * 60]
    page.set_viewport_size(PHONE)
    page.emulate_media(media="null")  # as it was
    phone.start_game("pedro-sancho", [*names, "Maximiliane"])
    assert broken_by(page) == ["W" * 60]


def broken_by(page: Page) -> list[str]:
    """The heads of the game’s sheet that break a word on A5, after a look at the sheet on every paper."""
    found, sheet = {}, page.url.replace("hands/new", "rules/sheet")
    for paper in SIZES:
        go(page, f"{sheet}?paper={paper}")
        found[paper] = pages_of(page.pdf(prefer_css_page_size=True))
    assert found == {paper: [size] for paper, size in SIZES.items()}
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 499, "height": 727})  # what the margins leave of A5, the last of them
    return list(page.locator(".blank thead th").evaluate_all(BROKEN))


def pages_of(pdf: bytes) -> list[tuple[int, int]]:
    """The width and height of each page."""
    boxes = re.findall(rb"/Type\s*/Page\b(?!s).*?/MediaBox\s*\[([^\]]*)\]", pdf, re.DOTALL)
    corners = [[float(number) for number in box.split()] for box in boxes]
    return [(round(corner[2]), round(corner[3])) for corner in corners]
