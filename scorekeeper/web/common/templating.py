"""What Flask and Jinja do for every page, done with less work: names are looked up, and addresses put together."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import Flask, has_request_context, request, templating

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

MOST_KEPT = 4096  # addresses; a game's pages have some thirty


class Environment(templating.Environment):
    """Jinja, with one dictionary of what every template knows.

    Of two that are chained, as it has them, it compares all names each time that a template imports a macro.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **d} if d else self.globals


class Application(Flask):
    """Flask, with addresses that are put together once: a page has dozens, and they are the same each time."""

    jinja_environment = Environment

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)

        @lru_cache(MOST_KEPT, typed=True)
        def kept(_root: str, endpoint: str, **values: Any) -> str:
            return Flask.url_for(self, endpoint, **values)

        self._kept_address = kept

    def url_for(self, /, endpoint: str, **values: Any) -> str:
        """The address of a view; put together anew where it follows from the page that is asked for, or from the host.

        Flask's own `url_for` calls this with a None for each of its settings.
        """
        plain = {name: value for name, value in values.items() if name[0] != "_" or value is not None}
        if endpoint[0] == "." or not has_request_context() or any(name[0] == "_" for name in plain):
            return super().url_for(endpoint, **plain)
        return self._kept_address(request.script_root, endpoint, **plain)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """What is called for a request: as it is, for no view is a coroutine. Flask would look each time."""
        return func
