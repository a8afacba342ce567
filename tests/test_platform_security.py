"""Headers, CSRF tokens, error pages, and odd requests, on both databases."""

import re

import pytest
from flask import abort, request
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services.games import create_game
from tests.classic import new_club
from tests.conftest import on_one_database
from tests.forms import forms_of
from tests.web.phones import held_by, join, new_secret, stranger

CODES = [400, 404, 405, 409, 413, 415, 422, 500, 503]


@pytest.fixture
def guarded(make_app, database_url):
    """An application with CSRF protection, and a view that returns the form fields `card`."""
    app = make_app(DATABASE_URL=database_url)
    app.add_url_rule("/try", "try", lambda: " & ".join(request.form.getlist("card")), methods=["POST"])
    return app


def key_of_a_club(app):
    with app.app_context():
        return new_club().key


@pytest.mark.parametrize("address", ["/", "/nowhere"])
def test_every_page_carries_the_guarding_headers(client, address):
    headers = client.get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "private" in headers["Cache-Control"]
    assert "HX-Request" in headers["Vary"]


def policy_of(answer):
    parts = (part.split() for part in answer.headers["Content-Security-Policy"].split(";"))
    return {name: set(sources) for name, *sources in parts}


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere_but_htmx(client):
    policy = policy_of(client.get("/"))
    assert policy["script-src"] == {"'self'", "https://cdn.jsdelivr.net/npm/htmx.org@4.0.1/dist/htmx.min.js"}
    assert policy["style-src"] == policy["default-src"] == policy["form-action"] == {"'self'"}
    assert policy["img-src"] == {"'self'", "data:"}
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == {"'none'"}
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*"} & set().union(*policy.values())


def test_with_htmx_served_from_here_nothing_comes_from_elsewhere(make_app, tmp_path):
    client = make_app(HTMX_LOCAL=True).test_client()
    answer = client.get("/nowhere")
    assert policy_of(answer)["script-src"] == {"'self'"}
    assert "jsdelivr" not in answer.text


def test_the_cookie_is_for_this_site_and_no_script(guarded):
    with guarded.test_client() as client:
        key = key_of_a_club(guarded)
        session = client.get("/").headers["Set-Cookie"]
        links = join(client, new_secret(guarded, f"/c/{key}/")).headers["Set-Cookie"]
    for cookie in (session, links):
        assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
        assert "Expires=" in cookie
        assert "Secure" not in cookie.split("; ")


def test_behind_https_cookies_are_for_https_alone(guarded):
    """Cookie names have the `__Host-` prefix; a cookie set over HTTP earlier is still read."""
    phone, key = stranger(guarded), key_of_a_club(guarded)
    join(phone, new_secret(guarded, f"/c/{key}/"))
    assert phone.get(f"/c/{key}/").status_code == 200
    answer = join(phone, new_secret(guarded, f"/c/{key}/"), base_url="https://localhost/")
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-scorekeeper_links=")
    assert {"HttpOnly", "SameSite=Strict", "Secure", "Path=/"} <= set(cookie.split("; "))
    assert not any(part.startswith("Domain") for part in cookie.split("; "))
    assert phone.get(f"/c/{key}/", base_url="https://localhost/").status_code == 200
    assert len(held_by(phone)[key]) == 1  # over HTTP the earlier cookie is used


def test_a_page_that_remembers_nothing_sets_no_cookie(client):
    assert "Set-Cookie" not in client.get("/nowhere").headers


def test_every_address_that_takes_a_post_wants_a_token(guarded):
    """Every rule of the URL map that allows POST refuses a request without a token."""
    client = guarded.test_client()
    key, checked = key_of_a_club(guarded), 0
    for rule in guarded.url_map.iter_rules():
        if "POST" in rule.methods:
            address = re.sub(r"<int:\w+>", "1", rule.rule).replace("<key>", key)
            answer = client.post(address)
            assert answer.status_code in (400, 404), address
            checked += answer.status_code == 400
    assert checked >= 2


