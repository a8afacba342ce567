"""An evening by screen reader: all controls have a role and a name, and only wanted announcements are made."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.phone import go, to_another_page

pytestmark = pytest.mark.browser

# Collects the announcements of a screen reader: each new text of a live region, until the next page.
# When the next hand has replaced the page, the focus is on its heading, which says what was saved.
LISTEN = """() => {
  sessionStorage.said = "";
  const heard = new Map();
  const listen = () => {
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]:not([aria-live=off])")) {
      const text = region.checkVisibility() ? region.textContent.replace(/\\s+/g, " ").trim() : "";
      const isNew = heard.has(region) && heard.get(region) !== text;
      if (isNew && text) sessionStorage.said += (sessionStorage.said && "|") + text;
      heard.set(region, text);
    }
  };
  listen();
  window.listening?.disconnect();
  window.listening = new MutationObserver(listen);
  listening.observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


class Listener:
    """Finds controls by role and name, and uses them by keyboard; `steps` counts activations."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps = 0

    def press(self, role: str, name: str, inside: Page | Locator | None = None) -> None:
        self.steps += 1
        found = (inside or self.page).get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        found.press("Space" if role in ("radio", "checkbox") else "Enter")

    def leave(self, role: str, name: str) -> None:
        with to_another_page(self.page):
            self.press(role, name)

    def choose(self, group: str, name: str) -> None:
        """Check the radio `name` in a group whose name contains `group`; wait for the response."""
        self.steps += 1
        one = self.page.get_by_role("group", name=group).first.get_by_role("radio", name=name, exact=True)
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            one.press("Space")

    def hand(self, bidder: str, bid: str, trump: str, *others: str) -> None:
        """Enter a hand by points: `others` are the points of the other team."""
        self.page.evaluate(LISTEN)
        self.choose("Bidder and bid", bidder)
        self.choose("The bid", bid)
        self.choose("Trump", trump)
        team = {"A": "Team B: Bo and Di", "B": "Team A: Ann and Cy"}[bidder[-1]]
        for point in others:
            self.choose(f"{point} (", team)
        self.leave("button", "Save" if others else "Save as is")


def test_an_evening_by_screen_reader(page: Page) -> None:
    reader = Listener(page)
    go(page, "/")
    page.get_by_role("textbox", name="Club name").fill("Friday table")
    reader.leave("button", "Start the club")
    reader.leave("link", "Start the first game")
    reader.choose("How many play?", "4")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        reader.press(
            "button",
            "Classic Setback High, Low, Jack, Game: 4 points, to 11 Partners. The dealer may steal a 4. Ties play on. "
            "Pitch, High-Low-Jack, Connecticut",
        )
    for seat, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1):
        page.get_by_label(f"Player in seat {seat}").fill(name)
    reader.leave("button", "Deal")
    assert reader.steps == 5  # as many as with taps
    reader.hand("Ann, Team A", "3", "hearts", "Low")
    expect(page.get_by_role("heading", name="Hand 2")).to_be_focused()
    expect(page.get_by_role("heading", name="Hand 2")).to_have_accessible_description("Hand 1 saved.")
    reader.hand("Bo, Team B", "4", "clubs", "Jack")
    assert page.evaluate("() => sessionStorage.said").split("|") == [
        "How much was bid? Tap a number.",
        "What was trump? Tap a suit.",
        "Bo bid 4, took 4: +4. Nobody else scored. Bo and Di lead 5 to 3.",
        "Did Bo and Di take all 4?",
        "Bo bid 4, took 3: set, −4. Ann and Cy +1. Ann and Cy lead 4 to −3.",
    ]
    reader.hand("Cy, Team A", "2", "spades")
    reader.hand("Di, Team B", "2", "clubs", "High")
    assert reader.steps == 5 + 5 + 5 + 4 + 5
    reader.leave("link", "Score sheet")
    expect(page.get_by_role("cell", name="+4 8", exact=True)).to_be_visible()
    reader.leave("link", "Correct hand 3")
    reader.choose("Jack (", "Team B: Bo and Di")
    reader.leave("button", "Save")
    expect(page.get_by_role("status").get_by_text("Hand 3 corrected.")).to_be_visible()
    expect(page.get_by_role("cell", name="+3 7", exact=True)).to_be_visible()
    reader.leave("link", "Enter hand 5")
    reader.hand("Ann, Team A", "3", "hearts", "Low")
    assert reader.steps == 24 + 5 + 5
    expect(page.get_by_role("heading", name="Ann and Cy win, 11 to 2")).to_be_visible()
