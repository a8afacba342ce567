"""A phone at the table: tap through the pages, count taps, and read what they show."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from playwright.sync_api import BrowserContext, CDPSession, Error, Locator, Page, Response, expect

from scorekeeper.web.common.scope import LINKS_COOKIE

SIX = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


@dataclass(frozen=True)
class Hand:
    """One hand to be entered; `points` names only points that did not go to the bidding side."""

    bidder: int
    bid: int | str
    trump: str
    points: Mapping[str, str] = field(default_factory=dict)
    buried: Sequence[str] = ()
    called: str | None = None
    partner: int | str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


# Errors of Playwright when the page navigates by itself while an address is being opened; sometimes it raises none, and
# waits for a page that was left.
CROSSED = re.compile(r"is interrupted by another navigation|net::ERR_ABORTED|NS_BINDING_ABORTED|Timeout \d+ms exceeded")

# Finish the animations by which moved elements ignore taps briefly (static/live.js). Those of new moves start with the
# next frame or the next pointerdown, so that comes first; those of a new page when its stylesheets have loaded.
PASS_THE_MOMENT = """() => {
  document.dispatchEvent(new Event("pointerdown"));
  document.getAnimations().filter(one => one.effect.getKeyframes()[0]?.pointerEvents).forEach(one => one.finish());
  return document.readyState === "complete";
}"""

# Scroll an element that is behind the bar to the middle.
SHOW = """one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  if (!one.contains(top) && top?.closest('label')?.control !== one) one.scrollIntoView({ block: 'center' });
}"""

# Mark the page that is to be left; a click on it is noted for the message of `until`.
MARK = """() => {
  const main = document.querySelector("main");
  addEventListener("click", () => (main.wasClicked = true), true);
  return (main.isLeft = true);
}"""

LEFT = "Execution context was destroyed"  # when the page navigates during an evaluation


def go(page: Page, address: str) -> Response | None:
    """Open an address; retry if the page navigates by itself at that moment."""
    return _insist(page, lambda: page.goto(address))


def again(page: Page) -> Response | None:
    """Reload the page, with the retries of `go`."""
    return _insist(page, page.reload)


def back(page: Page) -> Response | None:
    """Go back, as the browser's button does."""
    return page.go_back()


def _insist(page: Page, load: Callable[[], Response | None]) -> Response | None:
    for pause in (100, 400, 1600):  # milliseconds, until the other navigation has ended
        try:
            return load()
        except Error as error:
            if not CROSSED.search(error.message):
                raise
        page.wait_for_timeout(pause)
    return load()


def until(page: Page, script: str, argument: str = "", *, is_so: bool = True) -> None:
    """Poll until `script` returns `is_so`; Playwright's `wait_for_function` takes any promise for true."""
    for _ in range(2400):
        try:
            if page.evaluate(script, argument) == is_so:
                return
        except Error as error:
            if LEFT not in error.message:
                raise
        page.wait_for_timeout(50)
    seen = page.evaluate("() => [document.readyState, document.querySelector('main')?.wasClicked]")
    raise AssertionError(f"not {is_so}: {script} {argument}; {page.url}, state and click {seen}")


@contextmanager
def to_another_page(page: Page) -> Iterator[None]:
    """Wait until the block's navigation is complete.

    Playwright's `expect_navigation` also ends with a change of the history, which htmx makes whenever it starts.
    """
    until(page, PASS_THE_MOMENT)
    until(page, MARK)
    yield
    until(page, "() => document.querySelector('main')?.isLeft === undefined && document.readyState === 'complete'")


def errors_of(page: Page) -> list[str]:
    """A list to which all errors of the page and its console are appended from now on."""
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def tap_all(page: Page, *ids: str) -> None:
    """Tap elements without waiting for responses."""
    for one in ids:
        page.locator(f"#{one}").tap()


def stop_animations(page: Page) -> CDPSession:
    """Stop the browser's animation clock."""
    browser = page.context.new_cdp_session(page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 0})
    return browser


def hold_links_of(one: BrowserContext, other: BrowserContext) -> None:
    """Copy the links of one browser to another."""
    other.add_cookies([cookie for cookie in one.cookies() if cookie["name"].endswith(LINKS_COOKIE)])  # type: ignore[misc]


