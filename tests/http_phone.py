"""A phone that scores over HTTP, for tests of the real server: forms and cookies, no script."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from threading import Barrier
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, build_opener

from scorekeeper.db import db
from scorekeeper.models import Game
from scorekeeper.web.hand_entry.warnings import CODES
from tests.classic import new_club, start_game


class Stay(HTTPRedirectHandler):
    """Shows a redirect instead of following it."""

    def redirect_request(self, *_args):
        return None


class Phone:
    """A browser with its own cookies, as far as a form needs one."""

    def __init__(self, address):
        self.address = address
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()), Stay())

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
        # A phone whose owner has read every piece of advice already, and means what was tapped.
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
    """A game of Classic begun in a new club: the club's key, and a way to read the game's hands."""
    with app.app_context():
        game = start_game(new_club())
        game_id, key = game.id, game.club.key

    def hands():
        with app.app_context():
            return [hand.facts for hand in db.session.get(Game, game_id).hands]

    return key, hands
