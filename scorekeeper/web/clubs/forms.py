"""Forms for starting a club, its settings, making a link and asking for one."""

from __future__ import annotations

from wtforms import StringField
from wtforms.validators import Length, ValidationError

from scorekeeper.database.zones import all_zones, is_zone, server_zone, zone_names
from scorekeeper.models import NAME_LENGTH, ROLES, WATCH
from scorekeeper.web.common.club_changes import zone_name
from scorekeeper.web.common.fields import ChoiceField, PageForm, clean_name, line_field, one_of, required

WHICH_ZONE = "Choose a time zone from the list."


class ClubForm(PageForm):
    """Start a club. A script (static/zone.js) fills in the phone's time zone."""

    name = line_field("Enter a club name.", NAME_LENGTH)
    zone = StringField()

    @property
    def phone_zone(self) -> str:
        """The phone's time zone; the server's without a script or if this server does not know the zone."""
        return self.zone.data if self.zone.data and is_zone(self.zone.data) else server_zone()


class SettingsForm(ClubForm):
    """Edit a club's name and time zone."""

    zone = ChoiceField(one_of(all_zones(), WHICH_ZONE), validators=[required(WHICH_ZONE)])

    @property
    def zones(self) -> list[tuple[str, str]]:
        """(zone, display name) pairs sorted by place, plus the club's current zone if the list lacks it."""
        names = {*zone_names(), *([self.zone.data] if self.zone.data else [])}
        return sorted(((name, zone_name(name)) for name in names), key=lambda zone: zone[1])


class LabelForm(PageForm):
    """Ask for a link: whose phone it is for."""

    label = line_field("Enter your name.", NAME_LENGTH)


class LinkForm(PageForm):
    """Make a link: an optional label, and a role that defaults to watch."""

    label = StringField(
        filters=[clean_name], validators=[Length(max=NAME_LENGTH, message=f"Use at most {NAME_LENGTH} letters.")]
    )
    role = StringField(default=WATCH)

    def validate_role(self, field: StringField) -> None:
        if field.data not in ROLES:
            raise ValidationError("Choose what the link allows.")
