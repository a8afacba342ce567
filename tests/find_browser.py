"""Find a browser for the tests; as a command, install Debian's Chromium where permitted."""

import os
import shutil
import subprocess
import sys

# Chromium without its window code: the same pages for a third of the CPU time.
SHELL = "chromium-headless-shell"
FULL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CERTUTIL = "certutil"  # adds an authority to the browser's certificate store, for the HTTPS test
HOW_TO_GET_ONE = (
    "No browser: the tests marked `browser` are left out. "
    "Install one (Debian: apt install chromium-headless-shell) or name it in SCOREKEEPER_BROWSER."
)


# The other engines: the programs that drive each, and their Debian packages.
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
    """Return the path of an engine's driver; None if any of its programs is missing."""
    found = [shutil.which(program) for program in ENGINES[engine][0]]
    return found[0] if all(found) else None


def find_browser(*, full: bool = False) -> str | None:
    """Return the path of Chromium, or None; `full` prefers one that can open windows."""
    chosen = os.environ.get("SCOREKEEPER_BROWSER")
    if chosen:
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, (*FULL, SHELL) if full else (SHELL, *FULL))), None)


def may_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_get(*arguments: str) -> None:
    """Run apt-get; errors are ignored, as the caller checks whether there is a browser."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", *arguments, "-qq"], env=environment, check=False, stdout=subprocess.DEVNULL)


GET = ("install", "--yes", "--no-install-recommends")


def install() -> None:
    """Install the headless shell, or the full browser if Debian has no shell."""
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
    """Install the other engines, in which CI runs browser tests too."""
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
