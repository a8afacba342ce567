"""What guards every request and every answer: cookies, form tokens, how many are answered, sizes, headers.

Cookies are strict: no other site can make a browser send them. Behind HTTPS they are for HTTPS alone, and have a name
of their own there that no page without HTTPS can use: whoever opens the same server by HTTP keeps other cookies.
"""

from __future__ import annotations

import math
import secrets
import time
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
from scorekeeper.database.throttle import Limit, Places, Throttle

from .numbers import counted

if TYPE_CHECKING:
    from flask import Flask, Request
    from flask.sessions import SessionMixin
    from itsdangerous import URLSafeTimedSerializer

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
    """Guard `app`. Goes before the blueprints: they use the number converter. Raises SettingProblem."""
    app.session_interface = LastingSessions()
    app.url_map.converters["int"] = SmallInteger
    instance = Path(app.instance_path)
    app.extensions["throttle"] = Throttle(instance / "throttle.sqlite")  # where all worker processes count
    app.extensions["places"] = Places(instance / "places", PLACES)
    app.extensions["limits"] = {name: _limit(app, name) for name in SENTENCES}
    app.url_value_preprocessor(allow_large_body)  # first: the last one reads the form
    app.url_value_preprocessor(take_turn)
    app.url_value_preprocessor(refuse_nul)
    app.teardown_request(_give_turn_back)
    csrf.init_app(app)
    app.jinja_env.globals["csrf_token"] = form_token
    app.context_processor(lambda: {"csrf_token": form_token})  # Flask-WTF has one, too, which the later one replaces
    headers = HEADERS | {"Content-Security-Policy": content_security_policy(app)}

    @app.after_request
    def add_headers(response: Response) -> Response:
        """Add those that a view has not set; each is looked for once, as every answer comes through here."""
        has = {name.lower() for name, _ in response.headers}
        for name, value in headers.items():
            if name.lower() not in has:
                response.headers.add(name, value)
        if response.mimetype == "text/html":
            response.vary.add("HX-Request")  # a page, or a part of it
        return response


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
    if endpoint == UPLOAD:
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


def comes_from_here() -> bool:
    """Whether the browser says that one of our own pages sent this request."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    sender = request.headers.get("Origin") or request.headers.get("Referer") or ""
    # Not urlsplit: it raises on what a browser would not send, but anybody else may.
    return sender.split("/")[2:3] == [request.host]


# --- the session's cookie: what this device is set to. It outlives the browser, and stays small enough to be kept ----

MOST_BYTES = 3_800  # browsers keep 4,096, with the cookie's name and what is said about it
SURELY_FITS = 400  # letters of messages
SHORTEST = 20
FLASHES = "_flashes"  # where Flask keeps the messages for the next page


def is_secure() -> bool:
    """Whether cookies of this request's answer are for HTTPS alone."""
    return bool(current_app.config["SESSION_COOKIE_SECURE"]) or (has_request_context() and request.is_secure)


def cookie_name(name: str) -> str:
    """A cookie's name: behind HTTPS one that browsers take from this very host by HTTPS alone."""
    return f"__Host-{name}" if is_secure() else name


class LastingSession(SecureCookieSession):
    """A session whose cookie outlives the browser."""

    permanent = True


class SkewTolerantSigner(TimestampSigner):
    """Takes a cookie also from the future: the server's clock was set back since, and it is still ours."""

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
        """The session; behind HTTPS for the first time, the one from before."""
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
        """Set the cookie; messages that are too long for it are cut, for a browser would forget all of it.

        Mostly nothing has changed: Flask would find out at the end of all that it looks up for a cookie.
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
                # The first half, without a word that is cut in the middle.
                flashes.insert(longest, (category, f"{text[: len(text) // 2].rpartition(' ')[0]} …"))
            session[FLASHES] = flashes


# --- who starts too many clubs, tries too many links or sends too many files is asked to wait; who plays never is ----

# An address is what a home or a hall shares, so the limits are far above a club night's needs, a phone that has been to
# a club before goes on whatever others at its address do, and this computer itself is never stopped.
CLUBS, KEYS, UPLOADS = "THROTTLE_CLUBS", "THROTTLE_KEYS", "THROTTLE_UPLOADS"
TITLE = "Please wait"
SENTENCES = {
    CLUBS: "Too many clubs were started from your network. Try again in {wait}.",
    KEYS: "Too many wrong links were tried from your network. Try again in {wait}.",
    UPLOADS: "Too many files were sent from your network. Try again in {wait}.",
}
TAKEN = "Another file is being read. Nothing was changed. Try again in a minute."
FORWARDED = ("Forwarded", "X-Forwarded-For", "Via")  # what proxies add
UPLOAD = "transfers.preview"  # is sent a club file
TAKES_LONG = {UPLOAD, "transfers.import_file"}
PLACES = 2  # files that are read at the same time: the machine has other things to do


class PleaseWait(TooManyRequests):
    """The page that asks to wait, with a sentence of its own."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(retry_after=seconds)
        self.words = (TITLE, sentence)


def _limit(app: Flask, name: str) -> Limit | None:
    try:
        return Limit.parse(str(app.config[name]))
    except ValueError as error:
        raise SettingProblem(f"SCOREKEEPER_{name}: {error}") from None


def count(what: str, thing: str = "") -> None:
    """Count one more; answers 429 where it is one too many. The same `thing` counts once; without one, all differ."""
    who, limit = _address(), current_app.extensions["limits"][what]
    if who and limit:
        _refuse(what, current_app.extensions["throttle"].count(limit, what, who, thing or secrets.token_hex()))


def refuse_over(what: str) -> None:
    """Answer 429 to an address that has reached a limit."""
    who, limit = _address(), current_app.extensions["limits"][what]
    if who and limit:
        _refuse(what, current_app.extensions["throttle"].seconds_left(limit, what, who))


def _refuse(what: str, seconds: int) -> None:
    if seconds:
        raise PleaseWait(SENTENCES[what].format(wait=counted(math.ceil(seconds / 60), "minute")), seconds)


def _address() -> str | None:
    """Who asks: an address, of the long kind its first half, which is a home's. None for this computer itself.

    Whoever comes through a proxy on this computer that is not trusted is not this computer: all of them are one.
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


# --- what takes long --------------------------------------------------------------------------------------------------


def take_turn(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Let few requests that take long be worked on at the same time, and of one club only one.

    Goes before anything reads the form: that alone may take long.
    """
    if endpoint == UPLOAD:
        count(UPLOADS)
    if endpoint in TAKES_LONG:
        g.give_turn_back = current_app.extensions["places"].take((values or {}).get("key", ""))
        if g.give_turn_back is None:
            raise PleaseWait(TAKEN, 60)


def _give_turn_back(_error: BaseException | None) -> None:
    give_back = g.pop("give_turn_back", None)
    if give_back:
        give_back()
