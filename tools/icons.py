"""Draw the icons of the installed app: `python -m tools.icons`, after static/icon.svg has changed.

They are committed, so that running the program needs no browser.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.find_browser import find_browser

STATIC = Path(__file__).parent.parent / "static"
ICONS = STATIC / "icons"
GROUND = "#f5f0e5"
# Name, size in pixels, share of it that the card fills, and background: a maskable icon is cut to a circle of 80%.
DRAWN = (
    ("icon-192", 192, 0.94, "transparent"),
    ("icon-512", 512, 0.94, "transparent"),
    ("maskable-192", 192, 0.62, GROUND),
    ("maskable-512", 512, 0.62, GROUND),
    ("apple-touch-icon", 180, 0.74, GROUND),
)


def draw(browser: Browser, name: str, size: int, share: float, ground: str) -> None:
    svg = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(
        f"<body style='margin:0;height:100vh;display:grid;place-items:center;background:{ground}'>"
        f"<img style='width:{share:.0%}' src='data:image/svg+xml;base64,{svg}'>"
    )
    page.screenshot(path=str(ICONS / f"{name}.png"), omit_background=True)
    page.close()


def main() -> int:
    ICONS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for drawn in DRAWN:
            draw(browser, *drawn)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
