"""Double taps, and taps already on their way: elements that have just moved ignore taps briefly.

They do so by a CSS animation. The browser's animation clock is stopped here, so no test depends on timing: an element
that ignores taps after a move still does so at the second tap.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.phone import SIX, Hand, Phone, go, stop_animations, to_another_page
from tests.conftest import mostly_slow

pytestmark = pytest.mark.browser

SIZES = mostly_slow([[390, 664], [360, 640]])

# Record the place and name of each element that can be tapped; `displaced` then lists those whose place now belongs to
# another element that takes taps.
WATCH = """() => {
  const WHAT = 'label, button, a, summary, .at', name = one => one.id || one.control?.id || one.textContent.trim();
  const at = (x, y) => {
    const one = document.elementFromPoint(x, y)?.closest(WHAT);
    return one && !(one.control ?? one).disabled && one.ariaDisabled !== 'true' ? name(one) : null;
  };
  const places = [...document.querySelectorAll(WHAT)].map(one => {
    const box = one.getBoundingClientRect();
    return [name(one), box.x + box.width / 2, box.y + box.height / 2];
  }).filter(([name, x, y]) => at(x, y) === name);
  window.displaced = () => {
    document.dispatchEvent(new Event('pointerdown'));  // of a finger that comes down at this moment
    return places.filter(([name, x, y]) => ![null, name].includes(at(x, y)))
      .map(([name, x, y]) => `${name} is ${at(x, y)} now`);
  };
}"""
FIELDS = """() => JSON.stringify([...new FormData(document.getElementById('hand'))]
  .filter(([name]) => !['token', 'csrf_token', 'warned', 'was'].includes(name)))"""
CLEAR = """() => {
  const clear = Object.assign(document.createElement('button'), { name: 'do', value: 'clear' });
  document.getElementById('hand').append(clear);
  clear.click();
}"""


@pytest.fixture(params=SIZES, ids=str)
def phone(request: pytest.FixtureRequest, page: Page) -> Iterator[Phone]:
    width, height = request.param
    page.set_viewport_size({"width": width, "height": height})
    browser = stop_animations(page)
    yield Phone(page)
    browser.detach()


def middle(page: Page, selector: str) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap_twice(phone: Phone, selector: str) -> None:
    """Tap a place twice: the second time after the first tap's response."""
    phone.take_time()
    place = middle(phone.page, selector)
    phone.page.touchscreen.tap(*place)
    phone._settle("#hand")
    before = phone.page.evaluate(FIELDS)
    phone.page.touchscreen.tap(*place)
    phone._settle("#hand")
    assert phone.page.evaluate(FIELDS) == before, selector


LAST_TAPS = [
    *(("bid-is-4 trump-is-H", f"bidder-is-{seat}") for seat in range(1, 7)),
    *(("bidder-is-1 trump-is-H", f"bid-is-{bid}") for bid in range(1, 8)),
    *(("bidder-is-1 bid-is-4", f"trump-is-{suit}") for suit in "SHDC"),
    ("bidder-is-1 bid-is-4 trump-is-H buried-is-AH", "buried-is-7H"),
    ("bidder-is-1 bid-is-4 trump-is-H", "buried-is-AH"),
    ("bidder-is-1 bid-is-4 trump-is-H", "unfold-is-all"),
    ("bidder-is-1 bid-is-4 trump-is-H", "unfold-is-call"),
    ("bidder-is-1 bid-is-4 trump-is-H detail-is-cards pile-is-A", "at-AH-is-A"),
    ("bidder-is-1 bid-is-4 trump-is-H detail-is-play", "play-AH"),
]
CALLED_LAST = [
    ("bidder-is-1 bid-is-4", "trump-is-H"),
    ("bidder-is-1 bid-is-4 trump-is-H", "unfold-is-called"),
    ("bidder-is-1 bid-is-4 trump-is-H partner-is-2", "called-is-AH"),
    *(("bidder-is-1 bid-is-4 trump-is-H called-is-AH", f"partner-is-{who}") for who in (2, 3, 4, 5, "none")),
]


