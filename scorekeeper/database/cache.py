"""What is kept between requests: found by all that it follows from, and never more than so much of it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

Made = TypeVar("Made")


class Kept(dict[Hashable, Made]):
    """A cache of at most `most` entries; the oldest one is dropped first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keep(self, asked: Hashable, made: Made) -> Made:
        """Keep what was made for that, and give it back."""
        self[asked] = made
        for oldest in list(self)[: -self.most]:  # a list: other threads put theirs in meanwhile
            self.pop(oldest, None)
        return made
