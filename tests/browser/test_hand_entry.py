"""Hand entry on a phone: fast, without layout shifts, in view, and with large enough targets."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import BROKEN, TINY, TORN, TWICE
from tests.browser.phone import SIX, Hand, Phone, again, go, to_another_page
from tests.conftest import mostly_slow

pytestmark = pytest.mark.browser

# The formats with the most players, points and sides, with a called partner, and the smallest; others have more room.
FULL = [("west-michigan-6", 6, None), ("west-michigan-5", 5, None), ("shankar", 6, 0), ("shankar", 2, None)]
BETWEEN = [
    *(("west-michigan-4", 4, None), ("shankar", 5, None), ("shankar", 6, 3)),
    *((rules, 4, None) for rules in ("partnership", "double-jack", "classic")),
]
TABLES = mostly_slow([*FULL, *BETWEEN], quick=len(FULL))
LONG = [
    "Bartholomew Featherstonehaugh", "Maximiliane von Hohenlohe", "Christopher-Alexander Jones",
    "Donatella Francesca", "Emmanuelle", "Wilhelmina-Anneliese Pfefferk",
]  # fmt: skip


FOUR = dict.fromkeys(["low", "left_jack", "left_joker", "game"], "B")  # exceptions of seven points


@pytest.mark.parametrize(
    ("rules", "hand", "totals", "taps"),
    mostly_slow(
        [
            ("classic", Hand(1, 3, "H", {"game": "B"}), [3, 1], 5),
            ("west-michigan-6", Hand(1, 3, "H", FOUR), [3, 4], 8),
            ("west-michigan-6", Hand(1, 3, "H", FOUR, ["9C", "2D"]), [3, 4], 10),
            ("west-michigan-6", Hand(1, 3, "H", FOUR, ["8H", "TS"]), [3, 4], 10),
        ],
        quick=3,
    ),
)
def test_a_hand_takes_few_taps(phone: Phone, rules: str, hand: Hand, totals: list[int], taps: int) -> None:
    phone.start_game(rules, SIX[: 4 if rules == "classic" else 6])
    phone.play(hand)
    assert phone.totals() == totals
    assert phone.taps <= taps


# Records layout shifts from now on, except in rows with a checked choice, where letters get bold, and in the bar with
# Save, whose sentence changes with the response and may need another line. The place of Save is tested by `places`, as
# Chromium counts a sticky bar as shifted when the page gets shorter.
WATCH_SHIFTS = """() => { window.shifts = []; new PerformanceObserver(list => {
    const sources = list.getEntries().filter(entry => !entry.hadRecentInput).flatMap(entry => entry.sources);
    const moved = sources.map(({ node }) => node?.closest ? node : node?.parentElement);
    const others = moved.filter(one => !one?.closest(".save, label:has(:checked), .pick:has(:checked)"));
    window.shifts.push(...others.map(one => one?.outerHTML ?? "what is gone"));
  }).observe({type: 'layout-shift', buffered: false}) }"""
SHIFTS = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    done(window.shifts.splice(0));
}, 0))))"""


# Positions of the buttons of the bid.
BUTTONS = """() => [...document.querySelectorAll('.call .pick label')].map(one => {
  const { x, y } = one.getBoundingClientRect();
  return [one.textContent.trim(), x, y + scrollY];
})"""


def places(page: Page, *ids: str) -> list[float]:
    """Return the y of elements on the page, then the y of Save in the window."""
    find = "ids => ids.map(id => document.getElementById(id).getBoundingClientRect().y + scrollY)"
    save = page.locator("#save").bounding_box()
    return [*page.evaluate(find, list(ids)), save["y"]]


