"""Forms for a season, a bonus and a forfeit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from flask import g, request
from sqlalchemy import select
from wtforms import BooleanField, StringField
from wtforms.validators import ValidationError

from scorekeeper.database.session import db
from scorekeeper.models import NAME_LENGTH, Game, Player, Season, uid_from
from scorekeeper.scoring.table import Table
from scorekeeper.stats.counting import CREDITS
from scorekeeper.stats.league import LONGEST_REASON, Bonus
from scorekeeper.stats.schemes import BY, BY_NIGHTS, CLIMBS, INSERT, LADDER, POINTS, SHARE, TIES, Scheme
from scorekeeper.web.common.fields import (
    A_DAY,
    NAME_TOO_LONG,
    ChoiceField,
    DayField,
    PageForm,
    TokenField,
    line_field,
    one_of,
    required,
    signed_number,
    whole_number,
)
from scorekeeper.web.common.numbers import day

from . import messages

NO_SEASON = "none"  # value for a game outside of all seasons
MOST = 99  # games needed for a place, or points for a win
HOW_MANY_GAMES = f"Enter a number of games from 1 to {MOST}."
HOW_MANY_POINTS = f"Enter a number of points from 0 to {MOST}."
GAMES, POINTS_EACH = whole_number(1, MOST, HOW_MANY_GAMES), whole_number(0, MOST, HOW_MANY_POINTS)
BONUS_POINTS = f"Enter a whole number from −{MOST} to {MOST}, and not 0."
WHAT_ORDER = "Choose how the standings are ordered."
WHOSE_CREDIT = "Choose who the game counts for."
ONE_OF_THESE = "Choose one of these."
LAST_BEFORE_FIRST = "The last day is before the first day."
WHICH_PLAYER = "Choose a player."

# Names shared by form and scheme; an empty field of OPTIONAL means the default.
PLAIN = ("by", "least", "won", "shared", "lost", "credit", "own_rating", "pairs", "climb")
OPTIONAL = ("needed", "best", "attended", "reach")


def members(*, guests: bool = False) -> dict[str, str]:
    """Names of the club's players by uid, sorted by name; without guests by default."""
    mine = select(Player.uid, Player.name).where(Player.club_id == g.club.id)
    return dict(db.session.execute((mine if guests else mine.where(~Player.guest)).order_by(Player.name)).all())


def usual_season(seasons: list[Season], previous: Game | None) -> Season | None:
    """The default season of a new game: the last game's, or the one started last since then.

    None if the last game was kept out of its season, or no season runs.
    """
    if not seasons:
        return None
    if previous is None or previous.created_at < seasons[0].created_at:
        return seasons[0]
    if previous.season_id is None:
        return None if previous.played >= seasons[0].starts else seasons[0]
    return next((season for season in seasons if season.id == previous.season_id), seasons[0])


def chosen_seasons(season: Season | None, also: Sequence[Season]) -> list[Season]:
    """The seasons a new game counts in, `season` first, without duplicates."""
    return list(dict.fromkeys([*([season] if season else []), *also]))