def test_what_was_typed_can_be_sent_again_when_the_token_is_too_old(guarded):
    client = guarded.test_client()
    typed = {"csrf_token": "of yesterday", "card": ["J♥", '"><b>']}
    answer = client.post("/try", data=typed, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 400
    form = next(form for form in forms_of(answer.text, "/") if form.method == "POST")
    assert form.address == "/try"
    assert form.fields["card"] == ["J♥", '"><b>']
    assert form.fields["csrf_token"] != ["of yesterday"]
    again = client.post(form.address, data=form.fields)
    assert (again.status_code, again.text) == (200, 'J♥ & "><b>')
    assert "your browser blocks cookies for this site" in answer.text  # it sent none
    answer = client.post("/try", data=typed, headers={"Sec-Fetch-Site": "same-origin"})
    assert "This page was open for too long" in answer.text


@pytest.mark.parametrize(
    ("headers", "offered"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "http://localhost"}, True),
        ({"Origin": "http://elsewhere.example"}, False),
        ({"Referer": "http://localhost/c/x/"}, True),
        ({"Referer": "http://elsewhere.example/localhost"}, False),
        ({"Origin": "null"}, False),
        ({}, False),
    ],
)
def test_only_a_form_of_our_own_may_be_sent_again(make_app, headers, offered):
    app = make_app()
    app.add_url_rule("/try", "try", lambda: "", methods=["POST"])
    answer = app.test_client().post("/try", data={"card": "J♥"}, headers=headers)
    assert answer.status_code == 400
    assert ("J♥" in answer.text) is offered


def test_a_form_is_good_for_as_long_as_the_session(guarded):
    assert guarded.config["WTF_CSRF_TIME_LIMIT"] is None


def failing_client(make_app, failure):
    app = make_app(PROPAGATE_EXCEPTIONS=False, WTF_CSRF_ENABLED=False)

    def fail():
        raise failure

    app.add_url_rule("/fail", "fail", fail)
    return app.test_client()


@pytest.mark.parametrize("code", CODES)
def test_every_error_has_a_calm_page(make_app, code):
    with pytest.raises(HTTPException) as error:
        abort(code)
    answer = failing_client(make_app, error.value).get("/fail")
    assert answer.status_code == code
    assert answer.mimetype == "text/html"
    title, sentence = re.search(r"<h1[^>]*>([^<]+)</h1>\s*<p[^>]*>([^<]+)</p>", answer.text).groups()
    assert len(title) > 5
    assert sentence.rstrip(".").count(" ") >= 3
    assert str(code) not in title
    assert 'href="/"' in answer.text


def test_a_bug_gives_the_page_and_not_its_trace(make_app):
    answer = failing_client(make_app, ZeroDivisionError("a secret")).get("/fail")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "secret" not in answer.text


def test_a_database_that_does_not_answer_is_no_bug(make_app):
    answer = failing_client(make_app, OperationalError("SELECT", {}, Exception("database is locked"))).get("/fail")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "SELECT" not in answer.text


def test_the_last_resort_needs_no_template(make_app, monkeypatch):
    client = failing_client(make_app, ZeroDivisionError())
    monkeypatch.setattr("scorekeeper.web.common.errors.render_template", lambda *_, **__: 1 / 0)
    answer = client.get("/fail")
    assert answer.status_code == 500
    assert "<h1>Something went wrong</h1>" in answer.text


def test_an_error_in_a_part_of_a_page_takes_the_place_of_all_of_it(client):
    assert "HX-Retarget" not in client.get("/nowhere").headers
    headers = client.get("/nowhere", headers={"HX-Request": "true"}).headers
    assert (headers["HX-Retarget"], headers["HX-Reswap"]) == ("body", "innerHTML")


def test_a_wrong_method_says_which_are_right(client):
    answer = client.delete("/")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


LONG_NUMBER = "9" * 5000

ODD_ADDRESSES = [
    "/c/%00/",
    "/c/%ff%fe/",
    "/c/" + "x" * 3000 + "/",
    "/c/{key}/games/0/",
    "/c/{key}/games/-1/",
    "/c/{key}/games/99999999999999999999/",
    f"/c/{{key}}/games/{LONG_NUMBER}/",
    f"/c/{{key}}/games/1/hands/{LONG_NUMBER}/",
    "/c/{key}/games/%E0%A4%A/",
    "/c/{key}/games/٣/",
    "/rules/%00",
    "/rules/..%2f..%2fetc%2fpasswd",
    "/static/..%2f..%2fpyproject.toml",
    "/static/%00",
    "/?club=%00",
    "/?%ff=%fe",
]


@pytest.mark.parametrize("address", ODD_ADDRESSES)
@on_one_database
def test_an_odd_address_is_not_found(guarded, address):
    guarded.config["PROPAGATE_EXCEPTIONS"] = False
    answer = guarded.test_client().get(address.format(key=key_of_a_club(guarded)))
    assert answer.status_code in ((200, 400) if address.startswith("/?") else (404,)), answer.text


