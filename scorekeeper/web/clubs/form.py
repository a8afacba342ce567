"""The form that starts a club."""

from __future__ import annotations

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH
from scorekeeper.web.common.fields import PageForm, clean_name
from scorekeeper.web.wording import form_sentences as say


class ClubForm(PageForm):
    """A club starts with a name."""

    name = StringField(filters=[clean_name])

    def validate_name(self, field: StringField) -> None:
        if not field.data:
            raise ValidationError(say.CLUB_NAME)
        if len(field.data) > NAME_LENGTH:
            raise ValidationError(say.CLUB_NAME_TOO_LONG)
