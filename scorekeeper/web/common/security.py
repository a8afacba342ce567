"""Guards for all requests and responses: cookies, CSRF tokens, rate limits, sizes, headers.

Cookies are SameSite=Strict, so other sites cannot make a browser send them. Behind HTTPS they are Secure and have a
`__Host-` name that plain HTTP cannot set; a browser using HTTP has separate cookies.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Response, abort, current_app, g, has_request_context, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf.csrf import CSRFProtect, generate_csrf
from itsdangerous import BadData, SignatureExpired, TimestampSigner
from werkzeug.exceptions import TooManyRequests
from werkzeug.routing import IntegerConverter

from scorekeeper.config import SettingProblem
from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.throttle import Limit, SlotPool, Throttle

from .numbers import counted

if TYPE_CHECKING:
    from flask import Flask, Request
    from flask.sessions import SessionMixin
    from itsdangerous import URLSafeTimedSerializer

MARKED = "form_token_mark"  # attribute of `g`: the placeholder for the CSRF token on a cached page
csrf = CSRFProtect()
_tokens = BoundedCache[str](1_024)  # signed tokens by secret key and session token

TOKEN = "csrf_token"  # noqa: S105  (a field name and session key)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # A club's address contains its key, which must not leak to other sites.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",  # for browsers without frame-ancestors
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "private, no-cache",  # also for responses that are not pages: pictures, club files
}


class SmallInteger(IntegerConverter):
    """Integers in addresses that fit every database; longer ones are 404."""

    regex = r"[0-9]{1,9}"


def init_app(app: Flask) -> None:
    """Install the guards; before the blueprints, which use the `int` converter. Raises SettingProblem."""
    app.session_interface = LastingSessions()
    app.url_map.converters["int"] = SmallInteger
    instance = Path(app.instance_path)
    app.extensions["throttle"] = Throttle(instance / "throttle.sqlite")  # shared by all worker processes
    app.extensions["places"] = SlotPool(instance / "places", MOST_CONCURRENT)
    app.extensions["limits"] = {name: _limit(app, name) for name in SENTENCES}
    app.url_value_preprocessor(admit_file)  # first: refuse_nul parses the form
    app.url_value_preprocessor(refuse_nul)
    app.teardown_request(_release_slot)
    csrf.init_app(app)
    app.jinja_env.globals["csrf_token"] = form_token
    app.context_processor(lambda: {"csrf_token": form_token})  # replaces Flask-WTF's own
    headers = HEADERS | {"Content-Security-Policy": content_security_policy(app)}

    @app.after_request
    def add_headers(response: Response) -> Response:
        """Add missing headers. Compares names in one pass, since every response comes through here."""
        has = {name.lower() for name, _ in response.headers}
        for name, value in headers.items():
            if name.lower() not in has:
                response.headers.add(name, value)
        if response.mimetype == "text/html":
            response.vary.add("HX-Request")  # a page, or a fragment
        return response


def form_token() -> str:
    """The session's CSRF token; the signed form is cached if signatures do not expire."""
    if MARKED in g:
        return str(g.get(MARKED))
    if current_app.config["WTF_CSRF_TIME_LIMIT"] is not None:
        return str(generate_csrf())
    known = _tokens.get((current_app.secret_key, session.get(TOKEN)))
    if known is None:
        g.pop(TOKEN, None)  # Flask-WTF caches one here, which may be an earlier request's if they share a context
        signed = str(generate_csrf())
        known = _tokens.put((current_app.secret_key, session[TOKEN]), signed)
    return known


def content_security_policy(app: Flask) -> str:
    """The Content-Security-Policy: no inline code, and nothing external except htmx."""
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


def refuse_nul(_endpoint: str | None, _values: object) -> None:
    """Reject text with NUL characters, which PostgreSQL cannot store.

    A URL preprocessor of the application, because those run before any query.
    """
    if "\0" in request.path:
        abort(404)
    # Forms are parsed only for POST, and arguments only if there is a query string.
    for values in (request.args if request.query_string else None, request.form if request.method == "POST" else None):
        if values and "\0" in "".join([text for pair in values.items(multi=True) for text in pair]):
            abort(400)


