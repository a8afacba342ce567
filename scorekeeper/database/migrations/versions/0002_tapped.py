"""Drafts of hands; game states paused, abandoned and plays_on; how a table enters hands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def new_columns() -> list[sa.Column]:
    return [
        sa.Column("state", sa.String(10), nullable=False, server_default="open"),
        sa.Column("plays_on", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("detail", sa.String(10), nullable=False, server_default="points"),
        sa.Column("auction", sa.Boolean, nullable=False, server_default=sa.false()),
    ]


def upgrade() -> None:
    for column in new_columns():
        op.add_column("game", column)
    op.create_table(
        "tapped",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("fields", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tapped"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_tapped_game_id_game", ondelete="CASCADE"),
        sa.UniqueConstraint("game_id", "position", name="uq_tapped_game_id_position"),
    )


def downgrade() -> None:
    op.drop_table("tapped")
    for column in reversed(new_columns()):
        op.drop_column("game", column.name)
