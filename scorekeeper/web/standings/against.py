"""Head to head as a page shows it: the first players of the table against each other, or one against everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flask import g, request

from scorekeeper.stats.archive import FrozenTable
from scorekeeper.stats.head_to_head import HeadToHead, Meeting, head_to_head
from scorekeeper.stats.query import Person, games_by_sides
from scorekeeper.stats.standings import Line, standings
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.numbers import counted, percent, rating_number

from .season_page import SeasonPage
from .table import NOTHING, keep

MOST_IN_TABLE = 12  # of more, the first: a page with everybody of sixty against everybody has 3,600 numbers


@dataclass(frozen=True, slots=True)
class Against:
    """A line about one opponent."""

    name: str
    meeting: Meeting
    share: str


class HeadToHeadPage(SeasonPage):
    """Everybody against everybody."""

    tab, name, template = "head-to-head", "Head to head", "standings/head_to_head.html"

    @cached_property
    def _lines(self) -> Sequence[Line]:
        scheme, kept = self.scheme.of_players, FrozenTable.from_dict(self.season.frozen if self.season else None)
        if self.is_frozen and not self.scheme.is_of_pairs:
            return [line.line(scheme) for line in kept.lines if line.player]
        table = keep(g.club, ("lines", scheme, self.choice), lambda: standings(g.club, scheme, self.choice))
        return (*table.lines, *table.hidden)

    @cached_property
    def _met(self) -> HeadToHead:
        return keep(g.club, ("head to head", self.choice), lambda: head_to_head(g.club, self.choice))

    @property
    def games(self) -> str:
        return counted(len(self.people), "player")

    @property
    def has_three_sides(self) -> bool:
        """Whether some of the games have more sides than two, so that one's loss is not the other's win."""
        sides = keep(g.club, ("sides", self.choice), lambda: games_by_sides(g.club, self.choice))
        return max(sides, default=0) > 2

    @cached_property
    def people(self) -> list[Person]:
        """Everybody in the table, in its order."""
        return [line.player for line in self._lines if line.record.games]

    @property
    def in_table(self) -> list[Person]:
        return self.people[:MOST_IN_TABLE]

    @cached_property
    def player(self) -> Person | None:
        """Who was chosen, if anybody."""
        wanted = number_in(request.args.get("player", ""))
        return next((one for one in self.people if one.id == wanted), None)

    @property
    def opponents(self) -> list[Against]:
        """Everybody whom that player has met, those met most often first."""
        if self.player is None:
            return []
        names = {one.id: one.name for one in self.people}
        met = self._met.meetings.get(self.player.id, {})
        found = [Against(names[who], one, percent(one.share)) for who, one in met.items() if who in names]
        return sorted(found, key=lambda one: (-one.meeting.games, one.name.casefold()))

    def between(self, one: Person, other: Person) -> Meeting:
        return self._met.meeting(one.id, other.id)

    def schedule(self, player: Person) -> str:
        """The strength of a player's schedule as a rating; that of a closed season does not change."""
        strength = (self.kept.schedules if self.kept else self._met.schedules).get(player.id)
        return NOTHING if strength is None else str(rating_number(strength))
