"""Work in the context of an application, closing every database connection afterwards; and work that is killed."""

import signal
import subprocess
import sys

import psycopg
import pytest
from alembic import command
from sqlalchemy import select, text

from scorekeeper.database.session import db, migrations
from scorekeeper.models import Club
from tests.conftest import ROOT

RUNNING = "A server is running on this database. Stop it, then try again."
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgres = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)

DYING = """
import os, signal, sys
from pathlib import Path
from scorekeeper import create_app
from scorekeeper.backup import check, command, make, move, postgres, sqlite

for module in (check, make, move, postgres, sqlite):
    if hasattr(module, sys.argv[1]):
        setattr(module, sys.argv[1], lambda *_args, **_options: os.kill(os.getpid(), signal.SIGKILL))
app, place = create_app({"INSTANCE": sys.argv[2], "DATABASE_URL": sys.argv[3]}), Path(sys.argv[4])
"""


def those_like(postgres, name):
    with psycopg.connect(postgres.url("postgres")) as connection:
        found = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", (f"{name}%",))
        return [row[0] for row in found]


def set_up(app, work):
    """Return `work()`, called in the application's context; then close all connections."""
    with app.app_context():
        try:
            return work()
        finally:
            db.session.remove()
            db.engine.dispose()


def execute(app, statement, **values):
    """Run a statement in the database of `app`; return its first value, if it returns rows."""

    def run():
        with db.engine.begin() as connection:
            done = connection.execute(text(statement), values)
            return done.scalar() if done.returns_rows else None

    return set_up(app, run)


def make_old(app):
    """Migrate an empty database to revision 0003, and add a club."""
    set_up(app, lambda: command.upgrade(migrations(), "0003"))
    club = "(1, 'key', 'Old club', '2026-01-01 00:00:00')"
    execute(app, f"INSERT INTO club (id, key, name, created_at) VALUES {club}")


def club_names():
    return sorted(db.session.scalars(select(Club.name)))


def die_in(function, work, app, tmp_path, place):
    """Run the statement `work`, about `app` and `place`, in a process that is killed when it calls `function`."""
    told = [function, str(tmp_path / "dying"), app.config["DATABASE_URL"], str(place)]
    line = [sys.executable, "-c", DYING + work, *told]
    dead = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert dead.returncode == -signal.SIGKILL, dead.stderr
