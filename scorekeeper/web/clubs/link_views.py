"""Access to a club: managing links, asking for one, opening one, and the passphrase.

No GET changes anything, so a link preview in a messenger does not open a link. Joining takes a POST from our own page,
so that the SameSite=Strict cookie is sent and links already held by the browser are kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property

from flask import Blueprint, abort, current_app, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from scorekeeper.database.session import db, now
from scorekeeper.database.zones import find_zone
from scorekeeper.models import MANAGE, ROLES, SCORE, WATCH, Link, Player
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import clubs, links
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.undo import club_undo
from scorekeeper.web.common import club_changes, security
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.fields import new_token, parse_number, posted_token
from scorekeeper.web.common.scope import (
    WANTED,
    Needs,
    asks,
    by_rights,
    find_game,
    find_link,
    go_to,
    held_links_of,
    hold_link,
    link_address,
    owner_ids,
    render,
    says_reopened,
    scoped,
)
from scorekeeper.web.games.board import current_number
from scorekeeper.web.games.device import remember_owner
from scorekeeper.web.games.score_sheet import Sheet

from . import messages as say
from .forms import LabelForm, LinkForm
from .views import home

bp = scoped(Blueprint("links", __name__))
MOST_REVOKED = 10  # shown in the list
POLL_SECONDS = 5  # polling interval for whether a link has been granted
LINK_SECRET = re.compile(r"/l/([\w-]+)", re.ASCII)  # the secret, with any text around it
CLUB_ADDRESS = re.compile(r"/c/[\w-]", re.ASCII)
# In-app browsers by user agent. None shares its cookies with Safari or Chrome.
APPS = {
    "Messenger": r"Messenger(ForiOS|Lite)|Orca-Android|FB_IAB/MESSENGER",
    "Instagram": "Instagram",
    "Facebook": r"FBA[NV]/|FB_IAB",
    "WhatsApp": "WhatsApp",
    "WeChat": "MicroMessenger",
    "LINE": r"\bLine/",
    "Snapchat": "Snapchat",
    "Telegram": "Telegram",
    "KakaoTalk": "KAKAOTALK",
    "Viber": "Viber",
    "Threads": "Barcelona",
    "TikTok": "musical_ly|TikTok|Bytedance",
    "This app": r"; wv\)",  # any other Android WebView
}
LONGEST_SHOWN = 300  # characters echoed of pasted text that is not a link


# --- a club's links -------------------------------------------------------------------------------------------------


class LinksPage:
    """The links of a club, or of one game when `number` is given."""

    def __init__(self, number: int | None) -> None:
        self.game = None if number is None else find_game(number)

    @cached_property
    def _links(self) -> Sequence[Link]:
        query = select(Link).where(Link.club_id == g.club.id).order_by(Link.created_at.desc(), Link.id.desc())
        return db.session.scalars(query.where(Link.game_id == self.game.id) if self.game else query).all()

    @property
    def last_change(self) -> str:
        """Time and scorer of the last hand; empty for the links of one game."""
        return say.last_change(None if self.game else links.last_change(g.club.id), g.club.zone)

    @property
    def requests(self) -> list[Link]:
        return [link for link in self._links if link.waits and link.revoked_at is None]

    @property
    def open(self) -> list[Link]:
        """Active links, managing links first and links of single games last."""
        known = [link for link in self._links if not link.waits and link.revoked_at is None]
        return sorted(known, key=by_rights, reverse=True)

    @property
    def revoked(self) -> list[Link]:
        return [link for link in self._links if link.revoked_at is not None and not link.waits][:MOST_REVOKED]

    @property
    def roles(self) -> list[str]:
        """Roles a new link can have, in ascending order of rights."""
        return [role for role in ROLES if self.game is None or role != MANAGE]

    def used(self, link: Link) -> str:
        return say.used(link, now(), g.club.zone)

    @staticmethod
    def is_mine(link: Link) -> bool:
        """True if this device holds `link`: revoking it may lock the device out."""
        return link.id in {held.id for held in g.access.open}


@bp.get("/c/<key>/links/")
@bp.get("/c/<key>/games/<int:number>/links", endpoint="of_game")
def index(number: int | None = None) -> ResponseReturnValue:
    return _page(LinksPage(number), LinkForm(formdata=None))


@bp.post("/c/<key>/links/")
@bp.post("/c/<key>/games/<int:number>/links", endpoint="make_of_game")
def make(number: int | None = None) -> ResponseReturnValue:
    page, form = LinksPage(number), LinkForm()
    if not form.validate() or form.role.data not in page.roles:
        return _page(page, form), 422
    role = form.role.data
    label = form.label.data or say.free_label(role, number, {link.label for link in page.open})
    try:
        link = links.make(g.club, role, label, game=page.game, token=_token_of(role, number, form.label.data))
    except links.TooMany:
        form.label.errors = [say.TOO_MANY]
        return _page(page, form), 422
    return go_to("links.show", link=link.id)


def _token_of(*content: object) -> str:
    """The name of the form that was sent, with what it says: sent with something else it makes another link."""
    return posted_token() and " ".join(map(str, (posted_token(), *content)))


def _page(page: LinksPage, form: LinkForm) -> str:
    return render("links/index.html", page=page, form=form, token=posted_token() or new_token(), say=say, asks=asks)


@bp.get("/c/<key>/games/<int:number>/add-phone")
def phone(number: int) -> ResponseReturnValue:
    """Show the QR code that lets another phone watch or score; choosing a role creates its link."""
    role, in_hand = _requested_role(), request.args.get("back") == "hand"
    address = link_address(links.table_secret(g.club, role))
    back = url_for("hands.new" if in_hand else "games.sheet", number=find_game(number).number)
    about = {"role": role, "in_hand": in_hand, "back": back, "address": address, "code": code(address)}
    return render("links/phone.html", token=new_token(), say=say, **about)


@bp.post("/c/<key>/games/<int:number>/add-phone")
def add_phone(number: int) -> ResponseReturnValue:
    role, game = _requested_role(), find_game(number)
    if links.table_secret(g.club, role) is None:
        try:
            links.make(g.club, role, links.TABLE_LABELS[role], token=_token_of(role))
        except links.TooMany:
            flash(say.TOO_MANY)
    return go_to(".phone", number=game.number, role=role, back=request.form.get("back"))


def _requested_role() -> str:
    """The requested role for the added phone: score if asked for, otherwise watch."""
    return SCORE if (request.form or request.args).get("role") == SCORE else WATCH


@bp.get("/c/<key>/links/<int:link>")
def show(link: int) -> ResponseReturnValue:
    """Show a link with its QR code, to scan, copy or send."""
    found = find_link(link)
    if found.revoked_at is not None or found.waits:
        abort(404)
    address = link_address(links.secret_to_show(found))
    return render(
        "links/show.html", say=say, is_mine=LinksPage.is_mine(found), link=found, address=address, code=code(address)
    )


@bp.post("/c/<key>/links/<int:link>/revoke")
def revoke(link: int) -> ResponseReturnValue:
    """Revoke a link, or turn down a request for one."""
    found = find_link(link)
    if (until := _restricted_until()) and found.id == links.managing(g.club)[0].id:
        flash(say.too_new(until, g.club.zone))
        return _back()
    try:
        links.revoke(found)
    except Refused as refused:
        flash(refused.problems[0].message)
    else:
        flash(f"{found.label} was turned down." if found.waits else f"{found.label}: link revoked.")
    return _back()


def _restricted_until() -> datetime | None:
    """Time until which this device may not revoke the club's first link or change the passphrase; None if it may."""
    return links.new_until(g.club, [held.id for held in g.access.open])


