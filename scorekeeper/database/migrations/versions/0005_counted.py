"""club.counted: the version of the statistics; clubs with an older one are counted again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club", sa.Column("counted", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("club", "counted")
