"""What the benches' browsers carry: a link of the club that they ask for, and the cookies that they were given."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask

from scorekeeper.web.common.scope import LINKS_COOKIE
from tests.web.phones import let_in, phone


def links_cookie(app: Flask, *addresses: str) -> str:
    """The cookie of a browser that manages the clubs with these addresses, on a server with the key of `app`."""
    browser = phone(app, addresses[0])
    for address in addresses[1:]:
        let_in(browser, address)
    held = browser.get_cookie(LINKS_COOKIE)
    assert held, "no link was taken"
    return f"{LINKS_COOKIE}={held.value}"


def with_new(cookie: str, given: Iterable[str]) -> str:
    """The cookies of a request as one line, after an answer has given these."""
    kept = dict(pair.partition("=")[::2] for pair in cookie.split("; ") if pair)
    kept |= dict(told.partition(";")[0].partition("=")[::2] for told in given)
    return "; ".join(f"{name}={value}" for name, value in kept.items())
