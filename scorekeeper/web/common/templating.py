"""What Flask and Jinja do for every page, done with less work: names are looked up, and addresses put together."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import request, templating, url_for

if TYPE_CHECKING:
    from flask import Flask

MOST_KEPT = 4096  # addresses; a game's pages have some thirty


class Environment(templating.Environment):
    """Jinja, with one dictionary of what every template knows.

    Of two that are chained, as it has them, it compares all names each time that a template imports a macro.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **d} if d else self.globals


def init_app(app: Flask) -> None:
    """Goes before whatever uses a template."""
    app.jinja_environment = Environment
    app.jinja_env.globals["url_for"] = _kept_addresses()


def _kept_addresses() -> Any:
    """Flask's `url_for`, which puts each address together once: a page has dozens, and they are the same each time."""

    @lru_cache(MOST_KEPT)
    def kept(_root: str, endpoint: str, **values: Any) -> str:
        return url_for(endpoint, **values)

    def address_of(endpoint: str, **values: Any) -> str:
        if endpoint[0] == "." or any(name[0] == "_" for name in values):
            return url_for(endpoint, **values)  # it follows from the page that is asked for, or from the host
        return kept(request.script_root, endpoint, **values)

    return address_of
