"""season.league (bonuses, divisions, playoffs), and forfeits."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

COUNTED = "result", "tally"


def upgrade() -> None:
    op.add_column("season", sa.Column("league", sa.JSON, nullable=True))
    for table in COUNTED:
        op.add_column(table, sa.Column("forfeits", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop season.league; forfeits become games from paper with scores of 0."""
    for table in COUNTED:
        with op.batch_alter_table(table) as columns:
            columns.drop_column("forfeits")
    with op.batch_alter_table("season") as columns:
        columns.drop_column("league")
    _played(op.get_bind())


game = sa.table("game", sa.column("id"), sa.column("paper", sa.JSON(none_as_null=True)))


def _played(connection: sa.Connection) -> None:
    """Remove the key that the previous version does not know."""
    for row in connection.execute(sa.select(game).where(game.c.paper.is_not(None))).all():
        if row.paper and row.paper.pop("forfeit", None):
            connection.execute(sa.update(game).where(game.c.id == row.id).values(paper=row.paper))
