"""The links that a browser holds, club by club: a signed cookie of their own.

It is told apart from the session: a page that was opened from another site comes without cookies (they are strict), may
begin a new session, and must not take the way back to anybody's clubs with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app, request
from itsdangerous import BadData, URLSafeTimedSerializer

from scorekeeper.services.links import MOST_HELD

from .security import comes_from_here
from .sessions import SkewTolerantSigner, cookie_name, is_secure

if TYPE_CHECKING:
    from flask import Flask, Response

COOKIE = "scorekeeper_links"
AGAIN = "from"  # in the address of a page that was asked for once more
READ, CHANGED = "scorekeeper.held", "scorekeeper.held_changed"  # where a request keeps what was read of it
MOST_CLUBS = 20
Links = dict[str, list[str]]  # the uids of links by the key of their club, the latest first of both


def init_app(app: Flask) -> None:
    app.after_request(_send)
    app.jinja_env.globals["address_with_cookie"] = address_with_cookie


def held() -> Links:
    """The links that this browser holds."""
    if READ not in request.environ:
        request.environ[READ] = _read()
    links: Links = request.environ[READ]
    return links


def held_of(key: str) -> list[str]:
    """The uids of those of one club."""
    return held().get(key, [])


def has_cookie() -> bool:
    """Whether this browser has sent a cookie with links at all."""
    return any(name in request.cookies for name in (COOKIE, cookie_name(COOKIE)))


def address_with_cookie() -> str:
    """Where a page that was opened from another site is asked for once more, by itself; "" if it need not be.

    A strict cookie is not sent along from elsewhere: so a member who taps an address in a messenger would be taken for
    a stranger. Asked for by our own page, it comes along.
    """
    site = request.headers.get("Sec-Fetch-Site")
    is_ours = site in ("same-origin", "none") if site else comes_from_here()
    if is_ours or request.method != "GET" or has_cookie() or AGAIN in request.args or "HX-Request" in request.headers:
        return ""
    return f"{request.full_path.rstrip('?')}{'&' if request.query_string else '?'}{AGAIN}=1"


def keep(key: str, uid: str) -> None:
    """Hold one more link of a club, before those that this browser holds of it already."""
    keep_only(key, [uid, *(other for other in held_of(key) if other != uid)][:MOST_HELD])


def keep_only(key: str, uids: list[str]) -> None:
    """Hold these links of a club and no others; it is the first of this browser's clubs then."""
    others = [(other, kept) for other, kept in held().items() if other != key]
    _change(dict([(key, uids), *others][:MOST_CLUBS]))


def remember(key: str) -> None:
    """A club that was visited is the first of this browser's clubs."""
    if next(iter(held()), key) != key:
        keep_only(key, held_of(key))


def refresh() -> None:
    """Send the cookie again, so that it lasts from now on."""
    _change(held())


def forget(key: str) -> None:
    """Hold no link of a club any more."""
    if key in held():
        _change({other: uids for other, uids in held().items() if other != key})


def _change(links: Links) -> None:
    request.environ[READ], request.environ[CHANGED] = links, True


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="links", signer=SkewTolerantSigner)


def _read() -> Links:
    """What the cookie says. Behind HTTPS it has a name of its own; one from before counts until there is another."""
    sent = request.cookies.get(cookie_name(COOKIE)) or request.cookies.get(COOKIE)
    try:
        links = _signer().loads(sent, max_age=_lifetime()) if sent else {}
    except BadData:
        return {}
    return {str(key): [str(uid) for uid in uids][:MOST_HELD] for key, uids in links.items()}


def _lifetime() -> int:
    return int(current_app.permanent_session_lifetime.total_seconds())


def _send(response: Response) -> Response:
    if READ in request.environ:
        response.vary.add("Cookie")
    if CHANGED in request.environ:
        response.set_cookie(
            cookie_name(COOKIE), _signer().dumps(held()), max_age=_lifetime(), path="/",
            httponly=True, secure=is_secure(), samesite="Strict",
        )  # fmt: skip
    return response