@pytest.mark.parametrize(
    ("rules", "players", "ways"), mostly_slow([("west-michigan-5", 5, CALLED_LAST), ("west-michigan-6", 6, LAST_TAPS)])
)
def test_a_double_tap_is_one_tap(phone: Phone, rules: str, players: int, ways: list[tuple[str, str]]) -> None:
    """The last tap folds the bid or the buried cards; elements that move under the finger stay unchanged."""
    phone.start_game(rules, SIX[:players])
    blank = phone.page.evaluate(FIELDS)
    for before, last in ways:
        for one in before.split():
            phone.tap(f"#{one}")
        tap_twice(phone, f"#{last}")
        if last.startswith("play"):
            assert phone.page.locator("input[name=plays]").input_value() == "AH"
            phone.tap("#detail-is-points")
        else:
            expect(phone.page.locator(f"#{last}")).to_be_checked()
        with to_another_page(phone.page):
            phone.page.evaluate(CLEAR)
        if phone.page.evaluate(FIELDS) != blank:  # the last way of entry is remembered
            phone.tap("#detail-is-points")


def test_two_quick_taps_bury_two_cards(phone: Phone) -> None:
    """The hint with their number keeps its height, so no card moves."""
    phone.start_game("west-michigan-6", SIX)
    phone.tap("#bidder-is-1", "#bid-is-4", "#trump-is-H", "#unfold-is-all")
    phone.take_time()
    for card in ("AS", "TD"):
        phone.page.touchscreen.tap(*middle(phone.page, f"#buried-is-{card}"))
        phone._settle("#hand")
    phone.tap("#unfold-is-buried")
    for card in ("AS", "TD"):
        expect(phone.page.locator(f"#buried-is-{card}")).to_be_checked()


RESTING = """() => new Promise(resolve => requestAnimationFrame(() => setTimeout(() => setTimeout(() => resolve(
  document.getAnimations().filter(one => one.effect.getKeyframes()[0]?.pointerEvents && one.playState === 'running')
    .length)))))"""


def test_what_has_only_been_scrolled_takes_a_tap_at_once(phone: Phone) -> None:
    """Even if another part of the page changes during or after scrolling."""
    phone.start_game("west-michigan-6", SIX)
    phone.tap("#unfold-is-all")
    phone.take_time()
    page = phone.page
    page.mouse.wheel(0, 150)
    page.wait_for_function("() => scrollY > 100")
    assert page.evaluate(RESTING) == 0
    page.evaluate("() => document.querySelector('main').toggleAttribute('data-changed')")
    assert page.evaluate(RESTING) == 0
    page.mouse.wheel(0, 1)
    page.evaluate("() => { document.querySelector('main').toggleAttribute('data-changed'); scrollBy(0, 30); }")
    assert page.evaluate(RESTING) == 0
    page.evaluate("() => document.querySelector('#ask-bid').remove()")
    assert page.evaluate(RESTING) > 5


def test_save_that_warns_no_more_is_tapped_at_once(phone: Phone) -> None:
    """The first tap on a point turns "Save as is" into "Save", which takes a tap at once."""
    phone.start_game("west-michigan-6", SIX)
    phone.tap("#bidder-is-1", "#bid-is-4", "#trump-is-H")
    expect(phone.page.locator("#save")).to_have_text("Save as is")
    phone.tap("#point-low-is-B")
    expect(phone.page.locator("#save")).to_have_text("Save")
    phone.page.touchscreen.tap(*middle(phone.page, "#save"))
    expect(phone.page.get_by_role("heading", name="Hand 2")).to_be_visible()


