"""Links: made, opened, revoked, requested; and what they allow."""

import re
from contextlib import AbstractContextManager
from datetime import timedelta
from html import unescape
from threading import Thread

import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from scorekeeper import cli
from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import MANAGE, SCORE, WATCH, Club, Game, Link
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import clubs, links
from scorekeeper.services.clubs import CLUB_KEPT, remove_deleted
from tests.web.phones import FROM_HERE, held_by, join, key_in, let_in, new_secret, phone, stranger
from tests.web.site import Site, complaints, read


def link_of(app: Flask, label: str) -> Link:
    with app.app_context():
        return db.session.scalars(select(Link).where(Link.label == label)).one()


def clubs_of(client: FlaskClient) -> list[str]:
    """Return the links to clubs on a client's home page."""
    return re.findall(r'<li><a href="([^"]+)"', client.get("/").text)


def test_looking_at_a_link_opens_nothing(app: Flask, table: Site) -> None:
    """For example a messenger's preview: no cookie, no write. After Join the URL contains no secret."""
    secret, client = new_secret(app, table.club, WATCH, label="Bo"), stranger(app)
    page = client.get(f"/l/{secret}")
    assert page.status_code == 200
    assert "This link lets you watch: games, standings and charts." in page.text
    assert "Set-Cookie" not in page.headers
    assert link_of(app, "Bo").last_used_at is None
    assert client.get(table.club).status_code == 404
    joined = join(client, secret)
    assert (joined.status_code, joined.location) == (303, table.game)  # the game shown before joining
    assert secret not in joined.headers["Set-Cookie"]
    assert client.get(table.club).status_code == 200
    assert client.get(f"/l/{secret}").location == table.club  # the link was opened before


def test_the_page_that_joins_shows_the_game_and_its_score(app: Flask, site: Site) -> None:
    """Classic, Ann and Cy against Bo and Di; Ann bid 3 in hearts and took all four points. At first, no game."""
    page = stranger(app).get(f"/l/{new_secret(app, site.club, WATCH)}")
    assert (page.status_code, 'id="playing"' in page.text) == (200, False)
    assert "<h1>Friday table</h1>" in page.text
    site.start_game()
    site.post_hand()
    for role, game in ((WATCH, None), (SCORE, 1)):
        secret = new_secret(app, site.club, role, game=game)
        page = stranger(app).get(f"/l/{secret}").text
        assert "<h1>Friday table</h1>" in page
        assert ">Game 1</h2>" in page
        assert re.findall(r'class="names">([^<]*)<', page) == ["Ann\u00a0· Cy", "Bo\u00a0· Di"]
        assert re.findall(r'class="num">([^<]*)<', page) == ["4", "0"]
        assert "Classic Setback, first to 11." in page


def test_a_phone_is_added_by_one_tap_to_watch_and_by_one_more_to_score(app: Flask, table: Site) -> None:
    assert f'href="{table.game}add-phone"' in table.client.get(table.game).text
    assert f'href="{table.game}add-phone?back=hand"' in table.client.get(f"{table.game}hands/new").text
    watch = table.client.get(f"{table.game}add-phone?back=hand").text
    assert watch.count(f'href="{table.game}hands/new"') == 2  # the back arrow, and the button that was tapped
    address = re.search(r'id="address" value="[^"]*(/l/[^"]+)"', watch)
    assert "This link lets you watch" in stranger(app).get(address[1]).text
    for _ in range(2):
        made = table.client.post(f"{table.game}add-phone", data={"role": SCORE, "back": "hand"})
        assert made.location == f"{table.game}add-phone?role=score&back=hand"
    score = re.search(r'id="address" value="[^"]*(/l/[^"]+)"', table.client.get(made.location or "").text)
    assert "This link lets you keep score" in stranger(app).get(score[1]).text
    assert link_of(app, "Second phone").role == SCORE  # the link is reused


def test_a_code_that_was_revoked_is_made_anew_by_the_page_itself_or_a_tap(app: Flask, table: Site) -> None:
    assert "data-make" not in table.client.get(f"{table.game}add-phone").text
    table.client.post(f"{table.club}links/{link_of(app, 'Board').id}/revoke")
    table.client.get(f"{table.club}links/")  # says that it was revoked
    page = table.client.get(f"{table.game}add-phone").text
    assert "data-make" in page
    assert "There is no code. Tap “To watch” for one." in page
    made = table.client.post(f"{table.game}add-phone", data={"role": WATCH})
    assert 'aria-label="QR code of this link"' in table.client.get(made.location or "").text
    score = table.client.post(made.location or "", data={"role": SCORE})  # the tap on that page
    assert score.location == f"{table.game}add-phone?role=score"
    for wrong in (MANAGE, "", "x"):  # only SCORE is accepted, WATCH is the default
        made = table.client.post(f"{table.game}add-phone", data={"role": wrong})
        assert made.location == f"{table.game}add-phone?role=watch"


