"""Session cookies: valid after the server's clock is set back, and within browsers' size limits."""

import io
import json
import re
import time
from random import Random

import pytest
from flask import flash
from itsdangerous import TimestampSigner

from scorekeeper.transfer.matching import _listed
from tests.forms import forms_of
from tests.web.site import Site

DAY = 86400


@pytest.fixture
def clock(monkeypatch):
    """A function that sets the server's clock, in seconds from now."""

    def set_by(seconds):
        monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _self: int(time.time()) + seconds)

    return set_by


@pytest.mark.parametrize("ahead", [10, 3600, 400 * DAY])
def test_a_clock_that_was_set_back_forgets_no_club(site: Site, clock, ahead):
    """The cookie was signed while the clock was ahead."""
    clock(ahead)
    site.start_club("Zebra club")
    clock(0)
    assert "Zebra club" in site.client.get("/").text


def test_a_phone_knows_its_clubs_once_each_and_the_latest_first(site: Site):
    """The last visited is first, and with more than twenty the oldest are dropped."""
    clubs = [(name, site.start_club(f"Club {name}").location) for name in "abcdefghijklmnopqrstuv"]
    site.client.get(clubs[5][1])
    site.client.get(clubs[5][1])
    shown = re.findall(r"Club ([a-v])\b", site.client.get("/").text)
    assert "".join(shown) == "fvutsrqponmlkjihgedc"


def _form_token(client) -> str:
    return client.get("/").text.split('name="csrf_token" value="')[1].split('"')[0]


def test_a_session_has_one_form_token_of_its_own_and_no_other_session_takes_it(app):
    app.config["WTF_CSRF_ENABLED"] = True
    mine, yours = app.test_client(), app.test_client()
    token = _form_token(mine)
    assert _form_token(yours) != token == _form_token(mine)
    assert yours.post("/clubs", data={"csrf_token": token, "name": "Zebra club"}).status_code == 400
    assert mine.post("/clubs", data={"csrf_token": token, "name": "Zebra club"}).status_code == 303
    with app.app_context():
        mine, yours = app.test_client(), app.test_client()
        assert _form_token(mine) != _form_token(yours)


def test_a_tap_of_an_ended_session_is_sent_again_to_its_page(app, table: Site):
    """Not to the address of the preview, whose response is a part of that page."""
    app.config["WTF_CSRF_ENABLED"] = True
    new = f"{table.game}hands/new"
    headers = {"Sec-Fetch-Site": "same-origin", "HX-Request": "true", "Referer": f"http://localhost{new}"}
    hand = {name: value for name, value in table.hand(note="a misdeal").items() if name != "do"}
    answer = table.client.post(f"{table.game}hands/preview", data=hand, headers=headers)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (400, "body")
    form = next(form for form in forms_of(answer.text, "/") if form.method == "POST")
    page = table.client.post(form.address, data=form.fields)
    assert (form.address, page.status_code) == (new, 200)
    assert "<html" in page.text
    assert 'value="a misdeal"' in page.text


def test_a_form_token_that_expires_is_signed_with_each_page(app, clock):
    app.config["WTF_CSRF_TIME_LIMIT"] = 60
    client = app.test_client()
    token = _form_token(client)
    clock(5)
    assert _form_token(client) != token


@pytest.mark.parametrize("ahead", [10, 3600])
def test_a_form_of_before_the_clock_was_set_back_is_taken(app, clock, ahead):
    app.config["WTF_CSRF_ENABLED"] = True
    client = app.test_client()
    clock(ahead)
    token = _form_token(client)
    clock(0)
    assert client.post("/clubs", data={"csrf_token": token, "name": "Zebra club"}).status_code == 303


def test_a_cookie_that_is_too_old_is_forgotten(site: Site, clock):
    clock(-401 * DAY)  # cookies are kept for 400 days
    site.start_club("Zebra club")
    clock(0)
    assert "Zebra club" not in site.client.get("/").text


