"""Entry by cards, bidding and play on a phone; and a hand continued on another phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import BROKEN, TORN, check
from tests.browser.phone import SIX, Phone, tap_all
from tests.browser.test_hand_entry import LONG, SHIFTS, TABLES, WATCH_SHIFTS, places, small_targets

pytestmark = pytest.mark.browser

SWEPT = [
    "AH", "8H", "AD", "AC", "KH", "7H", "KD", "KC", "QH", "2H", "QD", "QC",
    "JH", "AS", "JD", "JC", "TH", "KS", "TD", "TC", "9H", "QS", "9D", "9C",
]  # fmt: skip


def place(phone: Phone, pile: str, cards: str) -> None:
    """Choose a pile, and tap cards onto it."""
    phone.tap(f"#pile-is-{pile}")
    for card in cards.split():
        phone.tap(f"#at-{card}-is-{pile}")


def by_way(phone: Phone, way: str) -> None:
    phone.tap(f"#detail-is-{way}")


def bid(phone: Phone, *ids: str) -> None:
    for selector in ids:
        phone.tap(f"#{selector}")


def test_on_a_small_phone_cards_that_touch_have_an_edge_also_in_the_dark(phone: Phone) -> None:
    phone.start_game("pidro", SIX[:4])
    phone.page.set_viewport_size({"width": 360, "height": 640})
    phone.page.emulate_media(color_scheme="dark")
    bid(phone, "bidder-is-1", "bid-is-8", "trump-is-H")
    by_way(phone, "cards")
    colors = "(card) => [getComputedStyle(card).borderTopColor, getComputedStyle(card).backgroundColor]"
    edge, inside = phone.page.locator("#tile-KH .card").evaluate(colors)
    assert edge != inside


# Cards on which a badge covers the capitals of rank and suit, which are seven tenths as high as the letters are large;
# and what folds the cards, if its word is wider than its box.
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const cards = [...document.querySelectorAll(".at .badge")].filter((badge) => {
    const card = badge.parentElement.querySelector(".card"), { top, bottom } = box(card);
    const middle = (top + bottom) / 2, half = parseFloat(getComputedStyle(card).fontSize) * 0.35;
    const isOver = box(badge).bottom > middle - half && box(badge).top < middle + half;
    return badge.checkVisibility() && !card.matches(".joker") && isOver;
  });
  const fold = document.querySelector(".grid .unfold"), word = box(fold.querySelector(".opened"));
  const isWide = word.left < box(fold).left || word.right > box(fold).right;
  return [...cards, ...(isWide ? [fold] : [])].map((one) => one.parentElement.innerText);
}"""


def test_a_hand_by_its_cards(phone: Phone) -> None:
    """A: 34 + 1 = 35, with the ten of clubs 45 of 80, which wins Game wherever the rest is."""
    phone.start_game("west-michigan-6", SIX)
    phone.page.set_viewport_size({"width": 280, "height": 844})  # as wide as with large letters
    tops = [box["y"] for one in phone.page.locator("#ask-bidder .seat").all() if (box := one.bounding_box())]
    assert [tops.count(top) for top in dict.fromkeys(tops)] == [3, 3]  # nobody is alone in a row
    phone.page.set_viewport_size({"width": 390, "height": 844})
    bid(phone, "bidder-is-1", "bid-is-4", "trump-is-H")
    by_way(phone, "cards")
    place(phone, "A", "AS KS TS AH KH TH JH XR")
    place(phone, "B", "XB 2H JD")
    phone.tap("#unfold-is-all")
    place(phone, "buried", "9C 2D")
    expect(phone.says).to_contain_text("Tap 12 more cards: Q♥︎, Q♠︎")
    place(phone, "A", "TC")
    expect(phone.says).to_have_text("Who played Low?")
    expect(phone.page.locator("#not-placed")).to_have_text("Who played Low?")
    phone.page.set_viewport_size({"width": 360, "height": 640})
    assert phone.page.evaluate(COVERED) == []
    phone.save()  # refused: opens at the question, which is said beside its answers
    expect(phone.page.locator("li:has(#by-low-is-B) .wrong")).to_be_in_viewport(ratio=1)
    bar, asks = phone.page.locator(".save").bounding_box(), phone.page.locator("li:has(#by-low-is-B)").bounding_box()
    assert asks["y"] + asks["height"] < bar["y"]
    phone.tap("#by-low-is-B")
    expect(phone.says).to_have_text("Ann bid 4, took 4: +4. Bo’s team +3. Ann’s team leads 4 to 3.")
    phone.save()
    assert phone.totals() == [4, 3]
    expect(phone.page.locator("#detail-is-cards")).to_be_checked()  # the way of entry is remembered


