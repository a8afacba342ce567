"""The forms of a club: the one that starts it, and its settings."""

from __future__ import annotations

from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.database.zones import is_zone, server_zone, zone_names
from scorekeeper.models import NAME_LENGTH
from scorekeeper.web.common.fields import PageForm, Pick, clean_name, one_of
from scorekeeper.web.wording import form_sentences as say
from scorekeeper.web.wording.club_change_sentences import zone_name


class ClubForm(PageForm):
    """A club starts with a name; a script puts in the zone of the phone (static/zone.js)."""

    name = StringField(filters=[clean_name])
    zone = StringField()

    def validate_name(self, field: StringField) -> None:
        if not field.data:
            raise ValidationError(say.CLUB_NAME)
        if len(field.data) > NAME_LENGTH:
            raise ValidationError(say.CLUB_NAME_TOO_LONG)

    @property
    def phone_zone(self) -> str:
        """The zone of the phone; the server's where there is no script, or the phone's is not known here."""
        return self.zone.data if self.zone.data and is_zone(self.zone.data) else server_zone()


class SettingsForm(ClubForm):
    """What can be changed of a club."""

    zone = Pick(one_of(frozenset(zone_names()), say.WHICH_ZONE))

    def validate_zone(self, field: Pick) -> None:
        if field.data is None and not field.process_errors:
            raise ValidationError(say.WHICH_ZONE)

    @property
    def zones(self) -> list[tuple[str, str]]:
        """Every zone with its name, by the name of its place; the club's own too where it is none of the list."""
        names = {*zone_names(), *([self.zone.data] if self.zone.data else [])}
        return sorted(((name, zone_name(name)) for name in names), key=lambda zone: zone[1])
