"""The forms on a player's page: rename, and merge a duplicate."""

from __future__ import annotations

from collections.abc import Iterable

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import Player
from scorekeeper.web.common.fields import Number, PageForm, clean_name
from scorekeeper.web.wording import form_sentences as say

MOST_ID = 2**31 - 1
SENTENCES = {
    "no-name": say.PLAYER_NAME,
    "too-long": say.NAME_TOO_LONG,
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
    other = Number(least=1, most=MOST_ID, message=say.WHICH_PLAYER)

    def __init__(self, others: Iterable[Player], formdata: object = None) -> None:
        self.others = {other.id: other for other in others}
        super().__init__(formdata)

    def validate_other(self, field: Number) -> None:
        if not field.errors and field.data not in self.others:
            raise ValidationError(say.WHICH_PLAYER)

    @property
    def chosen(self) -> Player:
        return self.others[int(self.other.data or 0)]
