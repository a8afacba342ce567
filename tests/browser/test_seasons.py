"""Seasons in a browser: no horizontal scrolling, all players listed, phones show the main columns, print shows all."""

import re
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Player, Season
from scorekeeper.services.seasons import begin, change, close, count_in, set_bonus, set_divisions, set_playoffs
from scorekeeper.stats import tallies
from scorekeeper.stats.league import Bonus, Playoffs
from scorekeeper.stats.schemes import Scheme
from tests.browser.axe import BROKEN, FITS, TWICE, check
from tests.browser.conftest import serving
from tests.browser.phone import go
from tests.classic import FOUR, SET, THREE_ONE, record, start_game
from tests.conftest import PHONE, in_memory
from tests.stats.big_club import fill

STATE = "state"  # key for the path of the browser's storage state

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 800}
LONG = "Featherstonehaugh-Cholmondeley of Great Missenden Abbey, Esq."
WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragung"
TABS = ("", "partners", "charts", "records?hands=")


def new_club(key: str) -> Club:
    with db_write() as session:
        session.add(club := Club(name=f"The {key} club", key=key))
    return club


def make_one() -> None:
    club = new_club("one")
    begin(club, "W", date(2026, 1, 1), None, Scheme())
    record(start_game(club, names=["A", "B", "C", "D"], played=date(2026, 1, 3)), FOUR, THREE_ONE, FOUR)


def make_three() -> None:
    """Three games; one was moved out of the season after it was closed."""
    club = new_club("three")
    season = begin(club, "Winter", date(2026, 1, 1), None, Scheme(by="points"))
    orders = (["Ann", "Bo", "Cy", "Di"], ["Bo", "Cy", "Di", "Ann"], ["Ann", "Cy", "Bo", "Di"])
    games = [start_game(club, names=names, played=date(2026, 1, 3), season=season) for names in orders]
    for game in games:
        record(game, FOUR, SET, FOUR, FOUR, FOUR)
    close(season)
    count_in(games[0], None)


def make_ladder() -> None:
    """Two players with names of one long word climb a ladder, whose name is such a word too."""
    club = new_club("ladder")
    begin(club, WORD, date(2026, 1, 1), None, Scheme(by="ladder"))
    record(start_game(club, names=["A", "B", "C", "D"], played=date(2026, 1, 3)), FOUR, THREE_ONE, FOUR)
    for names in (["A", WORD, "C", "Theodora"], [WORD, "A", "Theodora", "C"]):
        record(start_game(club, names=names, played=date(2026, 1, 10)), FOUR, THREE_ONE, FOUR)


def make_league() -> None:
    """A league of two divisions with a bonus, and its playoffs are drawn."""
    club = new_club("league")
    season = begin(club, "League", date(2026, 1, 1), None, Scheme(by="points", attended=1))
    record(start_game(club, names=["Ann", "Bo", "Cy", "Di"], played=date(2026, 1, 3)), FOUR, THREE_ONE, FOUR)
    uids = [player.uid for player in club.players]
    set_divisions(season, dict(zip(uids, "AABB", strict=True)))
    set_bonus(season, Bonus(uids[0], 1, "Hosted the last night", date(2026, 1, 3)))
    set_playoffs(season, Playoffs(4, tuple((uid,) for uid in uids)))


def make_twenty() -> None:
    """A closed season of twenty players of 21; the last two never play together."""
    club = new_club("twenty")
    fill(club, players=21, games=140, seed=7, different=8)
    close(club.seasons[0])


def make_sixty() -> None:
    """Sixty players with names of sixty letters, in a season with such a name."""
    club = new_club("sixty")
    fill(club, players=60, games=300, seed=8, different=12)
    with db_write(club):
        for number, player in enumerate(db.session.query(Player).filter_by(club_id=club.id).order_by(Player.id)):
            player.name = f"{'WwmMi'[number % 5] * 3}{number} {LONG}"[:60]
        tallies.mark_changed(club.id)
    scheme = Scheme(by="rating")
    change(club.seasons[0], name=f"The {LONG}"[:60], starts=date(2026, 1, 1), ends=None, scheme=scheme)