ODD_BODIES = [
    ({"data": {}}, "nothing"),
    ({"data": {"name": "\0"}}, "NUL"),
    ({"data": {"\0": "x"}}, "NUL in a field's name"),
    ({"data": b"name=%ff%fe%00", "content_type": "application/x-www-form-urlencoded"}, "bad UTF-8 and NUL"),
    ({"data": b"name=%ff%fe", "content_type": "application/x-www-form-urlencoded"}, "bad UTF-8"),
    ({"data": b"\xff\xfe\x00" * 50, "content_type": "application/x-www-form-urlencoded"}, "no form at all"),
    ({"data": b"name=%ED%A0%80", "content_type": "application/x-www-form-urlencoded; charset=utf-7"}, "a surrogate"),
    ({"data": b"--x\r\nbroken", "content_type": "multipart/form-data; boundary=x"}, "a broken multipart"),
    ({"data": b"", "content_type": "multipart/form-data"}, "a multipart without a boundary"),
    ({"json": {"name": ["x"]}}, "JSON"),
    ({"data": {"name": "x" * 100_000}}, "a long name"),
    ({"data": {"name": "x" * 900_000}}, "more than any form"),
    ({"data": {"name": "x" * 3_000_000}}, "megabytes"),
    ({"data": {f"field{number}": "x" for number in range(2000)}}, "many fields"),
    ({"data": {"position": LONG_NUMBER, "version": LONG_NUMBER, "token": "x" * 9000, "dealer": "NaN"}}, "numbers"),
    ({"data": {"name": ["a", "b"], "rules": ["classic", "shankar"], "players": ["4", "x"]}}, "fields twice"),
    ({"data": {"csrf_token": "\udcff".encode("utf-8", "surrogateescape")}}, "a garbled token"),
]


def start_playing(app):
    """Record hand 1 of game 1; return the club's key."""
    key = key_of_a_club(app)
    with app.app_context():
        club = db.session.scalars(select(Club)).one()
        seats = {"players": 5, "teams": 0, "names": ["Ann", "Bo", "Cy", "Di", "Ed"], "first_dealer": 5}
        game = create_game(club, rules=find_rules("west-michigan-5"), options={}, **seats)
        hand = {"bidder": 1, "bid": 2, "trump": "H", "called": "AH", "partner": 3, "claims": {"high": "bidding"}}
        hand_service.record_hand(game, hand, position=1, token="first")
    return key


def addresses(app, key, method):
    """Yield all URLs that allow `method`, for that club, game 1, hand 1, and a rule set."""
    for rule in app.url_map.iter_rules():
        if method in rule.methods and rule.endpoint != "static":
            address = re.sub(r"<int:\w+>", "1", rule.rule).replace("<key>", key)
            address = re.sub(r"<any\((\w+)[^>]*>", r"\1", address)
            yield re.sub(r"<\w+>", "classic", address)


def forms_on_the_pages(app, key):
    """Return the forms of all pages of the club, without duplicates of URL, method and fields."""
    client, found = app.test_client(), {}
    for address in addresses(app, key, "GET"):
        page = client.get(address)
        text = page.text  # also reads a stream to its end
        for form in forms_of(text, address) if page.mimetype == "text/html" else ():
            found[form.address, form.method, *form.fields] = form
    return list(found.values())


@pytest.mark.parametrize("body", [body for body, _ in ODD_BODIES], ids=[name for _, name in ODD_BODIES])
@on_one_database
def test_nothing_odd_in_a_form_gives_a_500(app, body):
    """Sent to all views that allow POST, without CSRF protection, so that the views see it."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    client, key = app.test_client(), start_playing(app)
    for address in addresses(app, key, "POST"):
        answer = client.post(address, **body)
        assert answer.status_code < 500, (address, answer.text)


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": "scorekeeper=garbage"},
        {"Cookie": "\xff\xfe=\x01; ;;="},
        {"Accept-Encoding": "br;q=nonsense, *;q=-3"},
        {"If-Modified-Since": "yesterday", "If-None-Match": "\xff"},
        {"Range": "bytes=9-1,x"},
        {"Content-Length": "-5"},
        {"Content-Type": "text/html; charset=nonsense"},
        {"HX-Request": "\xff", "HX-Current-URL": "::::"},
        {"Referer": "http://[", "Origin": "http://["},
        {"Accept-Language": "x" * 5000},
        {"Host": "x" * 300},
    ],
    ids=lambda headers: next(iter(headers)),
)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("address", ["/", "/clubs", "/static/start.js"])
@on_one_database
def test_nothing_odd_in_a_header_gives_a_500(app, headers, method, address):
    app.config.update(PROPAGATE_EXCEPTIONS=False, WTF_CSRF_ENABLED=True)
    assert getattr(app.test_client(), method)(address, headers=headers).status_code < 500


def test_text_that_is_odd_but_possible_is_kept(client):
    name = "Ån♠ 李 👩 ½"
    answer = client.post("/clubs", data={"name": name})
    assert answer.status_code == 303
    assert name in client.get(answer.headers["Location"]).text
