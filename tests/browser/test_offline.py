"""The installed app, and hands entered without a signal: none lost, none doubled, all in order."""

import os
import re
import shutil
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, expect

from scorekeeper.scoring.rules import find_rules
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.web.common.scope import LINKS_COOKIE
from scorekeeper.web.rulebook.own import encode_rules
from tests.browser.axe import check
from tests.browser.phone import SIX, Hand, Phone, again, back, go, stop_animations, tap_all, to_another_page, until
from tests.browser.test_links import make_link
from tests.browser.test_transfers import SEASON
from tests.conftest import ROOT, free_port, mostly_slow, serve

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
FIRST, SECOND, THIRD = Hand(1, 3, "H", {"low": "B"}), Hand(2, 2, "S", {"game": "A"}), Hand(3, 2, "D", {"jack": "B"})
IS_KEPT = "async (address) => Boolean(await caches.match(address))"
KEPT_BY = """async (wanted) => {
  const [address, version] = wanted.split(" ");
  return (await caches.match(address))?.headers.get("X-Kept-By") === version;
}"""
AGE = """async (address) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name), found = await cache.match(address);
    if (!found) continue;
    const headers = new Headers(found.headers);
    headers.set("X-Kept-At", new Date(0).toISOString());
    await cache.put(address, new Response(await found.text(), { headers }));
  }
}"""
NOTHING_WAITS = "async () => !(await window.waiting?.all() ?? [0]).length"
SAFARI = "Object.defineProperty(Navigator.prototype, 'vendor', { get: () => 'Apple Computer, Inc.' })"
KEEPS_IT = """
StorageManager.prototype.persist = async () => { localStorage.isAsked = "yes"; return true; };
StorageManager.prototype.persisted = async () => localStorage.isAsked === "yes";
"""
WEEK = "Open this page within a week to send"
KNOWS_THE_GAME = "async () => Boolean((await waiting.withWaiting(location.pathname.replace('hands/new', ''))).table)"
TRY_AGAIN = "() => dispatchEvent(new Event('online'))"
ASLEEP = """() => Object.defineProperty(
    document, 'hidden', { get: () => localStorage.getItem('asleep') === 'yes', configurable: true })"""
IS_OF_TODAY = "async (address) => Date.parse((await caches.match(address)).headers.get('X-Kept-At')) > 0"
HAS_THE_HAND = "async (address) => (await (await caches.match(address)).text()).includes('Undo: hand 1')"
# As Safari does to a page in the background.
CLOSE_THE_STORE = """() => {
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...what) {
    IDBDatabase.prototype.transaction = begin;
    this.close();
    return begin.apply(this, what);
  };
}"""
KEEPS_A_CLUB = """async () => (await caches.keys()).some((name) => name.startsWith("club "))"""


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {"service_workers": "allow"}


@pytest.fixture
def phone(new_context: NewContext) -> Phone:
    """A phone at the first hand of a game, with the service worker active and the game's offline page cached."""
    phone = Phone(new_context().new_page())
    phone.start_game("classic", SIX[:4])
    has_kept(phone.page, phone.page.url.replace("/new", "/offline"))
    return phone


def has_kept(page: Page, *addresses: str) -> None:
    """Wait until the service worker has cached these pages."""
    for address in addresses:
        until(page, IS_KEPT, address)


def keeps_nothing_of_a_club(page: Page) -> None:
    until(page, KEEPS_A_CLUB, is_so=False)


def go_offline(phone: Phone, *, away: bool = True) -> None:
    phone.page.context.set_offline(away)


def come_back(phone: Phone) -> None:
    """Let the page notice at once that the signal is back."""
    go_offline(phone, away=False)
    until(phone.page, TRY_AGAIN)


def tap_hand(page: Page, hand: Hand) -> None:
    tap_all(page, f"bidder-is-{hand.bidder}", f"bid-is-{hand.bid}", f"trump-is-{hand.trump}")
    tap_all(page, *(f"point-{key}-is-{side}" for key, side in hand.points.items()))


def waiting(page: Page, count: int) -> None:
    """Check the bar with the number of waiting hands; with 0, wait for the server's page, which must stay."""
    if count:
        said = "1 hand (is safe|waits)" if count == 1 else f"{count} hands (are safe|wait)"
        expect(page.locator("#waiting")).to_contain_text(re.compile(f"{said} on this phone."))
    else:
        expect(page.locator("html[data-kept]")).to_have_count(0)
        until(page, NOTHING_WAITS)
        expect(page.locator("#waiting:visible", has_text="on this phone")).to_have_count(0)


def enter(phone: Phone, hand: Hand) -> None:
    """Enter a hand on the offline page."""
    page = phone.page
    tap_hand(page, hand)
    position = int(page.locator("#position").inner_text())
    phone.page.locator("#save").tap()
    expect(page.locator("#position")).to_have_text(str(position + 1))


def bids(page: Page) -> list[str]:
    """Return bidder and bid of each hand on the score sheet, in order of play."""
    texts = page.locator("table.ledger td.contract").all_inner_texts()
    return [" ".join(text.split()[:2]) for text in texts][::-1]


def sheet_of(address: str) -> str:
    return address.partition("hands/")[0]


