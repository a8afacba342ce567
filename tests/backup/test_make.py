"""Backups: consistent while hands are saved, daily, before migrations; a killed backup leaves no partial file."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.engine import make_url

from scorekeeper.backup import files, make
from scorekeeper.backup.files import BackupProblem
from scorekeeper.backup.make import back_up_daily, back_up_to_file, back_up_to_folder
from scorekeeper.backup.postgres import run as run_program
from scorekeeper.database.session import db, db_write
from scorekeeper.database.throttle import Locked, locked
from scorekeeper.models import Club, Game, Hand
from scorekeeper.services import hands as hand_service
from scorekeeper.serving import serve
from scorekeeper.stats.verify import check_tallies
from tests.backup.homes import die_in, make_old, on_sqlite
from tests.classic import FOUR, new_club, start_game
from tests.conftest import ROOT, SCOREKEEPER, environment
from tests.conftest import serve as served
from tests.http_phone import let_in, opened
from tests.transfer.clubs import a_full_club, exported

pytestmark = pytest.mark.slow

A_DAY = 24 * 3600


def names(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def age(path, seconds):
    at = path.stat().st_mtime - seconds
    os.utime(path, (at, at))


def test_a_backup_has_everything(app, backups, opened):
    with app.app_context():
        content = exported(a_full_club())
        made = back_up_to_folder(backups)
    assert names(backups) == [made.name]
    with opened(made).app_context():
        club = db.session.scalars(select(Club)).one()
        assert exported(club) == content
        assert check_tallies(club).wrong == ()


@on_sqlite
def test_a_backup_of_sqlite_is_one_file_that_needs_no_other(app, backups, club):
    made = back_up_to_folder(backups)
    assert made.read_bytes()[18:20] == b"\x01\x01"  # no WAL: sqlite.org/fileformat.html
    assert [path.name for path in backups.iterdir() if path.name.startswith(made.stem)] == [made.name]


def test_a_file_of_ones_own_is_never_overwritten(app, club, tmp_path):
    path = tmp_path / "mine"
    assert back_up_to_file(path) == path
    content = path.read_bytes()
    with pytest.raises(BackupProblem, match=r"exists\. Choose another name, or a folder"):
        back_up_to_file(path)
    assert path.read_bytes() == content
    assert names(tmp_path) == ["mine"]


def test_two_backups_of_one_second_have_two_names(tmp_path):
    moment = datetime(2026, 11, 21, 19, 30, 2, tzinfo=UTC)
    paths = []
    for _ in range(3):
        paths.append(files.new_path(tmp_path, ".sqlite", moment))
        paths[-1].touch()
    first = "scorekeeper-2026-11-21-193002Z"
    assert [path.name for path in paths] == [f"{first}.sqlite", f"{first}-2.sqlite", f"{first}-3.sqlite"]
    assert [backup.path for backup in files.dated_backups(tmp_path, ".sqlite")] == paths


def test_the_oldest_are_deleted_and_nothing_else_is(app, backups, club):
    """With a limit of 0, none is deleted."""
    suffix = make.database_in_use().suffix
    old = [f"scorekeeper-2026-01-0{day}-120000Z{suffix}" for day in range(1, 6)]
    others = [
        f"scorekeeper-2026-02-30-120000Z{suffix}", "mine.sqlite", "scorekeeper-2026-01-01.sqlite",
        "scorekeeper-2026-01-01-120000Z.txt",
    ]  # fmt: skip
    for name in old + others:
        (backups / name).touch()
    app.config["BACKUPS_KEPT"] = 0
    first = back_up_to_folder(backups)
    assert names(backups) == sorted([*old, first.name, *others])
    app.config["BACKUPS_KEPT"] = 3
    second = back_up_to_folder(backups)
    assert names(backups) == sorted([old[-1], first.name, second.name, *others])


def test_nothing_is_deleted_when_a_backup_fails(app, backups, club, monkeypatch):
    app.config["BACKUPS_KEPT"] = 1
    first = back_up_to_folder(backups)

    def full(_written, _path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(make, "publish", full)
    with pytest.raises(BackupProblem, match=r"No space left on device\. Older backups are unchanged\."):
        back_up_to_folder(backups)
    assert [path.name for path in backups.iterdir() if path.name != ".scorekeeper-lock"] == [first.name]


def test_a_damaged_database_does_not_push_out_good_backups(make_app, quick_path, migrated_sqlite):
    path = quick_path / "scorekeeper.sqlite"
    path.write_bytes(migrated_sqlite.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_seat_player_id'").fetchone()[0]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\x55" * 4096
    path.write_bytes(content)
    app, said = make_app(DATABASE_URL=f"sqlite:///{path}"), "The database is damaged, so it was not backed up: "
    with app.app_context(), pytest.raises(BackupProblem, match=said):
        back_up_to_folder(quick_path)
    assert not list(quick_path.glob("scorekeeper-*"))


SAVING = """
import sys
from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.services import hands as hand_service
from scorekeeper.models import Club
from tests.classic import FOUR, NAMES, start_game

