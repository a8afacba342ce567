"""club.importing: marks a club that is hidden until its import is complete."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club", sa.Column("importing", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("club", "importing")
