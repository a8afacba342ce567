"""Finds the browser for the tests; as a command, installs Debian's Chromium where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# Chromium without the parts for a window: the same pages for a third of the processor time.
SHELL = "chromium-headless-shell"
FULL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CERTUTIL = "certutil"  # puts an authority into the browser's list, for the test of HTTPS
HOW_TO_GET_ONE = (
    "No browser: the tests marked `browser` are left out. "
    "Install one (Debian: apt install chromium-headless-shell) or name it in SCOREKEEPER_BROWSER."
)


def find_browser(*, full: bool = False) -> str | None:
    """The path of a Chromium, or None; `full` prefers one that can open a window."""
    chosen = os.environ.get("SCOREKEEPER_BROWSER")
    if chosen:
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, (*FULL, SHELL) if full else (SHELL, *FULL))), None)


def may_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_get(*arguments: str) -> None:
    """Run apt-get; that it did not work shows in there being no browser."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", *arguments, "-qq"], env=environment, check=False, stdout=subprocess.DEVNULL)


GET = ("install", "--yes", "--no-install-recommends")


def install() -> None:
    """Install the shell; the full browser where there is neither and Debian has no shell."""
    get = (*GET, "fonts-dejavu-core")
    if find_browser() is None:
        print("Installing Debian's Chromium for the browser tests (the first time only) ...", flush=True)
        apt_get("update")
    apt_get(*get, SHELL)
    if find_browser() is None:
        apt_get(*get, "chromium")


def install_certutil() -> None:
    apt_get("update")
    apt_get(*GET, "libnss3-tools")


def main() -> None:
    if "SCOREKEEPER_BROWSER" not in os.environ and may_install():
        if shutil.which(SHELL) is None:
            install()
        if shutil.which(CERTUTIL) is None:
            install_certutil()
    if find_browser() is None:
        print(HOW_TO_GET_ONE, flush=True)


if __name__ == "__main__":
    main()
