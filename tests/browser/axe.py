"""What axe objects to on a page, in light and in dark, and what another engine would draw as nobody meant it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Light and dark differ in nothing but their colors, so these are all that can differ: most of a run is the others.
OF_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# The legends in sight of fieldsets that are a flex box or a grid: WebKit gives such a legend a row of its own.
TORN = """() => [...document.querySelectorAll("fieldset > legend")].filter((legend) => {
  const { display } = getComputedStyle(legend.parentElement), { position, display: own } = getComputedStyle(legend);
  return /flex|grid/.test(display) && position !== "absolute" && own !== "none";
}).map((legend) => legend.textContent)"""
# Fields with letters smaller than 16 pixels: Safari on a phone zooms into them.
SMALL = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((field) => !["hidden", "radio", "checkbox"].includes(field.type))
  .map((field) => [field.id || field.name, parseFloat(getComputedStyle(field).fontSize)])
  .filter(([, size]) => size < 16)"""
# Words smaller than 12 pixels.
TINY = """() => [...document.querySelectorAll("body :not(script, style, noscript, template, option)")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && one.checkVisibility()
    && !one.closest(".vh, svg"))
  .map((one) => [one.textContent.trim().slice(0, 30), parseFloat(getComputedStyle(one).fontSize)])
  .filter(([, size]) => size < 12)"""
# What is tapped and would be zoomed into by a second tap; a radio lies over its label.
ZOOMED = """() => [...document.querySelectorAll("a, button, input, label, select, summary, textarea")]
  .filter((one) => getComputedStyle(one).touchAction !== "manipulation").map((one) => one.outerHTML)"""
_axe = Axe()


def check(page: Page) -> None:
    """Everything in light; in dark, what depends on colors. The page is left in dark."""
    page.wait_for_load_state()  # a click waits for another page to begin, not for all of it
    page.wait_for_function("() => !document.querySelector('.htmx-request, [hx-trigger=load]')")  # all of it has come
    for odd in (TORN, SMALL, TINY, ZOOMED):
        assert page.evaluate(odd) == [], page.url
    for scheme, options in (("light", None), ("dark", OF_COLORS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        results = _axe.run(page, options=options)
        assert results.violations_count == 0, f"{page.url} in {scheme}\n{results.generate_report()}"
