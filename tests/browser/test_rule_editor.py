"""Ten-point pitch by Kansas rules, from an empty club to the end: rules are made in the editor, then chosen."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import axe
from tests.browser.phone import Hand, Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ANN, BO = 1, 2
NAMES = ("Ann", "Bo", "Cy", "Di")


class Setup:
    """Sets up a game; counts taps and fields typed into."""

    def __init__(self, page: Page) -> None:
        self.page, self.phone = page, Phone(page)
        self.taps = self.typed = 0
        page.set_viewport_size({"width": 390, "height": 844})
        self.phone.start_club()

    def tap(self, target: str | Locator) -> None:
        found = self.page.locator(target) if isinstance(target, str) else target
        found.tap()
        self.taps += 1
        expect(self.page.locator(".htmx-request, .htmx-added")).to_have_count(0)

    def button(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def link(self, name: str) -> None:
        self.phone.follow(name)
        self.taps += 1

    def press(self, name: str) -> None:
        """Tap a button that leads to another page."""
        self.phone.press(name)
        self.taps += 1

    def type(self, field: str, text: str) -> None:
        self.page.locator(field).fill(text)
        self.page.locator(field).blur()
        self.typed += 1
        expect(self.page.locator(".htmx-request, .htmx-added")).to_have_count(0)

    def sit_down_and_deal(self) -> None:
        for seat, name in enumerate(NAMES, 1):
            self.type(f"#name-{seat}", name)
        self.press("Deal")


def play_to_the_end(phone: Phone) -> tuple[str, list[int]]:
    """Play three hands to 16; return the winner, and the taps of each hand.

    Ten points: Ace, Jack, Off-Jack, both jokers, 10 and 2 are one each, the 3 is three.
    """
    taps = []
    for hand, totals in (
        (Hand(ANN, 6, "H", {"three": "B", "ten": "B"}), [6, 4]),  # six of ten for the bidder, four for the others
        (Hand(BO, 5, "S", {"high": "A"}), [7, 13]),  # nine and one
    ):
        phone.play(hand)
        taps.append(phone.taps)
        assert phone.totals() == totals
    phone.play(Hand(ANN, 10, "D"))  # all ten points: 17 to 13, and the target is 16
    return phone.winner()[0], [*taps, phone.taps]


def test_by_the_editor(page: Page) -> None:
    setup = Setup(page)
    setup.link("Start the first game")
    setup.link("Make your own rules")
    setup.link("Eleven-Point Pitch")
    axe.check(page)
    phone_size = page.viewport_size
    page.set_viewport_size({"width": 1280, "height": 800})  # the rules in words scroll beside the form
    axe.check(page)
    page.set_viewport_size(phone_size)
    page.emulate_media(color_scheme="light")
    setup.tap(".fold-box[value=points-1]")
    setup.button("Remove Off-Ace")  # which also lowers the highest bid
    expect(page.locator(".entry-row .fold-box:checked")).to_have_count(0)  # the next point is not unfolded in its place
    setup.tap(".fold-box[value=play]")
    setup.button("Other ace of trump’s color")
    setup.button("Take it out of trump")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    setup.type("#is-win-target", "16")
    page.locator("#is-win-target").press("Enter")
    expect(page.locator("#says")).to_have_text("4 changes from Eleven-Point Pitch")
    expect(page.locator("#in-words ~ .sheet mark").first).to_contain_text("The bids are 4 to 10.")
    setup.type("#name", "Kansas")
    assert loaded == []  # Enter in a field stays where it is
    setup.press("Save")
    setup.link("New game with these rules")
    setup.sit_down_and_deal()
    winner, taps = play_to_the_end(setup.phone)
    assert winner == "Ann and Cy win, 17 to 13"
    assert taps == [6, 5, 4]
    assert (setup.taps, setup.typed) == (11, 6)


def test_every_part_opens_with_one_tap_and_stays_open(page: Page) -> None:
    """Whoever types rules from a post looks for each of them; also after another tap, and with Save in sight.

    With letters twice as large they stay on the page.
    """
    setup = Setup(page)
    setup.link("Start the first game")
    setup.link("Make your own rules")
    setup.link("Eleven-Point Pitch")
    parts = page.locator(".typed > .unfolding > .folded")
    expect(parts.locator("visible=true")).to_have_count(0)
    setup.tap("#open-is-all")
    expect(parts.locator("visible=true")).to_have_count(parts.count())
    expect(page.locator(".entry-row .folded").locator("visible=true")).to_have_count(0)
    setup.tap(page.locator("label.chip", has_text="Nothing").first)
    expect(page.locator("#says")).to_contain_text("1 change from")
    expect(parts.locator("visible=true")).to_have_count(parts.count())
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)
    page.evaluate(axe.TWICE)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_by_the_catalogue(page: Page) -> None:
    setup = Setup(page)
    setup.link("Start the first game")
    setup.tap("#players-is-4")
    setup.press("Ten-Point Pitch")
    setup.type("#target", "16")
    setup.sit_down_and_deal()
    winner, taps = play_to_the_end(setup.phone)
    assert winner == "Ann and Cy win, 17 to 13"
    assert taps == [6, 5, 4]
    assert (setup.taps, setup.typed) == (4, 5)
