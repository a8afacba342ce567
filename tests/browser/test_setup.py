"""Game setup in a browser: tap names, swap seats by two taps or by dragging; with and without scripts."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Route, ViewportSize, expect

from tests.browser.axe import BROKEN, LOW, TWICE, check
from tests.browser.phone import SIX, Phone, go, stop_animations, tap_all, to_another_page
from tests.browser.test_hand_entry import rows_in_reach
from tests.conftest import mostly_slow

pytestmark = pytest.mark.browser

SMALL: ViewportSize = {"width": 360, "height": 640}
LONG = "Maximiliana Featherstonehaugh-Wolfeschlegelsteinhausen, Jr.."


def next_game(phone: Phone, rules: str = "west-michigan-6", names: tuple[str, ...] = SIX) -> None:
    """Open the setup page of a club's second game."""
    phone.start_game(rules, names)
    go(phone.page, phone.page.url.partition("/games/")[0] + "/games/new")


def names(page: Page) -> list[str]:
    """Return the names around the table, in the order of play."""
    found = page.evaluate("[...document.querySelectorAll('.round [name^=name-]')].map(field => field.value)")
    return list(found)


# True if the points' border leaves the hint above them its whole letters, also those that reach below the line.
HINT_AND_POINTS = """() => {
  const letters = new Range(), points = document.querySelector(".points").getBoundingClientRect();
  letters.selectNodeContents(document.querySelector("#ask-points > .hint"));
  return letters.getBoundingClientRect().bottom <= points.top;
}"""


