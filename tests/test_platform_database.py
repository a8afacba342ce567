"""Tables, migrations and transactions, on both databases."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from threading import Event, Thread

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, inspect, select, text
from sqlalchemy.exc import IntegrityError

from scorekeeper.database.session import db, db_write, migrate_database, migrations
from scorekeeper.models import Club, Game, HandDraft, Player, Result, new_key
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from tests.classic import new_club
from tests.conftest import SCOREKEEPER, environment
from tests.stats.big_club import fill
from tests.web.phones import stranger

TABLES = {
    "club", "player", "game", "seat", "hand", "change", "tapped", "season", "game_group", "result", "tally",
    "club_change", "deleted", "game_count", "game_season", "game_group_season", "link",
    "entering",
}  # fmt: skip


def migrated_to(revision, *statements):
    """Migrate an empty database to `revision`, and run statements."""
    command.upgrade(migrations(), revision)
    with db.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


CLUB = "INSERT INTO club (id, key, name, created_at) VALUES (1, 'key', 'Old club', '2026-01-01 00:00:00')"


def clubs():
    """Return the number of clubs that another connection sees."""
    with db.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(Club))


def test_models_and_migrations_agree(app_context):
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, db.metadata) == []


def test_models_and_migrations_agree_on_checks_and_names(app_context):
    """Names of keys and checks, which Alembic's comparison omits."""
    found, wanted = set(), set()
    inspector = inspect(db.engine)
    for name, table in db.metadata.tables.items():
        wanted |= {str(constraint.name) for constraint in table.constraints}
        found.add(inspector.get_pk_constraint(name)["name"])
        for kind in ("foreign_keys", "unique_constraints", "check_constraints"):
            found |= {constraint["name"] for constraint in getattr(inspector, f"get_{kind}")(name)}
    assert found == wanted
    assert {"pk_club", "uq_club_key", "fk_game_club_id_club", "ck_change_kind", "uq_hand_game_id_position"} <= found


