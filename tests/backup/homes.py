"""A database with a club in it, as tests of restoring and moving use it: every connection is closed again."""

import psycopg
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club


def those_like(postgres, name):
    with psycopg.connect(postgres.url("postgres")) as connection:
        found = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", (f"{name}%",))
        return [row[0] for row in found]


def set_up(app, work):
    """Do something in the application's context, and leave no connection open."""
    with app.app_context():
        try:
            return work()
        finally:
            db.session.remove()
            db.engine.dispose()


def club_names():
    return sorted(db.session.scalars(select(Club.name)))
