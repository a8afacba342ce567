"""Two servers with separate instance folders on one database: hosts on one PostgreSQL, or sharing an SQLite file."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from flask import Flask

from tests.conftest import serve as served
from tests.http_phone import Phone, a_game, at_once, opened

pytestmark = pytest.mark.slow

ONE_WRONG_LINK = "1 per hour"
HAND = {"bidder": "1", "bid": "2", "trump": "H"}


@pytest.fixture
def servers(database_url: str, tmp_path: Path) -> Iterator[list[str]]:
    """URLs of two servers that share only the database and the secret key."""
    shared = {"SECRET_KEY": "the same", "DATABASE_URL": database_url, "THROTTLE_KEYS": ONE_WRONG_LINK, "WORKERS": "1"}
    settings = {f"SCOREKEEPER_{name}": value for name, value in shared.items()}
    folders = [tmp_path / "one", tmp_path / "two"]
    with ExitStack() as stack:
        for folder in folders:
            folder.mkdir()
        yield [stack.enter_context(served(folder, **settings)) for folder in folders]


def test_two_servers_over_one_database_are_one_scorekeeper(app: Flask, servers: list[str]) -> None:
    key, hands = a_game(app)
    here, there = (f"{server}/c/{key}/games/1/hands/new" for server in servers)

    late = Phone(there).get()
    assert Phone(here).get().post(**HAND) == 303
    assert late.post(bidder="1", bid="3", trump="S") == 409  # a hand was saved at the other server meanwhile
    assert len(hands()) == 1

    moved = Phone(here).get()
    moved.address = there  # with its cookie and form, as a load balancer may do
    assert moved.post(**HAND) == 303

    again = Phone(here).get()
    copy = Phone(there)
    copy.opener, copy.fields = again.opener, again.fields
    assert at_once(partial(again.post, **HAND), partial(copy.post, **HAND)) == [303, 303]
    assert len(hands()) == 3

    for page in ("games/1/", "games/1/board", "standings", "", "games/1/game.json"):
        assert shown(f"{servers[0]}/c/{key}/{page}") == shown(f"{servers[1]}/c/{key}/{page}")
    assert "Hand 3" in shown(f"{servers[1]}/c/{key}/games/1/board")

    # Each server counts wrong links on its own, as docs/scaling.md says.
    assert [status_of(f"{servers[0]}/c/wrong-{number}/") for number in range(2)] == [404, 429]
    assert status_of(f"{servers[1]}/c/wrong-2/") == 404


def shown(address: str) -> str:
    """Return a page without the parts that differ between requests or servers: tokens, its URL and QR code."""
    text: str = opened(address).read().decode().replace(address.split("/c/")[0], "")
    text = re.sub(r' d="M[^"]*"', "", text)
    return re.sub(r'(name="(csrf_token|token)" value=)"[^"]*"', r"\1", text)


def status_of(address: str) -> int:
    """Return the status of a request by a client behind the proxy."""
    try:
        urlopen(Request(address, headers={"X-Forwarded-For": "192.0.2.7"}), timeout=30).close()
    except HTTPError as error:
        return error.code
    return 200
