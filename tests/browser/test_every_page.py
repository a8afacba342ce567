"""All pages of small and large clubs, narrow and wide, light and dark: no axe violations, no horizontal scrolling,
no console errors.

SCOREKEEPER_PICTURES names a folder for screenshots.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scorekeeper.database.session import db
from scorekeeper.models import Season
from scorekeeper.services.seasons import close
from scorekeeper.web.standings import pages
from tests.browser.axe import FITS, check
from tests.browser.conftest import serving
from tests.browser.phone import errors_of, go
from tests.classic import new_club
from tests.stats.big_club import KINDS, fill

STATE = "state"  # key for the path of the browser's storage state

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG = "Wilhelmina Bartholomew-Featherstonehaugh of the Upper Valley"  # 60 letters
TWO = (("shankar", 2, 0),)
CLUBS = {
    "one game of two": {"players": 2, "games": 1, "kinds": TWO, "names": ["A", "B"], "seasons": 1},
    "three games of six": {"players": 7, "games": 3, "kinds": KINDS[1:2], "seasons": 1},
    "three hundred games of sixty": {
        "players": 60, "games": 300, "names": [f"{LONG[:57]} {number:02}" for number in range(1, 61)],
    },
}  # fmt: skip
PAGES = (
    "", "standings", "standings?players=2", "players/", "players/{player}", "bids", "seasons/", "seasons/{season}/",
    "seasons/{closed}/", *(f"seasons/{{season}}/{page.tab}" for page in pages.PAGES if page.tab), "seasons/new",
    "seasons/{season}/change", "games/{game}/", "games/{game}/story", "games/{game}/board", "games/{game}/history",
    "games/{game}/share", "games/{game}/record", "games/{game}/adjust", "games/{game}/edit",
    "changes", "settings", "board", "games/", "games/new", "transfers/",
    "transfers/paper",
)  # fmt: skip
SIZES = {"narrow": {"width": 390, "height": 844}, "wide": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A server with those clubs: their URLs by name."""

    def make() -> dict[str, str]:
        return {name: _make(name, options) for name, options in CLUBS.items()}

    with serving(tmp_path_factory.mktemp("every-page"), make) as (url, keys, state):
        yield {name: f"{url}/c/{key}/" for name, key in keys.items()} | {STATE: state}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], clubs: dict[str, str]) -> dict[str, Any]:
    """A phone that manages those clubs."""
    return browser_context_args | {"storage_state": clubs[STATE]}


def _make(name: str, options: dict) -> str:
    club = new_club(name)
    fill(club, seed=7, different=20, **options)
    seasons = db.session.scalars(db.select(Season).where(Season.club_id == club.id)).all()
    close(seasons[-1])
    return club.key


def pages_of(page: Page, club: str) -> list[str]:
    """Return the URLs of a club's pages, with existing ids."""
    go(page, f"{club}players/")
    player = re.findall(r"players/(\d+)", page.content())[0]
    go(page, f"{club}seasons/")
    seasons = sorted(set(re.findall(r"seasons/(\d+)/", page.content())), key=int)
    found = {"player": player, "season": seasons[0], "closed": seasons[-1], "game": "1"}
    return [club + path.format(**found) for path in PAGES]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", CLUBS)
def test_every_page(clubs: dict[str, str], page: Page, name: str, size: str) -> None:
    page.set_viewport_size(SIZES[size])
    errors = errors_of(page)
    for address in pages_of(page, clubs[name]):
        answer = go(page, address)
        assert answer.status == 200, f"{address}: {answer.status}"
        assert page.evaluate(FITS), f"{address} is too wide"
        page.evaluate("() => document.querySelectorAll('main details').forEach(one => one.open = true)")
        check(page)
        picture(page, f"{name} {size} {address.partition('/c/')[2].partition('/')[2]}")
    assert errors == []


def picture(page: Page, name: str) -> None:
    folder = os.environ.get("SCOREKEEPER_PICTURES")
    for scheme in ("light", "dark") if folder else ():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        path = Path(str(folder)) / (re.sub(r"\W+", "-", f"{name} {scheme}").strip("-") + ".png")
        page.screenshot(path=path, full_page=True)
