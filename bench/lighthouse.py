"""Lighthouse, mobile profile, on the main pages: medians of three runs beside their goals.

`make lighthouse` needs Node; `npx` downloads Lighthouse 12, unless LIGHTHOUSE names an installed one. The exit status
is 1 if a goal is missed.
"""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from scorekeeper.models import MANAGE, SCORE
from scorekeeper.services import links
from tests.find_browser import HOW_TO_GET_ONE, find_browser

from . import servers

RUNS = 3
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
MOST_REQUESTS = 6  # of hand entry until it is loaded; bench.taps measures its bytes
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip


def join(link: str, profile: Path) -> None:
    """Join a club like a user, by a link and one tap; `profile` keeps the browser's cookies."""
    with sync_playwright() as playwright:
        browser = find_browser(full=True)
        context = playwright.chromium.launch_persistent_context(profile, executable_path=browser, args=FLAGS)
        page = context.new_page()
        page.goto(link)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/c/**")
        context.close()


def lighthouse(url: str, profile: Path) -> dict[str, Any]:
    """Return Lighthouse's report of a first visit: it clears the browser's storage, except cookies."""
    command = shlex.split(os.environ.get("LIGHTHOUSE", "npx --yes lighthouse@12"))
    flags = " ".join(("--headless", *FLAGS, f"--user-data-dir={profile}"))
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        output = ["--quiet", "--output=json", f"--output-path={file.name}", f"--chrome-flags={flags}"]
        environment = os.environ | {"CHROME_PATH": str(find_browser(full=True))}
        subprocess.run([*command, url, *output], check=True, env=environment)
        found: dict[str, Any] = json.load(file)
    return found


def numbers(found: Mapping[str, Any]) -> dict[str, float]:
    """Extract category scores (of 100), bytes, requests until loaded, all requests, layout shift and blocking time."""
    audits = found["audits"]
    loaded = audits["metrics"]["details"]["items"][0]["observedLoad"]
    requests = audits["network-requests"]["details"]["items"]
    scores = {name: 100 * found["categories"][name]["score"] for name in CATEGORIES}
    return scores | {
        "bytes": audits["total-byte-weight"]["numericValue"],
        "requests": sum(request["rendererStartTime"] < loaded for request in requests),
        "all requests": len(requests),
        "shift": audits["cumulative-layout-shift"]["numericValue"],
        "blocked": audits["total-blocking-time"]["numericValue"],
    }


def missed(found: Mapping[str, Any]) -> list[str]:
    """Return the audits without a full score."""
    audits = {
        reference["id"]: found["audits"][reference["id"]]
        for name in CATEGORIES
        for reference in found["categories"][name]["auditRefs"]
        if reference["weight"]
    }
    return [
        f"{name}: {audit['score']:g} {audit.get('displayValue', '')}".rstrip()
        for name, audit in audits.items()
        if audit["score"] is not None and audit["score"] < 1
    ]


def measure(name: str, url: str, profile: Path) -> bool:
    """Print the medians of a page, and imperfect audits of the last run; return True if the goals are met."""
    found = [lighthouse(url, profile) for _ in range(RUNS)]
    runs = [numbers(one) for one in found]
    middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    met = all(middle[key] == 100 for key in CATEGORIES) and middle["shift"] == 0
    if name == "hand entry":
        met = met and middle["requests"] <= MOST_REQUESTS
    scores = " / ".join(f"{middle[key]:.0f}" for key in CATEGORIES)
    requests = f"{middle['requests']:.0f} requests, {middle['all requests']:.0f} with those that follow"
    rest = f"{middle['bytes'] / 1000:.1f} kB in {requests}, shift {middle['shift']:g}"
    blocked = f"blocked {middle['blocked']:.0f} ms"
    print(f"{name:<12} {scores}   {rest}, {blocked}   {'met' if met else 'MISSED'}", flush=True)
    if not met:
        print(*(f"    {line}" for line in missed(found[-1])), sep="\n", flush=True)
    return met


def main() -> int:
    """Measure the pages of a club with a game of nine hands."""
    if find_browser() is None:
        print(HOW_TO_GET_ONE, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        with servers.club_in(folder) as bench:
            club, to_show = f"/c/{bench.key}", links.secret_to_show(links.make(bench, SCORE, "Bo"))
            to_join = links.secret_to_show(links.make(bench, MANAGE, "Lighthouse"))
        addresses = {
            "hand entry": f"{club}/games/1/hands/new",
            "score sheet": f"{club}/games/1/",
            "board": f"{club}/games/1/board",
            "standings": f"{club}/standings",
            "players": f"{club}/players/",
            "links": f"{club}/links/",
            "join": f"/l/{to_show}",
            "rules": f"{club}/games/1/rules",
            "ask": f"{club}/games/1/rules/ask",
            "editor": f"{club}/edit-rules/game-1",
            "rule sets": "/rules/",
            "first page": "/",
        }
        with servers.served("scorekeeper_page") as keeper:
            base, profile = f"http://localhost:{keeper.port}", Path(folder, "browser")
            join(f"{base}/l/{to_join}", profile)
            met = [measure(name, base + path, profile) for name, path in addresses.items()]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