def test_a_hand_is_tried_before_there_is_a_club(page: Page) -> None:
    """Bid 4 with Game taken by the others: 6 to 1. No requests are sent."""
    page.set_viewport_size(SMALL)
    go(page, "/")
    page.get_by_role("link", name="Try a hand").click()
    page.wait_for_load_state("networkidle")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    expect(page.locator("#ask-dealer :checked")).to_have_value("1")
    assert page.evaluate(HINT_AND_POINTS)
    for tap in ("bidder-is-5", "bid-is-4", "trump-is-C", "buried-is-9C", "buried-is-2D", "point-game-is-B"):
        page.locator(f"#{tap}").check()
    expect(page.locator("#says")).to_have_text("Ed bid 4, took 6: +6. Bo’s team +1. Ann’s team leads 6 to 1.")
    page.evaluate("() => scrollTo(0, 0)")
    assert rows_in_reach(page) == 7
    check(page)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#says")).to_have_text("Who bid? Tap a name.")
    assert page.locator("#hand :checked:not([name=dealer])").count() == 0
    assert sent == []
    expect(page.locator("#hand [name=do], #hand [name=note]")).to_have_count(0)
    page.get_by_role("link", name="Start a club").click()
    expect(page.get_by_label("Club name")).to_be_visible()
    page.evaluate(TWICE)
    assert page.evaluate(BROKEN, "h1") == []
    go(page, "/rules/trinidad-all-fours/try")
    expect(page.locator("#ask-turned_up")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Not played|Misdeal"))).to_have_count(0)
    go(page, "/rules/st-paul-schmier-5/try")
    page.locator("#trump-is-C").tap()
    for place, card in ((0, "AS"), (3, "AC"), (4, "KC")):  # the aces, then the trumps
        expect(page.locator("#ask-called input").nth(place)).to_have_value(card)


@pytest.mark.parametrize(
    ("place", "game"), mostly_slow([("Kansas", "Ten-Point Pitch"), ("Old Sledge", "All Fours (Seven Up)")])
)
def test_from_nothing_to_the_first_hand_in_eight_taps(page: Page, place: str, game: str) -> None:
    """All taps are counted, also those into text fields. No scrolling is needed before the names."""
    page.set_viewport_size({"width": 390, "height": 664})
    phone, taps = Phone(page), 0
    go(page, "/")
    page.locator("#name").fill("Friday table")
    for name in ("Start the club", "Start the first game"):
        expect(page.get_by_text(name)).to_be_in_viewport(ratio=1)
        phone.take_time()
        with to_another_page(page):
            page.get_by_text(name).tap()
        taps += 1
    phone.take_time()
    page.locator("#players-is-4").tap()
    page.locator("#search").fill(place)
    taps += 2  # the number of players, and the search field
    expect(page.locator("#games button")).to_have_count(1)
    expect(page.locator("#games #games")).to_have_count(0)
    phone.press(game)
    taps += 1
    page.locator("#name-1").tap()
    taps += 1
    for name in SIX[:4]:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    phone.press("Deal")
    taps += 1
    expect(page.locator("h1")).to_have_text("Hand 1")
    assert taps <= 8


def test_a_second_tap_on_a_game_taps_nothing_else(page: Page, phone: Phone) -> None:
    """The next page ignores taps briefly; the choices of the number of players stay in place while games change."""
    next_game(phone, "classic", SIX[:4])
    numbers = page.locator("#players-is-5").bounding_box()
    phone._reshape("#players-is-5", "")
    expect(page.locator("#rules-is-shankar")).to_be_visible()
    assert page.locator("#players-is-5").bounding_box() == numbers
    stop_animations(page)
    box = page.locator("#rules-is-shankar").bounding_box()
    with to_another_page(page):
        page.locator("#rules-is-shankar").tap()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert names(page) == [*SIX[:4], ""]
    assert page.evaluate("document.activeElement === document.body")
    assert page.evaluate("getComputedStyle(document.querySelector('main')).pointerEvents") == "none"


def test_the_players_are_there_again_after_a_rule_was_changed(page: Page, phone: Phone) -> None:
    next_game(phone, "classic", SIX[:4])
    for name in ("Ann", "Cy", "Cy"):  # two seats are free: Cy takes the first, before Bo
        page.get_by_role("button", name=name, exact=True).tap()
    expect(page.locator("#seat-1")).to_contain_text("Cy")
    page.locator("#name-3").fill("Gil")
    expect(page.locator("#says")).to_contain_text("Di deals first.")  # while the field has the focus
    expect(page.locator("#name-3")).to_be_focused()
    page.locator(".dealer").nth(2).tap()
    page.locator("#target").fill("15")
    phone.follow("Change any rule")
    expect(page.locator("#says")).to_have_text("1 change from Classic Setback")
    for leave in (page.go_back, lambda: phone.follow("New game")):  # nothing has to be chosen again
        leave()
        expect(page.locator("#says")).to_have_text("Gil deals first. Classic Setback, first to 15")
        assert page.locator("#target").input_value() == "15"
        assert names(page) == ["Cy", "Bo", "Gil", "Di"]
        phone.follow("Change any rule")
    page.locator("#name").fill("Ours")
    phone.press("Save")
    phone.follow("New game with these rules")
    expect(page.locator("#says")).to_have_text("Gil deals first. Ours, first to 15")
    assert names(page) == ["Cy", "Bo", "Gil", "Di"]
    go(page, page.url.partition("?")[0])
    assert names(page) == list(SIX[:4])  # another game: those of the last one


def test_a_number_tapped_before_htmx_is_there_shows_its_games(page: Page, phone: Phone) -> None:
    """Tapping it again would change nothing."""
    phone.start_club()
    held: list[Route] = []
    page.route("**/vendor/htmx*", lambda route: held.append(route))
    page.evaluate("address => { location.href = address; }", page.url.rstrip("/") + "/games/new")
    page.locator("#players-is-6").check()
    assert not page.evaluate("Boolean(window.htmx)")
    expect(page.get_by_text("West Michigan Setback")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_text("West Michigan Setback")).to_be_visible()


def test_a_number_tapped_without_a_signal_counts_when_the_signal_is_back(page: Page, phone: Phone) -> None:
    next_game(phone)
    expect(page.locator("#seat-6")).to_be_visible()
    page.context.set_offline(True)
    page.locator("#players-is-4").check()
    expect(page.locator("#says")).to_have_text("No signal. This page tries again by itself.")
    page.locator("#shuffle").tap()
    expect(page.locator("#says")).to_have_text("No signal. Tap again.")
    page.context.set_offline(False)
    expect(page.locator("#seat-6")).to_have_count(0)
    expect(page.locator("#games")).to_be_visible()


@pytest.mark.parametrize("script", mostly_slow([True, False]), ids=["script", "no script"])
def test_six_friends_sit_down_without_a_keyboard(new_context: Callable[..., BrowserContext], script: bool) -> None:
    phone = Phone(new_context(java_script_enabled=script).new_page(), script=script)
    page = phone.page
    page.set_viewport_size(SMALL)
    next_game(phone, names=("Ann", "Bo", "Cy", "Di", "Ed", LONG))
    page.get_by_role("button", name="Bo", exact=True).tap()  # Bo is replaced
    page.locator("#name-2").fill("Gil")
    page.locator("#seat-3").tap()
    expect(page.locator("#seat-help")).to_have_text("Cy: tap another seat to swap, or a name to take this seat.")
    page.locator("#seat-5").tap()
    expect(page.locator("#seat-5")).to_contain_text("Cy")
    assert names(page) == ["Ann", "Gil", "Ed", "Di", "Cy", LONG]
    assert page.evaluate(LOW) == [] if script else True
    page.locator("#shuffle").tap()
    expect(page.locator("#setup.htmx-request")).to_have_count(0)
    assert sorted(names(page)) == sorted(["Ann", "Gil", "Ed", "Di", "Cy", LONG])
    phone.press("Deal")
    expect(page.locator("h1")).to_have_text("Hand 1")


def test_enter_goes_on_to_the_next_seat_and_names_that_are_typed_are_not_cut(page: Page, phone: Phone) -> None:
    page.set_viewport_size(SMALL)
    phone.start_club()
    phone.follow("Start the first game")
    phone.choose_game("west-michigan-6", 6)
    page.locator("#name-1").focus()
    for seat, name in enumerate(("Margaret", "Kristina", "Barbara", "Al", "Charlotte", "Jonathan"), 1):
        expect(page.locator(f"#name-{seat}")).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Deal")).to_be_focused()
    assert names(page) == ["Margaret", "Kristina", "Barbara", "Al", "Charlotte", "Jonathan"]
    cut = "[...document.querySelectorAll('.sitter input')].filter(one => one.scrollWidth > one.clientWidth).length"
    assert page.evaluate(cut) == 0
    with to_another_page(page):
        page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Hand 1")


@pytest.mark.parametrize("width", mostly_slow([360, 390]))
def test_a_long_name_is_whole_once_it_is_typed_and_in_its_seat(page: Page, width: int) -> None:
    """Also where the browser blocks storage."""
    page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('blocked'); } })")
    phone = Phone(page)
    page.set_viewport_size({"width": width, "height": 640})
    phone.start_club()
    phone.follow("Start the first game")
    phone.choose_game("classic", 4)
    page.locator("#name-1").fill(LONG)
    above = "(seat) => getComputedStyle(seat, '::before').content.split('\"')[1] ?? ''"
    assert page.locator(".sitter").first.evaluate(above) == LONG  # while it is typed
    page.locator("#name-2").fill("Bo")
    assert page.locator(".sitter").nth(1).evaluate(above) == ""
    page.locator("#target").focus()
    assert page.locator(".sitter").first.evaluate(above) == ""
    shown = "(seat) => getComputedStyle(seat, '::after').content.split('\"')[1] ?? ''"
    expect(page.locator(".sitter[data-name]")).to_have_count(1)
    assert page.locator(".sitter").first.evaluate(shown) == LONG
    page.locator("#name-1").fill("i" * 120)
    page.locator("#target").focus()
    expect(page.locator(".sitter[data-name*=iii]")).to_have_count(1)
    assert page.locator(".sitter").first.evaluate("one => one.scrollWidth <= one.clientWidth")  # of one word too
    page.locator("#name-1").fill(LONG)
    page.locator("#target").focus()
    page.locator("#name-1").tap()
    assert page.locator(".sitter").first.evaluate(shown) == ""  # the field shows it while it is edited
    page.locator("#shuffle").tap()
    seat = page.locator(".sitter .name", has_text=LONG)
    expect(seat).to_be_visible()
    for one in (seat, page.locator(".sitter").first):
        assert one.evaluate("one => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth")
    seat.evaluate("one => { one.textContent = 'Bartholomew Featherstonehaugh'; }")
    assert page.evaluate(BROKEN, ".sitter .name") == []


