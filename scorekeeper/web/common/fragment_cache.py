"""Pieces of a page that are kept once they are drawn.

With a tap, most of a hand's form stays as it was; with a hand, all the others on the score sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from scorekeeper.database.cache import Kept

if TYPE_CHECKING:
    from flask import Flask

TEMPLATE = "macros/pieces.html"
MOST_KEPT = 2048  # of each kind; a piece is a few hundred letters


class HasKey(Protocol):
    """What is drawn, known by all that the drawing follows from."""

    @property
    def key(self) -> Hashable: ...


def init_app(app: Flask) -> None:
    """Let every template call the macros of `TEMPLATE`; their arguments are all that they may depend on."""
    pieces = app.jinja_env.get_template(TEMPLATE).module
    for name in pieces.__dict__:
        macro = getattr(pieces, name)
        if not callable(macro) or not name.startswith(("pick_", "point", "hand_row")):
            continue
        keep = _by_key if name == "hand_row" else lru_cache(MOST_KEPT)
        app.jinja_env.globals[name] = macro if app.debug else keep(macro)


def _by_key(macro: Callable[..., str]) -> Callable[..., str]:
    """The same, found by the `key` of its first argument: what is kept is not even put into words."""
    kept: Kept[str] = Kept(MOST_KEPT)

    def draw(row: HasKey, *rest: Hashable) -> str:
        asked = row.key, *rest
        drawn = kept.get(asked)
        return kept.keep(asked, macro(row, *rest)) if drawn is None else drawn

    return draw
