"""The phone's instant preview of a tap equals the server's, and is empty where the script cannot know the result."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.phone import SIX, Hand, Phone, go
from tests.browser.phone import until as wait_until
from tests.conftest import mostly_slow

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
TAPS = 30
LONG = ("Christopher", "Maximiliane", "Bartholomew the 2nd", "Bartholomew the 3rd", "Wilhelmina", "Bo")
IS_READY = "() => typeof taps === 'object'"
TO_TAP = """() => [...document.querySelectorAll("#hand label > :is([type=radio], [type=checkbox]):enabled")]
  .filter((one) => !one.checked && !["detail", "by_seat"].includes(one.name))
  .filter((one) => one.parentElement.getBoundingClientRect().width).map((one) => one.id)"""
SAYS = """() => document.getElementById("says").textContent.replace(/\\s+/g, " ").trim()"""
USUAL = """() => Object.fromEntries(
  [...document.querySelectorAll("#ask-points .points > [id^=row-]:not(#row-sweep, [id^=row-by-])")]
    .filter((row) => row.querySelector(".seg"))
    .map((row) => [row.id, row.querySelector(".usual > input")?.value ?? null])
)"""
PLACE = """(id) => {
  const one = document.getElementById(id);
  return document.activeElement === one && one.checked && scrollY;
}"""


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {"service_workers": "allow"}


@pytest.fixture(autouse=True)
def all_is_foretold_right(live_server_url: str, context: BrowserContext) -> Iterator[None]:
    """The server's count of wrong previews stays 0."""
    yield
    numbers = context.request.get(f"{live_server_url}/metrics").text()
    assert re.findall(r"^scorekeeper_foretold_wrong_total (.*)", numbers, re.MULTILINE) == ["0.0"]


