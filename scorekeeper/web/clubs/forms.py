"""The forms of a club: the one that starts it, its settings, a new link, and a request for one."""

from __future__ import annotations

from wtforms import StringField
from wtforms.validators import Length, ValidationError

from scorekeeper.database.zones import is_zone, server_zone, zone_names
from scorekeeper.models import NAME_LENGTH, ROLES, WATCH
from scorekeeper.web.common.club_changes import zone_name
from scorekeeper.web.common.fields import ChoiceField, PageForm, clean_name, one_of, required

SHORT_ENOUGH = Length(max=NAME_LENGTH, message=f"Use at most {NAME_LENGTH} letters.")
WHICH_ZONE = "Choose a time zone from the list."


class ClubForm(PageForm):
    """A club starts with a name; a script puts in the zone of the phone (static/zone.js)."""

    name = StringField(filters=[clean_name], validators=[required("Enter a club name."), SHORT_ENOUGH])
    zone = StringField()

    @property
    def phone_zone(self) -> str:
        """The zone of the phone; the server's where there is no script, or the phone's is not known here."""
        return self.zone.data if self.zone.data and is_zone(self.zone.data) else server_zone()


class SettingsForm(ClubForm):
    """What can be changed of a club."""

    zone = ChoiceField(one_of(frozenset(zone_names()), WHICH_ZONE), validators=[required(WHICH_ZONE)])

    @property
    def zones(self) -> list[tuple[str, str]]:
        """Every zone with its name, by the name of its place; the club's own too where it is none of the list."""
        names = {*zone_names(), *([self.zone.data] if self.zone.data else [])}
        return sorted(((name, zone_name(name)) for name in names), key=lambda zone: zone[1])


class LabelForm(PageForm):
    """Whose phone a link is asked for."""

    label = StringField(filters=[clean_name], validators=[required("Say whose phone this is for."), SHORT_ENOUGH])


class LinkForm(PageForm):
    """What a new link is for, if somebody says so, and what it allows: to watch, unless more is chosen."""

    label = StringField(filters=[clean_name], validators=[SHORT_ENOUGH])
    role = StringField(default=WATCH)

    def validate_role(self, field: StringField) -> None:
        if field.data not in ROLES:
            raise ValidationError("Choose what the link allows.")
