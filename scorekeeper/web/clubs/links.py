"""A club's links, for its managers: who may do what, when last; new ones with their codes, and who asks for one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from scorekeeper.database.session import db, now
from scorekeeper.database.zones import find_zone
from scorekeeper.models import MANAGE, ROLES, Game, Link
from scorekeeper.services import links
from scorekeeper.undo import changes as club_undo
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.scope import find_game, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import club_change_sentences
from scorekeeper.web.wording import link_sentences as say

from .link_form import LinkForm

bp = scoped(Blueprint("links", __name__, url_prefix="/c/<key>"))
MOST_REVOKED = 10  # are listed


class LinksPage:
    """The links of a club, or those of one game of it."""

    def __init__(self, game: Game | None = None) -> None:
        self.game = game

    @cached_property
    def _links(self) -> Sequence[Link]:
        mine = select(Link).where(Link.club_id == g.club.id).order_by(Link.created_at.desc(), Link.id.desc())
        return db.session.scalars(mine.where(Link.game_id == self.game.id) if self.game else mine).all()

    @property
    def last_change(self) -> str:
        """Who scored last, and from which device."""
        last = links.last_change(g.club.id) if self.game is None else None
        return say.last_change(last, g.club.zone) if last else ""

    @property
    def requests(self) -> list[Link]:
        return [link for link in self._links if link.waits and link.revoked_at is None]

    @property
    def open(self) -> list[Link]:
        """Those that let somebody in, those to manage the club first, and those of single games last."""
        known = [link for link in self._links if not link.waits and link.revoked_at is None]
        return sorted(known, key=lambda link: (link.game is not None, -ROLES.index(link.role)))

    @property
    def revoked(self) -> list[Link]:
        return [link for link in self._links if link.revoked_at is not None and not link.waits][:MOST_REVOKED]

    @property
    def roles(self) -> list[str]:
        """The roles that a new link can have: the least first."""
        return [role for role in ROLES if self.game is None or role != MANAGE]

    def free_label(self, role: str) -> str:
        """What a new link is called that nobody has named: unlike those that are open."""
        return say.free_label(role, self.game.number if self.game else None, {link.label for link in self.open})

    def used(self, link: Link) -> str:
        return say.used(link, now(), g.club.zone)

    def is_mine(self, link: Link) -> bool:
        return _is_mine(link)


@bp.get("/links/")
def index() -> ResponseReturnValue:
    return _page(LinksPage(), LinkForm(formdata=None))


@bp.get("/games/<int:number>/links")
def of_game(number: int) -> ResponseReturnValue:
    return _page(LinksPage(find_game(number)), LinkForm(formdata=None))


@bp.post("/links/")
def make() -> ResponseReturnValue:
    return _make(LinksPage())


@bp.post("/games/<int:number>/links")
def make_of_game(number: int) -> ResponseReturnValue:
    return _make(LinksPage(find_game(number)))


def _make(page: LinksPage) -> ResponseReturnValue:
    form = LinkForm()
    if not form.validate() or form.role.data not in page.roles:
        return _page(page, form), 422
    label = form.label.data or page.free_label(form.role.data)
    try:
        link = links.make(g.club, form.role.data, label, scorer_name(), game=page.game)
    except links.TooMany:
        form.label.errors = [say.TOO_MANY]
        return _page(page, form), 422
    return redirect(url_for(".show", key=g.club.key, link=link.id), 303)


def _page(page: LinksPage, form: LinkForm) -> str:
    return render_template("links/index.html", club=g.club, page=page, form=form, say=say)


@bp.get("/links/<int:link>")
def show(link: int) -> ResponseReturnValue:
    """A link with its code, to be scanned, copied or sent."""
    found = _find(link)
    if found.revoked_at is not None or found.waits:
        abort(404)
    secret = links.secret_to_show(found)
    address = secret and url_for("open_link.show", secret=secret, _external=True)
    about = {"link": found, "address": address, "code": code(address) if address else "", "is_mine": _is_mine(found)}
    return render_template("links/show.html", club=g.club, say=say, **about)


@bp.post("/links/<int:link>/revoke")
def revoke(link: int) -> ResponseReturnValue:
    """Let nobody in by a link any more; the last one to manage the club stays, or nobody could."""
    found = _find(link)
    if links.managing(g.club) == [found]:
        flash(say.LAST_MANAGER)
    elif (until := new_until()) and found.id == links.managing(g.club)[0].id:
        flash(say.too_new(until, g.club.zone))
    else:
        links.revoke(found, scorer_name())
        flash(say.declined(found) if found.waits else say.revoked(found))
    return _back()


def new_until() -> datetime | None:
    """Until when this device may not shut out the club's first link, nor change the passphrase."""
    return links.new_until(g.club, [held.id for held in g.access.open])


def _is_mine(link: Link) -> bool:
    """Whether this device uses it: without it, the device may be locked out."""
    return link.id in {held.id for held in g.access.open}


@bp.get("/links/<int:link>/take-back")
def look_at_changes(link: int) -> ResponseReturnValue:
    """What a link did since a moment, and what taking it back would do."""
    found, since = _find(link), _since()
    would = club_undo.take_back(g.club, found, since, keep=False)
    lines = [club_change_sentences.said(entry) for entry in would.entries]
    about = {"link": found, "since": since and since.astimezone(find_zone(g.club.zone)), "would": would, "lines": lines}
    stays = [say.stays(club_change_sentences.said(entry) if entry else "", why) for entry, why in would.stays]
    return render_template("links/take_back.html", club=g.club, say=say, stays=stays, **about)


@bp.post("/links/<int:link>/take-back")
def take_back(link: int) -> ResponseReturnValue:
    """Take back what a link did since a moment."""
    done = club_undo.take_back(g.club, _find(link), _since(), scorer_name())
    flash(say.taken_back(done) if done.number else say.NOTHING_TO_TAKE_BACK)
    return redirect(url_for("changes.show", key=g.club.key), 303)


def _since() -> datetime | None:
    """The moment that the form names, as the club's clocks show it; None for all the time."""
    try:
        told = datetime.fromisoformat(request.values.get("since", ""))
        return told.replace(tzinfo=find_zone(g.club.zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@bp.post("/links/<int:link>/grant")
def grant(link: int) -> ResponseReturnValue:
    """Let the phone in that asked."""
    found = _find(link)
    if found.waits and found.revoked_at is None:
        links.grant(found, scorer_name())
        flash(say.granted(found))
    return _back()


def _back() -> ResponseReturnValue:
    if request.form.get("back") == "club":
        return redirect(url_for("clubs.show", key=g.club.key), 303)
    return redirect(url_for(".index", key=g.club.key), 303)


def _find(number: int) -> Link:
    found = select(Link).where(Link.club_id == g.club.id, Link.id == number)
    return db.session.scalar(found) or abort(404)