def test_the_application_makes_no_tables_by_itself(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    app.test_client().get("/nowhere")
    with app.app_context():
        assert inspect(db.engine).get_table_names() == []


def test_migrating_again_changes_nothing(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    migrate_database(app)
    with app.app_context():
        key = new_club().key
    migrate_database(app)
    with app.app_context():
        assert db.session.scalar(select(Club.key)) == key
        assert set(inspect(db.engine).get_table_names()) == TABLES | {"alembic_version"}
        with pytest.raises(IntegrityError), db_write() as session:  # on the same connection, foreign keys hold
            session.add(Player(club_id=4711, name="Ann"))


def test_games_of_the_first_version_are_kept_and_open(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    with app.app_context():
        columns = "(id, club_id, number, rules, options, players, teams, played, first_dealer, version, created_at)"
        values = "(1, 1, 1, '{}', '{}', 4, 2, '2026-01-01', 1, 0, '2026-01-01 00:00:00')"
        players = "INSERT INTO player (id, club_id, name) VALUES (1, 1, 'Ann'), (2, 1, 'Bo')"
        game = f"INSERT INTO game {columns} VALUES {values}"
        migrated_to("0001", CLUB, game, players, "INSERT INTO seat VALUES (1, 1, 1)")
        command.upgrade(migrations(), "head")
        game = db.session.get_one(Game, 1)
        assert (game.state, game.plays_on, game.detail, game.auction) == ("open", False, "points", False)
        assert game.names == ["Ann"]
        assert (game.season, game.paper) == (None, None)
        uids = [game.uid, *db.session.scalars(select(Player.uid))]
        assert len(set(uids)) == 3
        assert all(len(uid) == 22 for uid in uids)


def before_substitutions(connection):
    """Insert a game at revision 0003: one hand with a substitute in it, and another substitute pending."""
    connection.execute(text(CLUB))
    columns = "(id, club_id, number, rules, options, players, teams, played, first_dealer, version, created_at, uid)"
    values = "(1, 1, 1, :rules, '{}', 2, 0, '2026-01-01', 1, 1, '2026-01-01 00:00:00', 'a')"
    rules = json.dumps(find_rules("shankar").override({"auction.all_pass": "redeal"}).to_dict())
    connection.execute(text(f"INSERT INTO game {columns} VALUES {values}"), {"rules": rules})
    people = "(1, 1, 'Ann', 'a'), (2, 1, 'Bo', 'b'), (3, 1, 'Gil', 'c')"
    connection.execute(text(f"INSERT INTO player (id, club_id, name, uid) VALUES {people}"))
    connection.execute(text("INSERT INTO seat VALUES (1, 1, 1), (1, 2, 2)"))
    passes = [{"seat": 2, "bid": "pass"}, {"seat": 1, "bid": "pass"}]
    facts = json.dumps({"dealer": 1, "bids": passes, "names": {"1": "Gil"}})
    columns = "(id, game_id, seq, kind, position, after, token, at)"
    entry = {"facts": facts, "at": "2026-01-01 20:00:00"}
    connection.execute(text(f"INSERT INTO change {columns} VALUES (1, 1, 1, 'record', 1, :facts, 't', :at)"), entry)
    hand = "INSERT INTO hand (id, game_id, position, facts, version) VALUES (1, 1, 1, :facts, 1)"
    connection.execute(text(hand), {"facts": facts})
    tapped = "INSERT INTO tapped (id, game_id, position, fields, at) VALUES (:id, 1, :position, :fields, :at)"
    for number, fields in ((0, """{"2": ["Hal"]}"""), (2, """{"bid": ["3"]}""")):
        kept = {"id": number + 1, "position": number, "fields": fields, "at": "2026-01-01 21:00:00"}
        connection.execute(text(tapped), kept)


@pytest.fixture
def old_game(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    with app.app_context():
        command.upgrade(migrations(), "0003")
        with db.engine.begin() as connection:
            is_postgres = connection.dialect.name == "postgresql"
            if is_postgres:
                connection.execute(text("SET LOCAL TIME ZONE 'UTC'"))  # the time zone of the rows
            before_substitutions(connection)
            if is_postgres:  # the rows were inserted with explicit ids
                for table in ("change", "tapped"):
                    connection.execute(text(f"SELECT setval('{table}_id_seq', 10)"))
        command.upgrade(migrations(), "0004")
        yield


def test_who_was_about_to_sit_down_is_a_change_that_can_be_undone(old_game):
    command.upgrade(migrations(), "head")
    game = db.session.get_one(Game, 1)
    assert (game.names_at(1), game.names_next) == (["Gil", "Bo"], ["Gil", "Hal"])
    assert [tapped.position for tapped in db.session.scalars(select(HandDraft))] == [2]
    assert game.version == 2
    change = game.changes[-1]
    assert (change.seq, change.kind, change.position) == (2, "substitute", 2)
    assert (change.before, change.after) == (None, {"names": {"2": "Hal"}})
    assert change.at == datetime(2026, 1, 1, 21, tzinfo=UTC)
    hand_service.undo(game, token="u")
    assert game.names_next == ["Gil", "Bo"]


def test_going_back_before_substitutions_keeps_the_hands_and_who_sits_where(old_game):
    command.downgrade(migrations(), "0003")
    with db.engine.connect() as connection:
        fields = connection.execute(text("SELECT position, fields FROM tapped ORDER BY position")).all()
        assert [position for position, _ in fields] == [0, 2]
        assert "Hal" in str(fields[0].fields)
        assert connection.scalar(text("SELECT count(*) FROM change")) == 0
        assert connection.execute(text("SELECT position, version FROM hand")).all() == [(1, 0)]
        assert connection.scalar(text("SELECT version FROM game")) == 0


def test_a_migration_can_be_taken_back(make_app, empty_database_url):
    app = make_app(DATABASE_URL=empty_database_url)
    migrate_database(app)
    with app.app_context():
        command.downgrade(migrations(), "base")
        assert inspect(db.engine).get_table_names() == ["alembic_version"]


def test_a_migration_that_fails_leaves_nothing(make_app, empty_database_url, monkeypatch):
    app = make_app(DATABASE_URL=empty_database_url)
    monkeypatch.setattr("alembic.op.create_index", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        migrate_database(app)
    with app.app_context():
        assert inspect(db.engine).get_table_names() == []


@pytest.mark.slow
def test_two_servers_that_migrate_at_once_both_come_up(tmp_path, empty_database_url):
    """In processes, because Alembic keeps its context in a module."""
    own = environment(tmp_path / "instance", SCOREKEEPER_DATABASE_URL=empty_database_url)
    line = [*SCOREKEEPER, "migrate"]
    servers = [subprocess.Popen(line, env=own, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [(server.communicate(timeout=300)[1], server.returncode) for server in servers]
    assert answers == [("", 0)] * 3


def test_sqlite_is_opened_as_it_has_to_be(make_app, tmp_path):
    (tmp_path / "pragmas.sqlite").touch()
    app = make_app(DATABASE_URL=f"sqlite:///{tmp_path / 'pragmas.sqlite'}")
    with app.app_context(), db.engine.connect() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        assert [connection.scalar(text(f"PRAGMA {name}")) for name in names] == ["wal", 2, 1, 10_000]


def test_a_unit_of_work_that_fails_leaves_nothing(app_context):
    with pytest.raises(ZeroDivisionError), db_write() as session:
        session.add(Club(name="The Thursday club"))
        session.flush()
        _ = 1 / 0
    assert clubs() == 0
    new_club()
    assert clubs() == 1


def test_nothing_is_written_outside_a_unit_of_work(app_context):
    """A change made too early is not lost silently, and there is no unit of work inside another."""
    db.session.add(Club(name="The Thursday club"))
    with pytest.raises(RuntimeError, match="inside db_write"):
        db.session.commit()
    db.session.rollback()
    assert clubs() == 0
    new_club().name = "The Friday club"
    with pytest.raises(RuntimeError, match="before db_write"), db_write():
        pytest.fail("the unit of work began")
    db.session.rollback()
    with pytest.raises(RuntimeError, match="one transaction"), db_write(), db_write():
        pytest.fail("the inner unit of work began")


def test_writers_take_turns_at_a_row(app):
    """Six threads add 1 sixty times in all: a lost update would show in the sum."""
    with app.app_context():
        club_id = new_club("0").id

    def add_ten(_number):
        for _ in range(10):
            with app.app_context():
                club = db.session.get(Club, club_id)
                with db_write(club):
                    club.name = str(int(club.name) + 1)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(add_ten, range(6)))
    with app.app_context():
        assert db.session.get(Club, club_id).name == "60"


def test_a_reader_sees_one_moment_while_somebody_writes(app):
    written = Event()

    def write():
        with app.app_context():
            new_club()
        written.set()

    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Club)) == 0
        writer = Thread(target=write)
        writer.start()
        assert written.wait(60), "a reader holds up the writer"
        writer.join()
        assert db.session.scalar(select(func.count()).select_from(Club)) == 0
        db.session.rollback()
        assert db.session.scalar(select(func.count()).select_from(Club)) == 1


def test_a_page_that_begins_by_reading_may_go_on_by_writing(app):
    """On SQLite a read transaction could not become a write transaction after the commit of another writer."""
    with app.app_context():
        new_club("one")
        club = db.session.scalars(select(Club)).one()

        def write_another():
            with app.app_context():
                new_club("two")

        with ThreadPoolExecutor(1) as pool:
            pool.submit(write_another).result()
        with db_write(club):
            club.name = "changed"
        assert clubs() == 2


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_what_is_asked_with_every_page_stays_prepared(app):
    """psycopg prepares a statement at its sixth execution on a connection, and drops all of them after a ROLLBACK.

    The pool is LIFO: of several connections it returns the one used last.
    """
    with app.app_context(), db.engine.connect(), db.engine.connect():
        pass
    for _ in range(7):
        with app.app_context():
            db.session.scalars(select(Club)).all()
    with app.app_context():
        prepared = db.session.scalars(text("SELECT statement FROM pg_prepared_statements")).all()
    assert any("FROM club" in statement for statement in prepared)


def test_when_a_page_has_ended_what_it_read_can_be_shown_and_a_change_outside_a_unit_of_work_is_gone(app):
    with app.app_context():
        club_id = new_club("one").id
    with app.app_context():
        club = db.session.get(Club, club_id)
    assert club.name == "one"
    with app.app_context():
        db.session.get(Club, club_id).name = "another"
    with app.app_context():
        assert db.session.scalars(select(Club.name)).all() == ["one"]


def test_a_page_that_has_lost_its_connection_ends_all_the_same(app):
    with app.app_context():
        connection = db.session.connection()
        connection.connection.driver_connection.close()
        connection.invalidate()
    with app.app_context():
        assert clubs() == 0


def test_a_moment_comes_back_in_utc(app_context):
    moment = datetime(2026, 11, 21, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    with db_write() as session:
        session.add(Club(name="The Thursday club", created_at=moment))
    found = db.session.scalars(select(Club.created_at)).one()
    assert found.isoformat() == "2026-11-22T04:30:00+00:00"
    assert found.tzinfo is UTC


def test_club_keys_cannot_be_guessed(app_context):
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert {len(key) for key in keys} == {22}
    assert not any(key.startswith("-") for key in keys)  # `scorekeeper export CLUB` would parse it as an option
    key = new_club().key
    with pytest.raises(IntegrityError), db_write() as session:
        session.add(Club(name="Another", key=key))


def test_migrating_makes_the_address_of_a_club_a_link_to_manage_it(make_app, empty_database_url):
    """Of the old key, which was a secret, only a hash is kept; the club's URLs get a new key."""
    app, old = make_app(DATABASE_URL=empty_database_url), "aB3-_fghijklmnopqrstuv"
    with app.app_context():
        columns = "(id, key, name, books, counted, zone, created_at)"
        values = f"(1, '{old}', 'The Thursday club', 0, 3, 'UTC', '2026-01-01 00:00:00')"
        migrated_to("0011", f"INSERT INTO club {columns} VALUES {values}")
        command.upgrade(migrations(), "head")
        ((hashed, role),) = db.session.execute(text("SELECT hash, role FROM link")).all()
        (key,) = db.session.scalars(text("SELECT key FROM club")).all()
        db.session.remove()
    assert (hashed, role) == (sha256(old.encode()).hexdigest(), "manage")
    assert key != old
    joined = stranger(app).post(f"/l/{old}", headers={"Sec-Fetch-Site": "same-origin"})
    assert (joined.status_code, joined.location) == (303, f"/c/{key}/")


def test_migrating_removes_what_a_stopped_import_left(make_app, empty_database_url):
    """The club and all its rows, although they are not deleted by the ORM."""
    app = make_app(DATABASE_URL=empty_database_url)
    with app.app_context():
        moment = "'2026-01-01 00:00:00'"
        here, left = f"(1, 'here', 'Here', 'UTC', {moment}, NULL)", f"(2, 'left', 'Left', 'UTC', {moment}, {moment})"
        links = ", ".join(f"({club}, 'manage', 'Me', 'link{club}', 'hash{club}', {moment})" for club in (1, 2))
        migrated_to(
            "0026",
            f"INSERT INTO club (id, key, name, zone, created_at, importing) VALUES {here}, {left}",
            "INSERT INTO player (id, club_id, name, uid) VALUES (1, 1, 'Ann', 'a'), (2, 2, 'Bo', 'b')",
            f"INSERT INTO link (club_id, role, label, uid, hash, created_at) VALUES {links}",
        )
        command.upgrade(migrations(), "head")
        assert db.session.scalars(text("SELECT name FROM club")).all() == ["Here"]
        assert db.session.scalars(text("SELECT name FROM player")).all() == ["Ann"]
        assert db.session.scalars(text("SELECT hash FROM link")).all() == ["hash1"]
        db.session.remove()


def test_what_is_packed_by_a_migration_is_what_it_was(make_app, empty_database_url):
    """Rules of games and details of results, upgraded and downgraded, with more games than fit in one batch."""
    app = make_app(DATABASE_URL=empty_database_url)
    migrate_database(app)

    def stored():
        db.session.remove()
        rules = db.session.execute(select(Game.id, Game.rules).order_by(Game.id)).all()
        key = Result.game_id, Result.player_id, Result.credit
        return rules, db.session.execute(select(*key, Result.detail).order_by(*key)).all()

    with app.app_context():
        club = new_club()
        fill(club, players=12, games=520, seed=1)
        before = stored()
        db.session.remove()
        command.downgrade(migrations(), "0027")
        with db.engine.begin() as connection:
            as_text = connection.execute(text("SELECT CAST(rules AS TEXT) FROM game ORDER BY id")).scalars().all()
        assert [json.loads(rules) for rules in as_text] == [rules for _, rules in before[0]]
        command.upgrade(migrations(), "head")
        after = stored()
        assert after == before
        assert [list(rules) for _, rules in after[0]] == [list(rules) for _, rules in before[0]]  # in the same order
        db.session.remove()
