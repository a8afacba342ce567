"""Count a game again for seasons that credit other players after a substitution than its primary season does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

KEYS = {"result": ["game_id", "player_id"], "game_count": ["game_id"]}
AGAIN = (
    "DELETE FROM result WHERE credit != ''",
    "DELETE FROM game_count WHERE credit != ''",
    "DELETE FROM tally WHERE group_id IN (SELECT id FROM game_group WHERE credit != '')",
    "DELETE FROM game_group_season WHERE group_id IN (SELECT id FROM game_group WHERE credit != '')",
    "DELETE FROM game_group WHERE credit != ''",
)


def upgrade() -> None:
    for table in ("game_group", *KEYS):
        with op.batch_alter_table(table) as columns:
            columns.add_column(sa.Column("credit", sa.String(8), nullable=False, server_default=""))
        with op.batch_alter_table(table) as columns:
            columns.alter_column("credit", server_default=None)
    for table, key in KEYS.items():
        _set_key(table, [*key, "credit"])


def downgrade() -> None:
    """Delete the additional counts: the previous version counts each game by the rule of its primary season."""
    for statement in AGAIN:
        op.execute(statement)
    for table, key in KEYS.items():
        _set_key(table, key)
        with op.batch_alter_table(table) as columns:
            columns.drop_column("credit")
    with op.batch_alter_table("game_group") as columns:
        columns.drop_column("credit")


def _set_key(table: str, key: list[str]) -> None:
    with op.batch_alter_table(table) as columns:
        columns.drop_constraint(f"pk_{table}", type_="primary")
        columns.create_primary_key(f"pk_{table}", key)
