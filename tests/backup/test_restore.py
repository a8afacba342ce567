"""Restores: the backup is checked first, the replaced database is kept, and failures are one clear message."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Thread

import psycopg
import pytest
from sqlalchemy import create_engine, select, text
from sqlalchemy.engine import make_url

from scorekeeper.backup import postgres, sqlite
from scorekeeper.backup import postgres as programs
from scorekeeper.backup.command import restore
from scorekeeper.backup.files import BackupProblem, not_served, serving
from scorekeeper.backup.make import back_up_to_folder
from scorekeeper.backup.move import move
from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.stats.verify import check_tallies
from tests.backup.homes import RUNNING, club_names, die_in, execute, make_old, on_postgres, on_sqlite, set_up
from tests.classic import new_club
from tests.conftest import ROOT, SCOREKEEPER
from tests.conftest import serve as served
from tests.http_phone import let_in, opened
from tests.transfer.clubs import a_full_club, exported

pytestmark = pytest.mark.slow


def path_of(app):
    return Path(make_url(app.config["DATABASE_URL"]).database)


def kept_app(make_app, app, kept):
    """Return an application on the database that a restore has replaced and kept."""
    url = make_url(app.config["DATABASE_URL"])
    name = kept.removeprefix("the database ")
    return make_app(DATABASE_URL=url.set(database=name).render_as_string(hide_password=False))


def test_everything_is_back_and_what_was_there_is_kept(home, make_app, tmp_path):
    content = set_up(home, lambda: exported(a_full_club()))
    backup = set_up(home, lambda: back_up_to_folder(tmp_path))
    before = backup.read_bytes()
    set_up(home, lambda: new_club("The Friday club"))
    found, kept = restore(home, backup)
    assert found[:2] == (2, 6)
    assert str(found).startswith("2 clubs, 6 games, ")
    assert backup.read_bytes() == before
    with home.app_context():
        club = db.session.scalars(select(Club).where(Club.name != "The Thursday club")).one()
        assert exported(club) == content
        assert check_tallies(club).wrong == ()
        new_club("The Saturday club")  # new primary keys follow the restored ones
    with kept_app(make_app, home, kept).app_context():
        assert "The Friday club" in club_names()
        db.session.remove()
        db.engine.dispose()


@on_sqlite
def test_what_a_restore_replaced_can_be_restored(home, file):
    set_up(home, lambda: new_club("The Friday club"))
    _, kept = restore(home, file)
    assert set_up(home, club_names) == ["The Thursday club"]
    restore(home, Path(kept))
    assert set_up(home, club_names) == ["The Friday club", "The Thursday club"]


def test_where_there_is_nothing_yet(make_app, home, file, tmp_path):
    if file.suffix == ".sqlite":
        url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    else:
        url = make_url(home.config["DATABASE_URL"])
        url = url.set(database=f"{url.database}_new").render_as_string(hide_password=False)
    new = make_app(DATABASE_URL=url)
    found, kept = restore(new, file)
    assert (found.clubs, kept) == (1, None)
    assert set_up(new, club_names) == ["The Thursday club"]


def test_two_restores_in_the_same_second_keep_both_databases(home, file, make_app, monkeypatch):
    moment = datetime(2026, 3, 1, 20, 15, 30)
    for module in (sqlite, postgres):
        monkeypatch.setattr(module, "now", lambda: moment)
    kept, names = [], ["The Friday club", "The Saturday club", "The Sunday club"]
    for name in names:
        set_up(home, lambda name=name: new_club(name))
        kept.append(restore(home, file)[1])
        assert set_up(home, club_names) == ["The Thursday club"]
    assert [set_up(kept_app(make_app, home, place), club_names)[0] for place in kept] == names


def test_an_older_backup_is_migrated(make_app, home, empty_url_like, tmp_path):
    older = make_app(DATABASE_URL=empty_url_like)
    make_old(older)
    restore(home, set_up(older, lambda: back_up_to_folder(tmp_path)))
    assert set_up(home, club_names) == ["Old club"]


@pytest.fixture
def empty_url_like(home, request, tmp_path):
    """URL of an empty database of the same kind as `home`."""
    if home.config["DATABASE_URL"].startswith("sqlite"):
        (tmp_path / "older.sqlite").touch()
        yield f"sqlite:///{tmp_path / 'older.sqlite'}"
        return
    with request.getfixturevalue("postgres").without_tables() as url:
        yield url


def test_statistics_that_are_wrong_are_counted_again(home, tmp_path):
    set_up(home, a_full_club)
    execute(home, "UPDATE tally SET won = won + 1")
    restore(home, set_up(home, lambda: back_up_to_folder(tmp_path)))
    with home.app_context():
        assert [check_tallies(club).wrong for club in db.session.scalars(select(Club)).all()] == [(), ()]


@pytest.mark.skipif(sys.platform == "win32", reason="modes and owners")
@on_sqlite
def test_the_server_may_use_what_was_restored(home, file):
    """The file's mode and owner stay those of the replaced database, not of the user who runs the restore."""
    path_of(home).chmod(0o640)
    owner = (12345, 23456) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(path_of(home), *owner)
    restore(home, file)
    found = path_of(home).stat()
    assert (found.st_mode & 0o777, found.st_uid, found.st_gid) == (0o640, *owner)


