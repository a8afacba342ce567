"""The form of a new link, and of a request for one."""

from __future__ import annotations

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH, ROLES, WATCH
from scorekeeper.web.common.fields import PageForm, clean_name
from scorekeeper.web.wording import link_sentences as say


class LabelForm(PageForm):
    """Whose phone a link is for."""

    label = StringField(filters=[clean_name])
    label_is_needed = True

    def validate_label(self, field: StringField) -> None:
        if self.label_is_needed and not field.data:
            raise ValidationError(say.WHOSE)
        if len(field.data or "") > NAME_LENGTH:
            raise ValidationError(say.LABEL_TOO_LONG)


class LinkForm(LabelForm):
    """What a new link is for, if somebody says so, and what it allows: to watch, unless somebody chooses more."""

    label_is_needed = False
    role = StringField(default=WATCH)

    def validate_role(self, field: StringField) -> None:
        if field.data not in ROLES:
            raise ValidationError(say.WHICH_ROLE)