def test_only_our_own_page_joins(app: Flask, table: Site) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    secret, client = new_secret(app, table.club), stranger(app)
    assert client.post(f"/l/{secret}", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 400
    assert client.post(f"/l/{secret}", headers={"Origin": "https://elsewhere.example"}).status_code == 400
    assert client.post(f"/l/{secret}", headers={"Origin": "http://localhost"}).status_code == 303


def test_only_a_hash_of_a_link_is_stored_and_a_club_file_has_no_link(app: Flask, table: Site) -> None:
    secret = new_secret(app, table.club, label="Kitchen tablet")
    link = link_of(app, "Kitchen tablet")
    kept = [str(getattr(link, column.name)) for column in Link.__table__.columns]
    assert not any(secret in text for text in kept)
    assert link.hash == links.hash_of(secret)
    file = table.client.get(f"{table.club}transfers/club.jsonl").text
    assert not any(text in file for text in (secret, link.hash, link.uid, "Kitchen tablet", key_in(table.club)))


def paste(client: FlaskClient, text: str) -> TestResponse:
    return client.post("/l/", data={"link": text})


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost/l/{secret}",
        "/l/{secret}",
        "https://elsewhere.example/l/{secret}?x=1#y",
        " Friday table: http://localhost/l/{secret} See you! ",
    ],
)
def test_a_pasted_link_lets_in_and_leads_nowhere_else(app: Flask, table: Site, text: str) -> None:
    """On iPhones an app on the home screen has no cookies from Safari, and tapped links open in Safari."""
    secret, client = new_secret(app, table.club, SCORE, label="Ann"), stranger(app)
    table.post_hand()
    answer = paste(client, text.format(secret=secret))
    assert (answer.status_code, answer.location) == (303, table.game)
    assert whose_phone(client, table.game) == "Ann"


def test_what_is_no_link_is_refused_beside_the_field(app: Flask, table: Site) -> None:
    client, secret = stranger(app), new_secret(app, table.club, WATCH, label="Bo")
    with app.app_context():
        links.revoke(db.session.scalars(select(Link).where(Link.label == "Bo")).one())
    nowhere = "That is not a link to a club here. Copy all of it and paste it again."
    for text, says in (
        ("", nowhere),
        ("https://elsewhere.example/", nowhere),
        ("//elsewhere.example/l/nobody-knows-this-one", nowhere),
        (f"/l/{secret}", nowhere),
        (f"http://localhost{table.club}",
         "That address lets nobody in. In Safari open the club, then “This device”, and copy your link."),
    ):  # fmt: skip
        answer = paste(client, text)
        assert (answer.status_code, answer.location, complaints(answer)) == (422, None, [says])
    assert client.get(table.club).status_code == 404


def test_this_device_shows_its_own_link_to_be_pasted_elsewhere(app: Flask, table: Site) -> None:
    """That of the highest role; nobody knows the secret of a link that was requested."""
    secrets = [new_secret(app, table.club, role) for role in (SCORE, WATCH)]
    client, asker = stranger(app), phone(app, table.club, WATCH)
    for secret in secrets:
        join(client, secret)
    page = client.get(f"{table.club}device").text
    assert f'value="http://localhost/l/{secrets[0]}"' in page
    assert secrets[1] not in page
    assert "copy your link" in page.lower()
    asker.post(f"{table.club}ask/score", data={"label": "Bo"})
    table.client.post(f"{table.club}links/{link_of(app, 'Bo').id}/grant")
    page = asker.get(f"{table.club}device").text
    assert 'aria-pressed="true"><span class="name">Bo<' in page  # the link's label names the scorer
    assert "This device’s link can’t be copied. Ask a manager to send you one." in page
    assert "/l/" not in page


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8{}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0"


@pytest.mark.parametrize(
    ("agent", "app_name"),
    [
        (f"{IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0;FBDV/iPhone15,2]", "Facebook"),
        (f"{IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/480.0]", "Messenger"),
        (f"{IPHONE} Mobile/15E148 Instagram 350.0 (iPhone15,2; iOS 18_1)", "Instagram"),
        (f"{ANDROID.format('; wv')} Mobile Safari/537.36 Instagram 350.0 Android", "Instagram"),
        (f"{IPHONE} Mobile/15E148 Safari Line/14.9.0", "LINE"),
        (f"{IPHONE} Mobile/15E148 MicroMessenger/8.0.50 NetType/WIFI", "WeChat"),
        (f"{IPHONE} Mobile/15E148 Snapchat/13.1.0.40", "Snapchat"),
        (f"{ANDROID.format('; wv')} Mobile Safari/537.36 Telegram-Android/11.2", "Telegram"),
        (f"{ANDROID.format('; wv')} Mobile Safari/537.36", "This app"),
        (f"{IPHONE} Version/18.1 Mobile/15E148 Safari/604.1", ""),
        (f"{ANDROID.format('')} Mobile Safari/537.36", ""),
    ],
)
def test_in_a_messenger_the_link_says_to_open_it_in_a_browser(app, table, agent, app_name) -> None:
    """Only on the page with Join, not on later ones."""
    secret, client = new_secret(app, table.club, WATCH), stranger(app)
    page = client.get(f"/l/{secret}", headers={"User-Agent": agent}).text
    assert ("Open this link in Safari or Chrome" in page) == bool(app_name)
    assert (f"{app_name} may forget the club." in page) == bool(app_name)
    assert (f'value="http://localhost/l/{secret}"' in page) == bool(app_name)
    join(client, secret)
    assert "Open this link in" not in client.get(table.club, headers={"User-Agent": agent}).text


