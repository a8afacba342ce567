"""What all pages of a season, or of all games, have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from flask import g, request, url_for

from scorekeeper.models import Season
from scorekeeper.services import seasons
from scorekeeper.stats import archive
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.season_pages import SeasonPages
from scorekeeper.web.common.scope import find_season
from scorekeeper.web.wording.column_sentences import anchor
from scorekeeper.web.wording.season_sentences import span

from .filter import TableFilter
from .table import keep

ALL_TIME = "All time"


class SeasonPage:
    """What all pages of a season, or of all games, have: `tab` ends the address, `name` is the text of the tab.

    Each page has `games`, too: how many games or what else it shows, in words.
    """

    tab: ClassVar[str]
    name: ClassVar[str]
    template: ClassVar[str]
    pages: ClassVar[Sequence[type[SeasonPage]]] = ()  # all there are: see pages.py

    def __init__(self, season_id: int | None) -> None:
        self.season: Season | None = find_season(season_id) if season_id else None
        self.filter = TableFilter(g.club, self.season, request.args)
        self.choice = self.filter.choice
        self.home = url_for("clubs.show", key=g.club.key)
        self.top = f"{self.home}seasons/{self.season.id}/" if self.season else f"{self.home}standings"

    @property
    def title(self) -> str:
        return self.season.name if self.season else ALL_TIME

    @cached_property
    def scheme(self) -> Scheme:
        return seasons.scheme_of(self.season) if self.season else self.filter.scheme

    @property
    def tabs(self) -> list[tuple[str, str, bool]]:
        """Where each page is, its name, and whether it is this one."""
        end = self.filter.address
        return [(f"{self.address_of(page.tab)}{end}", page.name, page.tab == self.tab) for page in self.pages]

    @property
    def here(self) -> str:
        return self.address_of(self.tab)

    def address_of(self, tab: str) -> str:
        return self.top if not tab else f"{self.top.rstrip('/')}/{tab}"

    def meaning_of(self, section: str, name: str) -> str:
        """The address of what a column means; the same on every page of the club."""
        return f"{self.home}standings/columns#{anchor(section, name)}"

    @property
    def when(self) -> str:
        return span(self.season) if self.season else ""

    @property
    def is_closed(self) -> bool:
        return self.season is not None and self.season.closed_at is not None

    @cached_property
    def is_frozen(self) -> bool:
        """Whether the page is shown as it was when the season was closed."""
        return self.is_closed and not self.filter.is_on

    @cached_property
    def kept(self) -> SeasonPages | None:
        """What was kept of the season when it was closed."""
        season = self.season if self.is_frozen else None
        if season is None or season.pages is None:
            return None
        kept = season.pages
        return keep(g.club, ("kept pages", season.id, season.closed_at), lambda: archive.read(kept))
