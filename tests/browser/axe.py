"""What axe objects to on a page, in light and in dark."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Light and dark differ in nothing but their colors, so these are all that can differ: most of a run is the others.
OF_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
_axe = Axe()


def check(page: Page) -> None:
    """Everything in light; in dark, what depends on colors. The page is left in dark."""
    page.wait_for_load_state()  # a click waits for another page to begin, not for all of it
    for scheme, options in (("light", None), ("dark", OF_COLORS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        results = _axe.run(page, options=options)
        assert results.violations_count == 0, f"{page.url} in {scheme}\n{results.generate_report()}"