app = create_app({"INSTANCE": sys.argv[1], "DATABASE_URL": sys.argv[2]})
with app.app_context():
    while True:
        game = start_game(db.session.get(Club, 1))
        for position in (1, 2, 3):
            hand_service.record_hand(game, FOUR, position=position, token=str(position))
            print(game.number, position, flush=True)
"""


def test_a_backup_while_hands_are_saved_has_all_that_were_saved_before(app, club, backups, opened, tmp_path):
    """Another process plays games of three hands, each won and so counted, and prints a line after each hand."""
    database = app.config["DATABASE_URL"]
    line = [sys.executable, "-c", SAVING, str(tmp_path / "other"), database]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as saving:
        try:
            for count in (7, 20):
                saved = [tuple(map(int, saving.stdout.readline().split())) for _ in range(count)]
                made = back_up_to_folder(backups)
                assert saving.stdout.readline(), "it went on"
        finally:
            saving.kill()
    with opened(made).app_context():
        kept = db.session.execute(
            select(Game.number, Hand.position).join_from(Hand, Game).order_by(Game.number, Hand.position)
        )
        kept = [tuple(row) for row in kept]
        assert set(saved) <= set(kept)
        assert kept == [(number // 3 + 1, number % 3 + 1) for number in range(len(kept))], "one moment, no hand missing"
        assert check_tallies(db.session.get(Club, 1)).wrong == ()


FULL = """
import resource, sys
from scorekeeper.cli import main

resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="setrlimit")
def test_a_disk_that_fills_up_in_the_middle(app, club, backups, tmp_path):
    """Emulated by a file size limit of 8 kB: the older backup stays, and no partial file."""
    first = back_up_to_folder(backups)
    own = environment(tmp_path / "full", SCOREKEEPER_DATABASE_URL=app.config["DATABASE_URL"])
    db.session.rollback()
    line = [sys.executable, "-c", FULL, "backup", backups]
    done = subprocess.run(line, cwd=ROOT, env=own, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith((f"No backup could be written to {backups}: ", "pg_dump failed: "))
    assert [path.name for path in backups.iterdir() if path.name != ".scorekeeper-lock"] == [first.name]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("when", ["make_one_file", "new_path", "publish", "delete_old"])
def test_a_backup_that_is_killed_leaves_the_others_and_nothing_half(app, club, backups, opened, tmp_path, when):
    first = back_up_to_folder(backups)
    content = first.read_bytes()
    function = "contents" if when == "make_one_file" and db.engine.dialect.name == "postgresql" else when
    die_in(function, "with app.app_context(): make.back_up_to_folder(place)", app, tmp_path, backups)
    assert first.read_bytes() == content
    assert len(names(backups)) == (2 if when == "delete_old" else 1)
    app.config["BACKUPS_KEPT"] = 2
    made = back_up_to_folder(backups)
    assert len(names(backups)) == 2
    assert not list(backups.glob(f"{files.UNFINISHED}*"))
    with opened(made).app_context():
        assert db.session.scalars(select(Club.name)).one() == "The Thursday club"


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_at_any_moment(app, club, backups, opened, tmp_path):
    """SIGKILL at ten moments between the start and the end of the command."""
    line = [*SCOREKEEPER, "backup", str(backups)]
    own = environment(tmp_path / "other", SCOREKEEPER_DATABASE_URL=app.config["DATABASE_URL"])
    began = time.monotonic()
    subprocess.run(line, cwd=ROOT, env=own, check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - began
    for tenth in range(1, 11):
        with subprocess.Popen(line, cwd=ROOT, env=own, stdout=subprocess.DEVNULL) as dying:
            time.sleep(took * (0.5 + tenth / 20))
            dying.kill()
    for path in files.dated_backups(backups, make.database_in_use().suffix):
        with opened(path.path).app_context():
            assert db.session.scalars(select(Club.name)).one() == "The Thursday club"


def test_one_a_day_and_none_when_nothing_is_new(app, backups, club):
    first = back_up_daily()
    assert back_up_daily() is None, "not a day later"
    age(first, A_DAY + 1)
    assert back_up_daily() is None, "nothing is new"
    assert not make.is_due(datetime.now(UTC)), "and it is not looked at again for a day"
    with db_write():
        club.name = "The Friday club"
    assert back_up_daily() is None, "new, but not a day later"
    age(first, A_DAY + 1)
    assert back_up_daily() not in (None, first)
    assert len(names(backups)) == 2


def test_nothing_is_new_after_the_server_was_started_again(app, backups, club):
    first = back_up_daily()
    db.session.remove()
    db.engine.dispose()
    db.session.execute(select(Club)).all()
    db.session.remove()
    db.engine.dispose()
    age(first, A_DAY + 1)
    assert back_up_daily() is None


def test_none_without_a_club_and_none_where_they_are_turned_off(app, app_context, backups):
    assert back_up_daily() is None
    new_club()
    app.config["BACKUPS_KEPT"] = 0
    assert back_up_daily() is None
    assert names(backups) == []


def test_a_backup_from_the_future_does_not_stop_the_others(app, backups, club):
    """For example after the clock was wrong once."""
    first = back_up_daily()
    future = files.new_path(backups, first.suffix, datetime.now(UTC) + timedelta(days=400))
    first.rename(future)
    os.utime(future, (2_000_000_000, 2_000_000_000))
    assert back_up_daily() is not None
    assert back_up_daily() is None
    assert future.exists()


def test_of_several_workers_one_makes_it(app, backups, club):
    with locked(backups / ".scorekeeper-lock"):
        with pytest.raises(Locked):
            back_up_daily()
        make.look(app)
    assert names(backups) == []
    make.look(app)
    assert len(names(backups)) == 1


def test_a_backup_that_fails_is_logged_and_stops_nothing(app, backups, club, monkeypatch, caplog):
    monkeypatch.setattr(make, "MIN_FREE_BYTES", 10**18)
    serve.run_job(app, make.look, "no daily backup")
    assert "no daily backup: There's no room for a backup in" in caplog.text
    assert names(backups) == []


def test_the_server_makes_one_by_itself(app, club, tmp_path):
    hand_service.record_hand(start_game(club), FOUR, position=1, token="t")
    key, url = club.key, app.config["DATABASE_URL"]
    let_in(app, key)
    db.session.rollback()
    folder = tmp_path / "made by the server"
    with served(tmp_path, SCOREKEEPER_DATABASE_URL=url, SCOREKEEPER_BACKUP_FOLDER=str(folder)) as address:
        end = time.monotonic() + 60
        while not (folder.is_dir() and names(folder)) and time.monotonic() < end:
            time.sleep(0.05)
        assert opened(f"{address}/c/{key}/").status == 200
    assert len(names(folder)) == 1


@pytest.fixture
def older(make_app, empty_database_url, tmp_path):
    """An application on a database at revision 0003, with a club."""
    app = make_app(DATABASE_URL=empty_database_url, BACKUP_FOLDER=str(tmp_path / "backups"))
    make_old(app)
    return app


def test_before_a_migration_there_is_a_backup(older, opened, tmp_path):
    serve.prepare(older)
    (made,) = (tmp_path / "backups").glob("scorekeeper-*")
    with opened(made).app_context(), db.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == "0003"
        assert connection.exec_driver_sql("SELECT name FROM club").scalar() == "Old club"
    serve.prepare(older)
    assert len(names(tmp_path / "backups")) == 1, "nothing is migrated now"


def test_a_new_database_needs_no_backup(make_app, empty_database_url, tmp_path):
    serve.prepare(make_app(DATABASE_URL=empty_database_url, BACKUP_FOLDER=str(tmp_path / "backups")))
    assert not (tmp_path / "backups").exists()


def test_without_a_backup_nothing_is_migrated(older, monkeypatch, tmp_path):
    monkeypatch.setattr(make, "MIN_FREE_BYTES", 10**18)
    said = r"^The database was not updated\. There's no room .* set SCOREKEEPER_BACKUPS_KEPT to 0\.$"
    with pytest.raises(BackupProblem, match=said):
        serve.prepare(older)
    with older.app_context(), db.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == "0003"
    older.config["BACKUPS_KEPT"] = 0
    serve.prepare(older)
    assert not list((tmp_path / "backups").glob("scorekeeper-*"))


def replace_pg_dump(monkeypatch, folder, prints):
    """Put a program in the place of pg_dump."""
    program = folder / "pg_dump"
    program.write_text(f"#!/bin/sh\necho {prints}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_pg_dump_is_missing_or_too_old(make_app, postgres, monkeypatch, tmp_path):
    with make_app(DATABASE_URL=postgres.emptied()).app_context():
        with monkeypatch.context() as nothing, pytest.raises(BackupProblem) as problem:
            nothing.setenv("PATH", str(tmp_path))
            back_up_to_folder(tmp_path)
        assert problem.match(r"^pg_dump is missing. Install the client programs of PostgreSQL 1\d or newer.$")
        replace_pg_dump(monkeypatch, tmp_path, '"pg_dump (PostgreSQL) 9.6.24"')
        with pytest.raises(BackupProblem, match=r"^pg_dump is version 9, too old for PostgreSQL 1[0-9]. Install the "):
            back_up_to_folder(tmp_path)


def test_the_password_is_in_no_list_of_processes(monkeypatch, tmp_path):
    replace_pg_dump(monkeypatch, tmp_path, '"$PGPASSWORD" "$@"')
    printed = run_program("pg_dump", "-v", url=make_url("postgresql+psycopg://ann:s3cret%40@db.example:5433/scores"))
    assert printed == b"s3cret@ --no-password --dbname=postgresql://ann@db.example:5433/scores -v\n"


def test_the_command_says_where_it_is(app, club, tmp_path):
    own = environment(tmp_path / "instance", SCOREKEEPER_DATABASE_URL=app.config["DATABASE_URL"])
    done = subprocess.run([*SCOREKEEPER, "backup"], env=own, capture_output=True, text=True)
    (made,) = (tmp_path / "instance" / "backups").glob("scorekeeper-*")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"Backup made: {made}\n", "")
    mine = tmp_path / "mine"
    done = subprocess.run([*SCOREKEEPER, "backup", mine], env=own, capture_output=True, text=True)
    assert done.stdout == f"Backup made: {mine}\n"
