"""Rendered pages are cached and shared, with tokens filled in for each browser, until their content changes."""

import re

import pytest
from flask import session as flask_session
from flask_wtf.csrf import validate_csrf

from scorekeeper.database.cache import BoundedCache
from scorekeeper.web.common import page_cache
from scorekeeper.web.common.scope import LINKS_COOKIE
from tests.web.site import Site


@pytest.fixture(params=["score sheet", "next hand", "a hand that was begun", "correction", "club", "standings"])
def address(request, table: Site) -> str:
    """URL of a page that is cached."""
    if request.param in ("club", "standings"):
        table.client.post(table.club + "saved")  # hides the first link, which the page shows until then
        for hand in "123":
            table.post_hand(position=hand)  # 4 points each: the game is over, and the page has a form to play again
        table.client.get(table.game)  # shows the message
        return table.club + ("standings" if request.param == "standings" else "")
    if request.param == "correction":
        table.post_hand()
        table.client.get(table.game)  # shows the message
    if request.param == "a hand that was begun":
        table.preview(bid="4")
    return table.game + {"score sheet": "", "correction": "hands/1/"}.get(request.param, "hands/new")


@pytest.fixture
def drawn(app, monkeypatch):
    """List with one item for each page rendered into the cache, with TESTING off as on a real server."""
    app.config["TESTING"] = False
    app.extensions[page_cache.EXTENSION] = BoundedCache(page_cache.MOST_PAGES)
    times = []
    draw = page_cache._with_placeholders
    monkeypatch.setattr(page_cache, "_with_placeholders", lambda page: times.append(1) or draw(page))
    return times


def tokens(page: str) -> list[str]:
    return re.findall(r'name="(?:csrf_)?token" value="([^"]+)"', page)


def test_the_same_page_is_drawn_once_with_other_tokens(table: Site, drawn, address):
    first, second = (table.client.get(address).text for _ in range(2))
    assert len(drawn) == 1
    assert not {page_cache.CSRF_PLACEHOLDER, page_cache.TOKEN_PLACEHOLDER} & {*tokens(first), *tokens(second)}
    assert page_cache.CSRF_PLACEHOLDER not in first + second
    assert page_cache.TOKEN_PLACEHOLDER not in first + second
    without = [re.sub(r'value="[\w.-]{22,}"', "", text) for text in (first, second)]
    assert without[0] == without[1]
    has_token = not address.endswith(("games/1/", "standings"))  # a form there that must not be sent twice
    assert (tokens(first) != tokens(second)) is has_token


def test_each_browser_has_the_form_token_of_its_own_session(table: Site, drawn, app, address):
    """Two browsers with the same links share a cached page, but not CSRF tokens."""
    own = []
    for number in range(3):
        client = app.test_client()
        client.set_cookie(LINKS_COOKIE, table.client.get_cookie(LINKS_COOKIE).value)
        text = client.get(address).text
        found = {*re.findall(r'name="csrf_token" value="([^"]+)"', text)}
        with client.session_transaction() as session, app.test_request_context():
            flask_session["csrf_token"] = session["csrf_token"]
            for token in found:
                validate_csrf(token)
        assert len(found) == 1, number
        own.append(found.pop())
    assert len(drawn) == 1
    assert len(set(own)) == 3


def test_what_is_sent_along_is_on_nobody_elses_page(table: Site, drawn, address):
    table.client.get(address, data={"csrf_token": "sent-along", "position": "7"})
    table.client.get(f"{address}?from=1")
    assert drawn == []
    assert "sent-along" not in table.client.get(address).text


def test_a_device_is_shown_its_own_colors(table: Site, drawn, address):
    assert 'data-suits="four"' not in table.client.get(address).text
    table.client.post(table.game + "phone", data={"suits": "four"})
    table.client.get(address)  # shows the message
    assert 'data-suits="four"' in table.client.get(address).text
    table.client.post(table.game + "phone", data={"suits": "two"})
    table.client.get(address)
    assert 'data-suits="four"' not in table.client.get(address).text