def is_from_own_page() -> bool:
    """True if the browser says that one of our own pages sent this request."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    sender = request.headers.get("Origin") or request.headers.get("Referer") or ""
    # Not urlsplit: it raises ValueError on malformed input.
    return sender.split("/")[2:3] == [request.host]


# --- the session cookie: this device's settings. It outlives the browser session and stays below the size limit ------

MOST_BYTES = 3_800  # browsers keep 4,096, including the cookie's name and attributes
SURELY_FITS = 400  # characters of flash messages
SHORTEST = 20
FLASHES = "_flashes"  # session key of Flask's flash messages


def is_secure() -> bool:
    """True if cookies of this response get the Secure attribute."""
    return bool(current_app.config["SESSION_COOKIE_SECURE"]) or (has_request_context() and request.is_secure)


def cookie_name(name: str) -> str:
    """Cookie name; behind HTTPS with the `__Host-` prefix."""
    return f"__Host-{name}" if is_secure() else name


class LastingSession(SecureCookieSession):
    """A session whose cookie outlives the browser session."""

    permanent = True


class SkewTolerantSigner(TimestampSigner):
    """Accepts timestamps in the future: the server's clock may have been set back."""

    def unsign(self, signed_value: Any, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        value, signed = super().unsign(signed_value, return_timestamp=True)
        if max_age is not None and time.time() - signed.timestamp() > max_age:
            raise SignatureExpired("the cookie is too old", payload=value, date_signed=signed)
        return (value, signed) if return_timestamp else value


class LastingSessions(SecureCookieSessionInterface):
    session_class = LastingSession

    def get_cookie_name(self, app: Flask) -> str:
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002  (as Flask calls it)
        return is_secure()

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session; on the first request behind HTTPS, the one from the HTTP cookie."""
        session = super().open_session(app, request)
        plain = str(app.config["SESSION_COOKIE_NAME"])
        if session or self.get_cookie_name(app) == plain or plain not in request.cookies:
            return session
        serializer = self.get_signing_serializer(app)
        try:
            return self.session_class(serializer.loads(request.cookies[plain])) if serializer else session
        except BadData:
            return session

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = SkewTolerantSigner
        return serializer

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie; shorten flash messages that make it too large, since browsers would drop it entirely.

        Usually the session is unmodified, which this tests first because Flask's own method looks up all cookie
        settings.
        """
        if session.modified:
            if sum(len(text) for _, text in session.get(FLASHES, ())) > SURELY_FITS:
                self._shorten(app, session)
            super().save_session(app, session, response)
        elif session.accessed:
            response.vary.add("Cookie")

    def _shorten(self, app: Flask, session: SessionMixin) -> None:
        serializer, flashes = self.get_signing_serializer(app), list(session[FLASHES])
        while serializer and flashes and len(serializer.dumps(dict(session))) > MOST_BYTES:
            longest = max(range(len(flashes)), key=lambda index: len(flashes[index][1]))
            category, text = flashes.pop(longest)
            if len(text) > SHORTEST:
                # The first half, ending at a word.
                flashes.insert(longest, (category, f"{text[: len(text) // 2].rpartition(' ')[0]} …"))
            session[FLASHES] = flashes


# --- rate limits on starting clubs, trying links and uploading files; scoring is never limited -----------------------

# A home or a hall shares one address, so limits are far above a club night's needs. A phone known to a club is not
# affected by others at its address, and requests from this machine are never limited.
CLUBS, KEYS, UPLOADS = "THROTTLE_CLUBS", "THROTTLE_KEYS", "THROTTLE_UPLOADS"
TITLE = "Please wait"
SENTENCES = {
    CLUBS: "Too many clubs were started from your network. Try again in {wait}.",
    KEYS: "Too many wrong links were tried from your network. Try again in {wait}.",
    UPLOADS: "Too many files were sent from your network. Try again in {wait}.",
}
BUSY = "Another file is being read. Nothing was changed. Try again in a minute."
FORWARDED = ("Forwarded", "X-Forwarded-For", "Via")  # headers added by proxies
UPLOAD = "transfers.preview"  # receives a club file
SLOW_ENDPOINTS = {UPLOAD, "transfers.import_file"}
MOST_CONCURRENT = 2  # files read concurrently; the machine has other work


class PleaseWait(TooManyRequests):
    """A 429 page with its own sentence."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(retry_after=seconds)
        self.words = (TITLE, sentence)


def _limit(app: Flask, name: str) -> Limit | None:
    try:
        return Limit.parse(str(app.config[name]))
    except ValueError as error:
        raise SettingProblem(f"SCOREKEEPER_{name}: {error}") from None


def count_event(what: str, thing: str = "") -> None:
    """Count one event; raises 429 above the limit. The same `thing` counts once; "" always counts."""
    _refuse(what, Throttle.count, thing or secrets.token_hex())


def refuse_guessing() -> None:
    """Raise 429 if the client has tried too many wrong links."""
    _refuse(KEYS, Throttle.seconds_left)


def _refuse(what: str, wait: Callable[..., int], *more: str) -> None:
    """Raise 429 if the client has to wait, by a method of Throttle that returns for how many seconds."""
    who, limit = _address(), current_app.extensions["limits"][what]
    seconds = wait(current_app.extensions["throttle"], limit, what, who, *more) if who and limit else 0
    if seconds:
        raise PleaseWait(SENTENCES[what].format(wait=counted(math.ceil(seconds / 60), "minute")), seconds)


def _address() -> str | None:
    """The client's address; for IPv6 its /64 prefix, which identifies a home. None for this machine.

    Requests through an untrusted proxy on this machine are not exempt: together they count as one client.
    """
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback and not any(name in request.headers for name in FORWARDED):
        return None
    return str(address) if address.version == 4 else f"{address.exploded[:19]}::/64"


# --- slow requests ----------------------------------------------------------------------------------------------------


def admit_file(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Allow files up to TRANSFER_LIMIT; all other bodies have the limit of forms. A few are read at once, one per club.

    Runs before the form is parsed, which may be slow itself.
    """
    if endpoint == UPLOAD:
        request.max_content_length = current_app.config["TRANSFER_LIMIT"]
        count_event(UPLOADS)
    if endpoint in SLOW_ENDPOINTS:
        g.give_turn_back = current_app.extensions["places"].take((values or {}).get("key", ""))
        if g.give_turn_back is None:
            raise PleaseWait(BUSY, 60)


def _release_slot(_error: BaseException | None) -> None:
    give_back = g.pop("give_turn_back", None)
    if give_back:
        give_back()
