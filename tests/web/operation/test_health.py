"""Health checks for Docker, systemd and load balancers: liveness and readiness."""

import pytest
from sqlalchemy import event, text

from scorekeeper.database.errors import Trouble
from scorekeeper.database.session import db, migrate_database


def test_a_process_that_answers_is_alive_whatever_its_database_is(make_app, tmp_path):
    app = make_app(DATABASE_URL=f"sqlite:///{tmp_path / 'none.sqlite'}")
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_it_is_ready_when_the_database_answers_and_is_up_to_date(client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("times", [300])
def test_neither_is_ever_throttled(client, times):
    assert {client.get("/healthz").status_code for _ in range(times)} == {200}
    assert {client.get("/readyz").status_code for _ in range(20)} == {200}


def test_it_is_not_ready_without_a_database_file(make_app, tmp_path):
    app = make_app(DATABASE_URL=f"sqlite:///{tmp_path / 'none.sqlite'}")
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.text) == (503, f"{Trouble.MISSING.value}\n")


def test_it_is_not_ready_while_the_database_is_older_or_newer(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    migrate_database(app)
    phone = app.test_client()
    assert phone.get("/readyz").status_code == 200
    for revision, trouble in (("0001", Trouble.NEWER), (None, Trouble.OLDER)):
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(text("DELETE FROM alembic_version"))
            if revision:
                connection.execute(text("INSERT INTO alembic_version VALUES ('of-tomorrow')"))
            elif db.engine.dialect.name == "sqlite":
                connection.execute(text("INSERT INTO alembic_version SELECT 'x' WHERE 0"))
        answer = phone.get("/readyz")
        expected = {trouble.value, Trouble.FOREIGN.value} if revision is None else {trouble.value}
        assert answer.status_code == 503
        assert answer.text.strip() in expected


def test_a_database_server_that_does_not_answer_is_said_in_a_sentence(make_app):
    app = make_app(DATABASE_URL="postgresql://127.0.0.1:1/nothing?connect_timeout=2")
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.text) == (503, f"{Trouble.AWAY.value}\n")


def test_being_alive_asks_the_database_nothing(app, client):
    with app.app_context():
        engine = db.engine
    asked = []
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    client.get("/healthz")
    assert asked == []