def test_tapping_a_placed_card_again_takes_it_back(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    bid(phone, "bidder-is-1", "bid-is-2", "trump-is-H")
    by_way(phone, "cards")
    place(phone, "A", "AS")
    expect(phone.page.locator(".tally .num").first).to_have_text("4")
    phone.tap("#at-AS-is-")
    expect(phone.page.locator(".tally .num").first).to_have_text("0")
    phone.tap("#at-AS-is-A")
    place(phone, "B", "AS")  # directly onto another pile
    assert phone.page.locator(".tally .num").all_inner_texts() == ["0", "4"]


def test_taps_quicker_than_the_answers_all_count(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    by_way(phone, "cards")
    phone.page.locator("#pile-is-A").tap()
    for card in ("AS", "KS", "QS", "JS", "TS"):
        phone.page.locator(f"#at-{card}-is-A").tap()
    tap_all(phone.page, "pile-is-B", "at-AD-is-B")
    expect(phone.page.locator(".tally .num").first).to_have_text("20")
    expect(phone.page.locator(".tally .num").last).to_have_text("4")


@pytest.mark.slow
def test_cards_by_keyboard(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    by_way(phone, "cards")
    page = phone.page
    page.locator("#at-AS-is-").focus()
    page.keyboard.press("ArrowRight")  # from "not placed", the last choice, around to the first pile
    phone._settle("#hand")
    expect(page.locator("#at-AS-is-A")).to_be_checked()
    expect(page.locator("#at-AS-is-A")).to_be_focused()
    expect(page.get_by_role("group", name="Ace of spades").get_by_role("radio", name="Team A")).to_be_checked()


@pytest.mark.slow
def test_the_bidding_by_keyboard(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    phone.tap("#by_seat-is-on")
    page = phone.page
    page.locator("#call-is-pass").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        phone._settle("#hand")
    expect(page.locator("#turn")).to_have_text("Di to bid")
    expect(page.locator("#call-is-pass")).to_be_focused()


def test_a_revoke_is_named_and_one_tap_leads_back(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    bid(phone, "bidder-is-1", "bid-is-2")
    by_way(phone, "play")
    for card in ("AH", "8H", "AD", "AC", "KH", "7H"):
        phone.tap(f"#play-{card}")
    expect(phone.page.locator("#turn-to-play")).to_have_text("Trick 2: Cy to play")
    before = phone.page.locator("#hand-cards").bounding_box()
    phone.tap("#play-2H")
    expect(phone.page.get_by_role("alert")).to_have_text(
        "Cy has a heart (2♥︎), but played A♦︎ when hearts were led in trick 1."
    )
    assert phone.page.locator("#hand-cards").bounding_box() == before
    phone.tap("#go-back")
    expect(phone.page.locator("#turn-to-play")).to_have_text("Trick 1: Cy to play")
    expect(phone.page.locator("#trump-is-H")).to_be_checked()


def test_cards_played_quicker_than_the_answers_come(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    bid(phone, "bidder-is-1", "bid-is-2")
    by_way(phone, "play")
    for card in SWEPT:
        phone.page.locator(f"#play-{card}").tap()
    expect(phone.says).to_have_text("Ann bid 2, took 4: +4. Nobody else scored. Ann and Cy lead 4 to 0.")
    assert phone.page.locator("input[name=plays]").input_value().split() == SWEPT
    phone.tap("#take-back")
    expect(phone.page.locator("#turn-to-play")).to_have_text("Trick 6: Di to play")


# Rows of the cards to play that contain more than one suit.
SUITS_IN_ONE_ROW = """() => {
  const rows = new Map();
  for (const { id, offsetTop } of document.querySelectorAll("#hand-cards [id^=play-]"))
    if (id[5] !== "X") rows.set(offsetTop, (rows.get(offsetTop) ?? new Set()).add(id.at(-1)));
  return [...rows.values()].map((suits) => [...suits].join("")).filter((suits) => suits.length > 1);
}"""


def test_eight_cards_of_a_suit_are_in_one_row_and_names_are_whole_words(phone: Phone) -> None:
    phone.start_game("west-michigan-5", ("Ann", "Bartholomew", "Priscilla", "Joe", "Theodora"))
    by_way(phone, "play")
    for width in (390, 360):
        phone.page.set_viewport_size({"width": width, "height": 640})
        assert (
            len({box["y"] for card in "AKQJT982" if (box := phone.page.locator(f"#play-{card}S").bounding_box())}) == 1
        )
        assert small_targets(phone.page) == []
        assert phone.page.evaluate(BROKEN, "#trick .name") == []


@pytest.mark.parametrize(("rules", "players", "teams"), TABLES)
def test_every_way_stays_in_sight_and_nothing_jumps(phone: Phone, rules: str, players: int, teams: int | None) -> None:
    """Layouts change with the way of entry, and the bid folds with its last tap; cards and calls shift nothing."""
    phone.start_game(rules, LONG[:players], teams=teams)
    page = phone.page
    bid(phone, "bidder-is-1", "bid-is-3")
    if page.locator("#called-is-AS").count():
        bid(phone, "called-is-AS", "partner-is-2")
    by_way(phone, "cards")
    page.evaluate(WATCH_SHIFTS)
    assert small_targets(page) == []
    pile = page.locator("input[name=pile]").nth(1).get_attribute("value")
    bid(phone, "trump-is-H", f"pile-is-{pile}")
    page.evaluate(SHIFTS)  # discards the shift by folding, which may come long after the tap on a slow server
    bid(phone, f"at-AS-is-{pile}", f"at-KH-is-{pile}")
    assert page.evaluate(SHIFTS) == []
    assert small_targets(page) == []
    assert page.evaluate(TORN) == []
    by_way(phone, "play")
    assert page.evaluate(TORN) == []
    assert page.evaluate(SUITS_IN_ONE_ROW) == []
    columns = "one => getComputedStyle(one).gridTemplateColumns.split(' ').length"
    assert page.locator("#trick").evaluate(columns) <= 4  # with room for "Maximiliane" as a whole
    deck = places(page, "hand-cards")
    bid(phone, "play-AH", "play-QS")
    assert places(page, "hand-cards") == deck  # a complete trick is listed below
    assert small_targets(page) == []
    by_way(phone, "points")
    phone.reopen("call")
    phone.tap("#by_seat-is-on")
    assert page.evaluate(TORN) == []
    if page.locator("#unsay").count():
        rest, unsay, _ = places(page, "call-is-rest", "unsay")
        assert rest == unsay  # in one row
    below = places(page, "ask-trump", "ask-points")[:2]  # except Save, whose sentence may need another line
    passing = page.locator("#call-is-pass")
    if passing.is_enabled():
        phone.tap("#call-is-pass")
    assert places(page, "ask-trump", "ask-points")[:2] == below
    assert small_targets(page) == []
    if passing.is_enabled():
        phone.tap(f"#{page.locator('#bids :enabled').nth(1).get_attribute('id')}")
        low = page.locator("#bids :disabled").first
        expect(low).to_be_hidden()
        assert low.bounding_box()["height"] >= 44  # type: ignore[index]  # keeps its room
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "players"), [("west-michigan-6", 6), ("west-michigan-5", 5), ("shankar", 5)])
def test_axe(phone: Phone, rules: str, players: int) -> None:
    phone.start_game(rules, SIX[:players])
    bid(phone, "bidder-is-1", "bid-is-3", "trump-is-H", "detail-is-cards")
    pile = str(phone.page.locator("input[name=pile]").nth(1).get_attribute("value"))
    place(phone, pile, "AS KH")
    check(phone.page)
    phone.save()
    check(phone.page)  # cards are missing
    by_way(phone, "play")
    bid(phone, *(f"play-{card}" for card in ["AH", "QH", "AD", "AC", "TC", "KC"][: players + 1]))
    check(phone.page)
    by_way(phone, "points")
    phone.reopen("call")
    bid(phone, "by_seat-is-on", "call-is-3", "call-is-pass")
    check(phone.page)
