"""What a club's table costs the server after a thousand, twenty thousand and a million hands; and a bare page.

The table is asked for as it is seen for the first time after a game (nothing of it is kept), and again.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from . import club, servers

SIZES = (1_000, 20_000, 1_000_000)


class Table:
    """A club with so many hands, and its table."""

    def __init__(self, stack: ExitStack, hands: int) -> None:
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        key, self.hands = club.make_club(self.folder, hands)
        self._url = f"/c/{key}/standings"
        self._club = stack.enter_context(sqlite3.connect(self.folder / "scorekeeper.sqlite"))

    def serve(self, stack: ExitStack) -> None:
        os.environ[servers.FOLDER] = str(self.folder)
        self._browser = servers.Browser(stack.enter_context(servers.served("scorekeeper_page")))

    def again(self) -> None:
        """The page, of which nothing has changed since it was asked for last."""
        self._browser.ask("GET", self._url)

    def mark_changed(self) -> None:
        """Let it be as after a game: what was kept of the table does not hold any more."""
        self._club.execute("UPDATE club SET books = books + 1")
        self._club.commit()


@contextmanager
def tables() -> Iterator[tuple[list[Table], Callable[[], object]]]:
    """A club of each size, and a bare page of as many rows as the table has."""
    os.environ["SCOREKEEPER_BENCH_ROWS"] = str(club.PLAYERS)
    with ExitStack() as stack:
        clubs = [Table(stack, hands) for hands in SIZES]
        for one in clubs:
            one.serve(stack)
        bare = servers.Browser(stack.enter_context(servers.served("bare_page")))
        yield clubs, lambda: bare.ask("GET", "/")
