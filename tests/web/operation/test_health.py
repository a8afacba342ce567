"""Health checks for Docker, systemd and load balancers: liveness and readiness."""

from sqlalchemy import text

from scorekeeper.database.errors import Trouble
from scorekeeper.database.session import db, migrate_database
from tests.web.site import counted_queries


def test_a_process_that_answers_is_alive_and_without_a_database_file_not_ready(make_app, tmp_path):
    app = make_app(DATABASE_URL=f"sqlite:///{tmp_path / 'none.sqlite'}")
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.text) == (503, f"{Trouble.MISSING.value}\n")


def test_it_is_ready_when_the_database_answers_and_neither_is_ever_throttled(client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert {client.get("/healthz").status_code for _ in range(300)} == {200}
    assert {client.get("/readyz").status_code for _ in range(20)} == {200}


def test_it_is_not_ready_while_the_database_is_older_or_newer(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    migrate_database(app)
    phone = app.test_client()
    assert phone.get("/readyz").status_code == 200
    for revision, troubles in (("of-tomorrow", {Trouble.NEWER}), (None, {Trouble.OLDER, Trouble.FOREIGN})):
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(text("DELETE FROM alembic_version"))
            if revision:
                connection.execute(text(f"INSERT INTO alembic_version VALUES ('{revision}')"))
        answer = phone.get("/readyz")
        assert answer.status_code == 503
        assert answer.text.strip() in {trouble.value for trouble in troubles}


def test_a_database_server_that_does_not_answer_is_said_in_a_sentence(make_app):
    app = make_app(DATABASE_URL="postgresql://127.0.0.1:1/nothing?connect_timeout=2")
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.text) == (503, f"{Trouble.AWAY.value}\n")


def test_being_alive_asks_the_database_nothing(app, client):
    with counted_queries(app) as queries:
        client.get("/healthz")
    assert queries == []
