"""A phone that scores over HTTP without scripts, for tests of the real server."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.cookiejar import CookieJar
from threading import Barrier
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.web.hand_entry.warnings import CODES
from tests.classic import new_club, start_game
from tests.web.phones import new_secret


class Stay(HTTPRedirectHandler):
    """Returns redirects instead of following them."""

    def redirect_request(self, *_args):
        return None


SECRETS = {}  # secrets of links to manage the clubs made by `a_game`, by club key


def joined(address):
    """Return an opener with its own cookies, with access to the club of `address` if `let_in` made a link."""
    opener, (base, _, rest) = build_opener(HTTPCookieProcessor(CookieJar()), Stay()), address.partition("/c/")
    if secret := SECRETS.get(rest.partition("/")[0]):
        with suppress(HTTPError):  # 303
            opener.open(Request(f"{base}/l/{secret}", b"", {"Origin": base}), timeout=30)
    return opener


def opened(address):
    """Open a page as a manager."""
    return joined(address).open(address, timeout=30)


def let_in(app, key):
    """Make a link to manage a club, for later calls of `joined`."""
    SECRETS[key] = new_secret(app, f"/c/{key}/")


class Phone:
    """The hand entry form of one page, sent with its own cookies and a link to manage the club."""

    def __init__(self, address):
        self.address = address
        self.opener = joined(address)

    def get(self):
        page = self.opener.open(self.address, timeout=30).read().decode()
        form = re.search(r'<form id="hand".*?</form>', page, re.DOTALL)[0]
        inputs = re.findall(r"<input[^>]*>", form)
        hidden = [tag for tag in inputs if 'type="hidden"' in tag]
        self.fields = {self.attribute(tag, "name"): self.attribute(tag, "value") for tag in hidden}
        return self

    @staticmethod
    def attribute(tag, name):
        found = re.search(rf'\b{name}="([^"]*)"', tag)
        return found[1] if found else ""

    def post(self, **tapped):
        # Confirms all warnings, so that the hand is saved.
        body = urlencode(self.fields | tapped | {"warned": CODES}, doseq=True).encode()
        try:
            return self.opener.open(self.address, body, timeout=30).status
        except HTTPError as error:
            return error.code


def at_once(*works):
    start = Barrier(len(works))

    def run(work):
        start.wait(30)
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def a_game(app):
    """Start a game of Classic in a new club; return the club's key, and a function that returns the game's hands."""
    with app.app_context():
        game = start_game(new_club())
        game_id, key = game.id, game.club.key
    let_in(app, key)

    def hands():
        with app.app_context():
            return [hand.facts for hand in db.session.get(Game, game_id).hands]

    return key, hands