@pytest.fixture(scope="module")
def clubs() -> Iterator[tuple[str, dict[str, str]]]:
    """A real server with those clubs: its URL, and the path of each club's season."""

    def make() -> dict[str, str]:
        new_club("empty")
        for make_one_more in (make_one, make_league, make_ladder, make_three, make_twenty, make_sixty):
            make_one_more()
        latest = db.session.query(Season).join(Club).order_by(Season.id)
        return {season.club.key: f"/c/{season.club.key}/seasons/{season.id}/" for season in latest}

    with (
        tempfile.TemporaryDirectory(prefix="scorekeeper-seasons-", dir=in_memory()) as folder,
        serving(Path(folder), make) as (url, seasons, state),
    ):
        yield url, seasons | {STATE: state}


@pytest.fixture
def browser_context_args() -> dict[str, Any]:
    """Each test sets its own options. Service workers are blocked, as they serve cached copies of slow pages."""
    return {"service_workers": "block"}


@pytest.fixture
def open_page(clubs, new_context):
    def make(**options: Any) -> tuple[Page, dict[str, str]]:
        url, seasons = clubs
        usual = {"base_url": url, "viewport": PHONE, "storage_state": seasons[STATE]}
        return new_context(**(usual | options)).new_page(), seasons

    return make


def pages(seasons: dict[str, str]) -> Iterator[str]:
    """Yield pages not covered by test_every_page: closed and reopened seasons, long names, empty tables, filters."""
    yield from (f"{seasons['twenty']}{tab}" for tab in TABS)
    yield from (seasons["three"], seasons["sixty"], *(f"{seasons[key]}change" for key in ("three", "twenty", "ladder")))
    yield from (f"{seasons['league']}{page}" for page in ("", "bonus", "divisions", "forfeit", "playoffs"))
    yield from ("/c/empty/standings", "/c/empty/standings/records", "/c/empty/seasons/", "/c/empty/seasons/new")
    yield from ("/c/sixty/standings?narrow=", "/c/sixty/standings?rules=bridge&narrow=", "/c/three/standings?by=rating")


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_nothing_sticks_out_and_axe_is_content(open_page, size):
    page, seasons = open_page(viewport=size)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for path in pages(seasons):
        go(page, path)
        assert page.evaluate(FITS), path
        page.evaluate("() => document.querySelectorAll('main details').forEach(one => one.open = true)")
        check(page)
    expected = ("422", "registration blocked by Playwright")  # an invalid filter, and the blocked service worker
    assert [text for text in complaints if not any(known in text for known in expected)] == []


def test_numbers_of_a_way_of_counting_show_with_it(open_page):
    page, _ = open_page()
    go(page, "/c/one/seasons/new")
    for chosen, shown in (("wins", []), ("share", ["least"]), ("points", ["won", "shared", "lost"]), ("rating", [])):
        page.locator(f"#by-is-{chosen}").check()
        visible = [name for name in ("least", "won", "shared", "lost") if page.locator(f"#{name}").is_visible()]
        assert visible == shown


def test_the_days_of_a_season_are_whole_with_large_letters(open_page):
    page, _ = open_page(viewport={"width": 360, "height": 640})
    go(page, "/c/one/seasons/new")
    first, last = page.locator("#starts"), page.locator("#ends")
    assert first.bounding_box()["y"] == last.bounding_box()["y"]
    page.evaluate("() => { document.documentElement.style.fontSize = '130%'; }")
    assert first.bounding_box()["y"] < last.bounding_box()["y"]  # side by side, the year would be cut


def said_by(headings: Locator) -> list[str]:
    """Return the texts of column heads; that of places has a visible # too."""
    return [text.removesuffix("#").strip() for text in headings.all_inner_texts()]