@pytest.mark.parametrize(
    ("rules", "players", "teams", "names"),
    mostly_slow([(*FULL[0], SIX), *((*table, LONG) for table in FULL + BETWEEN)], quick=1 + len(FULL)),
)
def test_save_stays_in_sight_and_nothing_jumps(
    phone: Phone, rules: str, players: int, teams: int | None, names: list[str]
) -> None:
    """Folding the bid by its last tap is the only layout shift."""
    phone.start_game(rules, names[:players], teams=teams)
    page = phone.page
    page.evaluate(WATCH_SHIFTS)
    before, buttons = places(page, "ask-trump", "ask-points"), page.evaluate(BUTTONS)
    parts = [name for name in ("bidder", "bid", "called", "partner") if page.locator(f"input[name={name}]").count()]
    for name in parts:
        phone.tap(f"#{page.locator(f'input[name={name}]:enabled').nth(1).get_attribute('id')}")
        assert places(page, "ask-trump", "ask-points") == before
        assert page.evaluate(BUTTONS) == buttons
    assert page.evaluate(SHIFTS) == []
    phone.tap("#trump-is-H")
    folded = places(page, "ask-points")
    assert folded[0] < before[1]
    page.evaluate(SHIFTS)  # discards the shift by folding, which may come long after the tap in a slow browser
    for row in page.locator(".point").all():
        side = row.locator("input").nth(1)
        if side.count():
            phone.tap(f"#{side.get_attribute('id')}")
            assert places(page, "ask-points") == folded
    assert folded[1] == before[2]
    assert page.evaluate(SHIFTS) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def rows_in_reach(page: Page) -> int:
    """Return the number of rows of points that are fully visible without scrolling, and not covered."""
    return int(
        page.evaluate(
            """() => [...document.querySelectorAll('.points .point')].filter(row => {
                 const box = row.getBoundingClientRect();
                 const save = document.querySelector('.save').getBoundingClientRect();
                 const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                 return scrollY === 0 && box.top >= 0 && box.bottom <= save.top + .5 && row.contains(over);
               }).length"""
        )
    )


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => scrollTo(0, 0)")


@pytest.mark.parametrize("names", mostly_slow([LONG, list(SIX), "ABCDEF"]), ids=["long", "short", "letters"])
def test_all_seven_rows_are_in_reach_between_a_browsers_bars(phone: Phone, names: Sequence[str]) -> None:
    phone.start_game("west-michigan-6", names)
    page = phone.page
    resize(page, 390, 664)
    phone.play(Hand(1, 3, "H", {"low": "B"}))
    head = page.locator(".bar").bounding_box()
    assert head and head["y"] == 0
    for name in ("Bid by bid", "All passed"):
        expect(page.get_by_text(name)).to_have_css("font-size", "16px")
    phone.enter(Hand(2, 4, "S", {"game": "A"}))
    assert rows_in_reach(page) == 7
    resize(page, 360, 640)
    assert rows_in_reach(page) >= 5
    resize(page, 390, 664)
    phone.tap("#buried-is-9C", "#buried-is-2D")
    expect(page.locator("#ask-buried .fold")).to_contain_text("Buried 2♦︎, 9♣︎")
    assert rows_in_reach(page) == 7
    resize(page, 360, 640)
    assert rows_in_reach(page) >= 5