class SeasonForm(PageForm):
    """A season's name, days and scheme."""

    name = line_field("Enter a name for the season.", NAME_LENGTH, NAME_TOO_LONG)
    starts = DayField(validators=[required("Enter the first day of the season.")])
    ends = DayField()
    by = ChoiceField(one_of(BY, WHAT_ORDER), validators=[required(WHAT_ORDER)])
    least = ChoiceField(GAMES, validators=[required(HOW_MANY_GAMES)])
    won, shared, lost = (ChoiceField(POINTS_EACH, validators=[required(HOW_MANY_POINTS)]) for _ in range(3))
    tie1, tie2, tie3 = (ChoiceField(one_of(TIES, ONE_OF_THESE)) for _ in range(3))
    attended = ChoiceField(POINTS_EACH)
    needed = ChoiceField(GAMES)
    best = ChoiceField(whole_number(1, MOST, f"Enter a number of nights from 1 to {MOST}, or leave this blank."))
    credit = ChoiceField(one_of(CREDITS, WHOSE_CREDIT), validators=[required(WHOSE_CREDIT)])
    climb = ChoiceField(one_of(CLIMBS, ONE_OF_THESE))
    reach = ChoiceField(whole_number(1, MOST, f"Enter a number of rungs from 1 to {MOST}, or leave this blank."))
    own_rating = BooleanField()
    pairs = BooleanField()

    def __init__(self, taken: set[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taken = {name.casefold() for name in taken}

    @classmethod
    def of(cls, scheme: Scheme, season: Season | None = None, today: date | None = None) -> SeasonForm:
        """The form of an existing season, or of a new one starting today."""
        ties = {f"tie{number}": tie for number, tie in enumerate(scheme.ties, 1)}
        numbers = {name: getattr(scheme, name) for name in (*PLAIN, *OPTIONAL)}
        numbers |= {"best": scheme.best or None, "reach": scheme.reach or None}
        what = {"name": season.name, "starts": season.starts, "ends": season.ends} if season else {"starts": today}
        return cls(set(), formdata=None, data=numbers | ties | what)

    # --- choices for the page ---

    @property
    def ties(self) -> list[tuple[str, str, str]]:
        """The three tiebreakers: field name, label, current choice."""
        asked = zip(("tie1", "tie2", "tie3"), ("First tiebreaker", "Second", "Third"), strict=True)
        return [(name, label, self.typed(name)) for name, label in asked]

    # --- validation ---

    def validate_name(self, field: StringField) -> None:
        if field.data.casefold() in self.taken:
            raise ValidationError(messages.NAME_TWICE)

    def validate_ends(self, field: ChoiceField) -> None:
        if field.data and self.starts.data and field.data < self.starts.data:
            raise ValidationError(LAST_BEFORE_FIRST)

    def validate_shared(self, field: ChoiceField) -> None:
        if _more(field, self.won):
            raise ValidationError("A tie cannot be worth more than a win.")

    def validate_lost(self, field: ChoiceField) -> None:
        if _more(field, self.won):
            raise ValidationError("A loss cannot be worth more than a win.")
        if _more(field, self.shared):
            raise ValidationError("A loss cannot be worth more than a tie.")

    def validate_tie2(self, field: ChoiceField) -> None:
        before = [tie.data for tie in (self.tie1, self.tie2) if tie is not field]
        if field.data and field.data in before:
            raise ValidationError("Choose each tiebreaker only once.")

    validate_tie3 = validate_tie2

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments for the season services, from a valid form."""
        ties = tuple(self[name].data for name, _, _ in self.ties if self[name].data)
        numbers = {name: self[name].data for name in PLAIN}
        numbers["climb"] = numbers["climb"] or INSERT
        by = self.by.data  # optional fields apply only to orders that use them
        asked = {"needed": by != SHARE, "best": by in BY_NIGHTS, "attended": by == POINTS, "reach": by == LADDER}
        numbers |= {name: self[name].data for name in OPTIONAL if asked[name] and self[name].data}
        scheme = Scheme(**numbers, ties=ties)
        return {"name": self.name.data, "starts": self.starts.data, "ends": self.ends.data, "scheme": scheme}

    def is_like(self, season: Season) -> bool:
        """True if a season equals the form's input."""
        self.taken.discard(season.name.casefold())
        mine = {"name": season.name, "starts": season.starts, "ends": season.ends}
        return self.validate() and self.arguments == mine | {"scheme": Scheme.from_dict(season.settings)}


def _more(one: ChoiceField, other: ChoiceField) -> bool:
    return one.data is not None and other.data is not None and one.data > other.data


class BonusForm(PageForm):
    """Points for a player, with reason and day."""

    player = ChoiceField(str)
    points = ChoiceField(signed_number(MOST, BONUS_POINTS), validators=[required(BONUS_POINTS)])
    reason = line_field("Say why, for example: hosted the night.", LONGEST_REASON)
    day = DayField(validators=[required(A_DAY)])
    token = TokenField()

    def __init__(self, season: Season, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.season = season

    def validate_day(self, field: ChoiceField) -> None:
        given, starts, ends = field.data, self.season.starts, self.season.ends
        if given and given < starts:
            raise ValidationError(f"The season starts on {day(starts)}.")
        if given and ends and given > ends:
            raise ValidationError(f"The season ends on {day(ends)}.")

    def validate_player(self, field: ChoiceField) -> None:
        if field.data not in members():
            raise ValidationError(WHICH_PLAYER)

    @property
    def bonus(self) -> Bonus:
        """The bonus of a valid form. Its uid is of the form's token and content, so a double tap gives it once."""
        said = str(self.player.data), self.points.data or 0, str(self.reason.data), self.day.data or g.club.today
        return Bonus(*said, uid=uid_from(self.token.data, *said))


class ForfeitForm(PageForm):
    """Winners, losers and day of a forfeit. The seats follow from the table."""

    day = DayField(validators=[required(A_DAY)])

    def __init__(self, table: Table, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        first = len(table.seats_of[table.units[0]])
        self.seats = {
            "winner": [f"winner-{n}" for n in range(1, first + 1)],
            "loser": [f"loser-{n}" for n in range(1, len(table.seats) - first + 1)],
        }
        self.who = {name: request.form.get(name, "") for names in self.seats.values() for name in names}
        self.seat_errors: list[str] = []

    def validate(self, *args: Any, **kwargs: Any) -> bool:
        valid = super().validate(*args, **kwargs)
        chosen, known = list(self.who.values()), members(guests=True)
        if any(uid not in known for uid in chosen):
            self.seat_errors = ["Choose a player for each seat."]
        elif len(set(chosen)) < len(chosen):
            self.seat_errors = ["Choose each player only once."]
        return valid and not self.seat_errors

    def names(self, side: str) -> list[str]:
        """Names of the winners or losers, from a valid form."""
        known = members(guests=True)
        return [known[self.who[name]] for name in self.seats[side]]
