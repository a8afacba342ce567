"""Delete clubs left by an interrupted import, and club.importing: an import is now one transaction."""

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
    """Delete the rows of those clubs, owners first: SQLite's foreign keys are disabled during a migration."""
    tables = sa.MetaData()
    tables.reflect(connection)
    for table in tables.sorted_tables:
        for key in table.foreign_keys:
            if key.ondelete == "CASCADE":
                has_none = key.parent.is_not(None), key.parent.not_in(sa.select(key.column))
                connection.execute(sa.delete(table).where(*has_none))


def downgrade() -> None:
    op.add_column("club", sa.Column("importing", sa.DateTime(timezone=True)))
