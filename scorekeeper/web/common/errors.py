"""The page that is shown when something goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import current_app, g, make_response, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm.exc import ObjectDeletedError, StaleDataError
from werkzeug.exceptions import BadRequest, Conflict, Gone, HTTPException

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import now
from scorekeeper.models import MANAGE, SCORE, Club
from scorekeeper.services.clubs import CLUB_KEPT
from scorekeeper.services.links import giver_of

from .access import LinkRevoked, NotAllowed
from .database_errors import RETRY_AFTER, why_not_read, why_not_saved
from .numbers import day
from .roles import Needs, ask_for
from .security import TOKEN, comes_from_here
from .throttling import PleaseWait

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask, Response


class Words(NamedTuple):
    """What an error page says: what happened, and what to do now."""

    title: str
    sentence: str


WORDS = {
    400: Words("That didn't work", "Part of this form is missing. Go back and reload the page."),
    403: Words("Not allowed", "Go back and use the buttons on the page."),
    404: Words(
        "Page not found",
        "The address may be mistyped, or the page is gone. To open a club’s pages, ask somebody there for a link.",
    ),
    405: Words("Not available", "Go back and use the buttons on the page."),
    409: Words("Changed on another phone", "Nothing was saved. Go back and reload the page."),
    413: Words("That request is too large", "Go back and send less."),
    415: Words("That didn't work", "This page can't read that kind of file."),
    422: Words("That doesn't fit", "Go back and check what you entered."),
    429: Words("Too fast", "Wait a moment, then try again."),
    500: Words("Something went wrong", "It's our fault, not yours. Everything you saved is still here."),
    503: Words("Busy right now", "Nothing was changed. Wait a moment, then try again."),
}
EXPIRED = Words(
    "Send it again", "This page was open for too long, so nothing was saved. What you entered is still here."
)
NO_COOKIE = Words(
    "Go back and try again",
    "Nothing was saved. Either the page was open for too long, or your browser blocks cookies for this site.",
)
NOT_SAVED, NOT_READ = "Not saved", "Not available right now"
REVOKED = Words("This link was revoked", "Ask a manager of the club for a new one.")
NOT_SAVED_TOO = "Nothing was saved. What you entered is still here."
NOT_ALLOWED = "Not with your link"
NEEDED = {
    SCORE: "Your link lets you watch. To keep score you need a scoring link.",
    MANAGE: "Your link doesn’t let you manage the club. For that you need a manager’s link.",
}
CLUB_DELETED = "A manager can take it back until {until}."
DELETED = "It can be taken back for 30 days: see Changes."
DELETED_SENT = "Nothing was saved. Take the game back under Changes, then send this again."
Fields = list[tuple[str, str]]
Link = tuple[str, str]


class GameDeleted(Gone):
    """Raised for a page of a game that was deleted and can be taken back; what was sent to it is offered again."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class ClubDeleted(Gone):
    """Raised for a page of a club that was deleted, for who had a link; a manager can take it back."""

    def __init__(self, club: Club, is_manager: bool) -> None:
        super().__init__()
        self.club = club
        self.is_manager = is_manager


def init_app(app: Flask) -> None:
    app.register_error_handler(CSRFError, expired)
    app.register_error_handler(HTTPException, show)
    app.register_error_handler(DataError, unreadable)
    for trouble in TROUBLES:
        app.register_error_handler(trouble, unavailable)
    for kind in (ObjectDeletedError, StaleDataError, IntegrityError):
        app.register_error_handler(kind, overtaken)


def show(error: HTTPException) -> Response | HTTPException:
    """The page of an error; a ready-made response and a redirect stay as they are."""
    if error.response is not None or error.code is None or error.code < 400:
        return error
    if isinstance(error, ClubDeleted):
        return club_deleted(error)
    if isinstance(error, GameDeleted):
        return deleted(error)
    if isinstance(error, (NotAllowed, LinkRevoked)):
        return not_let_in(error)
    words = WORDS.get(error.code) or WORDS[400 if error.code < 500 else 500]
    if isinstance(error, PleaseWait):
        words = Words(*error.words)
    response = page(words, error.code)
    for name, value in error.get_headers():
        if name != "Content-Type":
            response.headers[name] = value
    return response


def not_let_in(error: NotAllowed | LinkRevoked) -> Response:
    """What a link does not allow: why, and what was sent, to be sent again with another link."""
    sent = request.method == "POST" and comes_from_here() and not request.files
    code = int(error.code or 403)
    words = REVOKED if isinstance(error, LinkRevoked) else Words(NOT_ALLOWED, NEEDED[error.needs.role])
    if sent:
        words = words._replace(sentence=f"{NOT_SAVED_TOO} {words.sentence}")
    link = _to_ask(error.needs) if isinstance(error, NotAllowed) else None
    return page(words, code, fields=fields_sent() if sent else None, link=link, action=_address_of_page())


