"""The forms on a player's page: rename, and merge a duplicate."""

from __future__ import annotations

from collections.abc import Iterable

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import Player
from scorekeeper.web.common.fields import NAME_TOO_LONG, Number, PageForm, clean_name

MOST_ID = 2**31 - 1
WHICH_PLAYER = "Choose a player."


class PlayerForm(PageForm):
    """What is said of a name, or of a merge, that the services refuse."""

    SENTENCES = {"no-name": "Enter a name.", "too-long": NAME_TOO_LONG}


class RenameForm(PlayerForm):
    """A player's name."""

    FIELDS = {"": "name"}
    name = StringField(filters=[clean_name])


class MergeForm(PlayerForm):
    """Which other player is the same person."""

    FIELDS = {"": "other"}
    other = Number(least=1, most=MOST_ID, message=WHICH_PLAYER)

    def __init__(self, others: Iterable[Player], formdata: object = None) -> None:
        self.others = {other.id: other for other in others}
        super().__init__(formdata)

    def validate_other(self, field: Number) -> None:
        if not field.errors and field.data not in self.others:
            raise ValidationError(WHICH_PLAYER)

    @property
    def chosen(self) -> Player:
        return self.others[int(self.other.data or 0)]
