"""The table of a season as it was when the season was closed: how it is kept, and how it travels in a club's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from .members import Person
from .query import Extra, Record
from .rating_model import Rating
from .schemes import RATING, Scheme
from .standings import Line, Standings, points

Name = int | str | None  # a player: by id in the database, by uid in a club's file, None for who is gone


@dataclass(frozen=True, slots=True)
class FrozenLine:
    """A player's line; `name` is the name of that time."""

    player: Name
    name: str
    place: int | None
    record: Record
    division: str = ""

    @classmethod
    def of(cls, line: Line) -> FrozenLine:
        player = line.player.id if isinstance(line.player.id, int) else None  # a pair is kept by its names
        return cls(player, line.player.name, line.place, line.record, line.division)

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> FrozenLine:
        """A line as it was kept; old ones do not say the rating `before` the last game."""
        form = [(date.fromisoformat(played), number, letter) for played, number, letter in kept["form"]]
        rating = Rating(*kept["rating"]) if kept["rating"] else None
        record = Record(Counter(kept["sums"]), form, rating, kept.get("before"), extra_from(kept.get("extra")))
        return cls(kept["player"], kept["name"], kept["place"], record, kept.get("division", ""))

    def to_dict(self) -> dict[str, Any]:
        record = self.record
        return {
            "player": self.player,
            "name": self.name,
            "place": self.place,
            "sums": dict(record.sums),
            "form": [[played.isoformat(), number, letter] for played, number, letter in record.form],
            "rating": list(record.rating) if record.rating else None,
            "before": record.mu_before,
        } | self._seldom()

    def _seldom(self) -> dict[str, Any]:
        """What only some seasons have."""
        extra = {"extra": extra_kept(self.record.extra)} if self.record.extra else {}
        return extra | ({"division": self.division} if self.division else {})

    def line(self, scheme: Scheme) -> Line:
        """The same as a line of a table that is worked out now."""
        player = self.player if isinstance(self.player, int) else 0
        person = Person(player, self.name, False)
        return Line(person, self.record, self.place, self.place, self._points(scheme), division=self.division)

    def _points(self, scheme: Scheme) -> Fraction | float:
        """What the table counts; a rating as it was kept, from whatever version."""
        if scheme.by == RATING:
            return self.record.rating.mu if self.record.rating else 0.0
        return points(self.record, scheme)


def extra_kept(extra: Extra) -> list[int]:
    """What the nights and bonus points were worth, as whole numbers; the worth as a fraction of two."""
    return [extra.worth.numerator, extra.worth.denominator, *extra[1:]]


def extra_from(kept: Sequence[int] | None) -> Extra | None:
    """The same again; None in tables that do not count nights."""
    return Extra(Fraction(kept[0], kept[1]), *kept[2:]) if kept else None


@dataclass(frozen=True, slots=True)
class FrozenTable:
    """The table: the last game night before the season was closed, who won it, and everybody's line."""

    night: date | None = None
    champions: tuple[Name, ...] = ()
    lines: tuple[FrozenLine, ...] = ()

    @classmethod
    def of(cls, table: Standings) -> FrozenTable:
        champions = tuple(FrozenLine.of(line).player for line in table.leaders)
        return cls(table.night, champions, tuple(map(FrozenLine.of, table.lines)))

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any] | None) -> FrozenTable:
        """The table as a season keeps it; an empty one where it keeps none."""
        if not kept:
            return cls()
        night = date.fromisoformat(kept["night"]) if kept["night"] else None
        return cls(night, tuple(kept["champions"]), tuple(map(FrozenLine.from_dict, kept["lines"])))

    def to_dict(self) -> dict[str, Any]:
        return {
            "night": self.night.isoformat() if self.night else None,
            "champions": list(self.champions),
            "lines": [line.to_dict() for line in self.lines],
        }

    def rename(self, names: Mapping[Any, Name], *, keep_others: bool = False) -> FrozenTable:
        """The table with its players named otherwise; who is in none of `names` is gone, or keeps the name."""

        def other(player: Name) -> Name:
            return names.get(player, player if keep_others else None)

        lines = tuple(replace(line, player=other(line.player)) for line in self.lines)
        return replace(self, champions=tuple(map(other, self.champions)), lines=lines)

    @property
    def winners(self) -> list[str]:
        """The names of those who won the season, or, where it has divisions, theirs."""
        return [line.name for line in self.lines if line.place == 1]

    @property
    def winners_by_division(self) -> dict[str, list[str]]:
        """The names of those who won each division; empty where there are none."""
        names = dict.fromkeys(line.division for line in self.lines if line.division)
        return {one: [line.name for line in self.lines if line.place == 1 and line.division == one] for one in names}
