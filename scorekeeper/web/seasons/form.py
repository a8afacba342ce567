"""The form of a season: its name, its days, and how its table is made."""

from __future__ import annotations

from datetime import date
from typing import Any

from wtforms import BooleanField, StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH, Season
from scorekeeper.stats.counting import CREDITS
from scorekeeper.stats.schemes import BY, BY_NIGHTS, CLIMBS, INSERT, LADDER, POINTS, SHARE, TIES, Scheme
from scorekeeper.web.common.fields import Number, PageForm, Pick, clean_name, one_of
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.season_sentences import CLIMBS as CLIMB_NAMES
from scorekeeper.web.wording.season_sentences import CREDITS as CREDIT_NAMES
from scorekeeper.web.wording.season_sentences import SCHEMES
from scorekeeper.web.wording.season_sentences import TIES as TIE_NAMES

from .day import Day

# What a form and a scheme have by the same name.
PLAIN = ("by", "least", "won", "shared", "lost", "credit", "own_rating", "pairs", "climb")

OPTIONAL = ("needed", "best", "attended", "reach")  # the same, where nothing means the usual


class SeasonForm(PageForm):
    """A season's name, its days, and how its table is made."""

    name = StringField(filters=[clean_name])
    starts = Day()
    ends = Day()
    by = Pick(one_of(BY, say.WHAT_ORDER))
    least = Number(least=1, most=say.MOST, message=say.HOW_MANY_GAMES)
    won = Number(least=0, most=say.MOST, message=say.HOW_MANY_POINTS)
    shared = Number(least=0, most=say.MOST, message=say.HOW_MANY_POINTS)
    lost = Number(least=0, most=say.MOST, message=say.HOW_MANY_POINTS)
    tie1 = Pick(one_of(TIES, say.ONE_OF_THESE))
    tie2 = Pick(one_of(TIES, say.ONE_OF_THESE))
    tie3 = Pick(one_of(TIES, say.ONE_OF_THESE))
    attended = Number(least=0, most=say.MOST, message=say.HOW_MANY_POINTS)
    needed = Number(least=1, most=say.MOST, message=say.HOW_MANY_GAMES)
    best = Number(least=1, most=say.MOST, message=say.HOW_MANY_NIGHTS)
    credit = Pick(one_of(CREDITS, say.WHOSE_CREDIT))
    climb = Pick(one_of(CLIMBS, say.ONE_OF_THESE))
    reach = Number(least=1, most=say.MOST, message=say.HOW_MANY_RUNGS)
    own_rating = BooleanField()
    pairs = BooleanField()

    def __init__(self, taken: set[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taken = {name.casefold() for name in taken}

    @classmethod
    def of(cls, scheme: Scheme, season: Season | None = None, today: date | None = None) -> SeasonForm:
        """The form as it is first shown: a season as it is, or a new one that begins today."""
        ties = {f"tie{number}": tie for number, tie in enumerate(scheme.ties, 1)}
        numbers = {name: getattr(scheme, name) for name in (*PLAIN, *OPTIONAL)}
        numbers |= {"best": scheme.best or None, "reach": scheme.reach or None}
        what = {"name": season.name, "starts": season.starts, "ends": season.ends} if season else {"starts": today}
        return cls(set(), formdata=None, data=numbers | ties | what)

    # --- what can be chosen, for the page ---

    @property
    def ways(self) -> list[tuple[str, str]]:
        return [(by, SCHEMES[by]) for by in BY]

    @property
    def ties(self) -> list[tuple[str, str, str]]:
        """Each of the three: its field's name, its label, the choice."""
        asked = zip(("tie1", "tie2", "tie3"), ("First tiebreaker", "Second", "Third"), strict=True)
        return [(name, label, self.typed(name)) for name, label in asked]

    @property
    def tie_breaks(self) -> list[tuple[str, str]]:
        return [("", "none"), *((tie, TIE_NAMES[tie]) for tie in TIES)]

    @property
    def climbs(self) -> list[tuple[str, str]]:
        return list(CLIMB_NAMES.items())

    @property
    def credits(self) -> list[tuple[str, str]]:
        return [(credit, CREDIT_NAMES[credit]) for credit in CREDITS]

    # --- checks ---

    def validate_name(self, field: StringField) -> None:
        if not field.data:
            raise ValidationError(say.SEASON_NAME)
        if len(field.data) > NAME_LENGTH:
            raise ValidationError(say.NAME_TOO_LONG)
        if field.data.casefold() in self.taken:
            raise ValidationError(say.NAME_TWICE)

    def validate_starts(self, field: Day) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(say.FIRST_DAY)

    def validate_ends(self, field: Day) -> None:
        if field.data and self.starts.data and field.data < self.starts.data:
            raise ValidationError(say.LAST_BEFORE_FIRST)

    def validate_by(self, field: Pick) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(say.WHAT_ORDER)

    def validate_credit(self, field: Pick) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(say.WHOSE_CREDIT)

    def validate_least(self, field: Number) -> None:
        _has_number(field, say.HOW_MANY_GAMES)

    def validate_won(self, field: Number) -> None:
        _has_number(field)

    def validate_shared(self, field: Number) -> None:
        _has_number(field)
        if _more(field, self.won):
            raise ValidationError(say.TIE_ABOVE_WIN)

    def validate_lost(self, field: Number) -> None:
        _has_number(field)
        if _more(field, self.won):
            raise ValidationError(say.LOSS_ABOVE_WIN)
        if _more(field, self.shared):
            raise ValidationError(say.LOSS_ABOVE_TIE)

    def validate_tie2(self, field: Pick) -> None:
        _only_once(field, self.tie1)

    def validate_tie3(self, field: Pick) -> None:
        _only_once(field, self.tie1, self.tie2)

    @property
    def scheme(self) -> Scheme:
        """How the table is made up, as it was put in; after it was found to be right."""
        chosen = tuple(self[name].data for name, _, _ in self.ties if self[name].data)
        numbers = {name: self[name].data for name in PLAIN}
        numbers["climb"] = numbers["climb"] or INSERT
        return Scheme(**numbers, **self._optional, ties=chosen)

    @property
    def _optional(self) -> dict[str, Any]:
        """What may be left empty, and counts only where the players are ordered so that it can."""
        by = self.by.data
        asked = {"needed": by != SHARE, "best": by in BY_NIGHTS, "attended": by == POINTS, "reach": by == LADDER}
        return {name: self[name].data for name in OPTIONAL if asked[name] and self[name].data}

    @property
    def what(self) -> dict[str, Any]:
        return {
            "name": self.name.data,
            "starts": self.starts.data,
            "ends": self.ends.data,
            "scheme": self.scheme,
        }

    def is_like(self, season: Season) -> bool:
        """Whether a season is what was put in here."""
        self.taken.discard(season.name.casefold())
        mine = {"name": season.name, "starts": season.starts, "ends": season.ends}
        return self.validate() and self.what == mine | {"scheme": Scheme.from_dict(season.settings)}


def _has_number(field: Number, message: str = say.HOW_MANY_POINTS) -> None:
    if field.data is None and not field.process_errors:
        raise ValidationError(message)


def _more(one: Number, other: Number) -> bool:
    return one.data is not None and other.data is not None and one.data > other.data


def _only_once(field: Pick, *others: Pick) -> None:
    if field.data and field.data in [other.data for other in others]:
        raise ValidationError(say.TIES_ONCE)
