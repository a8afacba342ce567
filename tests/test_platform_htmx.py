"""htmx in a real browser: from the CDN, and the local file when the CDN fails or hangs.

The CDN's responses are mocked by request interception: no request leaves this computer.
"""

import time

import pytest

from scorekeeper.config import DEFAULTS, bundled
from tests.browser.phone import errors_of, go
from tests.conftest import ROOT, serve

CDN = DEFAULTS["HTMX_CDN"]
HTMX = (bundled("static") / DEFAULTS["HTMX_FILE"]).read_bytes()
ALLOWED = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """URL of a page on a server that uses the CDN."""
    with serve(tmp_path_factory.mktemp("cdn"), PYTHONPATH=str(ROOT), SCOREKEEPER_HTMX_LOCAL="0") as url:
        yield url + "/nowhere"


@pytest.fixture
def vendored(page):
    """The list of requests for the local file so far."""
    found = []
    page.on("request", lambda request: found.append(request.url) if "/vendor/htmx" in request.url else None)
    return found


def wait_for_htmx(page):
    """Wait by Python's clock, as the page's clock may be paused."""
    end = time.monotonic() + 60
    while not page.evaluate("() => Boolean(window.htmx)"):
        assert time.monotonic() < end, "htmx is not there"
        time.sleep(0.02)


@pytest.fixture
def still(page):
    """The page's clock, paused, so that no timer fires by itself."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    return page.clock


def works(page):
    """True if an element with htmx attributes works."""
    page.evaluate(
        """() => {
            document.body.innerHTML = '<button hx-get="/elsewhere" hx-target="#here">x</button><p id="here">empty</p>';
            htmx.process(document.body);
        }"""
    )
    page.route("**/elsewhere", lambda route: route.fulfill(body="full", content_type="text/html"))
    page.click("button")
    page.wait_for_function("() => document.getElementById('here').textContent === 'full'")
    return True


def test_htmx_comes_from_the_cdn_without_the_fallback(page, address, vendored, still):
    """Asked for with its hash, and set up for the policy: console errors include CSP violations."""
    asked, complaints = [], errors_of(page)
    page.route(CDN, lambda route: (asked.append(route), route.fulfill(body=HTMX, headers=ALLOWED)))
    go(page, address)
    wait_for_htmx(page)
    script = page.locator(f'script[src="{CDN}"]')
    assert script.get_attribute("integrity") == DEFAULTS["HTMX_INTEGRITY"]
    assert script.get_attribute("crossorigin") == "anonymous"
    still.run_for(1300)  # longer than the fallback's timeout
    still.resume()
    assert len(asked) == 1
    assert vendored == []
    assert page.evaluate("() => htmx.version") == "4.0.1"
    assert page.evaluate("() => htmx.config.includeIndicatorCSS") is False
    assert page.evaluate("() => htmx.config.noSwap") == [204, 304, "5xx"]
    assert page.evaluate("() => document.adoptedStyleSheets.length") == 0
    assert works(page)
    assert [text for text in complaints if "404" not in text] == []


def test_a_cdn_that_is_blocked_is_replaced_without_waiting(page, address, vendored, still):
    page.route(CDN, lambda route: route.abort())
    go(page, address)
    wait_for_htmx(page)
    assert len(vendored) == 1
    still.resume()
    assert works(page)


def test_a_changed_file_at_the_cdn_is_not_run(page, address, vendored):
    page.route(CDN, lambda route: route.fulfill(body="window.htmx = 'evil'", headers=ALLOWED))
    go(page, address)
    wait_for_htmx(page)
    assert page.evaluate("() => htmx.version") == "4.0.1"
    assert len(vendored) == 1


def test_a_cdn_that_hangs_is_replaced_after_a_second_and_does_not_start_htmx_twice(page, address, vendored, still):
    hanging = []
    page.route(CDN, lambda route: hanging.append(route))
    with page.expect_request(CDN):
        go(page, address)  # loads without waiting for the CDN
    still.run_for(900)
    assert vendored == []
    still.run_for(150)
    wait_for_htmx(page)
    assert len(vendored) == 1
    still.resume()
    assert works(page)
    page.evaluate("() => { window.first = window.htmx; }")
    hanging[0].fulfill(body=HTMX, headers=ALLOWED)
    page.wait_for_timeout(500)
    assert page.evaluate("() => window.first === window.htmx")
    assert len(vendored) == 1


@pytest.mark.slow
def test_one_setting_serves_htmx_from_here(page, live_server_url, vendored):
    beyond = []
    page.on("request", lambda request: None if request.url.startswith(live_server_url) else beyond.append(request.url))
    go(page, live_server_url + "/nowhere")
    wait_for_htmx(page)
    assert beyond == []
    assert len(vendored) == 1
    assert works(page)
