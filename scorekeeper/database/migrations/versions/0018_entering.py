"""Who is entering a hand that is not saved yet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "entering",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("device", sa.String(22), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("by", sa.Text, nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "device", name="pk_entering"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_entering_game_id_game", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("entering")