def refused(app, file):
    """Return the error of a refused restore, which must change nothing and leave no files."""
    before = set_up(app, club_names)
    folder = sorted(path_of(app).parent.iterdir()) if "sqlite" in app.config["DATABASE_URL"] else None
    with pytest.raises(BackupProblem) as problem:
        restore(app, Path(file))
    assert set_up(app, club_names) == before
    if folder is not None:
        left = {path.name for path in path_of(app).parent.iterdir()} - {path.name for path in folder}
        assert left <= {"scorekeeper.sqlite-serving"}
    return str(problem.value)


def test_a_file_that_is_missing_or_of_another_kind(home, tmp_path):
    assert refused(home, tmp_path / "none") == f"Can't read {tmp_path / 'none'}: No such file or directory."
    file = tmp_path / "file"
    for content in b"", b"Dear Ann", b'{"format": "scorekeeper-club/1"}', b"SQLite format 4\0" * 999:
        file.write_bytes(content)
        assert refused(home, file) == f"{file} is not a Scorekeeper backup. Choose another backup."


def test_a_database_of_another_program(home, tmp_path, empty_url_like, make_app):
    app = make_app(DATABASE_URL=empty_url_like)
    execute(app, "CREATE TABLE recipe (name TEXT)")
    file = set_up(app, lambda: back_up_to_folder(tmp_path))
    assert refused(home, file) == f"{file} is not a Scorekeeper backup. Choose another backup."


def test_a_file_that_ends_too_early_or_has_a_damaged_middle(home, tmp_path):
    set_up(home, a_full_club)
    file = set_up(home, lambda: back_up_to_folder(tmp_path))
    whole = file.read_bytes()
    middle = len(whole) // 2
    parts = [whole[: int(len(whole) * part)] for part in (0.3, 0.9)]
    for content in *parts, whole[:middle] + b"\x55" * 3000 + whole[middle + 3000 :]:
        file.write_bytes(content)
        said = refused(home, file)
        assert said.startswith(f"{file} is damaged: ")
        assert said.endswith(". Choose another backup.")
        assert said.count("\n") == 0


@on_sqlite
def test_rows_that_refer_to_nothing(home, file):
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO player (club_id, name, uid, rated) VALUES (4711, 'Ann', 'u', 0)")
        connection.commit()
    said = "a row of player refers to a row of club that is missing"
    assert refused(home, file) == f"{file} is damaged: {said}. Choose another backup."


def test_a_newer_backup(home, tmp_path):
    ours, change = (
        execute(home, "SELECT version_num FROM alembic_version"),
        "UPDATE alembic_version SET version_num = :to",
    )
    execute(home, change, to="9999")
    file = set_up(home, lambda: back_up_to_folder(tmp_path))
    execute(home, change, to=ours)
    said = f"{file} was made by a newer version of Scorekeeper. Install that version, then restore it."
    assert refused(home, file) == said


def test_a_game_that_cannot_be_scored(home, tmp_path):
    set_up(home, a_full_club)
    good = set_up(home, lambda: back_up_to_folder(tmp_path))
    execute(home, "UPDATE hand SET facts = :facts WHERE id = 1", facts='{"dealer": 9}')
    file = set_up(home, lambda: back_up_to_folder(tmp_path))
    said = refused(home, file)
    assert said.startswith(f"{file} has a game of The »Tuesday« club, ♠ that can't be scored: ")
    assert said.endswith(". Choose another backup.")
    restore(home, good)


