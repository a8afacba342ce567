"""Statistics of a finished game in one row, so that records, partners and bids need not read hands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game_count",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("rules_id", sa.String(80), nullable=False),
        sa.Column("played", sa.Date, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("teams", sa.Integer, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("sides", sa.JSON, nullable=False),
        sa.Column("bids", sa.JSON, nullable=False),
        sa.Column("pairs", sa.JSON, nullable=False),
        sa.Column("deeds", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_game_count"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_game_count_game_id_game", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("game_count")
