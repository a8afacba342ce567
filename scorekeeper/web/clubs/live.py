"""A club's open pages: their stream, and the part of the club's own page that changes."""

from __future__ import annotations

from flask import Blueprint, g, render_template
from flask.typing import ResponseReturnValue

from scorekeeper.database.session import db
from scorekeeper.live.state import club_tag
from scorekeeper.services import links, seasons
from scorekeeper.web.common.access import may
from scorekeeper.web.common.live import is_shown, open_stream, part, unchanged
from scorekeeper.web.common.scope import scoped
from scorekeeper.web.common.tokens import new_token
from scorekeeper.web.standings.glance import Glance
from scorekeeper.web.wording import link_sentences as say

from .page import ClubPage

bp = scoped(Blueprint("club_live", __name__, url_prefix="/c/<key>"))


@bp.get("/live")
def stream() -> ResponseReturnValue:
    """Says when a page of this club should ask for what is new."""
    return open_stream(("club", g.club.id), tag())


@bp.get("/now")
def now() -> ResponseReturnValue:
    """What the club's own page shows, if it is not what it shows already."""
    current = tag()
    if is_shown(current):
        return unchanged(current)
    return part(render_template("clubs/_club.html", **shown(current, last_change(), new_token())), current)


def tag() -> str:
    """The tag of this club as it is now."""
    return club_tag(db.session.connection(), g.club.id)


def last_change() -> str:
    """Who scored last, from which device: for managers."""
    last = links.last_change(g.club.id) if may("links.grant") else None
    return say.last_change(last, g.club.zone) if last else ""


def shown(current: str, last: str, token: str) -> dict[str, object]:
    """What the part that changes needs; `last` is `last_change`, read already, and `token` names its form."""
    season = Glance(g.club, seasons.running(g.club, g.club.today))
    asked = links.requests_of(g.club.id) if g.is_asked and may("links.grant") else []
    here = {"club": g.club, "page": ClubPage(g.club, token), "season": season, "tag": current}
    return {**here, "requests": asked, "asks": say.asks, "last_change": last}
