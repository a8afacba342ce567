"""Commands on an unusable database: one message on stderr, and a non-zero exit status."""

import sqlite3

import pytest
from sqlalchemy import text

from scorekeeper import create_app
from scorekeeper.cli import main
from scorekeeper.database.session import db
from tests.conftest import mostly_slow

# All commands that open the database.
COMMANDS = [
    *(["run", "--host", "127.0.0.1", "--port", "8899"], ["migrate"], ["verify"], ["verify", "--fix"], ["demo"]),
    *(["export", "key"], ["import", "key", "-"], ["import", "--new", "-"]),
]
THAT_MAKE_NO_DATABASE = [["verify"], ["export", "key"]]
NEWER = "This database is from a newer version of Scorekeeper. Install that version, then try again.\n"
OLDER = "This database is not up to date. Run `scorekeeper migrate`, then try again.\n"
FOREIGN = "That file is no Scorekeeper database, or it is damaged. Correct DATABASE_URL, or restore a backup.\n"
MISSING = "There is no database file. Put it back, or run `scorekeeper migrate` to start a new one.\n"
AWAY = "The database server doesn't answer. Start it, or correct DATABASE_URL.\n"
NO_URL = "DATABASE_URL is not the address of an SQLite or PostgreSQL database. Correct it, then try again.\n"


@pytest.fixture
def answer(monkeypatch, tmp_path, capsys):
    """A function that runs a command on a database URL; it returns the exit status and the text on stderr."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setattr("scorekeeper.serving.serve.cannot_listen", lambda *_: None)
    monkeypatch.setattr("scorekeeper.serving.serve.check_names", lambda _: None)  # the tests have others
    # It would change the metrics of this process, also for other tests.
    monkeypatch.setattr("scorekeeper.serving.serve.operation.share_between_processes", lambda: None)
    started = "scorekeeper.serving.serve._serve_with_gunicorn"
    monkeypatch.setattr(started, lambda *_: pytest.fail("a server was started"))

    def ask(arguments, url):
        monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", url)
        return main(arguments), capsys.readouterr().err

    return ask


def set_revision(url, tmp_path, revision):
    """Set the revision of the database; return the previous one."""
    app = create_app({"INSTANCE": tmp_path / "instance", "DATABASE_URL": url})
    with app.app_context():
        with db.engine.begin() as connection:
            before = connection.scalar(text("SELECT version_num FROM alembic_version"))
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))
        db.engine.dispose()
    return before


@pytest.mark.parametrize("command", mostly_slow(COMMANDS), ids=" ".join)
def test_a_database_of_a_newer_version_is_refused(command, database_url, tmp_path, answer):
    ours = set_revision(database_url, tmp_path, "9999")
    assert answer(command, database_url) == (1, NEWER)
    assert set_revision(database_url, tmp_path, ours) == "9999"


@pytest.mark.parametrize("command", [*COMMANDS, ["backup"]], ids=" ".join)
def test_a_file_that_is_no_database_is_refused(command, tmp_path, answer):
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Ann, here are the cards.\n" * 200)
    before = path.read_bytes()
    assert answer(command, f"sqlite:///{path}") == (1, FOREIGN)
    assert path.read_bytes() == before
    assert list(tmp_path.rglob("scorekeeper-*.sqlite")) == []


def test_a_database_of_another_program_is_left_alone(tmp_path, answer):
    path = tmp_path / "recipes.sqlite"
    with sqlite3.connect(path) as recipes:
        recipes.execute("CREATE TABLE recipe (name TEXT)")
    assert answer(["migrate"], f"sqlite:///{path}") == (1, FOREIGN)
    with sqlite3.connect(path) as recipes:
        assert recipes.execute("SELECT name FROM sqlite_master").fetchall() == [("recipe",)]


@pytest.mark.parametrize("command", THAT_MAKE_NO_DATABASE, ids=" ".join)
def test_an_older_database_is_to_be_migrated_first(command, empty_database_url, tmp_path, answer):
    assert answer(command, empty_database_url) == (1, OLDER)


@pytest.mark.parametrize("command", [*THAT_MAKE_NO_DATABASE, ["backup"]], ids=" ".join)
def test_where_there_is_no_file_none_is_made(command, tmp_path, answer):
    path = tmp_path / "none.sqlite"
    assert answer(command, f"sqlite:///{path}") == (1, MISSING)
    assert not path.exists()


def test_migrating_makes_the_file(tmp_path, answer):
    path = tmp_path / "none.sqlite"
    assert answer(["migrate"], f"sqlite:///{path}") == (0, "")
    assert answer(["verify"], f"sqlite:///{path}") == (0, "")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_server_that_does_not_answer_is_named(command, answer):
    assert answer(command, "postgresql://ann@127.0.0.1:1/cards") == (1, AWAY)


@pytest.mark.parametrize("url", ["nonsense", "oracle://ann@db/cards", "nonsense://x"])
def test_an_address_that_is_none_is_named(url, answer):
    assert answer(["migrate"], url) == (1, NO_URL)


def test_a_folder_that_cannot_be_is_named(tmp_path, answer):
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "cards.sqlite"
    assert answer(["migrate"], f"sqlite:///{path}") == (1, f"Can't use {path}: Not a directory.\n")


def test_a_bug_still_shows_its_trace(tmp_path, answer, monkeypatch):
    monkeypatch.setattr("scorekeeper.serving.serve.prepare", lambda _app: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        answer(["migrate"], f"sqlite:///{tmp_path / 'cards.sqlite'}")
