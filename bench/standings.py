"""Server cost of a club's standings after a thousand, twenty thousand and a million hands, relative to a bare page.

The standings are requested as seen first after a game (with empty caches), and again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import create_engine, text

from scorekeeper.database.session import database_url

from . import club, servers
from .cookies import links_cookie
from .databases import Make

SIZES = (1_000, 20_000, 1_000_000)


class Table:
    """A club of that size, and its standings."""

    def __init__(self, stack: ExitStack, make: Make, hands: int) -> None:
        with servers.place(make, f"table_{hands}") as url:
            key, self.hands = club.make_club(url, hands)
            cookie = links_cookie(servers.scorekeeper_page(), f"/c/{key}/")
            self.browser = servers.Browser(stack.enter_context(servers.served("scorekeeper_page")), cookie)
        self._url = f"/c/{key}/standings"
        self._club = create_engine(database_url(url))

    def again(self) -> None:
        """Request the page when nothing has changed since the last request."""
        self.browser.ask("GET", self._url)

    def mark_changed(self) -> None:
        """Invalidate cached standings, as a game does."""
        with self._club.begin() as connection:
            connection.execute(text("UPDATE club SET books = books + 1"))


@contextmanager
def tables(make: Make) -> Iterator[tuple[list[Table], servers.Browser]]:
    """Yield a club of each size, and a browser of a bare page with as many rows as the standings."""
    os.environ["BENCH_ROWS"] = str(club.PLAYERS)
    with ExitStack() as stack:
        clubs = [Table(stack, make, hands) for hands in SIZES]
        with servers.place(make, "rows"):
            bare = servers.Browser(stack.enter_context(servers.served("bare_page")))
        yield clubs, bare
