"""Which games a table is about: those of a season, or all, narrowed by rules, table, time and who was there."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from urllib.parse import urlencode

from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from scorekeeper.database.session import db
from scorekeeper.models import Club, GameGroup, Player, Season
from scorekeeper.stats.query import Choice, in_season
from scorekeeper.stats.schemes import BY, LADDER, WINS, Scheme
from scorekeeper.web.common.words import listed
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.season_sentences import SCHEMES

from .game_filter import GameFilter, Option

ORDERS = tuple(by for by in BY if by != LADDER)  # a ladder is one season's
ADDRESS = ("rules", "table", "from", "to")


class TableFilter(GameFilter):
    """The filter of a season's games, or of all games; without a choice it makes no query."""

    def __init__(self, club: Club, season: Season | None, args: MultiDict[str, str]) -> None:
        self.season = season
        self.there = list(dict.fromkeys(text.strip() for text in args.getlist("there") if text.strip()))
        self.by = args.get("by", "").strip() if season is None else ""
        self.opened = "narrow" in args
        super().__init__(club, {name: args.get(name, "") for name in ADDRESS})

    @cached_property
    def seasons(self) -> list[Option]:
        """None to choose from: the address names it."""
        return []

    @cached_property
    def people(self) -> list[Option]:
        mine = select(Player.id, Player.name).where(Player.club_id == self.club.id).order_by(Player.name)
        return [Option(str(number), name) for number, name in db.session.execute(mine)]

    @cached_property
    def _groups(self) -> list[GameGroup]:
        mine = select(GameGroup).where(GameGroup.club_id == self.club.id)
        asked = mine if self.season is None else mine.where(in_season(self.season.id))
        return list(db.session.scalars(asked))

    @property
    def is_on(self) -> bool:
        """Whether some games are left out."""
        return bool(any(self.typed.values()) or self.there)

    @property
    def is_past_night(self) -> bool:
        """Whether all games up to a day are looked at, and nothing else is left out."""
        return not self.errors and not self.there and [name for name, text in self.typed.items() if text] == ["to"]

    def _read(self) -> Choice:
        if self.by and self.by not in ORDERS:
            self.errors["by"] = say.ORDER_LISTED
        choice = super()._read() if self.is_on else Choice()
        here = self.season.id if self.season else None
        return replace(choice, season_id=here, present=self._present())

    def _present(self) -> frozenset[int]:
        known = {option.value for option in self.people} if self.there else set()
        if not known.issuperset(self.there):
            self.errors["there"] = say.PLAYERS_LISTED
        return frozenset(int(text) for text in self.there if text in known)

    @property
    def scheme(self) -> Scheme:
        """How the table of all games is made up."""
        return Scheme(by=self.by if self.by in ORDERS else WINS)

    @property
    def orders(self) -> list[Option]:
        return [Option(by, SCHEMES[by]) for by in ORDERS]

    @property
    def address(self) -> str:
        """What was chosen as the end of an address: "?rules=classic"; empty for nothing."""
        pairs = [(name, text) for name, text in self.typed.items() if text] + [("there", text) for text in self.there]
        query = urlencode([*pairs, ("by", self.by)] if self.by else pairs)
        return f"?{query}" if query else ""

    @property
    def said(self) -> str:
        """The choice in words: "Classic; from Jan 1, 2026; with Ann and Bo"."""
        there = [option.label for option in self.people if option.value in self.there] if self.there else []
        some = super().said if any(self.typed.values()) else ""
        return "; ".join(filter(None, (some, f"with {listed(there)}" if there else "")))
