"""The form by which a player is replaced in the middle of a game."""

from __future__ import annotations

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH
from scorekeeper.web.common.fields import Number, PageForm, clean_name
from scorekeeper.web.games.messages import (
    GAME_OVER,
    PAPER_GAME,
    PLAYS_ALREADY,
    TOO_LONG,
    WHICH_SEAT,
    WHO_PLAYS,
)

MOST_SEATS = 99
SENTENCES = {
    "no-such-seat": WHICH_SEAT,
    "on-paper": PAPER_GAME,
    "game-over": GAME_OVER,
    "name-twice": PLAYS_ALREADY,
}


class SubstituteForm(PageForm):
    """A seat, and who takes it over: a known name that was tapped, or a new one that was typed."""

    SENTENCES = SENTENCES
    FIELDS = {"": "who"}
    seat = Number(least=1, most=MOST_SEATS, message=WHICH_SEAT)
    known = StringField(filters=[clean_name])
    who = StringField(filters=[clean_name])

    @property
    def name(self) -> str:
        """Who takes the seat over; what was typed goes before what was tapped."""
        return self.who.data or self.known.data or ""

    def validate_seat(self, field: Number) -> None:
        if field.data is None:
            raise ValidationError(WHICH_SEAT)

    def validate_who(self, _field: StringField) -> None:
        if not self.name:
            raise ValidationError(WHO_PLAYS)
        if len(self.name) > NAME_LENGTH:
            raise ValidationError(TOO_LONG)
