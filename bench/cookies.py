"""Cookies of the benchmarks' browsers: a link of the club, and cookies from responses."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask

from scorekeeper.web.common.scope import LINKS_COOKIE
from tests.web.phones import let_in, phone


def links_cookie(app: Flask, *addresses: str) -> str:
    """Return the cookie of a browser that manages the clubs at these addresses, on a server with the key of `app`."""
    browser = phone(app, addresses[0])
    for address in addresses[1:]:
        let_in(browser, address)
    held = browser.get_cookie(LINKS_COOKIE)
    assert held, "no link was taken"
    return f"{LINKS_COOKIE}={held.value}"


def with_new(cookie: str, given: Iterable[str]) -> str:
    """Return the Cookie header after a response with these Set-Cookie headers."""
    kept = dict(pair.partition("=")[::2] for pair in cookie.split("; ") if pair)
    kept |= dict(told.partition(";")[0].partition("=")[::2] for told in given)
    return "; ".join(f"{name}={value}" for name, value in kept.items())