def test_a_phone_shows_what_matters_and_the_rest_by_a_tap(open_page):
    page, seasons = open_page(has_touch=True)
    go(page, seasons["sixty"])
    days = page.locator(".bar .soft")
    expect(days).to_have_text("since Jan 1, 2026")
    assert days.evaluate("days => days.scrollHeight <= days.clientHeight")  # not cut off, on its own line
    table = page.locator("table.standings").first
    headings = table.locator("thead th:visible")
    assert said_by(headings) == ["Place", "Player", "Rating"]
    row = table.locator("tbody tr").first
    assert re.search(r"^\d+–\d+(–[1-9]\d*)?$", row.locator("small .n [aria-hidden]").inner_text())  # ties if any
    worth = row.locator("td.worth")
    lines = """cell => {
      cell.textContent = "100%"
      const text = document.createRange()
      text.selectNodeContents(cell)
      return new Set([...text.getClientRects()].map(line => line.top)).size
    }"""
    assert worth.evaluate(lines) == 1
    assert row.locator(".form i").count() == 5
    page.locator(".above .toggle").tap()
    assert len(headings.all_inner_texts()) > 10
    box = page.locator(".table-box .scroll").first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")  # the table scrolls in its box
    assert page.evaluate(FITS)
    page.locator(".above .toggle").tap()
    page.evaluate(TWICE)
    for part in page.locator(".above :is(.quiet, .toggle)").all():
        expect(part).to_have_css("padding-left", "0px")  # one below the other
    expect(table.locator("thead .worth")).to_have_css("padding-right", "16px")


def test_a_players_page_is_short_before_anything_is_unfolded(open_page):
    page, _ = open_page(viewport={"width": 390, "height": 664})
    go(page, "/c/sixty/players/")
    go(page, page.locator("main .list a").first.get_attribute("href"))
    assert page.locator("main details[open]").count() == 0
    assert page.locator(".spread > details").count() == 7
    assert page.evaluate("document.documentElement.scrollHeight") <= 1600


def test_a_wide_screen_shows_every_column_and_a_player_is_a_target_of_a_whole_cell(open_page):
    page, seasons = open_page(viewport=WIDE)
    go(page, seasons["twenty"])
    headings = said_by(page.locator("table.standings thead th"))
    assert headings == [
        "Place", "Player", "Wins", "Games", "Lost", "Tied", "Win %", "For", "Against", "Margin", "Rating",
    ]  # fmt: skip
    assert page.locator("table.standings thead th:visible").count() == len(headings)
    page.set_viewport_size(PHONE)
    for cell in page.locator(".standings tbody th").all()[:5]:
        assert cell.bounding_box()["height"] >= 44
        link = cell.locator("a")
        assert link.evaluate("a => getComputedStyle(a, '::after').position") == "absolute"  # covers the cell


def test_words_of_a_name_are_whole_in_narrow_tables(open_page):
    """Also with letters twice as large: then a name has a line of its own."""
    page, seasons = open_page()
    go(page, f"{seasons['three']}head-to-head")
    page.locator(".against tbody th").first.evaluate("one => { one.textContent = 'Mary Featherstone'; }")
    assert page.evaluate(BROKEN, ".against tbody th") == []
    assert page.evaluate(FITS)
    go(page, f"{seasons['sixty']}head-to-head")
    page.locator(".against tbody th").first.evaluate("one => { one.textContent = 'Featherstone'; }")
    assert page.evaluate(BROKEN, ".against tbody tr:first-child th") == []
    page.set_viewport_size({"width": 360, "height": 640})
    for tab in ("", "partners"):
        go(page, f"{seasons['sixty']}{tab}")
        page.locator(".standings .name").first.evaluate("one => { one.textContent = 'Featherstonehaugh'; }")
        page.evaluate(TWICE)
        assert page.evaluate(BROKEN, ".standings tbody tr:first-child .name") == []
        assert page.evaluate(FITS)


