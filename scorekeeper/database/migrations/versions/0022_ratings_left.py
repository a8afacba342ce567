"""club.unrated_since: the first day whose games must be rated again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club", sa.Column("unrated_since", sa.Date, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("club") as table:
        table.drop_column("unrated_since")
