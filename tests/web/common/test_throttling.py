"""Rate limits, and requests that they never affect."""

import io
import re

import pytest
from sqlalchemy import func, select

from scorekeeper import cli
from scorekeeper.database.session import db, db_write
from scorekeeper.models import WATCH, Club, Link
from scorekeeper.services import links
from tests.web.phones import let_in, new_secret, stranger
from tests.web.site import Site

LIMITS = {"THROTTLE_CLUBS": "2 per hour", "THROTTLE_KEYS": "2 per hour", "THROTTLE_UPLOADS": "2 per hour"}


@pytest.fixture
def app(make_app, database_url):
    return make_app(DATABASE_URL=database_url, WTF_CSRF_ENABLED=False, **LIMITS)


@pytest.fixture
def from_address(app):
    """A function that returns a new client with an IP address."""

    def phone(address="192.0.2.7"):
        client = stranger(app)
        client.environ_base["REMOTE_ADDR"] = address
        return client

    return phone


def wrong_links(phone, count):
    return [phone.get(f"/c/wrong-{number}/").status_code for number in range(count)]


def asks_to_wait(response, sentence):
    """Check that the response is a 429 asking to wait an hour, also by Retry-After."""
    assert response.status_code == 429
    assert 3590 <= int(response.headers["Retry-After"]) <= 3600
    assert f"{sentence} Try again in 60 minutes." in response.text
    assert "<h1>Please wait</h1>" in response.text
    return True


def test_who_starts_too_many_clubs_waits(app, from_address):
    assert [from_address().post("/clubs", data={"name": name}).status_code for name in "AB"] == [303, 303]
    refused = from_address().post("/clubs", data={"name": "C"})
    assert asks_to_wait(refused, "Too many clubs were started from your network.")
    assert from_address("198.51.100.1").post("/clubs", data={"name": "C"}).status_code == 303
    with app.app_context():
        assert db.session.scalar(select(func.count(Club.id))) == 3


def test_a_form_that_is_wrong_or_sent_twice_counts_for_nothing(from_address):
    phone = from_address()
    assert [phone.post("/clubs", data={"name": ""}).status_code for _ in range(5)] == [422] * 5
    assert [phone.post("/clubs", data={"name": "A"}).status_code for _ in range(5)] == [303] * 5


def test_who_tries_many_links_waits_even_with_a_right_one(app, from_address):
    club = Site(app.test_client())
    right = f"/l/{new_secret(app, club.club)}"
    assert wrong_links(from_address(), 4) == [404, 404, 429, 429]
    assert asks_to_wait(from_address().get(right), "Too many wrong links were tried from your network.")
    assert asks_to_wait(from_address().post(right), "Too many wrong links were tried from your network.")
    assert from_address("198.51.100.1").get(right).status_code == 200


def test_who_tries_many_addresses_waits_even_with_one_from_before(app, from_address):
    from_address().post("/clubs", data={"name": "A"})
    old = "aB3-_fghijklmnopqrstuv"
    with app.app_context(), db_write() as session:
        club = session.scalars(select(Club)).one()
        session.add(Link(club=club, role=WATCH, label="First link", hash=links.hash_of(old)))
    phone = from_address()
    assert phone.get(f"/c/{old}/").location == f"/l/{old}"
    assert wrong_links(phone, 2) == [404, 404]
    assert phone.get(f"/c/{old}/").status_code == 429


