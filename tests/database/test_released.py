"""Databases of earlier versions are migrated without loss.

Each file in `released` is an SQL dump of the full club of tests/transfer/clubs.py, made by that version. Two are older
than the first release, and named after their latest migration. From then on there is one for each release.
"""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from flask import Flask

from scorekeeper.backup.files import BackupProblem
from scorekeeper.database import sqlite
from scorekeeper.database.errors import Trouble
from scorekeeper.database.session import MIGRATIONS, check_is_current, db, migrate_database, migrations
from scorekeeper.models import Club
from scorekeeper.serving import serve
from tests.conftest import ROOT
from tests.database.make_released import RELEASED
from tests.sound import check_club
from tests.web.phones import stranger

ENTERED = (
    "SELECT game_id, position, facts FROM hand ORDER BY game_id, position",
    "SELECT game_id, seq, kind, position, token FROM change ORDER BY game_id, seq",
    "SELECT game_id, number, name FROM seat JOIN player ON player.id = player_id ORDER BY game_id, number",
    "SELECT name, starts, ends, frozen FROM season ORDER BY id",
)


def entered(path: Path) -> list[list[Any]]:
    """Return the data that people have entered: hands, change logs, seats, seasons."""
    with closing(sqlite3.connect(path)) as database:
        return [database.execute(query).fetchall() for query in ENTERED]


@pytest.mark.parametrize("file", sorted(RELEASED.glob("*.sql")), ids=lambda file: file.stem)
def test_a_database_of_an_earlier_version(file: Path, tmp_path: Path, make_app: Callable[..., Flask]) -> None:
    """Hands, logs and tables are unchanged, a backup was made before migrating, and the club's old URL opens it."""
    path = tmp_path / "scorekeeper.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(file.read_text(encoding="utf-8"))
        (key,) = database.execute("SELECT key FROM club").fetchone()
    before = entered(path)
    app = make_app(INSTANCE=tmp_path)
    serve.prepare(app)
    assert entered(path) == before
    assert [len(rows) for rows in before] == [19, 28, 25, 2]
    (backup,) = (tmp_path / "backups").glob("*.sqlite")
    assert entered(backup) == before
    with app.app_context():
        check_club(db.session.scalars(db.select(Club)).one())
    assert stranger(app).get(f"/c/{key}/", follow_redirects=True).status_code == 200


REVISIONS = tuple(path.name[:4] for path in sorted((MIGRATIONS / "versions").glob("0*.py")))


def at_revision(app: Flask, revision: str) -> None:
    """Migrate an empty database to `revision`, as a version did for which that was the latest."""
    with app.app_context():
        sqlite.make_file(db.engine)
        command.upgrade(migrations(), revision)
        db.engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_order_of_migrations_there_ever_was_ends_in_the_same_tables(
    revision: str, tmp_path: Path, make_app: Callable[..., Flask]
) -> None:
    """Stop at each revision, then migrate to the latest, which compares the schema with the models."""
    app = make_app(INSTANCE=tmp_path)
    at_revision(app, revision)
    migrate_database(app)
    with app.app_context():
        check_is_current()


def test_tables_of_no_release_are_refused_with_the_name_of_the_backup(
    tmp_path: Path, make_app: Callable[..., Flask]
) -> None:
    """Two development versions had revision 0013 directly after 0011: such databases lack the table of links."""
    app = make_app(INSTANCE=tmp_path)
    at_revision(app, "0011")
    with app.app_context():
        script = ScriptDirectory.from_config(migrations()).get_revision("0013")
        with db.engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
            script.module.upgrade()
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0013'")
        db.engine.dispose()
    path = tmp_path / "scorekeeper.sqlite"
    with closing(sqlite3.connect(path)) as database:
        before = list(database.iterdump())
    with pytest.raises(BackupProblem) as refused:
        serve.prepare(app)
    (backup,) = (tmp_path / "backups").glob("*.sqlite")
    assert str(refused.value) == f"{Trouble.DIFFERS.value} A backup of it is {backup}."
    with closing(sqlite3.connect(path)) as database:
        assert list(database.iterdump()) == before


def test_there_is_one_of_each_release() -> None:
    released = re.findall(r"^## \[?(\d\S*?)\]? ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {file.stem for file in RELEASED.glob("*.sql")} >= set(released)
