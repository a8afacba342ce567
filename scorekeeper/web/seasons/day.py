"""A day in a form."""

from __future__ import annotations

from datetime import date

from wtforms import Field
from wtforms.validators import ValidationError

from scorekeeper.transfer.columns import YEARS
from scorekeeper.web.wording import form_sentences as say


class Day(Field):
    """A day as somebody types it, or none."""

    def process_formdata(self, valuelist: list[str]) -> None:
        text = valuelist[0].strip() if valuelist else ""
        self.data = None
        if text:
            self.data = _read_day(text)


def _read_day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValidationError(say.A_DAY) from None
    if day.year not in YEARS:
        raise ValidationError(say.WHICH_YEAR)
    return day
