"""Error pages: what happened, that nothing was lost, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import current_app, g, make_response, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from sqlalchemy.orm.exc import ObjectDeletedError, StaleDataError
from werkzeug.exceptions import BadRequest, Conflict, HTTPException

from scorekeeper.database.errors import TROUBLES, Trouble, trouble_of
from scorekeeper.database.session import now
from scorekeeper.models import MANAGE, SCORE
from scorekeeper.services.clubs import CLUB_KEPT
from scorekeeper.services.links import giver_of

from .numbers import day
from .scope import ClubDeleted, GameDeleted, LinkRevoked, Needs, NotAllowed, ask_for
from .security import TOKEN, PleaseWait, is_from_own_page

if TYPE_CHECKING:
    from flask import Flask, Response


class ErrorText(NamedTuple):
    """The text of an error page: what happened, and what to do."""

    title: str
    sentence: str


ERROR_TEXTS = {
    400: ErrorText("That didn’t work", "Part of this form is missing. Go back and reload the page."),
    404: ErrorText(
        "Page not found",
        "The address may be mistyped, or the page is gone. To open a club’s pages, ask somebody there for a link.",
    ),
    405: ErrorText("Not available", "Go back and use the buttons on the page."),
    409: ErrorText("Changed on another phone", "Nothing was saved. Go back and reload the page."),
    413: ErrorText("That request is too large", "Go back and send less."),
    415: ErrorText("That didn’t work", "This page can’t read that kind of file."),
    422: ErrorText("That doesn’t fit", "Go back and check what you entered."),
    500: ErrorText("Something went wrong", "It’s our fault, not yours. Everything you saved is still here."),
    503: ErrorText("Busy right now", "Nothing was changed. Wait a moment, then try again."),
}
EXPIRED = ErrorText(
    "Send it again", "This page was open for too long, so nothing was saved. What you entered is still here."
)
NO_COOKIE = ErrorText(
    "Go back and try again",
    "Nothing was saved. Either the page was open for too long, or your browser blocks cookies for this site.",
)
REVOKED = ErrorText("This link was revoked", "Ask a manager of the club for a new one.")
NOTHING_SAVED = "Nothing was saved. What you entered is still here."
ACCESS_SENTENCES = {
    SCORE: "Your link lets you watch. To keep score you need a scoring link.",
    MANAGE: "Your link doesn’t let you manage the club. For that you need a manager’s link.",
}
RETRY_AFTER = 5  # seconds

WHY_UNAVAILABLE = {  # neither saved nor read
    Trouble.FULL: "The disk is full. Nothing was lost. Free some space and {again}.",
    Trouble.MISSING: "The database file is gone. Put it back and {again}.",
    Trouble.CLOSED: "The database file can’t be opened. Make it readable and {again}.",
    Trouble.FOREIGN: "The database file is damaged. Restore a backup.",
}
WHY_NOT_SAVED = {
    Trouble.DISK: "The disk can’t be written to. Nothing was lost. Check it, then save again.",
    Trouble.READ_ONLY: "The database file is read-only. Nothing was lost. Make it writable and save again.",
    Trouble.BUSY: "Another program keeps the database locked. Nothing was lost. Save again in a moment.",
    **WHY_UNAVAILABLE,
}
Fields = list[tuple[str, str]]
Link = tuple[str, str]


def init_app(app: Flask) -> None:
    handlers: dict[type[Exception], Callable[[Any], Response]] = {
        HTTPException: show,
        CSRFError: expired,
        NotAllowed: access_denied,
        LinkRevoked: access_denied,
        GameDeleted: deleted,
        ClubDeleted: club_deleted,
        DataError: lambda _: show(BadRequest()),  # a value that the database cannot store
        **dict.fromkeys(TROUBLES, unavailable),
        **dict.fromkeys((ObjectDeletedError, StaleDataError, IntegrityError), concurrent_change),
    }
    for kind, handle in handlers.items():
        app.register_error_handler(kind, handle)


def show(error: HTTPException) -> Response:
    """Render the error page of an HTTP error, keeping its headers."""
    code = error.code or 500
    words = ERROR_TEXTS.get(code) or ERROR_TEXTS[400 if code < 500 else 500]
    if isinstance(error, PleaseWait):
        words = ErrorText(*error.words)
    response = page(words, code)
    for name, value in error.get_headers():
        if name != "Content-Type":
            response.headers[name] = value
    return response


def access_denied(error: NotAllowed | LinkRevoked) -> Response:
    """Explain what the link does not allow, and keep the sent fields to resend with another link."""
    fields, words, link = _fields_to_resend(), REVOKED, None
    if isinstance(error, NotAllowed):
        words, link = ErrorText("Not with your link", ACCESS_SENTENCES[error.needs.role]), _ask_link(error.needs)
    if fields is not None:
        words = words._replace(sentence=f"{NOTHING_SAVED} {words.sentence}")
    return page(words, error.code or 403, fields=fields, link=link)


def _ask_link(needs: Needs) -> Link:
    """Address and text of the page that asks for a link with more rights.

    The request is for the game if this browser holds links of single games only.
    """
    words = ask_for(needs.role, giver_of([link.id for link in g.access.open]))
    if g.access.role is None:
        return url_for("links.show_ask_in_game", number=g.access.number), words
    return url_for("links.show_ask", role=needs.role), words


def deleted(error: GameDeleted) -> Response:
    """A page of a deleted game: link to the change log, and keep the sent fields to resend after restoring it."""
    fields, sentence = _fields_to_resend(), "For 30 days you can take it back under Changes."
    if fields is not None:
        sentence = "Nothing was saved. Take the game back under Changes, then send this again."
    link = url_for("clubs.show_changes"), "Changes"
    words = ErrorText(f"Game {error.number} was deleted", sentence)
    return page(words, 410, fields=fields, link=link)


def club_deleted(error: ClubDeleted) -> Response:
    """A page of a deleted club: until when it can be restored, with a button for managers."""
    until = (error.club.deleted_at or now()) + CLUB_KEPT
    words = ErrorText(f"{error.club.name} was deleted", f"A manager can take it back until {day(until)}.")
    action = url_for("clubs.take_back", key=error.club.key) if error.is_manager else ""
    return page(words, 410, fields=[] if action else None, action=action, button="Take it back")


def _address_of_page() -> str:
    """Address to resend a form to: that of the page itself if htmx requested a fragment."""
    if "HX-Request" in request.headers and request.referrer:
        # Exactly one leading slash: two would address another host.
        return "/" + request.referrer.split("/", 3)[-1].partition("#")[0].lstrip("/\\")
    return request.full_path if request.query_string else request.path


def expired(_error: CSRFError) -> Response:
    """The CSRF token has expired: offer the typed fields again with a new token.

    Only for our own forms, or another site could get its data sent with one tap.
    """
    if not is_from_own_page():
        return page(NO_COOKIE, 400)
    # Without any cookie either cause is possible.
    words = EXPIRED if request.cookies else EXPIRED._replace(sentence=NO_COOKIE.sentence)
    return page(words, 400, fields=fields_sent())


def unavailable(error: Exception) -> Response:
    """The database or the disk is unavailable: 503, offering what was sent to send again.

    While visible, the page retries by itself: it reloads after a GET, and resends a form that has a token, which makes
    resending idempotent.
    """
    if request.method == "POST":
        fields = None if isinstance(error, OSError) else _fields_to_resend()
        again = "send" if fields and "token" in dict(fields) else ""
        response = page(ErrorText("Not saved", why_unavailable(error)), 503, fields=fields, again=again)
    else:
        response = page(ErrorText("Not available right now", why_unavailable(error)), 503, again="load")
    response.retry_after = RETRY_AFTER
    return response


def why_unavailable(error: Exception) -> str:
    """Why nothing could be saved or read, in a sentence. Reraises errors that do not come from the database or disk."""
    trouble = trouble_of(error)
    if trouble is None and not isinstance(error, OperationalError):
        raise error
    current_app.logger.error("the database or the disk is in the way: %s", error)
    why, again = (WHY_NOT_SAVED, "save again") if request.method == "POST" else (WHY_UNAVAILABLE, "reload the page")
    usual = "The database doesn’t answer. Nothing was lost. {again} in a moment."
    return why.get(trouble or Trouble.AWAY, usual.format(again=again.capitalize())).format(again=again)


def _fields_to_resend() -> Fields | None:
    """The sent fields; None without our own form, or with files, which a page cannot hold."""
    if request.method != "POST" or request.files or not is_from_own_page():
        return None
    return fields_sent()


def fields_sent() -> Fields:
    sent = [(name, value) for name, value in request.form.items(multi=True) if name != TOKEN]
    # htmx sends previews, so resending its fields must not save them.
    return [*sent, ("do", "preview")] if "HX-Request" in request.headers else sent


def concurrent_change(error: Exception) -> Response:
    """409: a concurrent request has already made or removed what this one was to change."""
    current_app.logger.warning("somebody was quicker: %s", error)
    return show(Conflict())


def page(
    words: ErrorText,
    code: int,
    *,
    fields: Fields | None = None,
    again: str = "",
    link: Link | None = None,
    action: str = "",
    button: str = "Send again",
) -> Response:
    """Render an error page. For an htmx request it replaces the whole body.

    `fields` are form fields to resend; `again` is the automatic retry: "send", "load" or "". `link` is (address, text)
    of a page that helps; `action` is the form's target, by default the address of the page that sent it.
    """
    about = {"words": words, "code": code, "seconds": RETRY_AFTER, "fields": fields, "again": again}
    try:
        about |= {"link": link, "action": action or _address_of_page(), "button": button}
        shown = render_template("errors/error.html", **about)
    except Exception:
        # The base template itself may be broken.
        current_app.logger.exception("the error page could not be rendered")
        shown = f"<!doctype html><html lang=en><title>{words.title}</title><h1>{words.title}</h1><p>{words.sentence}"
    response = make_response(shown, code)
    if "HX-Request" in request.headers:
        response.headers["HX-Retarget"] = "body"
        response.headers["HX-Reswap"] = "innerHTML"
    return response
