"""First page, starting a club, and the club's home page, games, change log, settings and deletion."""

from __future__ import annotations

from flask import Blueprint, abort, flash, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.database.session import db_write
from scorekeeper.database.session import now as this_moment
from scorekeeper.live.state import club_tag
from scorekeeper.models import MANAGE, WATCH, Club, ClubChange, tidy_name
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import club_log, clubs, links, seasons
from scorekeeper.services.clubs import CLUB_KEPT
from scorekeeper.services.game_reader import read_games, read_latest
from scorekeeper.undo import club_undo
from scorekeeper.web.common import club_changes, security
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.fields import new_token, parse_number, sentence_of
from scorekeeper.web.common.live import fragment, open_stream, unchanged
from scorekeeper.web.common.page_cache import cached_page
from scorekeeper.web.common.scope import (
    asks,
    go_to,
    hold_link,
    link_address,
    may,
    remembered_links,
    render,
    says_reopened,
    scoped,
)
from scorekeeper.web.common.words import all_are, ended
from scorekeeper.web.games.device import has_four_colors
from scorekeeper.web.games.messages import on_phone
from scorekeeper.web.games.score_sheet import Summary
from scorekeeper.web.standings.table import SeasonSummary

from . import messages
from .forms import ClubForm, SettingsForm

LATEST_GAMES = 5  # on the club's home page
GAMES_ON_A_PAGE = 30
LAST_PAGE = 1_000_000
CHANGES_ON_A_PAGE = 30
NEW_CLUB_KEY = "new_club"  # session key: (club key, link uid) of a club just started, until its link is saved
bp = scoped(Blueprint("clubs", __name__))


class ClubPage:
    """Data of the club's home page."""

    def __init__(self, club: Club) -> None:
        latest = read_latest(club.id, LATEST_GAMES)
        self.count = latest.of
        self.games = [Summary(game) for game in latest.listed]
        listed = {game.number: game for game in self.games}
        # The games started last, regardless of the day they were played on; if all are from paper, the latest.
        begun = [listed.get(game.number) or Summary(game) for game in latest.begun] or self.games
        self.latest = begun[0] if begun else None
        self.open_games = [game for game in begun if game.goes_on]  # waiting for their next hand
        self.games = [game for game in self.games if game not in self.open_games]


@bp.get("/")
def home(form: ClubForm | None = None, **pasted: str) -> str:
    """The first page; `pasted` has text that is no link, and what is wrong with it."""
    return render_template("clubs/home.html", form=form or ClubForm(formdata=None), clubs=remembered_links(), **pasted)


@bp.post("/clubs")
def create() -> ResponseReturnValue:
    form = ClubForm()
    if not form.validate():
        return home(form), 422
    club = _just_started(form.name.data) or _start(form.name.data, form.phone_zone)
    return redirect(url_for("clubs.show", key=club.key), 303)


def _start(name: str, zone: str) -> Club:
    """Start a club with a managing link for this browser and a watching link for its board."""
    security.count_event(security.CLUBS)
    club = Club(name=name, zone=zone)
    first = links.new_link(club, MANAGE, links.FIRST_LABEL)
    board = links.new_link(club, WATCH, links.TABLE_LABELS[WATCH])
    first.last_used_at = this_moment()
    with db_write() as unit:
        unit.add_all([club, first, board])
    hold_link(club.key, first.uid)
    session[NEW_CLUB_KEY] = club.key, first.uid
    return club


def _just_started(name: str) -> Club | None:
    """The club that a double tap has just started: this browser's latest, with the same name and no game yet."""
    latest = [link.club for link in remembered_links()[:1] if link.role == MANAGE]
    return next((club for club in latest if club.name == name and not club.games), None)


@bp.get("/c/<key>/")
def show() -> ResponseReturnValue:
    tag, last = club_tag(g.club.id), _last_change()

    def draw(token: str) -> str:
        return render("clubs/show.html", **_shown(tag, last, token), **_first_link())

    # Ratings still to be recalculated are not part of the tag, so such a page is not cached.
    if NEW_CLUB_KEY in session or g.is_asked or g.club.unrated_since is not None:
        return draw(new_token())
    return cached_page((tag, last, g.club.today, has_four_colors()), draw)


def _first_link() -> dict[str, str]:
    """Address and QR code of a new club's managing link, until it is saved; otherwise empty."""
    key, uid = session.get(NEW_CLUB_KEY, ("", ""))
    if key != g.club.key:
        return {}
    address = link_address(links.secret_of(uid))
    return {"address": address, "code": code(address)}


@bp.post("/c/<key>/saved")
def link_is_saved() -> ResponseReturnValue:
    """Stop showing the first link: its holder has saved it."""
    session.pop(NEW_CLUB_KEY, None)
    return go_to("clubs.show")


