"""What is printed of the rules: one page of each paper, with nothing cut."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from scorekeeper.scoring.rules import CATALOGUE

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SIZES = {"letter": (612, 792), "a4": (595, 842), "a5": (420, 595)}  # in points, as a PDF has them


@pytest.mark.parametrize("paper", SIZES)
def test_every_table_card_is_one_page(page: Page, live_server_url: str, paper: str) -> None:
    found = {}
    for rules in CATALOGUE:
        page.goto(f"{live_server_url}/rules/{rules}/card?paper={paper}")
        found[rules] = pages_of(page.pdf(prefer_css_page_size=True))
    assert {rules: sizes for rules, sizes in found.items() if sizes != [SIZES[paper]]} == {}


def pages_of(pdf: bytes) -> list[tuple[int, int]]:
    """The width and height of each page."""
    boxes = re.findall(rb"/Type\s*/Page\b(?!s).*?/MediaBox\s*\[([^\]]*)\]", pdf, re.DOTALL)
    corners = [[float(number) for number in box.split()] for box in boxes]
    return [(round(corner[2]), round(corner[3])) for corner in corners]
