"""Whole pages that are kept as they were drawn: after a hand is saved, several phones ask for the same one.

A page is found by its address and all that it follows from: what was read of its game or its club, which links let the
browser in, and what the caller adds of its device. What no two pages have in common, the tokens of their forms, is
filled in last. Tests draw a page that is kept once more, each time, and compare: whoever forgets what a page follows
from is told.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from flask import current_app, g, request, session

from scorekeeper.database.cache import Kept

from .security import MARKED, form_token
from .sessions import FLASHES
from .tokens import new_token

if TYPE_CHECKING:
    from flask import Flask

EXTENSION = "kept-pages"
MOST_KEPT = 32  # a page is some 50 kB, and is mostly asked for within seconds
# What a drawn page has where a token belongs. Nobody can know them, so no name and no note is taken for one.
FORM, NEW = (secrets.token_urlsafe(24) for _ in range(2))


def init_app(app: Flask) -> None:
    app.extensions[EXTENSION] = Kept[str](MOST_KEPT)


def kept_page(follows_from: Hashable, draw: Callable[[str], str]) -> str:
    """The page `draw(token)` renders, cached by `follows_from`; tokens are filled in later.

    A page with a message, or one that was asked for with anything in its address or sent along, is drawn for itself.
    """
    has_body = request.content_length or "Transfer-Encoding" in request.headers
    if request.query_string or has_body or FLASHES in session:
        return draw(new_token())
    links = tuple([(link.role, link.game) for link in g.access.open])
    known = request.script_root, request.path, links, follows_from
    pages: Kept[str] = current_app.extensions[EXTENSION]
    page = pages.get(known)
    if page is None:
        page = pages.keep(known, _with_marks(draw))
    elif current_app.testing:
        assert page == _with_marks(draw), "a page follows from more than it is kept by"  # noqa: S101
    return page.replace(FORM, form_token()).replace(NEW, new_token())


def _with_marks(draw: Callable[[str], str]) -> str:
    setattr(g, MARKED, FORM)
    try:
        return draw(NEW)
    finally:
        g.pop(MARKED)