@bp.get("/c/<key>/games/")
def games() -> ResponseReturnValue:
    """Show a page of the club's games."""
    page = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE)
    read = read_games(g.club.id, (page - 1) * GAMES_ON_A_PAGE, GAMES_ON_A_PAGE + 1)
    found = [Summary(game) for game in read]
    if page > 1 and not found:
        abort(404)
    shown, has_older = found[:GAMES_ON_A_PAGE], len(found) > GAMES_ON_A_PAGE
    return render("clubs/games.html", games=shown, page=page, has_older=has_older)


# --- live updates of the club's home page -------------------------------------------------------------------------


@bp.get("/c/<key>/live")
def stream() -> ResponseReturnValue:
    """Open a stream that tells pages of this club when to poll."""
    return open_stream(("club", g.club.id), club_tag(g.club.id))


@bp.get("/c/<key>/now")
def now() -> ResponseReturnValue:
    """Return the changing part of the home page, or 304 if it is unchanged."""
    tag = club_tag(g.club.id)
    return unchanged(tag) or fragment(render("clubs/_club.html", **_shown(tag, _last_change(), new_token())), tag)


def _last_change() -> str:
    """Last scorer and device; empty unless this browser can grant links."""
    return messages.last_change(links.last_change(g.club.id) if may("links.grant") else None, g.club.zone)


def _shown(tag: str, last: str, token: str) -> dict[str, object]:
    """Template arguments of the changing part. `last` is the result of `_last_change`; `token` identifies its form."""
    season = SeasonSummary(g.club, seasons.running(g.club, g.club.today))
    asked = links.requests_of(g.club.id) if g.is_asked and may("links.grant") else []
    here = {"page": ClubPage(g.club), "token": token, "season": season, "tag": tag}
    return {**here, "requests": asked, "asks": asks, "last_change": last}


# --- changes ------------------------------------------------------------------------------------------------------


@bp.get("/c/<key>/changes")
def show_changes() -> ResponseReturnValue:
    """Show the change log; each entry has an undo button or the reason why it cannot be undone."""
    before, access = parse_number(request.args.get("before", "")), may("links.index")
    found = club_log.latest(g.club.id, before, CHANGES_ON_A_PAGE + 1, access=access)
    shown, here = found[:CHANGES_ON_A_PAGE], club_undo.ClubNow(g.club)
    undone = club_log.undone_by(g.club.id, [entry.seq for entry in shown])
    return render(
        "clubs/changes.html",
        say=club_changes,
        entries=[(entry, on_phone(entry.by), _undo_problem(entry, here, undone.get(entry.seq))) for entry in shown],
        earlier=shown[-1].seq if len(found) > CHANGES_ON_A_PAGE else None,
    )


def _undo_problem(entry: ClubChange, here: club_undo.ClubNow, undone_by: int | None) -> str:
    if undone_by:
        return club_changes.taken_back(entry)
    why = here.why_not(entry)
    return ended(why) if why else ""


@bp.post("/c/<key>/changes/<int:seq>/undo")
@says_reopened
def undo(seq: int) -> ResponseReturnValue:
    """Undo an entry and report it, or report what prevents it."""
    try:
        were_open = [season for season in g.club.seasons if season.closed_at is None]
        entry = club_undo.undo(g.club, seq)
        closed = [season.name for season in were_open if season.closed_at and entry and season.uid != entry.subject]
        said = club_changes.describe(entry) if entry else "That was undone already."
        flash(f"{said} {all_are(closed, 'closed again')}".strip())
    except Refused as refused:
        flash(f"Nothing was undone. {sentence_of(refused.problems[0])}")
    return go_to("clubs.show_changes")


# --- settings, and deletion ---------------------------------------------------------------------------------------


@bp.get("/c/<key>/settings")
def show_settings(form: SettingsForm | None = None) -> str:
    form = form or SettingsForm(formdata=None, data={"name": g.club.name, "zone": g.club.zone})
    return render("clubs/settings.html", form=form)


@bp.post("/c/<key>/settings")
def change_settings() -> ResponseReturnValue:
    form = SettingsForm()
    if not form.validate():
        return show_settings(form), 422
    clubs.set_name_and_zone(g.club, str(form.name.data), str(form.zone.data))
    flash("Club settings saved.")
    return go_to("clubs.show_settings")


@bp.get("/c/<key>/delete")
def show_deletion(typed: str = "", wrong: str = "") -> str:
    return render("clubs/delete.html", typed=typed, wrong_with=wrong, days=CLUB_KEPT.days)


@bp.post("/c/<key>/delete")
def delete() -> ResponseReturnValue:
    typed = request.form.get("name", "")
    if tidy_name(typed).casefold() != g.club.name.casefold():
        return show_deletion(typed, "That is not the club’s name. Type it as it is above."), 422
    clubs.delete(g.club)
    return redirect(url_for("clubs.home"), 303)


@bp.post("/c/<key>/delete/take-back")
def take_back() -> ResponseReturnValue:
    clubs.take_back(g.club)
    flash("The club is back.")
    return go_to("clubs.show")