@pytest.mark.parametrize("players", mostly_slow([4, 6]))
def test_the_dealers_button_is_beside_a_name_of_eleven_letters(page: Page, phone: Phone, players: int) -> None:
    names = ("Bartholomew", "Priscilla", "Bo", "Emmanuelle", "Ed", "Flo")[:players]
    next_game(phone, "classic" if players == 4 else "west-michigan-6", names)
    page.set_viewport_size({"width": 360, "height": 640})
    for seat in page.locator(".seat-tile").all():
        sitter, dealer = seat.locator(".sitter").bounding_box(), seat.locator(".dealer").bounding_box()
        assert sitter and dealer and sitter["y"] == dealer["y"]
    word = page.locator(".sitter .long").first
    word.evaluate("one => { for (one.textContent = 'i'; one.offsetWidth < 102;) one.textContent += 'i'; }")
    row = page.locator(".seat-tile:has(.long)").first
    assert row.evaluate("({ children: [, ...all] }) => new Set(all.map(one => one.offsetTop)).size") == 1
    page.evaluate(TWICE)  # one column, in which names are whole words
    assert len({seat.bounding_box()["x"] for seat in page.locator(".seat-tile").all()}) == 1  # type: ignore[index]
    assert page.evaluate(BROKEN, ".sitter .name") == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360


