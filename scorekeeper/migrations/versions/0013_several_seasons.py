"""A game can count in several seasons; what is added up together is called a group of games, no longer a division."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0011"
branch_labels = None
depends_on = None

# Renaming is done by the databases at once, however many rows there are. Constraints keep their old names.
NAMES = ("division", "division_id"), ("game_group", "group_id")


def upgrade() -> None:
    _rename(*NAMES)
    for table, of, column in (("game_season", "game", "game_id"), ("game_group_season", "game_group", "group_id")):
        op.create_table(
            table,
            sa.Column(column, sa.Integer, nullable=False),
            sa.Column("season_id", sa.Integer, nullable=False),
            sa.PrimaryKeyConstraint(column, "season_id", name=f"pk_{table}"),
            sa.ForeignKeyConstraint([column], [f"{of}.id"], name=f"fk_{table}_{column}_{of}", ondelete="CASCADE"),
            sa.ForeignKeyConstraint(
                ["season_id"], ["season.id"], name=f"fk_{table}_season_id_season", ondelete="CASCADE"
            ),
        )
        op.create_index(f"ix_{table}_season_id", table, ["season_id"])


def downgrade() -> None:
    op.drop_table("game_group_season")
    op.drop_table("game_season")
    _rename(*reversed(NAMES))


def _rename(old: tuple[str, str], new: tuple[str, str]) -> None:
    (old_table, old_column), (table, column) = old, new
    op.drop_index(f"ix_{old_table}_club_id_season_id", old_table)
    op.drop_index(f"ix_result_{old_column}_played", "result")
    op.rename_table(old_table, table)
    for one in ("result", "tally"):
        op.execute(f"ALTER TABLE {one} RENAME COLUMN {old_column} TO {column}")
    op.create_index(f"ix_{table}_club_id_season_id", table, ["club_id", "season_id"])
    op.create_index(f"ix_result_{column}_played", "result", [column, "played"])