@pytest.mark.parametrize(
    ("asks", "statuses"),
    [
        # Old URLs of clubs contained secrets, which are links now: both count alike.
        ([("get", "/l/wrong", {}), ("post", "/l/wrong", {}), ("get", "/c/wrong-too/", {}), ("post", "/l/third", {})],
         [404, 404, 404, 429]),
        ([("get", "/c/gone/games/1/board", {})] * 9, [404] * 9),  # pages of a deleted club poll every few seconds
        ([("post", "/come-back", {"name": "Friday table", "passphrase": f"try {n}"}) for n in range(3)],
         [422, 422, 429]),
        ([("post", "/l/", {"link": f"/l/nobody-knows-{n}"}) for n in range(3)], [422, 422, 429]),
    ],
    ids=["addresses and links", "an old link", "passphrases", "pasted links"],
)  # fmt: skip
def test_who_tries_many_passphrases_or_links_waits(from_address, asks, statuses):
    phone = from_address()
    assert [phone.open(to, method=method, data=data).status_code for method, to, data in asks] == statuses


def test_a_phone_that_knows_the_club_plays_on_whatever_others_at_its_address_try(from_address):
    player = Site(from_address())
    player.start_game("classic")
    assert wrong_links(from_address(), 4)[-1] == 429
    assert player.post_hand().status_code == 303
    assert player.client.get(player.game).status_code == 200


def test_one_home_is_one_address_whatever_its_phones_are_called(from_address):
    homes = [from_address(f"2001:db8:1:2::{number}") for number in range(1, 4)]
    assert [wrong_links(phone, 1 + number)[-1] for number, phone in enumerate(homes)] == [404, 404, 429]
    assert wrong_links(from_address("2001:db8:1:3::1"), 1) == [404]
    assert wrong_links(from_address("::ffff:192.0.2.9"), 2) == [404, 404]
    assert from_address("192.0.2.9").get("/c/wrong-5/").status_code == 429


def test_this_computer_itself_is_never_stopped_and_without_a_limit_nobody(make_app, database_url, from_address):
    for address in ("127.0.0.1", "::1", ""):
        assert set(wrong_links(from_address(address), 5)) == {404}
    phone = make_app(DATABASE_URL=database_url, THROTTLE_KEYS="").test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    assert set(wrong_links(phone, 100)) == {404}


def test_a_limit_that_is_none_is_one_sentence(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_THROTTLE_CLUBS", "30/hour")
    assert cli.main(["migrate"]) == 1
    sentence = 'SCOREKEEPER_THROTTLE_CLUBS: "30/hour" is not a limit. Write it like "30 per hour", or leave it empty.'
    assert capsys.readouterr() == ("", f"{sentence}\n")


def upload(phone, club):
    return phone.post(f"{club}transfers/look", data={"file": (io.BytesIO(b"{}"), "club.jsonl")})


def test_who_sends_too_many_files_waits(app, from_address):
    club = Site(app.test_client())
    phone = let_in(from_address(), club.club)
    assert [upload(phone, club.club).status_code for _ in range(2)] == [422, 422]
    assert asks_to_wait(upload(phone, club.club), "Too many files were sent from your network.")


def test_only_one_file_of_a_club_is_read_at_a_time(app):
    club = Site(app.test_client())
    key = re.fullmatch(r"/c/(.*)/", club.club)[1]
    give_back = app.extensions["places"].take(key)
    for refused in (upload(club.client, club.club), club.client.post(f"{club.club}transfers/in", data={"token": "x"})):
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
        assert "Another file is being read. Nothing was changed. Try again in a minute." in refused.text
    assert club.client.get(club.club).status_code == 200
    give_back()
    assert [upload(club.client, club.club).status_code for _ in range(2)] == [422, 422]  # the slot is released


def test_who_comes_through_a_proxy_that_is_not_trusted_is_not_this_computer(from_address):
    """Otherwise a proxy on this computer would bypass all limits."""
    proxy = from_address("127.0.0.1")
    proxy.environ_base["HTTP_X_FORWARDED_FOR"] = "203.0.113.9"
    assert wrong_links(proxy, 3) == [404, 404, 429]
    proxy.environ_base["HTTP_X_FORWARDED_FOR"] = "203.0.113.10"  # an untrusted header is ignored
    assert wrong_links(proxy, 3) == [429] * 3
    assert wrong_links(from_address("127.0.0.1"), 3) == [404] * 3