def test_a_phone_can_install_it_and_opens_it_without_a_signal(phone: Phone) -> None:
    page = phone.page
    manifest = page.request.get(page.locator("link[rel=manifest]").get_attribute("href") or "").json()
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    assert {screen["form_factor"] for screen in manifest["screenshots"]} == {"narrow", "wide"}
    for image in [*manifest["icons"], *manifest["screenshots"]]:
        assert page.request.get(image["src"]).ok
    assert page.evaluate("() => navigator.serviceWorker.ready.then(({ scope }) => new URL(scope).pathname)") == "/"
    club, game = page.url.partition("games/")[0], sheet_of(page.url)
    has_kept(
        page, "/", club, game, f"{game}rules", f"{game}rules/ask", "/rules/", "/rules/classic", "/rules/classic/ask"
    )
    are_kept_again(page, club, game)
    goes_back_to_an_answer(page, club)
    go(page, f"{game}hands/new")
    phone.play(FIRST)
    until(page, HAS_THE_HAND, game)
    go_offline(phone)
    for address, heading in (("/", "Scorekeeper"), (club, "Friday table"), (game, "Game 1"), ("/rules/", "Rules")):
        go(page, address)
        expect(page.locator("h1").first).to_have_text(heading)
        expect(page.locator("#waiting")).to_contain_text("No signal. This page is from")
    go(page, "/")
    phone.follow("Friday table")
    ask_what_wins(page, f"{game}rules")
    go(page, f"{club}seasons/new")
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    check(page)
    renews_by_itself(phone, game)
    go(page, f"{club}device")
    phone.press("Leave Friday table")
    keeps_nothing_of_a_club(page)


def are_kept_again(page: Page, *addresses: str) -> None:
    """Cached pages that change with each hand are renewed by the hand entry page of a later one."""
    for address in addresses:
        page.evaluate(AGE, address)
    again(page)
    for address in addresses:
        until(page, IS_OF_TODAY, address)


def goes_back_to_an_answer(page: Page, club: str) -> None:
    """Back to the answer to a form, as it was: the table typed there is not lost."""
    go(page, f"{club}transfers/paper")
    page.locator("#text").fill(SEASON)
    page.get_by_role("button", name="Preview").tap()
    page.get_by_role("link", name="Import & export").tap()
    page.get_by_role("heading", name="Spreadsheets").wait_for()
    back(page)
    expect(page.locator("#text")).to_have_value(SEASON)


def renews_by_itself(phone: Phone, game: str) -> None:
    """A cached page is replaced by the server's when the signal is back, but not while it is being used."""
    page, used = phone.page, phone.page.context.new_page()
    go(used, f"{game}rules/ask")
    used.get_by_role("button", name="hearts", exact=True).tap()
    go(page, game)
    expect(page.locator("#waiting")).to_contain_text("No signal. This page is from")
    go_offline(phone, away=False)
    for one in (used, page):
        until(one, TRY_AGAIN)  # one of the pages may be retrying already
    expect(page.locator("html[data-kept]")).to_have_count(0)
    expect(used.locator("html[data-kept]")).to_have_count(1)
    expect(used.get_by_role("button", name="hearts", exact=True)).to_have_attribute("aria-pressed", "true")
    for away, says in ((True, "No signal."), (False, "The signal is back.")):
        go_offline(phone, away=away)
        until(used, TRY_AGAIN)
        expect(used.locator("#waiting")).to_contain_text(f"{says} This page is from")
    used.close()


def ask_what_wins(page: Page, rules: str) -> None:
    """Ask which card wins; the phone answers without the server."""
    go(page, rules)
    page.get_by_role("link", name="Ask: who wins this trick?").tap()
    page.get_by_role("button", name="spades", exact=True).tap()
    trumps = page.locator("#deck .trump:visible")
    expect(trumps).to_have_count(13)
    page.get_by_role("button", name="hearts", exact=True).tap()
    expect(trumps).to_have_count(13)
    expect(trumps.first).to_have_attribute("value", "AH")
    for card in ("Ace of clubs", "2 of hearts"):
        page.get_by_role("button", name=card, exact=True).tap()
    expect(page.locator("#answer")).to_have_text("2♥︎ wins. It is the only trump.")
    expect(page.get_by_role("button", name="2 of hearts")).to_have_attribute("aria-pressed", "true")
    check(page)
    page.get_by_role("link", name="Which card is each point?").tap()
    expect(page.get_by_role("row", name="Jack")).to_contain_text("Jack of hearts")
    page.get_by_role("link", name="What does this hand score?").tap()
    page.get_by_role("button", name="3", exact=True).tap()
    page.get_by_role("button", name="Low", exact=True).tap()
    expect(page.locator("#answer p").first).to_have_text("Bid 3, took 1: set, −3.")


def tap_as_the_signal_goes(phone: Phone, hand: Hand) -> None:
    """Enter a hand on the server's page without a signal: it shows the bid, its result, and what Save does."""
    page = phone.page
    tap_hand(page, hand)
    says = "Ann bid 3, took 3: +3. Bo and Di +1. Ann and Cy lead 3 to 1. No signal. Save keeps this hand on this phone."
    expect(page.locator("#says")).to_have_text(says)
    expect(page.locator(".call > .fold .shut").first).to_have_text("Ann 3 ♥︎")
    page.locator("#save").tap()
    expect(page.locator("#position")).to_have_text("2")
    page.locator("#waiting [aria-expanded]").tap()
    expect(page.locator("#waiting li")).to_contain_text("Game 1, hand 1: Ann bid 3, took 3: +3.")


