"""A common interface for all engines, so that test_evenings.py is written once.

Chromium and Firefox are driven by Playwright, WebKit by Selenium through Debian's WebKitWebDriver.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Playwright
from selenium import webdriver
from selenium.common.exceptions import (
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.phone import PASS_THE_MOMENT, go
from tests.conftest import QUIET, free_port, wait_for
from tests.find_browser import find_browser, find_engine

WIDTH, HEIGHT = 390, 664  # a phone's viewport between the bars of its browser
PATIENCE = 60  # seconds; enough for a busy computer
SETTLED = "() => !document.querySelector('form:is(.htmx-request, .htmx-added)')"
# `hit` is null until a tap comes, then true if it hit the element.
WATCH_THE_TAP = """(selector) => {
  const one = document.querySelector(selector), until = new AbortController();
  const isIt = (other) => one.contains(other) || other.closest?.("label")?.control === one;
  window.hit = null;
  const check = ({ target }) => { if (isIt(target)) window.hit = true; };
  addEventListener("click", check, { capture: true, signal: until.signal });
  const end = () => setTimeout(() => { window.hit ??= false; until.abort(); });
  addEventListener("mouseup", end, { capture: true, once: true });
}"""
# True if a tap on the middle of an element would hit it, which is then watched. Ends the time in which moved elements
# ignore taps.
TAKES_A_TAP = f"""(selector) => {{
  const one = document.querySelector(selector);
  if (!one || !({SETTLED})()) return false;
  ({PASS_THE_MOMENT})();
  one.scrollIntoView({{ block: "center" }});
  const box = one.getClientRects()[0];
  const found = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!found || !(one.contains(found) || found.closest("label")?.control === one)) return false;
  ({WATCH_THE_TAP})(selector);
  return true;
}}"""
# Null until the tap's target is known; true after the server's response. The next page has no `hit`.
HAS_HIT = f"() => window.hit === null ? null : window.hit === false ? false : ({SETTLED})() || null"
FIND = """(tag, text) => {
  const isIt = (one) => one.textContent.replace(/\\s+/g, " ").includes(text) && one.getClientRects().length;
  document.querySelectorAll("[data-meant]").forEach((one) => one.removeAttribute("data-meant"));
  const found = [...document.querySelectorAll(tag)].find(isIt);
  found?.setAttribute("data-meant", "");
  return Boolean(found);
}"""


class Window:
    """A browser window; a `script` is a JavaScript function, called with the arguments.

    Each engine has `go`, `run`, `click`, `click_at`, `type`, `another`, `picture`, and `paper`, which prints a PDF.
    """

    def open(self, address: str) -> None:
        """Open an address; retry if the previous page navigates by itself."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.go(address)
            with suppress(PlaywrightError, WebDriverException):
                if self.address == address:
                    return
        raise AssertionError(f"does not open: {address}, but {self.address}")

    def answer(self, script: str, *arguments: Any, wanted: tuple[object, ...] = (True, False)) -> object:
        """Poll a script until its result is in `wanted`, and return it; errors while the page navigates are ignored."""
        end = time.monotonic() + PATIENCE
        said: object = None
        while time.monotonic() < end:
            try:
                said = self.run(script, *arguments)
                if said in wanted:
                    return said
            except (PlaywrightError, WebDriverException) as error:
                said = error
            time.sleep(0.03)
        raise AssertionError(f"not so at {self.address}: {script} {arguments}: {said}")

    def until(self, script: str, *arguments: Any) -> None:
        """Poll until a script returns true."""
        self.answer(script, *arguments, wanted=(True,))

    def shows(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        has = "(s, t) => Boolean(document.querySelector(s)?.textContent.replace(/\\s+/g, ' ').includes(t))"
        self.until(has, selector, text)

    def tap(self, selector: str) -> None:
        """Tap an element once it takes taps, and wait for the server's response; repeat if the tap missed."""
        has_hit: object = False
        while not has_hit:
            self.until(TAKES_A_TAP, selector)
            self.click(selector)
            has_hit = self.answer(HAS_HIT)

    def tap_at(self, place: tuple[float, float]) -> None:
        """Tap a place, whatever is there."""
        self.run(WATCH_THE_TAP, "main")
        self.click_at(*place)
        self.answer(HAS_HIT)

    def tap_until(self, selector: str, script: str, *arguments: Any) -> None:
        """Tap, then poll until a script returns true."""
        self.tap(selector)
        self.until(script, *arguments)

    def choose(self, *selectors: str) -> None:
        """Tap radios and check boxes."""
        for selector in selectors:
            self.tap_until(selector, "(s) => document.querySelector(s)?.checked ?? true", selector)

    @contextmanager
    def to_another_page(self) -> Iterator[None]:
        self.run("() => { document.querySelector('main').isLeft = true; }")
        yield
        self.until("() => document.querySelector('main')?.isLeft === undefined && document.readyState === 'complete'")

    def press(self, text: str, tag: str = "button") -> None:
        """Tap the button with this text, which leads to another page."""
        self.until(FIND, tag, text)
        with self.to_another_page():
            self.tap("[data-meant]")

    def follow(self, text: str) -> None:
        self.press(text, "a")

    @property
    def address(self) -> str:
        return str(self.run("() => location.href"))


class OfPlaywright(Window):
    """Chromium or Firefox."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def go(self, address: str) -> None:
        go(self.page, address)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.page.evaluate(f"(all) => ({script})(...all)", list(arguments))

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click(timeout=PATIENCE * 1000)

    def click_at(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def type(self, selector: str, text: str) -> None:
        self.page.locator(selector).fill(text)

    def another(self) -> Window:
        page = self.page.context.new_page()
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        return OfPlaywright(page)

    def picture(self, path: Path) -> None:
        self.page.screenshot(path=path)

    def paper(self) -> bytes:
        browser = self.page.context.browser
        if browser and browser.browser_type.name == "firefox":
            # Playwright passes inches to BiDi, which takes them for centimeters: this is 8.5 by 11 inches.
            return self.page.pdf(width="21.59in", height="27.94in")
        return self.page.pdf(prefer_css_page_size=True)


class OfWebKit(Window):
    current: ClassVar[dict[str, str]] = {}  # the driver's current window, cached, as asking costs a request

    def __init__(self, driver: webdriver.Remote, paper: Path) -> None:
        self.driver = driver
        self.handle = self.current["handle"] = driver.current_window_handle
        self.printed = paper

    def _here(self) -> webdriver.Remote:
        if self.current["handle"] != self.handle:
            self.driver.switch_to.window(self.handle)
            self.current["handle"] = self.handle
        return self.driver

    def go(self, address: str) -> None:
        self._here().get(address)

    def run(self, script: str, *arguments: Any) -> Any:
        return self._here().execute_script(f"return ({script})(...arguments)", *arguments)

    def _find(self, selector: str) -> WebElement:
        return self._here().find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Retry if the element was just replaced by the previous tap's response; nothing was tapped then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException):
                return self._find(selector).click()
            self.until(TAKES_A_TAP, selector)
        raise AssertionError(f"takes no tap: {selector}")

    def click_at(self, x: float, y: float) -> None:
        action = ActionBuilder(self._here())
        action.pointer_action.move_to_location(round(x), round(y)).click()
        action.perform()

    def type(self, selector: str, text: str) -> None:
        self.until(TAKES_A_TAP, selector)
        field = self._find(selector)
        field.clear()
        field.send_keys(text)

    def another(self) -> Window:
        self._here().switch_to.new_window("window")
        return OfWebKit(self.driver, self.printed)

    def picture(self, path: Path) -> None:
        self._here().save_screenshot(str(path))

    def paper(self) -> bytes:
        self.run("() => { document.title = 'print'; }")  # handled by webkit_window.py
        end = time.monotonic() + PATIENCE
        while not self.printed.exists() and time.monotonic() < end:
            time.sleep(0.05)
        return self.printed.read_bytes()


def window_of(engine: str, folder: Path, playwright: Playwright) -> AbstractContextManager[Window]:
    """Open a window of an installed engine."""
    return webkit(folder) if engine == "webkit" else of_playwright(engine, playwright)


@contextmanager
def of_playwright(engine: str, playwright: Playwright) -> Iterator[Window]:
    if engine == "firefox":
        # Overlay scroll bars, as on phones.
        set_up: dict[str, str | float | bool] = {"ui.useOverlayScrollbars": 1}
        browser = playwright.firefox.launch(
            channel="moz-firefox", executable_path=find_engine("firefox"), firefox_user_prefs=set_up
        )
    else:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET))
    try:
        context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        yield OfPlaywright(context.new_page())
    finally:
        browser.close()


@contextmanager
def webkit(folder: Path) -> Iterator[Window]:
    """Open a bare window on a virtual screen: MiniBrowser's windows cannot be as narrow as a phone."""
    port, paper = free_port(), folder / "paper.pdf"
    screen = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1280x900x24"]
    command = ["dbus-run-session", "--", *screen, str(find_engine("webkit")), f"--port={port}"]
    # The sandbox does not work for root; only our own pages are opened.
    quiet = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "NO_AT_BRIDGE": "1", "GTK_USE_PORTAL": "0"}
    options = webdriver.WebKitGTKOptions()
    options.binary_location = "/usr/bin/python3"
    for argument in (Path(__file__).with_name("webkit_window.py"), WIDTH, HEIGHT, paper):
        options.add_argument(str(argument))
    with subprocess.Popen(
        command, env=os.environ | quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as driver_process:
        try:
            wait_for(f"http://127.0.0.1:{port}/status", driver_process)
            driver = webdriver.Remote(f"http://127.0.0.1:{port}", options=options)
            try:
                yield OfWebKit(driver, paper)
            finally:
                with suppress(WebDriverException):
                    driver.quit()
        finally:
            os.killpg(driver_process.pid, signal.SIGTERM)
            driver_process.wait(60)
            shutil.rmtree(folder, ignore_errors=True)
