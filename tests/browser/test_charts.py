"""Charts in a browser: texts are legible, inside the chart and do not overlap; no axe violations."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import BrowserContext, Page, Route

from scorekeeper.charts import Chart
from tests.browser.axe import TWICE
from tests.browser.phone import go
from tests.charts.samples import all_charts, without_data
from tests.conftest import PHONE, ROOT

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 800}
POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'"
PAGE = """{% from "macros/charts.html" import figure %}<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Charts</title>
<link rel="stylesheet" href="/static/app.css"><link rel="stylesheet" href="/static/charts.css"></head>
<body><main class="wide"><h1>Charts</h1><div class="figures">
{% for name, chart in charts %}{{ figure(chart, name) }}{% endfor %}</div></main></body></html>"""


@cache
def every_chart() -> list[tuple[str, Chart]]:
    drawn = [(name, draw()) for name, draw in all_charts()]
    return drawn + [(f"empty-{index}", chart) for index, chart in enumerate(without_data())]


def fewer_charts() -> list[tuple[str, Chart]]:
    """Return all charts, except all but one of the large ones, which axe takes long for."""
    some = ("empty-0", "places-15-60")
    return [(name, chart) for name, chart in every_chart() if not name[-1].isdigit() or name in some]


# Each text of each chart: its box in units of the SVG, and its font size on the page.
# The box assumes a fixed ascent and descent of letters, whatever the font's line height is.
TEXTS = """() => [...document.querySelectorAll("svg.chart text")].map(text => {
  const svg = text.ownerSVGElement, view = svg.viewBox.baseVal, box = text.getBBox();
  const scale = svg.getBoundingClientRect().width / view.width, em = parseFloat(getComputedStyle(text).fontSize);
  const line = text.getStartPositionOfChar(0).y - view.y;
  return {chart: svg.closest("figure").id, text: text.lastChild.textContent,
    left: box.x, right: box.x + box.width, top: line - .9 * em, bottom: line + .25 * em,
    width: view.width, height: view.height, size: em * scale};
})"""

# The part that is in sight of the row cut by the lower edge of a box.
CUT = """box => {
  const edge = box.getBoundingClientRect().top + box.clientHeight;
  const rows = [...box.querySelectorAll("tr")].map(row => row.getBoundingClientRect());
  const cut = rows.find(row => row.bottom > edge);
  return (edge - cut.top) / cut.height;
}"""

Text = dict[str, Any]


def show(context: BrowserContext, charts: Sequence[tuple[str, Chart]] | None = None) -> tuple[Page, list[str]]:
    """Open a page with charts under the application's CSP; return it, and the list of console messages."""
    templates = Environment(loader=FileSystemLoader(ROOT / "templates"), autoescape=True)
    html = templates.from_string(PAGE).render(charts=charts or every_chart())
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))

    def answer(route: Route) -> None:
        route.fulfill(body=html, content_type="text/html", headers={"Content-Security-Policy": POLICY})

    page.route("**/charts-of-all-kinds", answer)
    go(page, "/charts-of-all-kinds")
    return page, complaints


@pytest.fixture(params=["phone", "wide"])
def shown(request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]) -> tuple[Page, list[str]]:
    page, complaints = show(new_context())
    page.set_viewport_size(PHONE if request.param == "phone" else WIDE)
    return page, complaints


def overlapping(texts: list[Text]) -> list[tuple[str, str, str]]:
    """Return pairs of overlapping texts in one chart; line boxes may overlap by one unit."""
    return [
        (one["chart"], one["text"], other["text"])
        for index, one in enumerate(texts)
        for other in texts[index + 1 :]
        if one["chart"] == other["chart"]
        and min(one["right"], other["right"]) - max(one["left"], other["left"]) > 0.5
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 1
    ]


def test_all_is_legible_inside_of_its_picture_and_apart(shown):
    page, complaints = shown
    texts = page.evaluate(TEXTS)
    assert len(texts) > 400
    outside = [
        (text["chart"], text["text"], text["left"], text["right"], text["top"], text["bottom"])
        for text in texts
        if text["left"] < -1 or text["right"] > text["width"] + 1 or text["top"] < -1 or text["bottom"] > text["height"]
    ]
    assert outside == []
    assert [(text["chart"], text["text"], text["size"]) for text in texts if text["size"] < 11] == []
    assert overlapping(texts) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert complaints == []


def test_letters_of_charts_grow_with_those_of_the_page(new_context):
    page, _ = show(new_context(), every_chart()[:8])
    page.set_viewport_size({"width": 360, "height": 640})
    scrolls = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    charts = page.locator(".figure > .scroll")
    assert charts.evaluate_all(scrolls) == 0
    usual = min(text["size"] for text in page.evaluate(TEXTS))
    page.evaluate(TWICE)
    assert min(text["size"] for text in page.evaluate(TEXTS)) >= 1.8 * usual
    assert charts.evaluate_all(scrolls) == charts.count()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_is_content_and_the_numbers_are_a_tap_away(scheme, new_context):
    page, complaints = show(new_context(color_scheme=scheme), fewer_charts())
    assert page.locator(".figure").count() == len(fewer_charts())
    assert page.locator(".numbers summary").count() == page.locator("svg.chart").count() == len(fewer_charts()) - 1
    figure = page.locator("#places-15-60")
    assert figure.locator("summary").bounding_box()["height"] >= 44
    assert not figure.locator("table").is_visible()
    figure.locator("summary").tap()
    assert figure.locator("tbody tr").count() == 15
    box = figure.locator(".numbers .scroll")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")  # 60 nights: the chart scrolls in its box
    assert 0.25 < box.evaluate(CUT) < 0.75
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert complaints == []


def test_colors_follow_light_and_dark(new_context):
    page, _ = show(new_context(color_scheme="light"))
    stroke = "line => getComputedStyle(line).stroke"
    line = page.locator("#score-teams .s1 .line")
    assert line.evaluate(stroke) == "rgb(31, 78, 140)"  # --a of app.css
    page.emulate_media(color_scheme="dark")
    assert line.evaluate(stroke) == "rgb(147, 187, 245)"


def test_chosen_colors_of_the_reader_win(new_context):
    page, _ = show(new_context(forced_colors="active"))
    ink = page.evaluate("() => getComputedStyle(document.body).color")
    for selector, property in ((".s1 .line", "stroke"), (".s2 .line", "stroke"), (".end", "fill")):
        drawn = page.locator(f"#score-teams {selector}").first
        assert drawn.evaluate(f"one => getComputedStyle(one).{property}") == ink
    dashes = [
        page.locator(f"#score-300 .s{tone} .line").evaluate("one => getComputedStyle(one).strokeDasharray")
        for tone in range(1, 7)
    ]
    assert len(set(dashes)) == 6  # without colors, dashes distinguish the lines