def test_three_hands_without_a_signal_survive_the_browser_and_go_in_once_in_order(phone: Phone) -> None:
    page, context = phone.page, phone.page.context
    address = page.url
    for script in (SAFARI, KEEPS_IT):
        context.add_init_script(script)
    for other in (f"{sheet_of(address)}board", f"{address.partition('games/')[0]}games/", address):
        go(page, other)
        has_kept(page, other.replace("/new", "/offline"))
    are_kept_again(page, address.partition("games/")[0])
    until(page, "() => typeof taps === 'object'")
    go_offline(phone)
    tap_as_the_signal_goes(phone, FIRST)
    assert phone.totals() == [3, 1]
    page.evaluate(CLOSE_THE_STORE)
    enter(phone, SECOND)
    page.locator("#bidder-is-3").tap()
    expect(page.locator("#says")).to_have_text("How much was bid? Tap a number.")
    check(page)
    page.close()
    page = context.new_page()
    go(page, address)
    waiting(page, 2)
    assert page.evaluate("() => localStorage.isAsked") == "yes"
    expect(page.locator("#position")).to_have_text("3")
    phone.page = page
    enter(phone, THIRD)
    expect(page.locator("#waiting")).to_contain_text("3 hands are safe on this phone.")
    expect(page.locator("#waiting")).not_to_contain_text(WEEK)  # persistent storage needs no such warning
    tap_all(page, "bidder-is-4", "bid-is-2", "trump-is-C", "save")
    expect(page.locator("#says")).to_contain_text("Did Bo and Di take all 4?")
    page.locator("#save").tap()
    expect(page.locator("#position")).to_have_text("5")
    page.once("dialog", lambda dialog: dialog.accept())
    shows = page.locator("#waiting [aria-expanded]")
    place = shows.bounding_box()
    shows.tap()
    expect(shows).to_have_text("Hide them")
    assert shows.bounding_box()["y"] == place["y"]  # type: ignore[index]
    page.locator("#waiting").get_by_role("button", name="Remove").tap()
    expect(page.locator("#position")).to_have_text("4")
    assert phone.totals() == [7, 5]
    every_page_says_the_same(page, address.partition("games/")[0])
    go(page, address)
    expect(page.locator("#position")).to_have_text("4")
    page.get_by_role("button", name="All passed").tap()
    expect(page.locator("#position")).to_have_text("5")
    come_back(phone)
    expect(page.get_by_role("heading", name="Hand 5")).to_be_visible()
    expect(page.locator("#waiting [role=status]")).to_contain_text("4 hands saved.")
    waiting(page, 0)
    go(page, sheet_of(page.url))
    assert bids(page) == ["Ann 3", "Bo 2", "Cy 2", "all passed"]
    assert phone.totals() == [7, 5]
    a_waiting_hand_has_its_row(phone, address)


def test_what_was_saved_while_the_phone_slept_is_said_when_somebody_looks(phone: Phone) -> None:
    page = phone.page
    page.clock.install()
    page.context.add_init_script(f"({ASLEEP})()")
    until(page, "() => typeof taps === 'object'")
    go_offline(phone)
    tap_as_the_signal_goes(phone, FIRST)
    page.evaluate("() => localStorage.setItem('asleep', 'yes')")
    page.evaluate(ASLEEP)
    come_back(phone)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    said = page.locator("#waiting [role=status]")
    expect(said).to_have_text("Hand 1 saved.")
    page.clock.fast_forward(60_000)
    page.evaluate("() => localStorage.removeItem('asleep')")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(said).to_have_text("Hand 1 saved.")
    page.clock.fast_forward(60_000)
    expect(said).to_have_count(0)


def a_waiting_hand_has_its_row(phone: Phone, address: str) -> None:
    """Above the saved hands on a score sheet."""
    page = phone.page
    go_offline(phone)
    go(page, address)
    enter(phone, Hand(1, 2, "C", {"low": "B"}))
    go(page, sheet_of(address))
    expect(page.locator(".ledger tbody th")).to_have_text(["5", "4", "3", "2", "1"])
    latest = page.locator(".ledger tbody").first
    expect(latest.locator("td.contract")).to_have_text("Ann bid 2, took 3: +3. waiting")
    expect(latest.locator(".num")).to_have_text(["10", "6"])
    expect(page.locator(".scores .num")).to_have_text(["10", "6"])
    check(page)
    page.get_by_role("link", name="Correct hand 2").tap()
    expect(page.locator("main")).to_contain_text("Corrections need a signal.")
    page.get_by_role("button", name="Back").tap()
    expect(page.locator(".scores .num")).to_have_text(["10", "6"])