@bp.get("/c/<key>/links/<int:link>/take-back")
def look_at_changes(link: int) -> ResponseReturnValue:
    """Preview undoing everything a link did since a given time (a dry run)."""
    found, since = find_link(link), _since()
    plan = club_undo.undo_link(g.club, found, since, dry_run=True)
    lines = [club_changes.describe(entry) for entry in plan.entries]
    about = {"link": found, "since": since and since.astimezone(find_zone(g.club.zone)), "would": plan, "lines": lines}
    stays = [say.stays(club_changes.describe(entry) if entry else "", why) for entry, why in plan.stays]
    return render("links/take_back.html", say=say, stays=stays, **about)


@bp.post("/c/<key>/links/<int:link>/take-back")
@says_reopened
def take_back(link: int) -> ResponseReturnValue:
    """Undo everything a link did since a given time."""
    result = club_undo.undo_link(g.club, find_link(link), _since())
    flash(say.taken_back(result))
    return go_to("clubs.show_changes")


def _since() -> datetime | None:
    """The form's `since`, parsed in the club's time zone and returned in UTC; None for no limit."""
    try:
        typed = datetime.fromisoformat(request.values.get("since", ""))
        return typed.replace(tzinfo=find_zone(g.club.zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@bp.post("/c/<key>/links/<int:link>/grant")
def grant(link: int) -> ResponseReturnValue:
    """Grant a phone's request for a link."""
    found = find_link(link)
    if found.waits and found.revoked_at is None:
        links.grant(found)
        flash(f"{found.label} has {WANTED[found.role]} now.")
    return _back()


def _back() -> ResponseReturnValue:
    """Redirect to the page the request was shown on: the club's, the links', or hand entry of game number `back`."""
    back = request.form.get("back", "")
    if game := parse_number(back):
        return go_to("hands.new", number=game)
    return go_to("clubs.show" if back == "club" else "links.index")


# --- asking for a link with more rights; the phone goes on by itself once a manager grants it -----------------------


@bp.get("/c/<key>/ask/<any(score, manage):role>")
@bp.get("/c/<key>/games/<int:number>/ask", endpoint="show_ask_in_game")
def show_ask(role: str = SCORE, number: int | None = None) -> ResponseReturnValue:
    """Show the request form, or that this phone is waiting; redirect to the club or game once access is granted."""
    if g.access.allows(Needs(role, in_game=number is not None)):
        flash(f"You can {'keep score' if role == SCORE else 'manage the club'} now.")
        if role == SCORE and number is None:
            number = current_number(g.club.id)
        return redirect(_club_or_game(g.club.key, number), 303)
    return _ask_page(role, number, LabelForm(formdata=None))


@bp.post("/c/<key>/ask/<any(score, manage):role>")
@bp.post("/c/<key>/games/<int:number>/ask", endpoint="ask_in_game")
def ask(role: str = SCORE, number: int | None = None) -> ResponseReturnValue:
    game, form = None if number is None else find_game(number), LabelForm()
    if g.access.waits:
        return _to_asking(role, number)
    if not form.validate():
        return _ask_page(role, number, form), 422
    try:
        link = links.request_link(g.club, role, form.label.data, game=game)
    except links.TooMany:
        form.label.errors = ["Too many people are asking already. Talk to a manager."]
        return _ask_page(role, number, form), 422
    hold_link(g.club.key, link.uid)
    _remember_owner(link)
    return _to_asking(role, number)


def _ask_page(role: str, number: int | None, form: LabelForm) -> str:
    about = {"role": role, "form": form, "home": _club_or_game(g.club.key, number), "seconds": POLL_SECONDS}
    return render("links/ask.html", waits=g.access.waits, WANTED=WANTED, **about)


def _to_asking(role: str, number: int | None) -> ResponseReturnValue:
    if number is not None:
        return go_to("links.show_ask_in_game", number=number)
    return go_to("links.show_ask", role=role)


def _club_or_game(key: str, number: int | None) -> str:
    return url_for("clubs.show", key=key) if number is None else url_for("games.sheet", key=key, number=number)


# --- opening a link: its page asks to join; joining sets a cookie and redirects to an address without the secret ---


@bp.get("/l/<secret>")
def open_link(secret: str) -> ResponseReturnValue:
    link = _find(secret)
    if link.uid in held_links_of(link.club.key):
        return redirect(_club_or_game(link.club.key, link.game.number if link.game else None), 303)
    agent = request.user_agent.string
    app = next((name for name, pattern in APPS.items() if re.search(pattern, agent)), "")
    address = link_address(secret) if app else ""
    number = _current(link)
    game = read_snapshot(link.club.key, number) if number else None
    about = {"sheet": game and Sheet(game), "lets": say.lets(link), "role": link.role, "app": app, "address": address}
    return render_template("clubs/join.html", club=link.club, **about)


@bp.post("/l/<secret>")
@security.csrf.exempt
def join(secret: str) -> ResponseReturnValue:
    """Hold the link. No CSRF token, because that needs a cookie; the request must come from our own page instead."""
    if current_app.config["WTF_CSRF_ENABLED"] and not security.is_from_own_page():
        abort(400)
    return _hold_and_redirect(_find(secret))


@bp.post("/l/")
def paste() -> ResponseReturnValue:
    """Hold a link pasted on the first page, because iOS does not open tapped links in a home screen app.

    Only the secret is read from the text. The redirect always goes to our own host, whatever host the text names.
    """
    security.refuse_guessing()
    pasted = request.form.get("link", "")
    found = LINK_SECRET.search(pasted)
    link = links.find(found[1]) if found else None
    if link is not None:
        return _hold_and_redirect(link)
    if found:
        security.count_event(security.KEYS, found[1])
    wrong = "That is not a link to a club here. Copy all of it and paste it again."
    if not found and CLUB_ADDRESS.search(pasted):
        wrong = "That address lets nobody in. In Safari open the club, then “This device”, and copy your link."
    return home(pasted=pasted[:LONGEST_SHOWN], wrong_link=wrong), 422


def _hold_and_redirect(link: Link) -> ResponseReturnValue:
    """Store a link in the browser's cookie and redirect to its game or club."""
    hold_link(link.club.key, link.uid)
    _remember_owner(link)
    return redirect(_club_or_game(link.club.key, _current(link) if link.role != "manage" else None), 303)


def _remember_owner(link: Link) -> None:
    """Set the device's owner to the player the link is named after, unless the device has an owner in this club."""
    named = select(Player).where(Player.club_id == link.club_id, Player.name == link.label)
    if str(link.club_id) not in owner_ids() and (player := db.session.scalar(named)):
        remember_owner(player, link.club)


def _current(link: Link) -> int | None:
    """Number of the link's game, otherwise of the club's current game; None if there is none."""
    return link.game.number if link.game else current_number(link.club_id)


def _find(secret: str) -> Link:
    """The link with this secret, or 404. Wrong guesses are rate-limited."""
    security.refuse_guessing()
    link = links.find(secret)
    if link is None:
        security.count_event(security.KEYS, secret)
        abort(404)
    return link


# --- the passphrase: set by a manager, and typed by a person who has lost every link --------------------------------


@bp.get("/c/<key>/passphrase")
def show_passphrase(wrong_with: str = "") -> str:
    until = _restricted_until()
    too_new = say.too_new(until, g.club.zone) if until else ""
    return render("clubs/passphrase.html", wrong_with=wrong_with, too_new=too_new)


@bp.post("/c/<key>/passphrase")
def change_passphrase() -> ResponseReturnValue:
    typed = "" if "remove" in request.form else request.form.get("passphrase", "").strip()
    is_short = len(clubs.tidy_passphrase(typed)) < clubs.SHORTEST_PASSPHRASE
    if "remove" not in request.form and (is_short or len(typed) > clubs.LONGEST_PASSPHRASE):
        return show_passphrase("Use 10 to 200 letters."), 422
    if _restricted_until():
        return show_passphrase(), 422
    clubs.set_passphrase(g.club, typed)
    flash("Passphrase saved." if typed else "Passphrase removed.")
    return go_to("clubs.show_settings")


@bp.get("/come-back")
def ask_passphrase(name: str = "", wrong_with: str = "") -> str:
    return render_template("clubs/come_back.html", name=name, wrong_with=wrong_with)


@bp.post("/come-back")
def come_back() -> ResponseReturnValue:
    """Open a club by name and passphrase. Attempts are rate-limited across all worker processes."""
    name, typed = request.form.get("name", ""), request.form.get("passphrase", "")
    security.count_event(security.KEYS, f"{name}\n{typed}")
    link = clubs.link_by_passphrase(name, typed)
    if link is None:
        return ask_passphrase(name[:80], "No club has that name or number with that passphrase. Check both."), 422
    return _hold_and_redirect(link)