@on_sqlite
def test_the_database_in_use(home):
    path = path_of(home)
    assert refused(home, path) == f"{path} is the database in use. Choose a backup."


def test_a_backup_of_the_other_kind(home, file, make_app, tmp_path, postgres):
    sqlite = home.config["DATABASE_URL"].startswith("sqlite")
    other = make_app(DATABASE_URL=postgres.url("scorekeeper") if sqlite else f"sqlite:///{tmp_path / 'other.sqlite'}")
    mine, wanted = ("SQLite", "PostgreSQL") if sqlite else ("PostgreSQL", "SQLite")
    with pytest.raises(BackupProblem) as problem:
        restore(other, file)
    assert str(problem.value) == (
        f"The database is {wanted}, and {file} is a backup of {mine}. "
        "Restore it into a database of its kind, then run `scorekeeper move`."
    )


def test_while_a_server_is_running(home, file, tmp_path):
    """Refused before the server's first request too, when it has not opened the database yet."""
    url = home.config["DATABASE_URL"]
    key = set_up(home, lambda: db.session.scalar(select(Club.key)))
    let_in(home, key)
    with served(tmp_path, PYTHONPATH=str(ROOT), SCOREKEEPER_DATABASE_URL=url, SCOREKEEPER_BACKUPS_KEPT="0") as address:
        if url.startswith("sqlite"):
            assert refused(home, file) == RUNNING
        assert opened(f"{address}/c/{key}/").status == 200
        assert refused(home, file) == RUNNING
        assert opened(f"{address}/c/{key}/").status == 200
    restore(home, file)


@contextmanager
def beside(home):
    """A connection to the server of the database of `home`."""
    url = make_url(home.config["DATABASE_URL"]).set(database="postgres")
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@on_postgres
def test_while_another_backup_is_restored(home, file, monkeypatch):
    """A killed restore may hold its advisory lock for a moment, so a restore waits for the lock."""
    monkeypatch.setattr(postgres, "LOCK_TIMEOUT", "0.2s")
    with beside(home) as connection:
        connection.execute(text(f"SELECT pg_advisory_lock({postgres.LOCK})"))
        said = "Another backup is being restored. Wait until that has finished, then try again."
        assert refused(home, file) == said
        monkeypatch.setattr(postgres, "LOCK_TIMEOUT", "60s")
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"

        def let_go():
            while not connection.scalar(text(waiting)):
                time.sleep(0.01)
            connection.execute(text(f"SELECT pg_advisory_unlock({postgres.LOCK})"))

        releasing = Thread(target=let_go)
        releasing.start()
        restore(home, file)
        releasing.join()


