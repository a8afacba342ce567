"""Clients that hold links: the link given to a client decides what it may do."""

import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, has_app_context
from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import select
from werkzeug.test import TestResponse

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import MANAGE, Club, Game
from scorekeeper.services import links
from scorekeeper.web.common.scope import LINKS_COOKIE
from scorekeeper.web.common.security import SkewTolerantSigner

FROM_HERE = {"Sec-Fetch-Site": "same-origin"}  # sent by browsers with forms of our own pages


def in_context(app: Flask) -> AbstractContextManager[Any]:
    """Return the pushed context if there is one, so that the test sees the changes made in it; otherwise a new one."""
    return nullcontext() if has_app_context() and current_app == app else app.app_context()


def key_in(address: str) -> str:
    """Return the club's key in a URL: "/c/abc/games/" -> "abc"."""
    return address.partition("/c/")[2].partition("/")[0]


def new_secret(app: Flask, address: str, role: str = MANAGE, *, game: int | None = None, label: str = "a test") -> str:
    """Make a link to the club of `address`, or to one of its games; return its secret."""
    with in_context(app):
        club = db.session.scalars(select(Club).where(Club.key == key_in(address))).one()
        mine = select(Game).where(Game.club_id == club.id, Game.number == game)
        link = links.make(club, role, label, game=db.session.scalars(mine).one() if game else None)
        return links.secret_of(link.uid)


def join(client: FlaskClient, secret: str, **more: Any) -> TestResponse:
    """Open a link by its button Join."""
    return client.post(f"/l/{secret}", headers=FROM_HERE, **more)


def let_in(client: FlaskClient, address: str, role: str = MANAGE, *, game: int | None = None) -> FlaskClient:
    """Make a link to the club of `address`, or to one of its games, and open it with `client`."""
    assert join(client, new_secret(client.application, address, role, game=game)).status_code == 303
    return client


def stranger(app: Flask) -> FlaskClient:
    """Return a client without links."""
    return FlaskClient(app, app.response_class)


def phone(app: Flask, address: str, role: str = MANAGE, *, game: int | None = None) -> FlaskClient:
    """Return a new client with its own link."""
    return let_in(stranger(app), address, role, game=game)


def held_by(client: FlaskClient) -> dict[str, list[str]]:
    """Return the links in a client's cookie, by club key."""
    cookie = client.get_cookie(LINKS_COOKIE)
    signer = URLSafeTimedSerializer(client.application.config["SECRET_KEY"], salt="links", signer=SkewTolerantSigner)
    return dict(signer.loads(cookie.value)) if cookie else {}


def cookie_of(app: Flask, *addresses: str, role: str = MANAGE) -> str:
    """Return a cookie with links to these clubs, for a server with the same secret key."""
    held = {}
    with in_context(app):
        for address in addresses:
            club = db.session.scalars(select(Club).where(Club.key == key_in(address))).one()
            held[club.key] = [links.make(club, role, "a test").uid]
        return str(
            URLSafeTimedSerializer(app.config["SECRET_KEY"], salt="links", signer=SkewTolerantSigner).dumps(held)
        )


def keep_state(app: Flask, file: Path, url: str, *addresses: str) -> str:
    """Write a storage state for a browser context with links to manage these clubs; return its path."""
    cookie = {"name": LINKS_COOKIE, "value": cookie_of(app, *addresses), "domain": urlsplit(url).hostname, "path": "/"}
    cookie |= {"expires": -1, "httpOnly": True, "secure": False, "sameSite": "Strict"}
    file.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    return str(file)


class ManagersPhone(FlaskClient):
    """A client that gets a link to manage a club when it first opens one of its pages."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        key = key_in(args[0]) if args and isinstance(args[0], str) else ""
        if key and key not in held_by(self) and (secret := self._new_secret(key)):
            assert join(self, secret).status_code == 303
        return super().open(*args, **kwargs)

    def _new_secret(self, key: str) -> str | None:
        """Return the secret of a new link to manage the club, marked as used and not logged; None without the club."""
        with in_context(self.application):
            club = db.session.scalar(select(Club).where(Club.key == key))
            if club is None:
                return None
            link = links.new_link(club, MANAGE, "a test")
            link.last_used_at = now()
            with db_write(club) as session:
                session.add(link)
            return links.secret_of(link.uid)
