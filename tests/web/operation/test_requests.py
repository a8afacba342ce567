"""The log: one line for each request if enabled, and no club keys or form tokens."""

import json
import logging

import pytest
from flask import request
from sqlalchemy import text

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club
from scorekeeper.web.operation import views
from tests.web.phones import join, new_secret

KEY = "aB3-_fghijklmnopqrstuv"


@pytest.fixture
def written(capsys):
    """A function that returns the log output since the test began."""
    lines = []

    def read():
        lines.append(capsys.readouterr().err)
        return "".join(lines)

    yield read
    for name in views.LOGGERS:  # the stream is closed after the test
        logger = logging.getLogger(name)
        logger.handlers[:] = [other for other in logger.handlers if not isinstance(other, views.LogHandler)]
    views.log.setLevel(logging.WARNING)


@pytest.fixture
def app_with(make_app, database_url):
    def make(**settings):
        app = make_app(DATABASE_URL=database_url, WTF_CSRF_ENABLED=False, PROPAGATE_EXCEPTIONS=False, **settings)
        with app.app_context(), db_write() as session:
            session.add(Club(name="The Thursday club", key=KEY))
        return app

    return make


def test_each_request_is_an_object_of_its_own_without_the_key(app_with, written):
    app = app_with(LOG_FORMAT="json", LOG_REQUESTS="1")
    phone, link = app.test_client(), new_secret(app, f"/c/{KEY}/")
    join(phone, link)
    phone.get(f"/c/{KEY}/games/new?secret=1", headers={"Referer": f"http://localhost/l/{link}"})
    phone.get(f"/{KEY}")  # the key in the wrong place
    phone.get("/healthz")
    lines = [json.loads(line) for line in written().splitlines()]
    told = [(line["method"], line["route"], line["path"], line["status"]) for line in lines]
    assert told == [
        ("POST", "/l/<secret>", "/l/…", 303),
        ("GET", "/c/<key>/games/new", "/c/…/games/new", 200),
        ("GET", "unknown", "unknown", 404),
        ("GET", "/healthz", "/healthz", 200),
    ]
    assert all(line["level"] == "INFO" and line["ms"] >= 0 and line["time"].endswith("+00:00") for line in lines)
    assert KEY not in written()
    assert link not in written()
    assert "secret=" not in written()


def test_requests_are_not_logged_unless_that_is_wanted(app_with, written):
    app_with().test_client().get(f"/c/{KEY}/")
    assert written() == ""


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_bug_is_logged_with_its_traceback_and_without_the_key(app_with, written, style):
    app = app_with(LOG_FORMAT=style)

    @app.get("/l/<key>/broken")
    def broken(key):  # no club, so no access control
        raise RuntimeError(f"nothing at {request.path}")

    assert app.test_client().get(f"/l/{KEY}/broken").status_code == 500
    assert "Traceback" in written()
    assert "RuntimeError: nothing at /l/…/broken" in written()
    assert KEY not in written()
    if style == "json":
        (line,) = map(json.loads, written().splitlines())
        assert (line["level"], line["logger"]) == ("ERROR", "scorekeeper")
        assert line["message"] == "Exception on /l/…/broken [GET]"
    else:
        assert " ERROR scorekeeper: Exception on /l/…/broken [GET]" in written()


def test_a_statement_of_the_database_is_logged_without_its_values(app_with, written):
    """Otherwise database errors would log club keys."""
    app = app_with()

    @app.get("/l/<key>/broken")
    def broken(key):  # no club, so no access control
        db.session.execute(text("SELECT 1 / 0 FROM nothing WHERE key = :key"), {"key": key})

    assert app.test_client().get(f"/l/{KEY}/broken").status_code >= 500
    assert "FROM nothing" in written()
    assert KEY not in written()


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        (f"Exception while serving /c/{KEY}/games/1/", "Exception while serving /c/…/games/1/"),
        (f'"/c/{KEY}"', '"/c/…"'),
        (f"Exception on /l/{KEY} [POST]", "Exception on /l/… [POST]"),
        (f"/c/{KEY}?all=1", "/c/…?all=1"),
        (f"Key (game_id, token)=(3, {KEY}) already exists.", "Key (game_id, token)=(…) already exists."),
        ("/clubs", "/clubs"),
    ],
)
def test_secrets_are_cut_out_wherever_they_are(line, masked):
    assert views.without_secrets(line) == masked
