"""Cache of rendered pages and fragments.

After a hand is saved, several phones request the same page. The key is its path and all data it depends on: what was
read of its game or club, the browser's links, and device settings that the caller adds. Form tokens differ on every
page and are inserted last. In tests every cache hit is rendered again and compared, so a dependency missing from the
key is found.

Most of a form is unchanged by a tap, and most rows of a score sheet by a hand: those fragments are the macros of
`PIECES` and `KEYED_PIECES`, cached by their arguments.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from flask import current_app, g, request, session

from scorekeeper.database.cache import BoundedCache

from .fields import new_token
from .security import FLASHES, MARKED, form_token

if TYPE_CHECKING:
    from flask import Flask

EXTENSION = "page-cache"
MOST_PAGES = 32  # about 50 kB a page; most requests come within seconds
PIECES = "macros/pieces.html"
MOST_PIECES = 2048  # of each kind; a fragment has a few hundred characters
# Macros whose arguments may provide a `cache_key`: see `_cached`.
KEYED_PIECES = {
    "hand_row": PIECES,
    "rule_field": "macros/rule_fields.html",
    "changed_chapters": "macros/rules.html",
}
MOST_LETTERS = 700_000  # for each of them: a thousand rows of score sheets; the rules editor takes 100,000
# Placeholders for tokens in a cached page. Random, so that no name or note can contain one.
CSRF_PLACEHOLDER, TOKEN_PLACEHOLDER = (secrets.token_urlsafe(24) for _ in range(2))


def init_app(app: Flask) -> None:
    """Add the cached macros to the template globals; they may depend on their arguments only."""
    app.extensions[EXTENSION] = BoundedCache[str](MOST_PAGES)
    for name, macro in vars(app.jinja_env.get_template(PIECES).module).items():
        if name.startswith(("pick_", "point", "row_")):
            app.jinja_env.globals[name] = macro if app.debug else lru_cache(MOST_PIECES)(macro)
    for name in KEYED_PIECES:
        macro = partial(_keyed_piece, app, name)
        app.jinja_env.globals[name] = macro if app.debug else _cached(macro)


def _keyed_piece(app: Flask, name: str, *arguments: Hashable) -> str:
    """Call a macro, loading its template on first use."""
    macro: Callable[..., str] = getattr(app.jinja_env.get_template(KEYED_PIECES[name]).module, name)
    return macro(*arguments)


def _cached(macro: Callable[..., str]) -> Callable[..., str]:
    """Memoize a macro by its arguments; an argument with a `cache_key` is represented by that."""
    pieces = BoundedCache[str](MOST_LETTERS, len)

    def draw(*arguments: Hashable) -> str:
        key = tuple([getattr(argument, "cache_key", argument) for argument in arguments])
        return pieces.get_or_make(key, lambda: macro(*arguments))

    return draw


def cached_page(cache_key: Hashable, draw: Callable[[str], str]) -> str:
    """Return the page that `draw` makes with a new form token, cached by `cache_key`.

    Not cached: pages with flash messages, a query string or a request body.
    """
    has_body = request.content_length or "Transfer-Encoding" in request.headers
    if request.query_string or has_body or FLASHES in session:
        return draw(new_token())
    links = tuple([(link.role, link.game) for link in g.access.open])
    key = request.script_root, request.path, links, cache_key
    pages: BoundedCache[str] = current_app.extensions[EXTENSION]
    page = pages.get(key)
    if page is None:
        page = pages.put(key, _with_placeholders(draw))
    elif current_app.testing:
        assert page == _with_placeholders(draw), "a cached page depends on more than its key"  # noqa: S101
    return page.replace(CSRF_PLACEHOLDER, form_token()).replace(TOKEN_PLACEHOLDER, new_token())


def _with_placeholders(draw: Callable[[str], str]) -> str:
    setattr(g, MARKED, CSRF_PLACEHOLDER)
    try:
        return draw(TOKEN_PLACEHOLDER)
    finally:
        g.pop(MARKED)
