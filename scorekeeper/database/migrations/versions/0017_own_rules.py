"""club.own_rules: rule sets that a club has saved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club", sa.Column("own_rules", sa.JSON, nullable=True))


def downgrade() -> None:
    op.drop_column("club", "own_rules")
