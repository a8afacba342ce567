"""Dump a full club as SQL, for tests/database/test_released.py: `python -m tests.database.make_released 0.1.0`."""

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from scorekeeper import create_app
from scorekeeper.database.session import db, migrate_database
from tests.transfer.clubs import a_full_club

RELEASED = Path(__file__).parent / "released"


def dumped() -> str:
    """Return an SQL dump of the club's database, as this version creates it."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder})
        migrate_database(app)
        with app.app_context():
            a_full_club()
            db.session.remove()
            db.engine.dispose()
        with closing(sqlite3.connect(f"{folder}/scorekeeper.sqlite")) as database:
            return "\n".join(database.iterdump()) + "\n"


if __name__ == "__main__":
    (RELEASED / f"{sys.argv[1]}.sql").write_text(dumped(), encoding="utf-8")
