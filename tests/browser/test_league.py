"""A league in a browser: two divisions, best 4 of 6 nights, a forfeit, a wrong game deleted, playoffs.

The expected points are worked out by hand from docs/league.md.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import axe
from tests.browser.axe import check
from tests.browser.phone import go, to_another_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEAD = "date,team 1,score 1,team 2,score 2"
NIGHTS = ("2026-01-06", "2026-01-13", "2026-01-20", "2026-01-27", "2026-02-03", "2026-02-10")
# Ann and Bo win the first five nights, Ed and Flo every second one.
UP, DOWN = ("11", "7"), ("7", "11")
FIRST, SECOND = (UP, UP, UP, UP, UP, DOWN), (UP, DOWN, UP, DOWN, UP, DOWN)
SEASON = [f"{night},Ann & Bo,{a},Cy & Di,{b}" for night, (a, b) in zip(NIGHTS, FIRST, strict=True)]
SEASON += [f"{night},Ed & Flo,{a},Gil & Hal,{b}" for night, (a, b) in zip(NIGHTS, SECOND, strict=True)]
WRONG = "2026-01-06,Ann & Bo,3,Cy & Di,11"
SEMIFINALS = ["2026-02-24,Ann & Cy,11,Ed & Di,9", "2026-02-24,Gil & Hal,2,Bo & Flo,11"]
FINAL = ["2026-03-03,Ann & Cy,8,Bo & Di,11"]


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    page = new_context().new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    return page


def paper(page: Page, club: str, games: list[str]) -> None:
    go(page, f"{club}transfers/paper")
    page.locator("#text").fill("\n".join([HEAD, *games]))
    page.get_by_label("Classic Setback").check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("imported from paper.")).to_be_visible()


def points(page: Page) -> dict[str, str]:
    """Return points by player."""
    rows = page.locator(".standings tbody tr")
    told = [(row.locator(".name").inner_text(), row.locator(".worth").inner_text()) for row in rows.all()]
    return dict(told)


def test_a_league_from_its_first_day_to_its_final(page: Page) -> None:
    go(page, "/")
    page.locator("#name").fill("Spring club")
    with to_another_page(page):
        page.get_by_role("button", name="Start the club").click()
    club = page.url
    season = start_season(page, club)
    paper(page, club, [*SEASON, WRONG])
    divide(page, season)
    assert points(page)["Cy"] == "8"  # 3 for the night with the wrong game, 3 for the last one, 2 for two others
    go(page, f"{club}games/{len(SEASON) + 1}/edit")
    page.get_by_role("button", name=f"Delete game {len(SEASON) + 1}").click()
    page.wait_for_url(lambda url: "/edit" not in url)
    forfeit(page, season)
    bonus(page, season)
    go(page, season)
    # Cy and Di: a win and a night, a forfeit won, two nights; Gil: three wins on three nights, a night, and the bonus
    assert points(page) == {
        "Ann": "12", "Bo": "12", "Cy": "7", "Di": "7", "Gil": "11", "Ed": "10", "Flo": "10", "Hal": "10",
    }  # fmt: skip
    check(page)
    page.get_by_text("Edit or close season").click()
    page.get_by_text("Close the season").click()
    page.get_by_role("button", name="Close Spring league").click()
    expect(page.get_by_role("heading", name="Ann and Bo won division A together. Gil won division B")).to_be_visible()
    play_off(page, club, season)


def start_season(page: Page, club: str) -> str:
    go(page, f"{club}seasons/new")
    page.get_by_label("Season name").fill("Spring league")
    page.get_by_label("First day").fill("2026-01-01")
    page.get_by_label("Last day").fill("2026-02-20")
    page.get_by_text("Points for each game").click()
    page.get_by_label("Night played").fill("1")
    page.locator("#more > summary").click()
    page.locator("#needed").fill("2")
    page.locator("#best").fill("4")
    check(page)
    page.get_by_role("button", name="Start season").click()
    expect(page.get_by_text("Only each player’s best 4 nights count.")).to_be_visible()
    return page.url


def divide(page: Page, season: str) -> None:
    go(page, season)
    page.get_by_role("link", name="Divisions").click()
    for name in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal"):
        page.get_by_label(name, exact=True).select_option(label=f"Division {'A' if name < 'E' else 'B'}")
    check(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Division B")).to_be_visible()


def forfeit(page: Page, season: str) -> None:
    go(page, season)
    page.get_by_role("link", name="Forfeit").click()
    for seat, name in (("winner-1", "Cy"), ("winner-2", "Di"), ("loser-1", "Ann"), ("loser-2", "Bo")):
        page.locator(f"#{seat}").select_option(label=name)
    page.get_by_label("Day").fill("2026-02-17")
    check(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Forfeit saved: a win for Cy and Di.")).to_be_visible()


def bonus(page: Page, season: str) -> None:
    go(page, season)
    page.get_by_role("link", name="Bonus points").click()
    page.get_by_label("Player").select_option(label="Gil")
    page.get_by_label("Points (with a minus to take away)").fill("1")
    page.get_by_label("Reason").fill("Hosted the last night")
    page.get_by_label("Day").fill("2026-02-10")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("+1 point for Gil.")).to_be_visible()
    check(page)
    page.evaluate(axe.TWICE)
    assert page.evaluate(axe.BROKEN, ".bonuses li > span") == []


def play_off(page: Page, club: str, season: str) -> None:
    """The leaders of the divisions are seeds 1 and 2: Ann plays Ed, and Gil plays Bo."""
    go(page, f"{season}playoffs")
    page.get_by_role("button", name="Draw the top 4").click()
    for games, keys in ((SEMIFINALS, ("1-1", "1-2")), (FINAL, ("2-1",))):
        paper(page, club, games)
        for key in keys:
            go(page, f"{season}playoffs")
            match = page.get_by_role("article").filter(has=page.locator(f"#game-{key}"))
            match.get_by_text("Choose the game").click()  # all were played before the draw
            page.locator(f"#game-{key}").select_option(index=1)  # the latest game of the two
            match.get_by_role("button").click()
            expect(page.get_by_text("Saved.")).to_be_visible()
    check(page)
    expect(page.get_by_role("heading", name="Bo won the playoffs")).to_be_visible()
    page.locator(".match .who").evaluate_all("all => all.forEach(one => { one.textContent = 'Theodora '.repeat(9); })")
    page.emulate_media(media="print")
    expect(page.get_by_text("Change the game").first).to_be_hidden()
    page.emulate_media(media="null")  # reset
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(axe.BROKEN, ".match b") == []
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate(axe.TWICE)
    assert page.evaluate(axe.BROKEN, ".match :is(b, .who)") == []
    go(page, season)
    expect(page.get_by_role("heading", name="Bo won the playoffs")).to_be_visible()
    check(page)
