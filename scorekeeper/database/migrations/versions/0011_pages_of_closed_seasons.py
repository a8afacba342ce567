"""season.pages: charts, partners, records and awards of a closed season, kept like its table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("season", sa.Column("pages", sa.JSON, nullable=True))


def downgrade() -> None:
    op.drop_column("season", "pages")
