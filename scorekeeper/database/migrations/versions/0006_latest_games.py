"""Indexes that find a club's latest games without scanning all of them."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_game_club_id_played_number": ["club_id", "played", "number"],
    "ix_game_club_id_created_at_number": ["club_id", "created_at", "number"],
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        op.create_index(name, "game", columns)


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, "game")
