"""The session's cookie: what this device is set to. It outlives the browser, and stays small enough to be kept.

Cookies are strict: no other site can make a browser send them. Behind HTTPS they are for HTTPS alone, and have a name
of their own there that no page without HTTPS can use: whoever opens the same server by HTTP keeps other cookies.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from flask import current_app, has_request_context, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData, SignatureExpired, TimestampSigner

if TYPE_CHECKING:
    from flask import Flask, Request, Response
    from flask.sessions import SessionMixin
    from itsdangerous import URLSafeTimedSerializer

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

    @property
    def permanent(self) -> bool:
        return True

    @permanent.setter
    def permanent(self, value: bool) -> None:
        """It is permanent already."""


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
        return self._from_before(app, request.cookies[plain]) or session

    def _from_before(self, app: Flask, sent: str) -> SecureCookieSession | None:
        serializer = self.get_signing_serializer(app)
        try:
            return self.session_class(serializer.loads(sent)) if serializer is not None else None
        except BadData:
            return None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = SkewTolerantSigner
        return serializer

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie; messages that are too long for it are cut, for a browser would forget all of it."""
        flashes = session.get(FLASHES, ())
        if session.modified and sum(len(text) for _, text in flashes) > SURELY_FITS:
            self._shorten(app, session)
        super().save_session(app, session, response)

    def _shorten(self, app: Flask, session: SessionMixin) -> None:
        serializer, flashes = self.get_signing_serializer(app), list(session[FLASHES])
        while serializer and flashes and len(serializer.dumps(dict(session))) > MOST_BYTES:
            longest = max(range(len(flashes)), key=lambda index: len(flashes[index][1]))
            category, text = flashes.pop(longest)
            if len(text) > SHORTEST:
                flashes.insert(longest, (category, _first_half(text)))
            session[FLASHES] = flashes


def _first_half(text: str) -> str:
    """The first half of a message, without a word that is cut in the middle."""
    return f"{text[: len(text) // 2].rpartition(' ')[0]} …"
