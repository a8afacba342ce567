"""What guards every request and every answer: form tokens, sizes, text that no database takes, headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import Response, abort, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect, generate_csrf
from werkzeug.routing import IntegerConverter

from scorekeeper.database.cache import BoundedCache

from . import throttling
from .sessions import LastingSessions

if TYPE_CHECKING:
    from flask import Flask

MARKED = "form_token_mark"  # under which a request has what stands for the token on a page that is kept
csrf = CSRFProtect()
_tokens = BoundedCache[str](1_024)  # signed, by the secret key and what they sign

TOKEN = "csrf_token"  # noqa: S105  (the name of a field, and under which a session keeps what it is made of)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # A club's address is its key: no other site may learn it from a link.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "private, no-cache",  # whatever is no page, too: a picture, or a file of a club
}


class SmallInteger(IntegerConverter):
    """A number in an address that every database can look up; anything longer is not found."""

    regex = r"[0-9]{1,9}"


def init_app(app: Flask) -> None:
    """Guard `app`. Goes before the blueprints: they use the number converter."""
    app.session_interface = LastingSessions()
    app.url_map.converters["int"] = SmallInteger
    throttling.init_app(app)
    app.url_value_preprocessor(allow_large_body)  # first: the last one reads the form
    app.url_value_preprocessor(throttling.take_turn)
    app.url_value_preprocessor(refuse_nul)
    csrf.init_app(app)
    app.jinja_env.globals["csrf_token"] = form_token
    app.context_processor(lambda: {"csrf_token": form_token})  # Flask-WTF has one, too, which the later one replaces
    headers = HEADERS | {"Content-Security-Policy": content_security_policy(app)}

    @app.after_request
    def add_headers(response: Response) -> Response:
        return _add_headers(response, headers)


def form_token() -> str:
    """What every form has to bring along: the session's own token, signed once as long as a signature never expires."""
    if MARKED in g:
        return str(g.get(MARKED))
    if current_app.config["WTF_CSRF_TIME_LIMIT"] is not None:
        return str(generate_csrf())
    known = _tokens.get((current_app.secret_key, session.get(TOKEN)))
    if known is None:
        g.pop(TOKEN, None)  # Flask-WTF's, of an earlier request, where one context has several
        signed = str(generate_csrf())
        known = _tokens.put((current_app.secret_key, session[TOKEN]), signed)
    return known


def content_security_policy(app: Flask) -> str:
    """The policy: nothing inline, nothing from elsewhere but htmx."""
    cdn = "" if app.config["HTMX_LOCAL"] else f" {app.config['HTMX_CDN']}"
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self'{cdn}",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def allow_large_body(endpoint: str | None, _values: object) -> None:
    """Let a file be as large as TRANSFER_LIMIT says; every other request is a form."""
    if endpoint == throttling.UPLOAD:
        request.max_content_length = current_app.config["TRANSFER_LIMIT"]


def refuse_nul(_endpoint: str | None, _values: object) -> None:
    """Stop text with a NUL in it: PostgreSQL takes none, and nobody types one.

    A preprocessor of the whole application: those run before anything looks in the database.
    """
    if "\0" in request.path:
        abort(404)
    # Most addresses have nothing behind their path, and only a POST has a form: the others are not read for one.
    for values in (request.args if request.query_string else None, request.form if request.method == "POST" else None):
        if values and "\0" in "".join([text for pair in values.items(multi=True) for text in pair]):
            abort(400)


def _add_headers(response: Response, headers: Mapping[str, str]) -> Response:
    """Add those that a view has not set; each is looked for once, as every answer comes through here."""
    has = {name.lower() for name, _ in response.headers}
    for name, value in headers.items():
        if name.lower() not in has:
            response.headers.add(name, value)
    if response.mimetype == "text/html":
        response.vary.add("HX-Request")  # a page, or a part of it
    return response


def comes_from_here() -> bool:
    """Whether the browser says that one of our own pages sent this request."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    sender = request.headers.get("Origin") or request.headers.get("Referer") or ""
    # Not urlsplit: it raises on what a browser would not send, but anybody else may.
    return sender.split("/")[2:3] == [request.host]
