"""Axe checks of a page in light and dark, and checks for known differences between browser engines."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Light and dark differ only in colors, so the dark run is limited to these rules, which saves most of its time.
OF_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# Visible legends of fieldsets with flex or grid layout: WebKit gives such a legend its own row.
TORN = """() => [...document.querySelectorAll("fieldset > legend")].filter((legend) => {
  const { display } = getComputedStyle(legend.parentElement), { position, display: own } = getComputedStyle(legend);
  return /flex|grid/.test(display) && position !== "absolute" && own !== "none";
}).map((legend) => legend.textContent)"""
# Fields with a font below 16 pixels: Safari on phones zooms into them.
SMALL = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((field) => !["hidden", "radio", "checkbox"].includes(field.type))
  .map((field) => [field.id || field.name, parseFloat(getComputedStyle(field).fontSize)])
  .filter(([, size]) => size < 16)"""
# Texts below 12 pixels.
TINY = """() => [...document.querySelectorAll("body :not(script, style, noscript, template, option)")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && one.checkVisibility()
    && !one.closest(".vh, svg"))
  .map((one) => [one.textContent.trim().slice(0, 30), parseFloat(getComputedStyle(one).fontSize)])
  .filter(([, size]) => size < 12)"""
# Controls that a double tap would zoom into; a radio lies over its label.
ZOOMED = """() => [...document.querySelectorAll("a, button, input, label, select, summary, textarea")]
  .filter((one) => getComputedStyle(one).touchAction !== "manipulation").map((one) => one.outerHTML)"""
# Controls less than 44 pixels high; the target of an input is its label, if it has one around it.
LOW = """() => [...document.querySelectorAll(`a.button, .tabs a, .links a, .list a, .above .quiet, .toggle, .choice,
  .pick label, button, input, select, summary`)].filter((one) => one.checkVisibility() && !one.closest(".vh")
  && (one.closest("label") || one).getBoundingClientRect().height < 43.9).map((one) => one.outerHTML)"""
FITS = "() => document.documentElement.scrollWidth <= innerWidth"  # no horizontal scrolling
# Words in more than one line, hyphens of the name's own aside, and where each is.
BROKEN = """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => one.checkVisibility() ?
  [...one.firstChild.data.matchAll(/[^\\s-]+/g)].filter((word) => {
    const range = new Range();
    range.setStart(one.firstChild, word.index);
    range.setEnd(one.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size > 1;
  }).map((word) => `${word[0]} in ${one.closest("[id]")?.id}`) : [])"""
# Letters twice as large by a style sheet of the user, which `rem` in media queries does not follow.
TWICE = "() => { document.documentElement.style.fontSize = '200%'; }"
_axe = Axe()


def check(page: Page) -> None:
    """Run all checks in light, and those on colors in dark. The page stays in dark."""
    page.wait_for_load_state()  # a click returns before the next page is loaded
    page.wait_for_function("() => !document.querySelector('.htmx-request, [hx-trigger=load]')")  # no pending requests
    assert page.evaluate(FITS), f"{page.url} is too wide"
    for odd in (TORN, SMALL, TINY, ZOOMED, LOW):
        assert page.evaluate(odd) == [], page.url
    for scheme, options in (("light", None), ("dark", OF_COLORS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        results = _axe.run(page, options=options)
        assert results.violations_count == 0, f"{page.url} in {scheme}\n{results.generate_report()}"
