"""Two phones with one game, in separate browsers: nothing is lost, doubled or overwritten."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.phone import SIX, Hand, Phone, go, to_another_page

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
ANNS = Hand(1, 3, "H", {"low": "B"})
BOS = Hand(1, 3, "H", {"game": "B"})
IN_SIGHT = """(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""  # and not covered


@pytest.fixture
def phones(page: Page, new_context: NewContext) -> tuple[Phone, Phone]:
    """Ann's and Bo's phones at the first hand of a game."""
    ann, bo = Phone(page), Phone(new_context().new_page())
    ann.start_game("classic", SIX[:4])
    bo.join(ann.page)
    for phone, name in ((ann, "Ann"), (bo, "Bo")):
        phone.follow("Score sheet")
        phone.page.locator("#whose summary").tap()
        with to_another_page(phone.page):
            phone.page.get_by_role("button", name=name, exact=True).tap()
        phone.follow("Enter hand 1")
    return ann, bo


def sheet_of(phone: Phone) -> None:
    go(phone.page, phone.page.url.partition("hands/")[0])


def correct(phone: Phone, selector: str) -> None:
    phone.reopen("call")
    phone.tap(selector)
    phone.save()


def both_entered(phones: tuple[Phone, Phone]) -> tuple[Phone, Phone]:
    """Both have entered hand 1; Ann has saved hers, and Bo is shown both."""
    ann, bo = phones
    ann.enter(ANNS)
    bo.enter(BOS)
    ann.save()
    expect(bo.page.locator("#save")).to_have_text("Compare")  # a tap at the moment of that change would be ignored
    bo.save()
    expect(bo.page.get_by_role("heading", name="Hand 1: two phones")).to_be_visible()
    return ann, bo


def test_the_second_sees_the_firsts_hand_beside_its_own(phones: tuple[Phone, Phone]) -> None:
    _, bo = both_entered(phones)
    expect(bo.page.locator(".story")).to_contain_text("Ann’s phone")
    expect(bo.page.locator(".story")).to_contain_text("hand 1 saved: Ann bid 3, took 3; 3 to 1, was 0 to 0.")
    both = bo.page.get_by_role("table")
    expect(both.get_by_role("columnheader")).to_have_text(["Theirs, saved", "Yours, not saved yet"])
    expect(both.get_by_role("row", name="Low").locator("td.differs")).to_have_text(["B", "A"])
    expect(both.get_by_role("row", name="Game").locator("td.differs")).to_have_text(["A", "B"])
    expect(both.locator("td.differs")).to_have_count(4)
    bo.take_time()
    for width, height in ((390, 664), (360, 640)):
        bo.page.set_viewport_size({"width": width, "height": height})
        for shown in (
            bo.page.get_by_role("link", name="Keep theirs"),
            bo.page.get_by_role("button", name="Replace it with mine"),
            bo.page.get_by_role("button", name="Two different hands: save mine as hand 2"),
            both.get_by_role("row", name="Game"),
        ):
            expect(shown).to_be_in_viewport(ratio=1)
            assert shown.evaluate(IN_SIGHT)


def test_a_story_that_was_opened_goes_on_with_the_game(phones: tuple[Phone, Phone]) -> None:
    ann, bo = phones
    ann.play(ANNS)
    sheet_of(bo)
    bo.page.mouse.wheel(0, 10_000)
    story = bo.page.locator("#_story .sheet")
    expect(story).to_contain_text("After 1 hand")
    ann.play(Hand(2, 3, "S"))
    expect(story).to_contain_text("After 2 hands")


# True if the last unfolded button is above the bar.
ABOVE_SAVE = """() => document.querySelector("#ask-remove button").getBoundingClientRect().bottom
  <= document.querySelector(".save").getBoundingClientRect().top"""


def both_on_hand_1(phones: tuple[Phone, Phone]) -> tuple[Phone, Phone]:
    ann, bo = phones
    ann.play(ANNS)
    for phone in phones:
        sheet_of(phone)
        with to_another_page(phone.page):
            phone.page.locator("#hand-1 .took td").last.tap()  # anywhere in the row
    return ann, bo


def test_a_correction_on_an_old_page_is_refused_with_what_changed(phones: tuple[Phone, Phone]) -> None:
    ann, bo = both_on_hand_1(phones)
    ann.page.set_viewport_size({"width": 390, "height": 664})
    ann.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    ann.take_time()
    ann.page.get_by_text("Remove this hand").tap()
    expect(ann.page.get_by_role("button", name="Remove hand 1")).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate(ABOVE_SAVE)
    correct(ann, "#trump-is-S")
    expect(bo.page.locator("#save")).to_have_text("Compare")
    correct(bo, "#bid-is-2")
    expect(bo.page.get_by_text("Another phone changed hand 1 first.")).to_be_visible()
    expect(bo.page.locator(".story")).to_contain_text("Ann’s phone")
    expect(bo.page.locator(".story")).to_contain_text("hand 1 corrected: trump spades, was hearts; same score.")
    bo.follow("Keep theirs")
    expect(bo.page.locator("table.ledger tbody td").first).to_contain_text("Ann 3 ♠")


def test_the_history_is_told_in_the_time_of_the_phone_that_started_the_club(new_context: NewContext) -> None:
    """A club in Auckland, read in New York: times are Auckland's, as the phone's script has sent its time zone."""
    ann = Phone(new_context(timezone_id="Pacific/Auckland").new_page())
    ann.start_game("classic", SIX[:4])
    ann.play(ANNS)
    sheet_of(ann)
    ann.follow("History")
    reader = new_context(timezone_id="America/New_York").new_page()
    Phone(reader).join(ann.page)
    at = reader.locator("time").first.get_attribute("datetime")
    there = ann.page.evaluate(
        """at => new Date(at).toLocaleDateString("en-US", {weekday: "long"}) + " " +
                 new Date(at).toLocaleTimeString("en-US", {hour: "numeric", minute: "2-digit"})
                   .replace("\u202f", " ")""",
        at,
    )
    for page in (ann.page, reader):
        expect(page.locator("time").first).to_have_text(there)


def test_a_warning_stands_below_the_sentence_not_in_its_place(new_context: NewContext) -> None:
    phone = Phone(new_context().new_page())
    phone.start_game("classic", SIX[:4])
    phone.enter(Hand(1, 3, "H"))
    expect(phone.page.locator("#warnings")).to_have_text("Did Ann and Cy take all 4?")
    said, warned, save = (phone.page.locator(place).bounding_box() for place in ("#says", "#warnings", "#save"))
    assert said["y"] + said["height"] <= warned["y"]
    assert min(said["width"], warned["width"]) > save["width"]