def test_a_cookie_of_another_key_or_of_somebody_elses_is_none(site: Site, app):
    site.start_club("Zebra club")
    assert "Zebra club" in site.client.get("/").text
    assert "Zebra club" in site.client.get("/").text
    known = app.config["SECRET_KEY"]
    app.config["SECRET_KEY"] = "another"
    try:
        assert "Zebra club" not in site.client.get("/").text
    finally:
        app.config["SECRET_KEY"] = known
    assert "Zebra club" in site.client.get("/").text
    cookie = site.client.get_cookie("scorekeeper_links").value
    site.client.set_cookie("scorekeeper_links", cookie[:-3] + ("abc" if cookie[-3:] != "abc" else "xyz"))
    assert "Zebra club" not in site.client.get("/").text


def long_names(count):
    """Return random names of 80 letters, which cannot be compressed."""
    chance = Random(1)
    return ["".join(chr(chance.randrange(0x4E00, 0x9F00)) for _ in range(80)) for _ in range(count)]


def club_file(names, made_by):
    """Return a club file with players of those names, without seasons and games."""
    head = {"format": "scorekeeper-club/1", "name": "Other club", "created": "2026-11-21T18:00:00.000000+00:00"}
    lines = [head | {"players": len(names), "seasons": 0, "games": 0}]
    for index, name in enumerate(names):
        player = {"type": "player", "uid": f"{made_by}-{index}", "name": name, "guest": False, "retired": False}
        lines.append(player)
    return "".join(json.dumps(line) + "\n" for line in lines)


def import_file(site, file):
    seen = site.client.post(f"{site.club}transfers/look", data={"file": (io.BytesIO(file.encode()), "club.jsonl")})
    token = seen.text.split('name="token" value="')[1].split('"')[0]
    return site.client.post(f"{site.club}transfers/in", data={"token": token})


def test_an_import_of_long_names_makes_a_cookie_that_a_browser_keeps(site: Site):
    """Half of its players are new, half match existing names with other letter case."""
    names = long_names(80)
    known, new = [f"a{name[1:]}" for name in names[:40]], names[40:]
    assert import_file(site, club_file(known, "here")).status_code == 303
    answer = import_file(site, club_file([name.upper() for name in known] + new, "there"))
    assert answer.status_code == 303
    assert len(answer.headers["Set-Cookie"]) < 4096
    page = site.client.get(f"{site.club}transfers/").text
    assert "40 new players: " in page
    assert "and 39 more" in page


def test_messages_that_are_too_long_are_cut_and_the_clubs_are_kept(new_app):
    texts = ["Game 1 was skipped.", " ".join(long_names(60)), " ".join(long_names(50))]
    new_app.add_url_rule("/say", "say", lambda: [flash(text) for text in texts] and "said")
    site = Site(new_app.test_client())
    site.start_club("Zebra club")
    answer = site.client.get("/say")
    assert len(answer.headers["Set-Cookie"]) < 4096
    page = site.client.get(site.club).text
    assert "Game 1 was skipped." in page
    assert page.count(" …</p>") == 2
    assert "Zebra club" in site.client.get("/").text


def test_no_message_makes_a_cookie_longer_than_browsers_keep(new_app):
    """RFC 6265, 6.1: at most 4096 bytes with name and attributes; messages just below the limit are cut too."""
    chance = Random(1)
    texts = iter([" ".join(f"{chance.getrandbits(32):x}" for _ in range(words)) for words in range(480, 720, 12)])
    new_app.add_url_rule("/say", "say", lambda: flash(next(texts)) or "said")
    cookies = [new_app.test_client().get("/say").headers["Set-Cookie"] for _ in range(20)]
    assert max(map(len, cookies)) < 4096


def test_a_list_of_long_names_says_how_many_more_there_are():
    names = [letter * 80 for letter in "abcdef"]
    assert _listed("", names) == f"{names[0]}, {names[1]}, {names[2]} and 3 more"
    assert _listed("", ["x" * 300, "y"]) == f"{'x' * 300} and 1 more"
    assert _listed("", ["Ann", "Bo"]) == "Ann, Bo"