WHOLE_HANDS = [
    ("west-michigan-6", 6, "bidder-is-2 bid-is-4 trump-is-S buried-is-9S buried-is-7S point-high-is-A point-game-is-A"),
    ("west-michigan-6", 6, "trump-is-S unfold-is-all buried-is-AS buried-is-TD unfold-is-buried bid-is-3 bidder-is-6"),
    ("west-michigan-6", 6, "bidder-is-2 bid-is-4 trump-is-S unfold-is-call bid-is-5 unfold-is-call ask-note"),
    ("west-michigan-6", 6, "by_seat-is-on call-is-3 call-is-pass unsay call-is-4 call-is-pass call-is-pass"
     " call-is-pass call-is-pass trump-is-S buried-is-AS"),
    ("west-michigan-6", 6, "bidder-is-2 bid-is-4 trump-is-H detail-is-cards pile-is-A at-AS-is-A at-KS-is-A"
     " unfold-is-all pile-is-B at-9C-is-B rest-is-A"),
    ("west-michigan-6", 6, "bidder-is-2 bid-is-4 trump-is-H detail-is-play play-AH play-KH play-QH play-TH play-9H"
     " play-8H play-AD take-back detail-is-points"),
    ("west-michigan-5", 5, "bidder-is-2 trump-is-H bid-is-4 called-is-AH partner-is-none point-low-is-defending"),
    ("west-michigan-5", 5, "bidder-is-2 bid-is-4 trump-is-S unfold-is-called called-is-9D partner-is-1 unfold-is-call"),
    ("shankar", 5, "trump-is-H bidder-is-2 bid-is-4 point-low-is-1"),
]  # fmt: skip


@pytest.mark.slow
def test_nothing_that_can_be_tapped_comes_up_where_something_else_was(phone: Phone) -> None:
    """After each tap of whole hands, before and after its response: moved elements ignore taps."""
    page, shown = phone.page, ""
    for rules, players, taps in WHOLE_HANDS:
        if rules != shown:
            phone.start_game(rules, SIX[:players])
        shown = rules
        for one in taps.split():
            target = f"#{one} summary" if one.startswith("ask-") else f"#{one}"
            phone.take_time()
            place = middle(page, target)
            page.evaluate(WATCH)
            page.touchscreen.tap(*place)
            assert page.evaluate("displaced()") == [], one
            phone._settle("#hand")
            assert page.evaluate("displaced()") == [], one
        with to_another_page(page):
            page.evaluate(CLEAR)
        for way in ("#by_seat-is-on:checked", "#detail-is-points:not(:checked)"):  # the last way of entry is remembered
            if page.locator(way).count():
                phone.tap(way.partition(":")[0])


def tap_twice_over_a_page(phone: Phone, selector: str) -> None:
    """The first tap leads to another page; the second one comes after it has loaded."""
    phone.take_time()
    place = middle(phone.page, selector)
    with to_another_page(phone.page):
        phone.page.touchscreen.tap(*place)
    hit = "([x, y]) => document.elementFromPoint(x, y)?.closest('label, button, a, summary')?.textContent"
    assert phone.page.evaluate(hit, list(place)) is None
    phone.page.touchscreen.tap(*place)


def test_a_second_tap_does_nothing_to_the_next_page(phone: Phone) -> None:
    phone.start_game("west-michigan-6", SIX, target=7)
    page = phone.page
    phone.enter(Hand(1, 4, "H"))
    expect(page.locator("#save")).to_have_text("Save as is")
    hit = page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", list(middle(page, "#save")))
    assert hit != "save"  # a tap on its way to Save was made before the question was shown
    phone.tap("#point-low-is-B")
    tap_twice_over_a_page(phone, "#save")
    expect(page.locator(".toast")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(1)
    expect(page.locator(".wrong")).to_have_count(0)
    assert phone.totals() == [6, 1]
    tap_twice_over_a_page(phone, "#ask-bidder button")
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()  # the second tap has added no hand
    tap_twice_over_a_page(phone, ".steps button")
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    phone.enter(Hand(1, 2, "H", {"low": "B"}))
    tap_twice_over_a_page(phone, "#save")
    expect(page.get_by_role("heading", name="Game 1")).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.querySelector('main')).pointerEvents") == "none"
    phone.take_time()
    phone.press("Undo")
    expect(page.locator(".flash")).to_be_visible()


