"""A real browser that trusts the local authority opens the application by a name of the local network."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from playwright.sync_api import Browser, BrowserType, expect

from scorekeeper.serving.certificates import AUTHORITY, read_authority
from tests.browser.axe import check
from tests.browser.phone import SIX, Phone, go
from tests.conftest import PHONE, SCOREKEEPER, environment, free_port, wait_for

pytestmark = pytest.mark.browser

KITCHEN = "kitchen.local"
ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Port and authority certificate of a server started by `scorekeeper run --https`."""
    folder, port = tmp_path_factory.mktemp("https"), free_port()
    settings = {"SCOREKEEPER_HTMX_LOCAL": "1", "SCOREKEEPER_HTTPS_NAMES": KITCHEN}
    command = [*SCOREKEEPER, "run", "--https", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, env=environment(folder, **settings), stdout=subprocess.DEVNULL) as started:
        try:
            wait_for(f"http://127.0.0.1:{port}/https", started)
            authority = folder / "ca.pem"
            found: x509.Certificate = read_authority(folder / "https" / AUTHORITY).certificate
            authority.write_bytes(found.public_bytes(Encoding.PEM))
            yield port, authority
        finally:
            started.terminate()
            started.wait(60)


def start(browser_type: BrowserType, arguments: dict[str, Any], home: Path) -> Browser:
    """Launch a browser with its own certificate store, which resolves KITCHEN to this computer."""
    leads = f"--host-resolver-rules=MAP {KITCHEN} 127.0.0.1"
    return browser_type.launch(
        **arguments | {"args": [*arguments["args"], leads], "env": os.environ | {"HOME": str(home)}}
    )


def trust(home: Path, authority: Path) -> None:
    """Add an authority to the browser's certificate store."""
    certutil = shutil.which("certutil")
    if certutil is None:
        pytest.skip("certutil is not installed (Debian: apt install libnss3-tools)")
    database = home / ".pki" / "nssdb"
    database.mkdir(parents=True)
    of = ["-d", f"sql:{database}"]
    subprocess.run([certutil, *of, "-N", "--empty-password"], check=True)
    subprocess.run([certutil, *of, "-A", "-t", "C,,", "-n", "Scorekeeper", "-i", str(authority)], check=True)


def test_a_phone_that_trusts_the_authority_opens_it_without_a_warning(
    server: tuple[int, Path], browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path: Path
) -> None:
    """From the URL in the terminal's QR code to a saved hand, with a wake lock."""
    port, authority = server
    trust(tmp_path, authority)
    browser = start(browser_type, browser_type_launch_args, tmp_path)
    context = browser.new_context(
        viewport=PHONE, has_touch=True, user_agent=ANDROID, base_url=f"https://{KITCHEN}:{port}"
    )
    page = context.new_page()
    # The headless shell does not grant wake locks by itself.
    session = context.new_cdp_session(page)
    here = session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    session.send("Browser.grantPermissions", {"permissions": ["wakeLockScreen"], "browserContextId": here})

    go(page, f"http://{KITCHEN}:{port}/https")
    expect(page.locator("#trusted")).to_have_text("This device trusts Scorekeeper.")
    expect(page.locator("details[open] > summary")).to_have_text("Android")
    for path in ("https", ""):
        page.get_by_role("link", name="Open Scorekeeper").click()
        expect(page).to_have_url(f"https://{KITCHEN}:{port}/{path}")

    go(page, f"http://{KITCHEN}:{port}/rules/")  # an old bookmark
    expect(page).to_have_url(f"https://{KITCHEN}:{port}/rules/")
    assert page.evaluate("() => isSecureContext")
    assert page.evaluate("async () => (await navigator.serviceWorker.ready).scope") == f"https://{KITCHEN}:{port}/"

    phone = Phone(page)
    phone.start_game("classic", SIX[:4])
    assert page.evaluate("async () => (await navigator.wakeLock.request('screen')).released") is False
    assert all(cookie["secure"] for cookie in context.cookies())
    assert page.url.startswith(f"https://{KITCHEN}:{port}/c/")

    with page.expect_response(re.compile("/live$")) as stream:  # a live page opens its stream
        go(page, page.url.partition("hands/")[0])
    assert stream.value.headers["content-type"].startswith("text/event-stream")
    browser.close()


@pytest.mark.slow
def test_a_phone_that_does_not_is_told_how(
    server: tuple[int, Path], browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path: Path
) -> None:
    port, authority = server
    browser = start(browser_type, browser_type_launch_args, tmp_path)
    page = browser.new_context(viewport=PHONE, user_agent=ANDROID).new_page()
    with page.expect_event("requestfailed"):  # the page's test whether the browser trusts the certificate
        go(page, f"http://{KITCHEN}:{port}/https")
    expect(page.locator("#trusted")).to_be_hidden()
    check(page)
    with page.expect_download() as downloaded:
        page.locator("details[open]").get_by_role("link", name="Download the certificate").click()
    assert downloaded.value.suggested_filename == "scorekeeper.crt"
    found = x509.load_der_x509_certificate(Path(downloaded.value.path()).read_bytes())
    assert found.public_bytes(Encoding.PEM) == authority.read_bytes()
    browser.close()
