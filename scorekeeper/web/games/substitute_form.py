"""The form by which somebody sits down in the middle of a game."""

from __future__ import annotations

from collections.abc import Iterable

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH
from scorekeeper.scoring.problems import Problem
from scorekeeper.web.common.fields import Number, PageForm, clean_name

MOST_SEATS = 99
WHICH_SEAT = "In whose place? Tap a name."
SENTENCES = {
    "no-such-seat": WHICH_SEAT,
    "on-paper": "This game is from paper: it has no next hand to sit down for.",
    "name-twice": "Whoever that is sits at the table already.",
}


class NewcomerForm(PageForm):
    """A seat, and who takes it over."""

    seat = Number(least=1, most=MOST_SEATS, message=WHICH_SEAT)
    who = StringField(filters=[clean_name])

    def validate_seat(self, field: Number) -> None:
        if field.data is None:
            raise ValidationError(WHICH_SEAT)

    def validate_who(self, field: StringField) -> None:
        if not field.data:
            raise ValidationError("Who sits down?")
        if len(field.data) > NAME_LENGTH:
            raise ValidationError(f"That is too long: {NAME_LENGTH} letters at most.")

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Put what the ledger would not take beside the fields."""
        for problem in problems:
            field = self.seat if problem.at == "seat" else self.who
            field.errors = [*field.errors, SENTENCES.get(problem.code, problem.message)]
