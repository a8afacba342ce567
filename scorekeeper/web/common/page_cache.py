"""Whole pages and pieces of pages that are kept as they were drawn.

After a hand is saved, several phones ask for the same page. It is found by its address and all that it follows from:
what was read of its game or its club, which links let the browser in, and what the caller adds of its device. What no
two pages have in common, the tokens of their forms, is filled in last. Tests draw a page that is kept once more, each
time, and compare: whoever forgets what a page follows from is told.

With a tap, most of a form stays as it was, and with a hand all the others on the score sheet: those pieces are the
macros of `PIECES` and `KEYED_PIECES`, found by their arguments.
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
MOST_PAGES = 32  # a page is some 50 kB, and is mostly asked for within seconds
PIECES = "macros/pieces.html"
MOST_PIECES = 2048  # of each kind; a piece is a few hundred letters
# Of these an argument may say by what it is known: see `_cached`.
KEYED_PIECES = {
    "hand_row": PIECES,
    "rule_field": "macros/rule_fields.html",
    "changed_chapters": "macros/rules.html",
}
MOST_LETTERS = 2_000_000  # of each of those: the editor of rules has 100,000
# What a drawn page has where a token belongs. Nobody can know them, so no name and no note is taken for one.
FORM, NEW = (secrets.token_urlsafe(24) for _ in range(2))


def init_app(app: Flask) -> None:
    """Let every template call these macros; their arguments are all that they may depend on."""
    app.extensions[EXTENSION] = BoundedCache[str](MOST_PAGES)
    for name, macro in vars(app.jinja_env.get_template(PIECES).module).items():
        if name.startswith(("pick_", "point")):
            app.jinja_env.globals[name] = macro if app.debug else lru_cache(MOST_PIECES)(macro)
    for name in KEYED_PIECES:
        macro = partial(_keyed_piece, app, name)
        app.jinja_env.globals[name] = macro if app.debug else _cached(macro)


def _keyed_piece(app: Flask, name: str, *arguments: Hashable) -> str:
    """A macro of a template that is read when it is first drawn."""
    macro: Callable[..., str] = getattr(app.jinja_env.get_template(KEYED_PIECES[name]).module, name)
    return macro(*arguments)


def _cached(macro: Callable[..., str]) -> Callable[..., str]:
    """A macro drawn once for the same arguments; one with a `cache_key` is known by it, and not even put into words."""
    pieces = BoundedCache[str](MOST_LETTERS, len)

    def draw(*arguments: Hashable) -> str:
        key = tuple([getattr(argument, "cache_key", argument) for argument in arguments])
        return pieces.get_or_make(key, lambda: macro(*arguments))

    return draw


def cached_page(follows_from: Hashable, draw: Callable[[str], str]) -> str:
    """What `draw` makes of a new token for its forms, drawn once for everything that it follows from.

    A page with a message, or one that was asked for with anything in its address or sent along, is drawn for itself.
    """
    has_body = request.content_length or "Transfer-Encoding" in request.headers
    if request.query_string or has_body or FLASHES in session:
        return draw(new_token())
    links = tuple([(link.role, link.game) for link in g.access.open])
    key = request.script_root, request.path, links, follows_from
    pages: BoundedCache[str] = current_app.extensions[EXTENSION]
    page = pages.get(key)
    if page is None:
        page = pages.put(key, _with_marks(draw))
    elif current_app.testing:
        assert page == _with_marks(draw), "a page follows from more than it is kept by"  # noqa: S101
    return page.replace(FORM, form_token()).replace(NEW, new_token())


def _with_marks(draw: Callable[[str], str]) -> str:
    setattr(g, MARKED, FORM)
    try:
        return draw(NEW)
    finally:
        g.pop(MARKED)
