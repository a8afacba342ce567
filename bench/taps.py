"""Time from a tap on hand entry by points until its sentence is painted, and from Save until the next hand is.

Medians in Chromium with its CPU slowed down four times, on a local network and with 400 ms of latency, and the size of
the page's first load. `python -m bench.taps` runs only these; the exit status is 1 if a goal is missed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, expect, sync_playwright

from scorekeeper.models import SCORE
from scorekeeper.services import links
from tests.find_browser import HOW_TO_GET_ONE, find_browser

from . import servers
from .report import report

TAPS, SAVES, SLOWER = 22, 8, 4
FINGER = 70  # milliseconds on the screen; `tap` lifts it at once, and what it began when it came down then counts too
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "device_scale_factor": 2, "has_touch": True}
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}  # bytes per second
AT_ONCE = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
NETWORKS = {"local network": AT_ONCE, "400 ms of latency": SLOW}
MOST_BYTES = 30_000
# From lifting the finger to the end of the frame with another sentence.
WATCH = """() => {
  let from = 0;
  const says = document.getElementById("says");
  addEventListener("pointerup", (event) => { from = event.timeStamp; window.took = []; }, true);
  const painted = new MessageChannel();
  painted.port1.onmessage = () => window.took.push(performance.now() - from);
  new MutationObserver(() => requestAnimationFrame(() => painted.port2.postMessage(0)))
    .observe(says, { childList: true, characterData: true, subtree: true });
}"""


def tapped(page: Page, browser: CDPSession, network: dict[str, Any]) -> list[float]:
    """Return the times of taps on one point in milliseconds; the page shows a complete hand."""
    browser.send("Network.emulateNetworkConditions", network)
    took = []
    for place in range(TAPS):
        page.wait_for_timeout(700)  # elements that have just moved ignore taps
        before = page.locator("#says").inner_text()
        box = page.locator(f"#point-low-is-{'AB'[place % 2]}").bounding_box()
        assert box
        finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
        page.wait_for_timeout(FINGER)
        browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator("#says")).not_to_have_text(before)
        expect(page.locator("#hand.htmx-request")).to_have_count(0)
        took.append(page.evaluate("() => window.took[0]"))
    return took[1:]


# From lifting the finger to the end of the frame with the next hand, on any page.
WATCH_SAVE = """() => {
  let from = 0, before;
  const heading = () => document.querySelector("h1")?.textContent;
  addEventListener("DOMContentLoaded", () => { before = heading(); look(); });
  addEventListener("pointerup", (event) => {
    before = heading();
    sessionStorage.from = performance.timeOrigin + event.timeStamp;
  }, true);
  const painted = new MessageChannel();
  painted.port1.onmessage = () => {
    sessionStorage.took = performance.timeOrigin + performance.now() - sessionStorage.from;
  };
  const look = () => sessionStorage.from && requestAnimationFrame(() => painted.port2.postMessage(0));
  new MutationObserver(() => heading() !== before && look((before = heading())))
    .observe(document, { childList: true, characterData: true, subtree: true });
}"""


def saved(page: Page, browser: CDPSession, network: dict[str, Any]) -> list[float]:
    """Return the times from Save to the next hand, in milliseconds."""
    took = []
    for turn in range(SAVES):
        whole_hand(page, of_b=bool(turn % 2))
        browser.send("Network.emulateNetworkConditions", network)
        number = page.locator("h1").inner_text()
        page.evaluate("() => { delete sessionStorage.took; delete sessionStorage.from; }")
        page.locator("#save").tap()
        expect(page.locator("h1")).not_to_have_text(number)
        page.wait_for_function("() => sessionStorage.took")
        took.append(float(page.evaluate("() => sessionStorage.took")))
        browser.send("Network.emulateNetworkConditions", AT_ONCE)
        page.wait_for_timeout(2000)
    return took


def first_load(context: BrowserContext, address: str) -> tuple[float, float]:
    """Return the bytes transferred until a page is loaded for the first time, and including later requests."""
    page = context.new_page()
    browser, sizes = context.new_cdp_session(page), list[float]()
    browser.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    browser.send("Network.enable")
    page.goto(address, wait_until="load")
    loaded = sum(sizes)
    page.wait_for_timeout(3000)
    page.close()
    return loaded, sum(sizes)


def whole_hand(page: Page, *, of_b: bool = False) -> None:
    """Enter a complete hand; the bidders are set, so that the game goes on."""
    bidder, other = ("2", "A") if of_b else ("1", "B")
    for one in (f"bidder-is-{bidder}", "bid-is-7", "trump-is-H", f"point-low-is-{other}"):
        page.locator(f"#{one}").tap()
        expect(page.locator("#hand:is(.htmx-request, .htmx-added)")).to_have_count(0)
        page.wait_for_timeout(600)


def taps() -> list[bool]:
    """Measure a game of nine hands and report the goals. Raises SystemExit if there is no Chromium."""
    if find_browser() is None:
        raise SystemExit(HOW_TO_GET_ONE)
    results = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with servers.club_in(folder) as bench:
            hand, link = f"/c/{bench.key}/games/1/hands/new", links.secret_to_show(links.make(bench, SCORE, "Bo"))
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        with servers.served("scorekeeper_page") as keeper:
            base = f"http://localhost:{keeper.port}"
            context = chromium.new_context(**PHONE)
            page = context.new_page()
            page.goto(f"{base}/l/{link}")
            page.get_by_role("button", name="Join").click()
            page.wait_for_url("**/c/**")
            cold = chromium.new_context(**PHONE, storage_state=context.storage_state())
            loaded, everything = first_load(cold, base + hand)
            print(f"first load of hand entry: {loaded:,.0f} bytes, {everything:,.0f} with what follows")
            results.append(report("first load of hand entry, kB", loaded / 1000, MOST_BYTES / 1000))
            page.add_init_script(f"({WATCH_SAVE})()")
            page.goto(base + hand)
            page.wait_for_timeout(3000)  # until its caches are filled
            page.reload()
            browser = context.new_cdp_session(page)
            browser.send("Network.enable")
            browser.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            measured = (("Save to the next hand painted", saved, (400, 800)), ("tap painted", tapped, (50, 60)))
            for what, measure, goals in measured:
                if measure is tapped:
                    whole_hand(page)
                    page.evaluate(WATCH)
                for (name, network), goal in zip(NETWORKS.items(), goals, strict=True):
                    took = sorted(measure(page, browser, network))
                    print(f"{what}: {took[0]:.0f} to {took[-1]:.0f} ms")
                    results.append(report(f"{what}, {name}, ms", statistics.median(took), goal))
        chromium.close()
    return results


if __name__ == "__main__":
    sys.exit(0 if all(taps()) else 1)
