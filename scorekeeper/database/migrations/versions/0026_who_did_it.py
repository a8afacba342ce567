"""Store the link by which a club was changed, a game started or a player added."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

TABLES = ("club_change", "game", "player")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("link_id", sa.Integer, nullable=True))


def downgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table) as changed:
            changed.drop_column("link_id")