def every_page_says_the_same(page: Page, club: str) -> None:
    """The game's pages show the score with the three waiting hands, marked as such: 7 to 5, and hand 4 is next."""
    said = "The score includes 3 hands not sent yet."
    for width, height in ((390, 664), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        for path in ("games/1/hands/new", "games/1/", "", "games/1/board"):
            go(page, club + path)
            expect(page.locator(":is(.scores, .totals) .num")).to_have_text(["7", "5"])
            if path.endswith("new"):  # one notice there, as high as a button
                expect(page.locator("#waiting p")).to_have_text("No signal. 3 hands are safe on this phone.")
                expect(page.get_by_text(said)).to_have_count(0)
                assert page.locator("#waiting").bounding_box()["height"] <= 58  # type: ignore[index]
                continue
            page.get_by_text(said).scroll_into_view_if_needed()  # it is below the link of a new club
            expect(page.get_by_text(said)).to_be_in_viewport(ratio=1)
    go(page, f"{club}games/1/")
    expect(page.get_by_role("link", name="Enter hand 4")).to_be_visible()
    expect(page.locator("#busy")).to_have_text("Cy deals hand 4.")
    for hand in ("Hand 1, waiting: Ann bid 3, took 3: +3.", "Hand 3, waiting: Cy bid 2, took 3: +3."):
        expect(page.get_by_text(hand)).to_be_visible()
    expect(page.locator(".seating li", has_text="Cy")).to_contain_text("deals next")
    expect(page.locator(".seating li", has_text="Di")).not_to_contain_text("deals next")
    names = [page.locator(".seating .right > span", has_text=re.compile(f"^{name}$")) for name in ("Bo", "Cy")]
    assert len({round(box["x"] + box["width"]) for name in names if (box := name.bounding_box())}) == 1
    check(page)
    go(page, club)
    expect(page.locator(".open-game small")).to_contain_text("Hand 4 is next · Cy deals")
    go(page, f"{club}games/")
    expect(page.locator(".games .num")).to_have_text("7 to 5")
    expect(page.locator(".games a")).to_contain_text("3 hands waiting")


def test_a_hand_that_is_not_complete_is_completed_on_the_page_that_checks_it(phone: Phone) -> None:
    """Save says what is missing. Seat by seat the script cannot check it, so the offline page takes the rest."""
    page = phone.page
    phone.tap("#detail-is-cards")
    go_offline(phone)
    page.locator("#bidder-is-1").tap()
    expect(page.locator("#says")).to_have_text("No signal. Save keeps this hand on this phone. Enter it by points")
    page.locator("#trump-is-S").tap()
    hand_page = page.url
    with to_another_page(page):
        page.get_by_role("link", name="Enter it by points").tap()
    expect(page.locator("#says")).to_have_text("How much was bid? Tap a number.")
    expect(page.locator("#trump-is-S")).to_be_checked()
    go_offline(phone, away=False)
    go(page, hand_page)
    phone.tap("#detail-is-points")
    go_offline(phone)
    tap_all(page, "bidder-is-1", "save")
    expect(page.locator("#says")).to_have_text("No signal. Tap the bid and the trump first.")
    until(page, NOTHING_WAITS)
    tap_all(page, "bid-is-3", "trump-is-S")
    expect(page.locator("#says")).to_contain_text("Ann bid 3, took 4: +4.")
    clock = stop_animations(page)
    page.locator("#save").tap()
    expect(page.locator("#says")).to_contain_text("Did the bidders take every point? Then tap Save again.")
    expect(page.locator("#save")).to_have_css("pointer-events", "none")  # a double tap has not read the question
    clock.send("Animation.setPlaybackRate", {"playbackRate": 1})
    until(page, NOTHING_WAITS)
    page.locator("#save").tap()
    waiting(page, 1)
    expect(page.locator("#of-dealer")).to_have_text("Who dealt, if not Ann?")
    come_back(phone)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    until(page, NOTHING_WAITS)
    expect(page.locator(".steps")).to_be_visible()
    go_offline(phone)
    page.locator("#trump-is-S").tap()
    expect(page.locator("#says")).to_contain_text("No signal.")
    expect(page.locator(".steps")).to_have_count(0)  # Undo needs the server
    go_offline(phone, away=False)
    phone.tap("label:has(#by_seat-is-on)")
    go_offline(phone)
    page.locator("#call-is-2").tap()
    expect(page.locator("#says")).to_have_text("No signal. Enter this hand anyway")
    for _ in range(2):  # switched off, and on again
        phone.tap("#by_seat-is-on")
        expect(page.locator("#says")).to_have_text("No signal. Enter this hand anyway")  # no names to tap on this page
    page.locator("#save").tap()
    expect(page.locator("#says")).to_contain_text("Did the bidders take every point?")
    page.locator("#save").tap()
    waiting(page, 1)
    come_back(phone)
    expect(page.locator("html[data-kept]")).to_have_count(0)
    expect(page.locator("#waiting li:visible")).to_have_text("Hand 2 is not saved yet.CheckRemove")
    with to_another_page(page):
        page.locator("#waiting").get_by_role("button", name="Check").tap()
    expect(page.locator("#hand")).to_be_visible()
    phone.tap("label:has(#by_seat-is-on)")
    tap_all(page, "bidder-is-1", "bid-is-3", "trump-is-H")
    page.locator("#save").tap()
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
    until(page, NOTHING_WAITS)
    go_offline(phone)
    tap_all(page, "bidder-is-1", "bid-is-2", "trump-is-H")
    for side, count in (("A", "30"), ("B", "20")):  # nothing is asked: the card points are of both sides
        page.locator(f"#count-{side}").fill(count)
    page.locator("#save").tap()
    waiting(page, 1)
    come_back(phone)
    until(page, NOTHING_WAITS)
    go(page, sheet_of(page.url))
    assert bids(page) == ["Ann 3", "Ann 3", "Ann 2"]
    phone.start_game("all-fours", SIX[:2])
    go_offline(phone)
    tap_all(page, "trump-is-S", "save")
    expect(page.locator("#says")).to_contain_text("Is every point as shown? Then tap Save again.")  # nobody has bid
    go_offline(phone, away=False)
    phone.start_game("pitch-smudge", SIX[:3])
    go_offline(phone)
    tap_all(page, "bidder-is-1", "bid-is-2", "trump-is-H", "save")
    expect(page.locator("#says")).to_contain_text("Did the bidder take every point? Then tap Save again.")


def test_another_phone_has_entered_one_meanwhile(phone: Phone, new_context: NewContext) -> None:
    page = phone.page
    other = Phone(new_context(storage_state=page.context.storage_state()).new_page())  # with the same links
    go_offline(phone)
    again(page)
    for hand in (FIRST, SECOND, THIRD):
        enter(phone, hand)
    go(other.page, page.url)
    other.play(Hand(4, 2, "C", {"low": "A"}))
    go_offline(phone, away=False)
    page.set_viewport_size({"width": 390, "height": 664})
    until(page, TRY_AGAIN)
    expect(page.locator("html[data-kept]")).to_have_count(0)
    expect(page.locator("#waiting li:visible")).to_have_text(
        "Another phone saved a different hand 1.CompareRemove mine"
    )
    expect(page.locator("#waiting")).to_contain_text("2 more hands are safe on this phone.")
    expect(page.locator("#waiting")).not_to_contain_text("signal")
    expect(page.locator(".scores .num")).to_have_text(["1", "3"])
    expect(page.get_by_text("3 hands on this phone are not counted yet.")).to_be_visible()
    expect(page.get_by_text("Finish hand 1 first.")).to_be_visible()
    expect(page.locator("#hand")).to_be_hidden()
    check(page)
    go(page, "/")
    expect(page.locator("#waiting li:visible")).to_have_text(
        "Game 1. Another phone saved a different hand 1.CompareRemove mine"
    )
    with to_another_page(page):
        page.locator("#waiting").get_by_role("button", name="Compare").tap()
    expect(page.get_by_role("heading", name="Hand 1: two phones")).to_be_visible()
    for choice in ("Keep theirs", "Replace it with mine", "Two different hands: save mine as hand 2"):
        expect(page.get_by_text(choice)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("row", name="Game")).to_be_in_viewport(ratio=1)
    expect(page.locator("#waiting")).to_have_count(0)
    go(page, sheet_of(page.url))  # leaving this page loses nothing
    with to_another_page(page):
        page.locator("#waiting").get_by_role("button", name="Compare").tap()
    page.get_by_role("button", name="Two different hands: save mine as hand 2").tap()
    expect(page.get_by_role("heading", name="Hand 5")).to_be_visible()
    expect(page.locator("#waiting [role=status]")).to_contain_text("3 hands saved.")
    waiting(page, 0)
    go(page, sheet_of(page.url))
    assert bids(page) == ["Di 2", "Ann 3", "Bo 2", "Cy 2"]
    page.context.clear_cookies()  # as after its link was revoked
    again(page)
    keeps_nothing_of_a_club(page)


def test_a_correction_by_another_phone_counts_when_the_signal_is_lost(phone: Phone, new_context: NewContext) -> None:
    """3 to 1 becomes 4 to 0 while this phone shows the next hand."""
    page, other = phone.page, Phone(new_context(storage_state=phone.page.context.storage_state()).new_page())
    phone.play(FIRST)
    go(other.page, page.url.replace("new", "1/"))
    other.tap("#point-low-is-A")
    with to_another_page(other.page):
        other.page.locator("#save").tap()
    expect(page.locator(".scores .num")).to_have_text(["4", "0"])
    go_offline(phone)
    again(page)
    expect(page.locator(".scores .num")).to_have_text(["4", "0"])
    expect(page.locator("html[data-kept]")).to_have_count(1)


def test_a_hand_begun_before_two_phones_are_compared_goes_on_after(phone: Phone, new_context: NewContext) -> None:
    page, other = phone.page, Phone(new_context(storage_state=phone.page.context.storage_state()).new_page())
    go_offline(phone)
    again(page)
    enter(phone, FIRST)
    tap_all(page, "bidder-is-2", "bid-is-3", "trump-is-S")
    go(other.page, page.url)
    other.play(Hand(4, 2, "C", {"low": "A"}))
    come_back(phone)
    with to_another_page(page):
        page.locator("#waiting").get_by_role("button", name="Compare").tap()
    with to_another_page(page):
        page.get_by_role("link", name="Keep theirs").tap()
    expect(page.locator("#says")).to_contain_text("Bo bid 3, took 4")
    tap_all(page, "point-game-is-A", "save")
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
    go(page, sheet_of(page.url))
    assert bids(page) == ["Di 2", "Bo 3"]


@pytest.mark.parametrize("is_slow", mostly_slow([False, True]), ids=["lost", "none in 5 seconds"])
def test_a_save_whose_answer_does_not_come_is_one_hand(phone: Phone, *, is_slow: bool) -> None:
    """The server has saved the hand, but the phone does not know, and sends it again with the same token.

    The next page already has the hand, and is not loaded twice.
    """
    page, sent, unanswered, loaded = phone.page, [], [], []
    page.on("request", lambda request: request.is_navigation_request() and loaded.append(request.url))

    def lose_the_first_answer(route: Route) -> None:
        if sent or route.request.method != "POST":
            return route.fallback()
        sent.append(route.fetch().status)
        return unanswered.append(route) if is_slow else route.abort()

    phone.enter(FIRST)
    page.route("**/hands/new", lose_the_first_answer)
    page.locator("#save").tap()
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    assert sent == [200]
    waiting(page, 0)
    page.evaluate("() => waiting.send()")  # joins the transmission in progress
    assert loaded == [page.url]
    go(page, sheet_of(page.url))
    assert bids(page) == ["Ann 3"]
    for route in unanswered:
        route.abort()


@pytest.mark.slow
def test_a_hand_undone_before_its_save_was_answered_is_asked_about(phone: Phone, new_context: NewContext) -> None:
    page = phone.page
    other = Phone(new_context(storage_state=page.context.storage_state()).new_page()).page

    def lose_the_answer(route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        route.fetch()
        return route.abort()

    phone.enter(FIRST)
    page.route("**/hands/new", lose_the_answer)
    page.locator("#save").tap()
    waiting(page, 1)
    go(other, sheet_of(page.url))
    with to_another_page(other):
        other.get_by_role("button", name="Undo: hand 1").tap()
    page.unroute("**/hands/new")
    until(page, TRY_AGAIN)
    expect(page.locator("#waiting li:visible")).to_contain_text(
        "Another phone removed a hand. Hand 1 is not saved yet."
    )
    with to_another_page(page):
        page.locator("#waiting").get_by_role("button", name="Compare").tap()
    page.get_by_role("button", name="save mine as hand 1").tap()
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    go(page, sheet_of(page.url))
    assert bids(page) == ["Ann 3"]


@pytest.mark.slow
def test_a_waiting_hand_of_a_revoked_link_is_kept_until_there_is_another(page: Page, new_context: NewContext) -> None:
    """The server refuses it, also with a link to watch or of a deleted game; with a link to score it is saved.

    The hand won the game.
    """
    ann, bo = Phone(page), Phone(new_context().new_page())
    ann.start_game("classic", SIX[:4], target=3)
    hand, club = page.url, page.url.partition("games/")[0]
    join(bo, make_link(page, club, "Bo", "score"))
    go(bo.page, hand)
    has_kept(bo.page, hand.replace("/new", "/offline"))
    go_offline(bo)
    again(bo.page)
    enter(bo, FIRST)
    expect(bo.page.locator("#game-over")).to_have_text("Ann and Cy win. The game is over, as far as this phone knows.")
    expect(bo.page.locator("#turn")).to_be_hidden()
    page.get_by_role("button", name="Revoke this link").tap()
    expect(page.get_by_text("Bo: link revoked.")).to_be_visible()
    go_offline(bo, away=False)
    again(bo.page)
    expect(bo.page.locator("#waiting li")).to_contain_text(
        "Hand 1 can’t be saved. Ask for a scoring link, then try again."
    )
    keeps_nothing_of_a_club(bo.page)
    join(bo, make_link(page, club, "Bo watches", "watch"), "Watch")
    with bo.page.expect_response(lambda answer: answer.url == hand and answer.request.method == "POST") as refused:
        bo.page.locator("#waiting").get_by_role("button", name="Try again").tap()
    assert refused.value.status == 403
    expect(bo.page.locator("#waiting li")).to_contain_text("Ask for a scoring link, then try again.")
    join(bo, make_link(page, club, "Bo again", "score"))
    go(page, f"{sheet_of(hand)}edit")
    ann.press("Delete game 1")
    bo.page.locator("#waiting").get_by_role("button", name="Try again").tap()
    expect(bo.page.locator("#waiting li")).to_contain_text(
        "Hand 1 can’t be saved. The game was deleted. Take it back under Changes, then try again."
    )
    ann.press("Undo")
    bo.page.locator("#waiting").get_by_role("button", name="Try again").tap()
    expect(bo.page.locator("#waiting li")).to_have_count(0)
    go(bo.page, sheet_of(hand))
    assert bids(bo.page) == ["Ann 3"]


def test_a_hand_saved_by_a_phone_that_has_left_the_club_is_kept_there(phone: Phone) -> None:
    """As after its cookies were deleted: the server does not say any more that there is such a club."""
    page, hand = phone.page, phone.page.url
    cookies = page.context.cookies()
    phone.enter(FIRST)
    page.context.clear_cookies(name=LINKS_COOKIE)
    phone.save()
    expect(page.locator("h1")).to_have_text("Page not found")
    expect(page.locator("#waiting li")).to_contain_text(
        "Hand 1 can’t be saved. Ask for a scoring link, then try again."
    )
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.locator("#waiting").get_by_role("button", name="Try again").tap()
    expect(page.locator("#waiting li")).to_have_count(0)
    go(page, sheet_of(hand))
    assert bids(page) == ["Ann 3"]


def test_where_the_storage_never_answers_a_hand_is_saved_as_without_scripts(page: Page) -> None:
    """As in some versions of Safari. Its patience is shortened here."""
    page.add_init_script("""IDBFactory.prototype.open = () => ({});
        const wait = setTimeout; window.setTimeout = (act, time) => wait(act, time / 50);""")
    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    phone.play(FIRST)
    expect(page.locator("h1")).to_have_text("Hand 2")


def join(phone: Phone, address: str, button: str = "Join") -> None:
    go(phone.page, address)
    phone.press(button)


def test_by_plain_http_a_hand_without_an_answer_is_safe_and_none_takes_its_place(
    browser: Browser, browser_context_args: dict[str, Any], live_server_url: str
) -> None:
    """Browsers allow no service worker on other hosts than localhost over HTTP; all else works."""
    plain = {"base_url": live_server_url.replace("127.0.0.1", "table.test")}
    phone = Phone(browser.new_context(**browser_context_args | plain).new_page())
    page = phone.page
    page.add_init_script(SAFARI)
    phone.start_game("ten-point", SIX[:4], house=["moon-wins"])
    game = page.url
    assert page.evaluate("() => [isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    phone.enter(replace(FIRST, bid=4))
    until(page, KNOWS_THE_GAME)
    go_offline(phone)
    page.locator("#save").tap()
    waiting(page, 1)
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    expect(page.locator("#waiting")).to_contain_text(f"{WEEK} it.")
    safe = page.get_by_text("This hand is safe on this phone. Enter the next one when the signal is back.")
    for width, height in ((390, 664), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        expect(safe).to_be_in_viewport(ratio=1)
        expect(page.locator("#hand")).to_be_hidden()
    expect(page.get_by_text("The score includes 1 hand not sent yet.")).to_be_visible()
    check(page)
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        again(page)
    go_offline(phone, away=False)
    go(page, f"{sheet_of(game)}hands/new")
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    waiting(page, 0)
    expect(page.locator("#hand")).to_be_visible()
    taps_without_an_answer_are_told_when_the_signal_is_back(phone, f"{sheet_of(game)}hands/new?since=0")
    go_offline(phone)
    page.locator("#save").tap()
    waiting(page, 1)
    come_back(phone)
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
    expect(page.locator("#busy")).to_have_text("Bo deals · first to 52")  # that hand was no other phone's
    go(page, sheet_of(page.url))
    assert bids(page) == ["Ann 4", "Bo 4"]
    ask_without_a_signal(phone)
    page.context.close()


def taps_without_an_answer_are_told_when_the_signal_is_back(phone: Phone, since_then: str) -> None:
    page = phone.page
    go(page, since_then)
    expect(page.locator("#busy")).to_have_text("Another phone saved hand 1. Ann deals.")
    tap_all(page, "bidder-is-2", "bid-is-4")
    expect(page.locator("#says")).to_have_text("What was trump? Tap a suit.")
    go_offline(phone)
    page.locator("#trump-is-S").tap()
    expect(page.locator("#says")).to_have_text(
        "Bo bid 4, took 10: +10. Nobody else scored. Bo and Di lead 11 to 9. "
        "No signal. Save keeps this hand on this phone."
    )
    folded = page.locator(".call > .fold .shut")
    expect(folded).to_have_text(["Bo 4 ♠︎", "change"])
    page.locator("#point-low-is-A").tap()
    come_back(phone)
    expect(page.locator("#says")).to_have_text(re.compile("^Bo bid 4, took 9: "))
    expect(folded).to_have_text(["Bo", "4 ♠︎", "change"])


def ask_without_a_signal(phone: Phone) -> None:
    """Under rules by which a moon wins the game."""
    page = phone.page
    go(page, f"{sheet_of(page.url)}rules/ask?ask=hand")
    go_offline(phone)
    page.get_by_role("button", name="4", exact=True).tap()
    expect(page.locator("#answer p").first).to_have_text("Bid 4, took 0: set, −4.")
    go_offline(phone, away=False)
    page.get_by_role("button", name="Low", exact=True).tap()
    expect(page.locator("#answer p").first).to_have_text("Bid 4, took 1: set, −4.")


@pytest.mark.slow
def test_the_cards_to_bury_begin_with_trump_there_too(page: Page) -> None:
    Phone(page).start_game("west-michigan-4", SIX[:4])
    go(page, f"{sheet_of(page.url)}hands/offline")
    tiles = page.locator("#tiles .tile")
    expect(tiles.first).to_have_id("tile-AS")
    page.locator("#trump-is-H").tap()
    for place, card in enumerate(("AH", "KH", "QH", "JH", "JD", "XR", "XB", "TH")):
        expect(tiles.nth(place)).to_have_id(f"tile-{card}")
    tap_all(page, "buried-is-JD", "trump-is-C")
    expect(tiles.nth(3)).to_have_id("tile-JC")
    expect(tiles.nth(4)).to_have_id("tile-JS")
    expect(page.locator("#tile-JD input")).to_be_checked()


OWN = {
    "deck.jokers": 4, "trump.order": "A K Q J L XR XB X3 X4 T 9 2", "win.target": 10,
    "auction.min": 1, "auction.seller": "eldest", "auction.all_pass": "eldest-plays", "auction.cap": "seller-short",
    "auction.specials": [
        {"name": "smudge", "bid": 8, "needs": ["every-trick"]},
        {"name": "moon", "bid": 9, "needs": ["every-point"], "least_score": 4},
    ],
}  # fmt: skip


def test_bids_that_the_scores_forbid_four_jokers_and_every_trick_are_said_there_too(page: Page) -> None:
    """Of 32 cards 8 are buried. Bo sells hand 1 to Ann for 8; so Cy, who sells hand 2, has 8 of 10."""
    phone, own = Phone(page), OwnRules("ours", "Ours", 1, find_rules("west-michigan-4").override(OWN), 4, 2)
    phone.start_club()
    club = page.url
    go(page, f"/rules/shared?r={encode_rules(own)}")
    phone.press("Keep in Friday table")
    phone.follow("Ours")
    go(page, f"{club}games/new?rules=own-{page.url.rpartition('/')[2]}&players=4")
    for seat, name in enumerate(SIX[:4], 1):
        page.locator(f"#name-{seat}").fill(name)
    phone.press("Deal")
    go(page, page.url.replace("/new", "/offline"))
    go_offline(phone)
    tap_all(page, "trump-is-H", "bidder-is-2", "bid-is-moon")
    expect(page.locator("#says")).to_have_text("A bid of moon takes 4 or more, and Bo has 0.")
    tap_all(page, "unfold-is-call", "bid-is-smudge", "point-sweep-is-yes")
    expect(page.locator("#says")).to_have_text("Bo bid smudge, took 7: +8. Nobody else scored. Bo and Di lead 8 to 0.")
    tap_all(page, "point-sweep-is-nobody")
    lost = "Bo bid smudge, took 7 but lost a trick: set, −8. Nobody else scored. Ann and Cy lead 0 to −8."
    expect(page.locator("#says")).to_have_text(lost)
    tap_all(page, "point-sweep-is-yes", "bidder-is-1")  # yes is the other team now
    won = "Ann bid smudge, took 7: +8. Bo and Di sold it: +8. Nobody else scored. Both have 8."
    expect(page.locator("#says")).to_have_text(won)
    tap_all(page, "unfold-is-all", *(f"buried-is-{card}" for card in ("X3", "X4", "AC", "KC", "QC", "AS", "KS", "QS")))
    expect(page.locator("[data-says=buried-1]")).to_have_text(
        "Buried third joker, fourth joker, A♠︎, K♠︎, Q♠︎, A♣︎, K♣︎, Q♣︎"
    )
    page.locator("#save").tap()
    expect(page.locator("#position")).to_have_text("2")
    tap_all(page, "trump-is-H", "bidder-is-4", "bid-is-2")
    expect(page.locator("#says")).to_have_text("Nobody may bid more than 1: Cy sells the hand and has 8 of 10.")


@pytest.mark.slow
def test_a_server_that_comes_back_updated_is_noticed_by_its_open_pages(
    browser: Browser, browser_context_args: dict[str, Any], quick_path: Path
) -> None:
    """Streams reconnect, hands of pages of an older version are saved, and the server's pages replace cached ones.

    The next page opened is of the new version. SCOREKEEPER_OLDER names a checkout of an older commit to start with.
    """
    code, instance, port = quick_path / "code", quick_path / "instance", free_port()
    instance.mkdir()
    for folder in ("scorekeeper", "static", "templates"):
        shutil.copytree(ROOT / folder, code / folder, ignore=shutil.ignore_patterns("__pycache__"))
    older = os.environ.get("SCOREKEEPER_OLDER", str(code))
    settings = {"PYTHONPATH": str(code), "SCOREKEEPER_HTMX_LOCAL": "1"}
    page = browser.new_context(**browser_context_args | {"base_url": f"http://127.0.0.1:{port}"}).new_page()
    phone = Phone(page)
    with serve(instance, port=port, **settings | {"PYTHONPATH": older}) as url:
        phone.start_game("classic", SIX[:4])
        game, club = page.url, page.url.partition("games/")[0]
        go(page, club)
        has_kept(page, club, game.replace("/new", "/offline"))
    expect(page.locator("#away")).to_have_text(re.compile("no connection|last update"))
    away = page.context.new_page()
    says_why_there_is_no_answer(away, club, port)
    go(away, game)
    for hand in (FIRST, SECOND):
        enter(Phone(away), hand)
    waiting(away, 2)
    (code / "static" / "app.css").open("a").write("/* newer */")
    with serve(instance, port=port, **settings):
        expect(page.locator("#away")).to_be_empty()
        until(away, TRY_AGAIN)
        expect(away.locator("html[data-kept]")).to_have_count(0)
        newest = page.request.get(f"{url}/sw.js").text().partition('"version": "')[2][:12]
        go(page, club)
        until(page, KEPT_BY, f"{club} {newest}")
        go(page, sheet_of(game))
        assert bids(page) == ["Ann 3", "Bo 2"]
        assert phone.totals() == [4, 4]


def says_why_there_is_no_answer(page: Page, address: str, port: int) -> None:
    """Found by how requests fail, by an error or a timeout: `navigator.onLine` is always true."""
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'onLine', { get: () => true })")
    bar = page.locator("#waiting")
    with socket.create_server(("127.0.0.1", port)):  # accepts connections and never responds
        go(page, address)
        expect(bar).to_contain_text("Slow signal. This page is from")
    until(page, TRY_AGAIN)
    expect(bar).to_contain_text("No signal. This page is from")
    go(page, address)
    expect(bar).to_contain_text("No signal. This page is from")