@pytest.mark.parametrize(("size", "letters"), [((390, 664), 16), ((360, 640), 32)], ids=["usual", "twice as large"])
@pytest.mark.parametrize("names", mostly_slow([LONG, list(SIX)]), ids=["long", "short"])
def test_what_was_saved_is_said_above_the_bar_and_hides_nothing_one_needs(
    phone: Phone, names: Sequence[str], size: tuple[int, int], letters: int
) -> None:
    page = phone.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    phone.start_game("west-michigan-6", names)
    phone.play(Hand(1, 3, "H", {"low": "B"}))
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
    toast, bar = page.locator(".toast").bounding_box(), page.locator(".save").bounding_box()
    assert abs(toast["y"] + toast["height"] - bar["y"]) <= 1
    for needed in (".bar h1", "#busy", ".scores", *(["#ask-bidder"] if letters == 16 else [])):
        box = page.locator(needed).bounding_box()
        assert box and box["height"] and box["y"] + box["height"] <= toast["y"], needed
    assert page.evaluate("() => document.getElementById('busy').scrollWidth <= innerWidth")
    phone.tap("#bidder-is-6")  # with large letters this needs scrolling
    expect(page.locator(".toast")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(("names", "rows"), [(SIX[:5], 1), (LONG[:5], 2)], ids=["short", "long"])
def test_all_seven_rows_are_in_reach_with_five_players(phone: Phone, names: Sequence[str], rows: int) -> None:
    phone.start_game("west-michigan-5", names)
    phone.play(Hand(1, 3, "H", called="AS", partner=2))
    expect(phone.page.get_by_role("heading", name="Hand 2")).to_be_visible()
    scores = phone.page.locator(".scores")
    assert len({cell.bounding_box()["y"] for cell in scores.locator("li").all()}) == rows  # type: ignore[index]
    assert scores.bounding_box()["height"] <= (48 if rows == 1 else 72)  # type: ignore[index]
    phone.enter(Hand(2, 4, "S", called="AH", partner=3))
    assert rows_in_reach(phone.page) == 7
    phone.reopen("call")
    phone.tap("#ask-partner label:nth-of-type(2)")  # the bidder has it
    expect(phone.page.locator(".call > .fold")).to_contain_text("A♥︎ alone")
    expect(phone.page.locator("#partner-is-none")).to_be_checked()


MIDDLES = """() => {
  const star = new Range(), card = document.querySelector(".points .joker");
  star.selectNode(card.querySelector("span").firstChild);
  return [card, star].map((one) => one.getBoundingClientRect()).map(({ left, right }) => (left + right) / 2);
}"""
NARROWEST = """() => Math.min(...[...document.querySelectorAll(".point > .legend")].flatMap((legend) => {
  legend.style.maxWidth = "7rem";
  legend.style.wordSpacing = "9rem"; // each word in a line of its own
  const said = new Range(), row = legend.parentElement.getBoundingClientRect();
  said.selectNodeContents(legend.lastElementChild);
  const { top, bottom } = said.getBoundingClientRect();
  return [top - row.top, row.bottom - bottom];
}))"""


# The least share that the last line has of the longest one, for sentences from 160 to 260 pixels wide.
LAST_LINE = """(says) => {
  const shares = [], range = document.createRange();
  range.selectNodeContents(says);
  for (let width = 160; width <= 260; width += 4) {
    says.style.width = `${width}px`;
    const lines = {};
    for (const { top, left, right } of range.getClientRects()) {
      const [from, to] = lines[Math.round(top)] ?? [left, right];
      lines[Math.round(top)] = [Math.min(from, left), Math.max(to, right)];
    }
    const widths = Object.keys(lines).map(Number).sort((a, b) => a - b).map((top) => lines[top][1] - lines[top][0]);
    shares.push(widths.at(-1) / Math.max(...widths));
  }
  return Math.min(...shares);
}"""


def test_no_half_of_a_score_stands_alone_in_the_last_line_beside_save(phone: Phone) -> None:
    phone.start_game("pidro", SIX[:4])
    phone.tap("#bidder-is-3", "#bid-is-14", "#trump-is-D")
    expect(phone.says).to_have_text("Cy bid 14, took 14: +14. Nobody else scored. Ann and Cy lead 14 to 0.")
    assert phone.says.evaluate(LAST_LINE) > 0.3


def test_six_bidders_are_three_and_three_and_each_part_has_its_place(phone: Phone) -> None:
    phone.start_game("west-michigan-6", ("Ruth", "Gordon", "Marv", "Lois", "Pete", "Annika"))
    page = phone.page
    resize(page, 390, 664)
    tops = [label.bounding_box()["y"] for label in page.locator("#ask-bidder .seat").all()]  # type: ignore[index]
    assert sorted(Counter(map(round, tops)).values()) == [3, 3]
    tops = [label.bounding_box()["y"] for label in page.locator("#ask-dealer .pick label").all()]  # type: ignore[index]
    assert sorted(Counter(map(round, tops)).values()) == [3, 3]
    card, star = page.evaluate(MIDDLES)
    assert star == pytest.approx(card, abs=1)
    page.locator("#count-A").focus()
    expect(page.locator("#count-A")).to_have_css("outline-style", "solid")
    expect(page.locator("label:has(#count-A)")).to_have_css("outline-style", "none")
    assert page.evaluate(NARROWEST) >= 0


def test_what_has_folded_opens_again_with_one_tap(phone: Phone) -> None:
    phone.start_game("west-michigan-6", SIX)
    page = phone.page
    phone.enter(Hand(1, 4, "H"))
    resize(page, 360, 640)
    phone.tap("#unfold-is-all")
    bar = page.locator(".save").bounding_box()
    phone.tap("#buried-is-9C")
    expect(page.locator("#warnings")).to_have_text("1 of 2 buried cards tapped.")
    assert page.locator(".save").bounding_box() == bar  # covers no more of the other cards
    phone.tap("#buried-is-2D")
    expect(page.locator("#warnings")).to_have_text("Did Ann’s team take all 7?")
    for part, inside in (("call", "#bid-is-5"), ("buried", "#buried-is-9C")):
        expect(page.locator(inside)).to_be_hidden()
        phone.tap(f"#unfold-is-{part}")
        expect(page.locator(inside)).to_be_visible()
    phone.tap("#bid-is-5")
    expect(page.locator("#bid-is-5")).to_be_visible()  # stays open for more changes
    phone.tap("#unfold-is-call")
    expect(page.locator(".call > .fold")).to_contain_text("Ann 5 ♥︎")
    expect(page.locator("#bid-is-5")).to_be_hidden()


ACES = ["#called-is-AS", "#called-is-AH", "#called-is-AD", "#called-is-AC"]


@pytest.mark.parametrize("signal", ["here", "none", *mostly_slow(["no script"], 0)])
def test_a_called_ace_is_one_tap_and_stays_asked_when_the_bid_has_folded(
    phone: Phone, new_context: Callable[..., BrowserContext], signal: str
) -> None:
    if signal == "no script":
        phone = Phone(new_context(java_script_enabled=False).new_page(), script=False)
    page = phone.page
    resize(page, 360, 640)
    phone.start_game("west-michigan-5", SIX[:5])
    if signal == "none":
        go(page, page.url.replace("/new", "/offline"))
    for one in (*ACES, "#called-is-KS"):
        expect(page.locator(one)).to_be_in_viewport(ratio=1, timeout=4000)
    expect(page.locator("#called-is-9D")).not_to_be_in_viewport()
    phone.tap("#bidder-is-1", "#bid-is-4", "#trump-is-H")
    if signal == "no script":
        phone.press("Show result")
    expect(page.locator(".call > .fold")).to_contain_text("Ann 4 ♥︎")
    expect(page.locator("#ask-bidder, #ask-bid, #ask-trump").locator("visible=true")).to_have_count(0)
    expect(page.locator(".call > .fold .suit.red")).to_have_text("♥︎")
    for one in (*ACES, "#called-is-KH", "#partner-is-2"):
        expect(page.locator(one)).to_be_in_viewport(ratio=1, timeout=4000)
    more = page.locator("#ask-called .unfold")
    expect(more).to_contain_text("other", use_inner_text=True)
    phone.tap("#unfold-is-called")
    expect(more).to_contain_text("fewer", use_inner_text=True)
    page.locator("#called-is-9D").scroll_into_view_if_needed()
    phone.tap("#called-is-9D")
    expect(page.locator("#ask-partner")).to_be_visible()
    phone.tap("#called-is-AC", "#partner-is-2")
    if signal == "no script":
        phone.press("Show result")
    expect(page.locator(".call > .fold")).to_contain_text(re.compile(r"Ann\s+4 ♥︎\s*A♣︎ with Bo"))
    expect(page.locator("#ask-called, #ask-partner").locator("visible=true")).to_have_count(0)
    phone.tap("#unfold-is-call")
    expect(page.locator("#ask-bidder, #ask-called, #ask-partner").locator("visible=true")).to_have_count(3)
    if signal == "here":  # and gone now
        page.context.set_offline(True)
        page.locator("#partner-is-3").tap()
        expect(page.locator(".call > .fold .shut").first).to_have_text("Ann 4 ♥︎ A♣︎ Cy")


@pytest.mark.parametrize(("rules", "players", "teams"), TABLES)
def test_everything_to_tap_is_at_least_44_pixels(phone: Phone, rules: str, players: int, teams: int | None) -> None:
    phone.start_game(rules, LONG[:players], teams=teams)
    phone.enter(Hand(1, 3, "H"))
    assert phone.page.evaluate(TORN) == []
    assert phone.page.evaluate(TINY) == []
    figures = phone.page.locator(".scores .num").evaluate_all("all => all.map((one) => getComputedStyle(one).fontSize)")
    assert set(figures) == {"32px"}
    for width in (390, 360):
        phone.page.set_viewport_size({"width": width, "height": 844})
        assert small_targets(phone.page) == []


def small_targets(page: Page) -> list[Any]:
    """Return name, width and height of targets below 44 pixels."""
    return page.evaluate(
        """() => [...document.querySelectorAll('a, button, input:not([type=hidden]), summary')]
             .filter(e => e.checkVisibility() && !e.closest('.vh') && !e.classList.contains('vh'))
             .map(e => [e.id || e.textContent.trim(), (e.closest('label') || e).getBoundingClientRect()])
             .filter(([name, box]) => box.width < 43.99 || box.height < 43.99)
             .map(([name, box]) => [name, box.width, box.height])"""
    )


# Backgrounds of the labels of inputs.
COLORS = "ids => ids.map(id => getComputedStyle(document.getElementById(id).closest('label')).backgroundColor)"


def test_points_follow_the_bidder_until_somebody_touches_them_and_show_in_forced_colors(phone: Phone) -> None:
    phone.start_game("west-michigan-6", SIX)
    phone.enter(Hand(1, 4, "H", {"left_jack": "B"}))
    expect(phone.says).to_have_text("Ann bid 4, took 6: +6. Bo’s team +1. Ann’s team leads 6 to 1.")
    phone.reopen("call")
    phone.tap("#bidder-is-2")
    expect(phone.says).to_have_text("Bo bid 4, took 7: +7. Nobody else scored. Bo’s team leads 7 to 0.")
    phone.tap("#bidder-is-1")
    expect(phone.says).to_have_text("Ann bid 4, took 6: +6. Bo’s team +1. Ann’s team leads 6 to 1.")
    phone.page.emulate_media(forced_colors="active")
    for chosen, other in (("bidder-is-1", "bidder-is-3"), ("point-high-is-A", "point-high-is-B")):
        colors = phone.page.evaluate(COLORS, [chosen, other])
        assert colors[0] != colors[1], chosen


def test_a_slow_answer_never_undoes_a_later_tap(phone: Phone) -> None:
    phone.start_game("west-michigan-6", SIX)
    page = phone.page
    for selector in ("#bidder-is-1", "#bid-is-4", "#bid-is-5", "#trump-is-H", "#point-low-is-B", "#point-game-is-B"):
        page.locator(selector).tap()  # before the responses arrive
    expect(phone.says).to_have_text("Ann bid 5, took 5: +5. Bo’s team +2. Ann’s team leads 5 to 2.")
    expect(page.locator("#bid-is-5")).to_be_checked()
    expect(page.locator("#point-low-is-B")).to_be_checked()


@pytest.mark.slow
def test_the_keyboard_is_enough(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    page = phone.page
    page.locator("#bidder-is-1").focus()
    for key in ("Space", "Tab", "ArrowRight", "Tab", "ArrowRight", "ArrowRight"):  # Ann; the second bid; the third suit
        page.keyboard.press(key)
        phone._settle("#hand")
    expect(page.locator("#trump-is-D")).to_be_focused()  # the bid folds when the focus leaves it
    page.keyboard.press("Tab")
    expect(page.locator("#ask-trump")).to_be_hidden()
    expect(page.locator(".call > .fold .shut").first).to_have_text("Ann")
    expect(phone.says).to_have_text("Ann bid 3, took 4: +4. Nobody else scored. Ann and Cy lead 4 to 0.")
    page.locator("#save").focus()
    with to_another_page(page):
        page.keyboard.press("Enter")
    assert phone.totals() == [4, 0]


def test_enter_in_a_count_never_saves(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    phone.enter(Hand(1, 3, "H"))
    phone.page.locator("#count-A").fill("30")
    with to_another_page(phone.page):
        phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    expect(phone.page.locator("#count-A")).to_have_value("30")


CUT = """selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()
  && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)).map(one => one.textContent)"""

# Texts whose letters, such as É, reach above their element, which cuts them.
CUT_ABOVE = """selector => {
  const pen = document.createElement("canvas").getContext("2d"), range = document.createRange();
  return [...document.querySelectorAll(selector)].filter((one) => {
    range.selectNodeContents(one);
    const { top, height } = range.getClientRects()[0];
    pen.font = `100px ${getComputedStyle(one).fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below, actualBoundingBoxAscent: letters } =
      pen.measureText(one.textContent);
    return top + (above - letters) / (above + below) * height < one.getBoundingClientRect().top - 0.5;
  }).map((one) => one.textContent);
}"""
# Pairs of overlapping elements, by their texts.
OVERLAPS = """parts => {
  const boxes = parts.flatMap((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const lines = part.matches(".took") ? [...range.getClientRects()] : [part.getBoundingClientRect()];
    return lines.map((box) => ({ part, box }));
  });
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => one.part !== other.part
    && Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 6
    && Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 6)
    .map((other) => `${one.part.textContent} / ${other.part.textContent}`));
}"""


@pytest.mark.slow
def test_one_word_of_sixty_letters_leaves_the_rows_in_reach(phone: Phone) -> None:
    """The sentence beside Save says Team A if the name would fill the bar; the question stays beside Save."""
    phone.start_game("west-michigan-6", ["A" * 60, *SIX[1:]])
    page = phone.page
    resize(page, 390, 664)
    phone.enter(Hand(1, 4, "H"))
    assert rows_in_reach(page) == 7
    assert page.locator(".call > .fold .suit").bounding_box()["x"] < 390 - 60  # type: ignore[index]
    expect(page.locator("#says")).to_have_text(
        f"{'A' * 15}… bid 4, took 7: +7. Nobody else scored. Team A leads 7 to 0."
    )
    expect(page.locator("#warnings")).to_have_text("Did Team A take all 7?")
    assert page.locator(".save").bounding_box()["height"] <= 80  # type: ignore[index]
    assert page.evaluate(CUT, "#says, #warnings") == []


@pytest.mark.slow
def test_partners_of_sixty_letters_are_named_beside_save_on_the_sheet_and_on_the_board(phone: Phone) -> None:
    """Long names that begin alike are shortened so that they differ, short names never; no elements overlap."""
    of_the = "Ann Cholmondeley-Featherstonehaugh of the {} Valley"
    phone.start_game("west-michigan-5", ["W" * 60, "Bo", of_the.format("Upper"), of_the.format("Lower"), "Cy"])
    page = phone.page
    resize(page, 360, 640)
    phone.play(Hand(1, 4, "H", partner=2))
    phone.tap("#bidder-is-3", "#bid-is-4", "#trump-is-H", "#partner-is-4")
    both = ("Ann…Upper", "Ann…Lower")
    said = f"{both[0]} and {both[1]} bid 4, took 7: +7. Nobody else scored. Now {both[0]} 7, {both[1]} 7."
    expect(page.locator("#says")).to_have_text(said)
    expect(page.locator("#warnings")).to_have_text("Did Ann…Upper and Ann…Lower take all 7?")
    assert page.evaluate(CUT, "#says, #warnings") == []
    phone.save()
    go(page, page.url.partition("hands/")[0])
    assert page.evaluate(CUT, ".scroll") == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    go(page, page.url + "board")
    for width, height in ((390, 664), (1280, 720)):
        resize(page, width, height)
        parts = page.locator(".last .says > *, .last .next > *, .took, .join")
        assert page.evaluate(OVERLAPS, parts.element_handles()) == []
        cut = page.evaluate(CUT, ".name, .next")
        assert all(name.lstrip().startswith(("Ann", "An…", "WWW")) for name in cut), cut
        expect(page.locator(".took")).to_contain_text("Ann…Upper and Ann…Lower: High, Low")


LOST_TEN = """() => document.querySelectorAll(".scores .num").forEach((one) => {
  one.textContent = "−5";
  one.insertAdjacentHTML("afterend", '<span class="last">−10</span>');
})"""


@pytest.mark.parametrize(
    ("rules", "players"), mostly_slow([("west-michigan-6", 6), ("west-michigan-5", 5), ("shankar", 3)])
)
def test_a_first_name_of_eleven_letters_is_never_cut(phone: Phone, rules: str, players: int) -> None:
    """Two who share one are told apart on the buttons of points, too."""
    first = "Christopher Moss, Christopher Bell" if rules == "shankar" else "Ann, Bartholomew"
    phone.start_game(rules, (*first.split(", "), "Éric", "Deirdre", "Évangéline", "Flo")[:players])
    expect(phone.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    if rules == "west-michigan-6":
        phone.page.evaluate(LOST_TEN)
    elif rules == "west-michigan-5":
        for _ in range(2):  # −14: the figures of five scores are smaller beside eleven letters
            phone.play(Hand(2, 7, "S", {"low": "defending"}, called="AS", partner="none"))
    for width in (390, 360):
        resize(phone.page, width, 664)
        assert phone.page.evaluate(CUT, ".scores .names, #ask-bidder .name, .bar .soft, .seg .name") == []
        assert phone.page.evaluate(BROKEN, ".scores .names, #ask-bidder .name") == []
        assert phone.page.evaluate(CUT_ABOVE, ".scores .names") == []


def test_the_sentence_beside_save_is_not_cut_without_script(new_context: Callable[..., BrowserContext]) -> None:
    """The button "Show result" takes room beside the sentence, so the bar grows."""
    phone = Phone(new_context(java_script_enabled=False).new_page(), script=False)
    resize(phone.page, 360, 640)
    phone.start_game("classic", SIX[:4])
    phone.tap("#bidder-is-1", "#bid-is-3", "#trump-is-H", "#point-jack-is-B")
    phone.press("Show result")
    said = "Ann bid 3, took 3: +3. Bo and Di +1. Ann and Cy lead 3 to 1."
    expect(phone.page.locator("#says")).to_have_text(said)
    assert phone.page.locator("#says").evaluate("one => getComputedStyle(one).display") == "block"


@pytest.mark.slow
def test_nobody_is_said_in_full_beside_five_names(phone: Phone) -> None:
    """Six choices of a partner fit into one row, before the bidder is known. Also with letters twice as large."""
    phone.start_game("west-michigan-5", ("Ann", "Bob", "Cy", "Di", "Ed"))
    expect(phone.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    for width in (390, 360):
        resize(phone.page, width, 664)
        assert phone.page.evaluate(CUT, "#ask-partner .name") == [], width
    hand = phone.page.url
    game = hand.partition("hands/")[0]
    phone.page.context.new_cdp_session(phone.page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    for address in (hand, game, f"{game}rules", f"{game}../../"):
        go(phone.page, address)
        assert phone.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 362, address
        assert phone.page.evaluate(BROKEN, ".facts th") == [], address


def test_with_letters_twice_as_large_names_and_the_question_have_their_room(phone: Phone) -> None:
    phone.start_game("classic", SIX[:4])
    page = phone.page
    resize(page, 390, 664)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    again(page)
    expect(page.locator("#says")).to_have_text("Who bid? Tap a name.")
    assert page.evaluate(CUT, ".scores .names, #says") == []
    expect(page.locator(".scores li").last).to_have_css("border-left-width", "0px")  # in a row of its own
    for part in page.locator(".scores .names, .save .says").all():
        assert part.bounding_box()["width"] >= 110  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("by", mostly_slow(["style sheet", "setting"]))
def test_with_letters_twice_as_large_the_bar_leaves_most_of_the_page_and_says_all(phone: Phone, by: str) -> None:
    phone.start_game("partnership", ("Ann", "Bartholomew", "Priscilla", "Joe"), target=4)
    page = phone.page
    resize(page, 360, 640)
    if by == "setting":
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    else:
        page.evaluate(TWICE)
    assert page.evaluate("document.documentElement.scrollWidth") == 360  # with "smudge" among the bids
    assert page.evaluate(BROKEN, ".scores .names, .pick .name, h1") == []
    phone.enter(Hand(1, 4, "H"))
    said = "Ann bid 4, took 4: +4. Nobody else scored. Ann and Priscilla win, 4 to 0!"
    expect(phone.says).to_have_text(said)
    expect(page.locator("#warnings")).to_have_text("Did Ann and Priscilla take all 4?")
    assert page.evaluate(CUT, "#says, #warnings, .bar .soft") == []
    expect(phone.says).to_have_css("overflow-x", "visible")  # many fonts draw a J to the left of its line
    assert page.locator(".save").bounding_box()["height"] <= 640 * 0.45  # type: ignore[index]
    assert small_targets(page) == []


@pytest.mark.slow
def test_many_bids_take_several_rows(phone: Phone) -> None:
    """Pedro Sancho has bids of 1 to 18, and hands without a bid."""
    phone.start_club()
    go(phone.page, f"{phone.page.url}games/new?rules=pedro-sancho&players=5")
    for seat, name in enumerate(SIX[:5], 1):
        phone.page.locator(f"#name-{seat}").fill(name)
    phone.press("Deal")
    expect(phone.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    for width in (390, 360):
        resize(phone.page, width, 664)
        assert phone.page.evaluate(CUT, "#ask-bid label") == [], width
        assert phone.page.evaluate("document.documentElement.scrollWidth") == width
        boxes = [label.bounding_box() for label in phone.page.locator("#ask-bid label").all()]
        assert len(boxes) == 19
        assert min(box["width"] for box in boxes if box) >= 44, width
    phone.play(Hand(1, 18, "H"))
    assert phone.totals() == [18, 18, 0, 0, 0]  # Ann took all 18; Bob, left of the dealer, sold the hand for 18


OVERLAPPING = """() => {
  const all = [...document.querySelectorAll('#hand :is(label, button, summary)')]
    .filter(one => one.checkVisibility() && !one.matches('.vh') && !one.closest('.tiles, .save'));
  const by = (one, other, start, end) => {
    const [a, b] = [one, other].map(found => found.getBoundingClientRect());
    return Math.min(a[end], b[end]) - Math.max(a[start], b[start]);
  };
  return all.flatMap((one, place) => all.slice(place + 1)
    .filter(other => by(one, other, 'left', 'right') > 1 && by(one, other, 'top', 'bottom') > 1)
    .map(other => `${one.textContent.trim()} and ${other.textContent.trim()}`));
}"""


def test_what_unfolds_cards_lies_on_nothing_else(phone: Phone) -> None:
    page = phone.page
    six, five = ("unfold-is-all", "bidder-is-1", "bid-is-4", "trump-is-H"), ("unfold-is-called", "unfold-is-all")
    for rules, players, taps in (("west-michigan-6", 6, six), ("west-michigan-5", 5, (*six[1:], *five))):
        phone.start_game(rules, SIX[:players])
        for tap in taps:
            phone.tap(f"#{tap}")
            for width in (390, 360):
                resize(page, width, 664)
                assert page.evaluate(OVERLAPPING) == [], (rules, tap, width)


LETTERS = "() => parseFloat(getComputedStyle(document.querySelector('#ask-bidder .name')).fontSize)"


@pytest.mark.parametrize(
    ("rules", "players"),
    [("west-michigan-6", 6), *mostly_slow([("west-michigan-5", 5), ("classic", 4), ("shankar", 5)], 1)],
)
def test_names_are_whole_words_and_grow_with_the_letters(phone: Phone, rules: str, players: int) -> None:
    """In the scores, on seats, piles, points, in the bidding and in the play, on a laptop, too; with letters twice as
    large also the head of the bidding or of the play.

    Only a word that is longer than the page is broken, and makes it no wider.
    """
    names = ("Bartholomew Featherstonehaugh", "Uncle Frank", "Christopher", "W" * 60, "Theodora", "Wilhelmina")
    phone.start_game(rules, names[:players])
    page = phone.page
    browser = page.context.new_cdp_session(page)
    for way in ("#detail-is-points", "#by_seat-is-on", "#detail-is-cards", "#detail-is-play"):
        if way != "#detail-is-points":
            phone.tap(way)
        sizes = []
        for letters in (16, 32):
            browser.send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
            for width in (1280, 390, 360):
                resize(page, width, 640)
                shown = ".scores .names, .pick .name, .calls .name, .seg .name, b.turn"
                broken = [word for word in page.evaluate(BROKEN, shown) if not word.startswith("WWW")]
                assert broken == [], (way, letters, width)
                assert letters == 16 or page.evaluate(CUT, ".scores .names") == [], (way, width)
                assert page.evaluate("document.documentElement.scrollWidth") == width, (way, letters)
                sizes.append(page.evaluate(LETTERS) if way == "#detail-is-points" else letters)
        assert sizes[-1] >= 1.9 * sizes[2], sizes
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": 16}})
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    go(page, page.url.partition("hands/")[0])
    assert [word for word in page.evaluate(BROKEN, ".scores .names, h1") if not word.startswith("WWW")] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