def test_a_name_of_one_long_word_is_broken_and_others_are_whole(open_page):
    """On a ladder and on the page of the player, everything unfolded; also with letters twice as large."""
    page, seasons = open_page(viewport={"width": 360, "height": 640})
    go(page, seasons["ladder"])
    player = page.get_by_role("link", name=WORD).first.get_attribute("href")
    for address in (seasons["ladder"], player):
        go(page, address)
        page.evaluate("() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        assert page.evaluate(FITS), address
        page.evaluate(TWICE)
        assert page.evaluate(FITS), address
        assert page.evaluate(BROKEN, ".ladder a") == [f"{WORD} in found"] * page.locator(".ladder").count()


def test_a_bonus_and_a_bracket_break_no_word_and_a_bracket_is_printed_without_its_controls(open_page):
    page, seasons = open_page(viewport={"width": 360, "height": 640})
    go(page, f"{seasons['league']}bonus")
    page.evaluate(TWICE)
    assert page.evaluate(BROKEN, ".bonuses li > span") == []
    go(page, f"{seasons['league']}playoffs")
    expect(page.get_by_text("Choose the game").first).to_be_visible()
    page.locator(".match .who").evaluate_all("all => all.forEach(one => { one.textContent = 'Theodora '.repeat(9); })")
    page.emulate_media(media="print")
    expect(page.get_by_text("Choose the game").first).to_be_hidden()
    page.emulate_media(media="null")  # reset
    page.set_viewport_size(WIDE)
    assert page.evaluate(BROKEN, ".match b") == []
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate(TWICE)
    assert page.evaluate(BROKEN, ".match :is(b, .who)") == []


@pytest.mark.slow
def test_games_are_chosen_with_the_keyboard_alone(open_page):
    page, seasons = open_page()
    go(page, seasons["sixty"])
    games = page.locator("#how-many")
    everything = games.inner_text()
    page.get_by_role("link", name="Filter games").focus()
    page.keyboard.press("Enter")
    form = page.locator("form.narrow")
    expect(form).to_be_visible()
    expect(page.locator(".htmx-request")).to_have_count(0)
    page.locator("#rules").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".chosen")).to_contain_text("Classic")
    expect(games).not_to_have_text(everything)
    expect(page.locator("#rules")).to_be_focused()
    expect(games).to_have_attribute("role", "status")
    page.locator("#from").fill("2026-05-01")
    expect(page.locator(".chosen")).to_contain_text("from May 1, 2026")
    check(page)


def test_a_season_of_twenty_players_is_one_page_of_paper(open_page):
    page, seasons = open_page()
    go(page, seasons["twenty"])
    assert page.locator(".standings tbody tr").count() == 20
    assert page.locator(".printed").is_hidden()
    page.emulate_media(media="print")
    assert page.locator(".printed").is_visible()
    assert page.locator(".printed").inner_text() == "The twenty club"
    assert page.locator(".tabs").is_hidden()
    expect(page.locator(".winner")).to_have_css("color", "rgb(0, 0, 0)")
    assert page.locator("th.w").first.is_visible()
    for paper in ("Letter", "A4"):  # as the browser is set: the page prefers none
        sheet = page.pdf(format=paper, prefer_css_page_size=True)
        assert (b"/MediaBox [0 0 612 792]" in sheet) == (paper == "Letter")
        assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    expect(page.locator(".standings tbody").first).to_have_css("break-inside", "auto")  # long ones begin on page 1
    page.set_viewport_size({"width": 700, "height": 990})  # within the margins of A4
    go(page, seasons["twenty"] + "charts")
    assert page.locator(".chart .row").first.is_visible()
    go(page, seasons["twenty"] + "head-to-head")
    right = page.locator(".against").evaluate("table => table.getBoundingClientRect().right")
    assert right <= 700
