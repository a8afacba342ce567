"""Finds the browser for the tests; as a command, installs Debian's Chromium where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_GET_ONE = (
    "No browser: the tests marked `browser` are left out. "
    "Install one (Debian: apt install chromium) or name it in SCOREKEEPER_BROWSER."
)


def find_browser() -> str | None:
    """The path of a Chromium, or None."""
    chosen = os.environ.get("SCOREKEEPER_BROWSER")
    if chosen:
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, NAMES)), None)


def may_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install() -> None:
    """Install Debian's Chromium; that it did not work shows in there being none."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"]
    for step in (["apt-get", "update"], command):
        subprocess.run([*step, "-qq"], env=environment, check=False, stdout=subprocess.DEVNULL)


def main() -> None:
    if find_browser() is None and "SCOREKEEPER_BROWSER" not in os.environ and may_install():
        print("Installing Debian's Chromium for the browser tests (the first time only) ...", flush=True)
        install()
    if find_browser() is None:
        print(HOW_TO_GET_ONE, flush=True)


if __name__ == "__main__":
    main()
