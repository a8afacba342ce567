"""Browsers without a window that hold links: who may do what in a test is said by the link that it is given."""

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

FROM_HERE = {"Sec-Fetch-Site": "same-origin"}  # what a browser says of a form of our own


def in_context(app: Flask) -> AbstractContextManager[Any]:
    """The application's context: the one that is pushed, for what a test reads there sees no other one's changes."""
    return nullcontext() if has_app_context() and current_app == app else app.app_context()


def key_in(address: str) -> str:
    """The key of the club that an address is about: "/c/abc/games/" -> "abc"."""
    return address.partition("/c/")[2].partition("/")[0]


def new_secret(app: Flask, address: str, role: str = MANAGE, *, game: int | None = None, label: str = "a test") -> str:
    """The secret of a new link of the club with that address, or of a game of it."""
    with in_context(app):
        club = db.session.scalars(select(Club).where(Club.key == key_in(address))).one()
        mine = select(Game).where(Game.club_id == club.id, Game.number == game)
        link = links.make(club, role, label, game=db.session.scalars(mine).one() if game else None)
        return links.secret_of(link.uid)


def join(client: FlaskClient, secret: str, **more: Any) -> TestResponse:
    """Tap on Join."""
    return client.post(f"/l/{secret}", headers=FROM_HERE, **more)


def let_in(client: FlaskClient, address: str, role: str = MANAGE, *, game: int | None = None) -> FlaskClient:
    """Give a browser a link of the club with that address, or of a game of it."""
    assert join(client, new_secret(client.application, address, role, game=game)).status_code == 303
    return client


def stranger(app: Flask) -> FlaskClient:
    """A phone without any link."""
    return FlaskClient(app, app.response_class)


def phone(app: Flask, address: str, role: str = MANAGE, *, game: int | None = None) -> FlaskClient:
    """Another phone, with a link of its own."""
    return let_in(stranger(app), address, role, game=game)


def held_by(client: FlaskClient) -> dict[str, list[str]]:
    """The links in a browser's cookie."""
    cookie = client.get_cookie(LINKS_COOKIE)
    signer = URLSafeTimedSerializer(client.application.config["SECRET_KEY"], salt="links", signer=SkewTolerantSigner)
    return dict(signer.loads(cookie.value)) if cookie else {}


def cookie_of(app: Flask, *addresses: str, role: str = MANAGE) -> str:
    """The value of a cookie with a link of each of these clubs, for a server with the same secret key."""
    held = {}
    with in_context(app):
        for address in addresses:
            club = db.session.scalars(select(Club).where(Club.key == key_in(address))).one()
            held[club.key] = [links.make(club, role, "a test").uid]
        return str(
            URLSafeTimedSerializer(app.config["SECRET_KEY"], salt="links", signer=SkewTolerantSigner).dumps(held)
        )


def keep_state(app: Flask, file: Path, url: str, *addresses: str) -> str:
    """A file from which a browser's context starts as a phone that manages these clubs; its path."""
    cookie = {"name": LINKS_COOKIE, "value": cookie_of(app, *addresses), "domain": urlsplit(url).hostname, "path": "/"}
    cookie |= {"expires": -1, "httpOnly": True, "secure": False, "sameSite": "Strict"}
    file.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    return str(file)


class ManagersPhone(FlaskClient):
    """The browser of somebody who manages every club: it gets a link to a club when it first goes there."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        key = key_in(args[0]) if args and isinstance(args[0], str) else ""
        if key and key not in held_by(self) and (secret := self._new_secret(key)):
            assert join(self, secret).status_code == 303
        return super().open(*args, **kwargs)

    def _new_secret(self, key: str) -> str | None:
        """That of a link to manage the club, which was used before and is in no entry of the club's log."""
        with in_context(self.application):
            club = db.session.scalar(select(Club).where(Club.key == key))
            if club is None:
                return None
            link = links.new_link(club, MANAGE, "a test")
            link.last_used_at = now()
            with db_write(club) as session:
                session.add(link)
            return links.secret_of(link.uid)