def test_after_a_refused_save_every_other_tap_counts_at_once(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    page = phone.page
    phone.tap("#bidder-is-1", "#bid-is-2", "#trump-is-H", "#detail-is-cards", "#pile-is-A")
    tap_twice_over_a_page(phone, "#save")
    expect(page.locator(".wrong")).to_contain_text("Tap a pile, then its cards.")
    page.touchscreen.tap(*middle(page, "#at-AS-is-A"))
    expect(page.locator("#at-AS-is-A")).to_be_checked()


def test_a_key_is_taken_at_once(phone: Phone) -> None:
    """Keys and screen readers activate elements by focus, wherever they have moved."""
    phone.start_game("classic", SIX[:4])
    page = phone.page
    phone.tap("#bidder-is-1", "#bid-is-2", "#trump-is-H")
    page.locator("#point-low-is-B").focus()
    page.keyboard.press("Space")
    phone._settle("#hand")
    expect(phone.says).to_have_text("Ann bid 2, took 3: +3. Bo and Di +1. Ann and Cy lead 3 to 1.")
    page.locator("#save").focus()
    with to_another_page(page):
        page.keyboard.press("Enter")
    page.locator("#bidder-is-2").focus()
    page.keyboard.press("Space")
    expect(page.locator("#bidder-is-2")).to_be_checked()


def test_the_moment_is_longer_than_a_double_tap_and_short_and_a_tap_in_it_is_seen_to_be_ignored(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    page = phone.page
    lasts = "() => document.getAnimations().map(one => one.effect.getTiming().duration)"
    assert page.evaluate(lasts) == [450]  # the page, in milliseconds
    phone.tap("#bidder-is-1", "#bid-is-2", "#trump-is-H")
    assert set(page.evaluate(lasts)) == {450}  # elements moved by folding
    label = "document.querySelector('label:has(#point-low-is-B)')"
    fades = f"() => {label}.getAnimations().at(-1)?.effect.getKeyframes()[0]"
    page.touchscreen.tap(*middle(page, "#point-low-is-B"))
    assert page.evaluate(fades)["opacity"] == "0.2"  # a tap that is ignored is seen to be
    expect(page.locator("#point-low-is-B")).not_to_be_checked()
    page.evaluate("() => document.getAnimations().forEach(one => one.finish())")
    page.touchscreen.tap(*middle(page, "#point-low-is-B"))
    expect(page.locator("#point-low-is-B")).to_be_checked()
    assert page.evaluate(fades) is None


@pytest.mark.slow
def test_without_a_script_a_second_tap_on_save_does_nothing_to_the_next_page(
    new_context: Callable[..., BrowserContext],
) -> None:
    phone = Phone(new_context(java_script_enabled=False).new_page(), script=False)
    stop_animations(phone.page)
    phone.start_game("classic", SIX[:4])
    phone.enter(Hand(1, 3, "H"))
    tap_twice_over_a_page(phone, "#save")
    expect(phone.page.locator("#warnings")).to_have_text("Did Ann and Cy take all 4?")
    tap_twice_over_a_page(phone, "#save")
    expect(phone.page.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(phone.page.locator(".wrong")).to_have_count(0)
    assert phone.totals() == [4, 0]


def test_without_a_signal_a_double_tap_on_all_passed_is_one_hand(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    page = phone.page
    go(page, page.url.replace("/new", "/offline"))
    page.context.set_offline(True)
    for position in ("2", "3", "4", "5"):  # with the first waiting hand a bar appears, and everything moves down
        phone.take_time()
        place = middle(page, "#ask-bidder button")
        page.touchscreen.tap(*place)
        expect(page.locator("#position")).to_have_text(position)
        page.touchscreen.tap(*place)
    phone.tap("#bidder-is-1")
    expect(page.locator("#bidder-is-1")).to_be_checked()
    expect(page.locator("#position")).to_have_text("5")