def _to_ask(needs: Needs) -> Link:
    """Where this browser can ask for a link that allows more, a game's guest for the game; and whom."""
    whom = giver_of([link.id for link in g.access.open])
    words = ask_for(needs.role, whom)
    if g.access.role is None:
        return url_for("links.show_ask_in_game", key=g.club.key, number=g.access.number), words
    return url_for("links.show_ask", key=g.club.key, role=needs.role), words


def deleted(error: GameDeleted) -> Response:
    """A page of a deleted game: where to take it back, and what was sent, to be sent again afterwards."""
    sent = request.method == "POST" and comes_from_here() and not request.files
    words = Words(f"Game {error.number} was deleted", DELETED_SENT if sent else DELETED)
    link = url_for("clubs.show_changes", key=g.club.key), "Changes"
    fields = fields_sent() if sent else None
    if fields is not None and "HX-Request" in request.headers:
        fields.append(("do", "preview"))  # only looked at before, and not to be saved now
    return page(words, 410, fields=fields, link=link, action=_address_of_page())


def club_deleted(error: ClubDeleted) -> Response:
    """A page of a deleted club: until when a manager can take it back, and the button that does."""
    until = (error.club.deleted_at or now()) + CLUB_KEPT
    words = Words(f"{error.club.name} was deleted", CLUB_DELETED.format(until=day(until)))
    action = url_for("clubs.take_back", key=error.club.key) if error.is_manager else ""
    return page(words, 410, fields=[] if action else None, action=action, button="Take it back")


def _address_of_page() -> str:
    """Where a form is sent again: of a part of a page that htmx asked for, to the address of that page."""
    if "HX-Request" in request.headers and request.referrer:
        # One slash: with two it would be an address elsewhere.
        return "/" + request.referrer.split("/", 3)[-1].partition("#")[0].lstrip("/\\")
    return request.full_path if request.query_string else request.path


def expired(_error: CSRFError) -> Response:
    """The form's token has expired: offer what was typed again with a new one.

    Only to a form of our own: another site must not get its data sent with one tap.
    """
    if not comes_from_here():
        return page(NO_COOKIE, 400)
    return page(EXPIRED, 400, fields=fields_sent())


def unreadable(_error: DataError) -> Response | HTTPException:
    """The database cannot hold a value: it was no sensible one."""
    return show(BadRequest())


def unavailable(error: Exception) -> Response:
    """The database or the disk is in the way. What was sent is offered to be sent again: nothing of it is lost.

    The page does so by itself while it is looked at: a page is loaded again, and a form that makes one change
    however often it is sent, by its token.
    """
    if request.method == "POST":
        words, fields = Words(NOT_SAVED, why_not_saved(error)), _to_send_again(error)
        response = page(words, 503, fields=fields, again="send" if fields and "token" in dict(fields) else "")
    else:
        response = page(Words(NOT_READ, why_not_read(error)), 503, again="load")
    response.retry_after = RETRY_AFTER
    return response


def _to_send_again(error: Exception) -> list[tuple[str, str]] | None:
    """The fields of our own form; none of a form with a file, which a page cannot hold."""
    is_left_out = isinstance(error, OSError) or request.files or not comes_from_here()
    return None if is_left_out else fields_sent()


def fields_sent() -> list[tuple[str, str]]:
    return [(name, value) for name, value in request.form.items(multi=True) if name != TOKEN]


def overtaken(error: Exception) -> Response | HTTPException:
    """What was to be changed is gone, or what was to be new is there: somebody did it a moment before."""
    current_app.logger.warning("somebody was quicker: %s", error)
    return show(Conflict())


def page(
    words: Words,
    code: int,
    *,
    fields: Fields | None = None,
    again: str = "",
    link: Link | None = None,
    action: str = "",
    button: str = "Send again",
) -> Response:
    """An error's page; where htmx asked for a part of a page, it takes the place of all of it.

    `fields` are those of a form to be sent again, `again` what the page does by itself: "send", "load" or nothing.
    `link` is the address and the name of the page that helps, `action` where the form goes if not to where it went.
    """
    more = {"fields": fields, "again": again, "link": link, "action": action, "button": button}
    response = make_response(_render(words, code, more), code)
    if "HX-Request" in request.headers:
        response.headers["HX-Retarget"] = "body"
        response.headers["HX-Reswap"] = "innerHTML"
    return response


def _render(words: Words, code: int, more: Mapping[str, object]) -> str:
    shown = {"words": words, "code": code, "seconds": RETRY_AFTER, **more}
    try:
        return render_template("errors/error.html", **shown)
    except Exception:
        # The page's own frame may be what is broken.
        current_app.logger.exception("the error page could not be rendered")
        return f"<!doctype html><html lang=en><title>{words.title}</title><h1>{words.title}</h1><p>{words.sentence}"
