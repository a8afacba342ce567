"""Forms for substituting a player, adjusting a score and changing a game's day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from flask import g
from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH
from scorekeeper.scoring.facts import Adjustment
from scorekeeper.scoring.record import MOST_ADJUSTED, MOST_LETTERS
from scorekeeper.scoring.rules.fields import Scale
from scorekeeper.web.common.fields import (
    NAME_TOO_LONG,
    POSTED,
    ChoiceField,
    DayField,
    PageForm,
    clean_name,
    line_field,
    required,
    signed_number,
    whole_number,
)

WHICH_SEAT = "Choose the player to replace."
MOST_SEATS = 99


class SubstituteForm(PageForm):
    """A seat and its new player: a known name that was tapped, or a typed one."""

    SENTENCES = {
        "no-such-seat": WHICH_SEAT,
        "on-paper": "This game was scored on paper. You cannot substitute a player.",
        "game-over": "This game is over. You cannot substitute a player.",
        "name-twice": "This player is at the table already. Choose somebody else.",
    }
    FIELDS = {"": "who"}
    seat = ChoiceField(whole_number(1, MOST_SEATS, WHICH_SEAT), validators=[required(WHICH_SEAT)])
    known = StringField(filters=[clean_name])
    who = StringField(filters=[clean_name])

    @property
    def name(self) -> str:
        """Name of the new player; a typed one takes precedence."""
        return self.who.data or self.known.data or ""

    def validate_who(self, _field: StringField) -> None:
        if not self.name:
            raise ValidationError("Enter who plays instead.")
        if len(self.name) > NAME_LENGTH:
            raise ValidationError(NAME_TOO_LONG)


WHICH_UNIT = "Tap whose score changes."
WHAT_NUMBER = f"Enter a whole number from −{MOST_ADJUSTED} to {MOST_ADJUSTED}, and not 0."


class AdjustForm(PageForm):
    """The unit whose score changes, by how much, and why."""

    SENTENCES = {"no-such-unit": WHICH_UNIT}
    FIELDS = {"no-such-unit": "unit", "": "reason"}
    unit = ChoiceField(str, validators=[required(WHICH_UNIT)])
    points = ChoiceField(signed_number(MOST_ADJUSTED, WHAT_NUMBER), validators=[required(WHAT_NUMBER)])
    reason = line_field("Say why, for example: revoke.", MOST_LETTERS)

    def adjustment(self, scale: Scale) -> Adjustment:
        """The adjustment of a valid form, converted from the displayed scale."""
        return Adjustment(str(self.unit.data), scale.change(int(self.points.data or 0)), self.reason.data or "")


class WrongPlayerForm(PageForm):
    """A wrong player of a finished game, one of `names`, and the one who really played."""

    SENTENCES = {"name-twice": "This player was in the game already. Choose somebody else."}
    FIELDS = {"": "who"}
    was = StringField()
    who = line_field("Enter who played.", NAME_LENGTH, NAME_TOO_LONG)

    def __init__(self, names: Sequence[str], formdata: object = POSTED) -> None:
        self.names = names
        super().__init__(formdata)

    def validate_was(self, field: StringField) -> None:
        if field.data not in self.names:
            raise ValidationError(WHICH_SEAT)


A_DAY = timedelta(days=1)  # a table may be in another time zone than its club


class DayForm(PageForm):
    """The day on which a game was played."""

    played = DayField(validators=[required("Enter the day of the game.")])

    def validate_played(self, field: ChoiceField) -> None:
        if field.data and field.data > g.club.today + A_DAY:
            raise ValidationError("That day is in the future.")
