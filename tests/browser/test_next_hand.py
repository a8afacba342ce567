"""Save replaces the page by the next hand; back, forward and reload work as usual."""

import json
import os
import random
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.phone import PASS_THE_MOMENT, SIX, Hand, Phone, again, go, to_another_page, until

pytestmark = pytest.mark.browser

FIRST, SECOND = Hand(1, 3, "H", {"low": "B"}), Hand(2, 2, "S", {"game": "A"})
CUTS = int(os.environ.get("SCOREKEEPER_CUTS", "12"))  # number of hands; in each a response may be lost
HANDS = 200  # per game
# Calls `told_saved` for each message that a hand is saved, on any page.
TELL = """() => {
  const look = () => {
    const said = document.querySelector(".toast [role=status]")?.textContent.match(/Hand (\\d+) saved/);
    if (said && said[1] !== window.told) told_saved((window.told = said[1]));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}"""
HEAR_NEWS = """() => {
  window.news = [];
  const look = () => /Another phone|Hand 2/.test(document.querySelector("#_head")?.textContent)
    && document.querySelector("h1").textContent === "Hand 1" && news.push(document.querySelector("#_head").textContent);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
SLEEP = """asleep => {
  Object.defineProperty(document, "hidden", { value: asleep, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# True on the server's page for a hand, with the queue's script loaded: no other page is about to replace it.
SAYS_IT_IS_UP_TO_DATE = """number => typeof waiting === "object"
  && JSON.parse(document.getElementById("game-now")?.textContent ?? "{}").position === Number(number)"""
NOTHING_WAITS = "async () => !(await window.waiting?.all() ?? [0]).length"


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {"service_workers": "allow"}


@pytest.fixture
def game(phone: Phone) -> Phone:
    """The first hand of a game, opened from its score sheet."""
    phone.start_game("classic", SIX[:4])
    phone.follow("Score sheet")
    phone.follow("Enter hand 1")
    return phone


def is_hand(page: Page, number: int) -> None:
    expect(page.get_by_role("heading", name=f"Hand {number}", exact=True)).to_be_visible()
    expect(page).to_have_title(re.compile(f"^Hand {number} "))


def test_the_next_hand_comes_with_the_answer_and_its_address_is_a_page_like_any_other(game: Phone) -> None:
    page = game.page
    address, sheet = page.url, page.url.removesuffix("hands/new")
    loaded: list[str] = []
    page.on("request", lambda request: request.is_navigation_request() and loaded.append(request.url))
    game.play(FIRST)
    is_hand(page, 2)
    expect(page.locator(".toast")).to_contain_text("Hand 1 saved.")
    game.enter(SECOND)  # the scripts work with the new form
    expect(page.locator("#says")).to_contain_text("Bo bid 2, took 3: +3. Ann and Cy +1.")
    game.save()
    is_hand(page, 3)
    assert (loaded, page.url) == ([], address)
    again(page)
    is_hand(page, 3)
    with to_another_page(page):
        page.evaluate("() => history.back()")
    assert page.url == sheet
    expect(page.locator("table.ledger td.contract")).to_have_count(2)
    with to_another_page(page):
        page.evaluate("() => history.forward()")
    is_hand(page, 3)
    game.undo()
    is_hand(page, 2)


def test_what_is_saved_here_is_no_other_phones_news(game: Phone) -> None:
    """The stream may report the hand before the response arrives."""
    page = game.page

    def be_slow(route: Route) -> None:
        answer = route.fetch()
        time.sleep(1.5)
        route.fulfill(response=answer)

    page.route("**/hands/new", be_slow)
    game.enter(FIRST)
    page.evaluate(HEAR_NEWS)
    game.save()
    is_hand(page, 2)
    assert page.evaluate("() => window.news") == []


def test_two_tabs(game: Phone) -> None:
    """One tab saves two hands, and the other follows; a hand entered there is not mistaken for another one."""
    other = Phone(game.page.context.new_page())
    go(other.page, game.page.url)
    game.play(FIRST)
    is_hand(other.page, 2)
    game.play(SECOND)
    is_hand(other.page, 3)
    other.enter(FIRST)
    game.enter(SECOND)
    other.save()
    is_hand(other.page, 4)
    game.save()
    expect(game.page.get_by_role("heading", name="Hand 3: two phones")).to_be_visible()


def test_a_phone_that_slept_for_an_hour(game: Phone) -> None:
    """Another phone has saved a hand meanwhile: the page that Save has shown is updated by itself."""
    page = game.page
    page.clock.install()
    again(page)
    other = Phone(page.context.new_page())
    game.play(FIRST)
    is_hand(page, 2)
    page.evaluate(SLEEP, True)
    go(other.page, page.url)
    other.play(SECOND)
    page.clock.fast_forward("01:00:00")
    is_hand(page, 2)
    page.evaluate(SLEEP, False)
    is_hand(page, 3)
    game.play(FIRST)
    is_hand(page, 4)
    assert game.totals() == [3 + 1 + 3, 1 + 3 + 1]


def test_answers_that_are_cut_lose_no_hand_and_nothing_says_saved_before_it_is(
    new_context: Callable[..., BrowserContext],
) -> None:
    """Requests fail before they are sent, after the server has them, or during the response: hands are saved once."""
    chance = random.Random(25)
    for first in range(0, CUTS, HANDS):
        context = new_context()
        _play_with_cuts(context, min(HANDS, CUTS - first), chance)
        context.close()


def _play_with_cuts(context: BrowserContext, hands: int, chance: random.Random) -> None:
    page, told, kind = context.new_page(), list[tuple[int, int]](), ""
    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    until(page, "async (address) => Boolean(await caches.match(address))", page.url.replace("/new", "/offline"))
    record = f"{page.url.removesuffix('hands/new')}game.json"
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies(record))

    def saved() -> int:  # not by Playwright, which cannot send a request while it calls `told_saved`
        with urlopen(Request(record, headers={"Cookie": cookies})) as response:
            return len(json.load(response)["hands"])

    def cut(route: Route) -> None:
        nonlocal kind
        if route.request.method != "POST":
            return route.fallback()
        kind, how = "", kind
        if how == "unsent":
            return route.abort()
        answer = route.fetch(max_redirects=0)
        if how == "unanswered":
            return route.abort()
        body = answer.body()
        return route.fulfill(response=answer, body=body[: len(body) // 2] if how == "half an answer" else body)

    page.expose_function("told_saved", lambda number: told.append((int(number), saved())))
    page.add_init_script(f"({TELL})()")
    again(page)
    page.route("**/hands/new", cut)
    for number in range(1, hands + 1):
        is_hand(page, number)
        kind = chance.choice(["whole", "unsent", "unanswered", "half an answer"])
        page.wait_for_load_state()
        expect(page.locator("main.locked")).to_have_count(0)
        until(page, SAYS_IT_IS_UP_TO_DATE, str(number))
        page.evaluate(PASS_THE_MOMENT)
        page.get_by_role("button", name="All passed").tap()
        is_hand(page, number + 1)
        expect(page.locator("html[data-kept]")).to_have_count(0)
        until(page, NOTHING_WAITS)
        assert saved() == number
    assert told
    assert all(number <= of_the_server for number, of_the_server in told)
