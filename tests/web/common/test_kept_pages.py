"""A page is drawn once for all who ask for the same, each with tokens of their own, and anew whenever it says more."""

from __future__ import annotations

import re

import pytest
from flask import session as flask_session
from flask_wtf.csrf import validate_csrf

from scorekeeper.web.common import kept_pages
from scorekeeper.web.common.held import COOKIE
from tests.web.site import Site

PAGES = ("", "hands/new")


@pytest.fixture
def drawn(app, monkeypatch):
    """How many pages were drawn to be kept, as a server that is not tested does it."""
    app.config["TESTING"] = False
    app.extensions[kept_pages.EXTENSION].clear()
    times = []
    draw = kept_pages._with_marks
    monkeypatch.setattr(kept_pages, "_with_marks", lambda page: times.append(1) or draw(page))
    return times


def tokens(page: str) -> list[str]:
    return re.findall(r'name="(?:csrf_)?token" value="([^"]+)"', page)


@pytest.mark.parametrize("page", PAGES)
def test_the_same_page_is_drawn_once_with_other_tokens(table: Site, drawn, page):
    first, second = (table.client.get(table.game + page).text for _ in range(2))
    assert len(drawn) == 1
    assert not {kept_pages.FORM, kept_pages.NEW} & {*tokens(first), *tokens(second)}
    assert kept_pages.FORM not in first + second
    assert kept_pages.NEW not in first + second
    without = [re.sub(r'value="[\w.-]{22,}"', "", text) for text in (first, second)]
    assert without[0] == without[1]
    assert tokens(first) != tokens(second)


@pytest.mark.parametrize("page", PAGES)
def test_each_browser_has_the_form_token_of_its_own_session(table: Site, drawn, app, page):
    """The same links let in two browsers; what is drawn for the first has no token that the second could not send."""
    own = []
    for number in range(3):
        client = app.test_client()
        client.set_cookie(COOKIE, table.client.get_cookie(COOKIE).value)
        text = client.get(table.game + page).text
        found = {*re.findall(r'name="csrf_token" value="([^"]+)"', text)}
        with client.session_transaction() as session, app.test_request_context():
            flask_session["csrf_token"] = session["csrf_token"]
            for token in found:
                validate_csrf(token)
        assert len(found) == 1, number
        own.append(found.pop())
    assert len(drawn) == 1
    assert len(set(own)) == 3


@pytest.mark.parametrize("page", PAGES)
def test_what_is_sent_along_is_on_nobody_elses_page(table: Site, drawn, page):
    table.client.get(table.game + page, data={"csrf_token": "sent-along", "position": "7"})
    table.client.get(f"{table.game}{page}?from=1")
    assert drawn == []
    assert "sent-along" not in table.client.get(table.game + page).text


@pytest.mark.parametrize("page", PAGES)
def test_a_device_is_shown_its_own_colors(table: Site, drawn, page):
    assert 'data-suits="four"' not in table.client.get(table.game + page).text
    table.client.post(table.game + "phone", data={"suits": "four"})
    table.client.get(table.game + page)  # with the message
    assert 'data-suits="four"' in table.client.get(table.game + page).text
    table.client.post(table.game + "phone", data={"suits": "two"})
    table.client.get(table.game + page)
    assert 'data-suits="four"' not in table.client.get(table.game + page).text
