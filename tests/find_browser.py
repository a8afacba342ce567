"""Finds the browser for the tests; as a command, installs Debian's Chromium where it may."""

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


# The other engines, each with the programs that drive it and Debian's packages of them.
ENGINES = {
    "webkit": (
        ("WebKitWebDriver", "xvfb-run", "dbus-run-session"),
        ("webkit2gtk-driver", "python3-gi", "gir1.2-webkit2-4.1", "xvfb", "xauth", "dbus"),
    ),
    "firefox": (("firefox-esr",), ("firefox-esr",)),
}
HOW_TO_GET_ENGINES = {
    engine: f"NOT TESTED in {engine}: it is not installed (Debian: apt install {' '.join(packages)})."
    for engine, (_, packages) in ENGINES.items()
}


def find_engine(engine: str) -> str | None:
    """The path of what drives an engine, or None where any part of it is missing."""
    found = [shutil.which(program) for program in ENGINES[engine][0]]
    return found[0] if all(found) else None


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


def install_engines() -> None:
    """Where everything is tested, in CI, it is tested in every engine."""
    missing = [package for engine, (_, packages) in ENGINES.items() if not find_engine(engine) for package in packages]
    if missing:
        apt_get("update")
        apt_get(*GET, *missing)


def main() -> None:
    if "SCOREKEEPER_BROWSER" not in os.environ and may_install():
        if shutil.which(SHELL) is None:
            install()
        if shutil.which(CERTUTIL) is None:
            install_certutil()
        if os.environ.get("CI"):
            install_engines()
    if find_browser() is None:
        print(HOW_TO_GET_ONE, flush=True)
    for engine, how in HOW_TO_GET_ENGINES.items():
        if find_engine(engine) is None:
            print(how, flush=True)


if __name__ == "__main__":
    main()
