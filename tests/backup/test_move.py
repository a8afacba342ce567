"""Moves from SQLite to PostgreSQL and back: the same rows, the same exports, all or nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from scorekeeper.backup import move as moving
from scorekeeper.backup.files import BackupProblem
from scorekeeper.backup.move import move
from scorekeeper.database.session import db, migrate_database
from scorekeeper.models import Club, Game, Player
from scorekeeper.services import hands as hand_service
from scorekeeper.stats.verify import check_tallies
from tests.backup.homes import RUNNING, club_names, die_in, execute, on_sqlite, set_up
from tests.classic import FOUR, new_club, start_game
from tests.conftest import ROOT, SCOREKEEPER
from tests.conftest import serve as served
from tests.http_phone import let_in, opened
from tests.transfer.clubs import a_full_club, exported

pytestmark = pytest.mark.slow

NOT_EMPTY = "The database to move to isn't empty. Choose an empty one."


@pytest.fixture
def to(home, request, tmp_path):
    """URL of an empty database of the other kind."""
    if home.config["DATABASE_URL"].startswith("postgres"):
        yield f"sqlite:///{tmp_path / 'moved.sqlite'}"
        return
    with request.getfixturevalue("postgres").without_tables() as url:
        yield url


def exports():
    return [exported(club) for club in db.session.scalars(select(Club).order_by(Club.id)).all()]


def dump():
    """Return every row of every table as text."""
    with db.engine.connect() as connection:
        names = [table.name for table in db.metadata.sorted_tables]
        return {name: sorted(map(str, connection.execute(text(f'SELECT * FROM "{name}"')))) for name in names}


def test_there_and_back_again(home, to, make_app, tmp_path, postgres):
    """The club has a game that refers to a later one, a non-ASCII name, a guest and an incomplete hand."""
    set_up(home, a_full_club)
    execute(home, "UPDATE game SET previous_id = (SELECT max(id) FROM game) WHERE id = 1")
    before, content = set_up(home, dump), set_up(home, exports)
    found, address = move(home, to)
    assert (found.clubs, found.games) == (2, 6)
    assert make_url(address).database == make_url(to).database
    assert set_up(home, dump) == before, "where it was moved from is unchanged"
    target = make_app(DATABASE_URL=to)
    assert set_up(target, exports) == content
    assert len(content[1]) > 5000
    with postgres.without_tables() as url:
        if to.startswith("postgres"):
            url = f"sqlite:///{tmp_path / 'back.sqlite'}"
        move(target, url)
        back = make_app(DATABASE_URL=url)
        assert set_up(back, exports) == content
        assert set_up(back, dump) == before


def test_what_was_moved_is_played_on(home, to, make_app):
    """In every table, new primary keys follow the moved ones."""
    set_up(home, a_full_club)
    move(home, to)
    target = make_app(DATABASE_URL=to)

    def play_on():
        club = db.session.scalars(select(Club).order_by(Club.id.desc())).first()
        game = start_game(club, names=["Ann", "Bo", "Cy", "Newcomer"])
        for position in (1, 2, 3):
            hand_service.record_hand(game, FOUR, position=position, token=str(position))
        new_club("The Friday club")
        assert check_tallies(club).wrong == ()
        assert game.id == max(db.session.scalars(select(Game.id)))
        assert db.session.scalar(select(Player).where(Player.name == "Newcomer")).id == max(
            db.session.scalars(select(Player.id))
        )

    set_up(target, play_on)


def test_more_rows_than_are_in_memory_at_once(home, to, make_app, monkeypatch):
    monkeypatch.setattr(moving, "BATCH", 3)
    set_up(home, a_full_club)
    content = set_up(home, exports)
    move(home, to)
    assert set_up(make_app(DATABASE_URL=to), exports) == content


def test_a_database_that_has_our_tables_and_nothing_in_them(home, to, make_app):
    target = make_app(DATABASE_URL=to)
    migrate_database(target)
    move(home, to)
    assert set_up(target, club_names) == ["The Thursday club"]


def test_nobody_writes_meanwhile(home, to, make_app, monkeypatch):
    """A hand saved during a move would be missing in the copy."""
    with home.app_context():
        url = db.engine.url
    compare, refusals = moving._compare, []

    def try_to_write(*arguments):
        waiting = {"timeout": 0} if url.get_backend_name() == "sqlite" else {"options": "-c lock_timeout=100"}
        other = create_engine(url, connect_args=waiting, poolclass=NullPool)
        with pytest.raises(OperationalError) as refusal, other.begin() as connection:
            connection.execute(text("UPDATE club SET name = 'The Friday club'"))
        refusals.append(refusal)
        compare(*arguments)

    monkeypatch.setattr(moving, "_compare", try_to_write)
    move(home, to)
    assert len(refusals) == 1
    assert set_up(home, club_names) == ["The Thursday club"]


def refused(app, to):
    before = set_up(app, dump)
    with pytest.raises(BackupProblem) as problem:
        move(app, to)
    assert set_up(app, dump) == before
    return str(problem.value)


def test_a_database_with_a_club_in_it(home, to, make_app):
    target = make_app(DATABASE_URL=to)
    migrate_database(target)
    set_up(target, lambda: new_club("The Friday club"))
    assert refused(home, to) == NOT_EMPTY
    assert set_up(target, club_names) == ["The Friday club"]


def test_a_database_of_another_program(home, to, make_app):
    if to.startswith("sqlite"):
        Path(make_url(to).database).touch()
    execute(make_app(DATABASE_URL=to), "CREATE TABLE recipe (name TEXT)")
    assert refused(home, to) == NOT_EMPTY


def test_the_database_in_use(home):
    wanted = {"That is the database in use. Choose another one.", NOT_EMPTY}
    assert refused(home, home.config["DATABASE_URL"]) in wanted


NONE = "That is not the address of an SQLite or PostgreSQL database. Correct it, then try again."
SILENT = "The database to move to doesn't answer. Start it, or correct its address."


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", NONE),
        ("oracle://ann@db/cards", NONE),
        ("mysql://x", NONE),
        ("postgresql://ann@127.0.0.1:1/a", SILENT),
    ],
)
def test_an_address_that_is_none_or_does_not_answer(home, url, said):
    assert refused(home, url) == said


def test_while_a_server_is_running(home, to, tmp_path):
    url = home.config["DATABASE_URL"]
    key = set_up(home, lambda: db.session.scalar(select(Club.key)))
    let_in(home, key)
    with served(tmp_path, PYTHONPATH=str(ROOT), SCOREKEEPER_DATABASE_URL=url, SCOREKEEPER_BACKUPS_KEPT="0") as address:
        assert opened(f"{address}/c/{key}/").status == 200
        assert refused(home, to) == RUNNING
    move(home, to)


@pytest.mark.parametrize(
    ("spoiled", "statement", "said"),
    [
        ("tally", "UPDATE tally SET won = won + 1", "The rows of tally are"),
        ("hand", "DELETE FROM hand WHERE id = 1", "The clubs' exports are"),  # a table whose rows are not compared
    ],
)
def test_what_is_not_the_same_is_not_moved(home, to, make_app, monkeypatch, spoiled, statement, said):
    set_up(home, a_full_club)
    if spoiled == "hand":
        monkeypatch.setattr(moving, "_digest", lambda _connection, _table: "")
    copied = moving._copy

    def spoil(read, write, table):
        copied(read, write, table)
        if table.name == spoiled:
            write.execute(text(statement))

    monkeypatch.setattr(moving, "_copy", spoil)
    assert refused(home, to) == f"{said} not the same after moving. Nothing was moved."
    assert set_up(make_app(DATABASE_URL=to), club_names) == []


@on_sqlite  # which takes names of any length
def test_a_name_that_does_not_fit(home, to):
    set_up(home, lambda: new_club("x" * 81))
    said = "A row of club doesn't fit: value too long for type character varying(80). Nothing was moved."
    assert refused(home, to) == said


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("where", ["_copy", "_fill_in", "_compare"])
def test_a_move_that_is_killed_has_moved_nothing(home, to, make_app, tmp_path, where):
    set_up(home, a_full_club)
    before = set_up(home, dump)
    die_in(where, "move.move(app, sys.argv[4])", home, tmp_path, to)
    assert set_up(home, dump) == before
    move(home, to)
    assert set_up(make_app(DATABASE_URL=to), club_names) == set_up(home, club_names)


def test_the_command_says_how_to_switch(migrated_sqlite, tmp_path):
    instance = tmp_path / "instance"
    instance.mkdir()
    shutil.copy(migrated_sqlite, instance / "scorekeeper.sqlite")
    environment = os.environ | {"SCOREKEEPER_INSTANCE": str(instance), "PYTHONPATH": str(ROOT)}
    line = [*SCOREKEEPER, "move", "--to", f"sqlite:///{tmp_path / 'moved.sqlite'}"]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "Moved 0 clubs, 0 games, 0 hands. "
        "Every row is the same there, and so is every byte of each club's export.\n"
        f"To switch, set SCOREKEEPER_DATABASE_URL to sqlite:///{tmp_path / 'moved.sqlite'} and start the server.\n"
        "The database that you moved from is unchanged.\n"
    )