class Phone:
    """Taps through the pages; `taps` counts the taps on hand entry."""

    def __init__(self, page: Page, *, script: bool = True) -> None:
        self.page = page
        self.script = script
        self.taps = 0

    def join(self, other: Page) -> None:
        """Take over the links of another phone, and open its current page."""
        hold_links_of(other.context, self.page.context)
        go(self.page, other.url)

    # --- starting a game ---

    def start_club(self, name: str = "Friday table") -> None:
        go(self.page, "/")
        self.page.locator("#name").fill(name)
        self.press("Start the club")

    def start_game(
        self,
        rules: str,
        names: Sequence[str],
        *,
        teams: int | None = None,
        dealer: int | None = None,
        target: int | None = None,
        house: Sequence[str] = (),
    ) -> None:
        """Start a game; `dealer` defaults to the last seat."""
        self.start_club()
        self.follow("Start the first game")
        self.choose_game(rules, len(names))
        self._reshape(f"#teams-is-{teams}", "Show seats")
        for number, name in enumerate(names, 1):
            self.page.locator(f"#name-{number}").fill(name)
        self.page.locator(f"#name-{len(names)}").blur()  # else the tap itself ends the typing, and the seats change
        deals = self.page.locator(f"#dealer-is-{dealer or len(names)}")
        deals.scroll_into_view_if_needed()
        expect(self.page.locator(".htmx-request")).to_have_count(0)  # a response would replace the tapped button
        self.take_time()
        deals.check()
        for key in house:
            self.page.locator(f"#house-{key}").check()
        if target is not None:
            self.page.locator("#target").fill(str(target))
        self.press("Deal")
        expect(self.page.locator("#hand, .wrong").first).to_be_visible()  # the first hand, or an error

    def choose_game(self, rules: str, players: int) -> None:
        """Choose the number of players and the game, after "Change game" if one was chosen before."""
        if self.page.locator("#change-game").count():
            self.press("Change game")
        self._reshape(f"#players-is-{players}", "Show games")
        with to_another_page(self.page):
            self.page.locator(f"#rules-is-{rules}").tap()

    def _reshape(self, selector: str, show: str) -> None:
        """Choose an option that changes the rest of the form, if it exists and is not checked."""
        option = self.page.locator(selector)
        if not option.count() or option.is_checked():
            return
        self.take_time()
        option.check()
        if self.script:
            self._settle("#setup")
        else:
            self.press(show)

    # --- one hand ---

    def tap(self, *selectors: str) -> None:
        """Tap one after the other, each after the response to the one before."""
        for found in map(self.page.locator, selectors):
            self.take_time()
            found.scroll_into_view_if_needed()  # what moves now does not move just before the tap
            _insist(self.page, partial(found.evaluate, SHOW))
            self.take_time()
            found.tap()
            self.taps += 1
            if self.script:
                self._settle("#hand")
            self.check_save_is_in_sight()

    def take_time(self) -> None:
        """End the time in which moved elements ignore taps."""
        until(self.page, PASS_THE_MOMENT)

    def _settle(self, form: str) -> None:
        """Wait until the last tap's response is swapped in and htmx has processed it."""
        expect(self.page.locator(f"{form}:is(.htmx-request, .htmx-added)")).to_have_count(0)

    def check_save_is_in_sight(self) -> None:
        expect(self.page.locator("#save")).to_be_in_viewport(ratio=1)  # waits, as the page may not be rendered yet

    def enter(self, hand: Hand) -> None:
        """Enter a hand without saving it."""
        self.taps = 0
        self.check_save_is_in_sight()
        self.tap(f"#bidder-is-{hand.bidder}", f"#bid-is-{hand.bid}", f"#trump-is-{hand.trump}")
        if hand.called is not None:
            self.tap(f"#called-is-{hand.called}")
        if hand.partner is not None:
            self.tap(f"#partner-is-{hand.partner}")
        self.tap(*(f"#buried-is-{card}" for card in hand.buried))
        self.tap(*(f"#point-{key}-is-{side}" for key, side in hand.points.items()))
        for side, count in hand.counts.items():
            self.type_count(side, count)

    def type_count(self, side: str, count: int) -> None:
        self.page.locator(f"#count-{side}").fill(str(count))
        if self.script:
            expect(self.page.locator("#row-game .gone")).to_be_visible()
            self._settle("#hand")

    def save(self) -> None:
        with to_another_page(self.page):
            self.page.locator("#save").tap()
        self.taps += 1

    def play(self, hand: Hand) -> None:
        self.enter(hand)
        self.save()

    def reopen(self, part: str) -> None:
        """Unfold the bid ("call") or the buried cards, if folded."""
        fold = self.page.locator(f"#unfold-is-{part}")
        if fold.is_visible() and not fold.is_checked():
            self.tap(f"#unfold-is-{part}")

    def undo(self) -> None:
        """Tap Undo in the bar, where it is until something is entered."""
        with to_another_page(self.page):
            self.page.locator(".save .steps button", has_text="Undo").tap()

    def press(self, button: str) -> None:
        """Tap a button that leads to another page; wait for the page."""
        with to_another_page(self.page):
            self.page.get_by_role("button", name=button).tap()

    def follow(self, link: str) -> None:
        """Tap a link, in the menu if necessary; wait for the page."""
        found = self.page.get_by_role("link", name=link, include_hidden=True)
        if not found.is_visible():
            self.page.get_by_text("More", exact=True).last.tap()
        with to_another_page(self.page):
            found.tap()

    # --- what the pages show ---

    @property
    def says(self) -> Locator:
        return self.page.locator("#says")

    def totals(self) -> list[int]:
        """Scores at the head of the page, in the order of teams or seats."""
        return [read(text) for text in self.page.locator(".scores .num").all_inner_texts()]

    def dealer(self) -> str:
        """Name of the dealer of the current hand."""
        return self.page.locator(".bar .soft").inner_text().partition(" deals")[0]


def read(text: str) -> int:
    """Parse an integer with a Unicode minus sign."""
    assert re.fullmatch(r"−?\d+", text)
    return int(text.replace("−", "-"))