# Emulate wide letters, as on some phones: "Margaret" is five times as wide as high.
WIDE = """() => {
  const name = document.querySelector(".sitter .name"), range = document.createRange();
  range.selectNodeContents(name);
  const missing = 5 * parseFloat(getComputedStyle(name).fontSize) - range.getBoundingClientRect().width;
  document.body.style.letterSpacing = `${Math.max(0, missing) / name.textContent.trim().length}px`;
}"""


@pytest.mark.parametrize("width", mostly_slow([360, 390]))
def test_a_name_of_one_word_is_not_broken(page: Page, phone: Phone, width: int) -> None:
    next_game(phone, names=("Margaret", "Jonathan", "Kristina", "Benjamin", "Cameron", "Di"))
    page.set_viewport_size({"width": width, "height": 664})
    page.evaluate(WIDE)
    heights = page.evaluate("[...document.querySelectorAll('.sitter .name')].map(one => one.offsetHeight)")
    assert len(heights) == 6
    assert max(heights) < 24  # one line in either size


def test_taps_quicker_than_the_answers_come_all_count(page: Page, phone: Phone) -> None:
    next_game(phone)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 600, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    for name in ("Bo", "Cy", "Di"):  # replaced players
        page.get_by_role("button", name=name, exact=True).tap()
    page.locator("#dealer-is-5").check()
    expect(page.locator("#setup:is(.htmx-request, :has([name=tapped], .htmx-request))")).to_have_count(0)
    assert names(page) == ["Ann", "", "", "", "Ed", "Flo"]
    page.get_by_role("button", name="Di", exact=True).tap()
    page.get_by_role("button", name="Bo", exact=True).tap()
    page.locator("#name-4").fill("Gil")
    phone.press("Deal")
    assert phone.dealer() == "Ed"
    expect(page.locator("#ask-bidder .name")).to_have_text(["Ann", "Di", "Bo", "Gil", "Ed", "Flo"])


def test_a_seat_is_dragged_onto_another(page: Page, phone: Phone) -> None:
    next_game(phone)
    page.locator("#seat-1").drag_to(page.locator("#seat-4"))
    expect(page.locator("#seat-4")).to_contain_text("Ann")
    assert names(page) == ["Di", "Bo", "Cy", "Ann", "Ed", "Flo"]
    expect(page.locator("#seat-help")).to_have_text("Tap two seats to swap them.")  # the drop is not counted as a tap
    tap_all(page, "seat-2", "remove")
    expect(page.locator("#name-2")).to_be_visible()
    page.locator("#seat-6").drag_to(page.locator("[data-seat='2']"))
    expect(page.locator("#seat-2")).to_contain_text("Flo")
    assert names(page) == ["Di", "Flo", "Cy", "Ann", "Ed", ""]


