"""Work in the context of an application, closing every database connection afterwards; and work that is killed."""

import signal
import subprocess
import sys

import psycopg
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club
from tests.conftest import ROOT

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


def club_names():
    return sorted(db.session.scalars(select(Club.name)))


def die_in(function, work, app, tmp_path, place):
    """Run the statement `work`, about `app` and `place`, in a process that is killed when it calls `function`."""
    told = [function, str(tmp_path / "dying"), app.config["DATABASE_URL"], str(place)]
    line = [sys.executable, "-c", DYING + work, *told]
    dead = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert dead.returncode == -signal.SIGKILL, dead.stderr