def test_no_link_begins_as_an_option_of_a_command(app: Flask, table: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with app.app_context():
        tried = (f"uid {number}" for number in range(10_000))
        dashed = next(uid for uid in tried if links.secret_of(uid).startswith("-"))
        good = next(uid for uid in tried if not links.secret_of(uid).startswith("-"))
        made = iter([dashed, good])
        monkeypatch.setattr(links, "new_link_uid", lambda: next(made))
        link = links.make(db.session.scalars(select(Club).where(Club.key == key_in(table.club))).one(), WATCH, "Bo")
        assert link.uid == good


def test_a_link_of_elsewhere_is_kept_beside_those_of_other_clubs(app: Flask, table: Site) -> None:
    other = Site(stranger(app))
    other.start_club("Other")
    let_in(other.client, table.club, WATCH)
    let_in(other.client, table.club, SCORE)
    assert list(held_by(other.client)) == [key_in(table.club), key_in(other.club)]
    assert other.client.get(f"{table.game}hands/new").status_code == 200
    assert other.client.get(other.club).status_code == 200


def test_the_first_page_leads_to_as_much_of_a_club_as_one_may_see(app: Flask, table: Site) -> None:
    """The club's page if any link opens all of it, otherwise the game's, whichever link was opened last."""
    client = stranger(app)
    let_in(client, table.club, SCORE, game=1)
    assert clubs_of(client) == [table.game]
    let_in(client, table.club, WATCH)
    let_in(client, table.club, SCORE, game=1)
    assert clubs_of(client) == [table.club]


def test_a_club_from_before_keeps_its_address_as_a_link(app: Flask, table: Site) -> None:
    """The migration turned the old key into a link: old URLs ask to join."""
    old = "aB3-_fghijklmnopqrstuv"
    with app.app_context(), db_write() as session:
        club = session.scalars(select(Club)).one()
        session.add(Link(club=club, role=MANAGE, label="First link", hash=links.hash_of(old)))
    client = stranger(app)
    to_join = client.get(f"/c/{old}/games/1/?all=1")
    assert (to_join.status_code, to_join.location) == (303, f"/l/{old}")
    assert join(client, old).location == table.club
    assert client.get(f"/c/{old}/games/1/?all=1").location == f"{table.club}games/1/?all=1"
    assert client.post(f"/c/{old}/games/1/undo").status_code == 307


def test_a_manager_makes_a_link_and_shows_it_again(app: Flask, table: Site) -> None:
    for label, role, said in (
        ("x" * 81, WATCH, "Use at most 80 letters."),
        ("Bo", "x", "Choose what the link allows."),
    ):
        answer = table.client.post(f"{table.club}links/", data={"label": label, "role": role})
        assert (answer.status_code, complaints(answer)) == (422, [said])
    made = table.client.post(f"{table.club}links/", data={"label": " Kitchen  tablet ", "role": SCORE})
    page = table.client.get(made.location).text
    address = re.findall(r'value="http://localhost(/l/[\w-]{22})"', page)[0]
    assert "This link lets people keep score" in page
    assert page.count("<svg") == 1
    assert address.removeprefix("/l/") not in made.location
    client = stranger(app)
    assert client.post(address, headers=FROM_HERE).status_code == 303
    listed = table.client.get(f"{table.club}links/").text
    assert "<b>Kitchen tablet</b>" in listed
    assert address not in listed
    assert client.get(f"{table.club}links/").status_code == 403


def test_a_form_for_a_link_that_is_sent_twice_makes_one_link(app: Flask, table: Site) -> None:
    """A double tap, or Back and the button again; with another name it is another link."""
    links_at, add_at = f"{table.club}links/", f"{table.game}add-phone"
    pages = [table.client.get(page).text for page in (links_at, add_at)]
    tokens = [re.findall(r'name="token" value="([^"]+)"', page)[0] for page in pages]
    assert tokens[0] != tokens[1]
    with app.app_context():
        for label in ("", "Bo", ""):
            table.client.post(links_at, data={"label": label, "role": SCORE, "token": tokens[0]})
        listed = re.findall(r"<b>(.*?)</b>", table.client.get(links_at).text)
        assert sorted(listed) == ["Bo", "Board", "First link", "Keep score"]
        club = db.session.scalars(select(Club)).one()
        made = [links.make(club, SCORE, "Second phone", token="a") for _ in range(2)]
        assert made[0] is made[1]
        links.revoke(made[0])
        assert links.make(club, SCORE, "Second phone", token="a").revoked_at is None


def test_a_link_made_for_a_player_says_who_is_scoring(app: Flask, table: Site) -> None:
    client = stranger(app)
    join(client, new_secret(app, table.club, SCORE, label="Bo"))
    assert whose_phone(client, table.game) == "Bo"
    client.post(f"{table.club}device", data={"whose": "Ann"})
    join(client, new_secret(app, table.club, MANAGE, label="Bo"))
    assert whose_phone(client, table.game) == "Ann"  # the earlier choice is kept
    kitchen = stranger(app)
    join(kitchen, new_secret(app, table.club, SCORE, label="Kitchen tablet"))
    assert whose_phone(kitchen, table.game) == "Choose a name"


def whose_phone(client: FlaskClient, game: str) -> str:
    """Return the text beside "Who is scoring?" on the score sheet."""
    return re.search(r"Who is scoring\?\s*<small>(.*?)</small>", client.get(game).text)[1]


def test_a_link_that_nobody_has_named_says_what_it_is_for(table: Site) -> None:
    game, club = f"{table.game}links", f"{table.club}links/"
    for address, role in ((game, WATCH), (game, WATCH), (game, SCORE), (club, SCORE), (club, MANAGE)):
        assert table.client.post(address, data={"label": " ", "role": role}).status_code == 303
    listed = re.findall(r"<b>(.*?)</b>", table.client.get(club).text)
    assert sorted(listed) == [
        *("Board", "First link", "Keep score", "Manage the club", "Score game 1", "Watch game 1", "Watch game 1 (2)")
    ]


def test_a_revoked_link_opens_and_writes_nothing_and_what_was_typed_is_kept(app: Flask, table: Site) -> None:
    client = phone(app, table.club, SCORE)
    bo = Site(client)
    bo.club, bo.game = table.club, table.game
    assert bo.preview(bid="4").status_code == 200
    number = link_of(app, "a test").id
    assert table.client.post(f"{table.club}links/{number}/revoke").status_code == 303
    answer = client.post(f"{table.game}hands/new", data=bo.hand(bid="4"), headers=FROM_HERE)
    assert answer.status_code == 404
    assert "<h1>This link was revoked</h1>" in answer.text
    assert "Nothing was saved. What you entered is still here." in answer.text
    assert '<input type="hidden" name="bid" value="4">' in answer.text
    assert table.totals() == [0, 0]
    assert client.get(table.club).status_code == 404


def test_the_last_link_to_manage_a_club_is_not_revoked_nor_can_two_at_once_be(app: Flask, table: Site) -> None:
    with app.app_context():
        (first,) = db.session.scalars(select(Link.id).where(Link.role == MANAGE)).all()
    table.client.post(f"{table.club}links/{first}/revoke")
    page = table.client.get(f"{table.club}links/")
    assert "This is the only link that can manage the club. Make another one first." in page.text
    phone(app, table.club, MANAGE)
    with app.app_context():  # the check is repeated under the lock
        one, other = db.session.scalars(select(Link).where(Link.role == MANAGE).order_by(Link.id)).all()
        assert links.managing(one.club) == [one, other]
        links.revoke(other)
        with pytest.raises(Refused, match="the only link that can manage"):
            links.revoke(one)


def test_no_tap_in_the_list_locks_the_managers_own_phone_out(app: Flask, table: Site) -> None:
    """Revoking one's own link takes a confirmation, as only another manager could restore access."""
    table.client.post(f"{table.club}links/", data={"label": "Bo", "role": MANAGE})
    with app.app_context():
        mine = db.session.scalar(select(Link.id).where(Link.role == MANAGE).order_by(Link.id))
    listed = table.client.get(f"{table.club}links/").text
    assert f'action="{table.club}links/{mine}/revoke"' not in listed
    assert f'action="{table.club}links/{link_of(app, "Bo").id}/revoke"' in listed
    assert listed.count("This device · ") == 1
    warned = "This device uses this link. If you revoke it, this device may no longer open the club."
    own, others = (table.client.get(f"{table.club}links/{number}").text for number in (mine, link_of(app, "Bo").id))
    assert warned in own
    assert f'action="{table.club}links/{mine}/revoke"' in own
    assert warned not in others


def test_who_may_not_is_told_whom_to_ask(app: Flask, table: Site) -> None:
    table.client.post(f"{table.club}device", data={"whose": "Ann"})
    made = table.client.post(f"{table.club}links/", data={"label": "Gil", "role": WATCH})
    address = re.findall(r'value="http://localhost(/l/[\w-]{22})"', table.client.get(made.location).text)[0]
    gil = stranger(app)
    gil.post(address, headers=FROM_HERE)
    answer = gil.get(f"{table.game}hands/new")
    assert answer.status_code == 403
    assert "Your link lets you watch. To keep score you need a scoring link." in answer.text
    assert f'href="{table.club}ask/score">Ask Ann for a scoring link</a>' in answer.text


@pytest.mark.parametrize("game", [None, 1])
def test_a_request_is_granted_with_one_tap_and_its_phone_goes_on_by_itself(app, table, game) -> None:
    gil, ask = phone(app, table.club, WATCH, game=game), f"{table.game}ask" if game else f"{table.club}ask/score"
    assert gil.post(ask, data={"label": ""}).status_code == 422
    assert gil.post(ask, data={"label": "Gil"}).location == ask
    assert '<meta http-equiv="refresh" content="5">' in gil.get(ask).text
    assert gil.get(f"{table.game}hands/new").status_code == 403
    gil.post(ask, data={"label": "Gil"})  # a double tap makes one request
    page = table.client.get(table.club).text
    assert page.count("Gil asks for a scoring link") == 1
    grant = re.findall(r'action="([^"]+/grant)"', page)[0]
    assert table.client.post(grant, data={"back": "club"}).location == table.club
    assert gil.get(ask).location == table.game
    assert gil.get(f"{table.game}hands/new").status_code == 200
    found = [gil.get(page).status_code for page in (table.club, f"{table.club}links/")]
    assert found == ([404, 404] if game else [200, 403])


def test_a_request_is_told_on_a_managers_open_pages(app: Flask, table: Site) -> None:
    """On the club's page and at the head of hand entry, whose ETags change; scorers do not see it."""
    pages = (f"{table.club}now", f"{table.game}hands/1/now")
    before = [table.client.get(page).headers["ETag"] for page in pages]
    gil = phone(app, table.club, WATCH)
    gil.post(f"{table.club}ask/score", data={"label": "Gil"})
    for page, tag in zip(pages, before, strict=True):
        answer = table.client.get(page, headers={"If-None-Match": tag})
        assert "Gil asks for a scoring link." in answer.text
        assert "Gil asks" not in phone(app, table.club, SCORE).get(page).text
    wait = unescape(re.findall(r'id="busy"><a href="([^"]+)"', table.client.get(pages[1]).text)[0])
    sent = dict(re.findall(r'name="(back)" value="([^"]*)"', table.client.get(wait).text))
    answer = table.client.post(f"{table.club}links/{link_of(app, 'Gil').id}/grant", data=sent)
    assert answer.location == f"{table.game}hands/new"
    for page, tag in zip(pages, before, strict=True):
        assert table.client.get(page, headers={"If-None-Match": tag}).status_code == 304


def test_who_is_turned_down_may_do_no_more_than_before(app: Flask, table: Site) -> None:
    gil = phone(app, table.club, WATCH)
    gil.post(f"{table.club}ask/manage", data={"label": "Gil"})
    table.client.post(f"{table.club}links/{link_of(app, 'Gil').id}/revoke")
    assert gil.get(f"{table.club}links/").status_code == 403
    assert gil.get(table.club).status_code == 200
    assert "Gil asks" not in table.client.get(table.club).text


def test_a_games_link_to_score_ends_with_the_game(app: Flask, table: Site) -> None:
    """Classic to 11: three hands of 4. When the club undoes the last hand, the link allows scoring again."""
    next_door = Site(phone(app, table.club, SCORE, game=1))
    next_door.club, next_door.game = table.club, table.game
    for position in "123":
        assert next_door.post_hand(position=position).status_code == 303
    assert next_door.client.get(table.game).status_code == 200
    assert next_door.step("undo", game_version="3").status_code == 403
    assert table.step("undo", game_version="3").status_code == 303
    assert next_door.post_hand(position="3").status_code == 303


def test_a_game_that_was_played_again_leads_on_to_the_next_one(app: Flask, table: Site) -> None:
    """For score sheets still open when another phone started the next game; a link to the first game opens no other."""
    for position in "123":
        table.post_hand(position=position)
    assert "Play again" in table.client.get(table.game).text
    before = table.client.get(f"{table.game}now").get_etag()
    following = str(table.step("again").location).removesuffix("hands/new")
    assert table.client.get(f"{table.game}now").get_etag() != before
    for browser in (table.client, phone(app, table.club, WATCH)):
        page = re.sub(r"\s+", " ", browser.get(table.game).text)
        assert f'href="{following}">Go to game 2</a>' in page
        assert "Play again" not in page
    next_door = phone(app, table.club, WATCH, game=1).get(table.game).text
    assert "Go to" not in next_door and following not in next_door


def test_when_a_link_was_used_is_written_once_an_hour_and_a_device_can_leave(app: Flask, table: Site) -> None:
    client = phone(app, table.club, SCORE)
    client.get(table.club).close()  # written after the response
    first = link_of(app, "a test").last_used_at
    assert first is not None
    client.get(table.club).close()
    assert link_of(app, "a test").last_used_at == first
    with app.app_context(), db_write() as session:
        session.scalars(select(Link).where(Link.label == "a test")).one().last_used_at = now() - timedelta(hours=3)
    client.get(table.game).close()
    used = link_of(app, "a test").last_used_at
    assert used is not None
    assert used >= first
    assert "Used in the last 2 hours" in table.client.get(f"{table.club}links/").text
    left = client.post(f"{table.club}leave")
    assert (left.location, left.headers["Clear-Site-Data"]) == ("/", '"cache"')
    assert client.get(table.club).status_code == 404


def test_the_board_shows_the_code_of_its_own_link_to_watch(app: Flask, table: Site) -> None:
    """Not to guests of the game, who may not see the club; and not after a manager has revoked it.

    A club from before gets the link with its next game.
    """
    board = table.client.get(f"{table.game}board").text
    assert 'aria-label="QR code: scan it to watch on your phone"' in board
    assert "QR code" not in phone(app, table.club, WATCH, game=1).get(f"{table.game}board").text
    table.client.post(f"{table.club}links/{link_of(app, 'Board').id}/revoke")
    assert "QR code" not in table.client.get(f"{table.game}board").text
    with app.app_context(), db_write() as session:
        session.execute(delete(Link).where(Link.label == "Board"))
    assert "QR code" not in table.client.get(f"{table.game}board").text
    table.start_game()
    assert "QR code" in table.client.get(f"{table.game}board").text


def test_a_manager_sees_who_scored_last(app: Flask, table: Site) -> None:
    table.post_hand()
    secret = new_secret(app, table.club, SCORE, label="Kitchen tablet")
    kitchen = Site(stranger(app))
    kitchen.club, kitchen.game = table.club, table.game
    join(kitchen.client, secret)
    kitchen.client.post(f"{table.club}device", data={"whose": "Bo"})
    kitchen.post_hand(position="2")
    for address in (f"{table.club}links/", table.club):
        assert re.search("Last scored [^<]* by Bo, game 1[.<]", table.client.get(address).text)
    assert "Last scored" not in phone(app, table.club, SCORE).get(table.club).text
    for reader, first in ((table.client, "The first phone"), (kitchen.client, "An unnamed phone")):
        who = re.findall(r"<p><b>(.*?)</b>", reader.get(f"{table.game}history").text)
        assert who == ["Bo’s phone", first]
    table.step("undo", game_version="2")
    assert re.search(r"Last scored [\w: ]+, game 1\.", table.client.get(f"{table.club}links/").text)


def test_a_club_is_deleted_by_its_name_taken_back_and_after_a_week_gone_for_good(app: Flask, table: Site) -> None:
    member, gone = phone(app, table.club, WATCH), phone(app, table.club, MANAGE)
    with app.app_context():
        links.revoke(db.session.scalars(select(Link).where(Link.uid == held_by(gone)[key_in(table.club)][0])).one())
    assert table.client.post(f"{table.club}delete", data={"name": "Friday"}).status_code == 422
    assert table.client.post(f"{table.club}delete", data={"name": " friday  Table"}).location == "/"
    assert "Deleted: a manager can take it back." in table.client.get("/").text
    for client in (table.client, member):
        answer = client.get(table.game)
        assert (answer.status_code, "<h1>Friday table was deleted</h1>" in answer.text) == (410, True)
        assert ("Take it back" in answer.text) == (client is table.client)
    assert [other.get(table.game).status_code for other in (stranger(app), gone)] == [404, 404]
    assert gone.post(f"{table.club}delete/take-back").status_code == 404
    assert member.post(f"{table.club}delete/take-back").status_code == 403
    assert table.client.post(f"{table.club}delete/take-back").location == table.club
    assert member.get(table.game).status_code == 200
    table.client.post(f"{table.club}delete", data={"name": "Friday table"})
    with app.app_context():
        assert remove_deleted() == 0
        with db_write() as session:
            session.scalars(select(Club)).one().deleted_at = now() - CLUB_KEPT - timedelta(minutes=1)
        assert [remove_deleted() for _ in range(3)] == [1, 1, 0]
        assert [db.session.query(table).count() for table in (Club, Game, Link)] == [0, 0, 0]


def test_a_manager_comes_back_with_a_passphrase(app: Flask, table: Site) -> None:
    assert table.client.post(f"{table.club}passphrase", data={"passphrase": "short"}).status_code == 422
    table.client.post(f"{table.club}passphrase", data={"passphrase": "Right jack buries nine"})
    with app.app_context():
        kept = db.session.scalars(select(Club.passphrase)).one()
    assert kept is not None
    assert kept.startswith("$argon2id$")
    client = stranger(app)
    for fields in ({"name": "Friday table", "passphrase": "right jack"}, {"name": "x", "passphrase": "x"}):
        assert client.post("/come-back", data=fields).status_code == 422
    back = client.post("/come-back", data={"name": "friday table", "passphrase": "right jack buries nine "})
    assert back.location == table.club
    assert "Came back with the passphrase" in client.get(f"{table.club}links/").text
    table.client.post(f"{table.club}passphrase", data={"remove": "yes"})
    fields = {"name": "Friday table", "passphrase": "right jack buries nine"}
    assert stranger(app).post("/come-back", data=fields).status_code == 422
    for letters in ("\u3164", "\u2800", "\u0301", "\u200b", "\u0e31"):
        assert table.client.post(f"{table.club}passphrase", data={"passphrase": letters * 12}).status_code == 422
    with app.app_context(), db_write() as session:
        session.scalars(select(Club)).one().passphrase = PasswordHasher().hash("")  # as it was stored before
    for typed in ("", "\u3164", "\u200b" * 12):
        fields = {"name": "Friday table", "passphrase": typed}
        assert stranger(app).post("/come-back", data=fields).status_code == 422


def test_a_passphrase_that_is_removed_while_it_is_tried_lets_nobody_in(
    app: Flask, table: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.client.post(f"{table.club}passphrase", data={"passphrase": "right jack buries nine"})
    lock = clubs.db_write

    def overtaken(club: Club) -> AbstractContextManager[Session]:
        monkeypatch.undo()

        def remove() -> None:
            with app.app_context():
                links.make_recovery_link(db.session.scalars(select(Club)).one(), MANAGE, alone=True)

        (elsewhere := Thread(target=remove)).start()
        elsewhere.join()
        return lock(club)

    monkeypatch.setattr(clubs, "db_write", overtaken)
    fields = {"name": "Friday table", "passphrase": "right jack buries nine"}
    assert stranger(app).post("/come-back", data=fields).status_code == 422
    with app.app_context():
        club = db.session.scalars(select(Club)).one()
        assert [link.label for link in links.managing(club)] == [links.FROM_SERVER]


@pytest.mark.parametrize("name", ["Äpfel", "ÉCOLE", "École"])
def test_a_club_comes_back_by_a_name_of_any_letters(app: Flask, name: str) -> None:
    site = Site(stranger(app))
    site.start_club(name)
    site.client.post(f"{site.club}passphrase", data={"passphrase": "right jack buries nine"})
    for typed in (name, name.swapcase()):
        fields = {"name": typed, "passphrase": "right jack buries nine"}
        assert stranger(app).post("/come-back", data=fields).location == site.club


def test_clubs_of_one_name_come_back_by_their_numbers_and_a_try_costs_one_hash(app, table, monkeypatch) -> None:
    """However many strangers start clubs with that name, or name one like another's number."""
    managers = [table]
    for name in ("Friday table", "friday TABLE", "Friday table", "Friday table", "Friday table", "1"):
        managers.append(Site(stranger(app)))
        managers[-1].start_club(name)
    hashed: list[str] = []

    class Quick(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:
            hashed.append(str(hash))
            return super().verify(hash, password)

    monkeypatch.setattr(clubs, "_hasher", Quick(time_cost=1, memory_cost=8, parallelism=1))
    for number, site in enumerate(managers, 1):
        words = f"right jack number {number}"
        assert f"The number is {number}." in site.client.get(f"{site.club}passphrase").text
        site.client.post(f"{site.club}passphrase", data={"passphrase": words})
        back = stranger(app).post("/come-back", data={"name": f" {number}", "passphrase": words})
        assert back.location == site.club
    for name in ("Friday table", "8", "²", "9" * 30):
        fields = {"name": name, "passphrase": "right jack number 1"}
        assert stranger(app).post("/come-back", data=fields).status_code == 422
    assert len(hashed) == len(managers) + 4


def aged(app: Flask, label: str, hours: int) -> None:
    with app.app_context(), db_write() as session:
        session.scalars(select(Link).where(Link.label == label)).one().created_at = now() - timedelta(hours=hours)


def listed_changes(client: FlaskClient, club: str) -> list[str]:
    return [unescape(text) for text in re.findall(r'<p class="what">([^<]*)</p>', client.get(f"{club}changes").text)]


def test_a_new_link_to_manage_cannot_shut_out_the_first_one(app: Flask, table: Site) -> None:
    first, other = link_of(app, links.FIRST_LABEL), phone(app, table.club, MANAGE)
    let_in(stranger(app), table.club, MANAGE)
    aged(app, links.FIRST_LABEL, 100)
    refused = "Your manager’s link is less than a day old."
    assert refused in other.post(f"{table.club}links/{first.id}/revoke", follow_redirects=True).text
    assert refused in other.get(f"{table.club}passphrase").text
    assert other.post(f"{table.club}passphrase", data={"passphrase": "mine alone from now"}).status_code == 422
    assert refused not in table.client.get(f"{table.club}passphrase").text
    assert table.client.get(table.club).status_code == 200
    with app.app_context():
        assert db.session.scalars(select(Club.passphrase)).one() is None


def test_a_club_that_was_taken_away_is_rescued_on_the_server(app, table, monkeypatch, capsys) -> None:
    """docs/operation.md: the thief's links and passphrase stop working, and deleted items are restored."""
    before = table.client.get(f"{table.club}transfers/club.jsonl").data
    taker = stranger(app)
    assert join(taker, new_secret(app, table.club, MANAGE, label="Cat")).status_code == 303
    taker.get(table.club).close()
    aged(app, links.FIRST_LABEL, 100)
    aged(app, "Cat", 25)
    taker.post(f"{table.club}passphrase", data={"passphrase": "mine alone from now"})
    taker.post(f"{table.club}links/{link_of(app, links.FIRST_LABEL).id}/revoke")
    taker.post(f"{table.game}edit/delete")
    assert table.client.get(table.club).status_code == 404
    taker.post(f"{table.club}delete", data={"name": "Friday table"})

    monkeypatch.setenv("SCOREKEEPER_INSTANCE", app.instance_path)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", app.config["DATABASE_URL"])
    monkeypatch.setenv("SCOREKEEPER_SECRET_KEY", app.config["SECRET_KEY"])
    assert cli.main(["link", "friday table", "--revoke-others"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Made a link to manage Friday table (club 1).\nEvery other link that managed it is revoked")
    rescued = stranger(app)
    assert join(rescued, re.findall(r"/l/([\w-]{22})", said)[0]).status_code == 303
    rescued.post(f"{table.club}delete/take-back").close()
    assert taker.get(table.club).status_code == 404
    typed = {"name": "Friday table", "passphrase": "mine alone from now"}
    assert stranger(app).post("/come-back", data=typed).status_code == 422
    assert listed_changes(rescued, table.club) == [
        "The link “Made on the server”, to manage the club, was opened for the first time.",
        "The link “Made on the server”, to manage the club, was made.",
        "The club’s passphrase was removed.",
        "The link “Cat”, to manage the club, was revoked.",
        "Game 1 was deleted.",
        "The link “First link”, to manage the club, was revoked.",
        "The club’s passphrase was set.",
        "The link “Cat”, to manage the club, was opened for the first time.",
        "The link “Cat”, to manage the club, was made.",
    ]
    text = read(rescued.get(f"{table.club}changes"))
    places = re.findall(r"(?:removed|revoked|made|time)\. (On the server|An unnamed phone), ", text)
    assert places == ["An unnamed phone", *["On the server"] * 3, *["An unnamed phone"] * 3]
    said = [text.count(reason) for reason in ("To undo this, revoke the link", "A revoked link stays revoked")]
    assert said == [2, 4]  # Made on the server; Cat and First link
    rescued.post(f"{table.club}changes/5/undo")
    assert rescued.get(f"{table.club}transfers/club.jsonl").data == before
    watching = listed_changes(phone(app, table.club, WATCH), table.club)
    assert watching == ["Game 1 is back.", "Game 1 was deleted."]  # changes of links are shown to managers only


def test_a_link_made_on_the_server_finds_its_club_by_whatever_is_known_of_it(app, table, monkeypatch, capsys) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", app.instance_path)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", app.config["DATABASE_URL"])
    monkeypatch.setenv("SCOREKEEPER_SECRET_KEY", app.config["SECRET_KEY"])
    secret = new_secret(app, table.club, WATCH, label="Bo")
    table.client.post(f"{table.club}links/{link_of(app, 'Bo').id}/revoke")
    for known in ("1", f"http://localhost{table.club}", f"http://localhost/l/{secret}", " FRIDAY  table "):
        assert cli.main(["link", known, "--role", "score"]) == 0
        assert capsys.readouterr().out.startswith("Made a link to score Friday table (club 1).\n")
    Site(stranger(app)).start_club("Friday Table")
    assert cli.main(["link", "Friday table"]) == 2
    assert re.fullmatch(
        r"Several clubs have that name, number, key or link\.\n"
        r"  1: Friday table, 1 game, started [\d-]+\n  2: Friday Table, 0 games, started [\d-]+\n",
        capsys.readouterr().err,
    )
    assert cli.main(["link", "Monday table"]) == 2
    assert capsys.readouterr().err == "No club has that name, number, key or link.\n"