def test_a_finger_presses_then_drags_and_otherwise_scrolls(page: Page, phone: Phone) -> None:
    page.clock.install(time="2026-11-21T19:42:00Z")
    next_game(phone)
    finger = page.context.new_cdp_session(page)
    one, two = (page.locator(f"#seat-{seat}").bounding_box() for seat in (1, 4))

    def touch(kind: str, box: dict[str, float]) -> None:
        points = [] if kind == "touchEnd" else [{"x": box["x"] + 40, "y": box["y"] + 20}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", one)
    expect(page.locator(".lifted")).to_have_count(1)
    touch("touchMove", two)
    expect(page.locator(".over")).to_have_count(1)
    touch("touchEnd", two)
    expect(page.locator("#seat-4")).to_contain_text("Ann")
    page.clock.pause_at("2026-11-21T22:00:00Z")
    touch("touchStart", one)
    touch("touchMove", two)  # an immediate move scrolls
    touch("touchEnd", two)
    expect(page.locator(".lifted")).to_have_count(0)
    assert names(page) == ["Di", "Bo", "Cy", "Ann", "Ed", "Flo"]


def test_the_bar_names_the_dealer_and_the_house_rules_as_they_are_tapped(page: Page, phone: Phone) -> None:
    next_game(phone)
    page.locator("#dealer-is-2").check()
    expect(page.locator("#says b")).to_have_text("Bo deals first.")
    page.locator("#house-bid-less-taken").check()
    expect(page.locator("#says span")).to_contain_text("with: When set, points taken reduce the loss")
    phone.choose_game("west-michigan-4", 4)
    phone.take_time()
    expect(page.locator("#says span")).to_have_text("West Michigan Setback, four players, first to 21")
    expect(page.locator("#house-bid-less-taken")).not_to_be_checked()
    expect(page.locator("#says b")).to_have_text("Bo deals first.")
    tap_all(page, "seat-4", "remove")
    expect(page.locator("#seat-help")).to_have_text("Tap a name, or type a new one in a seat.")
    page.locator("#name-4").fill("Gil")
    expect(page.locator("#seat-help")).to_be_hidden()  # every seat has a name
    phone.choose_game("pitch-smudge", 4)
    phone.take_time()
    expect(page.locator("label[for=target]")).to_have_text("Play to")
    page.locator("#house-counted-down").check()
    expect(page.locator("label[for=target]")).to_have_text("Count down from")
    phone.choose_game("california-pedro", 4)
    phone.take_time()
    expect(page.locator("#players legend")).to_have_text("Players, counterclockwise")
    assert sides_of_first_two(page) == ["right", "left"]
    page.locator("#house-goes-left").check()
    expect(page.locator("#players legend")).to_have_text("Players, clockwise")
    assert sides_of_first_two(page) == ["left", "right"]
    expect(page.locator("#house-goes-left")).to_be_checked()


def sides_of_first_two(page: Page) -> list[str]:
    """Return the sides of the table on which seats 1 and 2 are drawn."""
    boxes = [page.locator(f'[data-seat="{seat}"]').bounding_box() or {} for seat in (1, 2)]
    return ["left" if box["x"] == min(one["x"] for one in boxes) else "right" for box in boxes]


def test_nothing_is_in_the_way_of_anybody(page: Page, phone: Phone) -> None:
    next_game(phone, "west-michigan-5", ("A", LONG, "Cy", "Di", "Ed"))
    page.locator("#seat-2").tap()
    expect(page.locator("#remove")).to_be_visible()
    for width, height in ((360, 640), (390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        check(page)


@pytest.mark.parametrize("scheme", mostly_slow(["light", "dark"]))
def test_four_colors_can_be_told_apart_and_read(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    phone = Phone(page)
    phone.start_game("west-michigan-6", SIX)
    entry = page.url
    go(page, entry.partition("/games/")[0] + "/device")
    phone.press("Four colors")
    colors = "[...document.querySelectorAll('.suits .suit')].map(suit => getComputedStyle(suit).color)"
    assert len(set(page.evaluate(colors))) == 4
    assert Axe().run(page).violations_count == 0
    go(page, entry)
    phone.tap("#bidder-is-1")
    for suit in "DC":
        page.locator(f"#trump-is-{suit}").check()
        expect(page.locator("#hand.htmx-request")).to_have_count(0)
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
