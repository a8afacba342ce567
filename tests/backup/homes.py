"""Work in the context of an application, closing every database connection afterwards."""

import psycopg
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club


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