class Answers:
    """Holds back the server's responses to taps until `let_go`."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.page, self.held = phone, phone.page, list[Route]()
        self.page.route("**/hands/preview", lambda route: self.held.append(route))

    def tap(self, selector: str) -> str | None:
        """Tap without a response; return the preview that the phone has reported to the server."""
        self.phone.take_time()
        self.page.locator(selector).tap()
        return self.asked()

    def asked(self) -> str | None:
        """Wait for a request; return its preview."""
        for _ in range(200):
            if self.held:
                return self.held[-1].request.headers.get("x-said")
            self.page.wait_for_timeout(20)
        raise AssertionError("nothing is asked")

    def let_go(self, **more: Any) -> None:
        self.held.pop().continue_(**more)
        expect(self.page.locator("#hand:is(.htmx-request, .htmx-added)")).to_have_count(0)


def ready(page: Page) -> None:
    """Wait until the scripts and rules for previews are loaded."""
    wait_until(page, IS_READY)


def some_tap(chance: Random, choices: list[str], *, at_first: bool) -> str:
    """Return a random choice: each question of the form is equally likely; at first only those that each hand needs."""
    asked = {one.partition("-is-")[0] for one in choices}
    needed = asked & {"bidder", "bid", "trump", "called", "partner"}
    name = chance.choice(sorted(needed if at_first and needed else asked))
    return chance.choice([one for one in choices if one.startswith(f"{name}-is-")])


@pytest.mark.parametrize(
    ("rules", "names"),
    mostly_slow(
        [
            ("west-michigan-6", SIX), ("west-michigan-5", SIX[:5]), ("pitch-smudge", SIX[:3]),
            ("partnership", LONG[:4]), ("shankar", SIX[:4]), ("call-partner-ten-point", LONG[:5]),
            ("trinidad-all-fours", SIX[:4]), ("cinch", LONG[:4]),
        ],
        quick=2,
    ),
)  # fmt: skip
def test_the_phone_says_what_the_server_then_says(page: Page, rules: str, names: tuple[str, ...]) -> None:
    phone, chance = Phone(page), Random(rules)
    phone.start_game(rules, names)
    ready(page)
    answers, said = Answers(phone), 0
    for place in range(TAPS):
        before, tapped = page.evaluate(SAYS), some_tap(chance, page.evaluate(TO_TAP), at_first=place < 5)
        told = answers.tap(f"[id='{tapped}']")
        early, usual = page.evaluate(SAYS), page.evaluate(USUAL)
        answers.let_go()
        assert early == (page.evaluate(SAYS) if told else before), tapped
        then = page.evaluate(USUAL)
        if told:
            said += 1
            assert {row: usual.get(row, side) for row, side in then.items()} == then, tapped
    assert said > TAPS / 3


def test_the_form_keeps_its_place_and_its_focus(page: Page, phone: Phone) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    phone.start_game("west-michigan-6", SIX)
    phone.enter(Hand(1, 4, "H"))
    ready(page)
    answers = Answers(phone)
    assert answers.tap("#point-low-is-B")
    place = page.evaluate(PLACE, "point-low-is-B")
    expect(phone.says).to_have_text("Ann bid 4, took 6: +6. Bo’s team +1. Ann’s team leads 6 to 1.")
    answers.let_go()
    assert page.evaluate(PLACE, "point-low-is-B") == place is not False


def test_the_result_is_painted_before_the_tap_is_sent(page: Page, phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    ready(page)
    answers = Answers(phone)
    phone.take_time()
    page.evaluate("() => { window.due = []; window.requestAnimationFrame = (draw) => due.push(draw); }")
    page.locator("#bidder-is-1").tap()
    expect(phone.says).to_have_text("How much was bid? Tap a number.")
    page.evaluate("() => fetch('/healthz').then(() => true)")  # a request of the tap would have been sent by now
    assert answers.held == []
    page.evaluate("() => { for (const draw of due) draw(); }")
    assert answers.asked()
    answers.let_go()


def test_the_server_has_the_last_word(page: Page, phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    ready(page)
    answers = Answers(phone)
    page.evaluate("() => { settle.predict = () => ({ says: ['Ann bid nothing.', ''], usual: 'B' }); }")
    assert (answers.tap("#bidder-is-1") or "").endswith(" Ann%20bid%20nothing.")
    expect(phone.says).to_have_text("Ann bid nothing.")
    sent = answers.held[-1].request.headers
    answers.let_go(headers={name: value for name, value in sent.items() if name != "x-said"})  # not counted
    expect(phone.says).to_have_text("How much was bid? Tap a number.")
    expect(page.locator("#row-high .usual > input")).to_have_value("A")


def test_without_a_worker_the_phone_says_it_all_the_same(
    browser: Browser, browser_context_args: dict[str, Any], live_server_url: str
) -> None:
    """Over plain HTTP, as at most tables: the browser caches what the first page has loaded."""
    context = browser.new_context(
        **browser_context_args | {"base_url": live_server_url.replace("127.0.0.1", "table.test")}
    )
    phone = Phone(context.new_page())
    phone.start_game("classic", SIX[:4])
    ready(phone.page)
    phone.play(Hand(1, 3, "H", {"low": "B"}))
    ready(phone.page)
    assert Answers(phone).tap("#bidder-is-2")
    expect(phone.says).to_have_text("How much was bid? Tap a number.")
    context.close()


def test_nothing_is_said_of_a_game_that_another_phone_has_changed(page: Page, new_context: NewContext) -> None:
    ann, bo = Phone(page), Phone(new_context().new_page())
    ann.start_game("classic", SIX[:4])
    ready(page)
    bo.join(page)
    ann.tap("#bidder-is-1")
    bo.play(Hand(2, 3, "H", {"low": "B"}))
    expect(page.locator("#way-on")).to_be_visible()
    answers = Answers(ann)
    assert answers.tap("#bid-is-2") is None
    answers.let_go()


def test_nothing_is_said_where_the_server_has_to_say_it(page: Page, phone: Phone) -> None:
    """By cards, seat by seat, with card points, for an impossible hand, and for a correction."""
    phone.start_game("classic", SIX[:4])
    ready(page)
    answers = Answers(phone)
    for selector, is_said in (("#bidder-is-1", True), ("#detail-is-cards", False), ("#trump-is-H", False)):
        assert bool(answers.tap(selector)) is is_said
        answers.let_go()
    page.unroute("**/hands/preview")
    phone.tap("#detail-is-points", "#bid-is-3")
    phone.save()
    go(page, page.url.replace("new", "1/"))
    expect(page.locator("#game-now:not([data-taps])")).to_have_count(1)
