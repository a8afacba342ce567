"""Compress the rules of games and the details of results, which took half of a database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.session import PackedJson

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

COLUMNS = {"game": ("rules", ["id"]), "result": ("detail", ["game_id", "player_id", "credit"])}  # with the primary key
GAMES = 500  # games per batch
NEW = "packed"


def upgrade() -> None:
    _store_as(sa.JSON(), PackedJson(), sa.LargeBinary())


def downgrade() -> None:
    _store_as(PackedJson(), sa.JSON(), sa.JSON())


def _store_as(was: sa.types.TypeEngine, becomes: sa.types.TypeEngine, stored: sa.types.TypeEngine) -> None:
    for table, (column, key) in COLUMNS.items():
        op.add_column(table, sa.Column(NEW, stored, nullable=True))
        rows = sa.table(table, *map(sa.column, key), sa.column(column, was), sa.column(NEW, becomes))
        _copy(rows, rows.c[column], [rows.c[name] for name in key])
        with op.batch_alter_table(table) as changed:
            changed.drop_column(column)
            changed.alter_column(NEW, new_column_name=column, existing_type=stored, nullable=False)


def _copy(rows: sa.TableClause, column: sa.ColumnClause, key: list[sa.ColumnClause]) -> None:
    connection = op.get_bind()
    games = connection.scalars(sa.select(key[0]).distinct().order_by(key[0])).all()
    mine = [one == sa.bindparam(f"of_{one.name}") for one in key]
    write = sa.update(rows).where(*mine).values({NEW: sa.bindparam("value", type_=rows.c[NEW].type)})
    names = [f"of_{one.name}" for one in key]
    for first in range(0, len(games), GAMES):
        some = sa.select(*key, column).where(key[0].in_(games[first : first + GAMES]))
        values = [dict(zip([*names, "value"], row, strict=True)) for row in connection.execute(some)]
        connection.execute(write, values)
