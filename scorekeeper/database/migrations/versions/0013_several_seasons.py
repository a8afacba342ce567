"""A game can count in several seasons; `division` becomes `game_group`, the games aggregated together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# Renamed: the table, the column referring to it, and keys by table. Renaming takes constant time.
OLD = ("division", "division_id")
NEW = ("game_group", "group_id")
KEYS = (
    ("{table}", "pk_{table}"),
    ("{table}", "fk_{table}_club_id_club"),
    ("{table}", "fk_{table}_season_id_season"),
    ("result", "fk_result_{column}_{table}"),
    ("tally", "fk_tally_{column}_{table}"),
)
RENAMED = sa.text("UPDATE sqlite_master SET sql = replace(sql, :old, :new) WHERE type = 'table' AND name = :name")


def upgrade() -> None:
    _rename(OLD, NEW)
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
    _rename(NEW, OLD)


def _rename(old: tuple[str, str], new: tuple[str, str]) -> None:
    (old_table, old_column), (table, column) = old, new
    op.drop_index(f"ix_{old_table}_club_id_season_id", old_table)
    op.drop_index(f"ix_result_{old_column}_played", "result")
    op.rename_table(old_table, table)
    for one in ("result", "tally"):
        op.execute(f"ALTER TABLE {one} RENAME COLUMN {old_column} TO {column}")
    op.create_index(f"ix_{table}_club_id_season_id", table, ["club_id", "season_id"])
    op.create_index(f"ix_result_{column}_played", "result", [column, "played"])
    for of, key in KEYS:
        names = [key.format(table=table, column=column) for table, column in (old, new)]
        _rename_key(of.format(table=new[0]), *names)


def _rename_key(table: str, old: str, new: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}")
        return
    # SQLite cannot rename a constraint. Its name occurs only in the schema text of its own table: see "Making Other
    # Kinds Of Table Schema Changes" on sqlite.org/lang_altertable.html.
    op.execute("PRAGMA writable_schema = ON")
    op.execute(RENAMED.bindparams(old=old, new=new, name=table))
    op.execute("PRAGMA writable_schema = RESET")
