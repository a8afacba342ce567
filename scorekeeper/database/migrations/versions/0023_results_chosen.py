"""A covering index to select games for filtered statistics without reading the results."""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

OLD, NEW = "ix_result_group_id_played", "ix_result_chosen"
COLUMNS = ["group_id", "played", "seat", "games", "forfeits", "game_id"]


def upgrade() -> None:
    op.create_index(NEW, "result", COLUMNS)
    op.drop_index(OLD, "result")


def downgrade() -> None:
    op.create_index(OLD, "result", COLUMNS[:2])
    op.drop_index(NEW, "result")
