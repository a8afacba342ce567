"""What a club's table costs the server after a thousand, twenty thousand and a million hands; and a bare page.

The table is asked for as it is seen for the first time after a game (nothing of it is kept), and again.
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
    """A club with so many hands, and its table."""

    def __init__(self, stack: ExitStack, make: Make, hands: int) -> None:
        with servers.place(make, f"table_{hands}") as url:
            key, self.hands = club.make_club(url, hands)
            cookie = links_cookie(servers.scorekeeper_page(), f"/c/{key}/")
            self.browser = servers.Browser(stack.enter_context(servers.served("scorekeeper_page")), cookie)
        self._url = f"/c/{key}/standings"
        self._club = create_engine(database_url(url))

    def again(self) -> None:
        """The page, of which nothing has changed since it was asked for last."""
        self.browser.ask("GET", self._url)

    def mark_changed(self) -> None:
        """Let it be as after a game: what was kept of the table does not hold any more."""
        with self._club.begin() as connection:
            connection.execute(text("UPDATE club SET books = books + 1"))


@contextmanager
def tables(make: Make) -> Iterator[tuple[list[Table], servers.Browser]]:
    """A club of each size, and a browser of a bare page of as many rows as the table has."""
    os.environ["SCOREKEEPER_BENCH_ROWS"] = str(club.PLAYERS)
    with ExitStack() as stack:
        clubs = [Table(stack, make, hands) for hands in SIZES]
        with servers.place(make, "rows"):
            bare = servers.Browser(stack.enter_context(servers.served("bare_page")))
        yield clubs, bare
