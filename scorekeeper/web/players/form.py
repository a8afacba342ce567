"""The forms on a player's page: rename, and merge a duplicate."""

from __future__ import annotations

from collections.abc import Iterable

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH, Player
from scorekeeper.web.common.fields import Number, PageForm, clean_name

MOST_ID = 2**31 - 1
WHO = "Choose a player."
SENTENCES = {
    "no-name": "Enter a name.",
    "too-long": f"That name is too long. Use at most {NAME_LENGTH} letters.",
}


class RenameForm(PageForm):
    """A player's name."""

    SENTENCES = SENTENCES
    FIELDS = {"": "name"}
    name = StringField(filters=[clean_name])


class MergeForm(PageForm):
    """Which other player is the same person."""

    SENTENCES = SENTENCES
    FIELDS = {"": "other"}
    other = Number(least=1, most=MOST_ID, message=WHO)

    def __init__(self, others: Iterable[Player], formdata: object = None) -> None:
        self.others = {other.id: other for other in others}
        super().__init__(formdata)

    def validate_other(self, field: Number) -> None:
        if not field.errors and field.data not in self.others:
            raise ValidationError(WHO)

    @property
    def chosen(self) -> Player:
        return self.others[int(self.other.data or 0)]
