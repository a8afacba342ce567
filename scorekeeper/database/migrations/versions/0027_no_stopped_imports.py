"""Clubs that a stopped import left are removed, and so is their mark: an import is one transaction now."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    connection = op.get_bind()
    if connection.execute(sa.text("DELETE FROM club WHERE importing IS NOT NULL")).rowcount:
        remove_what_has_no_owner(connection)
    with op.batch_alter_table("club") as club:
        club.drop_column("importing")


def remove_what_has_no_owner(connection: sa.Connection) -> None:
    """SQLite's foreign keys are off during a migration: what belonged to those clubs goes here, owners first."""
    tables = sa.MetaData()
    tables.reflect(connection)
    for table in tables.sorted_tables:
        for key in table.foreign_keys:
            if key.ondelete == "CASCADE":
                has_none = key.parent.is_not(None), key.parent.not_in(sa.select(key.column))
                connection.execute(sa.delete(table).where(*has_none))


def downgrade() -> None:
    op.add_column("club", sa.Column("importing", sa.DateTime(timezone=True)))