def test_while_another_program_has_it_open(home, file):
    with home.app_context():
        url = db.engine.url
    engine = create_engine(url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM club")) == 1
        assert refused(home, file) == RUNNING
    engine.dispose()
    restore(home, file)


@on_postgres
def test_a_server_that_is_just_stopping_is_waited_for(home, file, tmp_path, monkeypatch):
    """PostgreSQL takes a moment to close the connections of a process that has ended; SQLite's lock is gone with it."""
    url = make_url(home.config["DATABASE_URL"]).set(drivername="postgresql").render_as_string(hide_password=False)
    for put_back in (lambda: restore(home, file), lambda: move(home, f"sqlite:///{tmp_path / 'moved.sqlite'}")):
        leaving = psycopg.connect(url)
        with monkeypatch.context() as at_the_first_look:
            at_the_first_look.setattr(programs.time, "sleep", lambda _seconds, leaving=leaving: leaving.close())
            put_back()
        assert leaving.closed
    assert set_up(home, club_names) == ["The Thursday club"]


def test_no_server_starts_in_the_middle_of_a_restore(make_app, tmp_path):
    path = tmp_path / "home.sqlite"
    app = make_app(DATABASE_URL=f"sqlite:///{path}")
    said = r"^The database is being restored or moved\. Wait until that has finished, then start the server\.$"
    with not_served(path), pytest.raises(BackupProblem, match=said), serving(app):
        pytest.fail("a server was started")
    with serving(app), serving(app):  # several servers may use one file
        pass


@on_postgres
def test_a_user_who_may_not_make_databases(postgres, make_app, home, file):
    url = make_url(home.config["DATABASE_URL"])
    role = f"role_{url.database}"
    postgres.execute(f"CREATE ROLE {role} LOGIN")
    try:
        app = make_app(DATABASE_URL=url.set(username=role).render_as_string(hide_password=False))
        with pytest.raises(BackupProblem) as problem:
            restore(app, file)
    finally:
        postgres.execute(f"DROP ROLE {role}")
    allow = f"Run `ALTER ROLE {role} CREATEDB` as its administrator, then try again."
    assert str(problem.value) == f"To restore, the database user must be allowed to make databases. {allow}"


@pytest.mark.parametrize("what", ["no database", "damaged", "with a log"])
def test_a_damaged_database_is_replaced_and_kept(make_app, migrated_sqlite, tmp_path, what):
    path = tmp_path / "home" / "scorekeeper.sqlite"
    path.parent.mkdir()
    shutil.copy(migrated_sqlite, path)
    app = make_app(DATABASE_URL=f"sqlite:///{path}")
    set_up(app, lambda: new_club("The Thursday club"))
    file = set_up(app, lambda: back_up_to_folder(tmp_path))
    content = path.read_bytes()
    path.write_bytes(b"no database" * 999 if what == "no database" else content[:5000] + b"\x55" * 9000)
    damaged = path.read_bytes()
    if what == "with a log":
        path.with_name("scorekeeper.sqlite-wal").write_bytes(b"a log")
    _, kept = restore(app, file)
    assert Path(kept).read_bytes()[:4000] == damaged[:4000] or what != "no database"
    assert Path(kept).stat().st_size == len(damaged)
    assert set_up(app, club_names) == ["The Thursday club"]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize(
    "where", ["_make_ready", "bring_up_to_date", "recount_older", "_put_in_place", "_keep", "publish", "_drop"]
)
def test_a_restore_that_is_killed_leaves_the_old_database(home, file, tmp_path, where):
    kind = "sqlite" if home.config["DATABASE_URL"].startswith("sqlite") else "postgresql"
    if (where in ("_make_ready", "_keep", "publish") and kind != "sqlite") or (where == "_drop" and kind == "sqlite"):
        pytest.skip("not a step of this kind")
    set_up(home, lambda: new_club("The Friday club"))
    die_in(where, "command.restore(app, place)", home, tmp_path, file)
    assert set_up(home, club_names) == ["The Friday club", "The Thursday club"]
    set_up(home, lambda: new_club("The Saturday club"))
    restore(home, file)
    assert set_up(home, club_names) == ["The Thursday club"]
    if kind == "sqlite":
        assert not list(path_of(home).parent.glob(".scorekeeper-unfinished*"))


def restoring(home, file):
    """The command that restores a file in a process of its own, and its environment."""
    own = {"INSTANCE": str(file.parent / "instance"), "DATABASE_URL": home.config["DATABASE_URL"]}
    environment = {f"SCOREKEEPER_{name}": value for name, value in own.items()}
    return [*SCOREKEEPER, "restore", str(file)], os.environ | environment | {"PYTHONPATH": str(ROOT)}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_at_any_moment(home, file):
    """SIGKILL at ten moments: the database is the old or the restored one, and is writable."""
    line, environment = restoring(home, file)
    began = time.monotonic()
    subprocess.run(line, env=environment, check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - began
    for tenth in range(1, 11):
        before = set_up(home, club_names)
        with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL) as dying:
            time.sleep(took * (0.4 + 0.06 * tenth))
            dying.kill()
        if home.config["DATABASE_URL"].startswith("postgres"):
            # The last statement may still run: while a database is being renamed, connections to it fail.
            with beside(home) as connection:
                connection.execute(text("SET lock_timeout = '60s'"))
                connection.execute(text(f"SELECT pg_advisory_lock({postgres.LOCK})"))
        assert set_up(home, club_names) in (before, ["The Thursday club"])
        set_up(home, lambda number=tenth: new_club(f"Club {number}"))
    restore(home, file)
    assert set_up(home, club_names) == ["The Thursday club"]


def test_the_command_says_what_is_in_it_and_where_the_old_one_is(home, file, tmp_path):
    line, environment = restoring(home, file)
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    first, second = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert first == f"Restored {file}: 1 club, 0 games, 0 hands."
    assert second.startswith("What was there before is kept: ")
    again = subprocess.run([*line[:-1], str(tmp_path)], env=environment, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (1, f"Can't read {tmp_path}: Is a directory.\n")
